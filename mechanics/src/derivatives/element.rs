//! Derivatives of one force element: its loads, its generalised forces and its power, by what it depends on.
//!
//! An element sees the bodies that it touches, or the joint on which it acts, and nothing else; so its derivatives are those of
//! a few numbers by a few numbers, whatever the size of the tree. They are taken at the places and motions of these bodies as
//! [`Variation`](super::Variation) has them: each variable is moved alone, and the law of the element is asked again
//! ([`ElementSlopes`]).

use std::ops::Range;

use super::ridders::derivative;
use crate::forces::law::{Effect, Frozen, Law, NoValue, View};
use crate::ids::BodyId;
use crate::kinematics;
use crate::loads;
use crate::spatial::{Load, Motion, Pose};
use crate::tree::Tree;
use crate::vector::{Mat3, Vec3, vec3};
use crate::workspace::Workspace;

/// What an element depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// A component of the place of a link: rotation, then displacement, in its axes.
    Place(usize, usize),
    /// A component of its twist.
    Twist(usize, usize),
    /// A position coordinate.
    Coordinate(usize),
    /// A speed.
    Speed(usize),
}

/// What an element acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// A component of the load on a link about its origin: torque, then force, in its axes.
    Load(usize, usize),
    /// The generalised force on a freedom.
    Force(usize),
    /// The power that the element delivers.
    Power,
}

/// The variables and actions of an element.
#[derive(Clone, Debug, Default)]
pub struct Reach {
    /// What it depends on.
    pub variables: Vec<Variable>,
    /// What it acts on.
    pub actions: Vec<Action>,
}

impl Reach {
    /// Number of slopes.
    fn n_slopes(&self) -> usize {
        self.actions.len() * self.variables.len()
    }

    /// An element that acts between bodies.
    pub fn of_bodies(bodies: impl IntoIterator<Item = BodyId>) -> Reach {
        let mut reach = Reach::default();
        let mut links: Vec<usize> = bodies.into_iter().map(BodyId::index).collect();
        links.sort_unstable();
        links.dedup();
        for link in links.into_iter().filter(|&link| link != 0) {
            reach.variables.extend((0..6).map(|k| Variable::Place(link, k)));
            reach.variables.extend((0..6).map(|k| Variable::Twist(link, k)));
            reach.actions.extend((0..6).map(|k| Action::Load(link, k)));
        }
        reach.actions.push(Action::Power);
        reach
    }

    /// An element that acts on the joint of a body.
    pub fn of_joint(tree: &Tree, body: BodyId) -> Reach {
        let link = &tree.links[body.index()];
        let (coordinates, speeds): (Range<usize>, Range<usize>) = (link.q_range(), link.v_range());
        let mut reach = Reach::default();
        reach.variables.extend(coordinates.map(Variable::Coordinate));
        reach.variables.extend(speeds.clone().map(Variable::Speed));
        reach.actions.extend(speeds.map(Action::Force));
        reach.actions.push(Action::Power);
        reach
    }
}

/// Distances by which a variable is moved, rad, m, and these per second.
const FAR: f64 = 1e-4;
const NEAR: f64 = 1e-7;
/// Parts of an action that rounding changes in the difference over [`NEAR`]: sixteen units of a force that was found by way of
/// larger ones.
const NOISE: f64 = 16.0 * f64::EPSILON / NEAR;

/// First steps of fine slopes, rad or parts of the size, and these per second.
const FIRST_STEP: f64 = 0.02;
const FIRST_SPEED: f64 = 0.1;

/// The slopes of one element after the other.
///
/// Differences of order four over 1e-4 lose 1e-12 of a force to rounding, but overlook what bends at a shorter distance, as the
/// friction of a contact that hardly slides; differences over 1e-7 see that and lose 1e-9. Where both agree within that loss the
/// first ones count, else the second.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct ElementSlopes {
    /// Actions at [`NEAR`] on both sides, and at one and two times [`FAR`].
    samples: [Vec<f64>; 6],
    slopes: Vec<f64>,
}

impl ElementSlopes {
    /// Room for the slopes of any of these elements.
    pub fn new(reaches: &[Reach]) -> Self {
        let most = |of: fn(&Reach) -> usize| reaches.iter().map(of).max().unwrap_or(0);
        let actions = most(|reach| reach.actions.len());
        Self {
            samples: std::array::from_fn(|_| vec![0.0; actions]),
            slopes: vec![0.0; most(Reach::n_slopes)],
        }
    }

