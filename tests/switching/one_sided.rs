//! One-sided laws with methods that look for no events: such a law follows its sign in every evaluation.

use dysim_tests::event_runs::{Link, Told, chain, simulate};
use dysim_tests::random::Random;

/// Methods that control their error and look for no events.
const ADAPTIVE: [&str; 3] = ["odeint_rk", "odeint_bs", "de"];

/// A model with this solver.
fn text(
    solver: &str,
    tolerance: f64,
    (end, step): (f64, f64),
    largest: f64,
    model: &str,
) -> String {
    format!(
        "Header \"h\" {{ ModelName = m; OutputType = all; }}\n\
         System \"s\" {{ GravAccel = 0, 0, -9.81; ScaleGrav = 1; }}\n\
         Solver \"d\" {{ Type = dynamic; Solver = {solver}; RelErr = {tolerance:e}; AbsErr = {tolerance:e}; \
         Tstart = 0; Tend = {end}; Tstep = {step}; TstepMax = {largest}; TstepMin = 0; TstepIni = 1e-4; }}\n\
         Output \"o\" {{ Signals = J1.q, J1.qd; Files = csv; Events = no; }}\n{model}"
    )
}

/// A body that moves up and down, or turns about a horizontal axis.
fn body(kind: &str, mass: f64, initial: [f64; 2]) -> String {
    let (axis, centre) = if kind == "Prismatic" { ("0, 0, 1", 0.0) } else { ("0, 1, 0", 0.3) };
    let joint = format!("JointAxis = {axis}; Qinit = {}; QDinit = {};", initial[0], initial[1]);
    let inertia = [0.1 * mass; 3];
    chain(&[Link {
        kind,
        joint: &joint,
        mass,
        inertia,
        centre: [centre, 0.0, 0.0],
        ..Link::default()
    }])
}

/// A body that meets a one-sided law again and again.
struct Case {
    words: String,
    model: String,
    /// The largest jump of the acceleration where the law begins to act, m/s^2 or rad/s^2.
    jump: f64,
}

fn case(random: &mut Random, kind: usize) -> Case {
    let mass = random.between(0.5, 4.0);
    let height = random.between(0.1, 0.6);
    let stiffness = random.between(1e3, 8e3);
    // A damper that is far from stopping the body at the first touch.
    let damping = random.between(0.05, 0.4) * 2.0 * (stiffness * mass).sqrt();
    let speed = (2.0 * 9.81 * height).sqrt() + 1.0;
    let jump = damping * speed / mass;
    let v0 = random.between(-1.0, 1.0);
    let spring = format!("ElasticLinear = {stiffness}; DampingLinear = {damping};");
    let (words, model) = match kind {
        0 => (
            "ContactSimple",
            body("Prismatic", mass, [height, v0])
                + &format!(
                    "ContactSimple \"c\" {{ TriadFrom = T0; TriadTo = R1; ElasticLinearZ = {stiffness}; \
                     DampingLinearZ = {damping}; FrictionXY = 1; }}\n"
                ),
        ),
        1 => (
            "TSDA",
            body("Prismatic", mass, [height, v0])
                + &format!(
                    "TSDA \"c\" {{ Joint1D = J1; {spring} ZeroLength = 0; OneSide = +; }}\n"
                ),
        ),
        2 => (
            // A rope of one metre below a hook.
            "Spring",
            body("Prismatic", mass, [height, v0])
                + "Triad \"hook\" { Parent = world; Position = 0, 0, 1; }\n"
                + &format!(
                    "Spring \"c\" {{ TriadFrom = hook; TriadTo = R1; {spring} ZeroLength = 1; OneSide = -; }}\n"
                ),
        ),
        _ => (
            // A pendulum that begins level and meets a one-sided torsion spring a little below.
            "RSDA",
            body("Revolute", mass, [0.0, 0.5 * v0])
                + &format!(
                    "RSDA \"c\" {{ Joint1D = J1; {spring} ZeroAngle = 0.4; OneSide = -; Degrees = rad; }}\n"
                ),
        ),
    };
    Case { words: format!("{words}, mass {mass}, damping {damping}"), model, jump }
}

