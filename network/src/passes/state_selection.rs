//! Pass 5 once more, by numbers: which of the variables that constraints tie together are states.
//!
//! By its structure `p2 = m p1` may determine p1 as well as p2; where m vanishes it says nothing about p1, and p2 must not
//! be the state. So constraints whose derivatives change are looked at after each step. With the
//! determined variables d and the states s, J_d dd + J_s ds = 0: the entries of J_d^-1 J_s say by how much an error of a
//! state is magnified in what follows from it, each over the size of its variable. Where one of them is large, the two
//! change places, which multiplies the determinant of J_d by just that entry (Goreinov and others, *How to Find a
//! Good Submatrix*, 2010); dummy derivatives that are chosen anew are those of Mattsson and Söderlind (1993).

use crate::passes::alias::{Aliases, Meaning};
use crate::passes::equation_structure::{Kept, Structure};
use crate::passes::linear_form::is_linear;
use equations::derive::partial;
use equations::expr::{Arena, ExprId, VarId};
use equations::flat::Variable;
use equations::walk::Images;
use parser::syntax::BinaryOp;
use rustc_hash::{FxHashMap, FxHashSet};

/// An error of a state that is magnified by more than this calls for other states: soon enough that no step leads across the
/// singular position.
const MAGNIFIED: f64 = 5.0;
/// What is chosen magnifies by no more than this.
const WELL_CHOSEN: f64 = 2.0;
/// A pivot below this, over the largest entry of its row, is zero.
const SINGULAR: f64 = 1e-12;
/// A variable that was never larger than this, over the largest of its group, counts as that large.
const LEAST_SIZE: f64 = 1e-6;
/// Constraints in one group above which their structure decides: the numbers are kept in a full matrix.
const MOST_ROWS: usize = 200;
/// Choices that are told one by one.
pub(crate) const MOST_TOLD: usize = 20;

/// Variables that constraints shall determine.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Determined {
    /// The constraints, as they stand before the reduction of the index.
    pub equations: Vec<usize>,
    /// As many variables.
    pub variables: Vec<VarId>,
}

/// Constraints that share variables, with derivatives that change.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    pub(crate) equations: Vec<usize>,
    pub(crate) columns: Vec<Column>,
    pub(crate) entries: Vec<Entry>,
}

/// A derivative of a constraint of a group with respect to one of its variables.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    row: usize,
    column: usize,
    /// Number among the slopes of constraints that are asked at events.
    slope: usize,
}

/// A variable that the constraints of a group may determine.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub(crate) variable: VarId,
    /// Its storage, if it may be a state.
    pub(crate) storage: Option<usize>,
    pub(crate) is_determined: bool,
}

/// A choice that was made anew.
#[derive(Debug, PartialEq, educe::Educe)]
#[educe(Clone)]
pub struct Rechosen {
    /// When, s.
    pub t: f64,
    /// Storages that became states.
    pub states: Vec<usize>,
    /// Storages that are no states any more.
    pub others: Vec<usize>,
}

/// Equations of index one with what decides about their states.
pub(crate) struct Constraints<'a> {
    pub variables: &'a [Variable],
    pub aliases: &'a Aliases,
    pub structure: &'a Structure,
    pub kept: Kept<'a>,
    /// Variables that may be states.
    pub storages: &'a [VarId],
}

/// The groups whose derivatives change, and these derivatives.
pub(crate) fn groups(
    arena: &mut Arena,
    constraints: &Constraints<'_>,
    images: &mut Images,
) -> (Vec<Group>, Vec<ExprId>) {
    let Constraints { variables, aliases, structure, kept, storages } = *constraints;
    // Constraints are the equations that were differentiated. Those with constant factors keep their choice for ever.
    let steps = structure.differentiations();
    let roots: Vec<usize> =
        (0..steps.len()).filter(|&e| steps[e] > 0 && structure.derived_from[e].is_none()).collect();
    if !roots.iter().any(changes_in(arena, structure)) {
        return Default::default();
    }
    // Variables that are determined now, and variables that could be states.
    let solved: FxHashSet<VarId> = structure.solves.iter().flatten().copied().collect();
    let mut storage_of: FxHashMap<VarId, usize> = FxHashMap::default();
    for (place, &storage) in storages.iter().enumerate() {
        if let Meaning::Same(own, _) = aliases.find(storage)
            && kept.is_given.get(own.index()) != Some(&true)
        {
            storage_of.entry(own).or_insert(place);
        }
    }
    // Constraints that share no variable choose on their own.
    let mut groups = Vec::new();
    let mut asked = Vec::new();
    for equations in connected(structure, &roots) {
        if equations.len() > MOST_ROWS || !equations.iter().any(changes_in(arena, structure)) {
            continue;
        }
        // The columns of J: variables whose derivatives fit those of the constraint.
        let mut columns: Vec<Column> = Vec::new();
        for &equation in &equations {
            for &variable in &structure.incidence[equation] {
                // A constraint that was differentiated k times determines a variable that can be differentiated k
                // times: their highest derivatives meet in the last derivative of the constraint.
                let known = columns.iter().any(|column| column.variable == variable);
                let fits = rises(variables, aliases, variable) == steps[equation];
                let is_determined = solved.contains(&variable);
                let storage = storage_of.get(&variable).copied();
                if !known && fits && (is_determined || storage.is_some()) {
                    columns.push(Column { variable, storage, is_determined });
                }
            }
        }
        let group = Group { equations, columns, entries: Vec::new() };
        groups.extend(with_entries(arena, structure, group, &mut asked, images));
    }
    (groups, asked)
}

