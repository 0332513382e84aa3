//! What every force element does while time passes: act, switch, and tell its signals.
//!
//! A law is pure: it sees the state of the bodies and gives an [`Effect`]. Who adds the effects up,
//! who integrates, and who writes the results is not its business.

use crate::ids::BodyId;
use crate::kinematics;
use crate::spatial::{Load, Motion, Pose};
use crate::tree::Tree;
use crate::vector::Vec3;
use crate::workspace::Workspace;
use problem::Side;

/// A frame fixed on a body.
#[derive(Clone, Copy, Debug)]
pub struct Attachment {
    /// The body.
    pub body: BodyId,
    /// Pose of the frame in the body frame.
    pub pose: Pose,
}

/// Pose and motion of an [`Attachment`] in the world.
#[derive(Clone, Copy, Debug)]
pub struct Placed {
    /// Pose in the world.
    pub pose: Pose,
    /// Angular velocity (rad/s) and velocity of the origin (m/s), world axes.
    pub twist: Motion,
}

/// The state of the bodies as laws see it.
#[derive(Clone, Copy)]
pub struct View<'a> {
    /// The bodies.
    pub tree: &'a Tree,
    /// World poses and velocities are up to date.
    pub workspace: &'a Workspace,
    /// Time, s.
    pub t: f64,
    /// Position coordinates.
    pub q: &'a [f64],
    /// Speeds.
    pub v: &'a [f64],
    /// Values of the model's time expressions.
    pub inputs: &'a [f64],
    /// Accelerations, where guards are evaluated and modes settled.
    pub vdot: &'a [f64],
    /// Forces that locks hold, where guards are evaluated and modes settled, N or Nm.
    pub drive: &'a [f64],
}

impl View<'_> {
    /// Where an attachment is and how it moves.
    #[inline]
    pub fn place(&self, attachment: &Attachment) -> Placed {
        let (tree, w, body) = (self.tree, self.workspace, attachment.body);
        let pose = kinematics::body_pose(tree, w, body);
        let twist = kinematics::body_twist(tree, w, body);
        let arm = pose.rotation * attachment.pose.translation;
        Placed {
            pose: pose * attachment.pose,
            twist: Motion::new(twist.ang, twist.lin + twist.ang.cross(arm)),
        }
    }
}

/// The motion of T1 relative to T0, in T0 coordinates.
///
/// The velocity is the time derivative of the position in T0 coordinates, so a turning T0 counts.
#[derive(Clone, Copy, Debug)]
pub struct Relative {
    /// Pose of T1 in T0.
    pub pose: Pose,
    /// Derivative of the position, m/s.
    pub velocity: Vec3,
    /// Relative angular velocity, rad/s.
    pub omega: Vec3,
    /// Pose of T0 in the world.
    pub from: Pose,
    /// Origin of T1 in the world.
    pub point: Vec3,
}

impl Relative {
    /// The relative motion of two attachments.
    #[inline]
    pub fn new(view: &View<'_>, from: &Attachment, to: &Attachment) -> Relative {
        let (a, b) = (view.place(from), view.place(to));
        let arm = b.pose.translation - a.pose.translation;
        let d0 = &a.pose.rotation;
        Relative {
            pose: a.pose.inverse() * b.pose,
            velocity: d0.transpose_mul(b.twist.lin - a.twist.lin - a.twist.ang.cross(arm)),
            omega: d0.transpose_mul(b.twist.ang - a.twist.ang),
            from: a.pose,
            point: b.pose.translation,
        }
    }

    /// A force and torque on T0's body in T0 coordinates, with the reaction on T1's body. Both act
    /// at the origin of T1, so that angular momentum is conserved.
    #[inline]
    pub fn effect(&self, from: &Attachment, to: &Attachment, force: Vec3, torque: Vec3) -> Effect {
        let load = Load::new(self.from.rotation * torque, self.from.rotation * force);
        Effect::Pair([
            BodyLoad { body: from.body, point: self.point, load },
            BodyLoad { body: to.body, point: self.point, load: -load },
        ])
    }
}

/// A load on a body at a point, world axes.
#[derive(Clone, Copy, Debug)]
pub struct BodyLoad {
    /// The body.
    pub body: BodyId,
    /// The point, m.
    pub point: Vec3,
    /// Torque and force.
    pub load: Load,
}

/// The effect of a law on the mechanism.
#[derive(Clone, Copy, Debug)]
pub enum Effect {
    /// Nothing at present.
    None,
    /// One load, from outside.
    Single(BodyLoad),
    /// A load and its reaction.
    Pair([BodyLoad; 2]),
    /// Generalised forces on the freedoms of a joint.
    Joint {
        /// First freedom.
        start: usize,
        /// How many.
        count: usize,
        /// The forces, N or Nm.
        tau: [f64; 6],
    },
}

/// Why a law has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoValue(pub &'static str);

/// The discrete and remembered part of an element, frozen between events.
#[derive(Clone, Copy, Debug)]
pub struct Frozen<'a> {
    /// The mode; 0 unless the element switches.
    pub mode: u8,
    /// Numbers set at events, such as an anchor.
    pub memory: &'a [f64],
}

/// The input of a law when modes are settled.
pub struct Settling<'a> {
    /// For each guard of the element the side that its value or crossing tells; `None` at zero.
    pub sides: &'a [Option<Side>],
    /// Values of the guards of the element.
    pub guards: &'a [f64],
    /// Which guards crossed zero at this instant.
    pub crossed: &'a [bool],
    /// Numbers to set.
    pub memory: &'a mut [f64],
}

