//! Which derivatives depend on which states, for implicit methods.
//!
//! Bodies that hang together by joints and force elements form a group; the world joins nothing.
//! Within a group every acceleration may depend on every coordinate and speed, between groups
//! nothing does, so groups are differenced side by side: ten equal machines in one model cost as
//! many evaluations as one. Coordinate rates depend on their own joint, and nothing depends on the
//! works, whose columns cost nothing.

use super::{SignalSource, System};
use integrate::Pattern;
use language::blocks::forces::ForceElement;
use language::reading::ids::{JointId, TriadId};
use mechanics::BodyId;
use network::NetworkRun;
use network::run::rate_origins::{Origin, Origins};

/// For which modes a pattern holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum When {
    /// For all.
    Ever,
    /// For the present ones.
    Now,
    /// For the present ones while the networks see accelerations that are held.
    Held,
}

/// The pattern of the Jacobian of a system.
pub(super) fn pattern(system: &System, network: Option<&NetworkRun<'_>>, when: When) -> Pattern {
    let tree = &system.tree;
    let (n_q, n_v) = (tree.n_q(), tree.n_v());
    let touched = touched(system);
    let groups = Groups::new(system, &touched);
    // Speeds and works of each group, by its representative.
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); tree.n_bodies() + 1];
    for body in tree.bodies() {
        if let Some(joint) = body.joint() {
            rows[groups.representative(body)].extend(tree.v_range(joint).map(|v| n_q + v));
        }
    }
    for (element, touched) in system.elements.iter().zip(&touched) {
        let moving = touched.bodies().into_iter().flatten().find(|&body| body != BodyId::WORLD);
        if let (Some(work), Some(body)) = (element.work, moving) {
            rows[groups.representative(body)].push(n_q + n_v + work);
        }
    }
    // A plugin depends on all bodies, which form one group then.
    let works = system.plugins.list.iter().filter_map(|plugin| plugin.work);
    if let Some(first) = rows.get_mut(1) {
        first.extend(works.map(|work| n_q + n_v + work));
    }
    let mut pattern = Pattern::empty(system.n_states());
    for body in tree.bodies() {
        let Some(joint) = body.joint() else { continue };
        for column in tree.q_range(joint).chain(tree.v_range(joint).map(|v| n_q + v)) {
            tree.q_range(joint).for_each(|row| pattern.add(row, column));
            rows[groups.representative(body)].iter().for_each(|&row| pattern.add(row, column));
        }
    }
    if let Some(network) = network {
        add_network(system, network, &mut pattern, when);
    }
    if !system.late.list.is_empty() {
        // Reactions in forces carry everything to everything but the rates of coordinates, which are speeds.
        for column in (0..n_q + n_v).chain(system.network_states()) {
            (n_q..system.n_states()).for_each(|row| pattern.add(row, column));
        }
    }
    pattern
}

/// Networks: what depends on what within them and across their border with the mechanics.
fn add_network(system: &System, network: &NetworkRun<'_>, pattern: &mut Pattern, when: When) {
    let origins = network.origins().filter(|_| when != When::Ever);
    match origins {
        Some(origins) => add_present(system, &origins, pattern, when),
        None => add_possible(system, network, pattern),
    }
    let (states, n_q) = (system.network_states(), system.tree.n_q());
    let uses = |source: &SignalSource| matches!(source, SignalSource::NetworkUsed(_));
    if system.expression_signals.iter().any(uses) {
        for column in states.clone() {
            (n_q..states.start).for_each(|row| pattern.add(row, column));
        }
        if !system.network_inputs.is_empty() || !system.ports.ports.is_empty() {
            for column in 0..n_q + system.tree.n_v() {
                (n_q..states.start).for_each(|row| pattern.add(row, column));
            }
        }
    }
}

/// The entries in the present modes.
fn add_present(system: &System, origins: &Origins, pattern: &mut Pattern, when: When) {
    let (states, n_q) = (system.network_states(), system.tree.n_q());
    let speeds = n_q..n_q + system.tree.n_v();
    let has_ports = !system.ports.ports.is_empty();
    // The columns that an origin stands for.
    let columns = |origin: Origin| -> Vec<usize> {
        let axis = |port: usize| system.ports.axes[port].filter(|&(_, v)| v < speeds.len());
        match origin {
            Origin::State(k) => vec![states.start + k],
            Origin::Given(port, order) => match axis(port) {
                Some((q, v)) => vec![[q, n_q + v][order]],
                None => (0..speeds.end).collect(),
            },
            Origin::Bodies => (0..speeds.end).collect(),
            Origin::Accelerations => Vec::new(),
        }
    };
    // What accelerations depend on.
    let mut moving: Vec<usize> = origins.forces.iter().flat_map(|&o| columns(o)).collect();
    moving.extend(if has_ports { 0..speeds.end } else { 0..0 });
    moving.sort_unstable();
    moving.dedup();
    for (row, list) in origins.rates.iter().enumerate() {
        for &origin in list {
            let row = states.start + row;
            columns(origin).into_iter().for_each(|column| pattern.add(row, column));
            if origin == Origin::Accelerations && when == When::Now {
                moving.iter().for_each(|&column| pattern.add(row, column));
            }
        }
    }
    if has_ports {
        let work = speeds.end + system.ports.work;
        for &column in &moving {
            speeds.clone().chain([work]).for_each(|row| pattern.add(row, column));
        }
    }
}