/// A group with its derivatives, if one of them changes.
fn with_entries(
    arena: &mut Arena,
    structure: &Structure,
    mut group: Group,
    asked: &mut Vec<ExprId>,
    images: &mut Images,
) -> Option<Group> {
    // J by rows, without entries that are zero for ever.
    let first = asked.len();
    for (row, &equation) in group.equations.iter().enumerate() {
        for (place, column) in group.columns.iter().enumerate() {
            let terms = &structure.equations[equation].terms;
            let slope = slope(arena, terms, column.variable, images);
            if arena.value(slope) != Some(0.0) {
                group.entries.push(Entry { row, column: place, slope: asked.len() });
                asked.push(slope);
            }
        }
    }
    // Derivatives that are all numbers never change the choice, so that nothing is asked at events.
    if asked[first..].iter().all(|&slope| arena.value(slope).is_some()) {
        asked.truncate(first);
        return None;
    }
    Some(group)
}

/// Is an equation more than a sum of constant multiples?
fn changes_in<'a>(arena: &'a Arena, structure: &'a Structure) -> impl Fn(&usize) -> bool + 'a {
    |&equation| !is_linear(arena, &structure.equations[equation].terms)
}

/// How often a variable can be differentiated until its derivative has none any more.
pub(crate) fn rises(variables: &[Variable], aliases: &Aliases, variable: VarId) -> u8 {
    let mut at = variable;
    let mut count = 0;
    while let Some(rate) = variables.get(at.index()).and_then(|variable| variable.rate) {
        let Meaning::Same(own, _) = aliases.find(rate) else { break };
        (at, count) = (own, count + 1);
    }
    count
}

/// The derivative of a sum.
fn slope(arena: &mut Arena, terms: &[ExprId], variable: VarId, images: &mut Images) -> ExprId {
    let mut sum = arena.constant(0.0);
    for &term in terms {
        let slope = partial(arena, term, variable, images);
        sum = arena.binary(BinaryOp::Add, sum, slope);
    }
    sum
}

/// Equations in groups that share variables.
fn connected(structure: &Structure, equations: &[usize]) -> Vec<Vec<usize>> {
    // The equations of each variable, then a walk from equation to equation through shared variables.
    let mut users: FxHashMap<VarId, Vec<usize>> = FxHashMap::default();
    for &equation in equations {
        for &variable in &structure.incidence[equation] {
            users.entry(variable).or_default().push(equation);
        }
    }
    let mut seen = FxHashSet::default();
    let mut groups = Vec::new();
    for &first in equations {
        if !seen.insert(first) {
            continue;
        }
        // The group grows while it is walked: each of its equations brings those that share a variable with it.
        let (mut group, mut next) = (vec![first], 0);
        while let Some(&equation) = group.get(next) {
            next += 1;
            for variable in &structure.incidence[equation] {
                // Each list is walked once.
                let list = users.remove(variable).unwrap_or_default();
                group.extend(list.into_iter().filter(|user| seen.insert(*user)));
            }
        }
        group.sort_unstable();
        groups.push(group);
    }
    groups
}

impl Group {
    /// The variables that had best be determined, if they are others than now. `entry` gives the derivatives, `size` the
    /// sizes of storages.
    pub(crate) fn better(
        &self,
        entry: impl Fn(usize) -> f64,
        size: impl Fn(usize) -> f64,
    ) -> Option<Vec<usize>> {
        // Each variable in units of its own size, which has a floor.
        let size_of = |column: &Column| column.storage.map_or(0.0, &size);
        let largest = self.columns.iter().map(size_of).fold(f64::MIN_POSITIVE, f64::max);
        let sizes: Vec<f64> = (self.columns.iter())
            .map(|column| {
                if column.storage.is_none() {
                    1.0
                } else {
                    size_of(column).max(LEAST_SIZE * largest)
                }
            })
            .collect();
        // J in these units, each row over its largest entry.
        let mut matrix = vec![vec![0.0; self.columns.len()]; self.equations.len()];
        for &Entry { row, column, slope } in &self.entries {
            matrix[row][column] = entry(slope) * sizes[column];
        }
        for row in &mut matrix {
            let largest = row.iter().fold(0.0f64, |largest, x| largest.max(x.abs()));
            if !largest.is_finite() || largest == 0.0 {
                return None;
            }
            row.iter_mut().for_each(|x| *x /= largest);
        }
        // The present choice stays while it magnifies little.
        let now = |column: usize| self.columns[column].is_determined;
        if let Some(table) = Tableau::new(matrix.clone(), &self.columns, now)
            && table.largest(&self.columns).is_none_or(|(x, ..)| x <= MAGNIFIED)
        {
            return None;
        }
        // Else the best choice: start from the largest pivots, and exchange while an entry is large.
        // Greedy pivots come near to the best choice; each exchange enlarges the determinant by a factor above two, so
        // that the exchanges end.
        let mut table = Tableau::new(matrix, &self.columns, |_| true)?;
        for _ in 0..10 * self.columns.len() {
            let Some((_, row, column)) =
                table.largest(&self.columns).filter(|(x, ..)| *x > WELL_CHOSEN)
            else {
                break;
            };
            table.pivot(row, column);
        }
        // The order of the rows is an accident of the elimination.
        let mut basis = table.basis;
        basis.sort_unstable();
        let same = basis.iter().all(|&column| now(column));
        (!same).then_some(basis)
    }
}

