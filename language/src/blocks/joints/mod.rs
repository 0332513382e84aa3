//! What all joint blocks have in common. Each joint has a file with its table; its kinematics is in
//! the file of the same name of `mechanics/src/joints/`.

pub mod bi_prismatic;
pub mod bracket;
pub mod constant_velocity;
pub mod cylindrical;
pub mod free;
pub mod planar;
pub mod prismatic;
pub mod revolute;
pub mod screw;
pub mod spherical;
pub mod tri_prismatic;
pub mod universal;

use crate::element::{
    BlockSchema, Coordinate, Family, Origin, ParameterSchema, Quantity, SignalSchema, SignalShape,
    Unit, acceleration_signal, signal,
};
use crate::reading::fields::{FrictionLaws, PerCoordinate, YesNo};
use crate::reading::ids::{BodyId, TriadId};
use crate::reading::{BlockReader, Group, parameters, words};
use mechanics::rotation::AngleType;
use mechanics::{Geometry, Vec3, vec3};

words! {
    /// Place of a joint in the structure of the model.
    pub enum Role {
        /// Carries a body.
        Tree = "tree",
        /// Closes a kinematic loop.
        Loop = "loop",
    }
}

parameters! {
    /// What a joint connects.
    pub struct Connection {
        parent: Option<BodyId> = "Parent", DySim, Unit::None, Absent("the body that names this joint"), Any, "the body that the joint carries";
        from: TriadId = "TriadFrom", DySim, Unit::None, Required, Any, "T0, the frame on the mother body";
        to: TriadId = "TriadTo", DySim, Unit::None, Required, Any, "T1, the frame on the carried body";
        role: Role = "Role", Plus, Unit::None, Word("tree"), Any, "`loop` closes a kinematic loop and is named by no Body";
    }
}

parameters! {
    /// Further properties of the coordinates.
    pub struct CoordinateOptions {
        fixed: YesNo = "Fixed", Plus, Unit::None, Word("no"), Any, "`yes` keeps `Qinit` and `QDinit` when loops are closed";
        locked: YesNo = "Locked", Plus, Unit::None, Word("no"), Any, "`yes` holds the joint at `Qinit`";
        damping: Option<PerCoordinate> = "Damping", Plus, Unit::Damping, Absent("0"), NotNegative, "viscous damping";
        stiffness: Option<PerCoordinate> = "Stiffness", Plus, Unit::Stiffness, Absent("0"), Any, "stiffness of a spring in the joint";
        rest: Option<PerCoordinate> = "QRest", Plus, Unit::Coordinate, Absent("0"), Any, "coordinate at which that spring is relaxed";
        friction: Option<FrictionLaws> = "Friction", Plus, Unit::Force, Absent("none"), NotNegative, "Coulomb friction: largest static force, and sliding force as an expression of the speed `v` or as a table `{ v1,R1, v2,R2 }`; both may follow from loads, such as `mu*r*abs(J.fz)`";
        lower: Option<PerCoordinate> = "LowerLimit", Plus, Unit::Coordinate, Absent("none"), Any, "stop at small coordinates";
        upper: Option<PerCoordinate> = "UpperLimit", Plus, Unit::Coordinate, Absent("none"), Any, "stop at large coordinates";
        stop_stiffness: Option<PerCoordinate> = "StopStiffness", Plus, Unit::Stiffness, Absent("1e6"), Positive, "stiffness of the stops";
        stop_damping: Option<PerCoordinate> = "StopDamping", Plus, Unit::Damping, Absent("0"), NotNegative, "damping of the stops";
        rotor_inertia: Option<PerCoordinate> = "RotorInertia", Plus, Unit::Inertia, Absent("0"), NotNegative, "added to the inertia of the coordinate";
    }
}

/// The table of [`Connection`].
pub(crate) const CONNECTION: &[ParameterSchema] = Connection::PARAMETERS;
/// The table of [`CoordinateOptions`].
pub(crate) const COORDINATE_OPTIONS: &[ParameterSchema] = CoordinateOptions::PARAMETERS;

const fn per_coordinate(
    name: &'static str,
    unit: Unit,
    quantity: Quantity,
    doc: &'static str,
) -> SignalSchema {
    let shape = SignalShape::PerCoordinate;
    SignalSchema { shape, unit, ..signal(name, "", doc).of(quantity, 0) }
}

const COORDINATES: &[SignalSchema] = &[
    per_coordinate("q", Unit::Coordinate, Quantity::Position, "coordinate"),
    per_coordinate("qd", Unit::Rate, Quantity::Velocity, "rate"),
    SignalSchema {
        needs_accelerations: true,
        ..per_coordinate(
            "qdd",
            Unit::Acceleration,
            Quantity::Acceleration,
            "acceleration of the coordinate",
        )
    },
    per_coordinate("f", Unit::Force, Quantity::Applied, "applied generalised force"),
];

const fn reaction_force(name: &'static str, component: u8) -> SignalSchema {
    let doc = "reaction force on T1's body, in T0";
    acceleration_signal(name, "N", doc).of(Quantity::Reaction, component)
}

const fn reaction_torque(name: &'static str, component: u8) -> SignalSchema {
    let doc = "reaction torque on T1's body, in T0";
    acceleration_signal(name, "Nm", doc).of(Quantity::Reaction, component)
}

const REACTIONS: &[SignalSchema] = &[
    reaction_force("fx", 0),
    reaction_force("fy", 1),
    reaction_force("fz", 2),
    reaction_torque("tx", 3),
    reaction_torque("ty", 4),
    reaction_torque("tz", 5),
];

