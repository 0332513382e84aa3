//! Components of `library/hydraulics.dys`.
