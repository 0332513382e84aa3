//! Domains together: drive trains on joints with reflected inertia, shafts on moving bodies and power over the border;
//! machines, heat and oil.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

mod accelerations;
mod arms;
mod cylinder;
mod joint_loads;
mod joints;
mod many;
mod mechatronics;
mod mounted;
mod rigid;
mod robot;
mod sensors;
mod trains;
