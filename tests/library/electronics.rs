//! Components of `library/electronics.dys`.
