//! Stiff problems, with end values from the literature.
//!
//! Mazzia & Magherini, *Test Set for Initial Value Problem Solvers*, release 2.4; the values of HIRES were
//! computed again in 128-bit arithmetic and agree in all digits.

use integrate::{BinaryStates, EvaluationError, Events, GuardId, Hints, Matrix, Pattern, Problem};

use super::{Ode, Rhs};

/// A stiff problem and the end of its solution.
#[derive(Clone, Debug)]
pub struct StiffCase {
    /// The problem.
    pub problem: Ode,
    /// Solution at `problem.t1`.
    pub end: Vec<f64>,
}

/// Robertson's reaction, HIRES, van der Pol with mu = 1000, and a linear system with closed form.
pub fn all() -> Vec<StiffCase> {
    let case = |name, y0: &[f64], t1, rhs: Rhs, end: &[f64]| StiffCase {
        problem: Ode { name, y0: y0.to_vec(), t0: 0.0, t1, rhs },
        end: end.to_vec(),
    };
    vec![
        case(
            "ROBER",
            &[1.0, 0.0, 0.0],
            1e11,
            robertson,
            &[0.208_334_014_970_125_5e-7, 0.833_336_077_033_471_3e-13, 0.999_999_979_166_505_0],
        ),
        case(
            "HIRES",
            &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0057],
            321.8122,
            hires,
            &[
                7.371_312_573_325_667_807_3e-4,
                1.442_485_726_316_184_658_2e-4,
                5.888_729_740_967_575_007_5e-5,
                1.175_651_343_283_149_145_5e-3,
                2.386_356_198_831_330_468_8e-3,
                6.238_968_252_742_795_786_6e-3,
                2.849_998_395_185_768_657_9e-3,
                2.850_001_604_814_231_342_1e-3,
            ],
        ),
        case(
            "VDP1000",
            &[2.0, 0.0],
            2000.0,
            van_der_pol,
            &[1.706_167_732_170_469, -0.892_809_701_024_812_5e-3],
        ),
        case("PROTHERO", &[1.0, 0.0], 2.0, prothero_robinson, &[2f64.cos(), 2f64.sin()]),
    ]
}

/// The case of that name.
pub fn find(name: &str) -> Option<StiffCase> {
    all().into_iter().find(|case| case.problem.name == name)
}

fn robertson(_: f64, y: &[f64], f: &mut [f64]) {
    let (slow, medium, fast) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
    f[0] = -slow + medium;
    f[1] = slow - medium - fast;
    f[2] = fast;
}

/// High irradiance responses of photomorphogenesis (Schaefer 1975).
fn hires(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = -1.71 * y[0] + 0.43 * y[1] + 8.32 * y[2] + 0.0007;
    f[1] = 1.71 * y[0] - 8.75 * y[1];
    f[2] = -10.03 * y[2] + 0.43 * y[3] + 0.035 * y[4];
    f[3] = 8.32 * y[1] + 1.71 * y[2] - 1.12 * y[3];
    f[4] = -1.745 * y[4] + 0.43 * (y[5] + y[6]);
    let bound = 280.0 * y[5] * y[7];
    f[5] = -bound + 0.69 * y[3] + 1.71 * y[4] - 0.43 * y[5] + 0.69 * y[6];
    f[6] = bound - 1.81 * y[6];
    f[7] = -f[6];
}

fn van_der_pol(_: f64, y: &[f64], f: &mut [f64]) {
    f[0] = y[1];
    f[1] = 1000.0 * (1.0 - y[0] * y[0]) * y[1] - y[0];
}

/// Prothero & Robinson (1974): fast rates of 1e6 and 1e4 towards a slow motion on a circle,
/// `y = (cos t, sin t)`.
fn prothero_robinson(t: f64, y: &[f64], f: &mut [f64]) {
    let (sin, cos) = t.sin_cos();
    let (a, b) = (y[0] - cos, y[1] - sin);
    f[0] = -1e6 * a - sin;
    f[1] = -1e4 * b + 1e3 * a + cos;
}

/// `x'' = -x` with its Jacobian.
#[derive(Clone, Copy, Debug)]
pub struct Oscillator;

impl Problem for Oscillator {
    fn len(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f.copy_from_slice(&[y[1], -y[0]]);
        Ok(())
    }

