//! Rigid bodies and the frames on them.

use crate::element::{
    BlockSchema, Family, Origin, Quantity, SignalSchema, acceleration_signal, signal,
};
use crate::reading::fields::{AngleType, Degrees};
use crate::reading::ids::{BodyId, JointId};
use crate::reading::{Group, parameters};
use mechanics::{Mat3, Pose};

parameters! {
    /// A rigid body.
    pub struct Body {
        parent: BodyId = "Parent", DySim, Unit::None, Word("world"), Any, "mother body; if it is missing, the body of `TriadFrom` of the joint";
        joint: JointId = "Joint", DySim, Unit::None, Required, Any, "the joint that gives this body its freedom relative to `Parent`";
        mass: f64 = "Mass", DySim, Unit::Is("kg"), Number(1.0), Any, "mass";
        inertia: [f64; 6] = "Inertia", DySim, Unit::Is("kg m^2"), Numbers(&[1.0, 0.0, 0.0, 1.0, 0.0, 1.0]), Any, "elements xx xy xz yy yz zz of the tensor (products with their minus sign) about the centre of gravity, in the CG frame";
        cg_position: [f64; 3] = "CGFramePosition", DySim, Unit::Is("m"), Number(0.0), Any, "origin of the CG frame in the body frame";
        cg_orientation: [f64; 3] = "CGFrameOrientation", DySim, Unit::Is("rad"), Number(0.0), Any, "orientation of the CG frame in the body frame";
        angle_type: AngleType = "AngleType", DySim, Unit::None, Word("euler"), Any, "kind of the angles";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles in this block";
    }
}

parameters! {
    /// A frame fixed on a body or on the world.
    pub struct Triad {
        parent: BodyId = "Parent", DySim, Unit::None, Required, Any, "the body that carries the frame, or `world`";
        position: [f64; 3] = "Position", DySim, Unit::Is("m"), Number(0.0), Any, "origin in the body frame";
        orientation: [f64; 3] = "Orientation", DySim, Unit::Is("rad"), Number(0.0), Any, "orientation in the body frame";
        angle_type: AngleType = "AngleType", DySim, Unit::None, Word("euler"), Any, "kind of the angles";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles in this block";
    }
}

impl Body {
    /// The pose of the CG frame in the body frame.
    pub fn cg_pose(&self) -> Pose {
        pose(self.cg_position, self.cg_orientation, self.angle_type)
    }
}

impl Triad {
    /// The pose in the body frame.
    pub fn pose(&self) -> Pose {
        pose(self.position, self.orientation, self.angle_type)
    }
}

/// The pose of what is fixed in a frame, from its position and its angles.
pub(crate) fn pose(position: [f64; 3], orientation: [f64; 3], angle_type: AngleType) -> Pose {
    // Exactly no rotation stays exactly none.
    let rotation = match orientation {
        [0.0, 0.0, 0.0] => Mat3::IDENTITY,
        _ => mechanics::rotation::AngleType::from(angle_type).matrix(orientation.into()),
    };
    Pose::new(rotation, position.into())
}

/// Place and motion of a frame, in world coordinates.
const MOTION: &[SignalSchema] = &[
    signal("x", "m", "position").of(Quantity::Position, 0),
    signal("y", "m", "position").of(Quantity::Position, 1),
    signal("z", "m", "position").of(Quantity::Position, 2),
    signal("vx", "m/s", "velocity").of(Quantity::Velocity, 0),
    signal("vy", "m/s", "velocity").of(Quantity::Velocity, 1),
    signal("vz", "m/s", "velocity").of(Quantity::Velocity, 2),
    signal("wx", "rad/s", "angular velocity").of(Quantity::Turning, 0),
    signal("wy", "rad/s", "angular velocity").of(Quantity::Turning, 1),
    signal("wz", "rad/s", "angular velocity").of(Quantity::Turning, 2),
];

/// Orientation of a frame.
pub(super) const ORIENTATION: &[SignalSchema] = &[
    signal("q0", "", "unit quaternion of the orientation: scalar part, never negative")
        .of(Quantity::Quaternion, 0),
    signal("q1", "", "vector part along x").of(Quantity::Quaternion, 1),
    signal("q2", "", "vector part along y").of(Quantity::Quaternion, 2),
    signal("q3", "", "vector part along z").of(Quantity::Quaternion, 3),
    signal("angle1", "rad", "first angle of `AngleType`; 0 where the third alone tells")
        .of(Quantity::Angle, 0),
    signal("angle2", "rad", "second angle").of(Quantity::Angle, 1),
    signal("angle3", "rad", "third angle").of(Quantity::Angle, 2),
];

/// Accelerations of a frame, in world coordinates.
const ACCELERATION: &[SignalSchema] = &[
    acceleration_signal("ax", "m/s^2", "acceleration").of(Quantity::Acceleration, 0),
    acceleration_signal("ay", "m/s^2", "acceleration").of(Quantity::Acceleration, 1),
    acceleration_signal("az", "m/s^2", "acceleration").of(Quantity::Acceleration, 2),
    acceleration_signal("alphax", "rad/s^2", "angular acceleration")
        .of(Quantity::TurningAcceleration, 0),
    acceleration_signal("alphay", "rad/s^2", "angular acceleration")
        .of(Quantity::TurningAcceleration, 1),
    acceleration_signal("alphaz", "rad/s^2", "angular acceleration")
        .of(Quantity::TurningAcceleration, 2),
];

/// Energies of bodies.
const ENERGIES: &[SignalSchema] = &[
    signal("ekin", "J", "kinetic energy").of(Quantity::KineticEnergy, 0),
    signal("epot", "J", "potential energy, zero at the world's origin")
        .of(Quantity::PotentialEnergy, 0),
];

/// The table of the Body block.
pub static BODY: BlockSchema = BlockSchema {
    keyword: "Body",
    family: Family::Body,
    origin: Origin::DySim,
    doc: "A rigid body.",
    parameters: &[Body::PARAMETERS],
    variants: None,
    coordinates: &[],
    signals: &[MOTION, ORIENTATION, ACCELERATION, ENERGIES],
};

/// The table of the Triad block.
pub static TRIAD: BlockSchema = BlockSchema {
    keyword: "Triad",
    family: Family::Triad,
    origin: Origin::DySim,
    doc: "A frame fixed on a body or on `world`, to which joints and forces are attached.",
    parameters: &[Triad::PARAMETERS],
    variants: None,
    coordinates: &[],
    signals: &[MOTION, ORIENTATION, ACCELERATION],
};
