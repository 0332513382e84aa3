//! Linear algebra that analyses, networks and integrators share: sparse factors, the numbers they are made
//! of, eigenvalues.

pub(crate) mod complex;
mod dense;
pub mod eigen;
mod ordering;
mod sparse;

pub(crate) use sparse::SparseLu;
