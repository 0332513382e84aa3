//! Laws with corners and limited domains: what is frozen between events keeps a value beyond its border.
//!
//! The reference is Runge and Kutta's method of order four in very short steps, with the functions of the standard library and nothing
//! frozen. It shares no code with the program.

use std::f64::consts::PI;

use dysim_tests::event_runs::simulate;
use dysim_tests::random::Random;

/// x' = drive(t) - law(x): the law as the language writes it, as a function, and whether it jumps.
struct Law {
    text: String,
    value: Box<dyn Fn(f64) -> f64>,
    /// A law that jumps needs a drive that carries x across: else x would stay at the jump, sliding.
    drive: f64,
}

fn sign(x: f64) -> f64 {
    if x == 0.0 { 0.0 } else { x.signum() }
}

/// Every function that switches, inside and outside of every function with a limited domain.
fn laws(random: &mut Random) -> Vec<Law> {
    let a = random.between(0.5, 2.0);
    let (c, p) = (random.between(0.05, 0.4), random.between(0.4, 0.9));
    let law = |text: String, drive: f64, value: Box<dyn Fn(f64) -> f64>| Law { text, value, drive };
    vec![
        law(
            format!("{a}*sign(X)*sqrt(abs(X))"),
            0.0,
            Box::new(move |x| a * sign(x) * x.abs().sqrt()),
        ),
        law(format!("sign(X)*abs(X)^{p}"), 0.0, Box::new(move |x| sign(x) * x.abs().powf(p))),
        law(
            format!("sign(X)*log(1 + {a}*abs(X))"),
            0.0,
            Box::new(move |x| sign(x) * (a * x.abs()).ln_1p()),
        ),
        law(format!("log(max(X, {c}))"), 0.0, Box::new(move |x| x.max(c).ln())),
        law(format!("log10(max(abs(X), {c}))"), 0.0, Box::new(move |x| x.abs().max(c).log10())),
        law(
            format!("{a}*sqrt(max(X - {c}, 0))"),
            0.0,
            Box::new(move |x| a * (x - c).max(0.0).sqrt()),
        ),
        law(
            format!("asin(clamp({a}*X, -1, 1))"),
            0.0,
            Box::new(move |x| (a * x).clamp(-1.0, 1.0).asin()),
        ),
        law(
            "1.5 - acos(min(max(X, -1), 1))".into(),
            0.0,
            Box::new(|x| 1.5 - x.clamp(-1.0, 1.0).acos()),
        ),
        law(
            format!("if(X > {c}, sqrt(X - {c}), 0)"),
            0.0,
            Box::new(move |x| if x > c { (x - c).sqrt() } else { 0.0 }),
        ),
        law(
            format!("if(X > {c}, sqrt(X - {c}), -sqrt({c} - X))"),
            0.0,
            Box::new(move |x| if x > c { (x - c).sqrt() } else { -(c - x).sqrt() }),
        ),
        law(format!("sqrt(mod(X, {c} + 1))"), 3.0, Box::new(move |x| x.rem_euclid(c + 1.0).sqrt())),
        law("sqrt(abs(X - floor(X)))".into(), 3.0, Box::new(|x| (x - x.floor()).abs().sqrt())),
        law("log(1 + abs(ceil(X) - X))".into(), 3.0, Box::new(|x| (x.ceil() - x).abs().ln_1p())),
        law(format!("{a}*max(min(X, 1), -1)"), 0.0, Box::new(move |x| a * x.clamp(-1.0, 1.0))),
    ]
}

const END: f64 = 1.5;

fn drive(t: f64, offset: f64) -> f64 {
    offset + 2.0 * (2.0 * PI * t).cos()
}

/// Runge-Kutta in steps of 2.5 us. At a corner of x^p a step is wrong by h^(1 + p), at a jump by h.
fn reference(law: &Law, x0: f64) -> f64 {
    let n = 600_000;
    let h = END / f64::from(n);
    let f = |t: f64, x: f64| drive(t, law.drive) - (law.value)(x);
    (0..n).fold(x0, |x, k| {
        let t = f64::from(k) * h;
        let k1 = f(t, x);
        let k2 = f(t + 0.5 * h, x + 0.5 * h * k1);
        let k3 = f(t + 0.5 * h, x + 0.5 * h * k2);
        let k4 = f(t + h, x + h * k3);
        x + h / 6.0 * (k1 + 2.0 * (k2 + k3) + k4)
    })
}

