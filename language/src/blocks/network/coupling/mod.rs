//! What joins networks to the mechanics.

pub mod joint_axis;
pub mod line_axis;
