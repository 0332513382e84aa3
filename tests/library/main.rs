//! The components that are shipped with the program, each against something independent.

mod biomechanics;
mod control;
mod drives;
mod electronics;
mod hydraulics;
mod linkages;
mod rewritten;
mod robots;
mod vehicles;
