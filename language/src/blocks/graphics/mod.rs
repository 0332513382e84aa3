//! Graphics primitives: one file per shape. They only decorate; they carry no mass.

pub mod axes;
pub mod coil;
pub mod cone;
pub mod cuboid;
pub mod cylinder;
pub mod extrude;
pub mod mesh;
pub mod sphere;
pub mod tetraeder;
pub mod trail;

use mechanics::Pose;

use crate::blocks::body::pose;
use crate::element::{BlockSchema, Family, Origin, Variant, Variants};
use crate::reading::fields::{AngleType, Degrees};
use crate::reading::ids::BodyId;
use crate::reading::{BlockReader, Group, parameters};

macro_rules! shapes {
    ($($module:ident::$name:ident = $word:literal $origin:ident $doc:literal,)*) => {
        crate::reading::words! {
            /// The kinds of primitives.
            pub enum ShapeType {
                $(#[doc = $doc] $name = $word,)*
            }
        }

        /// A shape with its dimensions.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Shape {
            $(#[doc = $doc] $name($module::$name),)*
        }

        impl Shape {
            fn read(kind: ShapeType, reader: &mut BlockReader<'_, '_>) -> Self {
                match kind {
                    $(ShapeType::$name => Shape::$name($module::$name::read(reader)),)*
                }
            }
        }

        impl ShapeType {
            /// The parameters of this kind of shape.
            fn parameters(self) -> &'static [crate::element::ParameterSchema] {
                match self {
                    $(ShapeType::$name => $module::$name::PARAMETERS,)*
                }
            }
        }

        static VARIANTS: Variants = Variants {
            selector: "Type",
            choices: &[$(Variant {
                word: $word,
                origin: Origin::$origin,
                doc: $doc,
                parameters: $module::$name::PARAMETERS,
            }),*],
        };
    };
}

shapes! {
    cylinder::Cylinder = "Cylinder" DySim "Centred at the origin, axis z, elliptic ends, may taper.",
    cuboid::Cuboid = "Box" DySim "Centred at the origin, sides parallel to the axes.",
    axes::Axes = "Axes" DySim "Three axes; z in `Color`.",
    sphere::Sphere = "Sphere" DySim "An ellipsoid around the origin.",
    cone::Cone = "Cone" DySim "Base in the xy plane, tip at +z.",
    extrude::Extrude = "Extrude" DySim "A prism, half its height on each side of the xy plane.",
    tetraeder::Tetraeder = "Tetraeder" DySim "Four corners; 2, 3, 4 counter-clockwise seen from 1.",
    mesh::Mesh = "Mesh" Plus "A surface from a file.",
    coil::Coil = "Spring" Plus "A coil between two triads that stretches with them.",
    trail::Trail = "Trail" Plus "The path of a point.",
}

parameters! {
    /// What all primitives have in common.
    pub struct Placement {
        parent: Option<BodyId> = "Parent", DySim, Unit::None, Absent("world"), Any, "the body that carries it, or `world`; a coil or trail needs none";
        position: [f64; 3] = "Position", DySim, Unit::Is("m"), Number(0.0), Any, "origin in the body frame";
        cardan: [f64; 3] = "Cardan", DySim, Unit::Is("rad"), Number(0.0), Any, "orientation in the body frame, Cardan angles";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles in this block";
        color: [f64; 4] = "Color", DySim, Unit::None, Number(0.0), Between(0.0, 1.0), "red, green, blue, and an intensity that scales the mixture";
        kind: ShapeType = "Type", DySim, Unit::None, Required, Any, "kind of the shape";
    }
}

impl Placement {
    /// The pose in the body frame.
    pub fn pose(&self) -> Pose {
        pose(self.position, self.cardan, AngleType::Cardan)
    }
}

/// A primitive.
#[derive(Clone, Debug, PartialEq)]
pub struct Primitive {
    /// Place and colour of the primitive.
    pub placement: Placement,
    /// Shape of the primitive.
    pub shape: Shape,
}

impl Primitive {
    /// Reads a primitive.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Self {
        let placement = Placement::read(reader);
        let kind = placement.kind;
        let known = reader.find("Type").is_some_and(|given| {
            let values = reader.values(given);
            values.first().is_some_and(|&id| ShapeType::from_word(reader.raw(id)).is_some())
        });
        if !known {
            // The type is missing or wrong, which is reported; nothing else can be checked.
            let shape = reader.silently(|reader| Shape::read(kind, reader));
            return Self { placement, shape };
        }
        let shape = Shape::read(kind, reader);
        // Coils and trails hang on triads, everything else on a body.
        let on_triads = matches!(kind, ShapeType::Coil | ShapeType::Trail);
        if on_triads {
            reader.forgive(&["Parent", "Position", "Cardan", "Degrees"]);
        } else if !reader.is_written("Parent") {
            reader.forgive(&["Parent"]);
            Placement::PARAMETERS.first().into_iter().for_each(|parent| reader.required(parent));
        }
        reader.warn_of_other_variants(kind.word(), kind.parameters());
        Self { placement, shape }
    }
}

/// The table of the Primitive block.
pub static PRIMITIVE: BlockSchema = BlockSchema {
    keyword: "Primitive",
    family: Family::Primitive,
    origin: Origin::DySim,
    doc: "A shape that the animator draws; it has no influence on the motion.",
    parameters: &[Placement::PARAMETERS],
    variants: Some(&VARIANTS),
    coordinates: &[],
    signals: &[],
};
