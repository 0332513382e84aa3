//! Storages that a `When` gives new values.
//!
//! A value that is a state of the present combination is changed where it stands, and what follows from it follows. A
//! value that follows from others is reached by an impulse on its own storage: charge, flux and momentum are shared out
//! as with any jump (`static_step.rs`), and the size of the impulse is such that the value comes out. An angle or a length
//! that follows from others is reached through the state that moves it most.
//!
//! With the sizes e of all these changes at one instant, Newton's method solves v(e) = wanted; v is linear but for time
//! expressions, so that one step does it nearly always.

use crate::passes::alias::Meaning;
use crate::passes::storages::Lead;
use crate::prepared::valves::Valves;
use crate::run::settle::Unsettled;
use crate::run::{NetworkRun, static_step};
use equations::flat::ValveKind;

/// Values within this, over their size, are reached.
const REACHED: f64 = 1e-11;
/// Most steps of Newton's method.
const STEPS: usize = 12;
/// A pivot below this part of the largest one is zero.
const SINGULAR: f64 = 1e-9;
/// Part of the size of a value by which it is changed to find slopes.
const TRIAL: f64 = 0.1;

/// A value that is wanted.
#[derive(Clone, Copy, Debug)]
pub struct Wish {
    /// Its number among the values that are set.
    pub target: usize,
    /// The `When` that asks for it.
    pub when: usize,
    /// The value.
    pub value: f64,
}

/// How a value is changed.
#[derive(Clone, Copy, Debug)]
enum Way {
    /// A state is changed: the storage that leads it, and what the storage of the value is of it: itself (1), its
    /// negative (-1), or something else (0).
    State(usize, f64),
    /// A storage gets an impulse, which all share out.
    Impulse(usize),
}

/// New values at an instant.
struct Wishes<'r, 'n> {
    run: &'r mut NetworkRun<'n>,
    t: f64,
    wishes: &'r [Wish],
    ways: Vec<Way>,
    /// The storages before.
    old: Vec<f64>,
}

/// Gives storages new values. The storages `y` and what follows from them are up to date then.
pub fn set_storages(
    network: &mut NetworkRun<'_>,
    t: f64,
    y: &mut [f64],
    wishes: &[Wish],
) -> Result<(), Unsettled> {
    let old = y.to_vec();
    let mut found = Wishes::new(network, t, wishes, &old)?.fulfil(y)?;
    if !found && release_locks(network)? {
        // What stuck begins to slide; the modes settle in the passes that follow.
        y.copy_from_slice(&old);
        found = Wishes::new(network, t, wishes, &old)?.fulfil(y)?;
    }
    if found { Ok(()) } else { Err(not_settable(network, wishes)) }
}

/// Lets everything that sticks go, so that a jump of speeds can move it. True if something stuck.
pub fn release_locks(network: &mut NetworkRun<'_>) -> Result<bool, Unsettled> {
    let mut modes = network.modes().to_vec();
    let mut released = false;
    for (mode, law) in modes.iter_mut().zip(&network.network.flat.modes) {
        if let Some(valve) = law.valve
            && let ValveKind::Lock { locked, .. } = valve.kind
            && *mode == locked
        {
            *mode = law.first;
            released = true;
        }
    }
    if released {
        network.now.combinations.enter_modes(network.network, &modes, Valves::Ideal)?;
    }
    Ok(released)
}

fn not_settable(network: &NetworkRun<'_>, wishes: &[Wish]) -> Unsettled {
    let actions = &network.network.flat.actions;
    let name = |wish: &Wish| {
        let mut lines = actions.whens[wish.when].settings.iter();
        let target = equations::actions::Target::Storage(wish.target);
        let line = lines.find(|line| line.target == target);
        line.map_or_else(String::new, |line| format!("`{}`", line.name))
    };
    let names: Vec<String> = wishes.iter().map(name).collect();
    let block = wishes.first().map_or(0, |wish| actions.whens[wish.when].block);
    let words = match &names[..] {
        [one] => format!("{one} cannot be set here: other equations determine it"),
        _ => format!(
            "{} cannot have their new values together: they share a state, or other equations determine them",
            names.join(", ")
        ),
    };
    Unsettled::NotSettable(block, words)
}

