//! Network elements: one file each, and what all of them have in common.

pub mod electrical;
pub mod signals;

use crate::element::{
    BlockSchema, Family, Origin, ParameterSchema, SignalSchema, SignalShape, Unit,
};
use crate::expression::Program;
use crate::model::read::{BlockReader, Group};
use crate::network::flatten::Writer;

use electrical::{
    bipolar, capacitor, cccs, ccvs, current_source, diode, inductor, mos, mutual_inductor, op_amp,
    potentiometer, resistor, switch, thyristor, transformer, vccs, vcvs, voltage_source, zener,
};

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
    ($($module:ident::$kind:ident as $name:ident = $schema:ident,)*) => {
        /// A network element of any kind.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the names are those of the blocks")]
        pub enum NetworkElement {
            $($name(Box<$module::$kind>),)*
            Signal(Box<signals::AnyBlock>),
        }

        /// The tables of all network elements.
        pub static SCHEMAS: &[&BlockSchema] = &[$(&$module::$schema),*];

        impl NetworkElement {
            /// Reads an element; `None` if the block is none.
            pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Option<Self> {
                $(if std::ptr::eq(reader.schema, &$module::$schema) {
                    return Some(Self::$name(Box::new($module::$kind::read(reader))));
                })*
                signals::AnyBlock::read(reader).map(|block| Self::Signal(Box::new(block)))
            }

            /// Writes the equations of the element.
            pub(crate) fn equations(&self, writer: &Writer<'_>) {
                match self {
                    $(Self::$name(element) => element.equations(writer),)*
                    Self::Signal(block) => block.block().equations(writer),
                }
            }
        }
    };
}

network_elements! {
    resistor::Resistor as Resistor = RESISTOR,
    capacitor::Capacitor as Capacitor = CAPACITOR,
    inductor::Inductor as Inductor = INDUCTOR,
    mutual_inductor::MutualInductor as MutualInductor = MUTUAL_INDUCTOR,
    voltage_source::VoltageSource as VoltageSource = VOLTAGE_SOURCE,
    current_source::CurrentSource as CurrentSource = CURRENT_SOURCE,
    switch::Switch as Switch = SWITCH,
    diode::Diode as Diode = DIODE,
    zener::Zener as Zener = ZENER,
    thyristor::Thyristor as Thyristor = THYRISTOR,
    bipolar::Bipolar as Npn = NPN,
    bipolar::Bipolar as Pnp = PNP,
    mos::Mos as Nmos = NMOS,
    mos::Mos as Pmos = PMOS,
    op_amp::OpAmp as OpAmp = OP_AMP,
    transformer::Transformer as Transformer = TRANSFORMER,
    vcvs::Vcvs as Vcvs = VCVS,
    vccs::Vccs as Vccs = VCCS,
    ccvs::Ccvs as Ccvs = CCVS,
    cccs::Cccs as Cccs = CCCS,
    potentiometer::Potentiometer as Potentiometer = POTENTIOMETER,
}

impl NetworkElement {
    /// Does it change its structure?
    pub fn switches(&self) -> bool {
        match self {
            Self::Switch(_) | Self::Zener(_) | Self::Thyristor(_) => true,
            Self::Signal(block) => block.block().switches(),
            Self::Diode(diode) => diode.model == diode::DiodeModel::Ideal,
            Self::OpAmp(amplifier) => amplifier.lowest.is_some() || amplifier.highest.is_some(),
            _ => false,
        }
    }

    /// Number of components of a signal whose block decides about it.
    pub fn width(&self, signal: &str) -> usize {
        match self {
            Self::Signal(block) => block.block().width(signal),
            _ => 1,
        }
    }

    /// Its time expressions.
    pub fn programs(&self) -> Vec<&Program> {
        match self {
            Self::Signal(block) => block.block().inputs(),
            Self::Resistor(resistor) => vec![&resistor.resistance],
            Self::Capacitor(capacitor) => vec![&capacitor.capacitance],
            Self::Inductor(inductor) => vec![&inductor.inductance],
            Self::VoltageSource(source) => vec![&source.voltage],
            Self::CurrentSource(source) => vec![&source.current],
            Self::Potentiometer(potentiometer) => vec![&potentiometer.position],
            _ => Vec::new(),
        }
    }
}
