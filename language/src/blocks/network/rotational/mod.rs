//! Rotational elements, one file each.
//!
//! Elements with two flanges: phi = phi_b - phi_a, w = w_b - w_a, tau is the torque into the element at b and out of
//! it at a, so that a positive tau pulls b back. Sources push a forward, with the reaction on b.

pub mod angle_source;
pub mod brake;
pub mod clutch;
pub mod differential;
pub mod friction;
pub mod gear;
pub mod inertia;
pub mod planetary;
pub mod speed_source;
pub mod torque_source;
pub mod torsion_spring;
