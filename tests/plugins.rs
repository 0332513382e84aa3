//! Elements that users write: what they apply, read and switch, and what happens when they fail.

#[path = "plugins/blocks.rs"]
mod blocks;
#[path = "plugins/examples.rs"]
mod examples;
#[path = "plugins/faults.rs"]
mod faults;
#[path = "plugins/forces.rs"]
mod forces;
#[path = "plugins/states.rs"]
mod states;
