//! Drive trains, machines, heat and oil against closed forms, conservation laws and published cases.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

#[path = "mechatronics/balance.rs"]
mod balance;
#[path = "mechatronics/friction.rs"]
mod friction;
#[path = "mechatronics/gears.rs"]
mod gears;
#[path = "mechatronics/heat.rs"]
mod heat;
#[path = "mechatronics/hydraulic.rs"]
mod hydraulic;
#[path = "mechatronics/machines.rs"]
mod machines;
#[path = "mechatronics/mechanical.rs"]
mod mechanical;
#[path = "mechatronics/models.rs"]
mod models;
#[path = "mechatronics/references.rs"]
mod references;
#[path = "mechatronics/support.rs"]
mod support;
