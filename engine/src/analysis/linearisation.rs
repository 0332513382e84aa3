//! Linearisation about a state: `x' = A x + B u`, `y = C x + D u`.
//!
//! The states are displacements of the independent freedoms and changes of their speeds, so that no constraint and no
//! norm of a quaternion adds eigenvalues of its own. A small rotation of a ball joint is a vector th in T1 axes,
//! taken from the orientation that the undisturbed motion has at the same time. From `E = R0^T R`,
//! `E' = -w0~ E + E w~` and `E = 1 + th~` follows
//!
//! ```text
//! th' = dw - w0 x th
//! ```
//!
//! with the angular velocity w0 of the state; for all other freedoms the displacement changes with the speed. Behind the speeds
//! stand the storages of the networks that are states in the present modes. The rows of speeds are exact where forces depend on the
//! bodies and joints that they touch (`mechanics/src/derivatives/`); the other rows, B, C and D come from differences (Ridders' method)
//! with the modes of all elements, and what changes at events only, frozen.
//!
//! Rates and outputs may follow derivatives of an input: the torque that a source of angle takes, the current of a capacitor at a
//! source of voltage. With `x' = A x + B0 u + B1 u' + B2 u''`, `y = C x + D0 u + D1 u' + D2 u''` the states
//!
//! ```text
//! z = x - E1 u - E2 u'      E2 = B2      E1 = B1 + A B2
//! z' = A z + (B0 + A E1) u      y = C z + (D0 + C E1) u + (D1 + C E2) u' + D2 u''
//! ```
//!
//! have none of them on the right.

use nalgebra::{Complex, DMatrix, DVector};

use super::linear_inputs::LinearInput;
use super::mechanism::{Chart, Mechanism};
use super::{Freedom, Mode, Trouble};
use crate::system::{SignalSource, System, TreeColumns};
use language::model::excitations::ORDERS;
use mechanics::derivatives::ridders::{Derivative, derivative};
use mechanics::vec3;

/// First step of the differences: displacements in rad or parts of the size, speeds in those per second, inputs in
/// their unit.
const FIRST_STEP: f64 = 0.02;
const FIRST_SPEED: f64 = 0.1;
const FIRST_INPUT: f64 = 1.0;
/// First step of an input of the networks, as part of its size.
const FIRST_PART: f64 = 0.1;
/// First step of a storage as part of its size, which is at least [`SMALLEST_STORAGE`].
const FIRST_CHANGE: f64 = 0.02;
const SMALLEST_STORAGE: f64 = 0.1;

/// A linear model with the names of its rows and columns.
#[derive(Clone, Debug)]
pub struct LinearModel {
    /// The coordinates about which it is.
    pub q: Vec<f64>,
    /// The independent freedoms.
    pub chart: Chart,
    /// Names of the states: displacements, then speeds, then storages of the networks.
    pub states: Vec<String>,
    /// Their units.
    pub units: Vec<String>,
    /// Names of the inputs.
    pub inputs: Vec<String>,
    /// Names of the outputs.
    pub outputs: Vec<String>,
    /// State matrix.
    pub a: DMatrix<f64>,
    /// Input matrix.
    pub b: DMatrix<f64>,
    /// Output matrix.
    pub c: DMatrix<f64>,
    /// Feed-through matrix.
    pub d: DMatrix<f64>,
    /// What the outputs follow of the first and second derivatives of the inputs.
    pub d_rates: [DMatrix<f64>; ORDERS - 1],
    /// Part of the inputs in the states, E1: states that are storages at derivatives of inputs are `x - E1 u - E2 u'`.
    pub shift: DMatrix<f64>,
    /// Estimated errors of the entries of A.
    pub errors: DMatrix<f64>,
    /// Mass matrix of the independent freedoms.
    pub mass: DMatrix<f64>,
    /// The state moves, so that the matrices hold for an instant only.
    pub is_moving: bool,
}

impl LinearModel {
    /// Displacements of all freedoms in a mode, dependent ones included.
    pub fn full_shape(&self, mode: &Mode) -> Vec<Complex<f64>> {
        let part = |of: fn(&Complex<f64>) -> f64| {
            &self.chart.tangent
                * DVector::from_iterator(self.chart.len(), mode.shape.iter().map(of))
        };
        let (re, im) = (part(|x| x.re), part(|x| x.im));
        re.iter().zip(im.iter()).map(|(&re, &im)| Complex::new(re, im)).collect()
    }

    /// Do outputs follow derivatives of inputs?
    pub fn is_improper(&self) -> bool {
        self.d_rates.iter().any(|d| d.iter().any(|d| *d != 0.0))
    }