impl<'r, 'n> Wishes<'r, 'n> {
    fn new(
        run: &'r mut NetworkRun<'n>,
        t: f64,
        wishes: &'r [Wish],
        old: &[f64],
    ) -> Result<Self, Unsettled> {
        let mut all = Self { run, t, wishes, ways: Vec::new(), old: old.to_vec() };
        for wish in wishes {
            let way = all.way(wish.target)?;
            all.ways.push(way);
        }
        Ok(all)
    }

    /// How a value is changed.
    fn way(&mut self, target: usize) -> Result<Way, Unsettled> {
        let network = self.run.network;
        let target = network.flat.actions.storages[target];
        let place = network.storages.binary_search(&target.storage).unwrap_or(0);
        let fixed = &self.run.present().fixed;
        if let Meaning::Same(own, sign) = fixed.aliases.find(target.storage) {
            // Most storages lead their own state.
            let leads = |k: usize| fixed.leads[k].filter(|lead| lead.state == own).map(|l| (k, l));
            let lead = leads(place).or_else(|| (0..fixed.leads.len()).find_map(leads));
            if let Some((lead, Lead { sign: of_lead, .. })) = lead {
                return Ok(Way::State(lead, sign * of_lead));
            }
        }
        if !target.is_position {
            return Ok(Way::Impulse(place));
        }
        // The position among the states that moves this one most.
        let is_position = |k: usize| {
            let label = network.flat.variables[network.storages[k].index()].label;
            matches!(label, "phi" | "s")
        };
        let leads: Vec<usize> = (0..fixed.leads.len())
            .filter(|&k| fixed.leads[k].is_some() && is_position(k))
            .collect();
        let mut best = (0.0, place);
        for lead in leads {
            let mut y = self.old.clone();
            y[lead] += TRIAL;
            self.run.update_events(self.t, &y)?;
            let moved = (self.run.event_values().storage(place) - self.old[place]).abs();
            if moved > best.0 {
                best = (moved, lead);
            }
        }
        Ok(Way::State(best.1, 0.0))
    }

    /// The values after changes of these sizes; `y` are the storages then.
    fn apply(&mut self, sizes: &[f64], y: &mut [f64]) -> Result<Vec<f64>, Unsettled> {
        let mut old = self.old.clone();
        let mut shares = false;
        for (&way, size) in self.ways.iter().zip(sizes) {
            match way {
                Way::State(place, _) => old[place] += size,
                Way::Impulse(place) => {
                    old[place] += size;
                    shares = true;
                }
            }
        }
        if shares {
            static_step::redistribute(self.run, self.t, &old, y)?;
        } else {
            y.copy_from_slice(&old);
            self.run.update_events(self.t, y)?;
            self.run.follow(y);
        }
        let values = self.run.event_values();
        Ok(self.wishes.iter().map(|wish| values.target(wish.target)).collect())
    }

    /// Puts the values where they are, if all of them are states; true if that does it. Many at once cost no more than one.
    fn put(&mut self, y: &mut [f64]) -> Result<bool, Unsettled> {
        y.copy_from_slice(&self.old);
        for (wish, way) in self.wishes.iter().zip(&self.ways) {
            match *way {
                Way::State(lead, sign) if sign != 0.0 => y[lead] = sign * wish.value + 0.0,
                _ => return Ok(false),
            }
        }
        self.run.update_events(self.t, y)?;
        self.run.follow(y);
        let values = self.run.event_values();
        let is_there = |wish: &Wish| {
            let value = values.target(wish.target);
            (value - wish.value).abs() <= REACHED * value.abs().max(wish.value.abs())
        };
        Ok(self.wishes.iter().all(is_there))
    }

