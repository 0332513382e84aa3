//! Translational elements, one file each.
//!
//! Elements with two flanges: s = s_b - s_a, v = v_b - v_a, f is the force into the element at b and out of it at a,
//! so that a positive f pulls b back. Sources push a forward, with the reaction on b.

pub mod force_source;
pub mod linear_friction;
pub mod linear_spring;
pub mod mass;
pub mod position_source;
pub mod rack_pinion;
pub mod stop;
pub mod velocity_source;
