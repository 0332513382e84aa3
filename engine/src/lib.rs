//! Physics and time, as a library.

pub mod integrators;
