//! Rigid drives as inertia of the mechanics.
//!
//! The force of a rigid drive depends on the accelerations of the ports that it touches. Where it does so affinely,
//!
//! ```text
//! f = g - K a,
//! ```
//!
//! K is an inertia that joints and links feel, and the recursion of the mechanics carries it along like any other: N drives then
//! cost as much as N joints. The equations of the ports are *open* for that: accelerations are numbers from
//! outside. The forces are asked for with a = 0, which gives g, and in the end with what the mechanics makes of g and K.
//! K itself comes from accelerations of one in some ports at a time; where its numbers never change, once.
//!
//! Where the networks determine the acceleration of a port, because friction holds the joint or a source moves it, the port is
//! *held*: it is open the other way round, the mechanics is told the acceleration and gives the force.
//!
//! Drives that feel each other in other ways, and forces that are no affine function of accelerations, are solved with
//! closed ports: networks and responses of the mechanics are one system of equations (`coupling.rs`).

use crate::code::block_compiler::{BlockKind, Code, Instruction, Level, Operation};
use crate::code::evaluate::Unsolved;
use crate::passes::state_selection::Determined;
use crate::prepared::combination::{Combination, Prepared};
use crate::prepared::drive_forces::Drives;
use crate::prepared::network_model::Network;
use crate::prepared::valves::Valves;
use crate::run::combinations::Combinations;
use crate::run::rate_origins::{Source, Trace};
use equations::port_inputs::PortInputs;
use mechanics::ports::PortEntry;

/// With fewer forces that wait the responses cost no more than the preparation of open ports.
pub const MANY_DRIVES: usize = 4;

impl Combinations {
    /// Opens the ports, if that is possible in the present modes and worth the while; `carries` says whether the mechanics can
    /// carry an entry of K, and `holds` whether it can hold a port.
    pub fn open(
        &mut self,
        network: &Network,
        carries: impl Fn(usize, usize) -> bool,
        holds: impl Fn(usize) -> bool,
    ) {
        let is_worth_it = self.get().is_some_and(|present| {
            let fixed = &present.fixed;
            let known = &fixed.coupled.known;
            fixed.kind == Valves::Ideal
                // The open form has the states that the structure chooses.
                && fixed.determined == Determined::default()
                && known.iter().filter(|is_known| !**is_known).count() >= MANY_DRIVES
                && !self.closed.contains(&fixed.key[..])
        });
        if !is_worth_it {
            return;
        }
        if self.enter_present(network, Valves::Open).is_err() {
            return self.stay_closed(network);
        }
        let Combination { fixed, now } = self.present_mut();
        if now.drives.is_none() {
            now.drives = find_drives(network, fixed).map(Box::new);
        }
        let held = fixed.coupled.held.iter().enumerate();
        let can_hold = held.into_iter().all(|(k, &is_held)| !is_held || holds(k));
        let can_carry = now.drives.as_ref().is_some_and(|drives| {
            drives.entries.iter().all(|entry| carries(entry.row, entry.column))
        });
        if !(can_hold && can_carry) {
            self.stay_closed(network);
        }
    }

    /// Closes the ports; true if they were open. The numbers have to be computed anew then.
    pub fn close(&mut self, network: &Network) -> bool {
        let is_open = self.get().is_some_and(|present| present.fixed.kind == Valves::Open);
        // The closed form was there before the open one.
        is_open && self.enter_present(network, Valves::Ideal).is_ok()
    }

    /// Closes the ports for good in the present modes.
    pub fn stay_closed(&mut self, network: &Network) {
        let key = self.present().fixed.key[..].into();
        self.closed.insert(key);
        self.close(network);
    }

    /// Finds the forces without accelerations and, where it may have changed, K. Leaves the accelerations at zero.
    pub fn ask_drives(
        &mut self,
        network: &Network,
        ports: &mut PortInputs,
    ) -> Result<(), Unsolved> {
        // The drives belong to the combination that is evaluated, so they step out of it meanwhile.
        let Some(mut drives) = self.present_mut().now.drives.take() else { return Ok(()) };
        let asked = self.ask(network, ports, &mut drives);
        self.present_mut().now.drives = Some(drives);
        asked
    }

    fn ask(
        &mut self,
        network: &Network,
        ports: &mut PortInputs,
        drives: &mut Drives,
    ) -> Result<(), Unsolved> {
        // a = 0 gives g.
        ports.accelerations_mut().fill(0.0);
        self.try_accelerations(network, ports)?;
        for (force, &k) in drives.forces.iter_mut().zip(&drives.waiting) {
            *force = self.drive_force(&drives.waiting, k);
        }
        if drives.is_known {
            return Ok(());
        }
        // a = 1 in the ports of a group gives their columns of K.
        for columns in &drives.groups {
            columns.iter().for_each(|&column| ports.accelerations_mut()[column] = 1.0);
            self.try_accelerations(network, ports)?;
            for entry in drives.entries.iter_mut().filter(|entry| columns.contains(&entry.column)) {
                let place = drives.waiting.binary_search(&entry.row);
                let without = place.map_or(0.0, |place| drives.forces[place]);
                entry.inertia = without - self.drive_force(&drives.waiting, entry.row);
            }
            columns.iter().for_each(|&column| ports.accelerations_mut()[column] = 0.0);
        }
        drives.is_symmetric = drives.looks_symmetric();
        drives.is_known = drives.is_constant;
        Ok(())
    }

    /// A force that waits for accelerations, with the accelerations that were tried last.
    fn drive_force(&self, waiting: &[usize], port: usize) -> f64 {
        let number = waiting.partition_point(|&k| k < port);
        self.present().asked(Level::Drives, number)
    }

