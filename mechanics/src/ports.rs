//! Ports: directions in which something outside the mechanics acts on it and feels its motion.
//!
//! A port is a freedom of a joint, the rotation of a body about an axis fixed to it, the distance of two points, or a
//! component of the motion of one frame relative to another.
//! Accelerations along the ports are
//! an affine function of the forces in them,
//!
//! ```text
//! a = a0 + Phi tau,
//! ```
//!
//! with a0 the accelerations under all other forces, and Phi the matrix of responses: column k are the accelerations that a
//! unit force in port k alone causes, without gravity and velocities. Each column is one pass of the
//! recursion with the factors that are there already. Phi is symmetric and positive semidefinite: it is S M^-1 S^T with
//! S the directions of the ports; a freedom that is locked or driven has a row and column of zeros.

use super::frame_pair::FramePort;
use super::ids::BodyId;
use super::inertia::minus_outer;
use super::loops::{Constraints, LoopWorkspace};
use super::recursive;
use super::spatial::{Load, Motion};
use super::tree::Tree;
use super::vector::{Sym3, Vec3};
use super::workspace::Workspace;

/// A direction of action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Port {
    /// A freedom of a joint of the tree.
    Freedom(usize),
    /// A freedom of a joint that closes a loop, counted among the freedoms of all such joints.
    LoopFreedom(usize),
    /// The rotation of a body about an axis in the axes of its link, a unit vector.
    Rotation(BodyId, Vec3),
    /// The distance of two points.
    Distance([PortPoint; 2]),
    /// A component of the motion of one frame relative to another.
    Frames(FramePort),
}

/// A point of a link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PortPoint {
    /// The link.
    pub link: BodyId,
    /// Its place in the axes of the link.
    pub place: Vec3,
}

/// Two points as they are and move, world axes.
#[derive(Clone, Copy, Debug)]
pub struct PortLine {
    /// Unit vector from the first to the second.
    direction: Vec3,
    /// m.
    pub length: f64,
    /// m/s.
    pub rate: f64,
    /// Acceleration of the distance beside that of the links, m/s^2: the points swing about the origins of their links, and
    /// what moves across the line moves away.
    swing: f64,
}

impl PortLine {
    fn of(ends: &[PortPoint; 2], w: &Workspace) -> Self {
        let place = |k: usize| w.x_world[ends[k].link.index()].transform_point(ends[k].place);
        let arm = place(1) - place(0);
        let length = arm.norm();
        // Points that meet have no direction; any one leads them apart again.
        let direction = arm.normalized().unwrap_or(Vec3::X);
        let motion = |k: usize| {
            let PortPoint { link, place } = ends[k];
            let twist = &w.twist_world[link.index()];
            let turning = twist.ang.cross(w.x_world[link.index()].rotation * place);
            (twist.lin + turning, twist.ang.cross(turning))
        };
        let ((v0, swing0), (v1, swing1)) = (motion(0), motion(1));
        let velocity = v1 - v0;
        let rate = direction.dot(velocity);
        let across = (velocity.dot(velocity) - rate * rate).max(0.0);
        let swing = direction.dot(swing1 - swing0) + across / length.max(f64::MIN_POSITIVE);
        Self { direction, length, rate, swing }
    }

    /// The loads of a unit force that drives the points apart, each in the axes of its link.
    #[inline]
    fn loads(&self, ends: &[PortPoint; 2], w: &Workspace) -> [(usize, Load); 2] {
        [(0, -1.0), (1, 1.0)].map(|(k, sign)| {
            let PortPoint { link, place } = ends[k];
            let rotation = &w.x_world[link.index()].rotation;
            let force = rotation.transpose_mul(self.direction * sign);
            (link.index(), Load::new(place.cross(force), force))
        })
    }
}

