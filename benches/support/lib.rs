//! What the benchmarks share: generated models of any size, and an allocator that counts.

pub mod counting;
pub mod models;
