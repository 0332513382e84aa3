//! Equations of one's own by instances: which blocks belong together, who uses their ports, whether the equations are as many
//! as the unknowns.
//!
//! Blocks whose names have the same beginning, up to the last dot, are of one instance; blocks without a dot are of the
//! top level. Each real Variable is an unknown, and so is each Port that the lines of its instance name, unless elements at
//! its node take the flow.

use parser::diagnostic::Diagnostic;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::blocks::network::NetworkElement;
use crate::blocks::network::user_equations::port::PortUse;
use crate::blocks::network::user_equations::variable::VariableType;
use crate::codes;
use crate::element::Family;
use crate::model::Model;
use crate::writing::Writer;
use equations::flat::Flat;
use equations::ids::NodeId;

/// Names beyond these are only counted.
const MOST_NAMES: usize = 8;

/// What the name of a block says about its instance: all before the last dot outside of brackets.
fn instance(name: &str) -> &str {
    let mut depth = 0_usize;
    for (at, character) in name.char_indices().rev() {
        match character {
            ']' => depth += 1,
            '[' => depth = depth.saturating_sub(1),
            '.' if depth == 0 => return &name[..at],
            _ => {}
        }
    }
    ""
}

/// Who determines the flow of each port, by the block of the port.
pub(super) type PortUses = FxHashMap<u32, PortUse>;

/// Closes all ports, when it is known what is at their nodes.
pub(super) fn close_ports(writer: &Writer<'_>, model: &Model) -> PortUses {
    let ports = || {
        model.elements.iter().filter_map(|element| match &element.what {
            NetworkElement::Port(port) => Some((element.block, port)),
            _ => None,
        })
    };
    if ports().next().is_none() {
        return PortUses::default();
    }
    let named = named_ports(model);
    let uses = ports().map(|(block, port)| {
        writer.block.set(block);
        let has_elements = match port.inner {
            Some(inner) => !writer.flat.borrow().terminals[inner.index()].is_empty(),
            // Without a bond of its own, the bonds that end there bring what equations take.
            None => port.bond().is_some() && writer.bonds.contains_key(&writer.element()),
        };
        let found = match (has_elements, named.contains(&block)) {
            (true, _) => PortUse::Elements,
            (false, true) => PortUse::Equations,
            (false, false) => PortUse::Nothing,
        };
        (block, found)
    });
    // Who uses each port is found before any is closed, which adds terminals.
    let uses: Vec<(u32, PortUse)> = uses.collect();
    for ((block, port), &(_, found)) in ports().zip(&uses) {
        writer.block.set(block);
        port.close(writer, found);
    }
    let uses = uses.into_iter().collect();
    hold_potentials(writer, model, &uses);
    uses
}

/// The ports that lines of their own instance name.
fn named_ports(model: &Model) -> FxHashSet<u32> {
    let mut named = FxHashSet::default();
    for element in &model.elements {
        let NetworkElement::Equations(equations) = &element.what else { continue };
        let own = instance(model.block_name(element.block));
        for signal in equations.lines.iter().flat_map(|line| line.signals()) {
            if is_port(model, signal.block) && instance(model.block_name(signal.block)) == own {
                named.insert(signal.block);
            }
        }
    }
    named
}

fn is_port(model: &Model, block: u32) -> bool {
    let entry = &model.blocks[block as usize];
    let element = model.elements.get(entry.handle as usize);
    entry.schema.family == Family::Network
        && element.is_some_and(|element| matches!(element.what, NetworkElement::Port(_)))
}

/// Lines relate potentials: those of several nodes hold together, and a line with one alone may fix it.
fn hold_potentials(writer: &Writer<'_>, model: &Model, uses: &PortUses) {
    for element in &model.elements {
        let NetworkElement::Equations(equations) = &element.what else { continue };
        writer.block.set(element.block);
        for line in &equations.lines {
            let mut nodes: Vec<(NodeId, bool)> = Vec::new();
            for signal in line.signals().filter(|signal| signal.signal == 0) {
                let entry = &model.blocks[signal.block as usize];
                let of_port = uses.get(&signal.block) == Some(&PortUse::Equations);
                let node = match model.elements.get(entry.handle as usize).map(|e| &e.what) {
                    _ if entry.schema.family == Family::Node => Some(NodeId(entry.handle)),
                    Some(NetworkElement::Port(port)) if of_port => port.inner,
                    _ => None,
                };
                let needs = |node: &NodeId| model.nodes[node.index()].domain.needs_reference();
                nodes.extend(node.filter(needs).map(|node| (node, of_port)));
            }
            nodes.sort_unstable();
            nodes.dedup();
            match nodes[..] {
                [(node, true)] => writer.held_node(node),
                _ if nodes.iter().any(|(_, of_port)| *of_port) => {
                    nodes.windows(2).for_each(|pair| writer.loose_tie([pair[0].0, pair[1].0]));
                }
                _ => {}
            }
        }
    }
}

