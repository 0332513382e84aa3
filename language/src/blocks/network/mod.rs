//! Network elements: one file each, and the parts that all network elements have in common.

pub mod actions;
pub mod bonds;
pub mod coupling;
pub mod electrical;
pub mod electromechanical;
pub mod hydraulic;
pub mod rotational;
pub mod signals;
pub mod thermal;
pub mod translational;
pub mod user_equations;

mod dry_friction;
pub mod port_domain;
mod spring_law;
mod valve;

use crate::element::{
    BlockSchema, Family, Origin, ParameterSchema, Quantity, SignalSchema, signal,
};
use crate::reading::{BlockReader, Group};
use crate::sketch::{Sketch, Sketched};
use crate::writing::Writer;
use user_equations::variable::VariableType;

/// Thermal voltage k T/e at 27 degrees Celsius, V.
pub const THERMAL_VOLTAGE: f64 = 0.025864186;

/// Power that flows into an element.
pub(crate) const POWER: SignalSchema =
    signal("power", "W", "power that flows into the element").of(Quantity::Power, 0);

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

/// Signals of every hydraulic element with two ports.
pub(crate) const TWO_PORT: &[SignalSchema] =
    &[signal("dp", "Pa", "pressure p_a - p_b"), signal("q", "m^3/s", "flow into a"), POWER];

/// Signals of hydraulic sources, whose flow counts in the other direction.
pub(crate) const SOURCE_PORT: &[SignalSchema] =
    &[signal("dp", "Pa", "pressure p_a - p_b"), signal("q", "m^3/s", "flow delivered to a"), POWER];

/// Signals of every thermal element with two ports.
pub(crate) const HEAT_PATH: &[SignalSchema] =
    &[signal("dT", "K", "temperature T_a - T_b"), signal("Q", "W", "heat flow into a")];

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
    ($($(#[$meta:meta])* $list:ident {
        $($domain:ident::$module:ident::$kind:ident as $name:ident = $schema:ident,)*
    })*) => {
        /// A network element of any kind.
        #[derive(Clone, Debug, PartialEq)]
        #[allow(missing_docs, reason = "the names are those of the blocks")]
        pub enum NetworkElement {
            $($($name(Box<$domain::$module::$kind>),)*)*
            Signal(Box<signals::AnyBlock>),
        }

        $(
            $(#[$meta])*
            pub static $list: &[&BlockSchema] = &[$(&$domain::$module::$schema),*];
        )*

        impl NetworkElement {
            /// Reads an element; `None` if the block is none.
            pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Option<Self> {
                // A port has a table for each domain.
                if reader.schema.keyword == user_equations::port::PORT.keyword {
                    let port = user_equations::port::Port::read(reader);
                    return Some(Self::Port(Box::new(port)));
                }
                $($(if std::ptr::eq(reader.schema, &$domain::$module::$schema) {
                    return Some(Self::$name(Box::new($domain::$module::$kind::read(reader))));
                })*)*
                // Every automaton has a table of its own.
                if reader.schema.keyword == actions::automaton::AUTOMATON.keyword {
                    let automaton = actions::automaton::Automaton::read(reader);
                    return Some(Self::Automaton(Box::new(automaton)));
                }
                signals::AnyBlock::read(reader).map(|block| Self::Signal(Box::new(block)))
            }

            /// What the element is in a bond graph.
            pub(crate) fn sketch<'m>(&'m self, sketch: &mut Sketch<'m>) {
                match self {
                    $($(Self::$name(element) => element.sketch(sketch),)*)*
                    Self::Signal(_) => {}
                }
            }

            /// Writes the equations of the element.
            pub(crate) fn equations(&self, writer: &Writer<'_>) {
                match self {
                    $($(Self::$name(element) => element.equations(writer),)*)*
                    Self::Signal(block) => block.block().equations(writer),
                }
            }
        }
    };
}

