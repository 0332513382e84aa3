//! What a plugin can read of the model at an instant.

use super::{BodyHandle, ElementHandle, JointHandle, SignalHandle, TimeInput, TriadHandle};
use crate::mechanics::{Motion, Pose, Sym3, Vec3};
use crate::model::Model;
use crate::system::Run;

/// The state of the whole model at an instant, as one plugin sees it. World coordinates, SI units, radians.
#[derive(Clone, Copy)]
pub struct State<'a> {
    run: &'a Run<'a>,
    plugin: usize,
}

/// A frame on a body: where it is and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The body that carries it.
    pub body: BodyHandle,
    /// Pose in the world.
    pub pose: Pose,
    /// Angular velocity (rad/s) and velocity of the origin (m/s).
    pub twist: Motion,
}

impl Point {
    /// Origin, m.
    #[inline]
    pub fn position(&self) -> Vec3 {
        self.pose.translation
    }

    /// Velocity of the origin, m/s.
    #[inline]
    pub fn velocity(&self) -> Vec3 {
        self.twist.lin
    }

    /// Velocity of a point of the body, m/s.
    #[inline]
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.twist.lin + self.twist.ang.cross(point - self.pose.translation)
    }
}

impl<'a> State<'a> {
    pub(crate) fn new(run: &'a Run<'_>, plugin: usize) -> Self {
        Self { run, plugin }
    }

    /// Time, s.
    #[inline]
    pub fn t(&self) -> f64 {
        self.run.time()
    }

    /// The model with the parameters of all its elements.
    pub fn model(&self) -> &'a Model {
        &self.run.system.model
    }

    /// The frame of a body; that of the world rests.
    pub fn body(&self, body: BodyHandle) -> Point {
        let index = body.index();
        Point { body, pose: self.run.body_pose(index), twist: self.run.body_twist(index) }
    }

    /// A triad.
    #[inline]
    pub fn triad(&self, triad: TriadHandle) -> Point {
        let attachment = &self.run.system.triads[triad.index()];
        let placed = self.run.view().place(attachment);
        let body = self.run.system.model.triads[triad.index()].parent;
        Point { body, pose: placed.pose, twist: placed.twist }
    }

    /// Mass of a body, kg; 0 for the world.
    pub fn mass(&self, body: BodyHandle) -> f64 {
        self.model().body(body).map_or(0.0, |body| body.mass)
    }

    /// Inertia tensor of a body about its centre of gravity, in the axes of its CG frame, kg m^2.
    pub fn inertia(&self, body: BodyHandle) -> Sym3 {
        self.model().body(body).map_or(Sym3::ZERO, |body| {
            let [xx, xy, xz, yy, yz, zz] = body.inertia;
            Sym3 { xx, xy, xz, yy, yz, zz }
        })
    }

    /// Centre of gravity of a body, m.
    pub fn centre(&self, body: BodyHandle) -> Vec3 {
        match body.index() {
            0 => Vec3::ZERO,
            index => self.run.body_centre(index),
        }
    }

    /// How many coordinates a joint has.
    pub fn n_coordinates(&self, joint: JointHandle) -> usize {
        self.run.system.coordinates[joint.index()].map_or(0, |coordinates| coordinates.count())
    }

    /// A coordinate of a joint, counted from 0: m or rad.
    #[inline]
    pub fn coordinate(&self, joint: JointHandle, coordinate: usize) -> f64 {
        self.run.coordinate(joint.index(), coordinate)[0]
    }

    /// The rate of a coordinate of a joint: m/s or rad/s.
    #[inline]
    pub fn rate(&self, joint: JointHandle, coordinate: usize) -> f64 {
        self.run.coordinate(joint.index(), coordinate)[1]
    }

    /// The value of a signal.
    pub fn signal(&self, signal: SignalHandle) -> f64 {
        self.run.signal(crate::system::source(self.run.system, signal.0))
    }

    /// The value of a parameter that is a time expression.
    #[inline]
    pub fn input(&self, input: TimeInput) -> f64 {
        self.run.plugin_input(self.plugin, input.0)
    }

    /// The value of a discrete state of the plugin.
    #[inline]
    pub fn state(&self, state: usize) -> u8 {
        self.run.plugin_states(self.plugin)[state]
    }

    /// A number that the plugin remembers.
    #[inline]
    pub fn remembered(&self, index: usize) -> f64 {
        self.run.plugin_memory(self.plugin)[index]
    }

    /// Has this discrete state of the plugin another value than before the last event?
    pub fn switched(&self, state: usize) -> bool {
        self.run.plugin_states_before(self.plugin)[state] != self.state(state)
    }

    /// The present value of a discrete state of any element, as the log calls it: `stick`, `locked`, ...
    /// `part` is empty for the only state of a force or plugin; else it is what the log names behind the
    /// comma, such as `lower stop`. `None` if the element has no such state.
    pub fn mode(&self, element: ElementHandle, part: &str) -> Option<&'static str> {
        self.run.mode_word(element.0, part)
    }
}
