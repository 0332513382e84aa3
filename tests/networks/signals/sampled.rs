//! Sampled blocks against recursions that are written down here from their definitions.

use super::{compare, solve, solve_with};
use dysim_tests::simulate::Table;

/// The input of most tests: smooth, and different at every instant.
fn u(t: f64) -> f64 {
    (3.0 * t).sin() + 0.5 * t
}

const U: &str = "sin(3*t) + 0.5*t";

/// Compares a held output with a recursion: `step(k, u_k)` gives y_k. Rows lie between instants.
#[track_caller]
fn follow(table: &Table, column: &str, period: f64, mut step: impl FnMut(usize, f64) -> f64) {
    let (time, place) = (table.index("t"), table.index(column));
    let count = (table.rows.last().unwrap_or_else(|| panic!("no rows"))[time] / period) as usize;
    let outputs: Vec<f64> = (0..=count).map(|k| step(k, u(k as f64 * period))).collect();
    assert!(count > 8, "{count} instants");
    for row in &table.rows {
        // An instant that is an output time shows the new value.
        let k = (row[time] / period + 1e-9).floor() as usize;
        let (found, expected) = (row[place], outputs[k]);
        // A recursion of a hundred steps with a few roundings each.
        let allowed = 1e-12 * expected.abs().max(1.0);
        assert!(
            (found - expected).abs() <= allowed,
            "{column} at {}: {found}, not {expected}",
            row[time]
        );
    }
}

/// exp(M) by its series, for small matrices of small norm: 30 terms of 0.6^k/k!.
fn series<const N: usize>(matrix: [[f64; N]; N]) -> [[f64; N]; N] {
    let times = |a: [[f64; N]; N], b: [[f64; N]; N]| -> [[f64; N]; N] {
        std::array::from_fn(|i| std::array::from_fn(|j| (0..N).map(|k| a[i][k] * b[k][j]).sum()))
    };
    let mut term: [[f64; N]; N] =
        std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    let mut sum = term;
    for k in 1..30 {
        term = times(term, matrix);
        term.iter_mut().flatten().for_each(|x| *x /= f64::from(k));
        for i in 0..N {
            for j in 0..N {
                sum[i][j] += term[i][j];
            }
        }
    }
    sum
}

#[test]
fn blocks_without_states_take_their_input_at_the_instant() {
    let table = solve(
        1.0,
        0.02,
        &format!(
            r#"
            Gain "g" {{ u = {U}; k = 2 + t; Tsample = 0.05; }}
            Sum "s" {{ u = {U}, 1; k = 3, -1; Tsample = 0.05; }}
            Product "p" {{ u = {U}, {U}; Tsample = 0.05; }}
            Function "f" {{ y = exp({U}); Tsample = 0.05; }}
            Limiter "l" {{ u = 2*({U}); ymin = -0.5; ymax = 1.25; Tsample = 0.05; }}
            SampleHold "h" {{ u = {U}; Tsample = 0.05; }}
            SampleHold "adc" {{ u = {U}; Tsample = 0.05; Quantum = 1/8; ymin = 0; ymax = 1; }}
            UnitDelay "d" {{ u = {U}; Tsample = 0.05; yinit = -3; }}
            "#
        ),
    )
    .table("csv");
    let h = 0.05;
    follow(&table, "g.y", h, |k, u| (2.0 + k as f64 * h) * u);
    follow(&table, "s.y", h, |_, u| 3.0 * u - 1.0);
    follow(&table, "p.y", h, |_, u| u * u);
    follow(&table, "f.y", h, |_, u| u.exp());
    follow(&table, "l.y", h, |_, u| (2.0 * u).clamp(-0.5, 1.25));
    follow(&table, "h.y", h, |_, u| u);
    follow(&table, "adc.y", h, |_, u| ((u * 8.0).round() / 8.0).clamp(0.0, 1.0));
    let mut before = -3.0;
    follow(&table, "d.y", h, |_, u| std::mem::replace(&mut before, u));
}

