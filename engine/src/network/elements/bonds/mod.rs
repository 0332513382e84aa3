//! Elements of bond graphs, one file each.
//!
//! A bond carries an effort e and a flow f; e f is the power in the direction of its half arrow. Storages and
//! resistors count power into the element: a bond that starts there counts with f negative. Sources have the
//! e and f of their bond, whichever way it points.

pub mod bond;
pub mod c;
pub mod gy;
pub mod i;
pub mod junction0;
pub mod junction1;
pub mod r;
pub mod se;
pub mod sf;
pub mod tf;

use rustc_hash::FxHashMap;

use crate::element::{BlockSchema, SignalSchema};
use crate::model::Model;
use crate::network::elements::{NetworkElement, signal};
use crate::network::expr::Ex;
use crate::network::writer::Writer;
use crate::reading::fields::BondEnd;
use crate::reading::ids::ElementId;

/// Where an element touches a bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Port {
    /// The bond.
    pub bond: ElementId,
    /// Does its half arrow point at the element?
    pub enters: bool,
}

/// The ports of each element, in the order of the text.
pub(crate) type Wiring = FxHashMap<ElementId, Vec<Port>>;

/// Finds the bonds of each element.
pub(crate) fn wiring(model: &Model) -> Wiring {
    let mut wiring = Wiring::default();
    for (index, element) in model.elements.iter().enumerate() {
        let NetworkElement::Bond(bond) = &element.what else { continue };
        let own = ElementId(index as u32);
        for (end, enters) in [(bond.from, false), (bond.to, true)] {
            if let BondEnd::Element(element) = end {
                wiring.entry(element).or_default().push(Port { bond: own, enters });
            }
        }
    }
    wiring
}

/// Effort and flow at a port.
#[derive(Clone, Copy)]
pub(crate) struct Power<'a> {
    /// The effort.
    pub e: Ex<'a>,
    /// The flow, in the direction of the half arrow.
    pub f: Ex<'a>,
    /// Does the half arrow point at the element?
    pub enters: bool,
}

impl<'a> Power<'a> {
    /// The flow that carries power into the element.
    pub fn inward(&self) -> Ex<'a> {
        if self.enters { self.f } else { -self.f }
    }

    /// The effort that carries power into the element at a common flow.
    pub fn push(&self) -> Ex<'a> {
        if self.enters { self.e } else { -self.e }
    }
}

impl<'a> Writer<'a> {
    /// All ports of the element.
    pub(crate) fn ports(&self) -> Vec<Power<'a>> {
        let ports = self.bonds.get(&self.element()).map_or(&[][..], |ports| ports);
        let power = |port: &Port| {
            let (e, f) = (self.signal_of(port.bond, "e"), self.signal_of(port.bond, "f"));
            Power { e, f, enters: port.enters }
        };
        ports.iter().map(power).collect()
    }

    /// The only port of the element. A wrong number of bonds is reported before equations are written.
    pub(crate) fn one_port(&self) -> Option<Power<'a>> {
        self.ports().first().copied()
    }

    /// The port where power enters, then the one where it leaves.
    pub(crate) fn transfer(&self) -> Option<[Power<'a>; 2]> {
        let ports = self.ports();
        let find = |enters: bool| ports.iter().find(|port| port.enters == enters).copied();
        Some([find(true)?, find(false)?])
    }

    /// The signals of an element with one port.
    fn port_signals(&self, e: Ex<'a>, f: Ex<'a>) {
        self.signal("e", e);
        self.signal("f", f);
        self.signal("power", e * f);
    }

    /// The signals of an element with two ports.
    fn transfer_signals(&self, [one, two]: &[Power<'a>; 2]) {
        self.signal("e1", one.e);
        self.signal("f1", one.f);
        self.signal("e2", two.e);
        self.signal("f2", two.f);
    }
}

/// Signals of a port.
pub(crate) const ONE_PORT: &[SignalSchema] = &[
    signal("e", "", "effort"),
    signal("f", "", "flow into the element"),
    signal("power", "W", "power that flows into the element"),
];

/// Signals of a source.
pub(crate) const SOURCE: &[SignalSchema] = &[
    signal("e", "", "effort"),
    signal("f", "", "flow along the bond"),
    signal("power", "W", "power along the bond: what the source delivers if the bond starts there"),
];

/// Signals of a transformer or gyrator.
pub(crate) const TWO_PORT: &[SignalSchema] = &[
    signal("e1", "", "effort where power enters"),
    signal("f1", "", "flow where power enters"),
    signal("e2", "", "effort where power leaves"),
    signal("f2", "", "flow where power leaves"),
];

/// May a bond end at a block with this table? At all of them but a bond.
pub(crate) fn is_element(schema: &BlockSchema) -> bool {
    let is_bond = std::ptr::eq(schema, &bond::BOND);
    !is_bond && super::BONDS.iter().any(|element| std::ptr::eq(*element, schema))
}
