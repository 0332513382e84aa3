//! Closed kinematic loops against closed forms, published values and conservation laws.

mod loops {
    pub mod closed_forms;
}
