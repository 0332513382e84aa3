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
//! stand the storages of the networks that are states in the present modes. The rows of speeds and storages, B, C and D come
//! from differences (`derivative.rs`) with the modes of all elements, and what changes at events only, frozen.

use nalgebra::{Complex, DMatrix, DVector};

use super::derivative::{Derivative, derivative};
use super::mechanism::{Chart, Mechanism};
use super::{Freedom, Mode, Trouble};
use crate::system::{Run, SignalSource, System};
use language::blocks::forces::ForceElement;
use mechanics::vec3;

/// First step of the differences: displacements in rad or parts of the size, speeds in those per second, inputs in
/// their unit.
const FIRST_STEP: f64 = 0.02;
const FIRST_SPEED: f64 = 0.1;
const FIRST_INPUT: f64 = 1.0;
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

/// An input of a linear model.
#[derive(Clone, Copy, Debug)]
pub enum LinearInput {
    /// A time expression, by its number.
    Expression(usize),
    /// An `Input` block and its value.
    Block(u32, f64),
}

/// The inputs of a system: all Input blocks, and the components of all Force, Torque and JointForce blocks, as time expressions.
fn inputs(run: &Run<'_>) -> Vec<(LinearInput, String)> {
    let system = run.system;
    let given = (0..system.model.blocks.len() as u32).filter_map(|block| {
        let value = run.input_value(block)?;
        Some((LinearInput::Block(block, value), system.model.block_name(block).to_string()))
    });
    let mut all: Vec<(LinearInput, String)> = given.collect();
    for (input, &owner) in system.program_owners.iter().enumerate() {
        let model = &system.model;
        let entry = &model.blocks[owner as usize];
        let of_force = matches!(
            model.forces.get(entry.handle as usize).map(|force| (&force.what, force.block)),
            Some((ForceElement::Force(_) | ForceElement::Torque(_) | ForceElement::JointForce(_), block))
                if block == owner
        );
        if !of_force {
            continue;
        }
        let first = system.program_owners.iter().position(|&other| other == owner).unwrap_or(input);
        let count = system.program_owners.iter().filter(|&&other| other == owner).count();
        let name = model.block_name(owner);
        let part = match (entry.schema.keyword, count) {
            ("JointForce", 1) => String::from("f"),
            ("JointForce", _) => format!("f[{}]", input - first + 1),
            ("Torque", _) => format!("t{}", ["x", "y", "z"][(input - first) % 3]),
            _ => format!("f{}", ["x", "y", "z"][(input - first) % 3]),
        };
        all.push((LinearInput::Expression(input), format!("{name}.{part}")));
    }
    all
}

/// Linearises about a settled state `y`. `size` is that of the model, m.
///
/// # Errors
/// If something has no value at the state or near it.
pub fn linearise(
    mechanism: &mut Mechanism<'_, '_>,
    y: &[f64],
    size: f64,
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
    let inputs = inputs(mechanism.run);
    mechanism.take_tail(y);
    let storages = mechanism.storages();
    let mut point =
        Point { mechanism, q: &q, v: &v, chart: &chart, storages: &storages, sources: &sources };
    let (d, s) = (chart.len(), storages.len());
    let n = 2 * d + s;
    let columns = point.columns(&freedoms, size, y, &inputs)?;
    let is_moving = v.iter().any(|&v| v != 0.0);
    let name = |rates: bool| {
        let freedoms = &freedoms;
        chart.independent.iter().map(move |&k| match rates {
            true => freedoms[k].rate_name.clone(),
            false => freedoms[k].name.clone(),
        })
    };
    let storage_name = |&place: &usize| mechanism.run.storage_name(place);
    let states = name(false).chain(name(true)).chain(storages.iter().map(storage_name)).collect();
    let kinematic = kinematic_rows(system, &chart, &v);
    let from = |row: usize, column: usize, rows: usize, count: usize| {
        DMatrix::from_fn(rows, count, |i, j| columns[column + j].values[row + i])
    };
    let n_in = inputs.len();
    let mut a = DMatrix::zeros(n, n);
    a.view_mut((0, 0), (d, 2 * d)).copy_from(&kinematic);
    a.rows_mut(d, d + s).copy_from(&from(0, 0, d + s, n));
    let mut b = DMatrix::zeros(n, n_in);
    b.rows_mut(d, d + s).copy_from(&from(0, n, d + s, n_in));
    let mut errors = DMatrix::zeros(n, n);
    errors.rows_mut(d, d + s).copy_from(&DMatrix::from_fn(d + s, n, |i, j| columns[j].errors[i]));
    Ok(LinearModel {
        states,
        inputs: inputs.into_iter().map(|(_, name)| name).collect(),
        c: from(d + s, 0, named.len(), n),
        d: from(d + s, n, named.len(), n_in),
        outputs: named,
        a,
        b,
        errors,
        mass,
        is_moving,
        q: q.clone(),
        chart: chart.clone(),
    })
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
    /// An input.
    Input(LinearInput),
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
        let mut columns = Vec::with_capacity(2 * d + storages.len() + inputs.len());
        for (k, unit) in units.iter().enumerate() {
            columns.push(self.along(Direction::Place(k), FIRST_STEP * unit)?);
        }
        for (k, unit) in units.iter().enumerate() {
            columns.push(self.along(Direction::Speed(k), FIRST_SPEED * unit)?);
        }
        for (k, &place) in storages.iter().enumerate() {
            let step = FIRST_CHANGE * y[place].abs().max(SMALLEST_STORAGE);
            columns.push(self.along(Direction::Storage(k), step)?);
        }
        for (input, _) in inputs {
            columns.push(self.along(Direction::Input(*input), FIRST_INPUT)?);
        }
        Ok(columns)
    }

    /// Derivatives of accelerations and outputs.
    fn along(&mut self, direction: Direction, first_step: f64) -> Result<Derivative, Trouble> {
        let n = self.chart.len() + self.storages.len() + self.sources.len();
        let found =
            derivative(n, first_step, |s, out: &mut [f64]| self.evaluate(direction, s, out));
        if let Direction::Input(input) = direction {
            self.put(input, 0.0);
        }
        found
    }

    /// Gives an input its value and a change.
    fn put(&mut self, input: LinearInput, change: f64) {
        match input {
            LinearInput::Expression(input) => {
                self.mechanism.run.probe().set_input_offset(input, change);
            }
            LinearInput::Block(block, value) => {
                self.mechanism.run.set_input(block, value + change);
            }
        }
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
            Direction::Input(input) => self.put(input, s),
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
