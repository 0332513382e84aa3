//! The command line of the animator.
fn main() {}
