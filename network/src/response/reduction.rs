//! Unknowns that follow from others by numbers alone are put in before the sweep.
//!
//! The equations of a circuit name many currents: `i = (v1 - v2)/R`, `i = C s v`. A row in which an unknown has a factor that
//! is a number, whatever the frequency, gives that unknown once and for all, as long as this makes no row much longer
//! (Markowitz 1957: the rows that change get at most as many entries as vanish). What is left of a ladder of resistors and capacitors are
//! the potentials of its nodes.

use std::collections::VecDeque;

use super::rows::{DEGREE, Descriptor, Factor, Row};

/// The factor that gives an unknown is at least this part of the largest of its row.
const THRESHOLD: f64 = 1e-3;
/// Rows with more entries give no unknown.
const LONG: usize = 8;
/// Nothing is put into rows with more entries, and no unknown that is used more often: each change would look through all.
const MANY: usize = 100;

/// What is left, and how the rest follows.
pub(super) struct Reduced {
    /// Unknowns that are left.
    pub columns: Vec<u32>,
    /// Rows that are left.
    pub rows: Vec<usize>,
    /// In order: the unknown that a row gives, its factor there, and the row without it.
    pub steps: Vec<(u32, f64, Row)>,
}

struct Reduction<'a> {
    system: &'a mut Descriptor,
    is_gone: Vec<bool>,
    /// Rows that have, or had, each column.
    users: Vec<Vec<u32>>,
    steps: Vec<(u32, f64, Row)>,
}

/// Puts unknowns into the rows that use them; rows of the system change.
pub(super) fn reduce(system: &mut Descriptor) -> Reduced {
    let n = system.n_unknowns;
    let mut users = vec![Vec::new(); n];
    for (index, row) in (0..).zip(&system.rows) {
        for (column, _) in row.iter().filter(|(column, _)| (*column as usize) < n) {
            users[*column as usize].push(index);
        }
    }
    let mut waiting: VecDeque<u32> = (0..system.rows.len() as u32).collect();
    let is_gone = vec![false; system.rows.len()];
    let mut reduction = Reduction { system, is_gone, users, steps: Vec::new() };
    while let Some(row) = waiting.pop_front() {
        if reduction.is_gone[row as usize] {
            continue;
        }
        if let Some(column) = reduction.unknown_of(row) {
            reduction.put_in(row, column, &mut waiting);
        }
    }
    let Reduction { is_gone, steps, .. } = reduction;
    let mut is_given = vec![false; n];
    steps.iter().for_each(|(column, ..)| is_given[*column as usize] = true);
    Reduced {
        columns: (0..n as u32).filter(|column| !is_given[*column as usize]).collect(),
        rows: (0..is_gone.len()).filter(|row| !is_gone[*row]).collect(),
        steps,
    }
}

fn factor(row: &Row, column: u32) -> Option<Factor> {
    row.iter().find(|(own, _)| *own == column).map(|(_, factor)| *factor)
}

impl Reduction<'_> {
    /// The rows that use a column now.
    fn users_of(&self, column: u32) -> impl Iterator<Item = u32> + '_ {
        let uses = move |row: &u32| {
            !self.is_gone[*row as usize]
                && factor(&self.system.rows[*row as usize], column).is_some()
        };
        self.users[column as usize].iter().copied().filter(uses)
    }

    /// The unknown that a row gives best.
    fn unknown_of(&self, index: u32) -> Option<u32> {
        let row = &self.system.rows[index as usize];
        let n = self.system.n_unknowns;
        if row.len() > LONG || row.iter().any(|(_, factor)| factor.delay != 0.0) {
            return None;
        }
        let largest = row.iter().fold(0.0, |most: f64, (_, factor)| {
            factor.c.iter().fold(most, |most, c| most.max(c.abs()))
        });
        let degree = row.iter().filter_map(|(_, factor)| factor.degree()).max().unwrap_or(0);
        let fits = |column: u32| -> Option<usize> {
            if self.users[column as usize].len() > MANY {
                return None;
            }
            let mut uses = 0;
            for user in self.users_of(column).filter(|user| *user != index) {
                let row = &self.system.rows[user as usize];
                let own = factor(row, column).filter(|_| row.len() <= MANY)?;
                if own.delay != 0.0 || own.degree().unwrap_or(0) + degree > DEGREE {
                    return None;
                }
                uses += 1;
            }
            // What vanishes is the row, and the column in all others.
            (uses * (row.len() - 1) <= uses + row.len()).then_some(uses)
        };
        let candidates = row.iter().filter_map(|(column, factor)| {
            let number = factor.as_number()?;
            let is_good = (*column as usize) < n && number.abs() >= THRESHOLD * largest;
            is_good.then_some(*column)
        });
        let rated = candidates.filter_map(|column| Some((fits(column)?, column)));
        rated.min().map(|(_, column)| column)
    }

    /// Puts the unknown of a row into all others.
    fn put_in(&mut self, index: u32, column: u32, waiting: &mut VecDeque<u32>) {
        let mut users: Vec<u32> = self.users_of(column).filter(|user| *user != index).collect();
        users.sort_unstable();
        users.dedup();
        let mut own = std::mem::take(&mut self.system.rows[index as usize]);
        self.is_gone[index as usize] = true;
        let pivot = factor(&own, column).map_or(1.0, |factor| factor.c[0]);
        own.retain(|(other, _)| *other != column);
        for user in users {
            let row = std::mem::take(&mut self.system.rows[user as usize]);
            // What is not in the row yet comes in.
            for &(other, _) in own.iter().filter(|(other, _)| factor(&row, *other).is_none()) {
                self.users.get_mut(other as usize).into_iter().for_each(|users| users.push(user));
            }
            let new = combine(row, column, &own, pivot);
            self.system.rows[user as usize] = new;
            waiting.push_back(user);
        }
        self.steps.push((column, pivot, own));
    }
}

/// A row in which `-own/pivot` stands for a column.
fn combine(mut row: Row, column: u32, own: &Row, pivot: f64) -> Row {
    let Some(at) = row.iter().position(|(other, _)| *other == column) else { return row };
    let (_, factor) = row.remove(at);
    for (other, x) in own {
        let mut c = [0.0; DEGREE + 1];
        for (i, a) in factor.c.iter().enumerate() {
            for (j, b) in x.c.iter().enumerate().take(DEGREE + 1 - i) {
                c[i + j] -= a * b / pivot;
            }
        }
        match row.iter_mut().find(|(own, factor)| own == other && factor.delay == 0.0) {
            Some((_, known)) => known.c.iter_mut().zip(c).for_each(|(sum, c)| *sum += c),
            None => row.push((*other, Factor { c, delay: 0.0 })),
        }
    }
    row.retain(|(_, factor)| factor.degree().is_some());
    row.sort_by_key(|(column, _)| *column);
    row
}
