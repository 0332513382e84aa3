//! Joint rates that are set: what an impulse does to all other rates.

use super::{G, chain, jumps, near, solve, with_columns};
use dysim_tests::simulate::{Table, run};

/// Round-off of a solution with the mass matrix of a few bodies.
const EXACT: f64 = 1e-11;

/// The rows before and behind the first jump of a column.
fn around<'t>(table: &'t Table, column: &str) -> [&'t [f64]; 2] {
    let place = table.index(column);
    let pair = table.rows.windows(2).find(|p| p[0][0] == p[1][0] && p[0][place] != p[1][place]);
    let pair = pair.unwrap_or_else(|| panic!("{column} does not jump"));
    [&pair[0], &pair[1]]
}

/// Two rods of lengths a and b; the second angle is relative. Mass matrix of the textbook, with rods of 1 kg/m:
/// M22 = b^3/3, M12 = M22 + b a b/2 cos q2, M11 = a^3/3 + b (a^2 + a b cos q2) + M22.
fn mass(a: f64, b: f64, q2: f64) -> [[f64; 2]; 2] {
    let m22 = b.powi(3) / 3.0;
    let m12 = m22 + 0.5 * b * b * a * q2.cos();
    let m11 = a.powi(3) / 3.0 + b * (a * a + a * b * q2.cos()) + m22;
    [[m11, m12], [m12, m22]]
}

const RODS: [(&str, f64, f64, f64); 2] = [("a", 0.8, 0.4, 1.0), ("b", 0.6, -0.9, -2.0)];

fn with_when(lines: &str, more: &str) -> String {
    format!("{}{more} When \"kick\" {{ Condition = t >= 0.25; {lines} }}\n", chain(&RODS, ""))
}

#[test]
fn an_impulse_on_one_joint_of_a_double_pendulum_moves_the_other() {
    let table = solve(0.5, 0.05, &with_when("Set { Ja.qd = 3; }", "")).table("csv");
    let [before, behind] = around(&table, "Ja.qd");
    let at = |row: &[f64], name: &str| row[table.index(name)];
    assert_eq!(at(behind, "Ja.qd"), 3.0);
    assert_eq!(at(behind, "Ja.q"), at(before, "Ja.q"));
    // M dv = (p, 0): the second row says dv2 = - M12/M22 dv1.
    let [[_, m12], [_, m22]] = mass(0.8, 0.6, at(before, "Jb.q"));
    let change = |name: &str| at(behind, name) - at(before, name);
    near(change("Jb.qd"), -m12 / m22 * change("Ja.qd"), EXACT);
}

#[test]
fn an_impulse_inside_a_pendulum_keeps_the_angular_momentum_about_its_pivot() {
    let columns = "Ja.q, Jb.q, Jb.qd, a.x, a.z, a.vx, a.vz, a.wy, b.x, b.z, b.vx, b.vz, b.wy";
    let model = super::text("derf", 0.5, 0.05, &with_when("Set { Jb.qd = 5; }", ""));
    let table = run(&with_columns(&model, columns)).complete().table("csv");
    let [before, behind] = around(&table, "Jb.qd");
    assert_eq!(behind[table.index("Jb.qd")], 5.0);
    // About y: sum of m (z vx - x vz) + I w, with the centres half way along the rods.
    let momentum = |row: &[f64]| -> f64 {
        let at = |name: String| row[table.index(&name)];
        let rods = RODS.iter().map(|(name, length, ..)| {
            let of = |what: &str| at(format!("{name}.{what}"));
            let angle = match *name {
                "a" => at("Ja.q".into()),
                _ => at("Ja.q".into()) + at("Jb.q".into()),
            };
            // A turn by the angle about y takes x to (cos, 0, -sin).
            let (x, z) = (0.5 * length * angle.cos(), -0.5 * length * angle.sin());
            let w = of("wy");
            let (cx, cz) = (of("x") + x, of("z") + z);
            let (vx, vz) = (of("vx") + w * z, of("vz") - w * x);
            length * (cz * vx - cx * vz) + length.powi(3) / 12.0 * w
        });
        rods.sum()
    };
    near(momentum(behind), momentum(before), EXACT);
}

