//! Steady state of bodies and networks together: a state that does not change any more.
//!
//! All first-order equations `y' = f(y)` of displacements x, speeds v and storages z go to rest along implicit steps of growing
//! length (pseudo-transient continuation, Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508):
//!
//! ```text
//! (1/h - A) dy = f(y)        h grows as |f| shrinks; without end it is Newton's step
//! ```
//!
//! A short step follows the motion, with the damping of the implicit Euler method; so the search leaves unstable states for
//! those that the motion would come to. Modes of contacts, friction and valves settle anew before every step. A shaft that
//! turns steadily has no angle where it rests: a displacement on which nothing depends is no unknown, and may grow.

use nalgebra::{DMatrix, DVector};

use super::mechanism::{Chart, Mechanism};
use super::{Freedom, Trouble};
use integrate::linear::eigen;

/// Iterations after which the search is given up.
const MOST_ITERATIONS: usize = 1000;
/// First step, s.
const FIRST_STEP: f64 = 1e-3;
/// Shortest and longest step, s.
const SHORTEST: f64 = 1e-14;
const LONGEST: f64 = 1e18;
/// Limits of the growth of a step.
const GROWTH: [f64; 2] = [0.5, 10.0];
/// Largest displacement of an angle in one iteration, rad, and of a length as part of the model's size.
const BOLDEST: f64 = 0.3;
/// Step of the differences, as part of the size of each state.
const DIFFERENCE: f64 = 1e-6;
/// The size of a storage is at least this.
const SMALLEST: f64 = 1e-3;
/// Newton's step, over the size of each state, at which the state counts as found; rounding of the differences is less.
const CLOSE: f64 = 1e-9;
/// Where Newton's step does not become smaller any more, it may be this large.
const ROUGH: f64 = 1e-6;
/// A displacement that is as large as this is felt by what depends on it at all.
const FELT_AT: f64 = 0.7;
/// A derivative that changes by less than this part does not depend on what was changed.
const FELT: f64 = 1e-10;

/// A steady state.
#[derive(Clone, Debug)]
pub struct SteadyState {
    /// The state.
    pub y: Vec<f64>,
    /// Iterations of the search.
    pub iterations: usize,
    /// Names of the states that leave it after a disturbance, and the time in which the disturbance grows e-fold, s.
    pub leaving: Option<(Vec<String>, f64)>,
    /// Displacements that grow steadily, because nothing depends on them.
    pub turning: Vec<String>,
}

/// Finds a steady state near `start`. `size` is the size of the model, m; `go_on` is asked in every iteration.
///
/// # Errors
/// If there is none within reach, or something has no value.
pub fn find_steady_state(
    mechanism: &mut Mechanism<'_, '_>,
    start: &[f64],
    size: f64,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<SteadyState, Trouble> {
    let freedoms = Freedom::all(mechanism.run.system);
    Search::new(mechanism, freedoms, size, start.to_vec()).run(go_on)
}

/// A search on its way.
pub(super) struct Search<'a, 'r, 's> {
    /// What is searched.
    pub mechanism: &'a mut Mechanism<'r, 's>,
    freedoms: Vec<Freedom>,
    /// Unit of the displacement along each freedom: 1 rad, or the size of the model.
    units: Vec<f64>,
    /// The state.
    pub y: Vec<f64>,
    /// The largest value so far of each entry of the state: the measure of storages must not change from step to step.
    largest: Vec<f64>,
}

/// The equations near a state.
pub(super) struct Local {
    /// The independent freedoms.
    pub chart: Chart,
    /// Places of the storages in a state.
    pub storages: Vec<usize>,
    /// Derivatives: displacements, speeds, storages.
    pub f: DVector<f64>,
    /// Their slopes.
    pub a: DMatrix<f64>,
    /// The size of each unknown.
    pub sizes: Vec<f64>,
    /// Displacements on which nothing depends, by their number among the unknowns.
    pub idle: Vec<usize>,
}

impl Local {
    /// `(shift - A) dy = f` without the displacements on which nothing depends, which follow.
    fn solve(&self, shift: f64) -> Option<DVector<f64>> {
        let mut matrix = -self.a.clone();
        for k in 0..self.f.len() {
            matrix[(k, k)] += shift;
        }
        let mut right = self.f.clone();
        for &k in &self.idle {
            matrix.row_mut(k).fill(0.0);
            matrix[(k, k)] = 1.0;
            right[k] = 0.0;
        }
        // The library cannot solve no equations.
        let step = if right.is_empty() { right } else { matrix.lu().solve(&right)? };
        step.iter().all(|x| x.is_finite()).then_some(step)
    }

