//! The models of `models/switching` that are made of Whens and automata, against closed forms.

use dysim_tests::examples::example;
use dysim_tests::simulate::{Table, run};

fn table(name: &str) -> std::rc::Rc<Table> {
    run(&example(&format!("switching/{name}"))).complete().table("csv")
}

#[track_caller]
fn near(what: &str, found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected}");
}

/// The quarter of a period of a pendulum, by the arithmetic-geometric mean (Gauss).
fn quarter(length: f64, amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..20 {
        (a, b) = (0.5 * (a + b), f64::sqrt(a * b));
    }
    (length / 9.81).sqrt() * std::f64::consts::FRAC_PI_2 / a
}

/// Balls come back each half of a period. Each time all pairs exchange their speeds at one instant.
#[test]
fn the_balls_of_the_cradle_swing_in_turns() {
    let table = table("newtons_cradle");
    let quarter = quarter(0.5, 0.9);
    let fastest = (2.0 * 9.81 / 0.5 * (1.0 - f64::cos(0.9))).sqrt();
    let mut largest: f64 = 0.0;
    for row in &table.rows {
        let (t, value) = (row[0], |name: &str| row[table.index(name)]);
        let returns = ((t - quarter) / (2.0 * quarter)).floor() + 1.0;
        let since = t - quarter - 2.0 * quarter * (returns - 1.0);
        // Rows stand on both sides of a shock.
        if since.abs() < 1e-6 || (since - 2.0 * quarter).abs() < 1e-6 {
            near("speed", value("ball[1].w").hypot(value("ball[5].w")), fastest, 1e-6);
            continue;
        }
        near("shocks", value("shocks"), 4.0 * returns, 0.0);
        let (moves, rests) = match returns % 2.0 == 0.0 {
            true => ("ball[1]", "ball[5]"),
            false => ("ball[5]", "ball[1]"),
        };
        near("ball at rest", value(&format!("{rests}.q")), 0.0, 1e-7);
        near("ball between them", value("ball[2].q"), 0.0, 1e-7);
        let (q, w) = (value(&format!("{moves}.q")), value(&format!("{moves}.w")));
        near("energy", 0.5 * w * w, 9.81 / 0.5 * (q.cos() - f64::cos(0.9)), 1e-6);
        largest = largest.max(q.abs());
    }
    near("amplitude", largest, 0.9, 1e-3);
    assert!(table.last("shocks") >= 28.0);
}

/// Durations and temperatures of the three steps of a batch that begins with the temperature `cold_rest` of the rest.
fn batch(cold_rest: f64) -> (f64, f64) {
    const LOSS: f64 = 150.0 / 4.19e6;
    let (low, high, area, inflow) = (0.05_f64, 1.0_f64, 0.3, 0.002);
    // Filling mixes: dT/dV = (q (15 - T) - l (T - 20))/(q V).
    let fill = area * (high - low) / inflow;
    let limit = (inflow * 15.0 + LOSS * 20.0) / (inflow + LOSS);
    let filled = limit + (cold_rest - limit) * (low / high).powf((inflow + LOSS) / inflow);
    // Heating goes towards 20 + P/loss.
    let rate = LOSS / (area * high);
    let end = 20.0 + 200e3 / 150.0;
    let heat = ((end - filled) / (end - 80.0)).ln() / rate;
    // Draining after Torricelli, while the walls cool what is left.
    let speed = 6e-4 * f64::sqrt(2.0 * 9.81);
    let drain = 2.0 * area / speed * (high.sqrt() - low.sqrt());
    let cooled = (-2.0 * LOSS / speed * (1.0 / low.sqrt() - 1.0 / high.sqrt())).exp();
    (fill + heat + drain, 20.0 + 60.0 * cooled)
}

#[test]
fn batches_take_as_long_as_their_closed_forms() {
    let table = table("batch_process");
    let (mut rest, mut done, mut end) = (20.0, 0.0, 0.0);
    while end < table.rows[table.rows.len() - 1][0] {
        let (duration, cooled) = batch(rest);
        end += duration;
        done += 1.0;
        rest = cooled;
        for row in &table.rows {
            let value = |name: &str| row[table.index(name)];
            if value("batches") == done {
                near("duration", value("duration"), duration, 1e-4);
            }
            if (row[0] - end).abs() < 1e-4 && value("batches") == done {
                near("temperature of the rest", value("T"), rest, 1e-5);
                near("level", value("level"), 0.05, 1e-6);
            }
        }
        let counted = table.rows.iter().find(|row| row[table.index("batches")] >= done);
        if let Some(row) = counted {
            near("end of a batch", row[0], end, 1e-3);
        }
    }
    assert!(table.last("batches") >= 3.0 && table.last("batches") == done - 1.0);
}
