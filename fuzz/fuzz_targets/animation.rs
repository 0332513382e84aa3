//! Any bytes can be read as an animation.
#![no_main]

// The body is shared with the bounded run on every test run. Each target uses one function of it.
#[allow(dead_code, reason = "the other target uses the rest")]
#[path = "../../tests/support/fuzz_animation.rs"]
mod shared;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| shared::animation_target(bytes));
