//! A port: the place where a component meets its surroundings.
//!
//! The port has a node of its own, which has the name of the port, and joins it rigidly to a node outside. The flow counts
//! into the component. Elements at the own node take it; if there are none, equations say what it is.

use parser::syntax::Block;

use crate::blocks::network::bonds::{BondEnd, Power};
use crate::blocks::network::port_domain::{KEYWORD, PortDomain, own_domain, written_domain};
use crate::blocks::network::{POWER, element_schema};
use crate::element::{BlockSchema, ParameterSchema, SignalSchema, signal};
use crate::reading::context::Context;
use crate::reading::fields::{
    ElectricalNode, FreeText, HydraulicNode, Name, RotationalNode, ThermalNode, TranslationalNode,
};
use crate::reading::ids::NodeId;
use crate::reading::{BlockReader, Group, parameters};
use crate::sketch::{Place, Sketch, Sketched};
use crate::writing::Writer;
use equations::domain::Domain;

parameters! {
    /// Parameters of every port.
    pub struct PortParameters {
        domain: PortDomain = "Domain", Plus, Unit::None, Required, Any, "what is equal and what flows at the port";
        about: Option<FreeText> = "About", Plus, Unit::None, Absent("none"), Any, "what it is, in words";
    }
}

/// Declares the parameter that names what a port of one domain is connected with.
macro_rules! outside {
    ($($name:ident: $type:ty;)*) => {$(
        parameters! {
            /// The outer end of a port.
            pub struct $name {
                node: Option<$type> = "Node", Plus, Unit::None, Absent("not connected: nothing flows"), Any, "node that the port is connected with";
            }
        }
    )*};
}

outside! {
    AnyEnd: Name;
    ElectricalEnd: ElectricalNode;
    RotationalEnd: RotationalNode;
    TranslationalEnd: TranslationalNode;
    ThermalEnd: ThermalNode;
    HydraulicEnd: HydraulicNode;
    BondGraphEnd: BondEnd;
}

const VOLTAGE: SignalSchema = signal("v", "V", "electrical: potential");
const CURRENT: SignalSchema = signal("i", "A", "electrical: current into the component");
const ANGLE: SignalSchema = signal("phi", "rad", "rotational: angle");
const TURNING_SPEED: SignalSchema = signal("w", "rad/s", "rotational: speed");
const TORQUE: SignalSchema = signal("tau", "Nm", "rotational: torque on the component");
const PLACE: SignalSchema = signal("s", "m", "translational: position");
const SPEED: SignalSchema = signal("v", "m/s", "translational: speed");
const FORCE: SignalSchema = signal("f", "N", "translational: force on the component");
const TEMPERATURE: SignalSchema = signal("T", "K", "thermal: temperature");
const HEAT: SignalSchema = signal("Q", "W", "thermal: heat flow into the component");
const PRESSURE: SignalSchema = signal("p", "Pa", "hydraulic: pressure above that of the tank");
const OIL: SignalSchema = signal("q", "m^3/s", "hydraulic: flow into the component");
const EFFORT: SignalSchema = signal("e", "", "bond: effort");
const FLOW: SignalSchema =
    signal("f", "", "bond: flow along the half arrow, which points into the component");

/// The table of a port whose domain is not known; it is that of the reference too.
pub static PORT: BlockSchema = table(
    &[PortParameters::PARAMETERS, AnyEnd::PARAMETERS],
    &[
        &[VOLTAGE, CURRENT, ANGLE, TURNING_SPEED, TORQUE, PLACE, SPEED, FORCE],
        &[TEMPERATURE, HEAT, PRESSURE, OIL, EFFORT, FLOW, POWER],
    ],
);
static ELECTRICAL: BlockSchema =
    table(&[PortParameters::PARAMETERS, ElectricalEnd::PARAMETERS], &[&[VOLTAGE, CURRENT, POWER]]);
