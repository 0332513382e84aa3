//! Elements of bond graphs, one file each.
//!
//! A bond carries an effort e and a flow f; e f is the power in the direction of its half arrow. Storages and
//! resistors count power into the element: a bond that starts there counts with f negative. Sources have the
//! e and f of their bond, whichever way it points.

pub mod bond;
pub mod c;
mod end;
pub mod gy;
pub mod i;
pub mod junction0;
pub mod junction1;
pub mod r;
pub mod se;
pub mod sf;
pub mod tf;

pub use end::BondEnd;

use crate::codes;
use crate::element::{BlockSchema, Quantity, SignalSchema, signal};
use crate::writing::{BondPort, Writer};
use equations::expr::Ex;
use equations::expression::Program;

/// Effort and flow at a port.
#[derive(Clone, Copy)]
pub(crate) struct Power<'a> {
    /// The effort.
    pub e: Ex<'a>,
    /// The flow, in the direction of the half arrow.
    pub f: Ex<'a>,
    /// The half arrow points at the element.
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

impl<'a> Power<'a> {
    /// All ports of the element.
    pub(crate) fn all(w: &Writer<'a>) -> Vec<Power<'a>> {
        let ports = w.bonds.get(&w.element()).map_or(&[][..], |ports| ports);
        let power = |port: &BondPort| {
            let (e, f) = (w.signal_of(port.bond, "e"), w.signal_of(port.bond, "f"));
            Power { e, f, enters: port.enters }
        };
        ports.iter().map(power).collect()
    }

    /// The only port of the element. A wrong number of bonds is reported before equations are written.
    pub(crate) fn only(w: &Writer<'a>) -> Option<Power<'a>> {
        Power::all(w).first().copied()
    }

    /// The port where power enters, then the one where it leaves.
    pub(crate) fn through(w: &Writer<'a>) -> Option<[Power<'a>; 2]> {
        let ports = Power::all(w);
        let find = |enters: bool| ports.iter().find(|port| port.enters == enters).copied();
        Some([find(true)?, find(false)?])
    }
}

/// The signals of an element with one port.
fn port_signals<'a>(w: &Writer<'a>, e: Ex<'a>, f: Ex<'a>) {
    w.signal("e", e);
    w.signal("f", f);
    w.signal("power", e * f);
}

/// The signals of an element with two ports.
fn transfer_signals<'a>(w: &Writer<'a>, [one, two]: &[Power<'a>; 2]) {
    w.signal("e1", one.e);
    w.signal("f1", one.f);
    w.signal("e2", two.e);
    w.signal("f2", two.f);
}

/// What ties the two variables of an element to each other.
pub(crate) enum Constitution<'a> {
    /// Their quotient.
    Factor(Ex<'a>),
    /// An expression of the one, which gives the other.
    Law(Ex<'a>),
}

impl<'a> Constitution<'a> {
    /// The factor or the law of the element, of which exactly one is given.
    pub(crate) fn of(
        w: &Writer<'a>,
        (name, factor): (&'static str, Option<&Program>),
        law: Option<&Program>,
        what: &str,
    ) -> Option<Self> {
        match (factor, law) {
            (Some(factor), None) => return Some(Self::Factor(w.time(factor))),
            (None, Some(law)) => return Some(Self::Law(w.time(law))),
            (None, None) => w.missing(name, what),
            (Some(_), Some(_)) => {
                let words = format!("has both `{name}` and `Law`");
                w.mistake(codes::CONTRADICTION, &words, "remove one of them");
            }
        }
        None
    }
}

/// Signals of a port.
pub(crate) const ONE_PORT: &[SignalSchema] = &[
    signal("e", "", "effort"),
    signal("f", "", "flow into the element"),
    signal("power", "W", "power that flows into the element").of(Quantity::Power, 0),
];

/// Signals of a source.
pub(crate) const SOURCE: &[SignalSchema] = &[
    signal("e", "", "effort"),
    signal("f", "", "flow along the bond"),
    signal("power", "W", "power along the bond: what the source delivers if the bond starts there")
        .of(Quantity::Power, 0),
];

/// Signals of a transformer or gyrator.
pub(crate) const TWO_PORT: &[SignalSchema] = &[
    signal("e1", "", "effort where power enters"),
    signal("f1", "", "flow where power enters"),
    signal("e2", "", "effort where power leaves"),
    signal("f2", "", "flow where power leaves"),
];

/// Number of blocks that a bond may end at: all blocks of the graph but the bond itself, which is the last block.
const N_ENDS: usize = super::BONDS.len() - 1;

/// Keywords of the blocks that a bond may end at.
pub(crate) static ENDS: &[&str] = &{
    let mut keywords = [""; N_ENDS];
    let mut index = 0;
    while index < N_ENDS {
        keywords[index] = super::BONDS[index].keyword;
        index += 1;
    }
    keywords
};

/// May a bond end at a block with this table? At all of the graph but a bond.
pub(crate) fn is_element(schema: &BlockSchema) -> bool {
    ENDS.contains(&schema.keyword)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bonds_end_at_everything_but_bonds() {
        let last = super::super::BONDS[N_ENDS];
        assert_eq!(last.keyword, bond::BOND.keyword);
        assert!(!ENDS.contains(&last.keyword));
    }
}
