//! Static equilibrium: coordinates at which nothing accelerates at rest.
//!
//! With the forces r on the independent freedoms at rest, their stiffness `K = -dr/dx` and the mass matrix M, each
//! iteration solves `K x = w2 M x` for the modes at the present coordinates. If all modes are stable, the step is Newton's,
//! `K x = r`. If a mode is unstable, each mode moves by `r / |w2|`: down the slope of the potential energy, also where the
//! energy curves downwards, so that the search leaves saddles and maxima for the equilibrium below them. No energy is
//! needed, and forces without a potential are permitted. Steps are bounded, and halved while the force along the step
//! reverses too much. Modes of contacts and friction settle again at rest before every step.

use nalgebra::{DMatrix, DVector};

use super::mechanism::{Chart, Mechanism};
use super::{Freedom, Trouble};
use crate::system::Snapshot;
use integrate::linear::eigen;
use mechanics::derivatives::ridders::derivative;

/// Iterations after which the search is given up.
const MOST_ITERATIONS: usize = 500;
/// Times that a step is halved.
const HALVINGS: usize = 12;
/// Largest displacement of an angle in one iteration, rad, and of a length as part of the model's size.
const BOLDEST: f64 = 0.4;
/// Step of the differences of an iteration, rad or part of the size: the error of the differences is of second order.
const DIFFERENCE: f64 = 1e-5;
/// First step of the differences of the stiffness that is reported, rad or part of the size.
const FIRST_DIFFERENCE: f64 = 0.02;
/// Displacement below which the forces balance, rad or part of the size.
const CLOSE: f64 = 1e-10;
/// Further iterations at an equilibrium, as long as each at least halves the remaining step.
const POLISHINGS: usize = 4;
/// Modes with less than this part of the largest stiffness per mass are indifferent: rounding of the differences is about
/// a tenth of this value.
const INDIFFERENT: f64 = 1e-10;
/// Acceleration that counts as rest in an indifferent direction, as a part of the largest stiffness per mass.
const NO_ACCELERATION: f64 = 1e-9;

/// Part of the largest stiffness by which the differences of an iteration may make K unsymmetric.
const ODD: f64 = 1e-7;

/// The largest difference of K and its transpose, as a part of its largest entry.
fn asymmetry(stiffness: &DMatrix<f64>) -> f64 {
    let size = stiffness.amax();
    if size > 0.0 { (stiffness - stiffness.transpose()).amax() / size } else { 0.0 }
}

/// Reaction of an equilibrium to a small displacement.
#[derive(Clone, Debug, PartialEq)]
pub enum Stability {
    /// The mechanism comes back.
    Stable,
    /// The mechanism stays where it is put along these freedoms.
    Indifferent(Vec<usize>),
    /// The mechanism leaves along these freedoms; the displacement grows e-fold within the given time, s.
    Unstable(Vec<usize>, f64),
    /// Nothing can move.
    Fixed,
}

/// An equilibrium.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// Coordinates of the equilibrium.
    pub q: Vec<f64>,
    /// Iterations of the search.
    pub iterations: usize,
    /// Reaction to a disturbance.
    pub stability: Stability,
    /// Largest force left on an independent freedom, N or Nm, and the freedom.
    pub remaining: Option<(usize, f64)>,
}

/// Finds an equilibrium near the coordinates `start`, at which all loops are closed. The run has to be quasi-static. `size`
/// is the size of the model, m; `go_on` is asked in every iteration.
///
/// # Errors
/// If there is no equilibrium within reach, or a force or constraint has no value.
pub fn find_equilibrium(
    mechanism: &mut Mechanism<'_, '_>,
    start: &[f64],
    size: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Equilibrium, Trouble> {
    let freedoms = Freedom::all(mechanism.run.system);
    let units = freedoms.iter().map(|freedom| if freedom.is_angle { 1.0 } else { size }).collect();
    Search { mechanism, units, q: start.to_vec(), iterations: 0 }.run(go_on)
}

/// The forces and modes of one iteration.
struct Local {
    chart: Chart,
    forces: DVector<f64>,
    stiffness: DMatrix<f64>,
    /// Stiffness per mass of the modes in rising order, 1/s^2.
    values: Vec<f64>,
    /// Shapes of the modes, in columns, `X^T M X = 1`.
    shapes: DMatrix<f64>,
    /// K is not symmetric, and all eigenvalues of `M^-1 K` have positive real parts although the symmetric part of K is not
    /// positive definite.
    is_stable_without_potential: bool,
}

struct Search<'a, 'r, 's> {
    mechanism: &'a mut Mechanism<'r, 's>,
    /// Unit of the displacement along each freedom: 1 rad, or the size of the model.
    units: Vec<f64>,
    q: Vec<f64>,
    iterations: usize,
}

