//! The insides of the simulator, for the programs, tests and benchmarks of this repository; they may change at any time.

/// Equilibria, prescribed motions, linearisation.
pub mod analysis {
    pub use crate::analysis::*;
}

/// Codes of messages.
pub mod codes {
    pub use crate::codes::*;
}

/// Drawings of bond graphs.
pub mod drawing {
    pub use crate::drawing::*;
}

/// Result files.
pub mod output {
    pub use crate::output::*;
}

/// Runs that write result files.
pub mod simulation {
    pub use crate::simulation::*;
}

/// Systems and their runs.
pub mod system {
    pub use crate::system::*;
}

pub use equations::{domain, expression};
pub use language::{blocks, bondgraph, element, load, model, reading, safe_file, spice};
