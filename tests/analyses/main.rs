//! Static equilibrium, linearisation and prescribed motion, against closed forms, laws of statics and second
//! computations.

mod complex;
mod frequency;
mod kinematic;
mod linear;
mod linear_files;
mod loops;
mod networks;
mod sensitivities;
mod statics;
mod support;
mod trees;
mod trim;