static ROTATIONAL: BlockSchema = table(
    &[PortParameters::PARAMETERS, RotationalEnd::PARAMETERS],
    &[&[ANGLE, TURNING_SPEED, TORQUE, POWER]],
);
static TRANSLATIONAL: BlockSchema = table(
    &[PortParameters::PARAMETERS, TranslationalEnd::PARAMETERS],
    &[&[PLACE, SPEED, FORCE, POWER]],
);
static THERMAL: BlockSchema =
    table(&[PortParameters::PARAMETERS, ThermalEnd::PARAMETERS], &[&[TEMPERATURE, HEAT]]);
static HYDRAULIC: BlockSchema =
    table(&[PortParameters::PARAMETERS, HydraulicEnd::PARAMETERS], &[&[PRESSURE, OIL, POWER]]);
static BOND: BlockSchema =
    table(&[PortParameters::PARAMETERS, BondGraphEnd::PARAMETERS], &[&[EFFORT, FLOW, POWER]]);

const fn table(
    parameters: &'static [&'static [ParameterSchema]],
    signals: &'static [&'static [SignalSchema]],
) -> BlockSchema {
    element_schema(
        KEYWORD,
        "A place where a component meets its surroundings: a node of its own, joined to a node outside.",
        parameters,
        signals,
    )
}

/// The table for the domain that the text gives a port.
pub(crate) fn port_table(
    context: &Context<'_>,
    document: u32,
    block: &Block,
) -> &'static BlockSchema {
    match written_domain(context, document, block) {
        Some(PortDomain::Electrical) => &ELECTRICAL,
        Some(PortDomain::Rotational) => &ROTATIONAL,
        Some(PortDomain::Translational) => &TRANSLATIONAL,
        Some(PortDomain::Thermal) => &THERMAL,
        Some(PortDomain::Hydraulic) => &HYDRAULIC,
        Some(PortDomain::Bond) => &BOND,
        None => &PORT,
    }
}

/// What a port is connected with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Outside {
    /// Nothing.
    Nothing,
    /// A node.
    Node(NodeId),
    /// The end of a bond that points at the component.
    Bond(BondEnd),
}

/// A port.
#[derive(Clone, Debug, PartialEq)]
pub struct Port {
    /// Parameters of the block.
    pub parameters: PortParameters,
    /// What it is connected with.
    pub outside: Outside,
    /// Its own node; none in a bond graph.
    pub inner: Option<NodeId>,
}

/// How much of a port others determine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PortUse {
    /// Elements at its node take the flow.
    Elements,
    /// Equations determine the flow.
    Equations,
    /// Nothing: nothing flows.
    Nothing,
}

impl Port {
    /// The end of the bond that points at the port.
    pub(crate) fn bond(&self) -> Option<BondEnd> {
        match self.outside {
            Outside::Bond(end) => Some(end),
            Outside::Nothing | Outside::Node(_) => None,
        }
    }

    /// Reads a port.
    pub(crate) fn read(reader: &mut BlockReader<'_, '_>) -> Self {
        let parameters = PortParameters::read(reader);
        let name = reader.context.name(reader.block);
        let domain = own_domain(reader.context, reader.block);
        let inner = domain.and_then(|domain| reader.context.node(name, domain));
        let node = match parameters.domain {
            PortDomain::Electrical => ElectricalEnd::read(reader).node.map(|node| node.0),
            PortDomain::Rotational => RotationalEnd::read(reader).node.map(|node| node.0),
            PortDomain::Translational => TranslationalEnd::read(reader).node.map(|node| node.0),
            PortDomain::Thermal => ThermalEnd::read(reader).node.map(|node| node.0),
            PortDomain::Hydraulic => HydraulicEnd::read(reader).node.map(|node| node.0),
            PortDomain::Bond => {
                let end = BondGraphEnd::read(reader).node;
                let outside = end.map_or(Outside::Nothing, Outside::Bond);
                return Self { parameters, outside, inner };
            }
        };
        Self { parameters, outside: node.map_or(Outside::Nothing, Outside::Node), inner }
    }

