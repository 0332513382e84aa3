//! Force elements: one file each, and the parts that all force elements have in common.
//!
//! Equations give the force or torque on the body of TriadFrom (T0); the body of TriadTo (T1) gets the
//! opposite.

pub mod bushing;
pub mod contact;
pub mod contact_simple;
pub mod force;
pub mod joint_force;
pub mod rsda;
pub mod spring;
pub mod torque;
pub mod tsda;

use crate::element::{
    BlockSchema, Family, Origin, ParameterSchema, Quantity, SignalSchema, signal,
};
use crate::reading::fields::OneSide;
use crate::reading::ids::TriadId;
use crate::reading::{BlockReader, Group, words};

words! {
    /// Axes in which a vector is given.
    pub enum VectorFrame {
        /// The axes of the world.
        World = "world",
        /// The axes of TriadTo.
        Local = "local",
    }
}

const POWER: SignalSchema =
    signal("power", "W", "power delivered to the bodies").of(Quantity::Power, 0);

/// Elements along a line between two points.
pub(crate) const LINE_SIGNALS: &[&[SignalSchema]] = &[&[
    signal("f", "N", "force, positive if it attracts"),
    signal("s", "m", "distance"),
    POWER,
    signal("energy", "J", "energy stored"),
]];
/// Elements that act on a joint coordinate.
pub(crate) const COORDINATE_SIGNALS: &[&[SignalSchema]] = &[&[
    signal("f", "N or Nm", "force on the coordinate"),
    signal("s", "m or rad", "coordinate"),
    POWER,
    signal("energy", "J", "energy stored"),
]];
/// Contacts.
pub(crate) const CONTACT_SIGNALS: &[&[SignalSchema]] = &[&[
    signal("state", "", "0 apart, 1 slipping, 2 sticking"),
    signal("f", "N", "normal force, positive if it presses"),
    signal("s", "m", "height of the point above the plane"),
    POWER,
]];
/// Elements with a force and a torque.
pub(crate) const SIX_SIGNALS: &[&[SignalSchema]] = &[FORCE_COMPONENTS, TORQUE_COMPONENTS, &[POWER]];
/// Given forces.
pub(crate) const FORCE_SIGNALS: &[&[SignalSchema]] = &[FORCE_COMPONENTS, &[POWER]];
/// Given torques.
pub(crate) const TORQUE_SIGNALS: &[&[SignalSchema]] = &[TORQUE_COMPONENTS, &[POWER]];

const FORCE_COMPONENTS: &[SignalSchema] =
    &[signal("fx", "N", "force"), signal("fy", "N", "force"), signal("fz", "N", "force")];
const TORQUE_COMPONENTS: &[SignalSchema] =
    &[signal("tx", "Nm", "torque"), signal("ty", "Nm", "torque"), signal("tz", "Nm", "torque")];

/// The table of a force element.
pub(crate) const fn force_schema(
    keyword: &'static str,
    origin: Origin,
    doc: &'static str,
    parameters: &'static [&'static [ParameterSchema]],
    signals: &'static [&'static [SignalSchema]],
) -> BlockSchema {
    BlockSchema {
        keyword,
        family: Family::Force,
        origin,
        doc,
        parameters,
        variants: None,
        coordinates: &[],
        signals,
    }
}

macro_rules! force_kinds {
    ($($module:ident::$name:ident = $schema:ident,)*) => {
        /// A force element of any kind.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the names are those of the blocks")]
        pub enum ForceElement {
            $($name(Box<$module::$name>),)*
        }

        /// The tables of all force elements.
        pub static SCHEMAS: &[&BlockSchema] = &[$(&$module::$schema),*];

        impl ForceElement {
            /// Reads a force element; `None` if the block is none.
            pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Option<Self> {
                $(if std::ptr::eq(reader.schema, &$module::$schema) {
                    return Some(Self::$name(Box::new($module::$name::read(reader))));
                })*
                None
            }
        }
    };
}

force_kinds! {
    spring::Spring = SPRING,
    rsda::Rsda = RSDA,
    tsda::Tsda = TSDA,
    contact_simple::ContactSimple = CONTACT_SIMPLE,
    contact::Contact = CONTACT,
    bushing::Bushing = BUSHING,
    force::Force = FORCE,
    torque::Torque = TORQUE,
    joint_force::JointForce = JOINT_FORCE,
}

impl ForceElement {
    /// The two triads it acts between; `None` for elements of joints and for forces without reaction.
    pub fn ends(&self) -> Option<(TriadId, TriadId)> {
        match self {
            ForceElement::Spring(spring) => Some((spring.from, spring.to)),
            ForceElement::ContactSimple(contact) => Some((contact.from, contact.to)),
            ForceElement::Contact(contact) => Some((contact.from, contact.to)),
            ForceElement::Bushing(bushing) => Some((bushing.from, bushing.to)),
            ForceElement::Force(force) => force.from.map(|from| (from, force.to)),
            ForceElement::Torque(torque) => torque.from.map(|from| (from, torque.to)),
            ForceElement::Rsda(_) | ForceElement::Tsda(_) | ForceElement::JointForce(_) => None,
        }
    }

    /// Whether the force acts in one direction only.
    pub fn is_one_sided(&self) -> bool {
        let side = match self {
            ForceElement::Spring(spring) => spring.one_side,
            ForceElement::Rsda(spring) => spring.one_side,
            ForceElement::Tsda(spring) => spring.one_side,
            _ => OneSide::Both,
        };
        side != OneSide::Both
    }
}
