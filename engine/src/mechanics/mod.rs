//! Mechanics of rigid bodies: joints, forces, further constraints.

pub mod constraints;
pub mod forces;
pub mod joints;
