//! Closed kinematic loops against closed forms, published values and conservation laws.

mod closed_forms;
mod closing;
mod drives;
mod elements;
mod failures;
mod free_joint;
mod invariance;
mod joints;
mod motion;
mod references;
mod residuals;
mod rolling;
