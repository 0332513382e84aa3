//! Shafts on moving bodies, against the same systems with rotors as bodies of their own.

use super::arms::{ARMS, FINE, distance, second, solved, two_arms};
use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::Table;

/// Moments of inertia of the rotor about its axis and across it, kg m^2.
const ALONG: f64 = 0.1;
const ACROSS: f64 = 0.06;

/// A rotor on the first arm turns with the second joint, 1 : 1, about an axis of its own.
fn carried(axis: [f64; 3], turn: &str) -> Text {
    let [x, y, z] = axis;
    two_arms(second(), turn, ["", ""])
        .with("JointAxis \"axis\" { flange = s; Joint = J2; }")
        .with(&format!(
            "Inertia \"rotor\" {{ a = s; J = {ALONG}; MountedOn = arm1; MountAxis = {x}, {y}, {z}; }}"
        ))
        .with("TorqueSource \"motor\" { a = s; Tau = 2*sin(3*t); }")
        .with(ARMS)
}

/// The same with a body for the rotor. The first arm gives it the inertia that it counts as its own.
fn bodies(axis: [f64; 3], turn: &str) -> Text {
    let [x, y, z] = axis;
    let moments = axis.map(|n| if n == 1.0 { ALONG } else { ACROSS });
    let left: Vec<f64> =
        [0.2, 0.3, 0.25].iter().zip(moments).map(|(own, part)| own - part).collect();
    let text = two_arms(second(), turn, ["", ""])
        .joint(
            "Revolute",
            ["JR", "arm1", "wheel"],
            [0.0, 0.0, -0.5],
            &format!("JointAxis = {x}, {y}, {z}; JointPoint = 0, 0, 0; Qinit = -0.7; QDinit = -0.5; Degrees = rad;"),
        )
        .body(["wheel", "arm1", "JR"], 0.0, moments, [0.0; 3])
        .with("Coupling \"same\" { Joint1 = JR; Joint2 = J2; Ratio = 1; }")
        .with("JointForce \"f\" { Joint1D = J2; Value = 2*sin(3*t); }")
        .with(ARMS);
    let [xx, yy, zz] = left[..] else { panic!("three moments") };
    let arm = "Inertia = 0.2, 0, 0, 0.3, 0, 0.25;";
    assert!(text.text().contains(arm));
    Text::default()
        .with(&text.text().replace(arm, &format!("Inertia = {xx:?}, 0, 0, {yy:?}, 0, {zz:?};")))
}

#[test]
fn a_mounted_shaft_is_a_rotor_with_a_body_of_its_own() {
    for turn in ["0, 1, 0", "1, 0, 0"] {
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            let (a, b) = (solved(&carried(axis, turn)), solved(&bodies(axis, turn)));
            let apart = distance(&a.table("csv"), &b.table("csv"));
            assert!(apart < 1e3 * FINE, "{axis:?} {turn}: {apart:e}");
        }
    }
}

/// The rotor belongs to a motor or generator on the first arm; its current makes the torque.
fn machine(keyword: &str, axis: [f64; 3], turn: &str) -> Text {
    let [x, y, z] = axis;
    two_arms(second(), turn, ["", ""])
        .with("JointAxis \"axis\" { flange = s; Joint = J2; }")
        .with(&format!(
            "{keyword} \"motor\" {{ p = p; n = gnd; shaft = s; R = 1; k = 0.5; J = {ALONG}; MountedOn = arm1; \
             MountAxis = {x}, {y}, {z}; }}"
        ))
        .with("CurrentSource \"I\" { p = gnd; n = p; I = 4*sin(3*t); }")
        .with(ARMS)
}

#[test]
fn the_rotor_of_a_machine_is_a_body_of_its_own() {
    for keyword in ["Motor", "Generator"] {
        for axis in [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
            let turn = "1, 0, 0";
            let (a, b) = (solved(&machine(keyword, axis, turn)), solved(&bodies(axis, turn)));
            let apart = distance(&a.table("csv"), &b.table("csv"));
            assert!(apart < 1e3 * FINE, "{keyword} {axis:?}: {apart:e}");
            // The power of the rotor counts what the moving arm asks of it.
            let gap = a.summary.balance.relative_power_gap().unwrap_or(1.0);
            assert!(gap < 1e-12, "{keyword} {axis:?}: powers add up to {gap:e}");
        }
    }
}

