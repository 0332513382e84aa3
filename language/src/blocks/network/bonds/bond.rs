//! A bond: the way of power between two elements, or between an element and a node of a network.
//!
//! An electrical, hydraulic or thermal node is a 0-junction: e is its potential and f flows into it. A mechanical
//! node is a 1-junction: f is its speed and e the force or torque on it.

use super::BondEnd;
use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, Quantity, signal};
use crate::reading::ids::NodeId;
use crate::reading::{Group, parameters};
use crate::sketch::Sketched;
use crate::writing::Writer;
use equations::domain::Domain;
use equations::expr::Ex;

parameters! {
    /// A bond.
    pub struct Bond {
        from: BondEnd = "From", Plus, Unit::None, Required, Any, "element or node where the half arrow starts";
        to: BondEnd = "To", Plus, Unit::None, Required, Any, "element or node that it points at";
    }
}

/// The table of the Bond block.
pub static BOND: BlockSchema = element_schema(
    "Bond",
    "A bond, with the half arrow from From to To: elements of bond graphs, or nodes of networks.",
    &[Bond::PARAMETERS],
    &[&[
        signal("e", "", "effort"),
        signal("f", "", "flow, in the direction of the half arrow"),
        signal("power", "W", "power, in the direction of the half arrow").of(Quantity::Power, 0),
    ]],
);

impl Bond {
    /// Factor from the power of the bond to the power that the bond takes from nodes: a bond between two nodes takes none.
    /// Temperature times heat flow is no power.
    pub(crate) fn power_from_nodes(&self, domain: impl Fn(NodeId) -> Domain) -> f64 {
        let at_node = |end: BondEnd| match end {
            BondEnd::Node(node) if domain(node) != Domain::Thermal => 1.0,
            _ => 0.0,
        };
        at_node(self.from) - at_node(self.to)
    }

    /// Factor from the power of the bond to the product of temperature and heat flow that goes into thermal nodes.
    pub(crate) fn product_into_heat(&self, domain: impl Fn(NodeId) -> Domain) -> f64 {
        let at_heat = |end: BondEnd| match end {
            BondEnd::Node(node) if domain(node) == Domain::Thermal => 1.0,
            BondEnd::Reference(Domain::Thermal) => 1.0,
            _ => 0.0,
        };
        at_heat(self.to) - at_heat(self.from)
    }

    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let (e, f) = (w.unknown("e"), w.unknown("f"));
        w.signal("e", e);
        w.signal("f", f);
        w.signal("power", e * f);
        // Power counts into the node where the half arrow ends.
        join(w, self.from, [e, f], -1.0);
        join(w, self.to, [e, f], 1.0);
    }
}

impl BondEnd {
    /// A half arrow with this effort and flow starts here and points at a port.
    pub(crate) fn join_start<'a>(self, w: &Writer<'a>, power: [Ex<'a>; 2]) {
        join(w, self, power, -1.0);
    }
}

/// The bond ends at a node; `sign` is 1 if the half arrow points at it.
fn join<'a>(w: &Writer<'a>, end: BondEnd, [e, f]: [Ex<'a>; 2], sign: f64) {
    match end {
        BondEnd::Element(_) => {}
        BondEnd::Reference(domain) if domain.is_mechanical() => w.equal(f, w.number(0.0)),
        BondEnd::Reference(domain) => {
            w.equal(e, w.number(domain.reference_potential(w.model.ambient_temperature())));
        }
        BondEnd::Node(node) if w.model.domain(node.index()).is_mechanical() => {
            w.equal(f, w.rate(w.potential(node)));
            w.flow(node, -sign * e);
        }
        BondEnd::Node(node) => {
            w.equal(e, w.potential(node));
            w.flow(node, -sign * f);
            // The graph behind the bond may give the node its potential.
            w.flat.borrow_mut().held.push(node);
        }
    }
}

impl Sketched for Bond {}
