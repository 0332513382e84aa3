//! A system as methods and drivers take it: equations, events and hints in one.

use super::{Events, Hints, Problem};

/// What methods and drivers work on: equations, events and hints in one. Every type that has the three has it.
pub trait HybridSystem: Problem + Events + Hints {}

impl<P: Problem + Events + Hints + ?Sized> HybridSystem for P {}