    /// Are storages of networks among the states?
    pub fn has_storages(&self) -> bool {
        self.states.len() > 2 * self.chart.len()
    }

    /// The largest estimated error of an entry of A, as a part of the largest entry in the same half.
    pub fn relative_error(&self) -> f64 {
        let d = self.chart.len();
        let part = |from: usize| {
            let error = self.errors.view((d, from), (d, d)).amax();
            let size = self.a.view((d, from), (d, d)).amax();
            if error == 0.0 || size <= error { 0.0 } else { error / size }
        };
        let of_bodies = if d == 0 { 0.0 } else { part(0).max(part(d)) };
        let rest = self.a.ncols() - 2 * d;
        let of_storages = |m: &DMatrix<f64>| {
            m.view((0, 2 * d), (2 * d + rest, rest))
                .amax()
                .max(m.view((2 * d, 0), (rest, 2 * d)).amax())
        };
        match rest {
            0 => of_bodies,
            _ => of_bodies
                .max(of_storages(&self.errors) / of_storages(&self.a).max(f64::MIN_POSITIVE)),
        }
    }
}

/// Linearises about a settled state `y`. `size` is that of the model, m.
///
/// # Errors
/// If something has no value at the state or near it.
pub fn linearise(
    mechanism: &mut Mechanism<'_, '_>,
    y: &[f64],
    size: f64,
    inputs: &[(LinearInput, String)],
    outputs: &[(SignalSource, String)],
) -> Result<LinearModel, Trouble> {
    let system = mechanism.run.system;
    let (q, v, _) = system.split(y);
    let (q, v) = (q.to_vec(), v.to_vec());
    let chart = mechanism.chart(&q)?;
    let freedoms = Freedom::all(system);
    let mass = mechanism.mass(&q, &chart);
    let (named, sources): (Vec<String>, Vec<SignalSource>) =
        outputs.iter().map(|(source, name)| (name.clone(), *source)).unzip();
    mechanism.take_tail(y);
    let storages = mechanism.storages();
    let mut point =
        Point { mechanism, q: &q, v: &v, chart: &chart, storages: &storages, sources: &sources };
    let (d, s) = (chart.len(), storages.len());
    let n = 2 * d + s;
    let columns = point.columns(&freedoms, size, y, inputs)?;
    let is_moving = v.iter().any(|&v| v != 0.0);
    let name = |rates: bool| {
        let freedoms = &freedoms;
        chart.independent.iter().map(move |&k| match rates {
            true => freedoms[k].rate_name.clone(),
            false => freedoms[k].name.clone(),
        })
    };
    let storage_name = |&place: &usize| mechanism.run.storage_name(place);
    let names = name(false).chain(name(true)).chain(storages.iter().map(storage_name));
    let states = numbered(&names.collect::<Vec<String>>());
    let unit = |&k: &usize| freedoms[k].unit().to_string();
    let places: Vec<String> = chart.independent.iter().map(unit).collect();
    let rates = places.iter().map(|unit| format!("{unit}/s")).collect::<Vec<_>>();
    let of_storages = storages.iter().map(|&place| mechanism.run.storage_unit(place).to_string());
    let units = places.into_iter().chain(rates).chain(of_storages).collect();
    let kinematic = kinematic_rows(system, &chart, &v);
    let from = |row: usize, column: usize, rows: usize, count: usize| {
        DMatrix::from_fn(rows, count, |i, j| columns[column + j].values[row + i])
    };
    let mut a = DMatrix::zeros(n, n);
    a.view_mut((0, 0), (d, 2 * d)).copy_from(&kinematic);
    a.rows_mut(d, d + s).copy_from(&from(0, 0, d + s, n));
    let mut errors = DMatrix::zeros(n, n);
    errors.rows_mut(d, d + s).copy_from(&DMatrix::from_fn(d + s, n, |i, j| columns[j].errors[i]));
    let c = from(d + s, 0, named.len(), n);
    let by_order = by_order(inputs, &columns[n..], [d, d + s, named.len()]);
    let Driven { b, d, d_rates, shift } = without_rates(&a, &c, by_order);
    Ok(LinearModel {
        states,
        units,
        inputs: inputs.iter().map(|(_, name)| name.clone()).collect(),
        outputs: named,
        a,
        b,
        c,
        d,
        d_rates,
        shift,
        errors,
        mass,
        is_moving,
        q: q.clone(),
        chart: chart.clone(),
    })
}

/// Names that stand there several times, such as those of the two states of a controller, get numbers.
fn numbered(names: &[String]) -> Vec<String> {
    let count = |name: &String| names.iter().filter(|other| *other == name).count();
    let numbered = names.iter().enumerate().map(|(k, name)| match count(name) {
        1 => name.clone(),
        _ => format!("{name}[{}]", 1 + names[..k].iter().filter(|other| *other == name).count()),
    });
    numbered.collect()
}

