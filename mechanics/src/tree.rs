//! The immutable description of a tree of bodies, and its builder.

use std::ops::Range;

use super::error::{BuildError, Quantity};
use super::ids::{BodyId, JointId};
use super::inertia::{RigidInertia, check_physical};
use super::joints::bracket::Bracket;
use super::joints::{Geometry, Joint, SweepForm};
use super::quaternion::Quaternion;
use super::spatial::Pose;
use super::vector::{Sym3, Vec3};

/// One body and the joint that carries it, as the builder takes it.
#[derive(Clone, Debug)]
pub struct BodySpec {
    /// The body on which T0 is fixed; it must have been added before.
    pub mother: BodyId,
    /// The joint between T0 and T1.
    pub joint: Geometry,
    /// Pose of the triad T0 in the frame of the mother.
    pub t0: Pose,
    /// Pose of the triad T1 in the frame of this body.
    pub t1: Pose,
    /// Mass (kg).
    pub mass: f64,
    /// Inertia tensor about the centre of gravity in the axes of `cg` (kg m^2).
    pub inertia: Sym3,
    /// Pose of the centre of gravity in the frame of this body.
    pub cg: Pose,
    /// Inertia added to each freedom of the joint (kg m^2, or kg); empty for none.
    pub rotor_inertia: Vec<f64>,
    /// Freedoms of the joint may be locked (`Workspace::lock`).
    pub lockable: bool,
}

impl BodySpec {
    /// A body on a mother with all triads at the origins, without mass.
    pub fn new(mother: BodyId, joint: Geometry) -> BodySpec {
        BodySpec {
            mother,
            joint,
            t0: Pose::IDENTITY,
            t1: Pose::IDENTITY,
            mass: 0.0,
            inertia: Sym3::ZERO,
            cg: Pose::IDENTITY,
            rotor_inertia: Vec::new(),
            lockable: false,
        }
    }
}

/// The data of a body that every evaluation reads, in the order of the sweeps.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Pose of the joint's base frame in the link frame of the parent.
    pub base: Pose,
    /// Inertia about the origin of the link frame, in its axes.
    pub inertia: RigidInertia,
    /// The joint in canonical form; its tip frame is the link frame.
    pub joint: Joint,
    /// Index of the mother.
    pub parent: u32,
    /// First position coordinate.
    pub q_start: u32,
    /// First speed.
    pub v_start: u32,
    /// Number of position coordinates.
    pub nq: u8,
    /// Number of freedoms.
    pub nv: u8,
    /// Form of the recursive sweeps.
    pub form: SweepForm,
    /// No body hangs on this one.
    pub is_leaf: bool,
    /// The child of its parent that the sweep towards the root meets first.
    pub is_first_met: bool,
}

impl Link {
    #[inline(always)]
    pub fn q_range(&self) -> Range<usize> {
        self.q_start as usize..self.q_start as usize + self.nq as usize
    }

    #[inline(always)]
    pub fn v_range(&self) -> Range<usize> {
        self.v_start as usize..self.v_start as usize + self.nv as usize
    }
}

/// The data of a body that only outputs and loads read.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    /// Pose of the body frame in the link frame.
    pub body: Pose,
    /// Pose of the triad T1 in the link frame.
    pub t1: Pose,
    /// Pose of the centre of gravity in the link frame.
    pub cg: Pose,
    /// Mass (kg), and inertia tensor (kg m^2) about the centre of gravity in link axes.
    pub mass: f64,
    pub theta_cg: Sym3,
}

/// An immutable tree of bodies. Entry 0 of all arrays is the world.
#[derive(Clone, Debug)]
pub struct Tree {
    pub(super) links: Vec<Link>,
    pub(super) frames: Vec<Frames>,
    pub(super) rotor: Vec<f64>,
    pub(super) has_rotors: bool,
    pub(super) gravity: Vec3,
    n_q: usize,
    n_v: usize,
}

/// Adds bodies one by one, mothers before children, and checks each.
#[derive(Clone, Debug)]
pub struct TreeBuilder {
    tree: Tree,
    allow_unphysical: bool,
}

impl TreeBuilder {
    /// A tree without bodies in the uniform field `gravity` (m/s^2, world axes).
    pub fn new(gravity: Vec3) -> Result<TreeBuilder, BuildError> {
        if !gravity.is_finite() {
            return Err(BuildError::NotFinite(Quantity::Gravity));
        }
        let world = Link {
            base: Pose::IDENTITY,
            inertia: RigidInertia::default(),
            joint: Joint::Bracket(Bracket),
            parent: 0,
            q_start: 0,
            v_start: 0,
            nq: 0,
            nv: 0,
            form: SweepForm::General,
            is_leaf: true,
            is_first_met: false,
        };
        let frames = Frames {
            body: Pose::IDENTITY,
            t1: Pose::IDENTITY,
            cg: Pose::IDENTITY,
            mass: 0.0,
            theta_cg: Sym3::ZERO,
        };
        let tree = Tree {
            links: vec![world],
            frames: vec![frames],
            rotor: Vec::new(),
            has_rotors: false,
            gravity,
            n_q: 0,
            n_v: 0,
        };
        Ok(TreeBuilder { tree, allow_unphysical: false })
    }

