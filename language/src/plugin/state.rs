//! What a plugin can read of the model at an instant.

use super::{BodyHandle, ElementHandle, JointHandle, SignalHandle, TimeInput, TriadHandle};
use crate::model::Model;
use equations::expression::SignalRef;
use mechanics::{Motion, Pose, Sym3, Vec3};

/// The view of a run for plugins. Indices are indices of the model's tables; bodies count from the world.
pub trait Observed {
    /// Time, s.
    fn time(&self) -> f64;
    /// The model that runs.
    fn model(&self) -> &Model;
    /// The frame of a body in the world and how it moves.
    fn body(&self, body: usize) -> (Pose, Motion);
    /// Centre of gravity of a body, m.
    fn centre(&self, body: usize) -> Vec3;
    /// A triad in the world and how it moves.
    fn triad(&self, triad: usize) -> (Pose, Motion);
    /// How many coordinates a joint has.
    fn n_coordinates(&self, joint: usize) -> usize;
    /// A coordinate of a joint and its rate; panics if the joint has none of this number.
    fn coordinate(&self, joint: usize, coordinate: usize) -> [f64; 2];
    /// The value of a signal.
    fn signal(&self, signal: SignalRef) -> f64;
    /// The value of a time expression of a plugin.
    fn input(&self, plugin: usize, input: usize) -> f64;
    /// Discrete states of a plugin.
    fn states(&self, plugin: usize) -> &[u8];
    /// Values of the discrete states before the last event.
    fn states_before(&self, plugin: usize) -> &[u8];
    /// Numbers that a plugin remembers.
    fn memory(&self, plugin: usize) -> &[f64];
    /// The word for the mode of a part of a block.
    fn mode_word(&self, block: u32, part: &str) -> Option<&'static str>;
}

/// The state of the whole model at an instant, as one plugin sees it. World coordinates, SI units, radians.
#[derive(Clone, Copy)]
pub struct State<'a> {
    run: &'a (dyn Observed + 'a),
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
    /// The view of a run for one plugin.
    pub fn new(run: &'a (dyn Observed + 'a), plugin: usize) -> Self {
        Self { run, plugin }
    }

    /// Time, s.
    #[inline]
    pub fn t(&self) -> f64 {
        self.run.time()
    }

    /// The model with the parameters of all its elements.
    pub fn model(&self) -> &'a Model {
        self.run.model()
    }

    /// The frame of a body; that of the world rests.
    pub fn body(&self, body: BodyHandle) -> Point {
        let (pose, twist) = self.run.body(body.index());
        Point { body, pose, twist }
    }

    /// A triad.
    #[inline]
    pub fn triad(&self, triad: TriadHandle) -> Point {
        let (pose, twist) = self.run.triad(triad.index());
        Point { body: self.model().triad(triad).parent, pose, twist }
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
            index => self.run.centre(index),
        }
    }

    /// How many coordinates a joint has.
    pub fn n_coordinates(&self, joint: JointHandle) -> usize {
        self.run.n_coordinates(joint.index())
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
        self.run.signal(signal.0)
    }

    /// The value of a parameter that is a time expression.
    #[inline]
    pub fn input(&self, input: TimeInput) -> f64 {
        self.run.input(self.plugin, input.0)
    }

    /// The value of a discrete state of the plugin.
    #[inline]
    pub fn state(&self, state: usize) -> u8 {
        self.run.states(self.plugin)[state]
    }

    /// A number that the plugin remembers.
    #[inline]
    pub fn remembered(&self, index: usize) -> f64 {
        self.run.memory(self.plugin)[index]
    }

    /// Whether this discrete state of the plugin has another value than before the last event.
    pub fn switched(&self, state: usize) -> bool {
        self.run.states_before(self.plugin)[state] != self.state(state)
    }

    /// The present value of a discrete state of any element, as the log calls it: `stick`, `locked`, ...
    /// `part` is empty for the only state of a force or plugin; else it is what the log names behind the
    /// comma, such as `lower stop`. `None` if the element has no such state.
    pub fn mode(&self, element: ElementHandle, part: &str) -> Option<&'static str> {
        self.run.mode_word(element.0, part)
    }
}