    /// Writes the flow out of the node outside. What more a port says depends on what all others do there, so
    /// [`close`](Self::close) comes when that is known.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let Some(inner) = self.inner else { return self.open_bond(e) };
        let Some(domain) = self.parameters.domain.of_nodes() else { return };
        let flow = e.unknown(flow_name(domain));
        e.signal(flow_name(domain), flow);
        let potential = e.potential(inner);
        e.signal(domain.potential(), potential);
        match domain {
            Domain::Rotational => e.signal_of_rate("w", potential, None),
            Domain::Translational => e.signal_of_rate("v", potential, None),
            _ => {}
        }
        if domain.is_mechanical() {
            e.signal_of_rate("power", potential, Some(flow));
        } else {
            e.signal("power", potential * flow);
        }
        if let Outside::Node(node) = self.outside {
            e.flow(node, flow);
        }
    }

    /// Writes what remains, when it is known who uses the port: potential and flow of the own node.
    pub(crate) fn close(&self, e: &Writer<'_>, user: PortUse) {
        let Some(inner) = self.inner else { return self.close_bond(e, user) };
        let Some(domain) = self.parameters.domain.of_nodes() else { return };
        let flow = e.own_signal(flow_name(domain));
        let own = e.potential(inner);
        // The balance of a node without terminals says nothing.
        if user == PortUse::Elements {
            e.flow(inner, -flow);
        }
        match self.outside {
            Outside::Node(node) => {
                e.equal(own, e.potential(node));
                e.join([node, inner]);
            }
            _ => e.equal(flow, e.number(0.0)),
        }
        if user == PortUse::Nothing {
            match self.outside {
                Outside::Node(_) => e.equal(flow, e.number(0.0)),
                // Nobody asks for the potential.
                _ => {
                    let level = domain.reference_potential(e.model.ambient_temperature());
                    e.equal(own, e.number(level));
                    e.held_node(inner);
                }
            }
        }
    }

    fn open_bond(&self, e: &Writer<'_>) {
        let (effort, flow) = (e.unknown("e"), e.unknown("f"));
        e.signal("e", effort);
        e.signal("f", flow);
        e.signal("power", effort * flow);
        if let Outside::Bond(end) = self.outside {
            end.join_start(e, [effort, flow]);
        }
    }

    /// In a bond graph a port is a 0-junction of its own bond, all bonds that end there, and equations.
    fn close_bond(&self, e: &Writer<'_>, user: PortUse) {
        let (effort, flow) = (e.own_signal("e"), e.own_signal("f"));
        let zero = e.number(0.0);
        let bonds = Power::all(e);
        bonds.iter().for_each(|bond| e.equal(bond.e, effort));
        let inward = bonds.iter().fold(zero, |sum, bond| sum + bond.inward());
        let is_joined = self.bond().is_some();
        match user {
            // Its own bond brings what the others take away; without it they bring it.
            PortUse::Elements => e.equal(flow, -inward),
            _ if !is_joined => e.equal(flow, inward),
            _ => {}
        }
        if user == PortUse::Nothing {
            let is_alone = !is_joined && bonds.is_empty();
            e.equal(if is_alone { effort } else { flow }, zero);
        }
    }

    /// The signal that is its flow.
    pub(crate) fn flow_name(&self) -> &'static str {
        self.parameters.domain.of_nodes().map_or("f", flow_name)
    }
}

/// The signal of a port that is its flow.
fn flow_name(domain: Domain) -> &'static str {
    match domain {
        Domain::Electrical => "i",
        Domain::Rotational => "tau",
        Domain::Translational => "f",
        Domain::Thermal => "Q",
        Domain::Hydraulic => "q",
    }
}

impl Sketched for Port {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        if let (Some(inner), Outside::Node(node)) = (self.inner, self.outside) {
            s.join(Place::Node(node), Place::Node(inner));
        }
    }
}
