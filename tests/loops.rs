//! Closed loops: reference values, drift, choice of the cut, redundancy, prescribed motions.

use dysim_tests::mechanisms::{
    FOUR_BAR, FOUR_BAR_ANGLES, Settings, bricard, four_bar, joint, n_four_bar, rod, triad,
};
use dysim_tests::simulate::{Outcome, run};

fn residuals(outcome: &Outcome) -> (f64, f64) {
    let log = outcome.text("log");
    let line = log.lines().find(|line| line.starts_with("largest residuals")).expect(&log);
    let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    (numbers[0], numbers[1])
}

/// Ten digits of `multibody-algorithms` 3.10, from an independent script.
#[test]
fn a_four_bar_has_the_accelerations_and_reactions_of_the_reference() {
    for formalism in ["recursive", "dense"] {
        let signals = "J1.qdd, J2.qdd, J3.qdd, J1.fx, J1.fy, J3.fx, J3.fy, L.qdd, L.q";
        let settings =
            Settings { signals: signals.into(), formalism, end: 0.01, ..Settings::default() };
        let outcome = run(&four_bar(&settings, "Revolute", "")).complete();
        let table = outcome.table("csv");
        let at = |name: &str| table.at(0.0, name);
        // The rates are given with ten decimals; a rate enters the accelerations with factors below 100.
        let near = |found: f64, value: f64| {
            assert!((found - value).abs() < 1e-7, "{formalism}: {found} {value}");
        };
        near(at("J1.qdd"), -28.1558961098);
        near(at("J2.qdd"), 40.9963034697);
        near(at("J3.qdd"), 0.5492679145);
        near(at("J1.fx") + at("J3.fx"), 9.3388646526);
        near(at("J1.fy") + at("J3.fy"), 30.5915892363);
        // About A0: the force at B0 has an arm of one metre.
        near(at("J3.fy"), 20.5216174829);
        let [_, coupler, rocker] = FOUR_BAR_ANGLES;
        near(at("L.q"), coupler - rocker);
        near(at("L.qdd"), 40.9963034697 - 28.1558961098 - 0.5492679145);
    }
}

#[test]
fn a_four_bar_does_not_drift() {
    let settings = Settings { end: 100.0, step: 0.1, ..Settings::default() };
    for solver in ["de", "derf", "odeint_rk"] {
        let text = four_bar(&Settings { solver, ..settings.clone() }, "Revolute", "");
        let outcome = run(&text).complete();
        let (gap, rate) = residuals(&outcome);
        assert!(gap < 1e-10 && rate < 1e-9, "{solver}: {gap} {rate}");
    }
}

#[test]
fn energy_is_kept() {
    let settings = Settings { end: 10.0, step: 0.1, tolerance: 1e-9, ..Settings::default() };
    for solver in ["de", "odeint_rk", "odeint_bs", "stiff"] {
        let text = four_bar(&Settings { solver, ..settings.clone() }, "Revolute", "");
        let outcome = run(&text).complete();
        let gap = outcome.summary.balance.relative_gap();
        assert!(gap < 1e-6, "{solver}: {gap}");
        let (gap, rate) = residuals(&outcome);
        assert!(gap < 1e-10 && rate < 1e-9, "{solver}: {gap} {rate}");
    }
}

/// Two windows against the closed form `phi'' = c sin phi`; all bars in line ten times on the way.
#[test]
fn two_windows_pass_their_singular_positions() {
    let signals = "JU0.q, U0.vx".into();
    let settings =
        Settings { signals, end: 10.0, step: 0.1, tolerance: 1e-10, ..Settings::default() };
    let outcome = run(&n_four_bar(&settings, 2)).complete();
    let table = outcome.table("csv");
    // RelErr 1e-10 over ten turns; errors of the angle grow like t^2 with the speed.
    for (t, phi) in [(1.0, 3.337870803105098), (5.0, 16.65435348665348), (10.0, 31.75059718698610)]
    {
        let found = -table.at(t, "JU0.q");
        assert!((found - phi).abs() < 1e-6, "{t}: {found} {phi}");
    }
    let (gap, rate) = residuals(&outcome);
    assert!(gap < 1e-10 && rate < 1e-9, "{gap} {rate}");
    let log = outcome.text("log");
    assert!(log.contains("passes a singular position"), "{log}");
    assert!(log.contains("redundant: Revolute L1"), "{log}");
}

