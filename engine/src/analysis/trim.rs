//! Trim: inputs at which the system rests and given signals have wanted values.
//!
//! Unknown are the state y and the changes p of the inputs. What has to hold comes in an order: the state rests, f(y, p) = 0;
//! the given signals meet their values g(y, p) = 0, in the sense of least squares where there are more of them than inputs; and
//! where there are fewer, the inputs change as little as possible. Each iteration solves the linear equations of this
//! hierarchy, each in what those before it leave free (Escande, Mansard, Wieber, Int. J. Robotics Res. 33 (2014) 1006):
//!
//! ```text
//! A x = -f             x = x0 + Z1 w
//! C x = -g             w = w0 + Z2 v         over x0 + Z1 w
//! |p + dp| least       v                     over what is left
//! ```
//!
//! No steady state has to exist on the way: a body that hovers has one only at the thrust that is looked for.

use nalgebra::{DMatrix, DVector};

use super::linear_inputs::LinearInput;
use super::mechanism::Mechanism;
use super::steady_state::{Local, Search, SteadyState, find_steady_state};
use super::{Freedom, Trouble};
use crate::system::SignalSource;

/// Iterations after which the search is given up.
const MOST_ITERATIONS: usize = 200;
/// Times that a step is halved.
const HALVINGS: usize = 12;
/// Largest displacement of an angle in one iteration, rad, and of a length as part of the model's size.
const BOLDEST: f64 = 0.3;
/// A step, over the sizes of the unknowns, that counts as none.
const CLOSE: f64 = 1e-9;
/// Where steps do not become smaller any more, they may be this large.
const ROUGH: f64 = 1e-6;
/// Step of the differences, as part of the size of each unknown.
const DIFFERENCE: f64 = 1e-6;
/// A singular value below this part of the largest is none: the differences have that much error.
const RANK: f64 = 1e-8;

/// A signal and the value that it shall have.
pub type Target = (SignalSource, f64);

/// A trimmed state.
#[derive(Clone, Debug)]
pub struct Trimmed {
    /// The state and what it is like.
    pub rest: SteadyState,
    /// How much each input was changed.
    pub changes: Vec<f64>,
    /// The values that the given signals have.
    pub reached: Vec<f64>,
}

