//! The motion of one frame relative to another: what triads, bodies and sensors tell.
//!
//! With r, w, a, alpha of both frames in world axes, `arm = r1 - r0` and `u` its rate, the components in the world's axes
//! are those of the differences. In the axes of T0, which turn with w0, components and their derivatives are
//!
//! ```text
//! x   = D0^T arm
//! x'  = D0^T (u - w0 x arm)
//! x'' = D0^T (a1 - a0 - alpha0 x arm - 2 w0 x u + w0 x (w0 x arm))
//! w   = D0^T (w1 - w0)
//! w'  = D0^T (alpha1 - alpha0 - w0 x (w1 - w0))
//! ```
//!
//! so that every rate is the derivative of the component with this name.

use super::forces::law::Attachment;
use super::ids::BodyId;
use super::kinematics;
use super::ports::PortPoint;
use super::spatial::{Load, Motion, Pose};
use super::tree::Tree;
use super::vector::{Mat3, Vec3};
use super::workspace::Workspace;

/// Two frames, and the axes of the components.
#[derive(Clone, Copy, Debug)]
pub struct FramePair {
    /// T0.
    pub from: Attachment,
    /// T1.
    pub to: Attachment,
    /// Components in the axes of T0 instead of the world's.
    pub is_local: bool,
}

/// A frame of the world: what absolute motions are relative to.
pub const WORLD_FRAME: Attachment = Attachment { body: BodyId::WORLD, pose: Pose::IDENTITY };

/// Pose and twist of both frames in the world.
struct Both {
    poses: [Pose; 2],
    twists: [Motion; 2],
}

impl Both {
    fn arm(&self) -> Vec3 {
        self.poses[1].translation - self.poses[0].translation
    }

    fn rate(&self) -> Vec3 {
        self.twists[1].lin - self.twists[0].lin
    }
}

impl FramePair {
    /// A frame relative to the world.
    pub fn in_world(to: Attachment) -> Self {
        Self { from: WORLD_FRAME, to, is_local: false }
    }

    fn both(&self, tree: &Tree, w: &Workspace) -> Both {
        let placed = [&self.from, &self.to].map(|attachment| {
            let pose = kinematics::body_pose(tree, w, attachment.body);
            let twist = kinematics::body_twist(tree, w, attachment.body);
            let arm = pose.rotation * attachment.pose.translation;
            let twist = Motion::new(twist.ang, twist.lin + twist.ang.cross(arm));
            (pose * attachment.pose, twist)
        });
        Both { poses: placed.map(|(pose, _)| pose), twists: placed.map(|(_, twist)| twist) }
    }

    /// Angular acceleration and acceleration of a frame, world axes. The world has none, whatever the recursion makes of
    /// gravity.
    fn acceleration_of(attachment: &Attachment, tree: &Tree, w: &Workspace) -> Motion {
        if attachment.body == BodyId::WORLD {
            return Motion::ZERO;
        }
        let arm =
            kinematics::body_pose(tree, w, attachment.body).rotation * attachment.pose.translation;
        let omega = kinematics::body_twist(tree, w, attachment.body).ang;
        let of_body = kinematics::body_acceleration(tree, w, attachment.body);
        let swing = of_body.ang.cross(arm) + omega.cross(omega.cross(arm));
        Motion::new(of_body.ang, of_body.lin + swing)
    }

    /// A vector of the world in the axes of the components.
    fn components(&self, both: &Both, vector: Vec3) -> Vec3 {
        if self.is_local { both.poses[0].rotation.transpose_mul(vector) } else { vector }
    }

    /// Place of T1 seen from T0, m.
    pub fn position(&self, tree: &Tree, w: &Workspace) -> Vec3 {
        let both = self.both(tree, w);
        self.components(&both, both.arm())
    }

    /// Its derivative, m/s.
    pub fn velocity(&self, tree: &Tree, w: &Workspace) -> Vec3 {
        let both = self.both(tree, w);
        let turned = if self.is_local { both.twists[0].ang.cross(both.arm()) } else { Vec3::ZERO };
        self.components(&both, both.rate() - turned)
    }

    /// Its second derivative, m/s^2. Needs accelerations by any formulation.
    pub fn acceleration(&self, tree: &Tree, w: &Workspace) -> Vec3 {
        let both = self.both(tree, w);
        let own = Self::acceleration_of(&self.to, tree, w);
        let other = Self::acceleration_of(&self.from, tree, w);
        let turned = if self.is_local {
            let (arm, w0) = (both.arm(), both.twists[0].ang);
            other.ang.cross(arm) + w0.cross(both.rate()) * 2.0 - w0.cross(w0.cross(arm))
        } else {
            Vec3::ZERO
        };
        self.components(&both, own.lin - other.lin - turned)
    }

    /// Angular velocity of T1 relative to T0, rad/s.
    pub fn turning(&self, tree: &Tree, w: &Workspace) -> Vec3 {
        let both = self.both(tree, w);
        self.components(&both, both.twists[1].ang - both.twists[0].ang)
    }

    /// Its derivative, rad/s^2. Needs accelerations by any formulation.
    pub fn turning_acceleration(&self, tree: &Tree, w: &Workspace) -> Vec3 {
        let both = self.both(tree, w);
        let own = Self::acceleration_of(&self.to, tree, w).ang;
        let other = Self::acceleration_of(&self.from, tree, w).ang;
        let [w0, w1] = both.twists.map(|twist| twist.ang);
        let turned = if self.is_local { w0.cross(w1 - w0) } else { Vec3::ZERO };
        self.components(&both, own - other - turned)
    }

