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

use crate::code::compile::{BlockKind, Code, Instruction, Level, Operation};
use crate::code::evaluate::Unsolved;
use crate::passes::selection::Determined;
use crate::prepared::drives::Drives;
use crate::prepared::prepare::Valves;
use crate::run::NetworkRun;
use mechanics::ports::PortEntry;

/// With fewer forces that wait the responses cost no more than the preparation of open ports.
pub const MANY_DRIVES: usize = 4;

impl NetworkRun<'_> {
    /// Are the ports open?
    pub fn is_open(&self) -> bool {
        self.now.kept.get(self.now.current).is_some_and(|present| present.kind == Valves::Open)
    }

    /// Ports whose acceleration the networks determine, by the closed form.
    pub(crate) fn held_ports(&self) -> Vec<bool> {
        self.fixed_ports().iter().map(|[_, speed]| *speed).collect()
    }

    /// Opens the ports, if that is possible in the present modes and worth the while; `carries` says whether the mechanics can
    /// carry an entry of K, and hold a port.
    pub fn open(&mut self, carries: impl Fn(usize, usize) -> bool, holds: impl Fn(usize) -> bool) {
        let drives = |known: &[bool]| known.iter().filter(|is_known| !**is_known).count();
        let is_worth_it = self.has_begun()
            && self.present().kind == Valves::Ideal
            // The open form has the states that the structure chooses.
            && self.present().determined == Determined::default()
            && drives(self.known_ports()) >= MANY_DRIVES
            && !self.now.closed.contains(&self.present().key);
        if !is_worth_it {
            return;
        }
        match self.find_present(Valves::Open) {
            Ok(place) => self.enter(place),
            Err(_) => return self.stay_closed(),
        }
        if self.present().drives.is_none() {
            let drives = self.find_drives().map(Box::new);
            self.now.kept[self.now.current].drives = drives;
        }
        let held = &self.present().coupled.held;
        let can_hold = held.iter().enumerate().all(|(k, &is_held)| !is_held || holds(k));
        let can_carry = self.present().drives.as_ref().is_some_and(|drives| {
            drives.entries.iter().all(|entry| carries(entry.row, entry.column))
        });
        if !(can_hold && can_carry) {
            self.stay_closed();
        }
    }

    /// Closes the ports; true if they were open. The numbers have to be computed anew then.
    pub fn close(&mut self) -> bool {
        if !self.is_open() {
            return false;
        }
        match self.find_present(Valves::Ideal) {
            Ok(place) => self.enter(place),
            // The closed form was there before the open one.
            Err(_) => return false,
        }
        true
    }

    /// Closes the ports for good in the present modes.
    pub fn stay_closed(&mut self) {
        let key = self.present().key.clone();
        self.now.closed.insert(key);
        self.close();
    }

    /// For each open port: is its acceleration determined by the networks? Nothing if the ports are closed.
    pub fn held(&self) -> &[bool] {
        self.now.kept.get(self.now.current).map_or(&[], |prepared| &prepared.coupled.held)
    }

    /// The acceleration of a port that is held.
    pub fn held_acceleration(&self, port: usize) -> f64 {
        let count = self.network.flat.ports.list.len();
        self.before(self.network.used.len() + 4 * count + port)
    }

    /// What the forces of open ports are made of.
    pub fn drives(&self) -> Option<&Drives> {
        self.now.kept.get(self.now.current)?.drives.as_deref()
    }

    /// Finds the forces without accelerations and, where it may have changed, K.
    pub fn ask_drives(&mut self) -> Result<(), Unsolved> {
        let Some(mut drives) = self.now.kept[self.now.current].drives.take() else { return Ok(()) };
        let asked = self.ask(&mut drives);
        self.now.kept[self.now.current].drives = Some(drives);
        asked
    }

    fn ask(&mut self, drives: &mut Drives) -> Result<(), Unsolved> {
        let n = self.network.flat.ports.list.len();
        self.now.at_ports[..n].fill(0.0);
        self.try_accelerations()?;
        for (force, &k) in drives.forces.iter_mut().zip(&drives.waiting) {
            *force = self.drive_force(&drives.waiting, k);
        }
        if drives.is_known {
            return Ok(());
        }
        for columns in &drives.groups {
            columns.iter().for_each(|&column| self.now.at_ports[column] = 1.0);
            self.try_accelerations()?;
            for entry in drives.entries.iter_mut().filter(|entry| columns.contains(&entry.column)) {
                let place = drives.waiting.binary_search(&entry.row);
                let without = place.map_or(0.0, |place| drives.forces[place]);
                entry.inertia = without - self.drive_force(&drives.waiting, entry.row);
            }
            columns.iter().for_each(|&column| self.now.at_ports[column] = 0.0);
        }
        drives.is_symmetric = drives.looks_symmetric();
        drives.is_known = drives.is_constant;
        Ok(())
    }

    /// A force that waits for accelerations, with those that were tried.
    fn drive_force(&self, waiting: &[usize], port: usize) -> f64 {
        let prepared = self.present();
        let number = waiting.partition_point(|&k| k < port);
        let place = prepared.code.asked(Level::Drives)[number];
        prepared.values.numbers[place as usize]
    }

    /// Computes the forces that wait with the accelerations in `at_ports`.
    fn try_accelerations(&mut self) -> Result<(), Unsolved> {
        self.forget_rates();
        self.complete(Level::Drives)
    }

    /// Computes the rates with the accelerations in `at_ports`.
    pub fn complete_again(&mut self) -> Result<(), Unsolved> {
        self.forget_rates();
        self.complete(Level::Rates)
    }

    /// Which forces depend on which accelerations; nothing if one depends on the force of a port that is held.
    fn find_drives(&self) -> Option<Drives> {
        let (prepared, ports) = (self.present(), &self.network.flat.ports);
        let (code, coupled) = (&prepared.code, &prepared.coupled);
        let n = ports.list.len();
        let place = |k: usize| ((code.inputs + ports.free(k)) as usize, k as u32);
        let (lists, of) = self.trace_from((0..n).map(place).collect(), Level::Drives);
        let waiting: Vec<usize> =
            (0..n).filter(|&k| !coupled.known[k] && !coupled.held[k]).collect();
        let mut entries = Vec::new();
        for (&row, &place) in waiting.iter().zip(code.asked(Level::Drives)) {
            for &column in &lists[of[place as usize] as usize] {
                let column = column as usize;
                if coupled.held[column] {
                    return None;
                }
                entries.push(PortEntry { row, column, inertia: 0.0 });
            }
        }
        let is_late: Vec<bool> = of.iter().map(|&list| list != 0).collect();
        let forces = vec![0.0; waiting.len()];
        let groups = groups(&entries, n);
        let is_constant = has_constant_slopes(code, &is_late);
        let (is_known, is_symmetric) = (false, false);
        Some(Drives { waiting, forces, entries, groups, is_constant, is_known, is_symmetric })
    }
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
