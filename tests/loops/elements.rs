//! Rods, couplings, shafts, rolling bodies, motions, and forces in loop joints.

use dysim_tests::mechanisms::{Settings, joint, residuals, rod, triad};
use dysim_tests::simulate::run;

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
