//! Each force law against its formula, written out once more by hand.

mod elements {
    pub mod contacts;
    pub mod forces;
    pub mod invariance;
    pub mod joints;
}
