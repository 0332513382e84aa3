//! Linear algebra that networks and integrators share: sparse factors, and the numbers they are made of.

pub(crate) mod complex;
mod ordering;
mod sparse;

pub(crate) use sparse::SparseLu;