/// The unknowns and lines of one instance.
#[derive(Default)]
struct Instance {
    /// Blocks of Variables and Ports.
    unknowns: Vec<u32>,
    /// Blocks of equations, and numbers of lines in them.
    lines: Vec<(u32, usize)>,
}

/// Reports instances with too many or too few equations.
pub(super) fn check_counts(model: &Model, uses: &PortUses) -> Vec<Diagnostic> {
    let mut places: FxHashMap<&str, usize> = FxHashMap::default();
    let mut all: Vec<(&str, Instance)> = Vec::new();
    for element in &model.elements {
        let is_unknown = match &element.what {
            NetworkElement::Variable(variable) => variable.kind == VariableType::Real,
            NetworkElement::Port(_) => uses.get(&element.block) == Some(&PortUse::Equations),
            NetworkElement::Equations(_) => false,
            _ => continue,
        };
        let name = instance(model.block_name(element.block));
        let place = *places.entry(name).or_insert_with(|| {
            all.push((name, Instance::default()));
            all.len() - 1
        });
        let own = &mut all[place].1;
        if is_unknown {
            own.unknowns.push(element.block);
        }
        if let NetworkElement::Equations(equations) = &element.what {
            own.lines.extend((0..equations.lines.len()).map(|line| (element.block, line)));
        }
    }
    let wrong = all.iter().filter(|(_, own)| own.unknowns.len() != own.lines.len());
    wrong.map(|(name, own)| wrong_count(model, name, own)).collect()
}

/// What is wrong with the equations of an instance.
fn wrong_count(model: &Model, name: &str, own: &Instance) -> Diagnostic {
    let (matched_lines, matched_unknowns) = matching(model, own);
    let count = |n: usize, one: &str, many: &str| match n {
        1 => format!("one {one}"),
        n => format!("{n} {many}"),
    };
    let unknowns = count(own.unknowns.len(), "unknown", "unknowns");
    let lines = count(own.lines.len(), "equation", "equations");
    let what = if name.is_empty() { "the top level".into() } else { format!("`{name}`") };
    let few = own.lines.len() < own.unknowns.len();
    let open: Vec<u32> = (0..own.unknowns.len())
        .filter(|&k| !matched_unknowns[k])
        .map(|k| own.unknowns[k])
        .collect();
    let idle: Vec<(u32, usize)> =
        (0..own.lines.len()).filter(|&k| !matched_lines[k]).map(|k| own.lines[k]).collect();
    let open_names =
        named(&open.iter().map(|&block| unknown_name(model, block)).collect::<Vec<_>>());
    let idle_names = named(
        &idle.iter().map(|&line| format!("`{}`", line_text(model, line))).collect::<Vec<_>>(),
    );
    let mut message = format!("{what} has {unknowns} and {lines}: ");
    message += &match (open_names.is_empty(), idle_names.is_empty()) {
        (false, true) => format!("nothing determines {open_names}"),
        (true, _) => format!("nothing is left for {idle_names}"),
        (false, false) => {
            format!("nothing determines {open_names}, and nothing is left for {idle_names}")
        }
    };
    let first_open = open.first().map(|&block| model.name_span(block));
    let first_idle = idle.first().map(|&line| line_span(model, line));
    let place = if few { first_open.or(first_idle) } else { first_idle.or(first_open) };
    let help = match few {
        true => {
            "each real Variable needs an equation, and so does each Port that equations name: one that only measures \
             has a flow of zero, such as `p.i = 0;`"
        }
        false => "take lines away, or declare a Variable for what they determine",
    };
    let diagnostic = Diagnostic::new(codes::EQUATION_COUNT, place.unwrap_or_default(), message);
    let more_open = open.iter().skip(usize::from(few)).take(3);
    let diagnostic = more_open.fold(diagnostic, |diagnostic, &block| {
        diagnostic.also(model.name_span(block), "not determined")
    });
    let more_idle = idle.iter().skip(usize::from(!few)).take(3);
    let diagnostic = more_idle.fold(diagnostic, |diagnostic, &line| {
        diagnostic.also(line_span(model, line), "one equation too many")
    });
    diagnostic.help(help)
}