    /// Finds the sizes of the changes; false if there are none that do it.
    fn fulfil(mut self, y: &mut [f64]) -> Result<bool, Unsettled> {
        if self.put(y)? {
            return Ok(true);
        }
        let n = self.wishes.len();
        let wanted: Vec<f64> = self.wishes.iter().map(|wish| wish.value).collect();
        let mut sizes = vec![0.0; n];
        let mut values = self.apply(&sizes, y)?;
        let scale: Vec<f64> =
            wanted.iter().zip(&values).map(|(a, b)| a.abs().max(b.abs()).max(1e-300)).collect();
        let is_there = |values: &[f64]| {
            let pairs = values.iter().zip(&wanted).zip(&scale);
            pairs
                .into_iter()
                .all(|((value, wanted), scale)| (value - wanted).abs() <= REACHED * scale)
        };
        for _ in 0..STEPS {
            if is_there(&values) {
                return self.finish(&sizes, y);
            }
            // Slopes by differences, column by column.
            let mut matrix = vec![0.0; n * n];
            for column in 0..n {
                let trial = TRIAL * scale[column];
                let mut changed = sizes.clone();
                changed[column] += trial;
                let moved = self.apply(&changed, y)?;
                for row in 0..n {
                    matrix[row * n + column] = (moved[row] - values[row]) / trial;
                }
            }
            let rest: Vec<f64> = wanted.iter().zip(&values).map(|(a, b)| a - b).collect();
            let step = least(&mut matrix, rest);
            sizes.iter_mut().zip(&step).for_each(|(size, step)| *size += step);
            values = self.apply(&sizes, y)?;
        }
        if is_there(&values) { self.finish(&sizes, y) } else { Ok(false) }
    }

    /// States that were set have exactly the values that they were to have.
    fn finish(&mut self, sizes: &[f64], y: &mut [f64]) -> Result<bool, Unsettled> {
        self.apply(sizes, y)?;
        for (wish, way) in self.wishes.iter().zip(&self.ways) {
            // The value may be the state itself or its negative.
            let Way::State(lead, _) = *way else { continue };
            let value = wish.value.abs();
            if (y[lead].abs() - value).abs() <= REACHED * value.max(self.old[lead].abs()) {
                y[lead] = if value == 0.0 { 0.0 } else { value.copysign(y[lead]) };
            }
        }
        self.run.update_events(self.t, y)?;
        self.run.follow(y);
        Ok(true)
    }
}

/// A solution of a small system; where rows depend on each other, of those that do not.
pub fn least(matrix: &mut [f64], mut right: Vec<f64>) -> Vec<f64> {
    let n = right.len();
    let mut columns: Vec<usize> = (0..n).collect();
    let mut largest = 0.0f64;
    let mut rank = 0;
    while rank < n {
        // The largest entry that is left is the next pivot.
        let mut best = (0.0, rank, rank);
        for row in rank..n {
            for column in rank..n {
                let entry = matrix[row * n + column].abs();
                if entry > best.0 {
                    best = (entry, row, column);
                }
            }
        }
        let (size, row, column) = best;
        largest = largest.max(size);
        if size <= SINGULAR * largest {
            break;
        }
        (0..n).for_each(|k| matrix.swap(rank * n + k, row * n + k));
        right.swap(rank, row);
        (0..n).for_each(|k| matrix.swap(k * n + rank, k * n + column));
        columns.swap(rank, column);
        for below in rank + 1..n {
            let factor = matrix[below * n + rank] / matrix[rank * n + rank];
            for k in rank..n {
                matrix[below * n + k] -= factor * matrix[rank * n + k];
            }
            right[below] -= factor * right[rank];
        }
        rank += 1;
    }
    let mut solution = vec![0.0; n];
    for row in (0..rank).rev() {
        let known: f64 = (row + 1..rank).map(|k| matrix[row * n + k] * solution[columns[k]]).sum();
        solution[columns[row]] = (right[row] - known) / matrix[row * n + row];
    }
    solution
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_system_is_solved_and_a_dependent_row_left_out() {
        let mut matrix = vec![0.0, 2.0, 4.0, 1.0];
        assert_eq!(least(&mut matrix, vec![6.0, 11.0]), [2.0, 3.0]);
        let mut matrix = vec![1.0, 1.0, 1.0, 1.0];
        let x = least(&mut matrix, vec![3.0, 3.0]);
        assert_eq!(x.iter().sum::<f64>(), 3.0);
        assert_eq!(least(&mut [0.0], vec![1.0]), [0.0]);
    }
}
