//! Methods with fixed steps for real time: what they compute, what they cost, and how they keep to the clock.
#![allow(clippy::expect_used)]

mod clock;
mod discrete;
mod linear;
mod models;
mod parts;
mod switching;
