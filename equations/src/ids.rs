//! Typed indices into the tables of a model.

macro_rules! typed_ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub u32);

        impl $name {
            /// Stands for a reference that could not be resolved; no finished model holds it.
            pub const BROKEN: Self = Self(u32::MAX);

            /// The index in its table.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

typed_ids! {
    /// A body; [`BodyId::WORLD`] is the inertial system.
    BodyId;
    /// A triad.
    TriadId;
    /// A joint.
    JointId;
    /// A network element.
    ElementId;
    /// A node of a network.
    NodeId;
}

impl BodyId {
    /// The inertial system.
    pub const WORLD: Self = Self(0);
}
