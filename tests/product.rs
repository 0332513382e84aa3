//! What surrounds the engine, as a user meets it: plots, installation, and what happens to files when things go wrong.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail like the test")]

#[path = "product/gallery.rs"]
mod gallery;
#[path = "product/hardening.rs"]
mod hardening;
#[path = "product/installation.rs"]
mod installation;
#[path = "product/manual.rs"]
mod manual;
#[path = "product/plots.rs"]
mod plots;
#[path = "product/strange.rs"]
mod strange;
