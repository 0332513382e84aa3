//! Adds constraints one by one and numbers their rows.

use std::ops::Range;

use super::coupling::{CoupledCoordinate, Coupling};
use super::joint::{JointPlace, LoopJoint};
use super::link_frame::LinkFrame;
use super::rod::Rod;
use super::rolling::Rolling;
use super::{Constraint, ConstraintRow, Constraints};
use crate::joints::Geometry;
use crate::spatial::Pose;
use crate::tree::Tree;
use crate::{BodyId, BuildError};

/// A constraint, by the order in which it was added.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ConstraintId(u32);

impl ConstraintId {
    pub(super) fn new(index: usize) -> Self {
        Self(index as u32)
    }

    /// Position in the order of addition.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A frame on a body, in the body frame.
pub type Frame = (BodyId, Pose);

fn on_link(tree: &Tree, (body, pose): Frame) -> LinkFrame {
    LinkFrame { link: body.0, pose: tree.frames[body.index()].body * pose }
}

/// Builds [`Constraints`] on a tree, the same in all calls.
#[derive(Clone, Debug, Default)]
pub struct ConstraintsBuilder {
    all: Constraints,
    n_joints: usize,
}

impl ConstraintsBuilder {
    /// No constraints yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The constraints.
    pub fn build(self) -> Constraints {
        self.all
    }

    /// A joint between the frames T0 and T1. Freedoms of a `holdable` joint can be held at rest or moved.
    ///
    /// # Errors
    /// If no joint can have this geometry.
    pub fn add_joint(
        &mut self,
        tree: &Tree,
        geometry: &Geometry,
        t0: Frame,
        t1: Frame,
        holdable: bool,
    ) -> Result<ConstraintId, BuildError> {
        if !t0.1.is_finite() || !t1.1.is_finite() {
            return Err(BuildError::NotFinite(crate::error::Quantity::Pose));
        }
        let (from, to) = (on_link(tree, t0), on_link(tree, t1));
        let place = JointPlace { q: self.all.n_q, v: self.all.n_v, number: self.n_joints };
        let joint = LoopJoint::new(geometry, from, to, place)?;
        let (locked, free) = (joint.joint().n_locked(), joint.joint().n_freedoms());
        let (links, v) = (joint.links(), self.all.n_v);
        self.n_joints += 1;
        self.all.n_q += joint.joint().n_coordinates();
        self.all.n_v += free;
        let id = self.begin(Constraint::Joint(joint));
        for _ in 0..locked {
            self.add_row(&links, &[], None);
        }
        for freedom in 0..if holdable { free } else { 0 } {
            self.add_row(&links, &[], Some((v + freedom) as u32));
        }
        self.end(id);
        Ok(id)
    }

    /// A rod of a length (m) between the origins of two frames.
    pub fn add_rod(&mut self, tree: &Tree, from: Frame, to: Frame, length: f64) -> ConstraintId {
        let ends = [from, to].map(|frame| on_link(tree, frame).origin());
        let links = [ends[1].link, ends[0].link];
        let id = self.begin(Constraint::Rod(Rod { ends, length }));
        self.add_row(&links, &[], None);
        self.end(id);
        id
    }

    /// A disc (axis z of `to`) or sphere around the origin of `to` rolls on the xy plane of `from`.
    pub fn add_rolling(
        &mut self,
        tree: &Tree,
        from: Frame,
        to: Frame,
        radius: f64,
        is_disc: bool,
    ) -> ConstraintId {
        let (plane, body) = (on_link(tree, from), on_link(tree, to));
        let links = [body.link, plane.link];
        let id = self.begin(Constraint::Rolling(Rolling { plane, body, radius, is_disc }));
        for _ in 0..3 {
            self.add_row(&links, &[], None);
        }
        self.end(id);
        id
    }

    /// Coordinates and speeds of a loop joint, see [`Constraints::coordinates`].
    pub fn coordinates(&self, id: ConstraintId) -> (Range<usize>, Range<usize>) {
        self.all.coordinates(id)
    }

    /// The coordinate of a joint with one freedom, of the tree or closing a loop.
    pub fn coordinate(
        &self,
        tree: &Tree,
        joint: Result<BodyId, ConstraintId>,
    ) -> Option<CoupledCoordinate> {
        match joint {
            Ok(body) => {
                let joint = body.joint()?;
                let (q, v) = (tree.q_range(joint).start, tree.v_range(joint).start);
                Some(CoupledCoordinate::Tree { q, v })
            }
            Err(id) => match &self.all.elements[id.index()] {
                Constraint::Joint(joint) => Some(CoupledCoordinate::Loop {
                    q: joint.q_range().start,
                    v: joint.v_range().start,
                    joint: joint.number(),
                    freedom: 0,
                }),
                Constraint::Rod(_) | Constraint::Coupling(_) | Constraint::Rolling(_) => None,
            },
        }
    }

    /// Couples two coordinates: `a = ratio * b`. Joints that close loops come before.
    pub fn add_coupling(
        &mut self,
        tree: &Tree,
        [a, b]: [CoupledCoordinate; 2],
        ratio: f64,
        is_angular: bool,
    ) -> ConstraintId {
        let (mut links, mut directs) = (Vec::new(), Vec::new());
        for coordinate in [a, b] {
            match coordinate {
                CoupledCoordinate::Tree { v, .. } => {
                    let owner = tree.links.iter().position(|l| l.v_range().contains(&v));
                    directs.push((owner.unwrap_or(0) as u32, v as u32));
                }
                CoupledCoordinate::Loop { joint, .. } => {
                    let found = self.all.elements.iter().find_map(|element| match element {
                        Constraint::Joint(found) if found.number() == joint => Some(found.links()),
                        _ => None,
                    });
                    links.extend(found.unwrap_or_default());
                }
            }
        }
        let id =
            self.begin(Constraint::Coupling(Coupling { coordinates: [a, b], ratio, is_angular }));
        self.add_row(&links, &directs, None);
        self.end(id);
        id
    }

    fn begin(&mut self, element: Constraint) -> ConstraintId {
        let id = ConstraintId::new(self.all.elements.len());
        self.all.elements.push(element);
        self.all.element_rows.push(self.all.rows.len()..self.all.rows.len());
        id
    }

    fn end(&mut self, id: ConstraintId) {
        self.all.element_rows[id.index()].end = self.all.rows.len();
    }

    fn add_row(&mut self, links: &[u32], directs: &[(u32, u32)], holds: Option<u32>) {
        let all = &mut self.all;
        let (load, direct) = (all.load_links.len() as u32, all.direct_links.len() as u32);
        all.load_links.extend(links);
        all.direct_links.extend(directs);
        let (loads, directs) =
            (load..load + links.len() as u32, direct..direct + directs.len() as u32);
        let element = all.elements.len() as u32 - 1;
        all.rows.push(ConstraintRow { element, loads, directs, holds });
    }
}
