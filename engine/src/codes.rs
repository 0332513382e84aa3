//! The codes of mistakes that are found when a model is simulated.

pub use language::codes::{CONTRADICTION, IMPOSSIBLE, UNKNOWN_PLUGIN, ZERO_ROD};

parser::codes! {
    NO_VALUE = "S201" Error "an element without a value";
    INTEGRATION_FAILED = "S202" Error "an integration that cannot go on";
    LOOP_OPEN = "S203" Error "a loop that cannot be closed";
    CONSTRAINTS_BROKEN = "S204" Error "constraints that cannot be kept";
    OUTPUT_FAILED = "S205" Error "a plugin that cannot write its results";
    STALLED = "S206" Error "a run that makes no progress";
    ENDLESS_ACTIONS = "S207" Error "actions at an event that contradict each other or do not end";
    NO_EQUILIBRIUM = "S210" Error "an equilibrium that is not found";
    NOT_DRIVEN = "S211" Error "a freedom that no motion prescribes";
    NO_RESULT = "S212" Error "an analysis without a result";
}
