//! Trees of bodies and the forces on them: closed forms, conservation laws, a second algorithm.

mod analytic;
mod conservation;
mod cross_check;
mod derivatives;
mod elements;