/// Closed forms of the equivalents: a lag has Ad = e^(-h/T), Bd = 1 - Ad; others come from the series above.
#[test]
fn linear_blocks_have_the_exact_equivalent_for_held_inputs() {
    for solver in ["derf", "stiff"] {
        let table = solve_with(
            solver,
            1.0,
            0.02,
            &format!(
                r#"
                Integrator "i" {{ u = {U}; k = 3; yinit = -1; Tsample = 0.05; }}
                Integrator "limited" {{ u = {U}; k = 3; ymax = 0.5; ymin = -0.125; Tsample = 0.05; }}
                PT1 "pt1" {{ u = {U}; k = 2; T = 0.2; yinit = 1; Tsample = 0.05; }}
                PT2 "pt2" {{ u = {U}; k = 2; w = 6; D = 0.25; yinit = 0.5; ydinit = -1; Tsample = 0.05; }}
                DT1 "dt1" {{ u = {U}; k = 0.5; T = 0.2; xinit = 0.25; Tsample = 0.05; }}
                LeadLag "ll" {{ u = {U}; k = 3; Tn = 0.4; Td = 0.1; Tsample = 0.05; }}
                TransferFunction "tf" {{ u = {U}; Num = 2, 6; Den = 1, 3, 2; Tsample = 0.05; }}
                TransferFunction "z" {{ u = {U}; Num = 0.5, 0.25; Den = 1, -1.25, 0.5; xinit = 0.5, -0.25; Domain = z; Tsample = 0.05; }}
                StateSpace "ss" {{ u = {U}, 1; A = 0, 1, -4, -1; B = 0, 1, 1, 0; C = 1, 0, 1, 1; D = 0, 0, 2, 0; xinit = 1, -1; Tsample = 0.05; }}
                "#
            ),
        )
        .table("csv");
        let h = 0.05;
        let mut x = -1.0;
        follow(&table, "i.y", h, |_, u| {
            let y = x;
            x += 3.0 * h * u;
            y
        });
        let mut x: f64 = 0.0;
        follow(&table, "limited.y", h, |_, u| {
            let y = x;
            x = (x + 3.0 * h * u).clamp(-0.125, 0.5);
            y
        });
        let lag = |t: f64| (-h / t).exp();
        let mut x = 1.0;
        follow(&table, "pt1.y", h, |_, u| {
            let y = x;
            x = lag(0.2) * x + 2.0 * (1.0 - lag(0.2)) * u;
            y
        });
        // w = 6, D = 1/4: poles -1.5 +- i sqrt(33.75); the answer of an oscillator to a held input.
        let (rate, frequency) = (1.5, 33.75f64.sqrt());
        let (c, s, decay) = ((frequency * h).cos(), (frequency * h).sin(), (-rate * h).exp());
        let mut state = [0.5, -1.0];
        follow(&table, "pt2.y", h, |_, u| {
            let y = state[0];
            // About the rest position 2 u the motion is free.
            let (d, v) = (state[0] - 2.0 * u, state[1]);
            let b = (v + rate * d) / frequency;
            state = [
                2.0 * u + decay * (d * c + b * s),
                decay * (v * c - (rate * v + 36.0 * d) / frequency * s),
            ];
            y
        });
        let mut x = 0.25;
        follow(&table, "dt1.y", h, |_, u| {
            let y = 0.5 * (u - x) / 0.2;
            x = lag(0.2) * x + (1.0 - lag(0.2)) * u;
            y
        });
        let mut x = 0.0;
        follow(&table, "ll.y", h, |_, u| {
            let y = 3.0 * (x + 4.0 * (u - x));
            x = lag(0.1) * x + (1.0 - lag(0.1)) * u;
            y
        });
        // 2 (s + 3)/((s + 1)(s + 2)) = 4/(s + 1) - 2/(s + 2): two lags.
        let mut x = [0.0; 2];
        follow(&table, "tf.y", h, |_, u| {
            let y = 4.0 * x[0] - 2.0 * x[1];
            x[0] = lag(1.0) * x[0] + (1.0 - lag(1.0)) * u;
            x[1] = lag(0.5) * x[1] + 0.5 * (1.0 - lag(0.5)) * u;
            y
        });
        // y_k = 1.25 y_(k-1) - 0.5 y_(k-2) + 0.5 u_(k-1) + 0.25 u_(k-2) from y_0 = C x_0 and
        // y_1 = C (A x_0 + B u_0).
        let (mut last, mut inputs) = ([0.0; 2], [0.0; 2]);
        follow(&table, "z.y", h, |k, u| {
            let x0 = [0.5, -0.25];
            let y = match k {
                0 => 0.25 * x0[0] + 0.5 * x0[1],
                1 => 0.25 * x0[1] + 0.5 * (-0.5 * x0[0] + 1.25 * x0[1] + inputs[0]),
                _ => 1.25 * last[0] - 0.5 * last[1] + 0.5 * inputs[0] + 0.25 * inputs[1],
            };
            (last, inputs) = ([y, last[0]], [u, inputs[0]]);
            y
        });
        // exp of [A B; 0 0] h.
        let m = [[0.0, h, 0.0, h], [-4.0 * h, -h, h, 0.0], [0.0; 4], [0.0; 4]];
        let e = series(m);
        let mut x = [1.0, -1.0];
        let mut second = Vec::new();
        follow(&table, "ss.y[1]", h, |_, u| {
            let y = x[0];
            second.push(x[0] + x[1] + 2.0 * u);
            x = std::array::from_fn(|i| e[i][0] * x[0] + e[i][1] * x[1] + e[i][2] * u + e[i][3]);
            y
        });
        follow(&table, "ss.y[2]", h, |k, _| second[k]);
    }
}