impl Search<'_, '_, '_> {
    fn run(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<Equilibrium, Trouble> {
        let mut polished = 0;
        let mut best: Option<(f64, Vec<f64>, Snapshot)> = None;
        while self.iterations < MOST_ITERATIONS {
            if !go_on() {
                return Err(Trouble::Interrupted);
            }
            self.settle(false)?;
            let local = self.local()?;
            let (step, is_at_rest) = self.step(&local);
            let length = self.length(&local.chart, &step);
            // At rest the search goes on while each iteration improves the result, and keeps the best one.
            if is_at_rest {
                let is_better = best.as_ref().is_none_or(|(least, ..)| length < 0.5 * least);
                if is_better {
                    best = Some((length, self.q.clone(), self.mechanism.run.snapshot()));
                }
                polished += 1;
                if !is_better || polished > POLISHINGS || length == 0.0 {
                    break;
                }
            } else {
                best = None;
            }
            self.iterations += 1;
            self.advance(&local, &step)?;
        }
        let Some((_, q, snapshot)) = best else { return Err(self.restless()?) };
        self.mechanism.run.restore(&snapshot);
        self.q = q;
        self.settle(true)?;
        self.finish()
    }

    /// Settles the modes of contacts and friction at rest at the present coordinates.
    fn settle(&mut self, is_balanced: bool) -> Result<(), Trouble> {
        self.mechanism.run.probe().begin_at_rest(is_balanced);
        self.settle_at(&self.q.clone())
    }

    fn settle_at(&mut self, q: &[f64]) -> Result<(), Trouble> {
        let rest = vec![0.0; self.units.len()];
        let y = self.mechanism.state(q, &rest);
        self.mechanism.settle(&y).map(|_| ())
    }

    /// Forces, stiffness by central differences, and modes at the present coordinates.
    fn local(&mut self) -> Result<Local, Trouble> {
        let chart = self.mechanism.chart(&self.q)?;
        let forces = self.mechanism.forces(&self.q, &chart)?;
        let d = chart.len();
        let mut stiffness = DMatrix::zeros(d, d);
        for j in 0..d {
            let h = DIFFERENCE * self.units[chart.independent[j]];
            let mut at = |s: f64| -> Result<DVector<f64>, Trouble> {
                let mut x = vec![0.0; d];
                x[j] = s;
                let q = self.mechanism.displace(&self.q, &chart, &x)?;
                self.mechanism.forces(&q, &chart)
            };
            let change = at(-h)? - at(h)?;
            stiffness.set_column(j, &(change / (2.0 * h)));
        }
        let (values, shapes) = self.modes(&chart, &stiffness)?;
        let is_odd =
            asymmetry(&stiffness) > ODD && values.first().is_some_and(|&least| least <= 0.0);
        let is_stable_without_potential = is_odd && {
            let found = self.general_stiffness(&chart, &stiffness)?;
            found.values.iter().all(|value| value.re > 0.0)
        };
        Ok(Local { chart, forces, stiffness, values, shapes, is_stable_without_potential })
    }

    fn modes(
        &mut self,
        chart: &Chart,
        stiffness: &DMatrix<f64>,
    ) -> Result<(Vec<f64>, DMatrix<f64>), Trouble> {
        let symmetric = (stiffness + stiffness.transpose()) * 0.5;
        let mass = self.mechanism.mass(&self.q, chart);
        eigen::symmetric_pair(&symmetric, &mass).ok_or(Trouble::NoEigenvalues)
    }

    /// Eigenvalues of `M^-1 K`, for any forces, with or without a potential.
    fn general_stiffness(
        &mut self,
        chart: &Chart,
        stiffness: &DMatrix<f64>,
    ) -> Result<eigen::Eigen, Trouble> {
        let mass = self.mechanism.mass(&self.q, chart);
        let matrix = mass.lu().solve(stiffness).ok_or(Trouble::NoEigenvalues)?;
        eigen::general(&matrix).ok_or(Trouble::NoEigenvalues)
    }

    /// Largest displacement in a step of the independent freedoms, in units.
    fn length(&self, chart: &Chart, step: &DVector<f64>) -> f64 {
        let all = &chart.tangent * step;
        all.iter().zip(&self.units).fold(0.0, |most, (x, unit)| most.max(x.abs() / unit))
    }

    /// The step towards the equilibrium, and whether the mechanism is at rest already.
    fn step(&self, local: &Local) -> (DVector<f64>, bool) {
        let Local { chart, forces, stiffness, values, shapes, .. } = local;
        let largest = values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let floor = INDIFFERENT * largest;
        if chart.is_empty() {
            return (DVector::zeros(0), true);
        }
        // Newton's step K x = r, shortened to the largest displacement that is permitted.
        if (values[0] > floor || local.is_stable_without_potential)
            && let Some(step) = stiffness.clone().lu().solve(forces)
            && step.iter().all(|x| x.is_finite())
        {
            let length = self.length(chart, &step);
            let shortened = &step * (BOLDEST / length.max(BOLDEST));
            return (shortened, length <= CLOSE);
        }
        // Mode by mode, with the absolute value of the stiffness.
        let mut step = DVector::zeros(chart.len());
        let mut is_at_rest = true;
        for (k, value) in values.iter().enumerate() {
            let shape = shapes.column(k).into_owned();
            let force = shape.dot(forces);
            let unit_length = self.length(chart, &shape);
            if value.abs() <= floor {
                // Nearly no stiffness: at rest if the mode does not accelerate, else the largest step that is permitted.
                if force.abs() * unit_length <= NO_ACCELERATION * largest {
                    continue;
                }
                is_at_rest = false;
                step += shape * (force.signum() * BOLDEST / unit_length);
                continue;
            }
            let amount = force / value.abs();
            is_at_rest &= amount.abs() * unit_length <= CLOSE;
            let most = BOLDEST / unit_length;
            step += shape * amount.clamp(-most, most);
        }
        (step, is_at_rest)
    }

    /// Takes the step, or the largest of its halved parts after which the force has not reversed too much.
    fn advance(&mut self, local: &Local, step: &DVector<f64>) -> Result<(), Trouble> {
        let before = self.mechanism.run.snapshot();
        let along = local.forces.dot(step);
        let mut part = 1.0;
        for trial in 0.. {
            let x = step * part;
            let is_last = trial == HALVINGS;
            match self.try_step(local, &x, along * part) {
                Ok((q, is_good)) if is_good || is_last => {
                    self.q = q;
                    return Ok(());
                }
                Err(trouble) if is_last => return Err(trouble),
                _ => self.mechanism.run.restore(&before),
            }
            part *= 0.5;
        }
        Ok(())
    }

    /// Coordinates after a step, and whether the force along the step has not reversed too much.
    fn try_step(
        &mut self,
        local: &Local,
        x: &DVector<f64>,
        along: f64,
    ) -> Result<(Vec<f64>, bool), Trouble> {
        /// Part of the former force that the reversed force may reach.
        const REVERSAL: f64 = 0.9;
        let q = self.mechanism.displace(&self.q, &local.chart, x.as_slice())?;
        self.settle_at(&q)?;
        let chart = self.mechanism.chart(&q)?;
        if chart.independent != local.chart.independent {
            // A freedom locks or comes loose: the forces are not comparable with the forces before.
            return Ok((q, true));
        }
        let forces = self.mechanism.forces(&q, &chart)?;
        let is_good =
            forces.dot(x) >= -REVERSAL * along.abs() || forces.norm() < local.forces.norm();
        Ok((q, is_good))
    }

    /// The freedoms on which the largest forces are left.
    fn restless(&mut self) -> Result<Trouble, Trouble> {
        /// Freedoms below this part of the largest acceleration are not reported.
        const WORTH: f64 = 1e-2;
        const MOST: usize = 5;
        let local = self.local()?;
        let modal = local.shapes.tr_mul(&local.forces);
        let accelerations = &local.shapes * modal;
        let rated: Vec<f64> = accelerations
            .iter()
            .zip(&local.chart.independent)
            .map(|(a, &k)| a.abs() / self.units[k])
            .collect();
        let largest = rated.iter().fold(0.0, |most: f64, a| most.max(*a));
        let mut order: Vec<usize> =
            (0..rated.len()).filter(|&k| rated[k] >= WORTH * largest).collect();
        order.sort_by(|&a, &b| rated[b].total_cmp(&rated[a]));
        order.truncate(MOST);
        let named =
            order.into_iter().map(|k| (local.chart.independent[k], local.forces[k])).collect();
        Ok(Trouble::Restless(named, self.iterations))
    }

    fn finish(&mut self) -> Result<Equilibrium, Trouble> {
        let chart = self.mechanism.chart(&self.q)?;
        let forces = self.mechanism.forces(&self.q, &chart)?;
        let remaining = forces
            .iter()
            .zip(&chart.independent)
            .max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))
            .map(|(force, &freedom)| (freedom, *force));
        let stability = self.stability(&chart)?;
        Ok(Equilibrium { q: self.q.clone(), iterations: self.iterations, stability, remaining })
    }

    /// Stability from a stiffness by extrapolated differences, with the error of the differences as a margin.
    fn stability(&mut self, chart: &Chart) -> Result<Stability, Trouble> {
        let d = chart.len();
        if d == 0 {
            return Ok(Stability::Fixed);
        }
        let (mut stiffness, mut error) = (DMatrix::zeros(d, d), 0.0_f64);
        for j in 0..d {
            let first = FIRST_DIFFERENCE * self.units[chart.independent[j]];
            let column = derivative(d, first, |s, out: &mut [f64]| {
                let mut x = vec![0.0; d];
                x[j] = s;
                let q = self.mechanism.displace(&self.q, chart, &x)?;
                out.copy_from_slice(self.mechanism.forces(&q, chart)?.as_slice());
                Ok::<(), Trouble>(())
            })?;
            stiffness.set_column(j, &-DVector::from_vec(column.values));
            error = column.errors.iter().fold(error, |most, e| most.max(*e));
        }
        let scale = stiffness.amax();
        let doubt = INDIFFERENT + if scale > 0.0 { error / scale } else { 0.0 };
        if asymmetry(&stiffness) > 10.0 * doubt {
            return self.stability_without_potential(chart, &stiffness, doubt);
        }
        let (values, shapes) = self.modes(chart, &stiffness)?;
        let doubt = doubt * values.iter().fold(0.0, |most: f64, value| most.max(value.abs()));
        let weakest = self.moving(chart, &shapes.column(0).into_owned());
        Ok(match values[0] {
            least if least < -doubt => Stability::Unstable(weakest, (-least).sqrt().recip()),
            least if least <= doubt => Stability::Indifferent(weakest),
            _ => Stability::Stable,
        })
    }

    /// With forces that have no potential K is not symmetric. The displacements follow `s^2 = -w2`: they grow for every w2 that
    /// is not real and positive, and oscillate while growing (flutter) if w2 is complex.
    fn stability_without_potential(
        &mut self,
        chart: &Chart,
        stiffness: &DMatrix<f64>,
        doubt: f64,
    ) -> Result<Stability, Trouble> {
        let found = self.general_stiffness(chart, stiffness)?;
        let largest = found.values.iter().fold(0.0, |most: f64, value| most.max(value.norm()));
        let shape = |k: usize| found.vectors.column(k).map(|x| x.norm());
        // The error of K splits two equal w2 by its square root.
        let grows = |k: &usize| {
            let value = found.values[*k];
            value.im.abs() > doubt.sqrt() * largest || value.re < -doubt * largest
        };
        if let Some(k) = (0..chart.len()).find(grows) {
            let rate = (-found.values[k]).sqrt().re.abs();
            return Ok(Stability::Unstable(self.moving(chart, &shape(k)), rate.recip()));
        }
        let is_weak = |k: &usize| found.values[*k].re <= doubt * largest;
        Ok(match (0..chart.len()).find(is_weak) {
            Some(k) => Stability::Indifferent(self.moving(chart, &shape(k))),
            None => Stability::Stable,
        })
    }

    /// The freedoms that move in a shape, the largest displacement first.
    fn moving(&self, chart: &Chart, shape: &DVector<f64>) -> Vec<usize> {
        /// Part of the largest displacement that counts.
        const WORTH: f64 = 0.1;
        let all = &chart.tangent * shape;
        let rated: Vec<f64> = all.iter().zip(&self.units).map(|(x, unit)| x.abs() / unit).collect();
        let largest = rated.iter().fold(0.0, |most: f64, x| most.max(*x));
        let mut order: Vec<usize> =
            (0..rated.len()).filter(|&k| rated[k] > WORTH * largest).collect();
        order.sort_by(|&a, &b| rated[b].total_cmp(&rated[a]));
        order
    }
}
