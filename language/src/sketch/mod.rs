//! What elements of networks are in a bond graph: resistors, storages, sources and converters between their nodes.
//!
//! An element states it beside its equations, as a [`Sketch`] between its nodes; `bondgraph` makes one graph of all of them.
//! What has no elementary kind, such as a transistor, is a box with bonds.

mod common;
mod part;
pub mod readings;
mod sketching;

pub use common::{
    CARRIED, COUPLED, DRY_FRICTION, HEAT_OF_MOTOR, TRANSISTOR, VALVE, sketch_inertia,
};
pub use part::{
    BoxPart, Given, Inner, InnerJunction, OnePort, PartKind, Place, Reading, Start, StartOf,
    TwoPort, Value,
};
pub use sketching::{Sketch, Sketched, Spot};

/// The kind of an element of a bond graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElementKind {
    /// A source of effort.
    Se,
    /// A source of flow.
    Sf,
    /// A resistor.
    R,
    /// A compliance.
    C,
    /// An inertia.
    I,
    /// A transformer.
    Transformer,
    /// A gyrator.
    Gyrator,
    /// A 0-junction: one effort.
    Zero,
    /// A 1-junction: one flow.
    One,
    /// Something with bonds that is none of these, of any causality.
    Box,
    /// A source of signals, without bonds.
    Signal,
}

impl ElementKind {
    /// Whether the element has bonds to several neighbours.
    pub fn is_inner(self) -> bool {
        matches!(self, Self::Transformer | Self::Gyrator | Self::Zero | Self::One | Self::Box)
    }

    /// Whether the element is a 0- or 1-junction.
    pub fn is_junction(self) -> bool {
        matches!(self, Self::Zero | Self::One)
    }

    /// Whether the element stores energy.
    pub fn is_storage(self) -> bool {
        matches!(self, Self::C | Self::I)
    }

    /// Whether a frame is drawn around the element.
    pub fn has_frame(self) -> bool {
        matches!(self, Self::Box | Self::Signal)
    }

    /// Whether the element is a transformer or a gyrator.
    pub fn is_converter(self) -> bool {
        matches!(self, Self::Transformer | Self::Gyrator)
    }
}
