//! Static equilibrium, linearisation and prescribed motion, against closed forms, laws of statics and second
//! computations.

mod analyses {
    pub mod kinematic;
    pub mod linear;
    pub mod loops;
    pub mod statics;
    pub mod support;
}