/// J_d^-1 J, with the columns of J_d in `basis`, one for each row.
struct Tableau {
    rows: Vec<Vec<f64>>,
    basis: Vec<usize>,
}

impl Tableau {
    /// Determines as many columns as there are rows, of those that are allowed; what must be determined comes first, else the
    /// largest entry. Nothing if the rows do not determine so many.
    fn new(
        rows: Vec<Vec<f64>>,
        columns: &[Column],
        allowed: impl Fn(usize) -> bool,
    ) -> Option<Self> {
        const OPEN: usize = usize::MAX;
        let mut table = Self { basis: vec![OPEN; rows.len()], rows };
        for _ in 0..table.rows.len() {
            // The best pivot of the rows that have none yet.
            let mut best: Option<((bool, f64), usize, usize)> = None;
            for (row, entries) in
                table.rows.iter().enumerate().filter(|(row, _)| table.basis[*row] == OPEN)
            {
                for (column, x) in entries.iter().enumerate() {
                    let rank = (columns[column].storage.is_none(), x.abs());
                    let free = allowed(column) && !table.basis.contains(&column);
                    if free && x.abs() > SINGULAR && best.is_none_or(|(known, ..)| rank > known) {
                        best = Some((rank, row, column));
                    }
                }
            }
            let (_, row, column) = best?;
            table.pivot(row, column);
        }
        Some(table)
    }

    /// The largest entry of a state that may be determined in a row of one that may be a state.
    fn largest(&self, columns: &[Column]) -> Option<(f64, usize, usize)> {
        let rows = self.rows.iter().zip(&self.basis).enumerate();
        // Only storages can change places: any other variable has to be determined.
        let free = rows.filter(|(_, (_, column))| columns[**column].storage.is_some());
        let entries = free.flat_map(|(row, (entries, _))| {
            entries.iter().enumerate().map(move |(column, x)| (x.abs(), row, column))
        });
        // The column is a state now, and may be determined.
        let may = |&(_, _, column): &(f64, usize, usize)| {
            columns[column].storage.is_some() && !self.basis.contains(&column)
        };
        entries.filter(may).max_by(|a, b| a.0.total_cmp(&b.0))
    }

    /// Lets a row determine a column.
    fn pivot(&mut self, row: usize, column: usize) {
        // Gauss and Jordan: one in the row, zero in all others.
        let by = self.rows[row][column];
        self.rows[row].iter_mut().for_each(|x| *x /= by);
        let own = self.rows[row].clone();
        for (_, entries) in self.rows.iter_mut().enumerate().filter(|(other, _)| *other != row) {
            // The column of the pivot vanishes from the other rows.
            let factor = entries[column];
            entries.iter_mut().zip(&own).for_each(|(x, own)| *x -= factor * own);
        }
        self.basis[row] = column;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two constraints between four storages, as a full matrix.
    fn group(determined: [usize; 2]) -> Group {
        let column = |c: usize| Column {
            variable: VarId(c as u32),
            storage: Some(c),
            is_determined: determined.contains(&c),
        };
        let entries = (0..8).map(|k| Entry { row: k / 4, column: k % 4, slope: k }).collect();
        Group { equations: vec![0, 1], columns: (0..4).map(column).collect(), entries }
    }

    #[test]
    fn a_choice_stays_until_it_is_poor() {
        // x0 + m x2 = 0, x1 + x3 = 0.
        let entries = |m: f64| [1.0, 0.0, m, 0.0, 0.0, 1.0, 0.0, 1.0];
        let better = |m: f64, determined, sizes: [f64; 4]| {
            group(determined).better(|k| entries(m)[k], |s| sizes[s])
        };
        assert_eq!(better(0.25, [2, 1], [1.0; 4]), None);
        assert_eq!(better(0.04, [2, 1], [1.0; 4]), Some(vec![0, 1]));
        assert_eq!(better(0.0, [2, 3], [1.0; 4]).map(|basis| basis[0]), Some(0));
        // Only what is large beside its own size counts.
        assert_eq!(better(0.04, [2, 1], [0.04, 1.0, 1.0, 1.0]), None);
        // Nothing is better where the constraints depend on each other.
        let dependent = [1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0];
        assert_eq!(group([0, 1]).better(|k| dependent[k], |_| 1.0), None);
    }
}
