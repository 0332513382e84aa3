//! The equations of a network at an instant as a complementarity problem, and its solution as modes.

use rustc_hash::FxHashSet;

use super::hybrid_matrix::{Eliminated, Hybrid, Row, eliminate, hybrid};
use super::lemke::{self, NoSolution, Problem};
use super::linearise::{Affine, Instant, Lineariser};
use super::pairs::{Element, Finder, equations_of_modes};
use super::series::Series;
use equations::expr::{Arena, ExprId, VarId};
use equations::flat::{Equation, Flat, Source, Valve, ValveKind};
use equations::islands::parts_without_reference;

/// Resistance and conductance of valves are this power of eps times a usual size.
const SOFTNESS: i32 = 4;

/// What is known at an instant.
pub(crate) struct Question<'a> {
    pub arena: &'a Arena,
    pub flat: &'a Flat,
    pub at: Instant<'a>,
    pub modes: &'a [i8],
    /// Variables with a rate: value before the instant and bound of its error.
    pub storages: &'a [(VarId, f64, f64)],
}

/// Modes and variables after an instant.
pub(crate) struct Answer {
    pub modes: Vec<i8>,
    /// For each mode: was it part of the problem?
    pub is_found: Vec<bool>,
    /// For each mode: do the numbers tell it?
    pub is_decided: Vec<bool>,
    /// Values, rates, and so on, of all variables.
    values: Vec<Series>,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Unanswered {
    /// No element opens and closes in a way that is known here.
    Nothing,
    /// The equations contradict each other whatever the valves do.
    Contradiction,
    /// No modes fit; these elements, by their blocks, take part.
    NoModes(Vec<u32>),
    /// Numbers are too inexact, or not finite.
    Inexact,
}

impl Answer {
    /// The value of a variable right after the instant, if it is known.
    pub fn value(&self, variable: VarId) -> Option<f64> {
        let value = &self.values[variable.index()];
        value.knows(0).then(|| value.coefficient(0))
    }

    /// Does the value of a storage jump, beyond the errors of what is known?
    pub fn jumps(&self, variable: VarId, before: f64, error: f64) -> bool {
        let change = self.values[variable.index()] - Series::bounded(0, &[before], &[error]);
        change.leading().is_some_and(|(order, _)| order <= 0)
    }

    /// Is there an impulse in a variable?
    fn is_impulse(&self, variable: VarId) -> bool {
        self.values[variable.index()].leading().is_some_and(|(order, _)| order < 0)
    }
}

/// A pair among all: its element, its branch.
#[derive(Clone, Copy)]
struct Pair {
    element: usize,
    branch: usize,
    /// Is the branch in force?
    is_closed: bool,
}

/// Columns of the equations: variables, all p, all a, 1.
struct Columns {
    n_variables: usize,
    n_pairs: usize,
}

impl Columns {
    fn p(&self, pair: usize) -> usize {
        self.n_variables + pair
    }

    fn a(&self, pair: usize) -> usize {
        self.n_variables + self.n_pairs + pair
    }

    fn one(&self) -> usize {
        self.n_variables + 2 * self.n_pairs
    }
}

/// A factor of a law: whole numbers are exact.
fn factor(number: f64) -> Series {
    if number.fract() == 0.0 { Series::exact(number) } else { Series::rounded(number) }
}

/// Entries of a row, in any order; those of one column are added up.
fn row_of(mut entries: Row) -> Row {
    entries.sort_by_key(|(column, _)| *column);
    let mut row = Row::with_capacity(entries.len());
    for (column, x) in entries {
        match row.last_mut() {
            Some((last, sum)) if *last == column => **sum = &**sum + &*x,
            _ => row.push((column, x)),
        }
    }
    row.retain(|(_, x)| !x.is_nothing());
    row
}

/// Adds `weight * form` to a row.
fn add_form(row: &mut Row, form: &Affine, weight: &Series, one: usize) {
    let term = |(variable, x): &(VarId, f64)| (variable.index(), Box::new(&factor(*x) * weight));
    row.extend(form.terms.iter().map(term));
    row.push((one, Box::new(&form.free.series() * weight)));
}

/// The soft part of a valve or island.
fn soft(size: f64) -> Series {
    Series::power(size, SOFTNESS)
}

impl Question<'_> {
    /// Finds the modes after the instant.
    ///
    /// # Errors
    /// If there are none, or if nothing is to be found.
    pub fn answer(&self) -> Result<Answer, Unanswered> {
        let (elements, own) = self.elements();
        let is_nothing = elements.iter().all(|element| element.branches.is_empty());
        if is_nothing { Err(Unanswered::Nothing) } else { self.answer_for(&elements, &own) }
    }

    /// Is there nothing that opens and closes by itself?
    pub fn is_plain(&self) -> bool {
        self.elements().0.iter().all(|element| element.branches.is_empty())
    }

    /// All values after the instant if every mode stays as it is.
    ///
    /// # Errors
    /// If there are none.
    pub fn values_in_modes(&self) -> Result<Answer, Unanswered> {
        self.answer_for(&[], &vec![false; self.flat.equations.len()])
    }