network_elements! {
    /// Elements of circuits.
    ELECTRICAL {
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
        electrical::jfet::Jfet as Njf = NJF,
        electrical::jfet::Jfet as Pjf = PJF,
        electrical::mos::Mos as Nmos = NMOS,
        electrical::mos::Mos as Pmos = PMOS,
        electrical::op_amp::OpAmp as OpAmp = OP_AMP,
        electrical::transformer::Transformer as Transformer = TRANSFORMER,
        electrical::vcvs::Vcvs as Vcvs = VCVS,
        electrical::vccs::Vccs as Vccs = VCCS,
        electrical::ccvs::Ccvs as Ccvs = CCVS,
        electrical::cccs::Cccs as Cccs = CCCS,
        electrical::potentiometer::Potentiometer as Potentiometer = POTENTIOMETER,
    }
    /// Elements of shafts.
    ROTATIONAL {
        rotational::inertia::Inertia as Inertia = INERTIA,
        rotational::torsion_spring::TorsionSpring as TorsionSpring = TORSION_SPRING,
        rotational::gear::Gear as Gear = GEAR,
        rotational::friction::Friction as Friction = FRICTION,
        rotational::brake::Brake as Brake = BRAKE,
        rotational::clutch::Clutch as Clutch = CLUTCH,
        rotational::torque_source::TorqueSource as TorqueSource = TORQUE_SOURCE,
        rotational::speed_source::SpeedSource as SpeedSource = SPEED_SOURCE,
        rotational::angle_source::AngleSource as AngleSource = ANGLE_SOURCE,
        rotational::planetary::Planetary as Planetary = PLANETARY,
        rotational::differential::Differential as Differential = DIFFERENTIAL,
    }
    /// Elements of rods.
    TRANSLATIONAL {
        translational::mass::Mass as Mass = MASS,
        translational::linear_spring::LinearSpring as LinearSpring = LINEAR_SPRING,
        translational::linear_friction::LinearFriction as LinearFriction = LINEAR_FRICTION,
        translational::stop::Stop as Stop = STOP,
        translational::force_source::ForceSource as ForceSource = FORCE_SOURCE,
        translational::velocity_source::VelocitySource as VelocitySource = VELOCITY_SOURCE,
        translational::position_source::PositionSource as PositionSource = POSITION_SOURCE,
        translational::rack_pinion::RackPinion as RackPinion = RACK_PINION,
    }
    /// Machines.
    ELECTROMECHANICAL {
        electromechanical::motor::Motor as Motor = MOTOR,
        electromechanical::motor::Motor as Generator = GENERATOR,
        electromechanical::emf::Emf as Emf = EMF,
        electromechanical::solenoid::Solenoid as Solenoid = SOLENOID,
    }
    /// Elements of heat.
    THERMAL {
        thermal::heat_capacity::HeatCapacity as HeatCapacity = HEAT_CAPACITY,
        thermal::thermal_resistor::ThermalResistor as ThermalResistor = THERMAL_RESISTOR,
        thermal::heat_source::HeatSource as HeatSource = HEAT_SOURCE,
        thermal::temperature_source::TemperatureSource as TemperatureSource = TEMPERATURE_SOURCE,
    }
    /// Elements of oil.
    HYDRAULIC {
        hydraulic::compliance::Compliance as Compliance = COMPLIANCE,
        hydraulic::hydraulic_resistor::HydraulicResistor as HydraulicResistor = HYDRAULIC_RESISTOR,
        hydraulic::inertance::Inertance as Inertance = INERTANCE,
        hydraulic::flow_source::FlowSource as FlowSource = FLOW_SOURCE,
        hydraulic::pressure_source::PressureSource as PressureSource = PRESSURE_SOURCE,
        hydraulic::check_valve::CheckValve as CheckValve = CHECK_VALVE,
        hydraulic::hydraulic_cylinder::Cylinder as Cylinder = CYLINDER,
    }
    /// What happens at events.
    ACTIONS {
        actions::when::When as When = WHEN,
        actions::automaton::Automaton as Automaton = AUTOMATON,
    }
    /// Equations of one's own.
    EQUATIONS {
        user_equations::variable::Variable as Variable = VARIABLE,
        user_equations::port::Port as Port = PORT,
        user_equations::equation_lines::Equations as Equations = EQUATIONS,
    }
    /// What joins networks and bodies.
    COUPLING {
        coupling::joint_axis::JointAxis as JointAxis = JOINT_AXIS,
        coupling::line_axis::LineAxis as LineAxis = LINE_AXIS,
    }
    /// Elements of bond graphs.
    BONDS {
        bonds::se::Se as Se = SE,
        bonds::se::Se as MSe = MSE,
        bonds::sf::Sf as Sf = SF,
        bonds::sf::Sf as MSf = MSF,
        bonds::r::R as R = R_ELEMENT,
        bonds::r::R as MR = MR,
        bonds::c::C as C = C_ELEMENT,
        bonds::c::C as MC = MC,
        bonds::i::I as I = I_ELEMENT,
        bonds::i::I as MI = MI,
        bonds::tf::Tf as TF = TF,
        bonds::tf::Tf as MTF = MTF,
        bonds::gy::Gy as GY = GY,
        bonds::gy::Gy as MGY = MGY,
        bonds::junction0::Junction0 as Junction0 = JUNCTION0,
        bonds::junction1::Junction1 as Junction1 = JUNCTION1,
        bonds::bond::Bond as Bond = BOND,
    }
}

impl NetworkElement {
    /// A signal as a function of time, if it is that.
    pub(crate) fn of_time(&self, signal: &str) -> Option<equations::expression::Program> {
        match self {
            Self::Signal(block) => block.block().of_time(signal),
            _ => None,
        }
    }

    /// Do its signals change at events only?
    pub(crate) fn takes_steps(&self) -> bool {
        match self {
            Self::Automaton(_) => true,
            Self::Variable(variable) => variable.kind != VariableType::Real,
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
}
