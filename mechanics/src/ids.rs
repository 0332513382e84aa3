//! The typed indices of the mechanics, in one place.

/// A body of a tree. Bodies are numbered from 1 in the order in which the builder received them;
/// 0 is the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BodyId(pub(crate) u32);

impl BodyId {
    /// The inertial frame, mother of all bodies.
    pub const WORLD: BodyId = BodyId(0);

    /// The body with a number; whether it exists is checked by the builder.
    #[inline]
    pub const fn from_index(index: usize) -> BodyId {
        BodyId(index as u32)
    }

    /// Position in arrays that have an entry for the world at 0.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The joint that carries this body; the world has none.
    #[inline]
    pub fn joint(self) -> Option<JointId> {
        (self != BodyId::WORLD).then_some(JointId(self.0))
    }
}

/// The joint between a body and its mother. It has the number of the body that it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JointId(pub(crate) u32);

impl JointId {
    /// Position in arrays that have an unused entry at 0.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The body that the joint carries.
    #[inline]
    pub fn body(self) -> BodyId {
        BodyId(self.0)
    }
}
