//! Elements that open and close as complementary pairs of linear forms.
//!
//! Such an element has a middle mode (a valve that is open, a friction that sticks, an amplifier between its limits), in which
//! its law is `0 = F0`, and branches, each with a law `0 = F` of its own. The guard g of the step from the middle mode into a
//! branch is not positive in the middle mode. In a branch g and F0 are proportional to each other, and the guard of the
//! step back says which sign F0 has. So with a p >= 0 for each branch
//!
//! ```text
//! F0 = sum of sign p + softness leak     the middle law, but for what branches let through
//! a  = (resistance + softness) p - g     a >= 0, p >= 0, a p = 0.
//! ```
//!
//! The leak is the voltage of a valve and the force of what sticks: equal ones in series or parallel share equally. What moves
//! by its softness alone is at its limit while others hold it.
//!
//! | element | F0 | g | sign p |
//! |---|---|---|---|
//! | diode, thyristor, check valve | i - G v | v - Vf | current beyond the leakage |
//! | Zener | i - G v | v - Vf, -v - Vz | currents of two opposed diodes |
//! | amplifier with limits | v_d, or gain v_d - v | v - Vmax, Vmin - v | what drives it beyond its limit |
//! | friction | speed | f - Rmax, -f - Rmax | speeds forward and backward |
//!
//! The forms come from the laws and guards as elements have written them; no element is known here by name. One whose laws and
//! guards are not of this kind keeps the mode it has: a switch, or a thyristor that waits for its gate.

use super::linearise::{Affine, Instant, Lineariser};
use equations::expr::{Arena, Contents, ExprId, Node, VarId};
use equations::flat::{Flat, ModeLaw, Valve, ValveKind};
use equations::walk::Marks;

/// The middle mode of all elements.
const MIDDLE: i8 = 0;

/// Forms that differ by less than this, over their size, are the same.
const SAME: f64 = 1e-9;

/// A share below this, over the size of the form, is rounding.
const NOTHING: f64 = 1e-14;

/// A branch of an element.
#[derive(Clone, Debug)]
pub(crate) struct Branch {
    /// The mode.
    pub value: i8,
    /// The sign with which its variable stands in the middle law.
    pub sign: f64,
    /// Not positive in the middle mode, and zero in the branch but for its resistance.
    pub guard: Affine,
    pub resistance: f64,
}

/// An element that opens and closes.
#[derive(Clone, Debug)]
pub(crate) struct Element {
    /// Its mode.
    pub mode: usize,
    /// The equation that it changes.
    pub equation: usize,
    /// The middle law.
    pub middle: Affine,
    pub branches: Vec<Branch>,
    /// The branch in force.
    pub present: Option<usize>,
    /// What a soft element lets through while it is in the middle mode, over a small number; none if it must not be softened.
    pub leak: Option<Affine>,
    /// Usual size of guard over law.
    pub scale: f64,
    /// Branches, and the modes in their place while others hold what they let go.
    held: &'static [(i8, i8)],
}

impl Element {
    /// The mode of a branch while others hold what it lets go.
    pub fn held(&self, branch: i8) -> i8 {
        self.held.iter().find(|(moves, _)| *moves == branch).map_or(branch, |(_, held)| *held)
    }
}

/// Forms and numbers of a model at an instant.
pub(crate) struct Finder<'a> {
    pub arena: &'a Arena,
    pub flat: &'a Flat,
    pub at: &'a Instant<'a>,
    pub modes: &'a [i8],
}

/// The equations that each mode changes.
pub(crate) fn equations_of_modes(arena: &Arena, flat: &Flat) -> Vec<Vec<usize>> {
    let mut found = vec![Vec::new(); flat.modes.len()];
    let mut marks = Marks::default();
    for (index, equation) in flat.equations.iter().enumerate() {
        for &term in &equation.terms {
            arena.visit(term, Contents::MODES, &mut marks, |node| {
                if let Node::IfMode(mode, ..) = node
                    && let Some(list) = found.get_mut(mode as usize)
                    && list.last() != Some(&index)
                {
                    list.push(index);
                }
            });
        }
    }
    found
}

