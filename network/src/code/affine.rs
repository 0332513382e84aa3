//! Variables that are a few numbers times a few others are put into the equations that use them.
//!
//! The laws of a circuit with resistors and amplifiers, or of a controller, name many quantities that an evaluation
//! does not need: the rate of a current is in the end a sum of three states. An unknown x with
//!
//! ```text
//! x = sum over k of c_k z_k + c,
//! ```
//!
//! c_k numbers, is replaced by that sum in explicit equations. An unknown that only such equations use is then computed for
//! results and guards alone (the levels of `block_compiler.rs`). The unknowns of a small loop with constant factors are
//! replaced likewise: the loop is solved here once and for all.

use parser::syntax::BinaryOp;
use rustc_hash::FxHashMap;

use crate::passes::equation_structure::Structure;
use equations::expr::{Arena, ExprId, Node, VarId};
use equations::walk::Marks;

/// A sum of so few terms is put into all equations that use it; a longer one into a single one.
const FEW_TERMS: usize = 3;
/// Longer sums are left alone.
const MOST_TERMS: usize = 12;
/// Loops with more equations are left alone.
const LARGEST_LOOP: usize = 4;
/// A pivot of a loop below this part of its largest entry says nothing.
const LEAST_PIVOT: f64 = 1e-9;

/// Numbers times expressions; the expression of a number alone is a constant, 1.
type Form = Vec<(ExprId, f64)>;

/// Equations in which variables are replaced.
#[derive(Default)]
pub(crate) struct Replaced {
    /// The new terms of each equation in which a variable is replaced.
    pub terms: FxHashMap<usize, Vec<ExprId>>,
    /// The variables in these terms, but for the unknown.
    pub incidence: FxHashMap<usize, Vec<VarId>>,
}

struct Replacer<'a> {
    arena: &'a mut Arena,
    structure: &'a Structure,
    /// How often each variable occurs in the equations.
    uses: Vec<u32>,
    forms: FxHashMap<VarId, Form>,
    one: ExprId,
    marks: &'a mut Marks,
}

/// Replaces variables in the explicit equations among some blocks.
pub(crate) fn replace(
    arena: &mut Arena,
    structure: &Structure,
    blocks: &[Vec<usize>],
    n_variables: usize,
    marks: &mut Marks,
) -> Replaced {
    let mut uses = vec![0; n_variables];
    for &equation in blocks.iter().flatten() {
        let own = structure.solves[equation];
        for variable in &structure.incidence[equation] {
            uses[variable.index()] += u32::from(Some(*variable) != own);
        }
    }
    let one = arena.constant(1.0);
    let forms = FxHashMap::default();
    let mut replacer = Replacer { arena, structure, uses, forms, one, marks };
    let mut replaced = Replaced::default();
    for block in blocks {
        match block[..] {
            [equation] => replacer.explicit(equation, &mut replaced),
            _ => replacer.solve_loop(block),
        }
    }
    replaced
}

