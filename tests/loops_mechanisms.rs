//! Closed kinematic loops against closed forms, published values and conservation laws.

mod loops {
    pub mod closed_forms;
    pub mod drives;
    pub mod invariance;
    pub mod joints;
    pub mod motion;
    pub mod references;
    pub mod residuals;
    pub mod rolling;
}