    /// The largest entry of a step over the sizes of the unknowns.
    fn length(&self, step: &DVector<f64>) -> f64 {
        let rated = step.iter().zip(&self.sizes).map(|(step, size)| (step / size).abs());
        rated.fold(0.0, f64::max)
    }

    /// The size of the derivatives.
    fn restlessness(&self) -> f64 {
        let is_idle = |k: &usize| self.idle.contains(k);
        let rated = (0..self.f.len()).filter(|k| !is_idle(k)).map(|k| self.f[k] / self.sizes[k]);
        rated.map(|rate| rate * rate).sum::<f64>().sqrt()
    }
}

impl<'a, 'r, 's> Search<'a, 'r, 's> {
    /// A search that begins at a state. `size` is the size of the model, m.
    pub fn new(
        mechanism: &'a mut Mechanism<'r, 's>,
        freedoms: Vec<Freedom>,
        size: f64,
        y: Vec<f64>,
    ) -> Self {
        let unit = |freedom: &Freedom| if freedom.is_angle { 1.0 } else { size };
        let units = freedoms.iter().map(unit).collect();
        let largest = vec![SMALLEST; y.len()];
        Self { mechanism, freedoms, units, y, largest }
    }

    /// Settles modes at the present state.
    pub fn settle(&mut self) -> Result<(), Trouble> {
        self.y = self.mechanism.settle(&self.y)?;
        self.mechanism.take_tail(&self.y);
        Ok(())
    }

    /// Takes a state.
    pub fn go_to(&mut self, y: Vec<f64>) {
        self.mechanism.take_tail(&y);
        self.y = y;
    }

    fn run(&mut self, go_on: &mut dyn FnMut() -> bool) -> Result<SteadyState, Trouble> {
        let mut h = FIRST_STEP;
        // Newton's step of the best state so far, and that state.
        let mut best: Option<(f64, Vec<f64>)> = None;
        for iterations in 0..MOST_ITERATIONS {
            if !go_on() {
                return Err(Trouble::Interrupted);
            }
            self.settle()?;
            let local = self.local()?;
            let newton = local.solve(0.0).map_or(f64::INFINITY, |step| local.length(&step));
            let is_better = best.as_ref().is_none_or(|(least, _)| newton < 0.5 * least);
            let is_found = newton <= CLOSE || (newton <= ROUGH && !is_better);
            if is_better {
                best = Some((newton, self.y.clone()));
            }
            if is_found && (!is_better || newton <= f64::EPSILON) {
                let (_, y) = best.unwrap_or((newton, self.y.clone()));
                self.y = y;
                return self.finish(iterations);
            }
            if h >= LONGEST || h <= SHORTEST {
                break;
            }
            h = self.advance(&local, h)?;
        }
        Err(self.restless()?)
    }

    /// Takes a step, or shorter ones until the derivatives do not grow wildly; gives the length of the next one.
    fn advance(&mut self, local: &Local, h: f64) -> Result<f64, Trouble> {
        /// The derivatives may grow by this in a step.
        const WILD: f64 = 100.0;
        let before = local.restlessness();
        let (start, snapshot) = (self.y.clone(), self.mechanism.run.snapshot());
        let mut h = h;
        loop {
            let step = local.solve(1.0 / h);
            let boldness = step.as_ref().map_or(f64::INFINITY, |step| self.boldness(local, step));
            if boldness > BOLDEST && h > SHORTEST {
                // A part of a long step leads elsewhere than a shorter one, and to and fro.
                h *= (0.9 * BOLDEST / boldness).max(0.1);
                continue;
            }
            let moved = step.map(|step| self.moved(local, &step));
            let after = match moved {
                Some(Ok(y)) => self.try_state(y, &local.idle),
                _ => None,
            };
            match after {
                Some(after) if after <= WILD * before || h <= SHORTEST => {
                    let grown = before / after.max(f64::MIN_POSITIVE);
                    let factor = grown.clamp(GROWTH[0], GROWTH[1]);
                    // A step that makes nothing worse may grow in any case, or a slow decay takes for ever.
                    let factor = if grown > 0.9 { factor.max(2.0) } else { factor };
                    return Ok(h * factor);
                }
                _ => {
                    self.y.clone_from(&start);
                    self.mechanism.take_tail(&start);
                    self.mechanism.run.restore(&snapshot);
                    h *= 0.1;
                    if h <= SHORTEST {
                        return Ok(h);
                    }
                }
            }
        }
    }

