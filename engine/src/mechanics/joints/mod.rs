//! The joints, one file each.

pub mod bi_prismatic;
pub mod bracket;
pub mod constant_velocity;
pub mod cylindrical;
pub mod free;
pub mod planar;
pub mod prismatic;
pub mod revolute;
pub mod screw;
pub mod spherical;
pub mod tri_prismatic;
pub mod universal;