#[test]
fn several_rates_at_once_all_get_their_values() {
    let table =
        solve(0.5, 0.05, &with_when("Set { Ja.qd = Jb.qd; Jb.qd = Ja.qd; }", "")).table("csv");
    let [before, behind] = around(&table, "Ja.qd");
    let (a, b) = (table.index("Ja.qd"), table.index("Jb.qd"));
    assert_eq!([behind[a], behind[b]], [before[b], before[a]]);
}

#[test]
fn without_an_impulse_only_the_number_changes() {
    let table = solve(0.5, 0.05, &with_when("Impulse = no; Set { Ja.qd = 3; }", "")).table("csv");
    let [before, behind] = around(&table, "Ja.qd");
    let (a, b) = (table.index("Ja.qd"), table.index("Jb.qd"));
    assert_eq!(behind[a], 3.0);
    assert_eq!(behind[b], before[b]);
}

#[test]
fn a_position_that_is_set_moves_nothing_else() {
    let table = solve(0.5, 0.05, &with_when("Set { Ja.q = Ja.q + 1; }", "")).table("csv");
    let [before, behind] = around(&table, "Ja.q");
    let at = |row: &[f64], name: &str| row[table.index(name)];
    assert_eq!(at(behind, "Ja.q"), at(before, "Ja.q") + 1.0);
    for name in ["Jb.q", "Ja.qd", "Jb.qd"] {
        assert_eq!(at(behind, name), at(before, name), "{name}");
    }
}