/// PI: x += T u/Ti + T Tw (y - yd); PID: its second state is a lag with two held inputs, its first the integral.
#[test]
fn sampled_controllers_do_not_wind_up() {
    let table = solve(
        2.0,
        0.03,
        &format!(
            r#"
            PI "pi" {{ u = {U}; k = 2; Ti = 0.25; ymin = -1; ymax = 3; xinit = 0.25; Tsample = 0.05; }}
            PI "free" {{ u = {U}; k = 2; Ti = 0.25; Tsample = 0.05; }}
            PID "pid" {{ u = {U}; k = 0.5; Ti = 0.5; Td = 0.2; N = 4; ymax = 1.5; Tw = 10; Tsample = 0.05; }}
            "#
        ),
    )
    .table("csv");
    let h = 0.05;
    let (mut x, tw, mut was_limited) = (0.25, 1.0 / (2.0 * 0.25), false);
    follow(&table, "pi.y", h, |_, u| {
        let yd: f64 = 2.0 * (u + x);
        let y = yd.clamp(-1.0, 3.0);
        was_limited |= y < yd;
        x += h * u / 0.25 + h * tw * (y - yd);
        y
    });
    assert!(was_limited);
    let mut x = 0.0;
    follow(&table, "free.y", h, |_, u| {
        let y = 2.0 * (u + x);
        x += h * u / 0.25;
        y
    });
    let (k, ti, td, n, tw) = (0.5, 0.5, 0.2, 4.0, 10.0);
    let (rate, mut x, mut was_limited) = (n / td, [0.0; 2], false);
    follow(&table, "pid.y", h, |_, u| {
        let yd: f64 = k * (x[0] + (1.0 - n) * ti * x[1] + n * u);
        let y = yd.min(1.5);
        was_limited |= y < yd;
        // x2' = -rate x2 + drive with a constant drive.
        let end = u / ti + tw * (y - yd) / rate;
        let decay = (-rate * h).exp();
        let first = x[0] + end * h + (x[1] - end) * (1.0 - decay) / rate;
        x = [first, end + (x[1] - end) * decay];
        y
    });
    assert!(was_limited);
}

