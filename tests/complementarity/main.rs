//! Ideal switching against an independent reference: random circuits, converters by family, drive trains with friction.
//!
//! The reference is a small time-stepping complementarity solver written for these tests; it shares no code with the
//! engine. `DYSIM_NETWORKS` sets the number of random networks of a large run, `DYSIM_FAILING` a directory for the
//! models that do not agree; `DYSIM_SEED` is the first seed, `DYSIM_METHOD` the only method, and with `DYSIM_SHOW` all
//! values that differ are printed.

mod agreement;
mod captured;
mod choppers;
mod circuit;
mod conditions;
mod converters;
mod course;
mod elimination;
mod harness;
mod horizontal;
mod ill_posed;
mod lemke;
mod marked;
mod mechanism;
mod random_circuits;
mod reduced;
mod reference;
mod reference_checks;
mod stepping;
mod train;
mod undetermined;
mod waves;