impl Replacer<'_> {
    /// Puts the forms of variables into an equation with one unknown, and finds the form of that one.
    fn explicit(&mut self, equation: usize, replaced: &mut Replaced) {
        let Some(unknown) = self.structure.solves[equation] else { return };
        let Some((mut form, is_new)) = self.flatten(equation, &[unknown]) else { return };
        // The unknown must occur once, with a number as its factor.
        let own = self.arena.variable(unknown);
        let Some(place) = form.iter().position(|(id, _)| *id == own) else { return };
        let (_, factor) = form.swap_remove(place);
        let is_alone = form.iter().all(|&(id, _)| !self.contains(id, unknown));
        if factor == 0.0 || !is_alone {
            return;
        }
        // x = sum of the others over minus its factor.
        form.iter_mut().for_each(|(_, share)| *share /= -factor);
        if form.iter().any(|(_, share)| !share.is_finite()) {
            return;
        }
        // Where variables were replaced the equation is written anew: 0 = -x + sum.
        if is_new {
            let minus = self.arena.make(Node::Negate(own));
            let mut terms = vec![minus];
            for &(id, share) in &form {
                let share = self.arena.constant(share);
                terms.push(self.arena.binary(BinaryOp::Multiply, share, id));
            }
            let roots: Vec<ExprId> = form.iter().map(|(id, _)| *id).collect();
            let used = crate::passes::linear_form::variables_of(self.arena, &roots, self.marks);
            replaced.terms.insert(equation, terms);
            replaced.incidence.insert(equation, used);
        }
        self.keep(unknown, form);
    }

    /// Remembers the form of a variable that is to be replaced by it: a short sum of leaves.
    fn keep(&mut self, unknown: VarId, form: Form) {
        let most = if self.uses[unknown.index()] > 1 { FEW_TERMS } else { MOST_TERMS };
        let is_leaf = |id: ExprId| self.arena.operands(id).1 == 0;
        if form.len() <= most && form.iter().all(|&(id, _)| is_leaf(id)) {
            self.forms.insert(unknown, form);
        }
    }

    /// The forms of the unknowns of a loop with constant factors.
    fn solve_loop(&mut self, block: &[usize]) {
        if block.len() > LARGEST_LOOP {
            return;
        }
        let solves = block.iter().map(|&equation| self.structure.solves[equation]);
        let Some(unknowns) = solves.collect::<Option<Vec<VarId>>>() else { return };
        let own: Vec<ExprId> = unknowns.iter().map(|&x| self.arena.variable(x)).collect();
        let n = block.len();
        // Each equation as factors of the unknowns, and the rest on the right-hand side.
        let mut rows: Vec<(Vec<f64>, Form)> = Vec::with_capacity(n);
        for &equation in block {
            let Some((form, _)) = self.flatten(equation, &unknowns) else { return };
            let mut factors = vec![0.0; n];
            let mut rest = Form::new();
            for (id, factor) in form {
                match own.iter().position(|own| *own == id) {
                    Some(column) => factors[column] = factor,
                    None => rest.push((id, -factor)),
                }
            }
            let is_leaf = |id: ExprId| self.arena.operands(id).1 == 0;
            if !rest.iter().all(|&(id, _)| is_leaf(id)) {
                return;
            }
            rows.push((factors, rest));
        }
        if let Some(forms) = eliminate(rows) {
            unknowns.into_iter().zip(forms).for_each(|(x, form)| self.keep(x, form));
        }
    }

    /// An equation as a sum, with variables replaced by their forms but for some; true if there was one.
    fn flatten(&mut self, equation: usize, keep: &[VarId]) -> Option<(Form, bool)> {
        let mut form = Form::new();
        let mut is_new = false;
        let terms = &self.structure.equations[equation].terms;
        let mut open: Vec<(ExprId, f64)> = terms.iter().rev().map(|&id| (id, 1.0)).collect();
        while let Some((id, factor)) = open.pop() {
            if let Some(linear) = self.arena.linear(id) {
                open.extend(linear.terms(factor));
                continue;
            }
            match self.arena.node(id) {
                Node::Constant(bits) => add(&mut form, self.one, factor * f64::from_bits(bits)),
                Node::Variable(variable) if !keep.contains(&variable) => {
                    match self.forms.get(&variable) {
                        Some(known) => {
                            is_new = true;
                            known
                                .iter()
                                .for_each(|&(id, share)| add(&mut form, id, factor * share));
                        }
                        None => add(&mut form, id, factor),
                    }
                }
                _ => add(&mut form, id, factor),
            }
            if form.len() + open.len() > 2 * MOST_TERMS {
                return None;
            }
        }
        form.retain(|(_, factor)| *factor != 0.0);
        Some((form, is_new))
    }

    /// Does an expression contain a variable?
    fn contains(&mut self, root: ExprId, unknown: VarId) -> bool {
        let mut found = false;
        self.arena.variables(root, self.marks, |variable| found |= variable == unknown);
        found
    }
}

/// Adds a number times an expression to a sum.
fn add(form: &mut Form, id: ExprId, factor: f64) {
    match form.iter_mut().find(|(known, _)| *known == id) {
        Some((_, sum)) => *sum += factor,
        None => form.push((id, factor)),
    }
}

/// Solves `factors x = rest` by elimination with pivoting.
fn eliminate(mut rows: Vec<(Vec<f64>, Form)>) -> Option<Vec<Form>> {
    let n = rows.len();
    let size =
        rows.iter().flat_map(|(factors, _)| factors).fold(0.0, |size: f64, x| size.max(x.abs()));
    for column in 0..n {
        let pivot = (column..n)
            .max_by(|&a, &b| rows[a].0[column].abs().total_cmp(&rows[b].0[column].abs()))?;
        rows.swap(column, pivot);
        if rows[column].0[column].abs() <= LEAST_PIVOT * size {
            return None;
        }
        let (factors, rest) = rows[column].clone();
        for (row, (own, sum)) in rows.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let quotient = own[column] / factors[column];
            if row == column || quotient == 0.0 {
                continue;
            }
            own.iter_mut().zip(&factors).for_each(|(x, factor)| *x -= quotient * factor);
            rest.iter().for_each(|&(id, factor)| add(sum, id, -quotient * factor));
        }
    }
    let solved = rows.into_iter().enumerate().map(|(k, (factors, mut rest))| {
        rest.iter_mut().for_each(|(_, factor)| *factor /= factors[k]);
        rest
    });
    Some(solved.collect())
}