impl Port {
    /// The rotation of a body about an axis in the axes of its body frame.
    pub fn rotation(tree: &Tree, body: BodyId, axis: Vec3) -> Self {
        Self::Rotation(body, tree.frames[body.index()].body.rotation * axis)
    }

    /// The distance of two points, whose places are given in the axes of body frames.
    pub fn distance(tree: &Tree, ends: [PortPoint; 2]) -> Self {
        let on_link = |PortPoint { link, place }: PortPoint| PortPoint {
            link,
            place: tree.frames[link.index()].body.transform_point(place),
        };
        Self::Distance(ends.map(on_link))
    }

    /// The line of a distance.
    #[inline]
    pub fn line(&self, w: &Workspace) -> Option<PortLine> {
        match self {
            Self::Distance(ends) => Some(PortLine::of(ends, w)),
            _ => None,
        }
    }

    /// The loads of a unit force along a distance or a component of a relative motion.
    #[inline]
    pub fn loads(&self, w: &Workspace) -> [(usize, Load); 2] {
        match self {
            Self::Distance(ends) => PortLine::of(ends, w).loads(ends, w),
            Self::Frames(frames) => frames.loads(w),
            _ => [(0, Load::ZERO); 2],
        }
    }

    /// Acceleration along the port beside that of freedoms and links, m/s^2: what swings about the origin of a link.
    fn swing(&self, w: &Workspace) -> f64 {
        match self {
            Self::Distance(ends) => PortLine::of(ends, w).swing,
            Self::Frames(frames) => frames.swing(w),
            _ => 0.0,
        }
    }

    /// The axis of a rotation in the axes of the link, and the angular velocity of the link there.
    #[inline]
    pub fn spin(&self, w: &Workspace) -> Option<(BodyId, Vec3, Vec3)> {
        match *self {
            Self::Rotation(body, axis) => Some((body, axis, w.omega[body.index()])),
            _ => None,
        }
    }
}

/// An entry of an inertia K that ports add to the mechanics: the force in port `row` is less by `inertia` times the
/// acceleration of port `column`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PortEntry {
    /// Port of the force.
    pub row: usize,
    /// Port of the acceleration.
    pub column: usize,
    /// kg m^2, kg m or kg.
    pub inertia: f64,
}

/// Where the recursion carries an entry of K.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PortPlace {
    /// A freedom feels it as the inertia of a rotor.
    Freedom(usize),
    /// A link feels it about an axis.
    Link(BodyId, Vec3),
    /// The freedom of a joint and its parent link about an axis feel each other's accelerations: link of the joint.
    Joint(usize, Vec3),
}

impl PortPlace {
    /// The place of an entry of two ports of a tree, if there is one.
    pub fn of(tree: &Tree, row: &Port, column: &Port) -> Option<Self> {
        match (*row, *column) {
            (Port::Freedom(a), Port::Freedom(b)) => {
                (a == b && tree.can_carry(a)).then_some(Self::Freedom(a))
            }
            (Port::Rotation(a, n), Port::Rotation(b, m)) => {
                (a == b && n == m).then_some(Self::Link(a, n))
            }
            (Port::Freedom(v), Port::Rotation(body, axis))
            | (Port::Rotation(body, axis), Port::Freedom(v)) => {
                let link = tree.owner(v);
                let is_parent = tree.links[link].parent as usize == body.index();
                (is_parent && tree.can_hold(v)).then_some(Self::Joint(link, axis))
            }
            _ => None,
        }
    }

    /// Adds an inertia here for the recursion. Those between joint and parent come twice, as K is symmetric, and count
    /// half each.
    pub fn add(&self, w: &mut Workspace, inertia: f64) {
        match *self {
            Self::Freedom(v) => w.added_inertia[v] += inertia,
            Self::Link(body, axis) => {
                let added = &mut w.mounted[body.index()];
                *added = minus_outer(added, axis * -inertia, axis);
                w.has_mounted = true;
            }
            Self::Joint(link, axis) => {
                w.carried[link] += axis * (0.5 * inertia);
                w.has_mounted = true;
            }
        }
    }

