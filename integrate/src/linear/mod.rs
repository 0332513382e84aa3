//! Linear algebra that analyses, networks and integrators share: sparse factors, the numbers they are made
//! of, eigenvalues.

pub mod complex;
pub mod eigen;
mod elimination;
mod full_factors;
pub(crate) mod lanes;
mod ordering;
mod shifted;
mod sparse;

pub(crate) use shifted::Shifted;
pub use sparse::SparseLu;
