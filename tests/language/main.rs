//! The language: what texts mean, what is said about wrong ones, and what holds for every text.

mod blocks;
mod chapter;
mod defaults;
mod diagnostics;
mod fuzz_bounded;
mod included_files;
mod properties;
mod spice;
