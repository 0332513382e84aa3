//! Laws with corners in loops of equations: whatever the pieces are, and however far a step throws them, each row obeys the laws.
//!
//! ```text
//! A v + p(v) = b(t)
//! ```
//!
//! with a matrix A that is diagonally dominant and laws p_k(v_k) of straight pieces that never fall has one solution. The judge
//! finds it by the nonlinear Gauss-Seidel iteration, each equation by halving.

use super::{solve, table};
use dysim_tests::circuits::Setting;
use dysim_tests::random::Random;

/// A law that never falls: its text and its value.
struct Law {
    kind: usize,
    gain: f64,
    centre: f64,
    low: f64,
    high: f64,
}

impl Law {
    fn random(random: &mut Random) -> Self {
        Self {
            kind: random.below(5),
            gain: 10f64.powf(random.between(-1.0, 3.5)),
            centre: random.between(-2.0, 2.0),
            low: random.between(-3.0, -0.2),
            high: random.between(0.2, 3.0),
        }
    }

    fn text(&self, v: &str) -> String {
        let Self { kind, gain, centre, low, high } = self;
        let x = format!("{gain:?}*({v} - ({centre:?}))");
        match kind {
            0 => format!("clamp({x}, {low:?}, {high:?})"),
            1 => format!("max({low:?}, min({x}, {high:?}))"),
            2 => format!("max(0, {x})"),
            3 => format!("({x} + abs({x}))"),
            _ => format!("if({v} > {centre:?}, {x}, 0)"),
        }
    }

    fn value(&self, v: f64) -> f64 {
        let x = self.gain * (v - self.centre);
        match self.kind {
            0 | 1 => x.clamp(self.low, self.high),
            3 => 2.0 * x.max(0.0),
            _ => x.max(0.0),
        }
    }
}

/// The solution for one right side.
fn judge(a: &[Vec<f64>], laws: &[Law], b: &[f64]) -> Vec<f64> {
    let mut v = vec![0.0; b.len()];
    // The matrix halves the error in each sweep at least.
    for _ in 0..80 {
        for k in 0..v.len() {
            let others: f64 = (0..v.len()).filter(|&j| j != k).map(|j| a[k][j] * v[j]).sum();
            let (mut low, mut high) = (-1e4, 1e4);
            for _ in 0..100 {
                let middle = 0.5 * (low + high);
                let rest = a[k][k] * middle + laws[k].value(middle) + others - b[k];
                *if rest > 0.0 { &mut high } else { &mut low } = middle;
            }
            v[k] = 0.5 * (low + high);
        }
    }
    v
}

#[test]
fn loops_of_laws_with_corners_have_their_solution_in_every_row() {
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let n = 1 + random.below(5);
        let laws: Vec<Law> = (0..n).map(|_| Law::random(&mut random)).collect();
        let mut a: Vec<Vec<f64>> =
            (0..n).map(|_| (0..n).map(|_| random.between(-1.0, 1.0)).collect()).collect();
        for (k, row) in a.iter_mut().enumerate() {
            let others: f64 = row.iter().map(|x| x.abs()).sum();
            row[k] = 2.0 * others + 0.05;
        }
        let sides: [Vec<f64>; 3] =
            [(); 3].map(|()| (0..n).map(|_| random.between(-40.0, 40.0)).collect());
        let mut text = String::new();
        for k in 0..n {
            let sum: String = (0..n).map(|j| format!("({:?})*v{j} + ", a[k][j])).collect();
            let [first, second, third] = [&sides[0][k], &sides[1][k], &sides[2][k]];
            text += &format!(
                "Variable \"v{k}\" {{ }} Equations \"e{k}\" {{ {sum} {} = if(t < 1, {first:?}, if(t < 2, {second:?}, {third:?})); }}\n",
                laws[k].text(&format!("v{k}"))
            );
        }
        let solver = ["derf", "stiff", "radau5"][seed as usize % 3];
        let setting = Setting { solver, end: 3.0, step: 0.5, tolerance: 1e-8 };
        let found = solve(setting, &text).table("csv");
        for (t, side) in [(0.0, 0), (0.5, 0), (1.5, 1), (2.5, 2), (3.0, 2)] {
            for (k, expected) in judge(&a, &laws, &sides[side]).iter().enumerate() {
                let v = found.at(t, &format!("v{k}"));
                // Condition numbers are below 1e5, and the judge stops at rounding.
                let gap = (v - expected).abs();
                assert!(
                    gap < 1e-9 * (1.0 + expected.abs()),
                    "{seed}: v{k} at {t} is {v}, not {expected}\n{text}"
                );
            }
        }
    }
}

/// A regulator of a component's equations: the row at the start once showed the limit of its current.
#[test]
fn a_regulator_begins_at_its_voltage() {
    let text = "VoltageSource \"V\" { p = a; n = gnd; V = 10; } Resistor \"R\" { p = b; n = gnd; R = 5; }
        Port \"in\" { Domain = electrical; Node = a; } Port \"out\" { Domain = electrical; Node = b; }
        Equations \"law\" { out.i = -max(0, min((5 - out.v)/0.01, 1.5)); in.i = -out.i; }";
    let found = table(0.1, 0.05, text);
    for t in [0.0, 0.05, 0.1] {
        // (5 - v)/0.01 = v/5
        super::near(&found, t, "b.v", 2500.0 / 501.0, 1e-12);
    }
}
