//! Components of `library/biomechanics.dys`.