    /// Accepts negative masses and indefinite inertia tensors from now on.
    pub fn allow_unphysical(&mut self, yes: bool) {
        self.allow_unphysical = yes;
    }

    /// Adds a body; nothing changes when it is refused.
    pub fn add_body(&mut self, spec: &BodySpec) -> Result<BodyId, BuildError> {
        let mother = spec.mother.index();
        if mother >= self.tree.links.len() {
            return Err(BuildError::UnknownMother(spec.mother));
        }
        self.check_inertia(spec)?;
        if ![spec.t0, spec.t1, spec.cg].iter().all(Pose::is_finite) {
            return Err(BuildError::NotFinite(Quantity::Pose));
        }
        let prepared = spec.joint.prepare()?;
        let nv = prepared.joint.n_freedoms();
        check_rotors(&spec.rotor_inertia, nv)?;

        // pose(body) = pose(mother) T0 base J(q) tip^-1 T1^-1; the link frame ends after J(q).
        let body = (spec.t1 * prepared.tip).inverse();
        let cg = body * spec.cg;
        let nq = prepared.joint.n_coordinates();
        let has_rotor = spec.rotor_inertia.iter().any(|&j| j != 0.0);
        let form = prepared.joint.sweep_form(!has_rotor && !spec.lockable);
        let tree = &mut self.tree;
        let id = BodyId(tree.links.len() as u32);
        tree.links.push(Link {
            base: tree.frames[mother].body * spec.t0 * prepared.base,
            inertia: RigidInertia::from_centre(spec.mass, spec.inertia, &cg),
            joint: prepared.joint,
            parent: mother as u32,
            q_start: tree.n_q as u32,
            v_start: tree.n_v as u32,
            nq: nq as u8,
            nv: nv as u8,
            form,
            is_leaf: true,
            is_first_met: false,
        });
        tree.links[mother].is_leaf = false;
        let theta_cg = spec.inertia.rotated(&cg.rotation);
        let t1 = prepared.tip.inverse();
        tree.frames.push(Frames { body, t1, cg, mass: spec.mass, theta_cg });
        tree.rotor.extend(&spec.rotor_inertia);
        tree.rotor.resize(tree.n_v + nv, 0.0);
        tree.has_rotors |= has_rotor;
        tree.n_q += nq;
        tree.n_v += nv;
        Ok(id)
    }

    /// The finished tree.
    pub fn build(mut self) -> Tree {
        // The last child of each parent is the first one met on the way to the root.
        let mut met = vec![false; self.tree.links.len()];
        for link in self.tree.links.iter_mut().skip(1).rev() {
            link.is_first_met = !met[link.parent as usize];
            met[link.parent as usize] = true;
        }
        self.tree
    }

    fn check_inertia(&self, spec: &BodySpec) -> Result<(), BuildError> {
        match check_physical(spec.mass, &spec.inertia) {
            Err(BuildError::NegativeMass(_) | BuildError::IndefiniteInertia(_))
                if self.allow_unphysical =>
            {
                Ok(())
            }
            result => result,
        }
    }
}

fn check_rotors(rotors: &[f64], n_freedoms: usize) -> Result<(), BuildError> {
    if !rotors.is_empty() && rotors.len() != n_freedoms {
        return Err(BuildError::RotorCount { expected: n_freedoms, found: rotors.len() });
    }
    for &j in rotors {
        if !j.is_finite() {
            return Err(BuildError::NotFinite(Quantity::Inertia));
        }
        if j < 0.0 {
            return Err(BuildError::NegativeRotorInertia(j));
        }
    }
    Ok(())
}

impl Tree {
    /// Number of bodies without the world.
    #[inline]
    pub fn n_bodies(&self) -> usize {
        self.links.len() - 1
    }

    /// Number of position coordinates (a quaternion counts four).
    #[inline]
    pub fn n_q(&self) -> usize {
        self.n_q
    }

    /// Number of freedoms, that is of speeds.
    #[inline]
    pub fn n_v(&self) -> usize {
        self.n_v
    }

    /// Gravity (m/s^2, world axes).
    #[inline]
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// All bodies, mothers before children, without the world.
    pub fn bodies(&self) -> impl Iterator<Item = BodyId> + use<> {
        (1..self.links.len() as u32).map(BodyId)
    }

    /// The mother of a body; the world's is the world.
    #[inline]
    pub fn mother(&self, body: BodyId) -> BodyId {
        BodyId(self.links[body.index()].parent)
    }

    /// The canonical joint.
    #[inline]
    pub fn joint(&self, joint: JointId) -> &Joint {
        &self.links[joint.index()].joint
    }

    /// The position coordinates of a joint.
    #[inline]
    pub fn q_range(&self, joint: JointId) -> Range<usize> {
        self.links[joint.index()].q_range()
    }