fn difference(told: &Told, reference: &Told) -> f64 {
    assert_eq!(told.rows.len(), reference.rows.len());
    let pairs = told.rows.iter().flatten().zip(reference.rows.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A method that controls its error meets the result of located events. Each step may be wrong by the tolerance; a
/// body that meets its floor a little late, and so a little faster, is off by a few times as much after a bounce or two.
#[test]
fn methods_without_events_meet_the_results_of_located_events() {
    let mut random = Random::new(21);
    for kind in 0..4 {
        for _ in 0..4 {
            let Case { words, model, .. } = case(&mut random, kind);
            // Outputs that are far apart do not help a method to find the law.
            let times = (1.0, 0.1);
            let reference = simulate(&text("derf", 1e-12, times, 0.1, &model)).to_the_end();
            assert!(reference.events >= 1, "{words}: the law never acts");
            for solver in ADAPTIVE {
                let tolerance = 1e-9;
                let told = simulate(&text(solver, tolerance, times, 0.1, &model)).to_the_end();
                let off = difference(&told, &reference);
                let steps = told.statistics.steps + told.statistics.rejected;
                let allowed = 10.0 * steps as f64 * tolerance;
                assert!(off < allowed, "{solver}, {words}: {off:e} off after {steps} steps");
                let changes = told.changes.len();
                assert!(changes >= 1, "{solver}, {words}: the log tells {changes} changes");
            }
        }
    }
}

/// `rk4` has fixed steps: a jump inside of a step leaves a speed that is wrong by at most the step times the jump.
#[test]
fn fixed_steps_meet_them_as_far_as_their_length_allows() {
    let mut random = Random::new(22);
    for kind in 0..4 {
        let Case { words, model, jump } = case(&mut random, kind);
        let times = (0.6, 0.1);
        let reference = simulate(&text("derf", 1e-12, times, 0.1, &model)).to_the_end();
        for step in [4e-5, 1e-5] {
            let told = simulate(&text("rk4", 1e-9, times, step, &model)).to_the_end();
            let off = difference(&told, &reference);
            let allowed = reference.events as f64 * step * jump;
            assert!(off < allowed, "{words}, step {step}: {off:e} off, allowed {allowed:e}");
        }
    }
}

/// A body on an undamped one-sided spring comes back to its height: with v = sqrt(2 g h) and w = sqrt(k/m) it falls and rises for
/// 2 v/g, and is on the spring for 2 (pi - atan(v w/g))/w.
#[test]
fn a_body_on_a_one_sided_spring_comes_back_to_its_height() {
    let mut random = Random::new(23);
    for _ in 0..5 {
        let (mass, height) = (random.between(0.5, 4.0), random.between(0.1, 0.6));
        let stiffness = random.between(500.0, 5e3);
        let (v, w) = ((2.0 * 9.81 * height).sqrt(), (stiffness / mass).sqrt());
        let period = 2.0 * v / 9.81 + 2.0 * (std::f64::consts::PI - (v * w / 9.81).atan()) / w;
        let model = body("Prismatic", mass, [height, 0.0])
            + &format!(
                "TSDA \"c\" {{ Joint1D = J1; ElasticLinear = {stiffness}; DampingLinear = 0; ZeroLength = 0; OneSide = +; }}\n"
            );
        for solver in ADAPTIVE {
            let told =
                simulate(&text(solver, 1e-10, (2.0 * period, period), period, &model)).to_the_end();
            for (q, qd) in told.column("J1.q").into_iter().zip(told.column("J1.qd")) {
                // A thousand steps at most, each wrong by its tolerance, and a speed that acts for a period.
                assert!(
                    (q - height).abs() < 1e-7 && qd.abs() < 1e-6,
                    "{solver}: {q} {qd}, not {height}"
                );
            }
        }
        let told =
            simulate(&text("rk4", 1e-10, (period, period), period / 20_000.0, &model)).to_the_end();
        // The force has a corner only: wrong by h^2 times its slope w^2 v in each of two steps, over the rest of the period.
        let h = period / 20_000.0;
        let allowed = 2.0 * h * h * w * w * v * period + 1e-9;
        assert!((told.last("J1.q") - height).abs() < allowed, "rk4: {}", told.last("J1.q"));
    }
}

/// The report of the issue: with outputs 0.1 s apart the box ended 1.2 m above the floor, with more energy than it had.
#[test]
fn a_box_that_drops_on_a_damped_contact_loses_energy() {
    let model = body("Prismatic", 2.0, [0.5, 0.0])
        + "ContactSimple \"c\" { TriadFrom = T0; TriadTo = R1; ElasticLinearZ = 1e4; DampingLinearZ = 100; FrictionXY = 0; }\n";
    for solver in ADAPTIVE {
        let told = simulate(&text(solver, 1e-6, (1.0, 0.1), 0.1, &model)).to_the_end();
        assert!(told.last("J1.q") < 0.0, "{solver}: {}", told.last("J1.q"));
        let (_, work) = &told.works[0];
        // All but what the spring keeps: m g (h + d) with d below a centimetre.
        assert!((work + 2.0 * 9.81 * 0.5).abs() < 0.2, "{solver}: {work}");
    }
}
