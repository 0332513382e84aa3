//! Components of `library/control.dys`.
