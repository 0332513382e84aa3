//! The codes of mistakes in the text itself. Those of expressions, models and runs are in the crates that find them.

crate::codes! {
    UNEXPECTED = "P001" Error "unexpected text";
    EXPECTED_BLOCK = "P002" Error "expected a block";
    EXPECTED_NAME = "P003" Error "a block without a name";
    UNQUOTED_NAME = "P004" Error "a block name without quotes";
    EXPECTED_BRACE = "P005" Error "expected an opening brace";
    UNCLOSED_BLOCK = "P006" Error "a block that is not closed";
    STRAY_BRACE = "P007" Error "a closing brace without a block";
    EXPECTED_EQUALS = "P008" Error "a parameter without an equals sign";
    EXPECTED_VALUE = "P009" Error "a parameter without a value";
    MISSING_SEMICOLON = "P010" Error "a parameter without a semicolon";
    UNTERMINATED_STRING = "P011" Error "a string that is not closed";
    UNTERMINATED_COMMENT = "P012" Error "a comment that is not closed";
    UNCLOSED_LIST = "P013" Error "a list that is not closed";
    UNCLOSED_PARENTHESIS = "P014" Error "a parenthesis that is not closed";
    EXPECTED_OPERAND = "P015" Error "an operator without its operand";
    NUMBER_OVERFLOW = "P016" Error "a number that is too large";
    BAD_NUMBER = "P017" Error "a malformed number";
    TOO_DEEP = "P018" Error "an expression nested too deeply";
    CHAINED_COMPARISON = "P019" Error "a chained comparison";
    STRAY_SEMICOLON = "P020" Warning "a semicolon without a parameter";
    BAD_NAME = "P021" Error "a name with characters that names cannot have";
    INVALID_UTF8 = "P022" Error "text that is not UTF-8";
    UNKNOWN_OPERATOR = "P023" Error "an operator of another language";
    EXPECTED_COMMA = "P024" Error "values that are not separated";
    EXTRA_PARENTHESIS = "P025" Error "a closing parenthesis without an opening one";
    UNCLOSED_BRACKET = "P026" Error "a bracket that is not closed";
    EXPECTED_EQUATION = "P027" Error "a line that is no equation";
    EXPECTED_TRANSITION = "P028" Error "a line that is no transition";
}
