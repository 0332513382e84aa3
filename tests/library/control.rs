//! Components of `library/control.dys`.

use std::path::Path;
use std::rc::Rc;

use dysim_tests::simulate::{Table, run_file};

fn table() -> Rc<Table> {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/library/control_positioning.dys");
    run_file(&path).complete().table("csv")
}

fn near(found: f64, expected: f64, tolerance: f64, what: &str) {
    assert!((found - expected).abs() <= tolerance, "{what}: {found} instead of {expected}");
}

/// Both motions go 0.3 m in half a second from 0.1 s on, by their formulas phase by phase.
#[test]
fn trajectories_are_their_formulas() {
    let table = table();
    let (way, whole, ramp) = (0.3, 0.5, 0.15);
    let peak = way / (whole - ramp);
    for row in &table.rows {
        let of = |name: &str| row[table.index(name)];
        let u = (row[0] - 0.1).clamp(0.0, whole);
        let (place, speed) = if u < ramp {
            (peak * u * u / (2.0 * ramp), peak * u / ramp)
        } else if u < whole - ramp {
            (peak * (u - ramp / 2.0), peak)
        } else {
            (way - peak * (whole - u).powi(2) / (2.0 * ramp), peak * (whole - u) / ramp)
        };
        near(of("path.y"), place, 1e-12, "place");
        near(of("path.yd"), speed, 1e-12, "speed");
        // At the corners the acceleration jumps.
        if [0.0, ramp, whole - ramp, whole].iter().all(|corner| (u - corner).abs() > 1e-9) {
            let slope = if u < ramp { peak / ramp } else { -peak / ramp };
            let level = u > ramp && u < whole - ramp;
            near(of("path.ydd"), if level { 0.0 } else { slope }, 1e-12, "acceleration");
        }
        let s = u / whole;
        near(
            of("quintic.y"),
            way * (10.0 * s.powi(3) - 15.0 * s.powi(4) + 6.0 * s.powi(5)),
            1e-12,
            "place",
        );
        let rate = 30.0 * s.powi(2) - 60.0 * s.powi(3) + 30.0 * s.powi(4);
        near(of("quintic.yd"), way / whole * rate, 1e-12, "speed");
        let bend = 60.0 * s - 180.0 * s.powi(2) + 120.0 * s.powi(3);
        near(of("quintic.ydd"), way / whole.powi(2) * bend, 1e-11, "acceleration");
    }
}

/// Whatever the slide does, the error of the observer dies out with its double pole: e(t) = exp(-w t) (1 + t (A + w)) e(0).
#[test]
fn the_error_of_the_observer_dies_out_with_its_poles() {
    let table = table();
    let (w, damping, stiffness, first) = (200.0, 4.0 / 2.0, 50.0 / 2.0, -0.02);
    let gains = [2.0 * w - damping, w * w - stiffness - damping * (2.0 * w - damping)];
    for row in &table.rows {
        let of = |name: &str| row[table.index(name)];
        let t = row[0];
        let fades = (-w * t).exp();
        let place = fades * (1.0 + t * (w - gains[0])) * first;
        let speed = -fades * t * (stiffness + gains[1]) * first;
        // Nine digits of a place of 0.3 m and of a speed of 1.5 m/s, whose errors the gains multiply by some hundred.
        near(of("slide.s") - of("observer.s"), place, 1e-8, "place");
        near(of("slide.v") - of("observer.v"), speed, 1e-6, "speed");
    }
}

/// The integral holds the spring, and later the spring without the push; the force keeps to its limit.
#[test]
fn the_cascade_controller_comes_to_rest_at_its_goal() {
    let table = table();
    near(table.last("slide.s"), 0.3, 1e-9, "place");
    near(table.last("position.y"), 50.0 * 0.3 - 5.0, 1e-6, "force");
    let forces = table.column("position.y");
    assert!(forces.iter().all(|force| force.abs() <= 60.0) && forces.contains(&60.0));
}

/// Rates of integral, filter, and the lag of second order, and the output of the controller.
fn rates(set: f64, tracking: f64, [integral, filtered, y, yd]: [f64; 4]) -> ([f64; 4], f64) {
    let (k, reset, derivative, n) = (6.0, 0.6, 0.1, 10.0);
    let change = -y - filtered;
    let wanted = k * (set - y) + integral + k * n * change;
    let output = wanted.clamp(-1.5, 1.5);
    let slope = k / reset * (set - y) + (output - wanted) / tracking;
    ([slope, change * n / derivative, yd, 16.0 * (output - y) - 6.4 * yd], output)
}

/// Both PID controllers against their equations, by the classical method of Runge and Kutta with steps of 1e-5 s. A step across an
/// end of the limit has an error of the order of the step squared times the jump of the slope.
#[test]
fn the_pid_controller_moves_as_its_equations_say() {
    let table = table();
    let h = 1e-5;
    for (controller, plant, tracking) in
        [("limited", "plant1", (0.6f64 * 0.1).sqrt()), ("free", "plant2", 1e6)]
    {
        let mut state = [0.0; 4];
        for (k, row) in table.rows.iter().enumerate() {
            // The set point jumps at the row of 0.1 s.
            let set = |k: usize| if k >= 10 { 1.0 } else { 0.0 };
            if k > 0 {
                for _ in 0..1000 {
                    let slope = |state: [f64; 4]| rates(set(k - 1), tracking, state).0;
                    let ahead = |k: [f64; 4], h: f64| [0, 1, 2, 3].map(|n| state[n] + h * k[n]);
                    let a = slope(state);
                    let b = slope(ahead(a, h / 2.0));
                    let c = slope(ahead(b, h / 2.0));
                    let d = slope(ahead(c, h));
                    let sum = [0, 1, 2, 3].map(|n| a[n] + 2.0 * b[n] + 2.0 * c[n] + d[n]);
                    state = ahead(sum, h / 6.0);
                }
            }
            let (_, output) = rates(set(k), tracking, state);
            near(row[table.index(&format!("{plant}.y"))], state[2], 1e-7, plant);
            near(row[table.index(&format!("{controller}.y"))], output, 1e-5, controller);
        }
    }
    // Without tracking the integral winds up, and the plant overshoots.
    let highest = |name: &str| table.column(name).into_iter().fold(0.0, f64::max);
    assert!(highest("plant1.y") < 1.01 && highest("plant2.y") > 1.15);
}
