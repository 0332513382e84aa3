//! The linearised recursion as a sparse system of equations, without solving for the accelerations.
//!
//! The matrix of the accelerations, `d vdot / d(q, v)`, is full: a force at one end of a chain accelerates all of it. The
//! equations from which it follows are not. With one unknown for each change of a link ([`Variation`]), of its joint load and
//! of the accelerations, the rows are
//!
//! ```text
//! 0 = -w + E^T w_V + ...                       angular velocity of the link        (3)
//! 0 = -x + G x_V + phi vdot + ...              acceleration                        (6)
//! 0 = -f + M x + dh - d applied + sum of children                   joint load     (6)
//! 0 = -phi^T f - (d phi)^T f - rotor vdot + d tau                   each freedom
//! q' = ...,   v' = vdot                                             states
//! ```
//!
//! in which a link meets its parent and its children only. An implicit method solves `(mu - J) x = b` for the states by
//! eliminating the unknowns of this system from the tips to the root ([`Layout::order`]): that is the articulated-body recursion
//! again, with `M + D/mu + K/mu^2` in place of the inertia, where D and K are the damping and the stiffness that the linearisation
//! finds. The pivots of the loads, accelerations and velocities are one; those of the freedoms are the pivots of the recursion.
//!
//! Links on which forces act that depend on places in the world, and all links on the way from there to the root, have their
//! place and linear velocity as further unknowns (9).

use super::element::{Action, Reach, Variable, component};
use super::link::{JointChange, Variation, vary_demand};
use super::{Linearised, fill_displacement, fill_rate_change, for_each_varied, sum};
use crate::ids::BodyId;
use crate::spatial::{Load, Motion};
use crate::tree::{Link, Tree};
use crate::workspace::Workspace;

/// Unknowns of a link: its joint load, its acceleration, its angular velocity, then its freedoms.
const LOAD: usize = 0;
const ACCELERATION: usize = 6;
const OMEGA: usize = 12;
const VDOT: usize = 15;
/// Unknowns of its place and its linear velocity, behind the freedoms.
const N_PLACE: usize = 6;
const N_VELOCITY: usize = 3;

/// The numbers of all unknowns: the states first, then those of each link.
#[derive(Clone, Debug)]
pub struct Layout {
    /// First unknown of each link.
    first: Vec<usize>,
    /// Links with a place.
    is_placed: Vec<bool>,
    n_q: usize,
    n_v: usize,
    n_states: usize,
    len: usize,
}

impl Layout {
    /// A layout with `n_states` states, of which coordinates and speeds of the tree come first. The places of the bodies
    /// `placed` matter.
    pub fn new(tree: &Tree, n_states: usize, placed: impl IntoIterator<Item = BodyId>) -> Layout {
        let mut is_placed = vec![false; tree.n_bodies() + 1];
        for body in placed {
            let mut link = body.index();
            while link != 0 && !std::mem::replace(&mut is_placed[link], true) {
                link = tree.links[link].parent as usize;
            }
        }
        let mut len = n_states;
        let mut first = vec![len];
        for (link, is_placed) in tree.links.iter().zip(&is_placed).skip(1) {
            first.push(len);
            len += VDOT + link.v_range().len();
            len += if *is_placed { N_PLACE + N_VELOCITY } else { 0 };
        }
        Layout { first, is_placed, n_q: tree.n_q(), n_v: tree.n_v(), n_states, len }
    }

    /// Number of unknowns.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there is no unknown.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Number of states.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// The order of elimination: states that follow from others, then link by link from the tips to the root.
    pub fn order(&self, tree: &Tree) -> Vec<u32> {
        let mut order: Vec<usize> = (self.n_q + self.n_v..self.n_states).collect();
        for (i, link) in tree.links.iter().enumerate().skip(1).rev() {
            let (start, vdot) = (self.first[i], self.vdot(i));
            let places =
                vdot + link.v_range().len()..self.first.get(i + 1).map_or(self.len, |&k| k);
            order.extend(start + LOAD..start + VDOT);
            order.extend(places);
            order.extend(vdot..vdot + link.v_range().len());
            order.extend(link.q_range());
            order.extend(link.v_range().map(|v| self.n_q + v));
        }
        order.into_iter().map(|k| k as u32).collect()
    }

    fn vdot(&self, link: usize) -> usize {
        self.first[link] + VDOT
    }

    fn place(&self, tree: &Tree, link: usize) -> usize {
        self.vdot(link) + tree.links[link].v_range().len()
    }