    /// Takes all that was added here away.
    pub fn clear(&self, w: &mut Workspace) {
        match *self {
            Self::Freedom(v) => w.added_inertia[v] = 0.0,
            Self::Link(body, _) => w.mounted[body.index()] = Sym3::ZERO,
            Self::Joint(link, _) => w.carried[link] = Vec3::ZERO,
        }
        w.has_mounted = false;
    }
}

/// The force that a held freedom needs for its acceleration, beyond the applied forces; a part of this force accelerates the
/// rotor of the joint. Needs accelerations by the recursion.
#[inline]
pub fn holding_force(tree: &Tree, w: &Workspace, v: usize, acceleration: f64) -> f64 {
    recursive::holding_force(tree, w, tree.owner(v)) + tree.rotor[v] * acceleration
}

/// Adds a torque in the axes of a link to the applied loads.
#[inline]
pub fn add_torque(w: &mut Workspace, body: BodyId, torque: Vec3) {
    w.applied[body.index()] += Load::new(torque, Vec3::ZERO);
    w.has_applied = true;
}

/// Adds loads in the axes of their links to the applied loads, times a factor.
pub fn add_loads(w: &mut Workspace, loads: &[(usize, Load)], factor: f64) {
    for &(link, load) in loads {
        w.applied[link] += load * factor;
    }
    w.has_applied = true;
}

/// A tree with constraints, as it moves.
pub struct ConstrainedMotion<'a> {
    /// The tree.
    pub tree: &'a Tree,
    /// Its constraints.
    pub rows: &'a Constraints,
    /// Poses, velocities and factors of the tree.
    pub w: &'a mut Workspace,
    /// Loads and factors of the constraints.
    pub loops: &'a mut LoopWorkspace,
}

/// Buffers of the responses.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct PortWorkspace {
    tau: Vec<f64>,
    vdot: Vec<f64>,
    /// Residual joint forces of a unit force in each port, a row per port; and one of these rows over the pivots.
    residuals: Vec<f64>,
    scaled: Vec<f64>,
    /// The freedoms of each row that may not be zero come before this one.
    ends: Vec<usize>,
}

impl PortWorkspace {
    /// Buffers for a tree with so many ports.
    pub fn new(tree: &Tree, n_ports: usize) -> Self {
        let n = tree.n_v();
        Self {
            tau: vec![0.0; n],
            vdot: vec![0.0; n],
            residuals: vec![0.0; n * n_ports],
            scaled: vec![0.0; n],
            ends: vec![0; n_ports],
        }
    }

    /// Phi by rows, with zeros in columns that are not `wanted`, for a tree without constraints:
    ///
    /// ```text
    /// Phi_jk = sum over freedoms of r_j r_k / D
    /// ```
    ///
    /// with the residual joint forces r of unit forces, which differ from zero on the way from a port to the root only. Needs
    /// accelerations by the recursion, whose pivots D these are.
    pub fn respond_all(
        &mut self,
        ports: &[Port],
        wanted: impl Fn(usize) -> bool,
        tree: &Tree,
        w: &Workspace,
        phi: &mut [f64],
    ) {
        let (n, count) = (tree.n_v(), ports.len());
        for (k, port) in ports.iter().enumerate() {
            self.ends[k] = residuals(port, tree, w, &mut self.residuals[k * n..(k + 1) * n]);
        }
        for k in 0..count {
            if !wanted(k) {
                (0..count).for_each(|j| phi[j * count + k] = 0.0);
                continue;
            }
            let own = &self.residuals[k * n..][..self.ends[k]];
            for ((scaled, r), inverse) in self.scaled.iter_mut().zip(own).zip(&w.inverse_pivot) {
                *scaled = r * inverse;
            }
            for j in 0..count {
                // What was found for the other one of two serves for both.
                phi[j * count + k] = if j < k && wanted(j) {
                    phi[k * count + j]
                } else {
                    let end = self.ends[j].min(self.ends[k]);
                    let other = &self.residuals[j * n..][..end];
                    other.iter().zip(&self.scaled).map(|(a, b)| a * b).sum()
                };
            }
        }
    }