/// What inputs and their derivatives do: rates of the states, outputs; one matrix for each order of the derivative.
struct ByOrder {
    b: [DMatrix<f64>; ORDERS],
    d: [DMatrix<f64>; ORDERS],
}

/// Sorts the columns of inputs by the order of the derivative. The states are `places` displacements, whose rows are zero, and
/// `rates` others; the outputs stand behind them.
fn by_order(
    inputs: &[(LinearInput, String)],
    columns: &[Derivative],
    [places, rates, outputs]: [usize; 3],
) -> ByOrder {
    let zeros = |rows: usize| [(); ORDERS].map(|()| DMatrix::zeros(rows, inputs.len()));
    let mut sorted = ByOrder { b: zeros(places + rates), d: zeros(outputs) };
    let mut columns = columns.iter();
    for (input, (what, _)) in inputs.iter().enumerate() {
        for (order, column) in columns.by_ref().take(what.orders()).enumerate() {
            for (row, (&value, &error)) in column.values.iter().zip(&column.errors).enumerate() {
                // What is no more than an error of the differences is nothing that a derivative does.
                let value = if order > 0 && value.abs() <= error { 0.0 } else { value };
                match row.checked_sub(rates) {
                    None => sorted.b[order][(places + row, input)] = value,
                    Some(output) => sorted.d[order][(output, input)] = value,
                }
            }
        }
    }
    sorted
}

/// Input and feed-through matrices of states that follow no derivatives of inputs.
struct Driven {
    b: DMatrix<f64>,
    d: DMatrix<f64>,
    d_rates: [DMatrix<f64>; ORDERS - 1],
    shift: DMatrix<f64>,
}

fn without_rates(a: &DMatrix<f64>, c: &DMatrix<f64>, ByOrder { b, d }: ByOrder) -> Driven {
    let ([b0, b1, e2], [d0, d1, d2]) = (b, d);
    let e1 = b1 + a * &e2;
    Driven { b: b0 + a * &e1, d: d0 + c * &e1, d_rates: [d1 + c * e2, d2], shift: e1 }
}

/// Rows of the displacements: `[-w0~ T | 1]` for rotations of ball joints, `[0 | 1]` else.
fn kinematic_rows(system: &System, chart: &Chart, v: &[f64]) -> DMatrix<f64> {
    let d = chart.len();
    let mut rows = DMatrix::zeros(d, 2 * d);
    for k in 0..d {
        rows[(k, d + k)] = 1.0;
    }
    for start in system.tree.ball_rotations() {
        let spin = vec3(v[start], v[start + 1], v[start + 2]);
        for j in 0..d {
            let t = |k: usize| chart.tangent[(start + k, j)];
            let turn = spin.cross(vec3(t(0), t(1), t(2))).to_array();
            for (k, turn) in turn.into_iter().enumerate() {
                if let Ok(row) = chart.independent.binary_search(&(start + k)) {
                    rows[(row, j)] -= turn;
                }
            }
        }
    }
    rows
}

/// The variable that is changed.
#[derive(Clone, Copy)]
enum Direction {
    /// An independent freedom.
    Place(usize),
    /// The speed of one.
    Speed(usize),
    /// A storage of the networks.
    Storage(usize),
    /// An input, or a derivative of it.
    Input(LinearInput, usize),
}

/// The state about which is linearised.
struct Point<'a, 'r, 's> {
    mechanism: &'a mut Mechanism<'r, 's>,
    q: &'a [f64],
    v: &'a [f64],
    chart: &'a Chart,
    /// Storages of the networks: their places in a state.
    storages: &'a [usize],
    sources: &'a [SignalSource],
}

