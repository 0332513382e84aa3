//! The motion of one triad relative to another, as signals.

use super::body::ORIENTATION;
use super::forces::VectorFrame;
use crate::element::{
    BlockSchema, Family, Origin, Quantity, SignalSchema, acceleration_signal, signal,
};
use crate::reading::fields::AngleType;
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};
use mechanics::forces::law::Attachment;
use mechanics::frame_pair::FramePair;

parameters! {
    /// The motion of one triad relative to another.
    pub struct Sensor {
        from: TriadId = "TriadFrom", Plus, Unit::None, Required, Any, "triad from which the motion is seen";
        to: TriadId = "TriadTo", Plus, Unit::None, Required, Any, "triad whose motion is seen";
        frame: VectorFrame = "Frame", Plus, Unit::None, Word("world"), Any, "axes of the components; `local` are those of TriadFrom, which turn with it";
        angle_type: AngleType = "AngleType", Plus, Unit::None, Word("euler"), Any, "kind of the angles";
    }
}

impl Sensor {
    /// Its frames, from all triads as they are attached to bodies.
    pub fn frames(&self, triads: &[Attachment]) -> FramePair {
        let [from, to] = [self.from, self.to].map(|triad| triads[triad.index()]);
        FramePair { from, to, is_local: self.frame == VectorFrame::Local }
    }
}

const MOTION: &[SignalSchema] = &[
    signal("x", "m", "place of TriadTo seen from TriadFrom").of(Quantity::Position, 0),
    signal("y", "m", "place").of(Quantity::Position, 1),
    signal("z", "m", "place").of(Quantity::Position, 2),
    signal("vx", "m/s", "derivative of x").of(Quantity::Velocity, 0),
    signal("vy", "m/s", "derivative of y").of(Quantity::Velocity, 1),
    signal("vz", "m/s", "derivative of z").of(Quantity::Velocity, 2),
    signal("wx", "rad/s", "relative angular velocity").of(Quantity::Turning, 0),
    signal("wy", "rad/s", "relative angular velocity").of(Quantity::Turning, 1),
    signal("wz", "rad/s", "relative angular velocity").of(Quantity::Turning, 2),
];

const ACCELERATION: &[SignalSchema] = &[
    acceleration_signal("ax", "m/s^2", "derivative of vx").of(Quantity::Acceleration, 0),
    acceleration_signal("ay", "m/s^2", "derivative of vy").of(Quantity::Acceleration, 1),
    acceleration_signal("az", "m/s^2", "derivative of vz").of(Quantity::Acceleration, 2),
    acceleration_signal("alphax", "rad/s^2", "derivative of wx")
        .of(Quantity::TurningAcceleration, 0),
    acceleration_signal("alphay", "rad/s^2", "derivative of wy")
        .of(Quantity::TurningAcceleration, 1),
    acceleration_signal("alphaz", "rad/s^2", "derivative of wz")
        .of(Quantity::TurningAcceleration, 2),
];

/// The component of positions, velocities and accelerations that is the distance.
pub const DISTANCE: u8 = 3;

const LINE: &[SignalSchema] = &[
    signal("s", "m", "distance of the origins").of(Quantity::Position, DISTANCE),
    signal("sd", "m/s", "its rate; where the origins meet, the size of their relative velocity")
        .of(Quantity::Velocity, DISTANCE),
    acceleration_signal("sdd", "m/s^2", "its second derivative")
        .of(Quantity::Acceleration, DISTANCE),
];

/// The table of the Sensor block.
pub static SENSOR: BlockSchema = BlockSchema {
    keyword: "Sensor",
    family: Family::Sensor,
    origin: Origin::Plus,
    doc: "The motion of TriadTo relative to TriadFrom, as signals. It has no mass and exerts no force. The orientation \
          (quaternion, angles) is that of TriadTo in the axes of TriadFrom, whatever `Frame` says.",
    parameters: &[Sensor::PARAMETERS],
    variants: None,
    coordinates: &[],
    signals: &[MOTION, ORIENTATION, ACCELERATION, LINE],
};