/// u_k is the left limit of a continuous input, the new value of a block with the same instant; a delay breaks
/// the circle. Instants are products: after 300 of them the sum of 0.1 would be off.
#[test]
fn blocks_of_one_instant_act_in_order_of_dependence() {
    let outcome = solve(
        30.0,
        0.5,
        r#"
        Gain "c" { u = b.y; k = 10; Tsample = 0.1; }
        Gain "b" { u = a.y + 1; Tsample = 0.1; }
        SampleHold "a" { u = t; Tsample = 0.1; }
        SampleHold "step" { u = s.y; Tsample = 0.1; }
        SampleHold "own" { u = if(t >= 15, 1, 0); Tsample = 0.1; }
        Step "s" { Tbegin = 15; }
        Integrator "n" { u = 1; k = 10; Tsample = 0.1; }
        Sum "x" { u = x1.y, 1; k = 0.5, 1; Tsample = 0.1; }
        UnitDelay "x1" { u = x.y; Tsample = 0.1; yinit = 3; }
        SampleHold "late" { u = c.y; Tsample = 0.1; Toffset = 0.05; yinit = -1; }
        SampleHold "slow" { u = n.y; Tsample = 0.3; }
        Gain "through" { u = a.y; }
        SampleHold "old" { u = through.y; Tsample = 0.1; }
        "#,
    );
    let table = outcome.table("csv");
    // Rows at multiples of 0.5 lie on instants and show the values behind them.
    compare(&table, "a.y", 1e-15, |t| t);
    compare(&table, "c.y", 1e-15, |t| 10.0 * (t + 1.0));
    compare(&table, "n.y", 1e-12, |t| 10.0 * t);
    // The step at 15 is seen at 15.1: the row at 15 still has the left limit.
    compare(&table, "step.y", 0.0, |t| f64::from(t > 15.0));
    compare(&table, "own.y", 0.0, |t| f64::from(t > 15.0));
    // x_k = x_(k-1)/2 + 1 from 3: 2 + 2^-k/2.
    compare(&table, "x.y", 1e-15, |t| 2.0 + 0.5f64.powf((10.0 * t).round() + 1.0));
    compare(&table, "late.y", 1e-12, |t| if t == 0.0 { -1.0 } else { 10.0 * (t - 0.1 + 1.0) });
    compare(&table, "slow.y", 1e-12, |t| ((10.0 * t).round() / 3.0).floor() * 3.0);
    // A block that acts at all times is a continuous input: its left limit is that of the last period.
    compare(&table, "old.y", 1e-12, |t| (t - 0.1).max(0.0));
    // 301 instants of 0.1 and 300 of them shifted, one of which is the start; none is searched for.
    assert_eq!(outcome.summary.statistics.time_events, 600);
    assert_eq!(outcome.summary.statistics.roots, 0);
}

/// A row at an event that `Events = yes` adds shows the registers before it.
#[test]
fn rows_before_an_instant_show_what_was_before() {
    let text = dysim_tests::circuits::text(
        dysim_tests::circuits::Setting { solver: "derf", end: 0.95, step: 0.5, tolerance: 1e-8 },
        "",
        "SampleHold \"h\" { u = t; Tsample = 0.3; yinit = -1; }",
    )
    .replace("Files = csv;", "Files = csv; Events = yes;");
    let table = dysim_tests::simulate::run(&text).complete().table("csv");
    let (time, y) = (table.index("t"), table.index("h.y"));
    let at = |t: f64| -> Vec<f64> {
        table.rows.iter().filter(|row| (row[time] - t).abs() < 1e-9).map(|row| row[y]).collect()
    };
    assert_eq!(at(0.3), [0.0, 0.3]);
    assert_eq!(at(0.6), [0.3, 0.6]);
    assert!((at(0.9)[1] - 0.9).abs() < 1e-15);
}