#[test]
fn many_windows_do_not_drift() {
    let settings = Settings { end: 100.0, step: 0.5, ..Settings::default() };
    let outcome = run(&n_four_bar(&settings, 3)).complete();
    let (gap, rate) = residuals(&outcome);
    assert!(gap < 1e-10 && rate < 1e-9, "{gap} {rate}");
}

#[test]
fn bricards_mechanism_moves_and_keeps_its_energy() {
    let settings = Settings {
        end: 10.0,
        step: 0.1,
        tolerance: 1e-9,
        signals: "J1.q, J6.q".into(),
        ..Settings::default()
    };
    let outcome = run(&bricard(&settings)).complete();
    let log = outcome.text("log");
    assert!(log.contains("5 rows, 4 independent; 1 freedoms"), "{log}");
    let gap = outcome.summary.balance.relative_gap();
    assert!(gap < 1e-6, "{gap}");
    let table = outcome.table("csv");
    assert!(table.column("J1.q").iter().any(|q| q.abs() > 0.5), "it moves");
    let outcome =
        run(&bricard(&Settings { end: 100.0, step: 0.5, ..Settings::default() })).complete();
    let (gap, rate) = residuals(&outcome);
    assert!(gap < 1e-10 && rate < 1e-9, "{gap} {rate}");
}

/// The same mechanism with other joints as the cut, with every joint as a cut, with joints twice.
#[test]
fn the_choice_of_the_cut_changes_nothing() {
    let settings = Settings {
        signals: "crank.x, coupler.x, coupler.y, rocker.wz, coupler.wz".into(),
        end: 5.0,
        step: 0.5,
        tolerance: 1e-12,
        ..Settings::default()
    };
    let plain = four_bar(&settings, "Revolute", "");
    let [l1, l2, l3] = FOUR_BAR;
    let [a, b, c] = FOUR_BAR_ANGLES;
    let (ex, ey) = (1.0 + l3 * c.cos(), l3 * c.sin());
    let ground = triad("A0", "world", [0.0; 3]) + &triad("B0", "world", [1.0, 0.0, 0.0]);
    let start = |q: f64, qd: f64| format!("Qinit = {q}; QDinit = {qd};");
    let [da, db, dc] = dysim_tests::mechanisms::FOUR_BAR_RATES;
    // The rocker hangs on the coupler, upside down: its frame is at the joint with the coupler's end.
    let hanging = settings.frame()
        + &ground
        + &rod("crank", "world", "J1", 1.0, l1)
        + &rod("coupler", "crank", "J2", 2.0, l2)
        + &rod("rocker", "coupler", "J3", 1.5, l3)
        + &joint("Revolute", "J1", "A0", "crank_start", &start(a, da))
        + &joint("Revolute", "J2", "crank_end", "coupler_start", &start(b - a, db - da))
        + &joint("Revolute", "J3", "coupler_end", "rocker_end", &start(c - b, dc - db))
        + &joint("Revolute", "L", "B0", "rocker_start", "Role = loop;");
    let free = |x: f64, y: f64, q: f64, vx: f64, vy: f64, w: f64| {
        format!(
            "Qinit = {x}, {y}, 0, 0, 0, {q}; QDinit = {vx}, {vy}, 0, 0, 0, {w}; AngleType = cardan;"
        )
    };
    let (vx, vy) = (-l1 * da * a.sin(), l1 * da * a.cos());
    let (px, py) = (l1 * a.cos(), l1 * a.sin());
    assert!((px + l2 * b.cos() - ex).abs() < 1e-9 && (py + l2 * b.sin() - ey).abs() < 1e-9);
    let unbound = settings.frame()
        + &ground
        + &rod("crank", "world", "F1", 1.0, l1)
        + &rod("coupler", "world", "F2", 2.0, l2)
        + &rod("rocker", "world", "F3", 1.5, l3)
        + &joint("Free", "F1", "A0", "crank_start", &free(0.0, 0.0, a, 0.0, 0.0, da))
        + &joint("Free", "F2", "A0", "coupler_start", &free(px, py, b, vx, vy, db))
        + &joint("Free", "F3", "A0", "rocker_start", &free(1.0, 0.0, c, 0.0, 0.0, dc))
        + &joint("Revolute", "L1", "A0", "crank_start", "Role = loop;")
        + &joint("Revolute", "L2", "crank_end", "coupler_start", "Role = loop;")
        + &joint("Revolute", "L3", "rocker_end", "coupler_end", "Role = loop;")
        + &joint("Revolute", "L4", "B0", "rocker_start", "Role = loop;");
    let twice = format!(
        "{plain}{}{}",
        joint("Revolute", "again", "coupler_end", "rocker_end", "Role = loop;"),
        joint("Spherical", "too", "rocker_end", "coupler_end", "Role = loop;")
    );
    let spherical = four_bar(&settings, "Spherical", "");
    let reference = run(&plain).complete();
    for (name, text) in
        [("hanging", hanging), ("free bodies", unbound), ("twice", twice), ("spherical", spherical)]
    {
        let other = run(&text).complete();
        let (a, b) = (reference.table("csv"), other.table("csv"));
        for (row, (a, b)) in a.rows.iter().zip(&b.rows).enumerate() {
            for (column, (a, b)) in a.iter().zip(b).enumerate() {
                assert!((a - b).abs() < 1e-8, "{name}: row {row} column {column}: {a} {b}");
            }
        }
    }
}

