//! Bond graphs: causality, simplification, equations, drawings.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

mod causality;
mod drawing;
mod drive_train;
mod mixed;
mod motion;
mod powers;
mod random_causality;
mod simplification;
mod start;
mod support;
mod whole;
