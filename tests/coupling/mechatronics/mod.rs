//! Drive trains, machines, heat and oil against closed forms, conservation laws and published cases.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

mod balance;
mod friction;
mod gears;
mod heat;
mod hydraulic;
mod machines;
mod mechanical;
mod models;
mod references;
mod support;
