//! Formatting and printing keep the meaning of any text without errors.
#![no_main]

// The body is shared with the bounded run on every test run. Each target uses one function of it.
#[allow(dead_code, reason = "the other target uses the rest")]
#[path = "../../tests/support/fuzz.rs"]
mod shared;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shared::format_target(bytes));