/// A force element that can be evaluated.
pub trait Law: Send + Sync {
    /// The effect in the present mode.
    ///
    /// # Errors
    /// If the law has no value in this state.
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue>;

    /// Does it convert energy that is not stored in it? Then its work is integrated.
    fn works(&self) -> bool;

    /// Energy stored, J.
    fn energy(&self, _view: &View<'_>, _frozen: Frozen<'_>) -> f64 {
        0.0
    }

    /// The most work that it can deliver from this state on, J, if it cannot be a source of energy: what it has stored.
    /// A law that delivers more than it had at the start of a run was evaluated wrongly, or has parameters that no such element
    /// has.
    fn deliverable(&self, _view: &View<'_>) -> Option<f64> {
        None
    }

    /// Values of its signals in the order of its table, power excepted.
    fn signals(
        &self,
        _view: &View<'_>,
        _frozen: Frozen<'_>,
        _effect: &Effect,
        _values: &mut [f64],
    ) {
    }

    /// Number of guards.
    fn n_guards(&self) -> usize {
        0
    }

    /// Number of remembered numbers.
    fn n_memory(&self) -> usize {
        0
    }

    /// Fills the remembered numbers with their values before the first step.
    fn fill_memory(&self, _memory: &mut [f64]) {}

    /// Values of the guards.
    fn guards(&self, _view: &View<'_>, _frozen: Frozen<'_>, _values: &mut [f64]) {}

    /// Typical magnitude of each guard, entered as 1.
    fn guard_scales(&self, _scales: &mut [f64]) {}

    /// The side on which each guard belongs in the given mode.
    fn sides(&self, _mode: u8, _sides: &mut [Side]) {}

    /// The mode that the guards ask for.
    fn settle(&self, _view: &View<'_>, mode: u8, _settling: Settling<'_>) -> u8 {
        mode
    }

    /// The mode that the state itself asks for, whatever came before. Only a one-sided law without memory has one; the
    /// mode of any other follows from events, and stays.
    ///
    /// Methods that look for no switching points take it in every evaluation: a mode that stayed over a step would let
    /// the law pull where it may only push.
    fn mode_now(&self, _view: &View<'_>, frozen: Frozen<'_>) -> u8 {
        frozen.mode
    }

    /// The freedom that it holds at rest in a mode.
    fn locks(&self, _mode: u8) -> Option<usize> {
        None
    }

    /// The mode before the first event.
    fn first_mode(&self) -> u8 {
        0
    }

    /// The mode from which it settles where everything is known to be at rest, and all forces are in balance or not.
    fn mode_at_rest(&self, mode: u8, _is_balanced: bool) -> u8 {
        mode
    }

    /// A mode that follows from the present one without an event, because nothing jumps.
    fn drift(&self, _view: &View<'_>, mode: u8) -> u8 {
        mode
    }

    /// Follows remembered numbers after an accepted step, such as an angle over full turns.
    fn follow(&self, _view: &View<'_>, _mode: u8, _memory: &mut [f64]) {}

    /// The word for a mode.
    fn mode_word(&self, _mode: u8) -> &'static str {
        ""
    }

    /// The report of a contact in the `.frc` file; `None` for other laws.
    fn contact_report(&self, _view: &View<'_>, _frozen: Frozen<'_>) -> Option<ContactReport> {
        None
    }
}

/// The columns of `.frc` for one contact, in T0 coordinates; force and torque on T0's body.
#[derive(Clone, Copy, Debug, Default)]
pub struct ContactReport {
    /// Position of T1, m.
    pub position: Vec3,
    /// Velocity of T1, the derivative of the position, m/s.
    pub velocity: Vec3,
    /// There is contact.
    pub contact: bool,
    /// The contact sticks.
    pub stick: bool,
    /// Anchor in the plane while it sticks, m.
    pub anchor: [f64; 2],
    /// Force, N.
    pub force: Vec3,
    /// Torque, Nm.
    pub torque: Vec3,
}

/// Energy stored in a spring, J. A spring of negative stiffness pushes the way it moves: it is a source and stores none.
pub(crate) fn stored(stiffness: f64, stretch: f64) -> Option<f64> {
    (stiffness >= 0.0).then_some(0.5 * stiffness * stretch * stretch)
}

/// A guard with two modes: on (1) while it is positive, off (0) else.
pub(crate) mod binary {
    use super::Side;

    /// The side of the guard in a mode.
    #[inline]
    pub fn side(mode: u8) -> Side {
        if mode == 0 { Side::Negative } else { Side::Positive }
    }

    /// The mode that a value of the guard asks for.
    #[inline]
    pub fn of(guard: f64) -> u8 {
        u8::from(guard > 0.0)
    }

    /// The mode that a side asks for.
    #[inline]
    pub fn settle(mode: u8, side: Option<Side>) -> u8 {
        match side {
            Some(Side::Positive) => 1,
            Some(Side::Negative) => 0,
            _ => mode,
        }
    }
}

/// A surface that only presses: in contact while both the depth and the pressing force are positive.
pub(crate) mod unilateral {
    /// Pressing; the other mode, 0, is apart.
    pub const CONTACT: u8 = 1;

    /// The guard: positive in contact. Only its sign matters, so that a length and a force may meet.
    #[inline]
    pub fn guard(depth: f64, press: f64) -> f64 {
        depth.min(press)
    }

    /// The word for a mode.
    pub fn word(mode: u8) -> &'static str {
        if mode == CONTACT { "contact" } else { "apart" }
    }
}
