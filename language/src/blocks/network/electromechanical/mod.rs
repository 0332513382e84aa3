//! Electro-mechanical elements, one file each.

pub mod emf;
pub mod motor;
pub mod solenoid;