/// Finds changes of inputs at which the system rests near `start` and the targets are met as well as possible. `size` is the size
/// of the model, m; `go_on` is asked in every iteration. The inputs keep their changes.
///
/// # Errors
/// If there are none within reach, or something has no value.
pub fn trim(
    mechanism: &mut Mechanism<'_, '_>,
    start: &[f64],
    size: f64,
    inputs: &[LinearInput],
    targets: &[Target],
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Trimmed, Trouble> {
    // A steady state at the values of the text is a good beginning, if there is one.
    let y = match find_steady_state(mechanism, start, size, go_on) {
        Ok(found) => found.y,
        Err(Trouble::Interrupted) => return Err(Trouble::Interrupted),
        Err(_) => {
            mechanism.take_tail(start);
            start.to_vec()
        }
    };
    let freedoms = Freedom::all(mechanism.run.system);
    let search = Search::new(mechanism, freedoms, size, y);
    let p = DVector::zeros(inputs.len());
    Trim { search, inputs, targets, p }.run(go_on)
}

struct Trim<'a, 'b, 'r, 's> {
    search: Search<'a, 'r, 's>,
    inputs: &'b [LinearInput],
    targets: &'b [Target],
    /// How much each input is changed.
    p: DVector<f64>,
}

/// The linear equations near a state. Columns: unknowns of the state over their sizes, then inputs over theirs.
struct Equations {
    local: Local,
    /// Rates, over the sizes of the states.
    a: DMatrix<f64>,
    f: DVector<f64>,
    /// Given signals, and what they miss.
    c: DMatrix<f64>,
    g: DVector<f64>,
}

impl Equations {
    /// How far the state is from rest: each rate over its largest slope is a change of an unknown over its size.
    fn restlessness(&self) -> f64 {
        let rows = self.f.iter().zip(self.a.row_iter());
        rows.filter(|(f, _)| **f != 0.0)
            .fold(0.0, |most: f64, (f, row)| most.max(f.abs() / row.amax()))
    }
}

impl Trim<'_, '_, '_, '_> {
    fn run(mut self, go_on: &mut dyn FnMut() -> bool) -> Result<Trimmed, Trouble> {
        let mut last = f64::INFINITY;
        // What given signals miss at the best state at rest so far.
        let mut nearest: Option<DVector<f64>> = None;
        for iterations in 0..MOST_ITERATIONS {
            if !go_on() {
                return Err(Trouble::Interrupted);
            }
            self.search.settle()?;
            let equations = self.equations()?;
            let step = self.step(&equations);
            let length = step.amax();
            let is_at_rest = equations.restlessness() <= ROUGH;
            let missed = &equations.g;
            if is_at_rest && nearest.as_ref().is_none_or(|known| missed.norm() < known.norm()) {
                nearest = Some(missed.clone());
            }
            if length <= CLOSE || (length <= ROUGH && length > 0.5 * last) {
                let is_asked_too_much = self.targets.len() > self.inputs.len();
                if !is_at_rest || !(is_asked_too_much || self.far(missed).is_empty()) {
                    break;
                }
                return self.finish(iterations);
            }
            last = length;
            self.advance(&equations, &step)?;
        }
        match nearest.map(|missed| self.far(&missed)).filter(|far| !far.is_empty()) {
            Some(far) => Err(Trouble::NotReached(far)),
            None => Err(self.search.restless()?),
        }
    }

    /// The targets that are missed, with the values in their place.
    fn far(&self, missed: &DVector<f64>) -> Vec<(usize, f64)> {
        let missed = missed.iter().zip(self.targets).enumerate();
        let far = missed.filter(|(_, (g, (_, wanted)))| g.abs() > ROUGH * wanted.abs().max(1.0));
        far.map(|(k, (g, (_, wanted)))| (k, g + wanted)).collect()
    }

    /// The size of an input: its value in the text, or 1.
    fn size(&self, input: usize) -> f64 {
        match self.inputs[input].size() {
            0.0 => 1.0,
            size => size,
        }
    }

    fn put(&mut self) {
        for (input, change) in self.inputs.iter().zip(self.p.iter()) {
            input.put(self.search.mechanism.run, 0, *change);
        }
    }

    /// Derivatives of the state and the given signals at a state.
    fn evaluate(
        &mut self,
        local: &Local,
        y: &[f64],
    ) -> Result<(DVector<f64>, DVector<f64>), Trouble> {
        let f = self.search.derivatives(&local.chart, &local.storages, y)?;
        let mechanism = &mut *self.search.mechanism;
        mechanism.run.observe(mechanism.t, y)?;
        let run = &*mechanism.run;
        let g = self.targets.iter().map(|(source, wanted)| run.signal(*source) - wanted);
        Ok((f, DVector::from_iterator(self.targets.len(), g)))
    }

    fn equations(&mut self) -> Result<Equations, Trouble> {
        let local = self.search.local()?;
        let (n, m, k) = (local.f.len(), self.inputs.len(), self.targets.len());
        let y = self.search.y.clone();
        let (f, g) = self.evaluate(&local, &y)?;
        let mut a = DMatrix::zeros(n, n + m);
        let mut c = DMatrix::zeros(k, n + m);
        a.columns_mut(0, n).copy_from(&local.a);
        for (j, size) in local.sizes.iter().enumerate() {
            a.column_mut(j).scale_mut(*size);
            let mut at = |s: f64| -> Result<DVector<f64>, Trouble> {
                let mut step = DVector::zeros(n);
                step[j] = s;
                let y = self.search.moved(&local, &step)?;
                Ok(self.evaluate(&local, &y)?.1)
            };
            let h = DIFFERENCE * size;
            c.set_column(j, &((at(h)? - at(-h)?) / (2.0 * DIFFERENCE)));
        }
        for j in 0..m {
            let (h, now) = (DIFFERENCE * self.size(j), self.p[j]);
            let mut at = |p: f64| {
                self.p[j] = p;
                self.put();
                self.evaluate(&local, &y)
            };
            let (ahead, behind) = (at(now + h)?, at(now - h)?);
            self.p[j] = now;
            self.put();
            a.set_column(n + j, &((ahead.0 - behind.0) / (2.0 * DIFFERENCE)));
            c.set_column(n + j, &((ahead.1 - behind.1) / (2.0 * DIFFERENCE)));
        }
        let mut f = f;
        for (row, size) in local.sizes.iter().enumerate() {
            a.row_mut(row).scale_mut(size.recip());
            f[row] /= size;
        }
        // A displacement on which nothing depends is no unknown, and may grow.
        for &idle in &local.idle {
            a.row_mut(idle).fill(0.0);
            f[idle] = 0.0;
        }
        Ok(Equations { local, a, f, c, g })
    }

    /// The step of the hierarchy.
    fn step(&self, Equations { local, a, f, c, g }: &Equations) -> DVector<f64> {
        let n = local.f.len();
        let (x, free) = least(a, &-f);
        let (w, left) = least(&(c * &free), &(-g - c * &x));
        let x = x + &free * w;
        let free = free * left;
        let sizes = DVector::from_fn(self.inputs.len(), |j, _| self.size(j));
        let of_inputs = |m: &DMatrix<f64>| {
            DMatrix::from_fn(self.inputs.len(), m.ncols(), |j, k| sizes[j] * m[(n + j, k)])
        };
        let change = DVector::from_fn(sizes.len(), |j, _| self.p[j] + sizes[j] * x[n + j]);
        let (v, _) = least(&of_inputs(&free), &-change);
        x + free * v
    }

    /// What is left to do at a state, over its sizes.
    fn merit(&mut self, local: &Local, y: &[f64], idle: &[usize]) -> Result<f64, Trouble> {
        let (f, g) = self.evaluate(local, y)?;
        let rates = f.iter().zip(&local.sizes).enumerate();
        let rates =
            rates.filter(|(k, _)| !idle.contains(k)).map(|(_, (f, size))| (f / size).powi(2));
        let missed = g.iter().zip(self.targets);
        let missed = missed.map(|(g, (_, wanted))| (g / wanted.abs().max(1.0)).powi(2));
        Ok(rates.sum::<f64>() + missed.sum::<f64>())
    }

    /// Takes the step, or a part of it that leaves less to do.
    fn advance(&mut self, equations: &Equations, step: &DVector<f64>) -> Result<(), Trouble> {
        let local = &equations.local;
        let n = local.f.len();
        let sized = DVector::from_fn(n, |j, _| step[j] * local.sizes[j]);
        let boldness = self.search.boldness(local, &sized);
        let (y, p) = (self.search.y.clone(), self.p.clone());
        let before = self.merit(local, &y, &local.idle)?;
        let mut part = (BOLDEST / boldness.max(f64::MIN_POSITIVE)).min(1.0);
        let mut last = Err(Trouble::NoEigenvalues);
        for _ in 0..HALVINGS {
            self.p = DVector::from_fn(p.len(), |j, _| p[j] + part * step[n + j] * self.size(j));
            self.put();
            let moved = self.search.moved(local, &(&sized * part));
            let after = moved.and_then(|y| Ok((self.merit(local, &y, &local.idle)?, y)));
            match after {
                Ok((after, found)) if after.is_finite() => {
                    last = Ok((found, self.p.clone()));
                    if after < before {
                        break;
                    }
                }
                Ok(_) => {}
                Err(trouble) if last.is_err() => last = Err(trouble),
                Err(_) => {}
            }
            part *= 0.5;
        }
        let (y, p) = last?;
        self.p = p;
        self.put();
        self.search.go_to(y);
        Ok(())
    }

    fn finish(mut self, iterations: usize) -> Result<Trimmed, Trouble> {
        let rest = self.search.finish(iterations)?;
        let local = self.search.local()?;
        let (_, g) = self.evaluate(&local, &rest.y)?;
        let reached = g.iter().zip(self.targets).map(|(g, (_, wanted))| g + wanted).collect();
        Ok(Trimmed { rest, changes: self.p.iter().copied().collect(), reached })
    }
}

/// The least x that makes `|M x - b|` least, and a basis of what M does not feel.
fn least(m: &DMatrix<f64>, b: &DVector<f64>) -> (DVector<f64>, DMatrix<f64>) {
    let n = m.ncols();
    if n == 0 || m.nrows() == 0 {
        return (DVector::zeros(n), DMatrix::identity(n, n));
    }
    // With rows of zeros the right singular vectors span the whole space.
    let rows = m.nrows().max(n);
    let square = m.clone().resize(rows, n, 0.0);
    let right = b.clone().resize_vertically(rows, 0.0);
    let svd = square.svd(true, true);
    let (Some(u), Some(v)) = (&svd.u, &svd.v_t) else {
        return (DVector::zeros(n), DMatrix::zeros(n, 0));
    };
    let limit = RANK * svd.singular_values.amax();
    let mut x = DVector::zeros(n);
    let mut free = Vec::new();
    for (k, &value) in svd.singular_values.iter().enumerate() {
        let direction = v.row(k).transpose();
        if value > limit {
            x += &direction * (u.column(k).dot(&right) / value);
        } else {
            free.push(direction);
        }
    }
    let basis = match free.is_empty() {
        true => DMatrix::zeros(n, 0),
        false => DMatrix::from_columns(&free),
    };
    (x, basis)
}