    /// The unknown of a variable of an element.
    fn column(&self, tree: &Tree, variable: Variable) -> usize {
        match variable {
            Variable::Place(link, k) => self.place(tree, link) + k,
            Variable::Twist(link, k) if k < 3 => self.first[link] + OMEGA + k,
            Variable::Twist(link, k) => self.place(tree, link) + N_PLACE + k - 3,
            Variable::Coordinate(q) => q,
            Variable::Speed(v) => self.n_q + v,
        }
    }

    /// Adds the entries that an element brings in: `slopes` row by row of its actions. `work` is the state that integrates its
    /// power.
    pub fn add_element(
        &self,
        tree: &Tree,
        w: &Workspace,
        (reach, slopes): (&Reach, &[f64]),
        work: Option<usize>,
        mut add: impl FnMut(usize, usize, f64),
    ) {
        let rows = reach.actions.iter().zip(slopes.chunks_exact(reach.variables.len().max(1)));
        for (action, slopes) in rows {
            let (row, sign) = match *action {
                Action::Load(link, k) => (self.first[link] + LOAD + k, -1.0),
                Action::Force(v) => {
                    let link = tree.owner(v);
                    let row = self.vdot(link) + v - tree.links[link].v_range().start;
                    (row, if w.locked[v] { 0.0 } else { 1.0 })
                }
                Action::Power => match work {
                    Some(work) => (work, 1.0),
                    None => continue,
                },
            };
            for (variable, slope) in reach.variables.iter().zip(slopes) {
                add(row, self.column(tree, *variable), sign * slope);
            }
        }
    }

    /// Calls `add` with row, column and value of the entries of the tree. The sequence of rows and columns is always the same;
    /// a place that comes twice is a sum.
    pub fn add_tree(
        &self,
        tree: &Tree,
        w: &Workspace,
        of: &Linearised,
        q: &[f64],
        mut add: impl FnMut(usize, usize, f64),
    ) {
        for (i, link) in tree.links.iter().enumerate().skip(1) {
            let mut rows = LinkRows { layout: self, tree, w, of, i, link, add: &mut add };
            rows.add_diagonal();
            rows.add_parent();
            rows.add_coordinates(q);
            rows.add_speeds(q);
            rows.add_accelerations();
            rows.add_demand();
            rows.add_load_on_parent();
        }
    }
}

/// The equations of one link.
struct LinkRows<'a, F> {
    layout: &'a Layout,
    tree: &'a Tree,
    w: &'a Workspace,
    of: &'a Linearised,
    i: usize,
    link: &'a Link,
    add: &'a mut F,
}

/// Components of a variation that may differ from zero.
#[derive(Clone, Copy, Default)]
struct Parts {
    place: bool,
    turn: bool,
    velocity: bool,
    alpha: bool,
    lin: bool,
}

