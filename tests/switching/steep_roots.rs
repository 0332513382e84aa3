//! Laws `sign(x) |x|^p` with small p, whose slope at zero has no bound: implicit methods come to rest there, go through, and
//! leave it again, or say what holds them up.
//!
//! References: the closed form of x' = -c |x|^p, and implicit Euler with Richardson's extrapolation, whose equation
//! in w = |x|^p is solved to the last digit. They share no code with the program.

use std::f64::consts::PI;

use dysim_tests::event_runs::{Told, simulate};

const END: f64 = 3.0;
const ROWS: usize = 60;

/// x' = drive(t) - sign(x) |x|^p, in an integrator or as a force on the speed of a mass of one kilogram.
fn text(solver: &str, tolerance: f64, as_force: bool, p: f64, drive: &str, x0: f64) -> String {
    let signal = if as_force { "P.qd" } else { "x.y" };
    let law = format!("{drive} - sign({signal})*abs({signal})^{p}");
    let absolute = 0.01 * tolerance;
    let step = END / ROWS as f64;
    let blocks = if as_force {
        format!(
            "Triad \"T0\" {{ Parent = world; }}\n\
             Triad \"R1\" {{ Parent = B1; }}\n\
             Prismatic \"P\" {{ Parent = B1; TriadFrom = T0; TriadTo = R1; JointAxis = 1, 0, 0; Qinit = 0; QDinit = {x0}; }}\n\
             Body \"B1\" {{ Parent = world; Joint = P; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; }}\n\
             JointForce \"f\" {{ Joint1D = P; Value = {law}; }}\n"
        )
    } else {
        format!("Integrator \"x\" {{ u = {law}; yinit = {x0}; }}\n")
    };
    format!(
        "Header \"h\" {{ ModelName = m; OutputType = none; }}\n\
         System \"s\" {{ GravAccel = 0, 0, 0; ScaleGrav = 1; }}\n\
         Solver \"d\" {{ Type = dynamic; Solver = {solver}; RelErr = {tolerance}; AbsErr = {absolute}; \
         Tstart = 0; Tend = {END}; Tstep = {step}; TstepMax = {step}; TstepMin = 0; TstepIni = 1e-3; }}\n\
         Output \"o\" {{ Signals = {signal}; Files = csv; Events = no; }}\n{blocks}"
    )
}

fn course(told: &Told, as_force: bool) -> Vec<f64> {
    told.column(if as_force { "P.qd" } else { "x.y" })
}

/// |x| of x + h sign(x) |x|^p = b with b > 0: w h + w^(1/p) = b for w = |x|^p, by Newton's iteration from above.
fn root(h: f64, p: f64, b: f64) -> f64 {
    let mut w = (b / h).min(b.powf(p));
    for _ in 0..200 {
        let next = w - (w * h + w.powf(1.0 / p) - b) / (h + w.powf(1.0 / p - 1.0) / p);
        let next = if next < 0.0 { 0.5 * w } else { next };
        if (next - w).abs() <= 1e-16 * w {
            break;
        }
        w = next;
    }
    w.powf(1.0 / p)
}

/// Implicit Euler with so many steps for each row.
fn euler(p: f64, drive: &dyn Fn(f64) -> f64, x0: f64, steps: usize) -> Vec<f64> {
    let h = END / (ROWS * steps) as f64;
    let (mut x, mut rows) = (x0, vec![x0]);
    for k in 1..=ROWS * steps {
        let b = x + h * drive(k as f64 * h);
        x = if b == 0.0 { 0.0 } else { root(h, p, b.abs()).copysign(b) };
        if k % steps == 0 {
            rows.push(x);
        }
    }
    rows
}

#[test]
fn what_comes_to_rest_by_a_root_rests() {
    for p in [0.03, 0.12, 0.5] {
        for (solver, as_force) in
            [("stiff", false), ("radau5", false), ("stiff", true), ("radau5", true)]
        {
            for x0 in [1.0, 0.0, 1e-9, -0.3] {
                let tolerance = 1e-6;
                let told = simulate(&text(solver, tolerance, as_force, p, "0", x0)).to_the_end();
                // |x|^(1 - p) falls in proportion to time until it is zero.
                let exact = |t: f64| {
                    let rest: f64 = f64::abs(x0).powf(1.0 - p) - (1.0 - p) * t;
                    rest.max(0.0).powf(1.0 / (1.0 - p)).copysign(x0)
                };
                for (row, x) in course(&told, as_force).iter().enumerate() {
                    let t = row as f64 * END / ROWS as f64;
                    // A state remembers errors here, a step adds up to the tolerance, and there are some ten steps before the rest.
                    let allowed = 30.0 * tolerance * (x0.abs() + 0.01);
                    let what = format!("{solver}, p = {p}, x0 = {x0}, t = {t}");
                    assert!((x - exact(t)).abs() < allowed, "{what}: {x} instead of {}", exact(t));
                }
                assert!(told.statistics.steps < 3_000, "{solver} {p}: {:?}", told.statistics);
            }
        }
    }
}

#[test]
fn what_is_driven_through_a_root_meets_the_reference() {
    type Drive = (&'static str, fn(f64) -> f64);
    let drives: [Drive; 2] = [
        ("2*cos(2*pi*t)", |t| 2.0 * (2.0 * PI * t).cos()),
        ("0.3*sin(2*pi*t)", |t| 0.3 * (2.0 * PI * t).sin()),
    ];
    // With p = 0.05 a drive of 0.3 moves x by less than its allowed error, back and forth across zero: such runs take long.
    let cases: [(f64, &[Drive], &[f64]); 3] = [
        (0.05, &drives[..1], &[0.0, 1e-9]),
        (0.3, &drives, &[1.0, 0.0, 1e-9]),
        (0.4, &drives, &[1.0, 0.0]),
    ];
    for (p, drives, starts) in cases {
        for &(words, drive) in drives {
            for &x0 in starts {
                let [coarse, fine, finest] =
                    [250, 500, 1000].map(|steps| euler(p, &drive, x0, steps));
                for (solver, as_force) in [("stiff", false), ("radau5", false), ("stiff", true)] {
                    let tolerance = 1e-7;
                    let model = text(solver, tolerance, as_force, p, words, x0);
                    let told = simulate(&model).to_the_end();
                    let found = course(&told, as_force);
                    for (row, x) in found.iter().enumerate() {
                        // Richardson's value, which is off by less than what it changes.
                        let exact = 2.0 * finest[row] - fine[row];
                        let bar = (exact - (2.0 * fine[row] - coarse[row])).abs();
                        let allowed = bar + 300.0 * tolerance;
                        let t = row as f64 * END / ROWS as f64;
                        let what = format!("{solver}, p = {p}, {words}, x0 = {x0}, t = {t}");
                        assert!((x - exact).abs() < allowed, "{what}: {x} instead of {exact}");
                    }
                }
            }
        }
    }
}

/// A method without implicit steps comes to the end in tiny ones or says which state holds it up.
#[test]
fn an_explicit_method_names_the_state_that_holds_it_up() {
    for (p, drive) in [(0.03, "0"), (0.05, "0.3*sin(2*pi*t)")] {
        let told = simulate(&text("derf", 1e-6, false, p, drive, 1.0));
        let error = told.error.expect("no end in steps of a nanosecond");
        assert!(error.contains("no progress") && error.contains("`x.x`"), "{error}");
    }
}