/// A crank that turns evenly moves a slider: `x = r cos p + sqrt(l^2 - r^2 sin^2 p)`.
#[test]
fn a_driven_slider_crank_follows_its_closed_form() {
    let signals = "S.q, S.qd, S.qdd, M.f, M.power, J1.q".into();
    let settings =
        Settings { signals, end: 2.0, step: 0.01, tolerance: 1e-9, ..Settings::default() };
    let (r, l, w) = (0.3, 0.8, 7.0);
    let text = settings.frame()
        + &triad("O", "world", [0.0; 3])
        + &rod("crank", "world", "J1", 1.0, r)
        + &rod("conrod", "crank", "J2", 2.0, l)
        + &rod("slider", "world", "S", 3.0, 0.1)
        + &joint("Revolute", "J1", "O", "crank_start", "")
        + &joint("Revolute", "J2", "crank_end", "conrod_start", "")
        + &joint("Prismatic", "S", "O", "slider_start", "JointAxis = 1, 0, 0; Qinit = 1.1;")
        + &joint("Revolute", "L", "slider_start", "conrod_end", "Role = loop;")
        + &format!("Motion \"M\" {{ Joint = J1; Q = {w}*t; }}\n");
    for solver in ["de", "stiff", "rk4", "odeint_rk", "odeint_bs", "derf"] {
        let outcome = run(&text.replace("Solver = de;", &format!("Solver = {solver};"))).complete();
        let table = outcome.table("csv");
        for row in &table.rows {
            let p = w * row[0];
            let root = (l * l - (r * p.sin()).powi(2)).sqrt();
            let x = r * p.cos() + root;
            let xd = -r * w * p.sin() - r * r * w * p.sin() * p.cos() / root;
            // Kinematics does not depend on the integrator: the projection makes it exact.
            assert!((row[1] - x).abs() < 1e-10, "{solver} {}: {} {x}", row[0], row[1]);
            assert!((row[2] - xd).abs() < 1e-9, "{solver} {}: {} {xd}", row[0], row[2]);
        }
        // What the drive gives is what the energy takes.
        let gap = outcome.summary.balance.relative_gap();
        let allowed = if solver == "rk4" { 1e-3 } else { 1e-6 };
        assert!(gap < allowed, "{solver}: {gap}");
    }
}

