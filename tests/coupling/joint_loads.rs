//! Time expressions that use forces and reactions: sorted by dependence, and solved where a loop leads through the masses.

use super::arms::{ARMS, FINE, G, distance, second, solved, two_arms};
use dysim_tests::blocks::{Run, Text};
use dysim_tests::random::Random;
use dysim_tests::simulate::run;

const MASS: f64 = 2.0;
const ARM: f64 = 0.5;
const INERTIA: f64 = 0.1;

/// A pendulum about y with its centre at the distance `ARM`.
fn pendulum(options: &str, more: &str) -> Text {
    Text::new([0.0, 0.0, -G], Run::new("derf", 1e-11, 3.0, 0.02))
        .joint(
            "Revolute",
            ["J", "world", "b"],
            [0.0; 3],
            &format!("JointAxis = 0, -1, 0; Qinit = 1.2; QDinit = 0; {options}"),
        )
        .body(["b", "world", "J"], MASS, [0.3, INERTIA, 0.3], [0.0, 0.0, -ARM])
        .with(more)
}

/// The load of the hinge in axes along and across the arm, for an angle, a speed and an acceleration.
fn load(q: f64, v: f64, a: f64) -> f64 {
    let along = MASS * (ARM * v * v + G * q.cos());
    let across = MASS * (ARM * a + G * q.sin());
    along.hypot(across)
}

/// The acceleration with friction `direction * radius * load` against the motion, by bisection: the residual rises with a.
fn acceleration(q: f64, v: f64, radius: f64, direction: f64) -> f64 {
    let hinge = INERTIA + MASS * ARM * ARM;
    let residual =
        |a: f64| hinge * a + MASS * G * ARM * q.sin() + direction * radius * load(q, v, a);
    let (mut low, mut high) = (-1e3, 1e3);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if residual(middle) > 0.0 { high = middle } else { low = middle }
    }
    0.5 * (low + high)
}

/// The pendulum by the classical method with fine steps; it swings, turns round where its speed is zero, and stays where
/// friction holds it. Gives angle and speed at intervals of 0.02 s.
fn by_hand(radius: f64, h: f64) -> Vec<[f64; 2]> {
    let (mut q, mut v, mut direction) = (1.2_f64, 0.0_f64, -1.0);
    let mut rows = vec![[q, v]];
    let mut is_held = false;
    let per_row = (0.02 / h).round() as usize;
    for _ in 0..150 {
        for _ in 0..per_row {
            let mut left = h;
            while left > 0.0 && !is_held {
                let rate = |q: f64, v: f64| acceleration(q, v, radius, direction);
                let step = |h: f64| {
                    let (v1, a1) = (v, rate(q, v));
                    let (v2, a2) = (v + 0.5 * h * a1, rate(q + 0.5 * h * v1, v + 0.5 * h * a1));
                    let (v3, a3) = (v + 0.5 * h * a2, rate(q + 0.5 * h * v2, v + 0.5 * h * a2));
                    let (v4, a4) = (v + h * a3, rate(q + h * v3, v + h * a3));
                    (
                        q + h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4),
                        v + h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4),
                    )
                };
                let (next_q, next_v) = step(left);
                if next_v * direction >= 0.0 {
                    (q, v, left) = (next_q, next_v, 0.0);
                    continue;
                }
                // The speed passes zero inside.
                let (mut low, mut high) = (0.0, left);
                for _ in 0..80 {
                    let middle = 0.5 * (low + high);
                    if step(middle).1 * direction >= 0.0 { low = middle } else { high = middle }
                }
                q = step(low).0;
                v = 0.0;
                left -= low;
                is_held = (MASS * G * ARM * q.sin()).abs() <= radius * load(q, 0.0, 0.0);
                direction = -direction;
            }
        }
        rows.push([q, v]);
    }
    rows
}

