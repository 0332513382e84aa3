//! The codes of what is said about a SPICE netlist.

parser::codes! {
    NOT_TRANSLATED = "I101" Warning "something that is not translated";
    WRONG_STATEMENT = "I102" Error "a statement that cannot be understood";
    UNKNOWN_MODEL = "I103" Error "a model or subcircuit that does not exist";
    WRONG_EXPRESSION = "I104" Error "an expression without a value";
    TOO_LARGE = "I105" Error "a netlist that is too large";
    DUPLICATE = "I106" Error "a name that is used twice";
    RENAMED = "I107" Note "a name that had to be changed";
    NO_EFFECT = "I108" Note "something without effect";
    PARTLY = "I110" Error "a netlist that is translated in part only";
    NO_ANALYSIS = "I109" Warning "a netlist without transient analysis";
}
