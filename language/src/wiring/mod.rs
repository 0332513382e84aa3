//! From the elements of a model to the equations of its networks.
//!
//! Every element writes its own equations; every node adds one, the sum of its flows. What needs a view of all elements
//! is here: which inductors share flux, where bonds end, which shafts are one rigid train, whether every part of a
//! circuit has a reference. What becomes of the equations is the business of `network`.

mod instance_equations;
mod inverse;
mod model_surroundings;
mod network_topology;
mod sampling_order;
mod settings;
mod trains;
mod windings;

use std::cell::{Cell, RefCell};

use parser::diagnostic::{Diagnostic, Severity};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::blocks::network::bonds::BondEnd;
use crate::blocks::network::{BONDS, NetworkElement};
use crate::codes;
use crate::element::{Quantity, SignalShape};
use crate::model::{Declared, Model};
use crate::reading::ids::{ElementId, NodeId};
use crate::writing::{BondPort, Writer};
use equations::expr::Arena;
use equations::expression::SignalRef;
use equations::flat::Flat;
use equations::flattened::Flattened;
use instance_equations::PortUses;

/// Writes the equations of all elements and nodes.
fn flatten(model: &Model, arena: &RefCell<Arena>) -> (Flat, PortUses) {
    let writer = Writer {
        arena,
        flat: RefCell::new(Flat::default()),
        model,
        block: Cell::new(0),
        late: RefCell::default(),
        images: RefCell::default(),
        windings: windings::find(model),
        bonds: bonds(model),
        axes: RefCell::default(),
    };
    writer.nodes();
    // Unknowns first, so that equations name them and not stand-ins.
    let is_unknown = |what: &NetworkElement| {
        matches!(what, NetworkElement::Variable(_) | NetworkElement::Port(_))
    };
    let is_line = |what: &NetworkElement| matches!(what, NetworkElement::Equations(_));
    let write = |wanted: &dyn Fn(&NetworkElement) -> bool| {
        for element in model.elements.iter().filter(|element| wanted(&element.what)) {
            writer.block.set(element.block);
            element.what.equations(&writer);
        }
    };
    write(&is_unknown);
    write(&|what| !is_unknown(what) && !is_line(what));
    // Lines come last: they name the coordinates of ports.
    inverse::open_axes(&writer, model);
    write(&is_line);
    let uses = instance_equations::close_ports(&writer, model);
    writer.late_signals(true);
    trains::check(&writer, model);
    let groups = trains::groups(model, &writer.flat.borrow().ports.list);
    writer.couple(&groups);
    writer.define_used();
    writer.storages();
    instance_equations::check_fixed(&writer, model);
    writer.late_signals(false);
    settings::resolve(&writer, model);
    let mut flat = writer.flat.into_inner();
    sampling_order::sort(model, &mut flat);
    (flat, uses)
}

/// The bonds of each element of a bond graph, in the order of the text.
pub(crate) fn bonds(model: &Model) -> FxHashMap<ElementId, Vec<BondPort>> {
    let mut bonds: FxHashMap<ElementId, Vec<BondPort>> = FxHashMap::default();
    for (index, element) in model.elements.iter().enumerate() {
        let own = ElementId(index as u32);
        let ends = match &element.what {
            NetworkElement::Bond(bond) => vec![(bond.from, false), (bond.to, true)],
            NetworkElement::Port(port) => port.bond().map(|end| (end, false)).into_iter().collect(),
            _ => continue,
        };
        for (end, enters) in ends {
            if let BondEnd::Element(element) = end {
                bonds.entry(element).or_default().push(BondPort { bond: own, enters });
            }
        }
    }
    bonds
}

/// Components that Output asks for and the block does not have.
fn outputs_too_many(model: &Model) -> Vec<Diagnostic> {
    let signals = model.output.as_ref().and_then(|output| output.signals.as_ref());
    let mut mistakes = Vec::new();
    for &(signal, span) in signals.iter().flat_map(|signals| signals.0.iter()) {
        let schema = model.blocks[signal.block as usize].schema;
        let known = schema.all_signals().nth(usize::from(signal.signal));
        let Some(known) = known.filter(|known| known.shape == SignalShape::Vector) else {
            continue;
        };
        let count = model.width(signal.block, known.name);
        if usize::from(signal.component) >= count {
            let (name, component) = (model.block_name(signal.block), signal.component + 1);
            let message = format!("`{name}.{}` has no component {component}", known.name);
            let help = format!("components count from 1 to {count}");
            mistakes.push(Diagnostic::new(codes::UNKNOWN_SIGNAL, span, message).help(help));
        }
    }
    mistakes
}

/// The equations that the elements of a model write, and the findings about them.
#[derive(Default)]
pub(crate) struct Written {
    /// Mistakes in the elements and their wiring.
    pub mistakes: Vec<Diagnostic>,
    /// Blocks that switch.
    pub switching: Vec<u32>,
    /// The equations; none if the model has no network elements.
    pub equations: Option<Flattened>,
}

