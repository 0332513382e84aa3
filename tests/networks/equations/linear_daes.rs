//! Random linear systems with a solution that is known, of index 0 to 3.
//!
//! States x follow sines with random frequencies, further unknowns z too; the right sides are what these need:
//!
//! ```text
//! index 0   E x' + A x = f                  E well conditioned
//! index 1   x' = A x + B z + f,  C x + D z = g
//! index 2   x' = A x + B z + f,  C x = g     C B well conditioned
//! index 3   x'' = A x + V x' + B z + f,  C x = g
//! ```

use super::table;
use dysim_tests::random::Random;

/// a sin(w t + p) with its derivatives.
#[derive(Clone, Copy)]
struct Wave {
    a: f64,
    w: f64,
    p: f64,
}

impl Wave {
    fn random(random: &mut Random) -> Self {
        Self {
            a: random.between(0.5, 2.0),
            w: random.between(0.5, 3.0),
            p: random.between(0.0, 3.0),
        }
    }

    fn value(self, t: f64) -> f64 {
        self.a * (self.w * t + self.p).sin()
    }

    fn rate(self, t: f64) -> f64 {
        self.a * self.w * (self.w * t + self.p).cos()
    }

    /// The derivative of this order, as text.
    fn text(self, order: i32) -> String {
        let phase = self.p + f64::from(order) * std::f64::consts::FRAC_PI_2;
        format!("({:?})*sin({:?}*t + ({phase:?}))", self.a * self.w.powi(order), self.w)
    }
}

/// A matrix with a heavy diagonal, so that it is well conditioned.
fn heavy(random: &mut Random, n: usize) -> Vec<Vec<f64>> {
    let entry = |random: &mut Random, i: usize, j: usize| {
        random.between(-1.0, 1.0) + if i == j { 3.0 } else { 0.0 }
    };
    (0..n).map(|i| (0..n).map(|j| entry(random, i, j)).collect()).collect()
}

fn plain(random: &mut Random, rows: usize, columns: usize) -> Vec<Vec<f64>> {
    (0..rows).map(|_| (0..columns).map(|_| random.between(-1.0, 1.0)).collect()).collect()
}

/// The row times unknowns minus the row times their waves: zero along the solution.
fn residual(row: &[f64], waves: &[Wave], name: impl Fn(usize) -> String, order: i32) -> String {
    let mut text = String::new();
    for (k, (factor, wave)) in row.iter().zip(waves).enumerate() {
        text += &format!(" + ({factor:?})*({} - {})", name(k), wave.text(order));
    }
    text
}

fn system(random: &mut Random, index: usize) -> (String, Vec<Wave>, Vec<Wave>) {
    let n = 3 + random.below(3);
    let m = if index == 0 { 0 } else { 1 + random.below(2) };
    let mut waves = |count| -> Vec<Wave> { (0..count).map(|_| Wave::random(random)).collect() };
    let (x, z) = (waves(n), waves(m));
    let (e, a, v) = (heavy(random, n), plain(random, n, n), plain(random, n, n));
    let d = heavy(random, m);
    // B and C have a heavy block each, so that C B is well conditioned.
    let (b, mut c) = (plain(random, n, m), plain(random, m, n));
    let mut b = b;
    for k in 0..m {
        b[k][k] += 4.0;
        c[k][k] += 4.0;
    }
    let state = |k: usize| format!("x{k}");
    let rate = |k: usize| format!("der(x{k})");
    let acceleration = |k: usize| format!("der(der(x{k}))");
    let other = |k: usize| format!("z{k}");
    let unit = |i: usize| -> Vec<f64> { (0..n).map(|j| f64::from(u8::from(i == j))).collect() };
    let mut text = String::new();
    for (k, wave) in x.iter().enumerate() {
        text += &format!("Variable \"x{k}\" {{ Start = {:?}; }} ", wave.value(0.0));
        if index == 3 {
            text += &format!("Variable \"v{k}\" {{ Start = {:?}; }} ", wave.rate(0.0));
        }
    }
    for k in 0..m {
        text += &format!("Variable \"z{k}\" {{ }} ");
    }
    text += "Equations \"e\" { ";
    for i in 0..n {
        let left = match index {
            0 => residual(&e[i], &x, rate, 1),
            3 => residual(&unit(i), &x, acceleration, 2) + &residual(&v[i], &x, rate, 1),
            _ => residual(&unit(i), &x, rate, 1),
        };
        let right = residual(&a[i], &x, state, 0) + &residual(&b[i], &z, other, 0);
        text += &format!("0{left} = 0{right}; ");
        if index == 3 {
            text += &format!("v{i} = der(x{i}); ");
        }
    }
    for i in 0..m {
        let more = if index == 1 { residual(&d[i], &z, other, 0) } else { String::new() };
        text += &format!("0{}{more} = 0; ", residual(&c[i], &x, state, 0));
    }
    text += "}";
    (text, x, z)
}

#[test]
fn random_systems_of_index_0_to_3_follow_their_solution() {
    for index in 0..=3 {
        for seed in 0..12 {
            let (text, x, z) = system(&mut Random::new(100 * index as u64 + seed), index);
            let table = table(1.0, 0.25, &text);
            for step in 0..=4 {
                let t = 0.25 * f64::from(step);
                // Errors grow by no more than exp(5 t) with matrices of this size; z has the errors of x' or x''.
                for (k, wave) in x.iter().enumerate() {
                    let gap = (table.at(t, &format!("x{k}")) - wave.value(t)).abs();
                    assert!(gap < 1e-6, "index {index}, seed {seed}: x{k} off by {gap:e}\n{text}");
                }
                for (k, wave) in z.iter().enumerate() {
                    let gap = (table.at(t, &format!("z{k}")) - wave.value(t)).abs();
                    assert!(gap < 1e-5, "index {index}, seed {seed}: z{k} off by {gap:e}\n{text}");
                }
            }
        }
    }
}
