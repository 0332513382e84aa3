//! Each force law against its formula, written out once more by hand.

mod contacts;
mod forces;
mod invariance;
mod joints;
