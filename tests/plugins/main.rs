//! Elements that users write: what they apply, read and switch, and what happens when they fail.

mod blocks;
mod examples;
mod faults;
mod forces;
mod guide;
mod states;