/// A point on a rod swings like a pendulum.
#[test]
fn a_rod_makes_a_pendulum() {
    let settings = Settings {
        signals: "p.x, p.y, R.f".into(),
        end: 3.0,
        step: 0.1,
        tolerance: 1e-11,
        ..Settings::default()
    };
    let body = |name: &str, joint: &str, cg: &str| {
        format!(
            "Body \"{name}\" {{ Parent = world; Joint = {joint}; Mass = 2; Inertia = 0, 0, 0, 0, 0, 0; CGFramePosition = {cg}; CGFrameOrientation = 0, 0, 0; }}\n"
        )
    };
    let held = settings.frame()
        + &triad("O", "world", [0.0; 3])
        + &body("p", "T", "0, 0, 0")
        + &triad("P", "p", [0.0; 3])
        + &joint("TriPrismatic", "T", "O", "P", "Qinit = 0.8, 0, 0;")
        + "Rod \"R\" { TriadFrom = O; TriadTo = P; Length = 0.8; }\n";
    let found = run(&held).complete();
    let pendulum = Settings { signals: "J.q, J.qd".into(), ..settings };
    let tree = pendulum.frame()
        + &triad("O", "world", [0.0; 3])
        + &body("b", "J", "0.8, 0, 0")
        + &triad("P", "b", [0.0; 3])
        + &joint("Revolute", "J", "O", "P", "");
    let reference = run(&tree).complete();
    for (a, b) in found.table("csv").rows.iter().zip(&reference.table("csv").rows) {
        let (q, qd) = (b[1], b[2]);
        assert!((a[1] - 0.8 * q.cos()).abs() < 1e-8 && (a[2] - 0.8 * q.sin()).abs() < 1e-8);
        // On P's body towards O: -(m l w^2 - m g sin q), counted along the direction from O to P.
        let force = -2.0 * (0.8 * qd * qd - 9.81 * q.sin());
        assert!((a[3] - force).abs() < 1e-6, "{} {force}", a[3]);
    }
}

/// Two discs with a gear: `a_b = i T / (I_b + i^2 I_a)`.
#[test]
fn a_coupling_is_a_gear() {
    for role in ["tree", "loop"] {
        let settings =
            Settings { signals: "Ja.qdd, Jb.qdd, C.f, Ja.q, Jb.q".into(), ..Settings::default() };
        let disc = |name: &str, joint: &str, theta: f64| {
            format!(
                "Body \"{name}\" {{ Parent = world; Joint = {joint}; Mass = 1; Inertia = {theta}, 0, 0, {theta}, 0, {theta}; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; }}\n"
            ) + &triad(&format!("{name}_c"), name, [0.0; 3])
        };
        // As a loop, disc a is a free body on a bearing.
        let bearing = match role {
            "tree" => joint("Revolute", "Ja", "O", "a_c", ""),
            _ => {
                joint("Free", "F", "O", "a_c", "")
                    + &joint("Revolute", "Ja", "O", "a_c", "Role = loop;")
            }
        };
        let carrier = if role == "tree" { "Ja" } else { "F" };
        let text = settings.frame()
            + &triad("O", "world", [0.0; 3])
            + &disc("a", carrier, 0.4)
            + &disc("b", "Jb", 3.0)
            + &bearing
            + &joint("Revolute", "Jb", "O", "b_c", "")
            + "Coupling \"C\" { Joint1 = Ja; Joint2 = Jb; Ratio = -5; }\n"
            + "JointForce \"T\" { Joint1D = Ja; Value = 2; }\n";
        let outcome = run(&text).complete();
        let table = outcome.table("csv");
        let (i, torque) = (-5.0, 2.0);
        let ab = i * torque / (3.0 + i * i * 0.4);
        for t in [0.0, 0.5, 1.0] {
            assert!((table.at(t, "Jb.qdd") - ab).abs() < 1e-11, "{role}");
            assert!((table.at(t, "Ja.qdd") - i * ab).abs() < 1e-11, "{role}");
            assert!((table.at(t, "C.f") - (0.4 * i * ab - torque)).abs() < 1e-11, "{role}");
            assert!((table.at(t, "Ja.q") - i * table.at(t, "Jb.q")).abs() < 1e-12, "{role}");
        }
    }
}

