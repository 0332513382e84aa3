//! A rod that moves with the distance of two points, rigidly.

use crate::blocks::network::{POWER, element_schema};
use crate::codes;
use crate::element::{BlockSchema, signal};
use crate::reading::fields::TranslationalNode;
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};
use crate::sketch::{Sketch, Sketched};
use crate::writing::Writer;

parameters! {
    /// A rod that moves with the distance of two points.
    pub struct LineAxis {
        flange: TranslationalNode = "flange", Plus, Unit::None, Required, Any, "rod that moves with the distance";
        from: TriadId = "TriadFrom", Plus, Unit::None, Required, Any, "triad at one end of the line";
        to: TriadId = "TriadTo", Plus, Unit::None, Required, Any, "triad at the other end";
    }
}

/// The table of the LineAxis block.
pub static LINE_AXIS: BlockSchema = element_schema(
    "LineAxis",
    "A rod that moves with the distance of two triads, rigidly: its position is the distance, and what flows in at the \
     flange drives the two points apart, along the line on both bodies. The fixed end `base` of the train stands for \
     the body of TriadFrom.",
    &[LineAxis::PARAMETERS],
    &[
        &[
            signal("s", "m", "distance"),
            signal("sd", "m/s", "its rate"),
            signal("f", "N", "force that drives the points apart"),
        ],
        &[POWER],
    ],
);

impl LineAxis {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        if self.from == self.to {
            let help = "name the triads at both ends of the line";
            return e.mistake(codes::SAME_BODY, "has one triad for both of its ends", help);
        }
        if let Some([s, sd, f]) = e.line_axis(self.flange.0, [self.from, self.to]) {
            e.signal("s", s);
            e.signal("sd", sd);
            e.signal("f", f);
            e.signal("power", f * sd);
        }
    }
}

impl Sketched for LineAxis {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        s.boxed(&[self.flange.0], "the bodies at both ends of the line");
    }
}