    fn jacobian(
        &mut self,
        _: f64,
        _: &[f64],
        _: &[f64],
        jacobian: &mut Matrix,
    ) -> Option<Result<(), EvaluationError>> {
        jacobian.clear();
        jacobian.set(0, 1, 1.0);
        jacobian.set(1, 0, -1.0);
        Some(Ok(()))
    }
}

impl Events for Oscillator {}

impl Hints for Oscillator {}

/// `y' = n^2 (y_{i-1} - 2 y_i + y_{i+1})` on a rod of n cells between walls at zero: the heat equation.
#[derive(Clone, Copy, Debug)]
pub struct Rod {
    /// Number of cells.
    pub cells: usize,
    /// Tells its pattern.
    pub pattern: bool,
    /// Gives its Jacobian.
    pub exact: bool,
}

impl Rod {
    /// The first mode, `sin(pi x)` at the middles of the cells.
    pub fn start(&self) -> Vec<f64> {
        let middle = |i: usize| (i as f64 + 0.5) / self.cells as f64;
        (0..self.cells).map(|i| (std::f64::consts::PI * middle(i)).sin()).collect()
    }

    fn rate(&self) -> f64 {
        (self.cells * self.cells) as f64
    }

    /// A wall mirrors its neighbour with the opposite sign, so that it is at zero.
    fn diagonal(&self, i: usize) -> f64 {
        if i == 0 || i == self.cells - 1 { -3.0 } else { -2.0 }
    }
}

impl Problem for Rod {
    fn len(&self) -> usize {
        self.cells
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        for i in 0..self.cells {
            let left = if i > 0 { y[i - 1] } else { 0.0 };
            let right = y.get(i + 1).copied().unwrap_or(0.0);
            f[i] = self.rate() * (left + self.diagonal(i) * y[i] + right);
        }
        Ok(())
    }

    fn jacobian(
        &mut self,
        _: f64,
        _: &[f64],
        _: &[f64],
        jacobian: &mut Matrix,
    ) -> Option<Result<(), EvaluationError>> {
        if !self.exact {
            return None;
        }
        jacobian.clear();
        for i in 0..self.cells {
            jacobian.set(i, i, self.rate() * self.diagonal(i));
            if i > 0 {
                jacobian.set(i, i - 1, self.rate());
                jacobian.set(i - 1, i, self.rate());
            }
        }
        Some(Ok(()))
    }

    fn jacobian_pattern(&self) -> Option<Pattern> {
        let mut pattern = Pattern::empty(self.cells);
        for i in 0..self.cells {
            for j in i.saturating_sub(1)..(i + 2).min(self.cells) {
                pattern.add(i, j);
            }
        }
        self.pattern.then_some(pattern)
    }
}

impl Events for Rod {}

impl Hints for Rod {}

/// Robertson's reaction with the conservation of mass as its third equation.
#[derive(Clone, Copy, Debug)]
pub struct RobertsonIndex1;

impl Problem for RobertsonIndex1 {
    fn len(&self) -> usize {
        3
    }

    fn derivatives(&mut self, t: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        robertson(t, y, f);
        f[2] = y[0] + y[1] + y[2] - 1.0;
        Ok(())
    }
}

impl Events for RobertsonIndex1 {}

impl Hints for RobertsonIndex1 {}

/// The relay of `switching.rs` behind a fast lag: `x' = -x + u`, `lag s' = x - s`, and `s` switches.
#[derive(Clone, Debug)]
pub struct LaggedRelay {
    /// Half the hysteresis.
    pub width: f64,
    /// Time constant, s.
    pub lag: f64,
    /// Sign of `u`.
    pub states: BinaryStates,
}

impl LaggedRelay {
    /// A relay that is switched on.
    pub fn new(width: f64, lag: f64) -> Self {
        Self { width, lag, states: BinaryStates::new(1) }
    }
}

impl Problem for LaggedRelay {
    fn len(&self) -> usize {
        2
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = f64::from(self.states.value(GuardId(0))) - y[0];
        f[1] = (y[0] - y[1]) / self.lag;
        Ok(())
    }
}

watched!(LaggedRelay, |_| 1, |it, y, values| values[0] =
    f64::from(it.states.value(GuardId(0))) * it.width - y[1]);
