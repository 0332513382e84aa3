//! Any text is told wrong or becomes a system that can be evaluated.
#![no_main]

// The body is shared with the bounded run on every test run. Each target uses one function of it.
#[allow(dead_code, reason = "the other target uses the rest")]
#[path = "../../tests/support/fuzz_engine.rs"]
mod shared;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shared::model_target(bytes));
