//! The blocks of the language, one file each: the table of its parameters and signals, how it is read, and, for a network
//! element, its equations.

pub mod network;
