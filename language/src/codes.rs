//! The codes of mistakes that are found when a model is put together.

pub use equations::codes::{
    DIVISION_BY_ZERO, NOT_FINITE, UNKNOWN_FUNCTION, WRONG_ARGUMENTS, WRONG_TYPE,
};

parser::codes! {
    UNKNOWN_BLOCK = "A101" Warning "an unknown block keyword";
    UNKNOWN_PARAMETER = "A102" Warning "an unknown parameter";
    UNKNOWN_REFERENCE = "A103" Error "a reference to something that does not exist";
    WRONG_REFERENCE = "A104" Error "a reference to something of the wrong kind";
    AMBIGUOUS = "A105" Error "a name that fits several elements";
    DUPLICATE_NAME = "A106" Error "a name that is used twice";
    RESERVED_NAME = "A107" Error "a reserved name";
    REPEATED_PARAMETER = "A108" Warning "a repeated parameter";
    REPEATED_BLOCK = "A109" Warning "a repeated block";
    DEFAULT_TAKEN = "A110" Warning "a missing parameter";
    BLOCK_MISSING = "A111" Warning "a missing block";
    REQUIRED = "A112" Error "a missing parameter without default";
    WRONG_COUNT = "A114" Error "a wrong number of components";
    WRONG_WORD = "A115" Error "a word that is not one of the choices";
    OUT_OF_RANGE = "A116" Error "a number outside of its range";
    NO_EFFECT = "A117" Warning "a parameter without effect";
    UNKNOWN_PLUGIN = "A118" Error "a plugin that the program does not have";
    PLUGIN_REFUSES = "A119" Error "a block that its plugin refuses";
    UNKNOWN_NAME = "A120" Error "an unknown name in an expression";
    NOT_CONSTANT = "A125" Error "a time or signal where a constant is needed";
    UNKNOWN_SIGNAL = "A126" Error "an unknown signal";
    NEEDS_ACCELERATIONS = "A127" Error "an acceleration in a time expression";
    PARAMETER_CYCLE = "A128" Error "parameters that depend on themselves";
    UNKNOWN_SET = "A129" Error "a value for a parameter that does not exist";
    FILE_NOT_READ = "A130" Error "a file that cannot be read";
    INCLUDE_CYCLE = "A131" Error "a file that includes itself";
    TOO_LARGE = "A132" Error "a model that is too large";
    INCLUDED_TWICE = "A133" Warning "a file that is included twice";
    JOINT_WITHOUT_BODY = "A140" Error "a joint that carries no body";
    JOINT_OF_TWO = "A141" Error "a joint that two bodies name";
    JOINT_PARENT = "A142" Error "a joint and a body that disagree";
    TRIAD_ON_WRONG_BODY = "A143" Error "a triad on the wrong body";
    LOOP_JOINT_NAMED = "A144" Error "a loop joint that a body names";
    BODY_CYCLE = "A145" Error "bodies that carry each other";
    SAME_BODY = "A146" Error "an element that connects something with itself";
    ZERO_AXIS = "A150" Error "an axis of length zero";
    DEPENDENT_AXES = "A151" Error "axes that are not independent";
    LIMITS_CROSSED = "A152" Error "limits that exclude each other";
    OUTSIDE_LIMITS = "A153" Warning "an initial value outside of its limits";
    NEGATIVE_MASS = "A160" Error "a negative mass";
    INDEFINITE_INERTIA = "A161" Error "an inertia tensor that no body can have";
    INERTIA_TRIANGLE = "A162" Warning "principal moments that no body can have";
    NO_INERTIA = "A163" Error "a freedom that moves no inertia";
    MIXED_DOMAINS = "A164" Error "a node of two domains";
    DANGLING_NODE = "A165" Error "a node with one terminal";
    NO_REFERENCE = "A166" Error "a network without reference node";
    FLOATING = "A167" Error "a part without connection to the reference node";
    CURRENT_CUT = "A168" Error "a part that only current sources lead to";
    SOURCE_LOOP = "A169" Error "a loop of voltage sources";
    JOINT_AXIS = "A185" Error "a drive train that does not fit its joint";
    TIME_SPAN = "A170" Error "an impossible time span";
    SOLVER_WITHOUT_EVENTS = "A171" Error "a solver that cannot switch";
    SOLVER_SWITCHES_BADLY = "A172" Warning "a solver that may miss a switching point";
    NO_TOLERANCE = "A173" Error "a solver without tolerance";
    WRONG_BONDS = "A175" Error "an element with a wrong number of bonds";
    CAUSAL_CONFLICT = "A176" Error "sources of a bond graph that contradict each other";
    OUTLINE = "A180" Error "an outline with too few corners";
    IMPOSSIBLE = "A181" Error "a body or joint that cannot be";
    ZERO_ROD = "A182" Error "a rod without length";
    CONTRADICTION = "A183" Error "constraints that contradict each other";
    MOTION_OF_SIGNAL = "A184" Error "a prescribed motion that depends on a signal";
    IMPROPER = "A191" Error "a transfer function that is not proper";
    MATRIX_SIZE = "A186" Error "matrices or lists that do not fit together";
    SAMPLED_LOOP = "A187" Error "sampled blocks that wait for each other";
    CONFLICT = "A188" Error "parameters that exclude each other";
    TABLE_ORDER = "A189" Error "points that are no function";
    NOT_SUPPORTED = "A190" Error "a signal that is not known where it is used";
    EQUATION_COUNT = "A220" Error "equations that do not fit their unknowns";
    NO_RATE = "A221" Error "the derivative of a signal that has none";
    INPUT_TABLE = "A192" Error "a table of inputs that cannot be read";
    UNKNOWN_INPUT = "A193" Error "a column for an input that does not exist";
}