    /// Computes the forces that wait, with the accelerations that the ports have now.
    fn try_accelerations(&mut self, network: &Network, ports: &PortInputs) -> Result<(), Unsolved> {
        self.forget_rates();
        self.complete(network, ports, Level::Drives)
    }
}

/// Which forces depend on which accelerations; nothing if one depends on the force of a port that is held.
fn find_drives(network: &Network, prepared: &Prepared) -> Option<Drives> {
    let ports = &network.flat.ports;
    let (code, coupled) = (&prepared.code, &prepared.coupled);
    let n = ports.list.len();
    let source =
        |k: usize| Source { place: (code.inputs + ports.free(k)) as usize, number: k as u32 };
    let sources: Vec<Source> = (0..n).map(source).collect();
    let trace = Trace::new(code, &sources, Level::Drives);
    let waiting: Vec<usize> = (0..n).filter(|&k| !coupled.known[k] && !coupled.held[k]).collect();
    let mut entries = Vec::new();
    for (&row, &place) in waiting.iter().zip(code.asked(Level::Drives)) {
        for &column in trace.of(place) {
            let column = column as usize;
            if coupled.held[column] {
                return None;
            }
            entries.push(PortEntry { row, column, inertia: 0.0 });
        }
    }
    let forces = vec![0.0; waiting.len()];
    let groups = groups(&entries, n);
    let is_constant = has_constant_slopes(code, &trace.reached());
    let (is_known, is_symmetric) = (false, false);
    Some(Drives { waiting, forces, entries, groups, is_constant, is_known, is_symmetric })
}

/// Columns that have no row in common, together.
fn groups(entries: &[PortEntry], n: usize) -> Vec<Vec<usize>> {
    let mut groups: Vec<(Vec<usize>, Vec<bool>)> = Vec::new();
    for column in 0..n {
        let rows: Vec<usize> =
            entries.iter().filter(|e| e.column == column).map(|e| e.row).collect();
        if rows.is_empty() {
            continue;
        }
        let fits = |(_, taken): &&mut (Vec<usize>, Vec<bool>)| rows.iter().all(|&row| !taken[row]);
        let place = match groups.iter_mut().find(fits) {
            Some(group) => group,
            None => {
                groups.push((Vec::new(), vec![false; n]));
                let last = groups.len() - 1;
                &mut groups[last]
            }
        };
        place.0.push(column);
        rows.iter().for_each(|&row| place.1[row] = true);
    }
    groups.into_iter().map(|(columns, _)| columns).collect()
}

/// Are all numbers that depend on accelerations affine functions of them, with slopes that never change?
fn has_constant_slopes(code: &Code, is_late: &[bool]) -> bool {
    // Numbers behind all that comes from outside are constants, unless code writes them.
    let conditional = conditional(code);
    let mut is_constant = vec![false; code.values.len()];
    is_constant[code.one as usize..].fill(true);
    for (at, instruction) in code.instructions.iter().enumerate().filter(|(_, i)| !i.jumps()) {
        let mut follows = true;
        code.for_each_read(instruction, |place| follows &= is_constant[place as usize]);
        is_constant[instruction.target as usize] = follows && !conditional[at];
    }
    let last = Level::Drives as usize;
    let affine = |range: &std::ops::Range<u32>| {
        (range.start as usize..range.end as usize).all(|at| {
            let instruction = &code.instructions[at];
            !is_late[instruction.target as usize]
                || is_affine(code, instruction, is_late, &is_constant) && !conditional[at]
        })
    };
    let blocks = &code.blocks[..code.ends[last]];
    let in_blocks = blocks.iter().all(|block| {
        if !block.unknowns.iter().any(|unknown| is_late[unknown.index()]) {
            return true;
        }
        match &block.kind {
            BlockKind::Explicit { code } => affine(code),
            BlockKind::Linear(linear) => {
                let entries = &code.systems[linear.system].places;
                let are_constant = entries.iter().all(|&place| is_constant[place as usize]);
                are_constant && affine(&linear.code) && affine(&linear.after)
            }
            BlockKind::Newton(_) => false,
        }
    });
    in_blocks && code.tails[..=last].iter().all(affine)
}

/// Instructions that are not always carried out.
fn conditional(code: &Code) -> Vec<bool> {
    let mut conditional = vec![false; code.instructions.len()];
    for (at, instruction) in code.instructions.iter().enumerate().filter(|(_, i)| i.jumps()) {
        let end = (at + 1 + instruction.operands[1] as usize).min(conditional.len());
        conditional[at + 1..end].fill(true);
    }
    conditional
}

/// Is the target an affine function of what is late, with constant slopes?
fn is_affine(
    code: &Code,
    instruction: &Instruction,
    is_late: &[bool],
    is_constant: &[bool],
) -> bool {
    let [a, b, _] = instruction.operands;
    let product = |p: u32, q: u32| {
        let (late_p, late_q) = (is_late[p as usize], is_late[q as usize]);
        (!late_p || is_constant[q as usize]) && (!late_q || is_constant[p as usize])
    };
    match instruction.operation {
        Operation::Move | Operation::Negate | Operation::Add | Operation::Subtract => true,
        Operation::Multiply => product(a, b),
        Operation::Divide => !is_late[b as usize] && product(a, b),
        Operation::Sum => {
            let terms = &code.terms[a as usize..(a + b) as usize];
            terms.iter().all(|term| product(term.places[0], term.places[1]))
        }
        _ => false,
    }
}
