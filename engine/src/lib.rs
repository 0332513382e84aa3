//! Physics and time, as a library.