const fn turning(name: &'static str, component: u8) -> SignalSchema {
    let doc = "angular velocity of T1 relative to T0, in T0";
    signal(name, "rad/s", doc).of(Quantity::Turning, component)
}

const RELATIVE_ROTATION: &[SignalSchema] = &[turning("wx", 0), turning("wy", 1), turning("wz", 2)];

/// Signals of joints with coordinates.
pub(crate) const SIGNALS: &[&[SignalSchema]] = &[COORDINATES, REACTIONS];
/// Signals of joints whose angles have singular positions.
pub(crate) const ROTATIONAL_SIGNALS: &[&[SignalSchema]] =
    &[COORDINATES, REACTIONS, RELATIVE_ROTATION];
/// Signals of a joint without coordinates.
pub(crate) const REACTIONS_ONLY: &[&[SignalSchema]] = &[REACTIONS];

/// The table of a joint.
pub(crate) const fn joint_schema(
    keyword: &'static str,
    origin: Origin,
    doc: &'static str,
    parameters: &'static [&'static [ParameterSchema]],
    coordinates: &'static [Coordinate],
    signals: &'static [&'static [SignalSchema]],
) -> BlockSchema {
    BlockSchema {
        keyword,
        family: Family::Joint,
        origin,
        doc,
        parameters,
        variants: None,
        coordinates,
        signals,
    }
}

/// A joint of any kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Bodies and frames that the joint connects.
    pub connection: Connection,
    /// Kind of the joint, with its geometry and initial values.
    pub kind: JointKind,
    /// Further properties, if any is given.
    pub options: Option<Box<CoordinateOptions>>,
}

/// The interface of a joint's parameters for the mechanics.
pub(crate) trait JointTable {
    /// The geometry of the joint as the mechanics takes it.
    fn geometry(&self) -> Geometry;

    /// Initial coordinates and rates, in the order of `Qinit`.
    fn initial(&self) -> (&[f64], &[f64]);

    /// The axes of the joint with the names of their parameters.
    fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        Vec::new()
    }

    /// The angles that the last three coordinates are, where the states are a quaternion.
    fn angle_type(&self) -> Option<AngleType> {
        None
    }
}

fn vector([x, y, z]: [f64; 3]) -> Vec3 {
    vec3(x, y, z)
}

/// Makes the enum of joints and the list of their tables from one line for each joint.
macro_rules! joint_kinds {
    ($($name:ident($module:ident::$parameters:ident) = $schema:ident,)*) => {
        /// The kinds of joints.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the names are those of the blocks")]
        pub enum JointKind {
            $($name($module::$parameters),)*
        }

        /// The tables of all joints.
        pub static SCHEMAS: &[&BlockSchema] = &[$(&$module::$schema),*];

        impl JointKind {
            fn read(reader: &mut BlockReader<'_, '_>) -> Option<Self> {
                $(if std::ptr::eq(reader.schema, &$module::$schema) {
                    return Some(Self::$name($module::$parameters::read(reader)));
                })*
                None
            }

            fn table(&self) -> &dyn JointTable {
                match self {
                    $(Self::$name(parameters) => parameters,)*
                }
            }

            /// The keyword.
            pub fn keyword(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $module::$schema.keyword,)*
                }
            }
        }
    };
}

joint_kinds! {
    Free(free::FreeParameters) = FREE,
    Bracket(bracket::BracketParameters) = BRACKET,
    Revolute(revolute::RevoluteParameters) = REVOLUTE,
    Universal(universal::UniversalParameters) = UNIVERSAL,
    Spherical(spherical::SphericalParameters) = SPHERICAL,
    Prismatic(prismatic::PrismaticParameters) = PRISMATIC,
    BiPrismatic(bi_prismatic::BiPrismaticParameters) = BI_PRISMATIC,
    TriPrismatic(tri_prismatic::TriPrismaticParameters) = TRI_PRISMATIC,
    Screw(screw::ScrewParameters) = SCREW,
    Cylindrical(cylindrical::CylindricalParameters) = CYLINDRICAL,
    Planar(planar::PlanarParameters) = PLANAR,
    ConstantVelocity(constant_velocity::ConstantVelocityParameters) = CONSTANT_VELOCITY,
}

impl Joint {
    /// Reads a joint; `None` if the block is no joint.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Option<Self> {
        let connection = Connection::read(reader);
        if connection.role == Role::Loop {
            reader.forgive(&["Parent"]);
        }
        let kind = JointKind::read(reader)?;
        let given = COORDINATE_OPTIONS.iter().any(|option| reader.find(option.name).is_some());
        let options = given.then(|| Box::new(CoordinateOptions::read(reader)));
        Some(Self { connection, kind, options })
    }

    /// The geometry of the joint as the mechanics takes it.
    pub fn geometry(&self) -> Geometry {
        self.kind.table().geometry()
    }

    /// Initial coordinates and rates, in the order of `Qinit`.
    pub fn initial(&self) -> (&[f64], &[f64]) {
        self.kind.table().initial()
    }

    /// The axes of the joint with the names of their parameters.
    pub fn axes(&self) -> Vec<(&'static str, [f64; 3])> {
        self.kind.table().axes()
    }

    /// The angles that the last three coordinates are, where the states are a quaternion.
    pub fn angle_type(&self) -> Option<AngleType> {
        self.kind.table().angle_type()
    }
}
