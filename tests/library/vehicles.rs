//! Components of `library/vehicles.dys`.
