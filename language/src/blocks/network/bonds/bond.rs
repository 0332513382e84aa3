//! A bond: the way of power between two elements, or between an element and a node of a network.
//!
//! An electrical, hydraulic or thermal node is a 0-junction: e is its potential and f flows into it. A mechanical
//! node is a 1-junction: f is its speed and e the force or torque on it.

use super::BondEnd;
use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::ids::NodeId;
use crate::reading::{Group, parameters};
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
        signal("power", "W", "power, in the direction of the half arrow"),
    ]],
);

impl Bond {
    /// What to multiply its power with for the power that it takes from nodes: a bond between two of them takes none.
    /// Temperature times heat flow is no power.
    pub(crate) fn power_from_nodes(&self, domain: impl Fn(NodeId) -> Domain) -> f64 {
        let at_node = |end: BondEnd| match end {
            BondEnd::Node(node) if domain(node) != Domain::Thermal => 1.0,
            _ => 0.0,
        };
        at_node(self.from) - at_node(self.to)
    }

    /// Writes its equations.
    pub(crate) fn equations(&self, w: &Writer<'_>) {
        let (e, f) = (w.unknown("e"), w.unknown("f"));
        w.signal("e", e);
        w.signal("f", f);
        w.signal("power", e * f);
        // Power counts into the node where the half arrow ends.
        w.join(self.from, e, f, -1.0);
        w.join(self.to, e, f, 1.0);
    }
}

impl<'a> Writer<'a> {
    /// The bond ends at a node; `sign` is 1 if the half arrow points at it.
    fn join(&self, end: BondEnd, e: Ex<'a>, f: Ex<'a>, sign: f64) {
        match end {
            BondEnd::Element(_) => {}
            BondEnd::Reference(domain) if domain.is_mechanical() => self.equal(f, self.number(0.0)),
            BondEnd::Reference(domain) => {
                self.equal(
                    e,
                    self.number(domain.reference_potential(self.model.ambient_temperature())),
                );
            }
            BondEnd::Node(node) if self.model.domain(node.index()).is_mechanical() => {
                self.equal(f, self.rate(self.potential(node)));
                self.flow(node, -sign * e);
            }
            BondEnd::Node(node) => {
                self.equal(e, self.potential(node));
                self.flow(node, -sign * f);
                // The graph behind the bond may give the node its potential.
                self.flat.borrow_mut().held.push(node);
            }
        }
    }
}
