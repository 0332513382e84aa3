//! Constraints besides joints, one file each: prescribed motion, coupled coordinates, rods, rolling.

mod coupling;
mod motion;
mod rod;
mod rolling;

pub use coupling::Coupling;
pub use motion::Motion;
pub use rod::Rod;
pub use rolling::{Rolling, RollingShape};

use crate::element::{
    BlockSchema, Family, Origin, ParameterSchema, Quantity, SignalSchema, acceleration_signal,
};
use crate::reading::ids::TriadId;
use crate::reading::{BlockReader, Group};

/// A constraint of any kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Constraint {
    /// Prescribed coordinates.
    Motion(Motion),
    /// Coupled coordinates.
    Coupling(Coupling),
    /// Constant distance.
    Rod(Rod),
    /// Rolling on a plane.
    Rolling(Rolling),
}

impl Constraint {
    /// Reads a constraint; `None` if the block is none.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Option<Self> {
        Some(match reader.schema.keyword {
            "Motion" => Constraint::Motion(Motion::read(reader)),
            "Coupling" => Constraint::Coupling(Coupling::read(reader)),
            "Rod" => Constraint::Rod(Rod::read(reader)),
            "Rolling" => Constraint::Rolling(Rolling::read(reader)),
            _ => return None,
        })
    }

    /// The triads that it connects, if it connects two.
    pub fn ends(&self) -> Option<(TriadId, TriadId)> {
        match self {
            Constraint::Rod(rod) => Some((rod.from, rod.to)),
            Constraint::Rolling(rolling) => Some((rolling.from, rolling.to)),
            Constraint::Motion(_) | Constraint::Coupling(_) => None,
        }
    }
}

const FORCE: SignalSchema =
    acceleration_signal("f", "N or Nm", "constraint force").of(Quantity::ConstraintForce, 0);

const fn constraint_schema(
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

/// The tables of all constraints.
pub static SCHEMAS: &[&BlockSchema] =
    &[&motion::MOTION, &coupling::COUPLING, &rod::ROD, &rolling::ROLLING];