    /// The slopes of an element, row by row of its actions.
    pub fn of(&self, reach: &Reach) -> &[f64] {
        &self.slopes[..reach.n_slopes()]
    }

    /// Finds the slopes of an element; the state is as before afterwards.
    ///
    /// # Errors
    /// If its law has no value near the state.
    pub fn form(
        &mut self,
        probe: &Probe<'_>,
        reach: &Reach,
        at: &mut Movable<'_>,
    ) -> Result<&[f64], NoValue> {
        let (n, count) = (reach.actions.len(), reach.variables.len());
        for (column, &variable) in reach.variables.iter().enumerate() {
            let distances = [NEAR, -NEAR, FAR, -FAR, 2.0 * FAR, -2.0 * FAR];
            let mut has_far = true;
            for (distance, sample) in distances.into_iter().zip(&mut self.samples) {
                match probe.act(reach, at, variable, distance, &mut sample[..n]) {
                    // A law may end a little way off.
                    Err(_) if distance.abs() >= FAR => has_far = false,
                    acted => acted?,
                }
            }
            for row in 0..n {
                let [c, d, a, b, aa, bb] = std::array::from_fn(|k| self.samples[k][row]);
                let far = (8.0 * (a - b) - (aa - bb)) / (12.0 * FAR);
                let near = (c - d) / (2.0 * NEAR);
                let noise = NOISE * c.abs().max(d.abs());
                let agree = has_far && (far - near).abs() <= noise;
                self.slopes[row * count + column] = if agree { far } else { near };
            }
        }
        Ok(self.of(reach))
    }
}

/// The slopes of an element with estimates of their errors, for analyses: by [`ridders`](super::ridders), which takes many more
/// evaluations.
#[derive(Clone, Debug, Default)]
pub struct FineSlopes {
    /// Row by row of the actions.
    pub slopes: Vec<f64>,
    /// Estimated absolute errors.
    pub errors: Vec<f64>,
}

impl FineSlopes {
    /// Finds the slopes of an element; the state is as before afterwards. The
    /// first steps are those that move something of the size `size` (m) noticeably.
    ///
    /// # Errors
    /// If its law has no value near the state.
    pub fn form(
        probe: &Probe<'_>,
        reach: &Reach,
        at: &mut Movable<'_>,
        size: f64,
    ) -> Result<Self, NoValue> {
        let (n, count) = (reach.actions.len(), reach.variables.len());
        let zero = || vec![0.0; n * count];
        let mut fine = Self { slopes: zero(), errors: zero() };
        for (column, &variable) in reach.variables.iter().enumerate() {
            let first = match variable {
                Variable::Place(_, k) if k >= 3 => FIRST_STEP * size,
                Variable::Place(..) | Variable::Coordinate(_) => FIRST_STEP,
                Variable::Twist(_, k) if k >= 3 => FIRST_SPEED * size,
                Variable::Twist(..) | Variable::Speed(_) => FIRST_SPEED,
            };
            let act = |distance: f64, values: &mut [f64]| {
                probe.act(reach, at, variable, distance, values)
            };
            let found = derivative(n, first, act)?;
            for (row, (value, error)) in found.values.iter().zip(&found.errors).enumerate() {
                fine.slopes[row * count + column] = *value;
                fine.errors[row * count + column] = *error;
            }
        }
        Ok(fine)
    }
}

/// An element at a state. The world poses and twists of the workspace are up to date.
pub struct Probe<'a> {
    /// The bodies.
    pub tree: &'a Tree,
    /// The law of the element.
    pub law: &'a dyn Law,
    /// Its mode and memory.
    pub frozen: Frozen<'a>,
    /// Time, s.
    pub t: f64,
    /// Values of the time expressions.
    pub inputs: &'a [f64],
    /// Accelerations of the freedoms.
    pub vdot: &'a [f64],
    /// Forces that locks hold.
    pub drive: &'a [f64],
}

/// The state that is moved for a moment.
pub struct Movable<'a> {
    /// Places and twists of the links.
    pub workspace: &'a mut Workspace,
    /// Position coordinates.
    pub q: &'a mut [f64],
    /// Speeds.
    pub v: &'a mut [f64],
}

