//! A counting allocator: evaluations, steps, events and restored snapshots allocate nothing.

mod evaluations;
mod integrators;
mod snapshots;

use dysim_generated::counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
