//! Components of `library/robots.dys`.
