//! Any text as an expression is told wrong or can be evaluated.
#![no_main]

// The body is shared with the bounded run on every test run. Each target uses one function of it.
#[allow(dead_code, reason = "the other target uses the rest")]
#[path = "../../tests/support/fuzz_engine.rs"]
mod shared;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shared::expression_target(bytes));
