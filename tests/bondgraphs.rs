//! Bond graphs: causality, simplification, equations, drawings.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

#[path = "bondgraphs/causality.rs"]
mod causality;
#[path = "bondgraphs/drawing.rs"]
mod drawing;
#[path = "bondgraphs/drive_train.rs"]
mod drive_train;
#[path = "bondgraphs/mixed.rs"]
mod mixed;
#[path = "bondgraphs/motion.rs"]
mod motion;
#[path = "bondgraphs/powers.rs"]
mod powers;
#[path = "bondgraphs/simplification.rs"]
mod simplification;
#[path = "bondgraphs/start.rs"]
mod start;
#[path = "bondgraphs/support.rs"]
mod support;