fn frame(solver: &str, step: f64, signal: &str) -> String {
    format!(
        "Header \"h\" {{ ModelName = m; OutputType = none; }}\n\
         System \"s\" {{ GravAccel = 0, 0, 0; ScaleGrav = 1; }}\n\
         Solver \"d\" {{ Type = dynamic; Solver = {solver}; RelErr = 1e-7; AbsErr = 1e-9; \
         Tstart = 0; Tend = {END}; Tstep = {END}; TstepMax = {step}; TstepMin = 0; TstepIni = 1e-3; }}\n\
         Output \"o\" {{ Signals = {signal}; Files = csv; Events = no; }}\n"
    )
}

/// The law in an integrator: an expression of the networks.
fn as_signal(law: &Law, solver: &str, x0: f64) -> f64 {
    let text = law.text.replace('X', "x.y");
    let offset = law.drive;
    let block =
        format!("Integrator \"x\" {{ u = {offset} + 2*cos(2*pi*t) - ({text}); yinit = {x0}; }}\n");
    simulate(&(frame(solver, END, "x.y") + &block)).to_the_end().last("x.y")
}

/// The law as a force on a mass of one kilogram: an expression of the mechanics.
fn as_force(law: &Law, solver: &str, x0: f64) -> f64 {
    let text = law.text.replace('X', "P.qd");
    let offset = law.drive;
    let blocks = format!(
        "Triad \"T0\" {{ Parent = world; }}\n\
         Triad \"R1\" {{ Parent = B1; }}\n\
         Prismatic \"P\" {{ Parent = B1; TriadFrom = T0; TriadTo = R1; JointAxis = 1, 0, 0; Qinit = 0; QDinit = {x0}; }}\n\
         Body \"B1\" {{ Parent = world; Joint = P; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; }}\n\
         JointForce \"f\" {{ Joint1D = P; Value = {offset} + 2*cos(2*pi*t) - ({text}); }}\n"
    );
    simulate(&(frame(solver, END, "P.qd") + &blocks)).to_the_end().last("P.qd")
}

/// 1e-5 is the error of the reference at the few jumps, and two orders above the tolerance of the runs.
const ALLOWED: f64 = 2e-5;

#[test]
fn laws_with_corners_meet_the_reference() {
    let mut random = Random::new(31);
    for round in 0..2 {
        for law in laws(&mut random) {
            // Zero is where most of the laws have their corner.
            let x0 = if round == 0 { 0.0 } else { random.between(-0.8, 0.8) };
            let exact = reference(&law, x0);
            for solver in ["derf", "stiff", "radau5"] {
                let signal = as_signal(&law, solver, x0);
                assert!(
                    (signal - exact).abs() < ALLOWED,
                    "{solver}, x0 = {x0}: {} gives {signal}, not {exact}",
                    law.text
                );
                let force = as_force(&law, solver, x0);
                assert!(
                    (force - exact).abs() < ALLOWED,
                    "{solver}, x0 = {x0}: force {} gives {force}, not {exact}",
                    law.text
                );
            }
        }
    }
}

/// The method with fixed steps has no events; `smooth` evaluates what is inside as it is.
#[test]
fn the_same_laws_inside_smooth_meet_it_without_events() {
    let mut random = Random::new(32);
    for law in laws(&mut random) {
        let exact = reference(&law, 0.3);
        let text = law.text.replace('X', "x.y");
        let offset = law.drive;
        let block = format!(
            "Integrator \"x\" {{ u = smooth({offset} + 2*cos(2*pi*t) - ({text})); yinit = 0.3; }}\n"
        );
        let told = simulate(&(frame("rk4", 1e-4, "x.y") + &block)).to_the_end();
        // A jump of up to pi inside of a step of 1e-4 s, a few times.
        assert!(
            (told.last("x.y") - exact).abs() < 2e-3,
            "{}: {} {exact}",
            law.text,
            told.last("x.y")
        );
    }
}

/// What has no value in the model has none in a run: only a branch beyond its border gets one.
#[test]
fn a_root_of_a_negative_number_is_still_a_mistake() {
    for text in
        ["sqrt(-0.5 - x.y)*sign(x.y)", "if(x.y > -2, sqrt(0.2 - x.y), 0)", "log(0.3 - abs(x.y))"]
    {
        let block = format!("Integrator \"x\" {{ u = 1 + 1e-9*({text}); yinit = 0; }}\n");
        let told = simulate(&(frame("derf", END, "x.y") + &block));
        assert!(told.error.is_some(), "{text}");
    }
}