/// Expressions that an element of a circuit writes, about.
const NODES_PER_ELEMENT: usize = 11;

/// Lets all elements write their equations and checks these.
pub(crate) fn write(model: &Model) -> Written {
    if model.elements.is_empty() {
        return Written::default();
    }
    let mut arena = Arena::default();
    arena.reserve(NODES_PER_ELEMENT * model.elements.len());
    let arena = RefCell::new(arena);
    let (mut flat, uses) = flatten(model, &arena);
    let mut mistakes = std::mem::take(&mut flat.mistakes);
    mistakes.extend(instance_equations::check_counts(model, &uses));
    if mistakes.iter().all(|mistake| mistake.severity < Severity::Error) {
        mistakes.extend(network_topology::check(model, &flat));
    }
    mistakes.extend(outputs_too_many(model));
    let modes = flat.modes.iter().filter(|law| !law.transitions.is_empty());
    let programs = &flat.programs;
    let expressions = (0..programs.list.len()).filter(|&k| programs.switches.has(k));
    let mut switching: Vec<u32> =
        modes.map(|law| law.block).chain(expressions.map(|k| programs.owners[k])).collect();
    switching.extend(flat.discrete.blocks().chain(flat.actions.blocks()));
    switching.sort_unstable();
    switching.dedup();
    let powers = powers(model, &flat, &uses);
    let equations = Some(Flattened { arena: arena.into_inner(), flat, powers });
    Written { mistakes, switching, equations }
}

/// The powers that count in the balance of the networks, with their signs, in ascending order.
fn powers(model: &Model, flat: &Flat, uses: &PortUses) -> Vec<(SignalRef, f64)> {
    let signs = power_signs(model, uses);
    let is_power = |signal: SignalRef| {
        let mut signals = model.blocks[signal.block as usize].schema.all_signals();
        signals
            .nth(usize::from(signal.signal))
            .is_some_and(|schema| schema.quantity == Quantity::Power)
    };
    let signals = flat.signals.iter().map(|(signal, _)| signal);
    let signed = signals.filter_map(|signal| Some((signal, signs[signal.block as usize]?)));
    let mut powers: Vec<(SignalRef, f64)> =
        signed.filter(|(signal, _)| is_power(*signal)).collect();
    powers.sort_unstable_by_key(|(signal, _)| *signal);
    powers
}

/// For each block how its power counts in the balance: into the element. In a bond graph the elements with one bond
/// count, so that the balance sees junctions, transformers and gyrators. Bonds to other nodes are no element; a bond to a
/// thermal node takes its product of effort and flow out of the balance, because there it is no power.
fn power_signs(model: &Model, uses: &PortUses) -> Vec<Option<f64>> {
    // What equations at a port of bonds do is no power of an element.
    let open_graph = model
        .elements
        .iter()
        .any(|element| matches!(&element.what, NetworkElement::Port(port) if port.inner.is_none()));
    let starts: FxHashSet<u32> = model.elements.iter().filter_map(bond_start).collect();
    let is_node_domain = |node: NodeId| model.nodes[node.index()].domain;
    let sign = |what: &NetworkElement, handle: u32, block: u32| match what {
        NetworkElement::Bond(bond) if open_graph => {
            Some(bond.power_from_nodes(is_node_domain)).filter(|sign| *sign != 0.0)
        }
        NetworkElement::Bond(bond) => {
            Some(bond.product_into_heat(is_node_domain)).filter(|sign| *sign != 0.0)
        }
        // Equations of a bond graph take no power from nodes.
        NetworkElement::Port(port) => {
            (port.inner.is_some() && instance_equations::takes_power(uses, block)).then_some(1.0)
        }
        NetworkElement::Se(_)
        | NetworkElement::MSe(_)
        | NetworkElement::Sf(_)
        | NetworkElement::MSf(_) => {
            (!open_graph).then_some(if starts.contains(&handle) { -1.0 } else { 1.0 })
        }
        _ => {
            let schema = model.blocks[block as usize].schema;
            let is_bond_graph = BONDS.iter().any(|own| std::ptr::eq(*own, schema));
            (!is_bond_graph || !open_graph).then_some(1.0)
        }
    };
    let mut signs = vec![None; model.blocks.len()];
    for (handle, element) in (0..).zip(&model.elements) {
        signs[element.block as usize] = sign(&element.what, handle, element.block);
    }
    signs
}

/// The element where a bond starts.
fn bond_start(element: &Declared<NetworkElement>) -> Option<u32> {
    match &element.what {
        NetworkElement::Bond(bond) => match bond.from {
            BondEnd::Element(element) => Some(element.0),
            _ => None,
        },
        _ => None,
    }
}