impl Point<'_, '_, '_> {
    /// The derivatives along all states and inputs. `size` is that of the model, m.
    fn columns(
        &mut self,
        freedoms: &[Freedom],
        size: f64,
        y: &[f64],
        inputs: &[(LinearInput, String)],
    ) -> Result<Vec<Derivative>, Trouble> {
        let (d, storages) = (self.chart.len(), self.storages);
        let unit = |k: usize| if freedoms[self.chart.independent[k]].is_angle { 1.0 } else { size };
        let units: Vec<f64> = (0..d).map(unit).collect();
        let mut columns = Vec::with_capacity(2 * d + storages.len() + ORDERS * inputs.len());
        let slopes = self.mechanism.run.probe().tree_slopes(self.mechanism.t, y, size)?;
        for (k, unit) in units.iter().enumerate() {
            let exact = slopes.as_ref().map(|slopes| &slopes.places);
            columns.push(self.state_column(exact, Direction::Place(k), FIRST_STEP * unit)?);
        }
        for (k, unit) in units.iter().enumerate() {
            let exact = slopes.as_ref().map(|slopes| &slopes.speeds);
            columns.push(self.state_column(exact, Direction::Speed(k), FIRST_SPEED * unit)?);
        }
        for (k, &place) in storages.iter().enumerate() {
            let step = FIRST_CHANGE * y[place].abs().max(SMALLEST_STORAGE);
            columns.push(self.along(Direction::Storage(k), step)?);
        }
        for (input, _) in inputs {
            let first = match input {
                LinearInput::Expression(_) => FIRST_INPUT,
                LinearInput::Registers(..) => FIRST_PART * input.size().max(SMALLEST_STORAGE),
            };
            for order in 0..input.orders() {
                columns.push(self.along(Direction::Input(*input, order), first)?);
            }
        }
        Ok(columns)
    }

    /// Derivatives of accelerations and outputs along a state of the bodies; those of the accelerations are known if `exact` has
    /// them, by all freedoms.
    fn state_column(
        &mut self,
        exact: Option<&TreeColumns>,
        direction: Direction,
        first_step: f64,
    ) -> Result<Derivative, Trouble> {
        let Some(exact) = exact else { return self.along(direction, first_step) };
        let d = self.chart.len();
        let mut column = if self.storages.is_empty() && self.sources.is_empty() {
            Derivative { values: vec![0.0; d], errors: vec![0.0; d] }
        } else {
            self.along(direction, first_step)?
        };
        let (Direction::Place(k) | Direction::Speed(k)) = direction else { return Ok(column) };
        let along = self.chart.tangent.column(k);
        for (row, &freedom) in self.chart.independent.iter().enumerate() {
            column.values[row] = exact.values.row(freedom).tr_dot(&along);
            let errors = exact.errors.row(freedom);
            column.errors[row] = errors.iter().zip(along.iter()).map(|(e, x)| e * x.abs()).sum();
        }
        Ok(column)
    }

    /// Derivatives of accelerations and outputs by differences.
    fn along(&mut self, direction: Direction, first_step: f64) -> Result<Derivative, Trouble> {
        let n = self.chart.len() + self.storages.len() + self.sources.len();
        let found =
            derivative(n, first_step, |s, out: &mut [f64]| self.evaluate(direction, s, out));
        if let Direction::Input(input, order) = direction {
            input.put(self.mechanism.run, order, 0.0);
        }
        found
    }

    /// Accelerations of the independent freedoms, rates of the storages and the outputs, at a distance `s`.
    fn evaluate(&mut self, direction: Direction, s: f64, out: &mut [f64]) -> Result<(), Trouble> {
        let d = self.chart.len();
        let (mut q, mut v) = (self.q.to_vec(), self.v.to_vec());
        match direction {
            Direction::Place(k) => {
                let mut x = vec![0.0; d];
                x[k] = s;
                q = self.mechanism.displace(self.q, self.chart, &x)?;
                v = self.mechanism.consistent_speeds(&q, self.chart, v)?;
            }
            Direction::Speed(k) => {
                // At the same place the constraints are linear in the speeds.
                let change =
                    &self.chart.tangent * DVector::from_fn(d, |j, _| f64::from(j == k) * s);
                v.iter_mut().zip(change.iter()).for_each(|(v, change)| *v += change);
            }
            Direction::Input(input, order) => {
                input.put(self.mechanism.run, order, s);
                // A source of motion in the networks moves what it drives.
                if matches!(input, LinearInput::Registers(..)) {
                    q = self.mechanism.displace(self.q, self.chart, &vec![0.0; d])?;
                    v = self.mechanism.consistent_speeds(&q, self.chart, v)?;
                }
            }
            Direction::Storage(_) => {}
        }
        let mut y = self.mechanism.state(&q, &v);
        if let Direction::Storage(k) = direction {
            y[self.storages[k]] += s;
        }
        let (of_storages, of_outputs) = out[d..].split_at_mut(self.storages.len());
        if !of_storages.is_empty() {
            let rates = self.mechanism.rates(&y)?;
            for (out, &place) in of_storages.iter_mut().zip(self.storages) {
                *out = rates[place];
            }
        }
        self.mechanism.run.observe(self.mechanism.t, &y)?;
        let run = &*self.mechanism.run;
        for (out, &source) in of_outputs.iter_mut().zip(self.sources) {
            *out = run.signal(source);
        }
        for (out, &k) in out.iter_mut().zip(&self.chart.independent) {
            *out = run.vdot()[k];
        }
        Ok(())
    }
}
