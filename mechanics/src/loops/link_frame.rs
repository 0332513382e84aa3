//! Frames and points on the links of a tree.

use crate::spatial::Pose;
use crate::vector::Vec3;
use crate::workspace::Workspace;

/// A frame on a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkFrame {
    pub link: u32,
    /// Pose in the axes of the link.
    pub pose: Pose,
}

impl LinkFrame {
    /// Another frame on the same link, by its pose in this frame.
    pub fn with(self, pose: Pose) -> Self {
        Self { link: self.link, pose: self.pose * pose }
    }

    /// Its origin.
    pub fn origin(self) -> LinkPoint {
        LinkPoint { link: self.link, place: self.pose.translation }
    }

    /// Its pose in the world.
    pub fn in_world(&self, w: &Workspace) -> Pose {
        w.x_world[self.link as usize] * self.pose
    }
}

/// A point of a link.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkPoint {
    pub link: u32,
    /// Its place in the axes of the link.
    pub place: Vec3,
}
