//! What the benchmarks share: chains of bodies, generated models of any size, and an allocator that
//! counts.

pub mod chains;
pub mod counting;
pub mod loops;
pub mod models;
pub mod svg;
pub mod trains;