/// Two shafts at 35 degrees: a universal joint makes the speed swing between the cosine and its inverse, a
/// constant-velocity joint does not.
#[test]
fn shafts_joined_by_a_universal_and_a_constant_velocity_joint() {
    let bend = 35f64.to_radians();
    let settings = Settings {
        signals: "B.qd, J.q".into(),
        end: 2.0,
        step: 0.002,
        gravity: [0.0; 3],
        ..Settings::default()
    };
    let shaft = |name: &str, parent: &str, joint: &str| {
        format!(
            "Body \"{name}\" {{ Parent = {parent}; Joint = {joint}; Mass = 1; Inertia = 0.1, 0, 0, 0.1, 0, 0.2; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; }}\n"
        ) + &triad(&format!("{name}_c"), name, [0.0; 3])
    };
    for kind in ["Universal", "ConstantVelocity"] {
        let text = settings.frame()
            + &triad("O", "world", [0.0; 3])
            + &format!(
                "Triad \"bearing\" {{ Parent = world; Position = 0, 0, 0; Orientation = {bend}, 0, 0; AngleType = cardan; }}\n"
            )
            + &shaft("input", "world", "J")
            + &shaft("output", "input", "U")
            + &joint("Revolute", "J", "O", "input_c", "")
            + &joint(
                kind,
                "U",
                "input_c",
                "output_c",
                "JointAxis1 = 1, 0, 0; JointAxis2 = 0, 1, 0; Qinit = 0.3, 0.1;",
            )
            + &joint("Revolute", "B", "bearing", "output_c", "Role = loop;")
            + "Motion \"M\" { Joint = J; Q = 4*t; }\n";
        let outcome = run(&text).complete();
        let speeds = outcome.table("csv").column("B.qd");
        let ratio = speeds.iter().map(|w| w / 4.0);
        let (least, most) =
            ratio.fold((f64::MAX, f64::MIN), |(low, high), r| (low.min(r), high.max(r)));
        if kind == "Universal" {
            // The extremes are sampled every 0.008 rad: off by its square.
            assert!((least - bend.cos()).abs() < 1e-4 && (most - 1.0 / bend.cos()).abs() < 1e-4);
        } else {
            assert!((least - 1.0).abs() < 1e-9 && (most - 1.0).abs() < 1e-9, "{least} {most}");
        }
    }
}

/// Down a slope: `a = g sin(slope) / (1 + J / (m r^2))`, without sliding, the normal force that of the weight.
#[test]
fn discs_and_spheres_roll_down_a_slope() {
    let (m, r, slope) = (3.0, 0.2, 0.3f64);
    for (shape, factor) in [("disc", 0.5), ("sphere", 0.4)] {
        let theta = factor * m * r * r;
        let settings = Settings {
            signals: "b.x, b.y, b.z, b.vx, R.fx, R.fz, b.wz".into(),
            gravity: [9.81 * slope.sin(), -9.81 * slope.cos(), 0.0],
            end: 2.0,
            tolerance: 1e-9,
            ..Settings::default()
        };
        // The plane has its normal along y; the axis of the disc is z.
        let text = settings.frame()
            + "Triad \"ground\" { Parent = world; Position = 0, 0, 0; Orientation = -pi/2, 0, 0; AngleType = cardan; }\n"
            + &triad("O", "world", [0.0; 3])
            + &format!(
                "Body \"b\" {{ Parent = world; Joint = F; Mass = {m}; Inertia = {theta}, 0, 0, {theta}, 0, {theta}; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; }}\n"
            )
            + &triad("c", "b", [0.0; 3])
            + &joint(
                "Free",
                "F",
                "O",
                "c",
                &format!("Qinit = 0, {r}, 0, 0, 0, 0; AngleType = cardan;"),
            )
            + &format!(
                "Rolling \"R\" {{ TriadFrom = ground; TriadTo = c; Radius = {r}; Shape = {shape}; }}\n"
            );
        let outcome = run(&text).complete();
        let table = outcome.table("csv");
        let a = 9.81 * slope.sin() / (1.0 + factor);
        for t in [0.5, 1.0, 2.0] {
            assert!((table.at(t, "b.x") - 0.5 * a * t * t).abs() < 1e-8, "{shape}");
            assert!((table.at(t, "b.vx") + r * table.at(t, "b.wz")).abs() < 1e-9, "{shape}");
            assert!((table.at(t, "b.y") - r).abs() < 1e-10, "{shape}");
            assert!((table.at(t, "R.fz") - m * 9.81 * slope.cos()).abs() < 1e-8, "{shape}");
            let drag = m * a - m * 9.81 * slope.sin();
            assert!((table.at(t, "R.fx") - drag).abs() < 1e-8, "{shape}");
        }
    }
}