/// Coulomb's friction in the bearing: radius times friction coefficient times the load, which itself depends on the
/// acceleration.
#[test]
fn friction_from_the_load_of_the_joint() {
    for radius in [0.02, 0.15, 0.3] {
        let expected = by_hand(radius, 0.002);
        for law in [
            format!("Friction = {radius:?}*sqrt(J.fx^2 + J.fz^2);"),
            format!(
                "Friction = {radius:?}*sqrt(J.fx^2 + J.fz^2), {radius:?}*sqrt(J.fx^2 + J.fz^2);"
            ),
        ] {
            for solver in ["derf", "stiff"] {
                let text = pendulum(&law, "Output \"o\" { Signals = J.q, J.qd; Files = csv; }");
                let text = text.text().replace("Solver = derf", &format!("Solver = {solver}"));
                let outcome = run(&text);
                assert!(outcome.error.is_none(), "{:?}", outcome.error.map(|e| e.to_string()));
                let table = outcome.table("csv");
                assert_eq!(table.rows.len(), expected.len());
                for (row, [q, v]) in table.rows.iter().zip(&expected) {
                    // The classical method with h = 2 ms has errors of some 1e-9.
                    assert!(
                        (row[1] - q).abs() < 1e-7 && (row[2] - v).abs() < 1e-6,
                        "{solver}, {radius} at t = {}: {} {} and {q} {v}",
                        row[0],
                        row[1],
                        row[2]
                    );
                }
            }
        }
    }
}

