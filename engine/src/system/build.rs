//! From the model to the system: the parts one after the other, and then the whole.

use std::sync::Arc;

use parser::diagnostic::Diagnostic;

use super::element_builder::{ElementBuilder, ExpressionList};
use super::skeleton::Skeleton;
use super::{SignalSource, System, constraint_list, port_places};
use language::blocks::general::Formalism;
use language::model::Model;
use network::Network;

/// Builds the system of a checked model.
///
/// # Errors
/// Everything in the model that this version cannot simulate, or that no simulation could.
pub fn build(model: &Arc<Model>, allow_unphysical: bool) -> Result<System, Vec<Diagnostic>> {
    let one = |mistake: Box<Diagnostic>| vec![*mistake];
    let (skeleton, loop_joints) = Skeleton::new(model, allow_unphysical).map_err(one)?;
    let network = model.equations.as_deref().map(Network::of);
    // Constraints first: elements use their coordinates and motions, ports use loop joints.
    let mut expressions = ExpressionList::default();
    let mut works = 0;
    let (mut constraints, mut mistakes) =
        constraint_list::build(model, &skeleton, loop_joints, &mut expressions, &mut works);
    let mut builder = ElementBuilder::new(model, &skeleton, &constraints, network);
    (builder.expressions, builder.n_work) = (expressions, works);
    builder.add_all();
    let parts = builder.finish();
    mistakes.extend(parts.mistakes);
    if !mistakes.is_empty() {
        return Err(mistakes);
    }
    let mut n_work = parts.n_work;
    let ports = port_places::find(model, &skeleton, parts.network.as_ref(), &mut n_work);
    // Time expressions may use the coordinates of any joint, ports the coordinates of their joints.
    let late_in_networks =
        parts.network_inputs.iter().any(|(_, source)| matches!(source, SignalSource::Late(_)));
    constraints.is_lean &= parts.expressions.signals.is_empty()
        && parts.late.list.is_empty()
        && !ports.use_loop_joints();
    let Skeleton { tree, bodies, coordinates, carried, triads } = skeleton;
    Ok(System {
        model: Arc::clone(model),
        dense: model.system.formalism == Formalism::Dense,
        tree,
        bodies,
        coordinates,
        carried,
        triads,
        has_locks: parts.has_locks,
        elements: parts.elements,
        programs: parts.expressions.programs,
        program_owners: parts.expressions.owners,
        program_arguments: parts.expressions.arguments,
        expression_signals: parts.expressions.signals,
        switches: parts.switches,
        network: parts.network,
        motion_registers: parts.motion_registers,
        network_inputs: parts.network_inputs,
        late: parts.late,
        late_in_networks,
        ports,
        plugins: parts.plugins,
        guards: parts.guards,
        n_memory: parts.n_memory,
        n_work,
        constraints,
    })
}