impl Finder<'_> {
    /// The element of a mode, if it is of this kind.
    pub fn element(&self, mode: usize, equations: &[usize]) -> Option<Element> {
        let law = &self.flat.modes[mode];
        let [equation] = *equations else { return None };
        let now = self.modes[mode];
        let mut modes = self.modes.to_vec();
        let middle = self.form(&mut modes, (mode, MIDDLE), equation);
        let mut targets: Vec<i8> = Vec::new();
        let steps = law.transitions.iter().filter(|step| !step.steps && step.from == MIDDLE);
        for step in steps {
            if targets.contains(&step.to) {
                return None;
            }
            targets.push(step.to);
        }
        let mut branches = Vec::new();
        for &value in &targets {
            match self.branch(law, (mode, value), (&middle, equation)) {
                Some(Found::Branch(branch)) => branches.push(branch),
                Some(Found::Closed) => {}
                None => return None,
            }
        }
        let present = branches.iter().position(|branch| is_in(law, branch.value, now));
        if branches.is_empty() || (present.is_none() && now != MIDDLE) {
            return None;
        }
        let scale = law.valve.map_or(1.0, |valve| valve.scale);
        let leak = law.valve.map(|valve| match valve.kind {
            ValveKind::Switch => self.expression(valve.v).times(1.0 / scale),
            ValveKind::Lock { .. } => self.expression(valve.i).times(scale),
        });
        let held = match law.valve.map(|valve| valve.kind) {
            Some(ValveKind::Lock { held, .. }) => held,
            _ => &[],
        };
        Some(Element { mode, equation, middle, branches, present, leak, scale, held })
    }

    /// The law of an equation with a mode at a value.
    fn form(&self, modes: &mut [i8], (mode, value): (usize, i8), equation: usize) -> Affine {
        let before = std::mem::replace(&mut modes[mode], value);
        let terms = &self.flat.equations[equation].terms;
        let form = Lineariser::new(self.arena, self.at, modes).sum(terms);
        modes[mode] = before;
        form
    }

    fn expression(&self, id: ExprId) -> Affine {
        Lineariser::new(self.arena, self.at, self.modes).find(id)
    }

    fn branch(
        &self,
        law: &ModeLaw,
        (mode, value): (usize, i8),
        (middle, equation): (&Affine, usize),
    ) -> Option<Found> {
        let step = |from: i8, to: i8| {
            let steps = law.transitions.iter().filter(|step| !step.steps);
            steps.clone().find(|step| step.from == from && step.to == to).map(|step| step.guard)
        };
        let own = self.form(&mut self.modes.to_vec(), (mode, value), equation);
        let back = self.expression(step(value, MIDDLE)?);
        // back = -weight sign F0 + rest F
        let [along, _] = fit(&back, [middle, &own])?;
        let sign = -along.signum();
        if along == 0.0 {
            return None;
        }
        let into = self.expression(step(MIDDLE, value)?);
        let is_present = is_in(law, value, self.modes[mode]);
        if let Some(Valve { kind: ValveKind::Lock { .. }, .. }) = law.valve {
            // Sliding takes less than breaking away.
            let guard = if is_present {
                self.form(&mut self.modes.to_vec(), (mode, self.modes[mode]), equation).times(sign)
            } else {
                into
            };
            return Some(Found::Branch(Branch { value, sign, guard, resistance: 0.0 }));
        }
        if into.terms.is_empty() {
            if !is_present {
                // A gate that is off lets nothing begin.
                return (into.free.c[0] < 0.0).then_some(Found::Closed);
            }
            let v = self.expression(law.valve?.v);
            let guard = oriented(&own, middle, &v, sign)?;
            let [rest, weight] = fit(&own, [middle, &guard])?;
            let resistance = -rest * sign / weight;
            return Some(Found::Branch(Branch { value, sign, guard, resistance }));
        }
        // F = rest F0 + weight g
        let [rest, weight] = fit(&own, [middle, &into])?;
        if weight == 0.0 {
            return None;
        }
        let resistance = -rest * sign / weight;
        Some(Found::Branch(Branch { value, sign, guard: into, resistance }))
    }
}

/// What became of a branch.
enum Found {
    Branch(Branch),
    /// Nothing leads into it now.
    Closed,
}

/// Is a mode in a branch? Values that differ in numbers only have one structure, but not one sign.
fn is_in(law: &ModeLaw, branch: i8, now: i8) -> bool {
    now == branch
        || (law.is_number(now, branch) && now.signum() == branch.signum() && now != MIDDLE)
}

/// The part of a law that says `v` is something, in the direction of the branch.
fn oriented(own: &Affine, middle: &Affine, v: &Affine, sign: f64) -> Option<Affine> {
    let slopes =
        |form: &Affine| Affine { free: super::time_taylor::Taylor::constant(0.0), ..form.clone() };
    let [rest, weight] = fit(&slopes(own), [&slopes(middle), &slopes(v)])?;
    (weight != 0.0).then(|| own.sum(sign / weight, middle, -sign * rest / weight))
}

/// The factors with which two forms add up to another; none if they do not.
fn fit(target: &Affine, by: [&Affine; 2]) -> Option<[f64; 2]> {
    // The constant is one more coordinate.
    let product = |a: &Affine, b: &Affine| -> f64 {
        let coefficient = |v: VarId| {
            b.terms.binary_search_by_key(&v, |(own, _)| *own).map_or(0.0, |place| b.terms[place].1)
        };
        let terms = a.terms.iter().map(|(variable, x)| x * coefficient(*variable));
        terms.sum::<f64>() + a.free.c[0] * b.free.c[0]
    };
    let [a, b] = by;
    let (aa, ab, bb) = (product(a, a), product(a, b), product(b, b));
    let (ta, tb) = (product(target, a), product(target, b));
    let determinant = aa * bb - ab * ab;
    if determinant.is_nan() || determinant <= SAME * SAME * aa * bb {
        return None;
    }
    let clean = |x: f64, of: f64| if x.abs() <= NOTHING * of { 0.0 } else { x };
    let size = product(target, target).sqrt();
    let x = clean((ta * bb - tb * ab) / determinant, size / aa.sqrt());
    let y = clean((tb * aa - ta * ab) / determinant, size / bb.sqrt());
    let rest = target.sum(1.0, &a.sum(x, b, y), -1.0);
    let is_same = product(&rest, &rest).sqrt() <= SAME * (size + x.abs() * aa.sqrt());
    is_same.then_some([x, y])
}