/// The first few names as a list.
fn named(names: &[String]) -> String {
    let shown = names[..names.len().min(MOST_NAMES)].join(", ");
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

/// The name of an unknown: of a port the flow is open.
fn unknown_name(model: &Model, block: u32) -> String {
    let name = model.block_name(block);
    let element = model.elements.get(model.blocks[block as usize].handle as usize);
    match element.map(|element| &element.what) {
        Some(NetworkElement::Port(port)) => format!("`{name}.{}`", port.flow_name()),
        _ => format!("`{name}`"),
    }
}

fn line_span(model: &Model, (block, line): (u32, usize)) -> parser::source::Span {
    let element = model.elements.get(model.blocks[block as usize].handle as usize);
    match element.map(|element| &element.what) {
        Some(NetworkElement::Equations(equations)) => {
            equations.lines.get(line).map(|line| line.span).unwrap_or_default()
        }
        _ => model.name_span(block),
    }
}

fn line_text(model: &Model, line: (u32, usize)) -> &str {
    model.sources.text(line_span(model, line))
}

/// Which lines and unknowns of an instance can be paired: a largest matching by augmenting paths. The search keeps its own
/// stack.
fn matching(model: &Model, own: &Instance) -> (Vec<bool>, Vec<bool>) {
    let place: FxHashMap<u32, usize> =
        own.unknowns.iter().enumerate().map(|(k, &block)| (block, k)).collect();
    let edges: Vec<Vec<usize>> = (own.lines.iter())
        .map(|&(block, line)| {
            let element = model.elements.get(model.blocks[block as usize].handle as usize);
            let Some(NetworkElement::Equations(equations)) = element.map(|e| &e.what) else {
                return Vec::new();
            };
            let signals = equations.lines[line].signals();
            let mut found: Vec<usize> =
                signals.filter_map(|signal| place.get(&signal.block).copied()).collect();
            found.sort_unstable();
            found.dedup();
            found
        })
        .collect();
    let mut line_of: Vec<Option<usize>> = vec![None; own.unknowns.len()];
    let mut is_matched = vec![false; own.lines.len()];
    // Breadth first from each line: `came` tells from which line each unknown was reached.
    for (start, is_paired) in is_matched.iter_mut().enumerate() {
        let mut came: Vec<Option<usize>> = vec![None; own.unknowns.len()];
        let mut queue = std::collections::VecDeque::from([start]);
        let mut end = None;
        'search: while let Some(line) = queue.pop_front() {
            for &unknown in &edges[line] {
                if came[unknown].is_some() {
                    continue;
                }
                came[unknown] = Some(line);
                match line_of[unknown] {
                    Some(other) => queue.push_back(other),
                    None => {
                        end = Some(unknown);
                        break 'search;
                    }
                }
            }
        }
        *is_paired = end.is_some();
        // Back along the path: each line takes the unknown, and gives up the one that it had.
        while let Some(unknown) = end {
            let Some(line) = came[unknown] else { break };
            end = line_of.iter().position(|owner| *owner == Some(line)).filter(|_| line != start);
            line_of[unknown] = Some(line);
            if line == start {
                break;
            }
        }
    }
    let is_determined = line_of.iter().map(Option::is_some).collect();
    (is_matched, is_determined)
}

/// Reports variables with an initial condition that no derivative of them can meet.
pub(super) fn check_fixed(writer: &Writer<'_>, model: &Model) {
    let fixed = model.elements.iter().filter(|element| match &element.what {
        NetworkElement::Variable(variable) => {
            variable.kind == VariableType::Real && variable.fixed.is_yes()
        }
        _ => false,
    });
    let fixed: Vec<u32> = fixed.map(|element| element.block).collect();
    if fixed.is_empty() {
        return;
    }
    let mut same = crate::writing::text_lines::equal_variables(writer);
    let flat = writer.flat.borrow();
    let storing: FxHashSet<usize> =
        flat.storages.iter().map(|storage| same.root(storage.index())).collect();
    let mut idle = Vec::new();
    for (index, variable) in flat.variables.iter().enumerate() {
        let is_fixed = variable.label.is_empty() && variable.initial.is_some();
        if is_fixed && fixed.contains(&variable.block) && !storing.contains(&same.root(index)) {
            idle.push(variable.block);
        }
    }
    drop(flat);
    for block in idle {
        writer.block.set(block);
        let help = "only what has a derivative in some equation begins at a value that the text fixes; of all else `Start` \
                    is a first guess";
        writer.mistake(codes::NOT_A_STATE, "has `Fixed = yes`, but is no state", help);
    }
}

/// Does the power of a port count in the balance of the networks? Only where equations take it.
pub(super) fn takes_power(uses: &PortUses, block: u32) -> bool {
    uses.get(&block) == Some(&PortUse::Equations)
}

/// Nodes of ports, which may have one terminal only.
pub(super) fn port_nodes(model: &Model, flat: &Flat) -> Vec<bool> {
    let mut is_port = vec![false; flat.terminals.len()];
    for element in &model.elements {
        if let NetworkElement::Port(port) = &element.what
            && let Some(inner) = port.inner
            && let Some(place) = is_port.get_mut(inner.index())
        {
            *place = true;
        }
    }
    is_port
}

#[cfg(test)]
mod tests {
    use super::instance;

    #[test]
    fn the_last_dot_outside_of_brackets_ends_the_instance() {
        let cases =
            [("v", ""), ("x1.v", "x1"), ("a.b.c", "a.b"), ("c[2].v", "c[2]"), ("c[1.5]", "")];
        for (name, expected) in cases {
            assert_eq!(instance(name), expected, "{name}");
        }
    }
}