    /// The speeds of a joint.
    #[inline]
    pub fn v_range(&self, joint: JointId) -> Range<usize> {
        self.links[joint.index()].v_range()
    }

    /// Can an inertia be added to a freedom for a while? It can if the joint is declared lockable or has a rotor, or if
    /// the joint takes the general form of the sweeps.
    #[inline]
    pub fn can_carry(&self, freedom: usize) -> bool {
        matches!(self.links[self.owner(freedom)].form, SweepForm::Driven | SweepForm::General)
    }

    /// The body whose joint has a freedom.
    #[inline]
    pub fn body_of(&self, freedom: usize) -> BodyId {
        BodyId(self.owner(freedom) as u32)
    }

    /// Can a freedom be held with any acceleration, or be coupled to the link before it? It can if it is the only freedom
    /// of its joint.
    #[inline]
    pub fn can_hold(&self, freedom: usize) -> bool {
        self.can_carry(freedom) && self.links[self.owner(freedom)].v_range().len() == 1
    }

    /// The link whose joint has a freedom: links come in the order of their freedoms.
    #[inline]
    pub(super) fn owner(&self, freedom: usize) -> usize {
        self.links.partition_point(|link| link.v_range().start <= freedom) - 1
    }

    /// Mass of a body (kg).
    #[inline]
    pub fn mass(&self, body: BodyId) -> f64 {
        self.frames[body.index()].mass
    }

    /// Coordinates at which every T1 coincides with its T0.
    pub fn home(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.n_q];
        for link in &self.links {
            link.joint.fill_home(&mut q[link.q_range()]);
        }
        q
    }

    /// Time derivative of the coordinates.
    pub fn fill_coordinate_rates(&self, q: &[f64], v: &[f64], qdot: &mut [f64]) {
        debug_assert_eq!(q.len(), self.n_q);
        debug_assert_eq!(v.len(), self.n_v);
        debug_assert_eq!(qdot.len(), self.n_q);
        for link in &self.links[1..] {
            let (qs, vs) = (link.q_range(), link.v_range());
            link.joint.fill_coordinate_rates(&q[qs.clone()], &v[vs], &mut qdot[qs]);
        }
    }

    /// Brings every quaternion to norm one. The rotations do not change; for use where an
    /// integrator starts anew, never between its steps.
    pub fn normalize_quaternions(&self, q: &mut [f64]) {
        for link in &self.links {
            if let Some(offset) = link.joint.quaternion_offset() {
                let start = link.q_start as usize + offset;
                let unit = Quaternion::from_slice(&q[start..start + 4]).normalized();
                q[start..start + 4].copy_from_slice(&unit.to_array());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::revolute::RevoluteAxis;
    use crate::vector::vec3;

    fn revolute() -> Geometry {
        Geometry::Revolute(RevoluteAxis { axis: Vec3::Z, point: Vec3::ZERO })
    }

    #[test]
    fn mistakes_are_errors_and_leave_the_builder_unchanged() {
        let mut builder = TreeBuilder::new(Vec3::ZERO).unwrap();
        let good = BodySpec { mass: 1.0, ..BodySpec::new(BodyId::WORLD, revolute()) };
        let bad = [
            BodySpec { mother: BodyId(1), ..good.clone() },
            BodySpec { mass: -1.0, ..good.clone() },
            BodySpec { inertia: Sym3::diagonal(-1.0, 1.0, 1.0), ..good.clone() },
            BodySpec { rotor_inertia: vec![1.0, 2.0], ..good.clone() },
            BodySpec { rotor_inertia: vec![-1.0], ..good.clone() },
            BodySpec { t0: Pose::from_translation(vec3(f64::NAN, 0.0, 0.0)), ..good.clone() },
        ];
        for spec in &bad {
            assert!(builder.add_body(spec).is_err());
        }
        assert_eq!(builder.add_body(&good), Ok(BodyId(1)));
        builder.allow_unphysical(true);
        assert!(builder.add_body(&bad[1]).is_ok());
        assert_eq!(builder.build().n_bodies(), 2);
        assert!(TreeBuilder::new(vec3(0.0, f64::INFINITY, 0.0)).is_err());
    }

    #[test]
    fn coordinates_are_numbered_in_the_order_of_the_bodies() {
        let mut builder = TreeBuilder::new(Vec3::ZERO).unwrap();
        let a = builder.add_body(&BodySpec::new(BodyId::WORLD, Geometry::Free)).unwrap();
        let b = builder.add_body(&BodySpec::new(a, Geometry::Spherical)).unwrap();
        let c = builder.add_body(&BodySpec::new(a, revolute())).unwrap();
        let tree = builder.build();
        assert_eq!((tree.n_q(), tree.n_v()), (12, 10));
        assert_eq!(tree.q_range(b.joint().unwrap()), 7..11);
        assert_eq!(tree.v_range(c.joint().unwrap()), 9..10);
        assert_eq!(tree.mother(c), a);
        assert_eq!(tree.home(), [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]);
    }
}