impl<F: FnMut(usize, usize, f64)> LinkRows<'_, F> {
    /// Number of freedoms.
    fn nv(&self) -> usize {
        self.link.v_range().len()
    }

    fn phi(&self) -> &[Motion] {
        &self.w.phi[self.link.v_range()]
    }

    /// Whether the joint can turn, and whether it can shift the origin of the link.
    fn abilities(&self) -> (bool, bool) {
        let varies = !self.link.joint.has_constant_motion();
        let any = |of: fn(&Motion) -> bool| varies || self.phi().iter().any(of);
        (any(|phi| phi.ang.max_abs() != 0.0), any(|phi| phi.lin.max_abs() != 0.0))
    }

    fn add_diagonal(&mut self) {
        let (first, vdot) = (self.layout.first[self.i], self.layout.vdot(self.i));
        (first + LOAD..first + VDOT).for_each(|row| (self.add)(row, row, -1.0));
        if self.layout.is_placed[self.i] {
            let place = self.layout.place(self.tree, self.i);
            (place..place + N_PLACE + N_VELOCITY).for_each(|row| (self.add)(row, row, -1.0));
        }
        for (k, v) in self.link.v_range().enumerate() {
            let rotor = self.tree.rotor[v] + self.w.added_inertia[v];
            (self.add)(vdot + k, vdot + k, if self.w.locked[v] { -1.0 } else { -rotor });
            (self.add)(self.layout.n_q + v, vdot + k, 1.0);
        }
    }

    /// Adds a column of changes of the link.
    fn add_variation(&mut self, column: usize, change: &Variation, parts: Parts) {
        let first = self.layout.first[self.i];
        let place = self.layout.place(self.tree, self.i);
        let mut put = |is_there: bool, row: usize, values: [f64; 3]| {
            for (k, value) in values.into_iter().enumerate().filter(|_| is_there) {
                (self.add)(row + k, column, value);
            }
        };
        let Variation { place: at, twist, acceleration } = change;
        put(parts.turn, first + OMEGA, twist.ang.to_array());
        put(parts.alpha, first + ACCELERATION, acceleration.ang.to_array());
        put(parts.lin, first + ACCELERATION + 3, acceleration.lin.to_array());
        if self.layout.is_placed[self.i] {
            put(parts.place, place, at.ang.to_array());
            put(parts.place, place + 3, at.lin.to_array());
            put(parts.velocity, place + N_PLACE, twist.lin.to_array());
        }
    }

    fn vary(&self, parent: &Variation, step: &[f64], speeds: &[f64]) -> Variation {
        let zero = [0.0; 6];
        let change = JointChange { step, speeds, accelerations: &zero[..step.len()] };
        self.of.points[self.i].vary(&self.of.joint(self.tree, self.w, self.i), parent, change)
    }

    /// What changes of the parent do.
    fn add_parent(&mut self) {
        let parent = self.link.parent as usize;
        if parent == 0 {
            return;
        }
        let zero = [0.0; 6];
        let rest = &zero[..self.nv()];
        let first = self.layout.first[parent];
        for k in 0..6 {
            let acceleration = component(k);
            let change = self.vary(&Variation { acceleration, ..Variation::default() }, rest, rest);
            let parts = Parts { alpha: k < 3, lin: true, ..Parts::default() };
            self.add_variation(first + ACCELERATION + k, &change, parts);
        }
        for k in 0..3 {
            let change =
                self.vary(&Variation { twist: component(k), ..Variation::default() }, rest, rest);
            let parts = Parts { turn: true, velocity: true, alpha: true, lin: true, place: false };
            self.add_variation(first + OMEGA + k, &change, parts);
        }
        if !self.layout.is_placed[self.i] {
            return;
        }
        let place = self.layout.place(self.tree, parent);
        for k in 0..N_PLACE {
            let change =
                self.vary(&Variation { place: component(k), ..Variation::default() }, rest, rest);
            self.add_variation(place + k, &change, Parts { place: true, ..Parts::default() });
        }
        for k in 0..N_VELOCITY {
            let twist = component(3 + k);
            let change = self.vary(&Variation { twist, ..Variation::default() }, rest, rest);
            let parts = Parts { velocity: true, ..Parts::default() };
            self.add_variation(place + N_PLACE + k, &change, parts);
        }
    }

    /// What changes of the coordinates `q` do.
    fn add_coordinates(&mut self, q: &[f64]) {
        let (qs, vs) = (self.link.q_range(), self.link.v_range());
        let (turns, _) = self.abilities();
        let (n_q, n_v, joint) = (qs.len(), vs.len(), &self.link.joint);
        let (now, speeds) = (&q[qs.clone()], &self.of.speeds[vs.clone()]);
        let zero = [0.0; 6];
        let rest = &zero[..n_v];
        for m in 0..n_q {
            let (mut change, mut step) = ([0.0; 7], [0.0; 6]);
            change[m] = 1.0;
            fill_displacement(joint, now, &change[..n_q], &mut step[..n_v]);
            let (column, step) = (qs.start + m, &step[..n_v]);
            let varied = self.vary(&Variation::default(), step, rest);
            let parts = Parts { place: true, turn: turns, velocity: true, alpha: turns, lin: true };
            self.add_variation(column, &varied, parts);
            self.add_moved_load(column, step);
            self.add_varied_columns(column, step);
            if joint.quaternion_offset().is_some() {
                let mut rates = [0.0; 7];
                let changes = (&change[..n_q], rest);
                fill_rate_change(joint, (now, speeds), changes, &mut rates[..n_q]);
                for (row, rate) in qs.clone().zip(rates) {
                    (self.add)(row, column, rate);
                }
            }
        }
    }

    /// The load on the parent, whose axes a displacement of the joint changes.
    fn add_moved_load(&mut self, column: usize, step: &[f64]) {
        let parent = self.link.parent as usize;
        if parent == 0 {
            return;
        }
        let point = &self.of.points[self.i];
        let moved = point.moved_load(sum(self.phi(), step)).transformed(&point.pose);
        self.add_load(parent, column, &moved);
    }

    fn add_load(&mut self, link: usize, column: usize, load: &Load) {
        let row = self.layout.first[link] + LOAD;
        let values = load.torque.to_array().into_iter().chain(load.force.to_array());
        values.enumerate().for_each(|(k, value)| (self.add)(row + k, column, value));
    }

    /// The joint load seen by columns of the motion subspace that change.
    fn add_varied_columns(&mut self, column: usize, step: &[f64]) {
        let (vdot, start) = (self.layout.vdot(self.i), self.link.v_range().start);
        let (w, load) = (self.w, self.of.points[self.i].load);
        let phi = &w.phi[self.link.v_range()];
        for_each_varied(&self.link.joint, phi, step, |k, varied| {
            let value = if w.locked[start + k] { 0.0 } else { -varied.dot(&load) };
            (self.add)(vdot + k, column, value);
        });
    }

    /// What changes of the speeds do.
    fn add_speeds(&mut self, q: &[f64]) {
        let (qs, vs) = (self.link.q_range(), self.link.v_range());
        let (turns, slides) = self.abilities();
        let (n_q, n_v, joint) = (qs.len(), vs.len(), &self.link.joint);
        let (now, speeds) = (&q[qs.clone()], &self.of.speeds[vs.clone()]);
        let zero = [0.0; 7];
        for k in 0..n_v {
            let mut unit = [0.0; 6];
            unit[k] = 1.0;
            let (column, unit) = (self.layout.n_q + vs.start + k, &unit[..n_v]);
            let varied = self.vary(&Variation::default(), &zero[..n_v], unit);
            let parts =
                Parts { turn: turns, velocity: slides, alpha: turns, lin: slides, place: false };
            self.add_variation(column, &varied, parts);
            let mut rates = [0.0; 7];
            fill_rate_change(joint, (now, speeds), (&zero[..n_q], unit), &mut rates[..n_q]);
            let is_quaternion = joint.quaternion_offset().is_some();
            for (m, rate) in rates[..n_q].iter().enumerate() {
                if is_quaternion || m == k {
                    (self.add)(qs.start + m, column, *rate);
                }
            }
        }
    }

    /// What accelerations of the freedoms do, and the load in the equations of the freedoms.
    fn add_accelerations(&mut self) {
        let (first, vdot) = (self.layout.first[self.i], self.layout.vdot(self.i));
        let varies = !self.link.joint.has_constant_motion();
        for (k, v) in self.link.v_range().enumerate() {
            let phi = self.w.phi[v].to_array();
            let sign = if self.w.locked[v] { 0.0 } else { -1.0 };
            for (m, phi) in phi.into_iter().enumerate().filter(|(_, phi)| varies || *phi != 0.0) {
                (self.add)(first + ACCELERATION + m, vdot + k, phi);
                (self.add)(vdot + k, first + LOAD + m, sign * phi);
            }
        }
    }

    /// The load that the link itself demands.
    fn add_demand(&mut self) {
        let (first, inertia) = (self.layout.first[self.i], &self.link.inertia);
        let omega = self.of.points[self.i].omega;
        let rest = Variation::default();
        for k in 0..6 {
            let change = Variation { acceleration: component(k), ..rest };
            let load = vary_demand(inertia, omega, &change);
            let values = load.torque.to_array().into_iter().chain(load.force.to_array());
            for (m, value) in values.enumerate().filter(|(_, value)| *value != 0.0) {
                (self.add)(first + LOAD + m, first + ACCELERATION + k, value);
            }
        }
        for k in 0..3 {
            let load = vary_demand(inertia, omega, &Variation { twist: component(k), ..rest });
            self.add_load(self.i, first + OMEGA + k, &load);
        }
    }

    /// The joint load as a load on the parent.
    fn add_load_on_parent(&mut self) {
        let parent = self.link.parent as usize;
        if parent == 0 {
            return;
        }
        let (column, row) = (self.layout.first[self.i] + LOAD, self.layout.first[parent] + LOAD);
        let pose = &self.of.points[self.i].pose;
        let (_, slides) = self.abilities();
        let has_arm = slides || self.link.base.translation.max_abs() != 0.0;
        for k in 0..6 {
            let Motion { ang, lin } = component(k);
            let load = Load::new(ang, lin).transformed(pose);
            let torque = load.torque.to_array();
            let force = load.force.to_array();
            for m in (0..3).filter(|_| k < 3 || has_arm) {
                (self.add)(row + m, column + k, torque[m]);
            }
            for m in (0..3).filter(|_| k >= 3) {
                (self.add)(row + 3 + m, column + k, force[m]);
            }
        }
    }
}