/// A disc that rolls in a circle keeps its tilt if speed, tilt and circle fit; its energy is kept in any case.
#[test]
fn a_tumbling_disc_keeps_its_energy_and_its_contact() {
    let (m, r) = (1.0, 0.5);
    let settings = Settings {
        end: 10.0,
        step: 0.05,
        tolerance: 1e-9,
        gravity: [0.0, 0.0, -9.81],
        ..Settings::default()
    };
    let text = settings.frame()
        + &triad("ground", "world", [0.0; 3])
        + &format!(
            "Body \"b\" {{ Parent = world; Joint = F; Mass = {m}; Inertia = {0}, 0, 0, {0}, 0, {1}; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; }}\n",
            0.25 * m * r * r,
            0.5 * m * r * r
        )
        + &triad("c", "b", [0.0; 3])
        + &joint(
            "Free",
            "F",
            "ground",
            "c",
            "Qinit = 0, 0, 0.46, 1.2, 0, 0; QDinit = 0, 0, 0, 0, 0, 6; AngleType = cardan;",
        )
        + &format!(
            "Rolling \"R\" {{ TriadFrom = ground; TriadTo = c; Radius = {r}; Shape = disc; }}\n"
        );
    for solver in ["de", "odeint_rk", "stiff"] {
        let outcome = run(&text.replace("Solver = de;", &format!("Solver = {solver};"))).complete();
        let gap = outcome.summary.balance.relative_gap();
        assert!(gap < 1e-6, "{solver}: {gap}");
        let (gap, rate) = residuals(&outcome);
        assert!(gap < 1e-10 && rate < 1e-9, "{solver}: {gap} {rate}");
    }
}

/// Springs, dampers, friction and locks act in joints that close loops as in joints of the tree: the same
/// mechanism with another cut.
#[test]
fn forces_friction_and_locks_act_in_loop_joints() {
    let options = [
        "Damping = 0.3;",
        "Stiffness = 5; QRest = 0.4;",
        "Friction = 0.8;",
        "LowerLimit = -1.2; StopStiffness = 100; StopDamping = 1;",
        "Locked = yes;",
    ];
    let settings = Settings {
        solver: "derf",
        signals: "arm.x, arm.y, fore.x, fore.y, fore.wz".into(),
        end: 3.0,
        step: 0.25,
        tolerance: 1e-10,
        ..Settings::default()
    };
    let start = |q: f64| format!("Qinit = {q};");
    for option in options {
        // A double pendulum, by its joints or as two free bodies that loop joints hold.
        let tree = settings.frame()
            + &triad("O", "world", [0.0; 3])
            + &rod("arm", "world", "J1", 1.0, 0.7)
            + &rod("fore", "arm", "J2", 1.5, 0.5)
            + &joint("Revolute", "J1", "O", "arm_start", &start(0.3))
            + &joint("Revolute", "J2", "arm_end", "fore_start", &format!("Qinit = 0.2; {option}"));
        let (x, y) = (0.7 * 0.3f64.cos(), 0.7 * 0.3f64.sin());
        let looped = settings.frame()
            + &triad("O", "world", [0.0; 3])
            + &rod("arm", "world", "J1", 1.0, 0.7)
            + &rod("fore", "world", "F", 1.5, 0.5)
            + &joint("Revolute", "J1", "O", "arm_start", &start(0.3))
            + &joint("Planar", "F", "O", "fore_start", &format!("Qinit = {x}, {y}, 0.5;"))
            + &joint(
                "Revolute",
                "L",
                "arm_end",
                "fore_start",
                &format!("Role = loop; Qinit = 0.2; {option}"),
            );
        let (a, b) = (run(&tree).complete(), run(&looped).complete());
        for (a, b) in a.table("csv").rows.iter().zip(&b.table("csv").rows) {
            for (column, (a, b)) in a.iter().zip(b).enumerate() {
                // Events are found to the tolerance; between them errors grow a thousandfold at most.
                assert!((a - b).abs() < 1e-6, "{option} column {column}: {a} {b}");
            }
        }
    }
}

