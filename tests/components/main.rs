//! Components: what an expansion gives, that the flat text means the same, and random hierarchies against a plain
//! evaluation.

mod cases;
mod flat_text;
mod frames;
mod hierarchies;
mod mistakes;
mod provenance;
mod random_models;
mod support;
