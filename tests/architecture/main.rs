//! What is written about the program agrees with the program.

mod how_to_add;
mod language_reference;
mod modules;
mod names;
mod paths;
mod sources;
mod types;