    /// Orientation of T1 relative to T0: components in T1 to components in T0.
    pub fn rotation(&self, tree: &Tree, w: &Workspace) -> Mat3 {
        let [from, to] = self.both(tree, w).poses;
        from.rotation.transpose() * to.rotation
    }

    /// The distance of the origins, or its first derivative, m, m/s.
    ///
    /// Where both origins meet the distance has a corner; the value there is the derivative from then on: they part with the size
    /// of their relative velocity.
    pub fn distance(&self, order: u8, tree: &Tree, w: &Workspace) -> f64 {
        let both = self.both(tree, w);
        let (arm, rate) = (both.arm(), both.rate());
        match (order, arm.normalized()) {
            (0, _) => arm.norm(),
            (_, Some(direction)) => direction.dot(rate),
            (_, None) => rate.norm(),
        }
    }

    /// The second derivative of the distance of the origins, m/s^2. Needs accelerations by any formulation.
    ///
    /// Where both origins meet, `arm = v t + a t^2/2 + ...` gives `v.a/|v|`, and `|a|` if v is zero too.
    pub fn distance_acceleration(&self, tree: &Tree, w: &Workspace) -> f64 {
        let both = self.both(tree, w);
        let (arm, rate) = (both.arm(), both.rate());
        let own = Self::acceleration_of(&self.to, tree, w).lin;
        let a = own - Self::acceleration_of(&self.from, tree, w).lin;
        match (arm.normalized(), rate.normalized()) {
            (Some(direction), _) => {
                let along = direction.dot(rate);
                let across = (rate.dot(rate) - along * along).max(0.0);
                direction.dot(a) + across / arm.norm()
            }
            (None, Some(direction)) => direction.dot(a),
            (None, None) => a.norm(),
        }
    }

    /// The origins of both frames.
    pub fn points(&self, tree: &Tree) -> [PortPoint; 2] {
        [&self.from, &self.to].map(|attachment| {
            let body = &tree.frames[attachment.body.index()].body;
            let place = body.transform_point(attachment.pose.translation);
            PortPoint { link: attachment.body, place }
        })
    }

    /// The port whose acceleration is that of a component.
    pub fn port(&self, measure: FrameMeasure, tree: &Tree) -> FramePort {
        let of_link = tree.frames[self.from.body.index()].body.rotation * self.from.pose.rotation;
        let axes = if self.is_local { of_link } else { Mat3::IDENTITY };
        let (axis, turns) = match measure {
            FrameMeasure::Place(component) => (axes.column(component), false),
            FrameMeasure::Turn(component) => (axes.column(component), true),
        };
        FramePort { ends: self.points(tree), axis, turns, is_carried: self.is_local }
    }
}

/// A component of the relative motion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameMeasure {
    /// Of the position.
    Place(usize),
    /// Of the rotation.
    Turn(usize),
}

/// The second derivative of a component of a relative motion, as a sum of loads on two links.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FramePort {
    ends: [PortPoint; 2],
    /// Unit vector, in the axes of the first link if that carries it, else of the world.
    axis: Vec3,
    /// Rotation instead of translation.
    turns: bool,
    is_carried: bool,
}

impl FramePort {
    /// The axis in the world.
    fn direction(&self, w: &Workspace) -> Vec3 {
        let carrier = &w.x_world[self.ends[0].link.index()];
        if self.is_carried { carrier.rotation * self.axis } else { self.axis }
    }

    fn arm(&self, w: &Workspace) -> Vec3 {
        let place = |end: &PortPoint| w.x_world[end.link.index()].transform_point(end.place);
        place(&self.ends[1]) - place(&self.ends[0])
    }

    /// The loads whose power is the rate of the component, each in the axes of its link.
    pub fn loads(&self, w: &Workspace) -> [(usize, Load); 2] {
        let direction = self.direction(w);
        let of = |k: usize, sign: f64| {
            let PortPoint { link, place } = self.ends[k];
            let axis = w.x_world[link.index()].rotation.transpose_mul(direction * sign);
            let load = match self.turns {
                true => Load::new(axis, Vec3::ZERO),
                false => Load::new(place.cross(axis), axis),
            };
            (link.index(), load)
        };
        let (first, mut own) = of(0, -1.0);
        if self.is_carried && !self.turns {
            // The axes turn with the first link, and with them the arm: the force acts at the far end.
            let turn = direction.cross(self.arm(w));
            own += Load::new(w.x_world[first].rotation.transpose_mul(turn), Vec3::ZERO);
        }
        [(first, own), of(1, 1.0)]
    }

    /// The second derivative beside that which the accelerations of the links make.
    pub fn swing(&self, w: &Workspace) -> f64 {
        let direction = self.direction(w);
        let omega = |k: usize| w.twist_world[self.ends[k].link.index()].ang;
        let (w0, w1) = (omega(0), omega(1));
        if self.turns {
            return if self.is_carried { w0.cross(direction).dot(w1) } else { 0.0 };
        }
        let motion = |k: usize| {
            let PortPoint { link, place } = self.ends[k];
            let turning = omega(k).cross(w.x_world[link.index()].rotation * place);
            (w.twist_world[link.index()].lin + turning, omega(k).cross(turning))
        };
        let ((v0, swing0), (v1, swing1)) = (motion(0), motion(1));
        let carried = if self.is_carried {
            w0.cross(w0.cross(self.arm(w))) - w0.cross(v1 - v0) * 2.0
        } else {
            Vec3::ZERO
        };
        direction.dot(swing1 - swing0 + carried)
    }
}