/// A motion of any coordinate, also of joints whose states are quaternions, and of loop joints.
#[test]
fn motions_of_all_kinds_are_followed() {
    let cases = [
        ("Prismatic", "", "0.1*sin(3*t)"),
        ("Cylindrical", "", "t, 0.2*t^2"),
        ("Universal", "", "0.4*sin(2*t), 0.3*t"),
        ("Spherical", "AngleType = cardan;", "0.4*sin(2*t), 0.3*t, 0.2*cos(t)"),
        ("Free", "AngleType = cardan;", "t, t^2, 0.1*sin(t), 0.4*sin(2*t), 0.3*t, 0.2*cos(t)"),
        ("Planar", "", "sin(t), 0.1*t, 2*t"),
    ];
    for (kind, more, motion) in cases {
        for role in ["tree", "loop"] {
            let count = motion.split(", ").count();
            let signals: Vec<String> = (1..=count)
                .flat_map(|k| [format!("J.q[{k}]"), format!("J.qd[{k}]"), format!("J.qdd[{k}]")])
                .collect();
            let settings = Settings {
                signals: signals.join(", "),
                end: 1.0,
                step: 0.1,
                tolerance: 1e-9,
                ..Settings::default()
            };
            let base = settings.frame() + &triad("O", "world", [0.0; 3]);
            let text = match role {
                "tree" => {
                    base + &rod("b", "world", "J", 1.0, 0.7)
                        + &joint(kind, "J", "O", "b_start", more)
                }
                _ => {
                    base + &rod("b", "world", "F", 1.0, 0.7)
                        + &joint("Free", "F", "O", "b_start", "")
                        + &joint(kind, "J", "O", "b_start", &format!("Role = loop; {more}"))
                }
            } + &format!("Motion \"M\" {{ Joint = J; Q = {motion}; }}\n");
            let outcome = run(&text).complete();
            let gap = outcome.summary.balance.relative_gap();
            assert!(gap < 1e-6, "{kind} {role}: {gap}");
            let table = outcome.table("csv");
            let value = |k: usize, t: f64| match motion.split(", ").nth(k) {
                Some("0.1*sin(3*t)") => 0.1 * (3.0 * t).sin(),
                Some("t") => t,
                Some("t^2") => t * t,
                Some("0.2*t^2") => 0.2 * t * t,
                Some("0.1*t") => 0.1 * t,
                Some("2*t") => 2.0 * t,
                Some("0.3*t") => 0.3 * t,
                Some("sin(t)") => t.sin(),
                Some("0.1*sin(t)") => 0.1 * t.sin(),
                Some("0.4*sin(2*t)") => 0.4 * (2.0 * t).sin(),
                Some("0.2*cos(t)") => 0.2 * t.cos(),
                other => panic!("{other:?}"),
            };
            // Central differences: round-off / h^2 and h^2 / 12 times derivatives below ten.
            let h = 1e-4;
            for row in &table.rows {
                for k in 0..count {
                    let at = |s: f64| value(k, row[0] + s);
                    let rate = (at(h) - at(-h)) / (2.0 * h);
                    let second = (at(h) - 2.0 * at(0.0) + at(-h)) / (h * h);
                    let [q, qd, qdd] = [row[1 + 3 * k], row[2 + 3 * k], row[3 + 3 * k]];
                    assert!((q - at(0.0)).abs() < 1e-10, "{kind} {role} {k}: {q} {}", at(0.0));
                    assert!((qd - rate).abs() < 1e-7, "{kind} {role} {k}: {qd} {rate}");
                    assert!((qdd - second).abs() < 1e-6, "{kind} {role} {k}: {qdd} {second}");
                }
            }
        }
    }
}