impl Probe<'_> {
    /// The actions of the element with one variable moved by `distance`; the state is as before afterwards.
    ///
    /// # Errors
    /// If the law has no value there.
    pub fn act(
        &self,
        reach: &Reach,
        at: &mut Movable<'_>,
        variable: Variable,
        distance: f64,
        values: &mut [f64],
    ) -> Result<(), NoValue> {
        match variable {
            Variable::Place(link, k) => {
                let w = &mut *at.workspace;
                let before = (w.x_world[link], w.twist_world[link]);
                (w.x_world[link], w.twist_world[link]) = displaced(before, k, distance);
                let acted = self.evaluate(reach, at, values);
                let w = &mut *at.workspace;
                (w.x_world[link], w.twist_world[link]) = before;
                acted
            }
            Variable::Twist(link, k) => {
                let w = &mut *at.workspace;
                let before = w.twist_world[link];
                let unit = component(k) * distance;
                let r = &w.x_world[link].rotation;
                w.twist_world[link] = before + Motion::new(r * unit.ang, r * unit.lin);
                let acted = self.evaluate(reach, at, values);
                at.workspace.twist_world[link] = before;
                acted
            }
            Variable::Coordinate(q) => {
                let before = at.q[q];
                at.q[q] = before + distance;
                let acted = self.evaluate(reach, at, values);
                at.q[q] = before;
                acted
            }
            Variable::Speed(v) => {
                let before = at.v[v];
                at.v[v] = before + distance;
                let acted = self.evaluate(reach, at, values);
                at.v[v] = before;
                acted
            }
        }
    }

    fn evaluate(&self, reach: &Reach, at: &Movable<'_>, values: &mut [f64]) -> Result<(), NoValue> {
        let view = View {
            tree: self.tree,
            workspace: at.workspace,
            t: self.t,
            q: at.q,
            v: at.v,
            inputs: self.inputs,
            vdot: self.vdot,
            drive: self.drive,
        };
        let effect = self.law.act(&view, self.frozen)?;
        values.fill(0.0);
        match &effect {
            Effect::None => {}
            Effect::Single(load) => add_load(reach, at, load.body, load.point, &load.load, values),
            Effect::Pair(pair) => {
                for load in pair {
                    add_load(reach, at, load.body, load.point, &load.load, values);
                }
            }
            Effect::Joint { start, count, tau } => {
                for (action, value) in reach.actions.iter().zip(values) {
                    match *action {
                        Action::Force(v) if (*start..start + count).contains(&v) => {
                            *value += tau[v - start];
                        }
                        Action::Power => *value += power_of_forces(*start, &tau[..*count], at.v),
                        _ => {}
                    }
                }
            }
        }
        Ok(())
    }
}

fn power_of_forces(start: usize, tau: &[f64], v: &[f64]) -> f64 {
    tau.iter().zip(&v[start..]).map(|(tau, v)| tau * v).sum()
}

/// Adds a load on a body to the actions.
fn add_load(
    reach: &Reach,
    at: &Movable<'_>,
    body: BodyId,
    point: Vec3,
    load: &Load,
    values: &mut [f64],
) {
    let w = &*at.workspace;
    let local = loads::about_link(w, body, point, load);
    let power = kinematics::local_twist(w, body).dot(&local);
    let components = [local.torque.to_array(), local.force.to_array()];
    for (action, value) in reach.actions.iter().zip(values) {
        match *action {
            Action::Load(link, k) if link == body.index() => *value += components[k / 3][k % 3],
            Action::Power => *value += power,
            _ => {}
        }
    }
}

/// A unit motion: rotations about the axes, then displacements along them.
pub(super) fn component(k: usize) -> Motion {
    let unit = |k: usize| vec3(f64::from(k == 0), f64::from(k == 1), f64::from(k == 2));
    if k < 3 { Motion::new(unit(k), Vec3::ZERO) } else { Motion::new(Vec3::ZERO, unit(k - 3)) }
}

/// A pose and a twist, moved by a displacement in the axes of the link while the components of the twist in these axes stay.
fn displaced((pose, twist): (Pose, Motion), k: usize, distance: f64) -> (Pose, Motion) {
    let Motion { ang, lin } = component(k);
    let turn = if k < 3 { Mat3::rotation(ang, distance) } else { Mat3::IDENTITY };
    let rotation = pose.rotation * turn;
    let local = |vector: Vec3| rotation * pose.rotation.transpose_mul(vector);
    let translation = pose.translation + pose.rotation * (lin * distance);
    (Pose::new(rotation, translation), Motion::new(local(twist.ang), local(twist.lin)))
}
