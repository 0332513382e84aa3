//! What is written about the program agrees with the program.

mod language_reference;
mod modules;
mod paths;
