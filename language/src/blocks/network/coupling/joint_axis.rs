//! A shaft or rod that moves with a joint coordinate, rigidly.

use crate::blocks::network::{POWER, element_schema};
use crate::codes;
use crate::element::{BlockSchema, Coordinate, signal};
use crate::reading::fields::JointFlange;
use crate::reading::ids::JointId;
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched};
use crate::writing::Writer;
use equations::domain::Domain;

parameters! {
    /// A shaft or rod that moves with a joint coordinate.
    pub struct JointAxis {
        flange: JointFlange = "flange", Plus, Unit::None, Required, Any, "shaft (or rod, if the component is a shift) that moves with the coordinate";
        joint: JointId = "Joint", Plus, Unit::None, Required, Any, "the joint";
        component: u32 = "Component", Plus, Unit::None, Number(1.0), AtLeast(1.0), "which of its coordinates, from 1";
    }
}

/// The table of the JointAxis block.
pub static JOINT_AXIS: BlockSchema = element_schema(
    "JointAxis",
    "A shaft or rod that moves with a joint coordinate, rigidly: its angle is the coordinate, and what flows in at the \
     flange acts between mother body and body. The fixed end `base` of the train stands for the mother body.",
    &[JointAxis::PARAMETERS],
    &[
        &[
            signal("q", "rad, m", "coordinate"),
            signal("qd", "rad/s, m/s", "its rate"),
            signal("tau", "Nm, N", "generalised force on the joint"),
        ],
        &[POWER],
    ],
);

impl JointAxis {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let joint = e.model.block_of_joint(self.joint);
        let schema = e.model.schema(joint);
        let name = e.model.name(joint);
        let (count, component) = (schema.coordinates.len(), self.component as usize);
        let Some(coordinate) = schema.coordinates.get(component - 1) else {
            let words = format!(
                "has component {}, but the {} `{name}` has {count} coordinate{}",
                self.component,
                schema.keyword,
                if count == 1 { "" } else { "s" }
            );
            return e.mistake(codes::JOINT_AXIS, &words, "components count from 1");
        };
        if matches!(schema.keyword, "Free" | "Spherical") {
            let words = format!(
                "is on the {} `{name}`, whose angles are no axes of their own",
                schema.keyword
            );
            let help =
                "use a joint with axes: Revolute, Prismatic, Universal, Cylindrical, Planar, ...";
            return e.mistake(codes::JOINT_AXIS, &words, help);
        }
        let domain = match coordinate {
            Coordinate::Angle => Domain::Rotational,
            Coordinate::Shift => Domain::Translational,
        };
        let Some(flange) = e.model.node(self.flange.0) else { return };
        if !flange.is_reference && flange.domain != domain {
            let words = format!("needs a {} flange for this component", domain.words());
            let help = "another terminal at this node has made it one of the other kind";
            return e.mistake(codes::JOINT_AXIS, &words, help);
        }
        if let Some([q, qd, tau]) = e.joint_axis(self.flange.0, self.joint, component - 1) {
            e.signal("q", q);
            e.signal("qd", qd);
            e.signal("tau", tau);
            e.signal("power", tau * qd);
        }
    }
}

impl Sketched for JointAxis {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        s.boxed(&[self.flange.0], "the bodies behind the joint");
    }
}
