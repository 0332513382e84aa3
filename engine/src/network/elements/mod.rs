//! Network elements: one file each, and what all of them have in common.

pub mod electrical;
pub mod rotational;
pub mod translational;

mod spring;

use crate::element::{
    BlockSchema, Family, Origin, ParameterSchema, SignalSchema, SignalShape, Unit,
};
use crate::model::read::{BlockReader, Group};
use crate::network::flatten::Writer;

/// Thermal voltage k T/e at 27 degrees Celsius, V.
pub const THERMAL_VOLTAGE: f64 = 0.025864186;

/// A signal of an element.
pub(crate) const fn signal(
    name: &'static str,
    unit: &'static str,
    doc: &'static str,
) -> SignalSchema {
    SignalSchema {
        name,
        shape: SignalShape::Scalar,
        unit: Unit::Is(unit),
        needs_accelerations: false,
        doc,
    }
}

/// Power that flows into an element.
pub(crate) const POWER: SignalSchema = signal("power", "W", "power that flows into the element");

/// Signals of every electrical element with two terminals.
pub(crate) const TWO_PIN: &[SignalSchema] =
    &[signal("v", "V", "voltage v_p - v_n"), signal("i", "A", "current into p"), POWER];

/// Signals of every rotational element with two flanges.
pub(crate) const TWO_SHAFTS: &[SignalSchema] = &[
    signal("phi", "rad", "angle phi_b - phi_a"),
    signal("w", "rad/s", "speed w_b - w_a"),
    signal("tau", "Nm", "torque into the element at b, out of it at a"),
    POWER,
];

/// Signals of every translational element with two flanges.
pub(crate) const TWO_RODS: &[SignalSchema] = &[
    signal("s", "m", "distance s_b - s_a"),
    signal("v", "m/s", "speed v_b - v_a"),
    signal("f", "N", "force into the element at b, out of it at a"),
    POWER,
];

/// The table of an element.
pub(crate) const fn element_schema(
    keyword: &'static str,
    doc: &'static str,
    parameters: &'static [&'static [ParameterSchema]],
    signals: &'static [&'static [SignalSchema]],
) -> BlockSchema {
    BlockSchema {
        keyword,
        family: Family::Network,
        origin: Origin::Plus,
        doc,
        parameters,
        variants: None,
        coordinates: &[],
        signals,
    }
}

macro_rules! network_elements {
    ($($domain:ident::$module:ident::$kind:ident as $name:ident = $schema:ident,)*) => {
        /// A network element of any kind.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the names are those of the blocks")]
        pub enum NetworkElement {
            $($name(Box<$domain::$module::$kind>),)*
        }

        /// The tables of all network elements.
        pub static SCHEMAS: &[&BlockSchema] = &[$(&$domain::$module::$schema),*];

        impl NetworkElement {
            /// Reads an element; `None` if the block is none.
            pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Option<Self> {
                $(if std::ptr::eq(reader.schema, &$domain::$module::$schema) {
                    return Some(Self::$name(Box::new($domain::$module::$kind::read(reader))));
                })*
                None
            }

            /// Writes the equations of the element.
            pub(crate) fn equations(&self, writer: &Writer<'_>) {
                match self {
                    $(Self::$name(element) => element.equations(writer),)*
                }
            }
        }
    };
}

network_elements! {
    electrical::resistor::Resistor as Resistor = RESISTOR,
    electrical::capacitor::Capacitor as Capacitor = CAPACITOR,
    electrical::inductor::Inductor as Inductor = INDUCTOR,
    electrical::mutual_inductor::MutualInductor as MutualInductor = MUTUAL_INDUCTOR,
    electrical::voltage_source::VoltageSource as VoltageSource = VOLTAGE_SOURCE,
    electrical::current_source::CurrentSource as CurrentSource = CURRENT_SOURCE,
    electrical::switch::Switch as Switch = SWITCH,
    electrical::diode::Diode as Diode = DIODE,
    electrical::zener::Zener as Zener = ZENER,
    electrical::thyristor::Thyristor as Thyristor = THYRISTOR,
    electrical::bipolar::Bipolar as Npn = NPN,
    electrical::bipolar::Bipolar as Pnp = PNP,
    electrical::mos::Mos as Nmos = NMOS,
    electrical::mos::Mos as Pmos = PMOS,
    electrical::op_amp::OpAmp as OpAmp = OP_AMP,
    electrical::transformer::Transformer as Transformer = TRANSFORMER,
    electrical::vcvs::Vcvs as Vcvs = VCVS,
    electrical::vccs::Vccs as Vccs = VCCS,
    electrical::ccvs::Ccvs as Ccvs = CCVS,
    electrical::cccs::Cccs as Cccs = CCCS,
    electrical::potentiometer::Potentiometer as Potentiometer = POTENTIOMETER,
    rotational::inertia::Inertia as Inertia = INERTIA,
    rotational::torsion_spring::TorsionSpring as TorsionSpring = TORSION_SPRING,
    rotational::torque_source::TorqueSource as TorqueSource = TORQUE_SOURCE,
    translational::mass::Mass as Mass = MASS,
    translational::linear_spring::LinearSpring as LinearSpring = LINEAR_SPRING,
    translational::force_source::ForceSource as ForceSource = FORCE_SOURCE,
}