/// A crank-rocker linkage; `D` closes the loop.
const LINKAGE: &str = r#"
    Triad "A_0" { Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Triad "A_1" { Parent = crank; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Triad "B_0" { Parent = crank; Position = 0.3, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Triad "B_1" { Parent = coupler; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Triad "C_0" { Parent = rocker; Position = 0.7, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Triad "C_1" { Parent = coupler; Position = 0.9, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Triad "D_0" { Parent = world; Position = 1, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Triad "D_1" { Parent = rocker; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Revolute "A" { Parent = crank; TriadFrom = A_0; TriadTo = A_1; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = -1; QDinit = 2; Degrees = rad; Fixed = yes; }
    Revolute "B" { Parent = coupler; TriadFrom = B_0; TriadTo = B_1; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 0.6; QDinit = 0; Degrees = rad; }
    Revolute "D" { Parent = rocker; TriadFrom = D_0; TriadTo = D_1; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = -1.6; QDinit = 0; Degrees = rad; }
    Revolute "C" { Role = loop; TriadFrom = C_0; TriadTo = C_1; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; Degrees = rad; }
    Body "crank" { Parent = world; Joint = A; Mass = 0.3; Inertia = 0.001, 0, 0, 0.00225, 0, 0.00225; CGFramePosition = 0.15, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Body "coupler" { Parent = crank; Joint = B; Mass = 0.9; Inertia = 0.001, 0, 0, 0.06075, 0, 0.06075; CGFramePosition = 0.45, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Body "rocker" { Parent = world; Joint = D; Mass = 0.7; Inertia = 0.001, 0, 0, 0.0286, 0, 0.0286; CGFramePosition = 0.35, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
"#;

/// A linkage has one freedom: whichever rate is doubled and turned round, all others are.
#[test]
fn an_impulse_on_any_joint_of_a_linkage_turns_the_whole_linkage_round() {
    for joint in ["A", "B", "C", "D"] {
        let when = format!(
            "When \"back\" {{ Condition = t >= 0.2; Set {{ {joint}.qd = -2*{joint}.qd; }} }}"
        );
        let columns = "A.q, B.q, C.q, D.q, A.qd, B.qd, C.qd, D.qd, coupler.vx, rocker.wy";
        let model = super::text("derf", 0.4, 0.02, &format!("{LINKAGE}{when}"));
        let outcome = run(&with_columns(&model, columns)).complete();
        let table = outcome.table("csv");
        let [before, behind] = around(&table, "A.qd");
        for name in ["A.qd", "B.qd", "C.qd", "D.qd", "coupler.vx", "rocker.wy"] {
            let at = table.index(name);
            // The loop keeps its rates to 1e-12 beside speeds of a few metres per second.
            near(behind[at], -2.0 * before[at], 1e-10);
        }
        for name in ["A.q", "B.q", "C.q", "D.q"] {
            let at = table.index(name);
            near(behind[at], before[at], 1e-10);
        }
        assert!(outcome.summary.balance.relative_gap() < 1e-7, "{joint}");
    }
}

/// The position of one joint is set: the loop closes again with that value, on the same branch.
#[test]
fn a_loop_closes_again_when_a_coordinate_is_set() {
    for (joint, value) in [("A", -0.7), ("D", -1.62), ("C", 1.0)] {
        let shift = if joint == "C" { "C.q + 0.1".to_string() } else { format!("{value:?}") };
        let when = format!("When \"w\" {{ Condition = t >= 0.1; Set {{ {joint}.q = {shift}; }} }}");
        let outcome = solve(0.12, 0.02, &format!("{LINKAGE}{when}"));
        let table = outcome.table("csv");
        let column = format!("{joint}.q");
        let [before, behind] = around(&table, &column);
        let at = |row: &[f64], name: &str| row[table.index(name)];
        let wanted = if joint == "C" { at(before, "C.q") + 0.1 } else { value };
        near(at(behind, &column), wanted, 1e-10);
        // The end of the coupler is the end of the rocker: both ways round lead to the same point.
        let (a, b, d) = (at(behind, "A.q"), at(behind, "B.q"), at(behind, "D.q"));
        let x = 0.3 * a.cos() + 0.9 * (a + b).cos() - 1.0 - 0.7 * d.cos();
        let z = 0.3 * a.sin() + 0.9 * (a + b).sin() - 0.7 * d.sin();
        assert!(x.hypot(z) < 1e-10, "{joint}: {x:e} {z:e}");
    }
}

/// Two rates of a linkage that contradict each other cannot be set.
#[test]
fn rates_that_a_loop_ties_together_cannot_differ() {
    let when = "When \"w\" { Condition = t >= 0.1; Set { A.qd = 1; D.qd = 40; } }";
    let outcome = run(&super::text("derf", 0.3, 0.1, &format!("{LINKAGE}{when}")));
    let found = outcome.failure();
    assert_eq!(found.code, "S207");
    assert!(found.message.contains("`A.qd` = 1, `D.qd` = 40"), "{}", found.message);
}

/// The rate of one angle of a free body is set: the momenta that belong to the other angles stay.
#[test]
fn an_impulse_on_an_angle_keeps_the_momenta_of_the_others() {
    let body = r#"
        Triad "base" { Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
        Triad "centre" { Parent = body; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
        Spherical "S" { Parent = body; TriadFrom = base; TriadTo = centre; AngleType = cardan; Qinit = 0.3, -0.5, 0.8; QDinit = 0.5, 1, -2; Degrees = rad; }
        Body "body" { Parent = world; Joint = S; Mass = 1; Inertia = 0.2, 0, 0, 0.3, 0, 0.4; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
        When "w" { Condition = t >= 0.2; Set { S.qd[2] = 4; } }
    "#;
    let table = solve(0.4, 0.05, body).table("csv");
    let [before, behind] = around(&table, "S.qd[2]");
    near(behind[table.index("S.qd[2]")], 4.0, EXACT);
    // With D = Dx(a) Dy(b) Dz(c) the angular velocity in the body is C rates, columns Dz^T Dy^T ex, Dz^T ey, ez.
    let momenta = |row: &[f64]| -> [f64; 3] {
        let q = |k: usize| row[table.index(&format!("S.q[{k}]"))];
        let qd = |k: usize| row[table.index(&format!("S.qd[{k}]"))];
        let (b, c) = (q(2), q(3));
        let columns = [
            [b.cos() * c.cos(), -b.cos() * c.sin(), b.sin()],
            [c.sin(), c.cos(), 0.0],
            [0.0, 0.0, 1.0],
        ];
        let omega = [0, 1, 2].map(|i| (0..3).map(|k| columns[k][i] * qd(k + 1)).sum::<f64>());
        let spin = [0.2 * omega[0], 0.3 * omega[1], 0.4 * omega[2]];
        columns.map(|column| column.iter().zip(spin).map(|(c, l)| c * l).sum())
    };
    let (p, after) = (momenta(before), momenta(behind));
    near(after[0], p[0], EXACT);
    near(after[2], p[2], EXACT);
    assert!((after[1] - p[1]).abs() > 0.1, "the impulse itself");
}

/// A rotor behind a rigid gear takes part: M11 grows by ratio^2 times its inertia, and its speed follows the joint.
#[test]
fn a_rigid_drive_answers_an_impulse_with_its_rotor() {
    let (ratio, rotor) = (-7.0, 0.02);
    let drive = format!(
        "JointAxis \"axis\" {{ flange = load; Joint = Ja; }}\n\
         Gear \"gear\" {{ a = shaft; b = load; Ratio = {ratio:?}; }}\n\
         Inertia \"rotor\" {{ a = shaft; J = {rotor:?}; }}\n"
    );
    let table = solve(0.5, 0.05, &with_when("Set { Jb.qd = 5; }", &drive)).table("csv");
    let [before, behind] = around(&table, "Jb.qd");
    let at = |row: &[f64], name: &str| row[table.index(name)];
    let change = |name: &str| at(behind, name) - at(before, name);
    let [[m11, m12], _] = mass(0.8, 0.6, at(before, "Jb.q"));
    // The first row has no impulse: dv1 = - M12/(M11 + i^2 J) dv2.
    near(change("Ja.qd"), -m12 / (m11 + ratio * ratio * rotor) * change("Jb.qd"), EXACT);
    near(at(behind, "rotor.w"), ratio * at(behind, "Ja.qd"), EXACT);
}

/// An elastic drive keeps the speed of its rotor.
#[test]
fn an_elastic_drive_does_not_notice_an_impulse_at_once() {
    let drive = "JointAxis \"axis\" { flange = load; Joint = Ja; }\n\
         TorsionSpring \"shaft\" { a = motor; b = load; c = 50; d = 0.1; }\n\
         Inertia \"rotor\" { a = motor; J = 0.02; Winit = 1; }\n";
    let table = solve(0.5, 0.05, &with_when("Set { Ja.qd = 3; }", drive)).table("csv");
    let [before, behind] = around(&table, "Ja.qd");
    let at = |row: &[f64], name: &str| row[table.index(name)];
    near(at(behind, "rotor.w"), at(before, "rotor.w"), 1e-14);
    let [[_, m12], [_, m22]] = mass(0.8, 0.6, at(before, "Jb.q"));
    let change = |name: &str| at(behind, name) - at(before, name);
    near(change("Jb.qd"), -m12 / m22 * change("Ja.qd"), EXACT);
}

/// A joint that sticks is torn loose by an impulse, and slides until friction has stopped it: v/(g mu) later.
#[test]
fn an_impulse_tears_a_joint_loose_that_sticks() {
    let block = format!(
        "Triad \"base\" {{ Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}\n\
         Triad \"centre\" {{ Parent = block; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}\n\
         Prismatic \"J\" {{ Parent = block; TriadFrom = base; TriadTo = centre; JointAxis = 1, 0, 0; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 0; Friction = {0:?}, {0:?}; }}\n\
         Body \"block\" {{ Parent = world; Joint = J; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}\n\
         When \"kick\" {{ Condition = t >= 0.5; Set {{ J.qd = 2; }} }}\n",
        0.5 * G
    );
    let table = solve(2.0, 0.1, &block).table("csv");
    assert_eq!(jumps(&table, "J.qd").first().map(|jump| jump.2), Some(2.0));
    let stop = 0.5 + 2.0 / (0.5 * G);
    super::compare(&table, "J.q", 1e-9, |t| {
        let s = (t.min(stop) - 0.5).max(0.0);
        2.0 * s - 0.25 * G * s * s
    });
}
