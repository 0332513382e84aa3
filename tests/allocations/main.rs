//! A counting allocator: evaluations, steps and events allocate nothing.

mod evaluations;
mod integrators;

use dysim_generated::counting::Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;
