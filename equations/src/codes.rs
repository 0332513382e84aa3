//! The codes of mistakes in expressions.

parser::codes! {
    WRONG_TYPE = "A113" Error "a value of the wrong type";
    UNKNOWN_FUNCTION = "A121" Error "an unknown function";
    WRONG_ARGUMENTS = "A122" Error "a wrong number of arguments";
    DIVISION_BY_ZERO = "A123" Error "a division by zero";
    NOT_FINITE = "A124" Error "a number that is not finite";
    TOO_MANY_OPERATIONS = "A253" Error "an expression that grows too large";
}
