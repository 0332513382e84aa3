//! A system as methods and drivers take it: equations, events and hints in one.

use super::{Events, Hints, Problem};

/// The interface for methods and drivers: equations, events and hints in one. Every type with these three traits has it.
pub trait HybridSystem: Problem + Events + Hints {}

impl<P: Problem + Events + Hints + ?Sized> HybridSystem for P {}