    /// The largest displacement in a step, in units.
    pub fn boldness(&self, local: &Local, step: &DVector<f64>) -> f64 {
        let d = local.chart.len();
        let all = &local.chart.tangent * step.rows(0, d);
        all.iter().zip(&self.units).fold(0.0, |most, (x, unit)| most.max(x.abs() / unit))
    }

    /// Goes to a state; the size of its derivatives in the modes of before, if it has any.
    fn try_state(&mut self, y: Vec<f64>, idle: &[usize]) -> Option<f64> {
        self.go_to(y);
        let mut local = self.frame().ok()?;
        local.idle = idle.to_vec();
        let size = local.restlessness();
        size.is_finite().then_some(size)
    }

    /// The state behind a step.
    pub fn moved(&mut self, local: &Local, step: &DVector<f64>) -> Result<Vec<f64>, Trouble> {
        let d = local.chart.len();
        let system = self.mechanism.run.system;
        let (q, v, _) = system.split(&self.y);
        let (q, mut v) = (q.to_vec(), v.to_vec());
        let x: Vec<f64> = step.rows(0, d).iter().copied().collect();
        let q = self.mechanism.displace(&q, &local.chart, &x)?;
        let change = &local.chart.tangent * step.rows(d, d);
        v.iter_mut().zip(change.iter()).for_each(|(v, change)| *v += change);
        let v = self.mechanism.consistent_speeds(&q, &local.chart, v)?;
        let mut y = self.mechanism.state(&q, &v);
        for (k, &place) in local.storages.iter().enumerate() {
            y[place] += step[2 * d + k];
        }
        Ok(y)
    }

    /// The unknowns of a state and their derivatives, without A.
    fn frame(&mut self) -> Result<Local, Trouble> {
        let system = self.mechanism.run.system;
        let (q, ..) = system.split(&self.y);
        let q = q.to_vec();
        let chart = self.mechanism.chart(&q)?;
        let storages = self.mechanism.storages();
        let f = self.derivatives(&chart, &storages, &self.y.clone())?;
        let (d, n) = (chart.len(), f.len());
        let unit = |k: usize| self.units[chart.independent[k % d]];
        let of_bodies = (0..2 * d).map(unit);
        for (largest, y) in self.largest.iter_mut().zip(&self.y) {
            *largest = largest.max(y.abs());
        }
        let of_storages = storages.iter().map(|&place| self.largest[place]);
        let sizes = of_bodies.chain(of_storages).collect();
        Ok(Local { chart, storages, f, a: DMatrix::zeros(n, n), sizes, idle: Vec::new() })
    }

    /// Displacements, speeds and storages: their derivatives at a state.
    pub fn derivatives(
        &mut self,
        chart: &Chart,
        storages: &[usize],
        y: &[f64],
    ) -> Result<DVector<f64>, Trouble> {
        let rates = self.mechanism.rates(y)?;
        let system = self.mechanism.run.system;
        let (_, v, _) = system.split(y);
        let first = system.tree.n_q();
        let speeds = chart.independent.iter().map(|&k| v[k]);
        let accelerations = chart.independent.iter().map(|&k| rates[first + k]);
        let all = speeds.chain(accelerations).chain(storages.iter().map(|&place| rates[place]));
        Ok(DVector::from_vec(all.collect()))
    }

    /// The unknowns, their derivatives, and A by central differences in the present modes.
    pub fn local(&mut self) -> Result<Local, Trouble> {
        let mut local = self.frame()?;
        let n = local.f.len();
        for j in 0..n {
            let h = DIFFERENCE * local.sizes[j];
            let mut at = |s: f64| -> Result<DVector<f64>, Trouble> {
                let mut step = DVector::zeros(n);
                step[j] = s;
                let y = self.moved(&local, &step)?;
                self.derivatives(&local.chart, &local.storages, &y)
            };
            let change = (at(h)? - at(-h)?) / (2.0 * h);
            local.a.set_column(j, &change);
        }
        local.idle = self.idle(&local);
        Ok(local)
    }

