//! Drive trains on joints: reflected inertia, shafts on moving bodies, power over the border.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

#[path = "coupling/accelerations.rs"]
mod accelerations;
#[path = "coupling/arms.rs"]
mod arms;
#[path = "coupling/cylinder.rs"]
mod cylinder;
#[path = "coupling/joints.rs"]
mod joints;
#[path = "coupling/many.rs"]
mod many;
#[path = "coupling/mounted.rs"]
mod mounted;
#[path = "coupling/rigid.rs"]
mod rigid;
#[path = "coupling/robot.rs"]
mod robot;
#[path = "coupling/trains.rs"]
mod trains;
