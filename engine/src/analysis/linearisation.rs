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
//! with the angular velocity w0 of the state; for all other freedoms the displacement changes with the speed. The rows of the
//! speeds, B, C and D come from differences (`derivative.rs`) with the modes of all elements frozen.

use nalgebra::{Complex, DMatrix, DVector};

use super::derivative::{Derivative, derivative};
use super::mechanism::{Chart, Mechanism};
use super::{Freedom, Mode, Trouble};
use crate::system::{SignalSource, System};
use language::blocks::forces::ForceElement;
use mechanics::vec3;

/// First step of the differences: displacements in rad or parts of the size, speeds in those per second, inputs in
/// their unit.
const FIRST_STEP: f64 = 0.02;
const FIRST_SPEED: f64 = 0.1;
const FIRST_INPUT: f64 = 1.0;

/// A linear model with the names of its rows and columns.
#[derive(Clone, Debug)]
pub struct LinearModel {
    /// The coordinates about which it is.
    pub q: Vec<f64>,
    /// The independent freedoms.
    pub chart: Chart,
    /// Names of the states: displacements, then speeds.
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

    /// The largest estimated error of an entry of A, as a part of the largest entry in the same half.
    pub fn relative_error(&self) -> f64 {
        let d = self.chart.len();
        let part = |from: usize| {
            let error = self.errors.view((d, from), (d, d)).amax();
            let size = self.a.view((d, from), (d, d)).amax();
            if error == 0.0 || size <= error { 0.0 } else { error / size }
        };
        if d == 0 { 0.0 } else { part(0).max(part(d)) }
    }
}

/// The inputs of a system: the components of all Force, Torque and JointForce blocks, as time expressions.
pub fn inputs(system: &System) -> Vec<(usize, String)> {
    let mut all = Vec::new();
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
        all.push((input, format!("{name}.{part}")));
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
    let inputs = inputs(system);
    let mut point = Point { mechanism, q: &q, v: &v, chart: &chart, sources: &sources };
    let d = chart.len();
    let unit = |k: usize| if freedoms[chart.independent[k]].is_angle { 1.0 } else { size };
    let mut columns = Vec::with_capacity(2 * d + inputs.len());
    for k in 0..d {
        columns.push(point.along(Direction::Place(k), FIRST_STEP * unit(k))?);
    }
    for k in 0..d {
        columns.push(point.along(Direction::Speed(k), FIRST_SPEED * unit(k))?);
    }
    for (input, _) in &inputs {
        columns.push(point.along(Direction::Input(*input), FIRST_INPUT)?);
    }
    let is_moving = v.iter().any(|&v| v != 0.0);
    let name = |rates: bool| {
        let freedoms = &freedoms;
        chart.independent.iter().map(move |&k| match rates {
            true => freedoms[k].rate_name.clone(),
            false => freedoms[k].name.clone(),
        })
    };
    let states = name(false).chain(name(true)).collect();
    let kinematic = kinematic_rows(system, &chart, &v);
    let from = |row: usize, column: usize, rows: usize, count: usize| {
        DMatrix::from_fn(rows, count, |i, j| columns[column + j].values[row + i])
    };
    let n_in = inputs.len();
    let mut a = DMatrix::zeros(2 * d, 2 * d);
    a.rows_mut(0, d).copy_from(&kinematic);
    a.rows_mut(d, d).copy_from(&from(0, 0, d, 2 * d));
    let mut b = DMatrix::zeros(2 * d, n_in);
    b.rows_mut(d, d).copy_from(&from(0, 2 * d, d, n_in));
    let mut errors = DMatrix::zeros(2 * d, 2 * d);
    errors.rows_mut(d, d).copy_from(&DMatrix::from_fn(d, 2 * d, |i, j| columns[j].errors[i]));
    Ok(LinearModel {
        states,
        inputs: inputs.into_iter().map(|(_, name)| name).collect(),
        c: from(d, 0, named.len(), 2 * d),
        d: from(d, 2 * d, named.len(), n_in),
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
    /// A time expression.
    Input(usize),
}

/// The state about which is linearised.
struct Point<'a, 'r, 's> {
    mechanism: &'a mut Mechanism<'r, 's>,
    q: &'a [f64],
    v: &'a [f64],
    chart: &'a Chart,
    sources: &'a [SignalSource],
}

impl Point<'_, '_, '_> {
    /// Derivatives of accelerations and outputs.
    fn along(&mut self, direction: Direction, first_step: f64) -> Result<Derivative, Trouble> {
        let n = self.chart.len() + self.sources.len();
        let found =
            derivative(n, first_step, |s, out: &mut [f64]| self.evaluate(direction, s, out));
        if let Direction::Input(input) = direction {
            self.mechanism.run.probe().set_input_offset(input, 0.0);
        }
        found
    }

    /// Accelerations of the independent freedoms and the outputs, at a distance `s`.
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
            Direction::Input(input) => self.mechanism.run.probe().set_input_offset(input, s),
        }
        let y = self.mechanism.state(&q, &v);
        self.mechanism.run.observe(self.mechanism.t, &y)?;
        let run = &*self.mechanism.run;
        for (out, &k) in out.iter_mut().zip(&self.chart.independent) {
            *out = run.vdot()[k];
        }
        for (out, &source) in out[d..].iter_mut().zip(self.sources) {
            *out = run.signal(source);
        }
        Ok(())
    }
}
