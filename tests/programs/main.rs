//! The programs, as a user meets them: the command line, plots, installation, and what happens to files when things go wrong.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail like the test")]

mod cli;
mod diagrams;
mod gallery;
mod hardening;
mod input_files;
mod installation;
mod manual;
mod plots;
mod strange;
