//! Constraints besides joints: prescribed motion, coupled coordinates, rods.

use crate::element::{
    BlockSchema, Family, Origin, ParameterSchema, SignalSchema, SignalShape, Unit,
};
use crate::model::fields::{SingleJoint, TimePerCoordinate};
use crate::model::ids::{JointId, TriadId};
use crate::model::read::{BlockReader, Group, parameters};

parameters! {
    /// Prescribes the coordinates of a joint.
    pub struct Motion {
        joint: JointId = "Joint", Plus, Unit::None, Required, Any, "the joint that is driven";
        q: TimePerCoordinate = "Q", Plus, Unit::Coordinate, Required, Any, "each coordinate as a function of time; the drive force is a signal";
    }
}

parameters! {
    /// Couples the coordinates of two joints.
    pub struct Coupling {
        joint1: SingleJoint = "Joint1", Plus, Unit::None, Required, Any, "joint a, with one freedom";
        joint2: SingleJoint = "Joint2", Plus, Unit::None, Required, Any, "joint b, with one freedom";
        ratio: f64 = "Ratio", Plus, Unit::None, Required, Any, "i in q_a = i q_b";
    }
}

parameters! {
    /// Keeps the distance of two points.
    pub struct Rod {
        from: TriadId = "TriadFrom", Plus, Unit::None, Required, Any, "one end";
        to: TriadId = "TriadTo", Plus, Unit::None, Required, Any, "the other end";
        length: Option<f64> = "Length", Plus, Unit::Is("m"), Absent("the initial distance"), Positive, "distance of the ends";
    }
}

/// A constraint of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// Prescribed coordinates.
    Motion(Motion),
    /// Coupled coordinates.
    Coupling(Coupling),
    /// Constant distance.
    Rod(Rod),
}

impl Constraint {
    /// Reads a constraint; `None` if the block is none.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Option<Self> {
        Some(match reader.schema.keyword {
            "Motion" => Constraint::Motion(Motion::read(reader)),
            "Coupling" => Constraint::Coupling(Coupling::read(reader)),
            "Rod" => Constraint::Rod(Rod::read(reader)),
            _ => return None,
        })
    }
}

const fn signal(name: &'static str, unit: &'static str, doc: &'static str) -> SignalSchema {
    SignalSchema {
        name,
        shape: SignalShape::Scalar,
        unit: Unit::Is(unit),
        needs_accelerations: true,
        doc,
    }
}

const FORCE: SignalSchema = signal("f", "N or Nm", "constraint force");

const fn schema(
    keyword: &'static str,
    doc: &'static str,
    parameters: &'static [&'static [ParameterSchema]],
    signals: &'static [&'static [SignalSchema]],
) -> BlockSchema {
    BlockSchema {
        keyword,
        family: Family::Constraint,
        origin: Origin::Plus,
        doc,
        parameters,
        variants: None,
        coordinates: &[],
        signals,
    }
}

static MOTION: BlockSchema = schema(
    "Motion",
    "Prescribes the coordinates of a joint.",
    &[Motion::PARAMETERS],
    &[&[FORCE, signal("power", "W", "power of the drive")]],
);
static COUPLING: BlockSchema = schema(
    "Coupling",
    "Couples the coordinates of two joints: q_a = i q_b.",
    &[Coupling::PARAMETERS],
    &[&[FORCE]],
);
static ROD: BlockSchema = schema(
    "Rod",
    "A massless rod: keeps the distance of two points.",
    &[Rod::PARAMETERS],
    &[&[FORCE]],
);

/// The tables of all constraints.
pub static SCHEMAS: &[&BlockSchema] = &[&MOTION, &COUPLING, &ROD];
