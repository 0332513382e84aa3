//! Stiff problems, with end values from the literature.
//!
//! Mazzia & Magherini, *Test Set for Initial Value Problem Solvers*, release 2.4; the values of HIRES were
//! computed again in 128-bit arithmetic and agree in all digits.

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