    /// Column `which` of Phi for a tree with constraints. Needs accelerations by the recursion, whose factors it uses; it uses
    /// up the accelerations of the links.
    pub fn respond(
        &mut self,
        ports: &[Port],
        which: usize,
        of: ConstrainedMotion<'_>,
        column: &mut [f64],
    ) {
        let ConstrainedMotion { tree, rows, w, loops } = of;
        let mut freedom = None;
        let loads = match ports[which] {
            Port::Freedom(v) => {
                freedom = Some(v);
                [(0, Load::ZERO); 2]
            }
            Port::LoopFreedom(k) => loops.freedom_loads(rows, k),
            Port::Rotation(body, axis) => {
                [(body.index(), Load::new(axis, Vec3::ZERO)), (0, Load::ZERO)]
            }
            Port::Distance(_) | Port::Frames(_) => ports[which].loads(w),
        };
        if let Some(v) = freedom {
            self.tau[v] = 1.0;
        }
        loops.respond(tree, w, &self.tau, &loads, &mut self.vdot);
        for (port, a) in ports.iter().zip(column) {
            *a = match *port {
                Port::LoopFreedom(k) => loops.freedom_response(rows, k, &w.sweep.acceleration),
                _ => acceleration(port, w, &self.vdot, &w.sweep.acceleration),
            };
        }
        if let Some(v) = freedom {
            self.tau[v] = 0.0;
        }
    }
}

/// The residual joint forces of a unit force in a port of a tree; gives the end of the freedoms that it reaches.
fn residuals(port: &Port, tree: &Tree, w: &Workspace, r: &mut [f64]) -> usize {
    r.fill(0.0);
    let mut end = 0;
    let mut add = |link: usize, load: Load, tau: Option<(usize, f64)>| {
        recursive::add_residuals(tree, w, link, load, tau, r);
        end = end.max(tree.links[link].v_range().end);
    };
    match *port {
        Port::Freedom(v) if w.is_locked(v) => {}
        Port::Freedom(v) => {
            let link = tree.owner(v);
            add(link, Load::ZERO, Some((v - tree.links[link].v_range().start, 1.0)));
        }
        Port::LoopFreedom(_) => {}
        Port::Rotation(body, axis) => add(body.index(), Load::new(axis, Vec3::ZERO), None),
        Port::Distance(_) | Port::Frames(_) => {
            port.loads(w).into_iter().for_each(|(link, load)| add(link, load, None));
        }
    }
    end
}

/// Accelerations of the motion itself along the ports. Needs accelerations by any formulation; `vdot` has the accelerations
/// of the freedoms of the tree, then of the loop joints.
pub fn accelerations(ports: &[Port], tree: &Tree, w: &Workspace, vdot: &[f64], a: &mut [f64]) {
    for (port, a) in ports.iter().zip(a) {
        *a = match *port {
            Port::LoopFreedom(k) => vdot[tree.n_v() + k],
            _ => acceleration(port, w, vdot, &w.sweep.acceleration) + port.swing(w),
        };
    }
}

/// Acceleration along a port, from the accelerations of freedoms and links.
fn acceleration(port: &Port, w: &Workspace, vdot: &[f64], links: &[Motion]) -> f64 {
    match *port {
        Port::Freedom(v) => vdot[v],
        Port::LoopFreedom(_) => 0.0,
        Port::Rotation(body, axis) => axis.dot(links[body.index()].ang),
        Port::Distance(_) | Port::Frames(_) => {
            port.loads(w).iter().map(|(link, load)| links[*link].dot(load)).sum()
        }
    }
}