    /// The answer where these elements may change their modes; `own` are their equations.
    fn answer_for(&self, elements: &[Element], own: &[bool]) -> Result<Answer, Unanswered> {
        let pairs: Vec<Pair> = elements
            .iter()
            .enumerate()
            .flat_map(|(number, element)| {
                (0..element.branches.len()).map(move |branch| Pair {
                    element: number,
                    branch,
                    is_closed: element.present == Some(branch),
                })
            })
            .collect();
        let columns = Columns { n_variables: self.flat.variables.len(), n_pairs: pairs.len() };
        let mut rows = self.laws(own, &columns)?;
        self.write_elements(elements, &pairs, &columns, &mut rows);
        self.write_storages(&columns, &mut rows);
        let rows: Vec<Row> = rows.into_iter().map(row_of).collect();
        if rows.iter().flatten().any(|(_, x)| !x.is_finite()) {
            return Err(Unanswered::Inexact);
        }
        let eliminated = eliminate(rows, columns.n_variables);
        self.solve(&eliminated, (elements, &pairs), &columns)
    }

    /// May storages jump as an answer says? Charge and flux flow between storages then, and what valves take up. No source
    /// can deliver an impulse, and nothing that is cut by force can hold one off.
    pub fn allows_jump(&self, answer: &Answer) -> bool {
        let mut forms = Lineariser::new(self.arena, &self.at, &answer.modes);
        let is_element = |block: u32| self.flat.modes.iter().any(|law| law.block == block);
        let variables = self.flat.variables.iter().enumerate();
        let impulses = variables.filter(|(index, _)| answer.is_impulse(VarId(*index as u32)));
        let struck: FxHashSet<u32> = impulses.map(|(_, variable)| variable.block).collect();
        // A source has a law that is not zero by itself.
        let is_source = |equation: &Equation, forms: &mut Lineariser<'_>| {
            let is_law = equation.source == Source::Law && !is_element(equation.block);
            is_law && struck.contains(&equation.block) && {
                let form = forms.sum(&equation.terms);
                !(form.free.is_constant() && form.free.c[0] == 0.0)
            }
        };
        if self.flat.equations.iter().any(|equation| is_source(equation, &mut forms)) {
            return false;
        }
        self.flat.modes.iter().enumerate().all(|(mode, law)| match law.valve {
            Some(Valve { v, kind: ValveKind::Switch, .. }) if !answer.is_found[mode] => {
                let form = forms.find(v);
                !form.terms.iter().any(|(variable, _)| answer.is_impulse(*variable))
            }
            _ => true,
        })
    }

    /// Does an impulse explain that storages jump? It passes through a valve, and through nothing that sticks, whose force has a
    /// limit. An answer with another jump has been led astray by rounding.
    pub fn explains_jump(&self, answer: &Answer) -> bool {
        let mut forms = Lineariser::new(self.arena, &self.at, &answer.modes);
        let mut is_struck = |i: ExprId| {
            let form = forms.find(i);
            form.terms.iter().any(|(variable, _)| answer.is_impulse(*variable))
        };
        let valves = || self.flat.modes.iter().filter_map(|law| law.valve);
        // Where nothing sticks, steps of sources and capacities may ask for jumps too.
        let mut is_explained = !valves().any(|valve| matches!(valve.kind, ValveKind::Lock { .. }));
        for Valve { i, kind, .. } in valves() {
            match kind {
                ValveKind::Switch => is_explained |= is_struck(i),
                ValveKind::Lock { .. } if is_struck(i) => return false,
                ValveKind::Lock { .. } => {}
            }
        }
        is_explained
    }

    /// Elements that take part, and for each equation whether it is one of theirs.
    fn elements(&self) -> (Vec<Element>, Vec<bool>) {
        let equations = equations_of_modes(self.arena, self.flat);
        let finder = Finder { arena: self.arena, flat: self.flat, at: &self.at, modes: self.modes };
        let all = equations.iter().enumerate();
        let elements: Vec<Element> =
            all.filter_map(|(mode, equations)| finder.element(mode, equations)).collect();
        let mut own = vec![false; self.flat.equations.len()];
        elements.iter().for_each(|element| own[element.equation] = true);
        (elements, own)
    }

    /// Rows of all equations but those of elements that take part; valves that stay as they are become soft.
    fn laws(&self, own: &[bool], columns: &Columns) -> Result<Vec<Row>, Unanswered> {
        let one = columns.one();
        let mut forms = Lineariser::new(self.arena, &self.at, self.modes);
        let mut rows: Vec<Row> = Vec::with_capacity(own.len() + columns.n_pairs);
        for (equation, own) in self.flat.equations.iter().zip(own) {
            let mut row = Row::new();
            if !own {
                add_form(&mut row, &forms.sum(&equation.terms), &Series::one(), one);
            }
            rows.push(row);
        }
        for (law, &mode) in self.flat.modes.iter().zip(self.modes) {
            let Some(Valve { equation, v, i, kind: ValveKind::Switch, scale }) = law.valve else {
                continue;
            };
            if own[equation] {
                continue;
            }
            let (what, size) = if mode == 0 { (v, 1.0 / scale) } else { (i, scale) };
            add_form(&mut rows[equation], &forms.find(what), &-soft(size), one);
        }
        for node in parts_without_reference(self.flat, |_| true) {
            if let Some(balance) = self.flat.balances[node] {
                let potential = forms.find(self.flat.potentials[node]);
                let size = 1.0 / self.flat.resistances[node];
                add_form(&mut rows[balance], &potential, &soft(size), one);
            }
        }
        Ok(rows)
    }

    /// The middle laws and the pairs (`pairs.rs`).
    fn write_elements(
        &self,
        elements: &[Element],
        pairs: &[Pair],
        columns: &Columns,
        rows: &mut Vec<Row>,
    ) {
        let one = columns.one();
        for element in elements {
            let row = &mut rows[element.equation];
            add_form(row, &element.middle, &Series::one(), one);
            if let Some(leak) = &element.leak {
                add_form(row, leak, &-soft(1.0), one);
            }
        }
        for (number, pair) in pairs.iter().enumerate() {
            let element = &elements[pair.element];
            let branch = &element.branches[pair.branch];
            let (p, a) = (columns.p(number), columns.a(number));
            rows[element.equation].push((p, Box::new(Series::exact(-branch.sign))));
            let mut row = vec![(a, Box::new(-Series::one()))];
            let softness = if element.leak.is_some() { soft(element.scale) } else { Series::ZERO };
            let resistance = factor(branch.resistance) + softness;
            row.push((p, Box::new(resistance)));
            add_form(&mut row, &branch.guard, &-Series::one(), one);
            rows.push(row);
        }
    }

    /// `eps RATE = X - x(0-)`.
    fn write_storages(&self, columns: &Columns, rows: &mut Vec<Row>) {
        for &(storage, before, error) in self.storages {
            let Some(rate) = self.flat.variables[storage.index()].rate else { continue };
            rows.push(vec![
                (rate.index(), Box::new(Series::power(1.0, 1))),
                (storage.index(), Box::new(-Series::one())),
                (columns.one(), Box::new(Series::bounded(0, &[before], &[error]))),
            ]);
        }
    }

    fn solve(
        &self,
        eliminated: &Eliminated,
        (elements, pairs): (&[Element], &[Pair]),
        columns: &Columns,
    ) -> Result<Answer, Unanswered> {
        let n = columns.n_pairs;
        let is_closed: Vec<bool> = pairs.iter().map(|pair| pair.is_closed).collect();
        let scale = |pair: &Pair| elements[pair.element].scale;
        let scales: Vec<f64> = pairs.iter().map(scale).collect();
        let hybrid = hybrid(&eliminated.outer, columns.n_variables, &is_closed, &scales);
        let Hybrid { is_first, rows } = hybrid.ok_or(Unanswered::Contradiction)?;
        let mut problem = Problem::default();
        for mut row in rows {
            problem.q.push(row.pop().unwrap_or(Series::ZERO));
            problem.m.push(row);
        }
        let solution = lemke::solve(&problem).map_err(|none| match none {
            NoSolution::Ray(ray) => {
                let block = |pair: usize| self.flat.modes[elements[pairs[pair].element].mode].block;
                Unanswered::NoModes(ray.into_iter().map(block).collect())
            }
            NoSolution::TooLong => Unanswered::Inexact,
        })?;
        // p and a of each pair.
        let of = |k: usize| {
            let (w, z) = (solution.w[k], solution.z[k]);
            if is_first[k] { (w, z) } else { (z, w) }
        };
        let mut outer: Vec<Series> = (0..n).map(|k| of(k).0).collect();
        outer.extend((0..n).map(|k| of(k).1));
        outer.push(Series::one());
        let values = eliminated.values(&outer);
        let mut modes = self.modes.to_vec();
        let (mut is_found, mut is_decided) = (vec![false; modes.len()], vec![true; modes.len()]);
        for (number, element) in elements.iter().enumerate() {
            is_found[element.mode] = true;
            let (mut on, mut is_held) = (None, false);
            for (k, pair) in pairs.iter().enumerate().filter(|(_, pair)| pair.element == number) {
                let (p, a) = of(k);
                let is_told = p.sign().is_ne() || a.sign().is_ne();
                is_decided[element.mode] &= is_told || solution.is_pivoted[k];
                // Where both are zero as far as they are known the last basis tells, and what it leaves stays.
                let is_on = match (is_told, solution.is_pivoted[k]) {
                    (true, _) => p.sign().is_gt(),
                    (false, true) => !is_first[k],
                    (false, false) => pair.is_closed,
                };
                if is_on {
                    on = Some(pair.branch);
                    // What moves by its softness alone is held by others.
                    is_held = p.leading().is_some_and(|(order, _)| order >= SOFTNESS);
                }
            }
            if on != element.present {
                let value = on.map_or(0, |branch| element.branches[branch].value);
                modes[element.mode] = if is_held { element.held(value) } else { value };
            }
        }
        Ok(Answer { modes, is_found, is_decided, values })
    }
}
