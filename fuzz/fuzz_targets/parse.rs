//! Any bytes can be parsed, and every message about them can be shown.
#![no_main]

// The body is shared with the bounded run on every test run. Each target uses one function of it.
#[allow(dead_code, reason = "the other target uses the rest")]
#[path = "../../tests/support/fuzz.rs"]
mod shared;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shared::parse_target(bytes));
