//! How blocks are read: what their texts, names and expressions mean, and how parameters become typed values.
//!
//! It knows tables of blocks, but no block.

pub mod additions;
pub(crate) mod constants;
pub(crate) mod context;
pub(crate) mod dependencies;
pub mod fields;
pub(crate) mod formulas;
pub(crate) mod input_table;
mod mistakes;
pub mod names;
mod read;
pub(crate) mod scope;
pub mod varied;

pub use equations::ids;
pub use input_table::Inputs;
#[doc(hidden)]
pub use read::Parameter;
pub use read::{BlockReader, Field, Group};
pub(crate) use read::{parameters, words};