/// A force that follows from the force of a spring is the same as one from its length.
#[test]
fn forces_are_found_in_the_order_of_their_dependence() {
    let with = |value: &str| {
        two_arms(second(), "0, 1, 0", ["", ""])
            .triad("p", "arm1", [0.2, 0.0, -0.3])
            .triad("q", "arm2", [0.3, 0.1, -0.5])
            // The later ones are used by the earlier ones.
            .with("Force \"c\" { TriadTo = q; Vector = 0.5*b.fx, 0, 0; }")
            .with(&format!("Force \"b\" {{ TriadTo = p; Vector = {value}, 0, 0; }}"))
            .with("Spring \"S\" { TriadFrom = p; TriadTo = q; ElasticLinear = 90; ZeroLength = 0.4; }")
            .with(ARMS)
    };
    let (sorted, direct) =
        (with("0.3*S.f + 0.01*S.power"), with("0.3*90*(S.s - 0.4) - 0.01*90*(S.s - 0.4)*d.sd"));
    let direct = direct.with("Sensor \"d\" { TriadFrom = p; TriadTo = q; }");
    let (sorted, direct) = (run(sorted.text()).complete(), run(direct.text()).complete());
    let apart = distance(&sorted.table("csv"), &direct.table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
}

/// Forces in a ring: a = 1 + b/2, b = a/2 gives a = 4/3.
#[test]
fn a_ring_of_forces_is_solved() {
    let text = two_arms(second(), "0, 1, 0", ["", ""])
        .triad("p", "arm1", [0.2, 0.0, -0.3])
        .with("Force \"a\" { TriadTo = p; Vector = 1 + 0.5*b.fx, 0, 0; }")
        .with("Force \"b\" { TriadTo = p; Vector = 0.5*a.fx, 0, 0; }")
        .with("Output \"o\" { Signals = a.fx, b.fx; Files = csv; }");
    let table = run(text.text()).complete().table("csv");
    for row in &table.rows {
        assert!(
            (row[1] - 4.0 / 3.0).abs() < 1e-13 && (row[2] - 2.0 / 3.0).abs() < 1e-13,
            "{row:?}"
        );
    }
}

/// A torque -J qdd of a force element is the inertia of a rotor.
#[test]
fn a_force_element_may_follow_the_acceleration_that_it_causes() {
    let rotor = two_arms(second(), "1, 0, 0", ["RotorInertia = 0.7;", ""]).with(ARMS);
    for solver in ["derf", "stiff", "radau5"] {
        let fed = two_arms(second(), "1, 0, 0", ["", ""])
            .with("JointForce \"F\" { Joint1D = J1; Value = -0.7*J1.qdd; }")
            .with(ARMS);
        let fed =
            run(&fed.text().replace("Solver = derf", &format!("Solver = {solver}"))).complete();
        let apart = distance(&solved(&rotor).table("csv"), &fed.table("csv"));
        assert!(apart < 2e3 * FINE, "{solver}: {apart:e}");
    }
}

/// Reactions as signals of networks are those of the results, also where their force acts on the bodies.
#[test]
fn networks_see_reactions() {
    let text = two_arms(second(), "0, 1, 0", ["", ""])
        .with("TorqueSource \"M\" { a = shaft; Tau = -0.05*abs(J1.fz) - 0.02*J2.ty; }")
        .with("JointAxis \"drive\" { flange = shaft; Joint = J1; }")
        .with("Gain \"g\" { u = J2.fx; k = 2; }")
        .with("Output \"o\" { Signals = M.tau, J1.fz, J2.ty, J2.fx, g.y; Files = csv; }");
    let outcome = run(text.text());
    assert!(outcome.error.is_none(), "{:?}", outcome.error.map(|e| e.to_string()));
    let table = outcome.table("csv");
    for row in &table.rows {
        let torque = -0.05 * row[2].abs() - 0.02 * row[3];
        assert!((row[1].abs() - torque.abs()).abs() < 1e-11 * (10.0 + torque.abs()), "{row:?}");
        assert!((row[5] - 2.0 * row[4]).abs() < 1e-11 * (10.0 + row[4].abs()), "{row:?}");
    }
}

/// Where the loop takes all inertia away there is no acceleration that fits.
#[test]
fn a_loop_without_a_solution_is_named() {
    let hinge = INERTIA + MASS * ARM * ARM;
    let text =
        pendulum("", &format!("JointForce \"F\" {{ Joint1D = J; Value = {hinge:?}*J.qdd; }}"));
    let words = run(text.text()).error.map(|error| error.to_string()).unwrap_or_default();
    assert!(words.contains("`J.qdd` depends on itself: JointForce `F` uses it"), "{words}");
}

/// Random loops: forces with random shares of reactions and accelerations of two arms. What the expression says of the shown
/// signals is the force that is shown.
#[test]
fn random_loops_are_consistent() {
    let names = [
        "J1.qdd", "J2.qdd", "J1.fx", "J1.fz", "J2.fx", "J2.fz", "arm2.ax", "tip.az", "K.fx", "K.fz",
    ];
    let mut random = Random::new(4711);
    for case in 0..40 {
        let mut value = |scale: f64| {
            let mut terms: Vec<(f64, &str)> = Vec::new();
            for name in names {
                if random.below(3) == 0 {
                    terms.push((scale * random.between(-0.5, 0.5), name));
                }
            }
            terms
        };
        let (torque, force) = (value(0.06), value(0.1));
        let sum = |terms: &[(f64, &str)]| {
            let all: Vec<String> =
                terms.iter().map(|(k, name)| format!("{k:?}*abs({name})")).collect();
            if all.is_empty() { "0".into() } else { all.join(" + ") }
        };
        let text = two_arms(Run::new("derf", 1e-9, 0.4, 0.05), "0, 1, 0", ["", ""])
            .triad("tip", "arm2", [0.1, 0.0, -0.6])
            .with(&format!("JointForce \"F\" {{ Joint1D = J2; Value = {}; }}", sum(&torque)))
            .with(&format!("Force \"K\" {{ TriadTo = tip; Vector = {}, 0, 1; }}", sum(&force)))
            .with(&format!("Output \"o\" {{ Signals = F.f, {}; Files = csv; }}", names.join(", ")));
        let outcome = run(text.text());
        assert!(outcome.error.is_none(), "{case}: {:?}", outcome.error.map(|e| e.to_string()));
        let table = outcome.table("csv");
        for row in &table.rows {
            let told = |terms: &[(f64, &str)]| -> f64 {
                terms.iter().map(|(k, name)| k * row[table.index(name)].abs()).sum()
            };
            for (shown, terms) in [("F.f", &torque), ("K.fx", &force)] {
                let (shown, told) = (row[table.index(shown)], told(terms));
                assert!(
                    (shown - told).abs() < 1e-9 * (10.0 + told.abs()),
                    "{case}: {shown} {told}"
                );
            }
        }
    }
}