/// The entries that there may be in some mode.
fn add_possible(system: &System, network: &NetworkRun<'_>, pattern: &mut Pattern) {
    let (states, n_q) = (system.network_states(), system.tree.n_q());
    let bodies = 0..n_q + system.tree.n_v();
    for (column, rows) in network.dependences().into_iter().enumerate() {
        rows.into_iter().for_each(|row| pattern.add(states.start + row, states.start + column));
    }
    let has_ports = !system.ports.ports.is_empty();
    if has_ports {
        // Accelerations carry everything to everything but the rates of coordinates, which are speeds.
        for column in bodies.clone().chain(states.clone()) {
            (n_q..states.end).for_each(|row| pattern.add(row, column));
        }
    }
    if !system.network_inputs.is_empty() {
        for column in bodies {
            states.clone().for_each(|row| pattern.add(row, column));
        }
    }
}

/// Bodies by the group they belong to.
struct Groups {
    /// A body that is nearer to the representative of the group, or the body itself.
    toward: Vec<usize>,
}

impl Groups {
    fn new(system: &System, touched: &[Touched]) -> Self {
        let tree = &system.tree;
        let mut groups = Self { toward: (0..=tree.n_bodies()).collect() };
        for body in tree.bodies() {
            groups.join(body, tree.mother(body));
        }
        for touched in touched {
            if let [Some(a), Some(b)] = touched.bodies() {
                groups.join(a, b);
            }
        }
        // A time expression or a plugin may carry any body's motion to any other.
        if !(system.expression_signals.is_empty() && system.plugins.list.is_empty()) {
            let first = BodyId::from_index(1);
            tree.bodies().for_each(|body| groups.join(first, body));
        }
        groups
    }

    fn representative(&self, body: BodyId) -> usize {
        let mut place = body.index();
        while self.toward[place] != place {
            place = self.toward[place];
        }
        place
    }

    fn join(&mut self, a: BodyId, b: BodyId) {
        if a != BodyId::WORLD && b != BodyId::WORLD {
            let (a, b) = (self.representative(a), self.representative(b));
            self.toward[a.max(b)] = a.min(b);
        }
    }
}

/// What an element acts and depends on.
#[derive(Clone, Copy, Debug)]
pub(super) enum Touched {
    /// The joint of a body.
    Joint(BodyId),
    /// One or two bodies.
    Bodies([Option<BodyId>; 2]),
}

impl Touched {
    fn bodies(self) -> [Option<BodyId>; 2] {
        match self {
            Touched::Joint(body) => [Some(body), None],
            Touched::Bodies(bodies) => bodies,
        }
    }
}

/// What each element acts and depends on.
pub(super) fn touched(system: &System) -> Vec<Touched> {
    let model = &system.model;
    let mut by_block = vec![Touched::Bodies([None, None]); model.blocks.len()];
    for (joint, &body) in model.joints.iter().zip(&system.carried) {
        by_block[joint.block as usize] = Touched::Joint(body);
    }
    for force in &model.forces {
        by_block[force.block as usize] = touched_by(system, &force.what);
    }
    system.elements.iter().map(|element| by_block[element.block as usize]).collect()
}

fn touched_by(system: &System, element: &ForceElement) -> Touched {
    let triad = |id: TriadId| Some(system.triads[id.index()].body);
    let carried = |joint: JointId| Touched::Joint(system.carried[joint.index()]);
    Touched::Bodies(match element {
        ForceElement::Spring(s) => [triad(s.from), triad(s.to)],
        ForceElement::ContactSimple(c) => [triad(c.from), triad(c.to)],
        ForceElement::Contact(c) => [triad(c.from), triad(c.to)],
        ForceElement::Bushing(b) => [triad(b.from), triad(b.to)],
        ForceElement::Force(f) => [triad(f.to), f.from.and_then(triad)],
        ForceElement::Torque(f) => [triad(f.to), f.from.and_then(triad)],
        ForceElement::Rsda(s) => return carried(s.joint.0),
        ForceElement::Tsda(s) => return carried(s.joint.0),
        ForceElement::JointForce(f) => return carried(f.joint),
    })
}