#[test]
fn the_power_of_a_mounted_shaft_is_that_of_its_torque() {
    let outcome = solved(&carried([0.0, 1.0, 0.0], "1, 0, 0"));
    let gap = outcome.summary.balance.relative_power_gap().unwrap_or(1.0);
    assert!(gap < 1e-12, "powers add up to {gap:e}");
}

/// A body floats freely; a motor inside it speeds a rotor up. Its angular momentum in the world and the energy less
/// the work of the motor stay what they were.
#[test]
fn a_reaction_wheel_keeps_the_angular_momentum() {
    let tensor = [0.5, 0.7, 0.9];
    let text = Text::new([0.0; 3], Run::new("derf", FINE, 2.0, 0.02))
        .joint(
            "Free",
            ["F", "world", "craft"],
            [0.0; 3],
            "Qinit = 0, 0, 0, 0, 0, 0; QDinit = 0, 0, 0, 0.3, -0.2, 0.5; AngleType = cardan; Degrees = rad;",
        )
        .body(["craft", "world", "F"], 2.0, tensor, [0.0; 3])
        .with("Inertia \"wheel\" { a = s; J = 0.05; Winit = 20; MountedOn = craft; MountAxis = 0.6, 0, 0.8; }")
        .with("TorqueSource \"motor\" { a = s; Tau = 0.8*sin(4*t); }")
        .with(
            "Output \"o\" { Signals = F.q[4], F.q[5], F.q[6], craft.wx, craft.wy, craft.wz, craft.ekin, wheel.w, motor.power; Files = csv; }",
        );
    let outcome = solved(&text);
    let table = outcome.table("csv");
    let momentum = |row: &[f64]| {
        let of = |name: &str| row[table.index(name)];
        let angles = [of("F.q[4]"), of("F.q[5]"), of("F.q[6]")];
        let world = [of("craft.wx"), of("craft.wy"), of("craft.wz")];
        let turned = cardan(angles);
        let own: Vec<f64> = (0..3).map(|k| (0..3).map(|j| turned[j][k] * world[j]).sum()).collect();
        let spin = 0.05 * of("wheel.w");
        let axis = [0.6, 0.0, 0.8];
        let inside: Vec<f64> = (0..3).map(|k| tensor[k] * own[k] + spin * axis[k]).collect();
        let outside: Vec<f64> =
            (0..3).map(|k| (0..3).map(|j| turned[k][j] * inside[j]).sum()).collect();
        let along: f64 = (0..3).map(|k| axis[k] * own[k]).sum();
        // Of the rotor's energy the body has J (n omega)^2/2 already.
        let energy = of("craft.ekin") + 0.5 * 0.05 * of("wheel.w").powi(2) + spin * along;
        (outside, energy)
    };
    let (first, _) = momentum(&table.rows[0]);
    let size = first.iter().map(|x| x.abs()).fold(0.0, f64::max);
    for row in &table.rows {
        let (now, _) = momentum(row);
        for k in 0..3 {
            assert!((now[k] - first[k]).abs() < 1e3 * FINE * size, "{now:?} {first:?}");
        }
    }
    check_energy(&table, momentum);
}

/// Energy less the work of the motor, the power times the time by Simpson's rule over two rows.
fn check_energy(table: &Table, balance: impl Fn(&[f64]) -> (Vec<f64>, f64)) {
    let power = table.index("motor.power");
    let energies: Vec<f64> = table.rows.iter().map(|row| balance(row).1).collect();
    let mut work = 0.0;
    for k in (2..table.rows.len()).step_by(2) {
        // The power flows into the source; its fourth derivative is about 4^4 * 16 W/s^4: 2 s * h^4/180 * that.
        let p = |at: usize| -table.rows[at][power];
        work += 0.02 / 3.0 * (p(k - 2) + 4.0 * p(k - 1) + p(k));
        let gap = energies[k] - energies[0] - work;
        assert!(gap.abs() < 2.0 * 0.02_f64.powi(4) / 180.0 * 5e3, "row {k}: {gap:e}");
    }
}

/// The rotation matrix of Cardan angles: about x, then the new y, then the new z.
fn cardan([a, b, c]: [f64; 3]) -> [[f64; 3]; 3] {
    let ((sa, ca), (sb, cb), (sc, cc)) = (a.sin_cos(), b.sin_cos(), c.sin_cos());
    [
        [cb * cc, -cb * sc, sb],
        [ca * sc + sa * sb * cc, ca * cc - sa * sb * sc, -sa * cb],
        [sa * sc - ca * sb * cc, sa * cc + ca * sb * sc, ca * cb],
    ]
}