    /// Displacements and angles of shafts on which no derivative depends.
    fn idle(&mut self, local: &Local) -> Vec<usize> {
        let (d, n) = (local.chart.len(), local.f.len());
        let is_place =
            |k: &usize| *k < d || *k >= 2 * d && self.is_position(local.storages[*k - 2 * d]);
        let places: Vec<usize> = (0..n).filter(is_place).collect();
        let mut idle = Vec::new();
        for k in places {
            let mut step = DVector::zeros(n);
            step[k] = FELT_AT * if k < d { local.sizes[k] } else { 1.0 };
            let felt = self
                .moved(local, &step)
                .and_then(|y| self.derivatives(&local.chart, &local.storages, &y));
            let Ok(felt) = felt else { continue };
            let is_same =
                |(a, b): (&f64, &f64)| (a - b).abs() <= FELT * (1.0 + a.abs().max(b.abs()));
            if felt.iter().zip(local.f.iter()).all(is_same) {
                idle.push(k);
            }
        }
        idle
    }

    /// Is a storage the angle of a shaft or the place of a rod?
    fn is_position(&self, place: usize) -> bool {
        let name = self.mechanism.run.storage_name(place);
        name.ends_with(".phi") || name.ends_with(".s")
    }

    fn name(&self, local: &Local, k: usize) -> String {
        let d = local.chart.len();
        match k {
            _ if k < d => self.freedoms[local.chart.independent[k]].name.clone(),
            _ if k < 2 * d => self.freedoms[local.chart.independent[k - d]].rate_name.clone(),
            _ => self.mechanism.run.storage_name(local.storages[k - 2 * d]),
        }
    }

    /// The states that keep on changing most.
    pub fn restless(&mut self) -> Result<Trouble, Trouble> {
        /// States below this part of the largest rate are not reported.
        const WORTH: f64 = 1e-2;
        const MOST: usize = 5;
        let local = self.local()?;
        let rated: Vec<f64> =
            local.f.iter().zip(&local.sizes).map(|(f, size)| (f / size).abs()).collect();
        let is_idle = |k: &usize| local.idle.contains(k);
        let mut order: Vec<usize> = (0..rated.len()).filter(|k| !is_idle(k)).collect();
        let largest = order.iter().fold(0.0, |most: f64, &k| most.max(rated[k]));
        order.retain(|&k| rated[k] >= WORTH * largest);
        order.sort_by(|&a, &b| rated[b].total_cmp(&rated[a]));
        order.truncate(MOST);
        let named = order.into_iter().map(|k| (self.name(&local, k), local.f[k])).collect();
        Ok(Trouble::NoSteadyState(named))
    }

    /// Speeds that are rounding are none.
    fn rest(&mut self) {
        let tree = &self.mechanism.run.system.tree;
        let speeds = &mut self.y[tree.n_q()..tree.n_q() + tree.n_v()];
        for (v, unit) in speeds.iter_mut().zip(&self.units) {
            if v.abs() <= CLOSE * unit {
                *v = 0.0;
            }
        }
    }

    /// Judges the state that was found by the eigenvalues of A.
    pub fn finish(&mut self, iterations: usize) -> Result<SteadyState, Trouble> {
        /// A real part below this part of the largest eigenvalue is an error of the differences.
        const DOUBT: f64 = 1e-7;
        self.rest();
        self.y = self.mechanism.settle(&self.y)?;
        self.mechanism.take_tail(&self.y);
        let local = self.local()?;
        let kept: Vec<usize> = (0..local.f.len()).filter(|k| !local.idle.contains(k)).collect();
        let a = local.a.select_rows(&kept).select_columns(&kept);
        let found = eigen::general(&a).ok_or(Trouble::NoEigenvalues)?;
        let largest = found.values.iter().fold(0.0, |most: f64, value| most.max(value.norm()));
        let grows = |k: &usize| {
            let value = found.values[*k];
            // The square of the eigenvalue of a body has the error of the stiffness.
            value.re > DOUBT.sqrt() * value.norm() && value.re > DOUBT * largest.min(1.0)
        };
        let worst = (0..kept.len())
            .filter(grows)
            .max_by(|&a, &b| found.values[a].re.total_cmp(&found.values[b].re));
        let leaving = worst.map(|k| {
            let rated: Vec<f64> = kept
                .iter()
                .enumerate()
                .map(|(i, &state)| found.vectors[(i, k)].norm() / local.sizes[state])
                .collect();
            let most = rated.iter().fold(0.0, |most: f64, x| most.max(*x));
            let named = (0..kept.len()).filter(|&i| rated[i] > 0.3 * most);
            let names = named.map(|i| self.name(&local, kept[i])).collect();
            (names, found.values[k].re.recip())
        });
        let turns = |k: &&usize| local.f[**k].abs() > CLOSE * local.sizes[**k];
        let turning = local.idle.iter().filter(turns).map(|&k| self.name(&local, k)).collect();
        Ok(SteadyState { y: self.y.clone(), iterations, leaving, turning })
    }
}
