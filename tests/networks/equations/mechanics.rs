//! Equations and bodies: rates of what the mechanics tells, and bodies that find their mothers.

use super::{FINE, agree, near, solve, table};
use dysim_tests::circuits::Setting;

pub(super) const FRAME: &str = "Orientation = 0, 0, 0; AngleType = euler; Degrees = rad;";

/// Two arms, the second on the first, whose bodies may leave out what carries them.
pub(super) fn arms(parents: bool) -> String {
    let parent = |name: &str| if parents { format!("Parent = {name};") } else { String::new() };
    let body = |name: &str, mother: &str| {
        format!(
            "Body \"{name}\" {{ {} Joint = J{name}; Mass = 1; Inertia = 0.1, 0, 0, 0.1, 0, 0.1; CGFramePosition = 0, 0, -0.5; \
             CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }} \
             Triad \"{name}1\" {{ Parent = {name}; Position = 0, 0, 0; {FRAME} }} \
             Triad \"{name}2\" {{ Parent = {name}; Position = 0, 0, -1; {FRAME} }} ",
            parent(mother)
        )
    };
    let joint = |name: &str, from: &str| {
        format!(
            "Revolute \"J{name}\" {{ Parent = {name}; TriadFrom = {from}; TriadTo = {name}1; JointAxis = 0, 1, 0; \
             JointPoint = 0, 0, 0; Qinit = 1; QDinit = 0.2; Degrees = rad; }} "
        )
    };
    format!(
        "Triad \"w\" {{ Parent = world; Position = 0, 0, 0; {FRAME} }} {}{}{}{}",
        body("a", "world"),
        body("b", "a"),
        joint("a", "w"),
        joint("b", "a2")
    )
}

#[test]
fn a_body_finds_its_mother_by_its_joint() {
    let [given, found] = [true, false].map(|parents| table(1.0, 0.1, &arms(parents)));
    assert_eq!(given.rows, found.rows);
}

/// Rates of coordinates and places, of functions of them, and of variables that equal them.
#[test]
fn the_mechanics_tells_rates() {
    let text = arms(true)
        + "Variable \"w\" { } Variable \"s\" { } Variable \"p\" { } Variable \"q\" { } Variable \"r\" { } Variable \"k\" { } \
           Equations \"e\" { w = der(Ja.q); s = der(sin(Ja.q)*t); p = der(b.x); q = Ja.q; r = der(q); k = der(b2.x); } \
           Variable \"acc\" { } Variable \"d2\" { } Equations \"f\" { acc = der(der(Jb.q)); d2 = der(der(cos(Ja.q))); } \
           Signal \"wJ\" { Value = Ja.qd; } Signal \"sJ\" { Value = cos(Ja.q)*Ja.qd*t + sin(Ja.q); } Signal \"pJ\" { Value = b.vx; } \
           Signal \"kJ\" { Value = b2.vx; } Signal \"accJ\" { Value = Jb.qdd; } \
           Signal \"d2J\" { Value = -sin(Ja.q)*Ja.qdd - cos(Ja.q)*Ja.qd^2; }";
    let table = table(1.0, 0.1, &text);
    // All are read at the same instant; the accelerations come out of one more solution of linear equations.
    for (told, found) in [("wJ", "w"), ("wJ", "r"), ("sJ", "s"), ("pJ", "p"), ("kJ", "k")] {
        agree(&table, told, found, 1e-12);
    }
    agree(&table, "accJ", "acc", 1e-9);
    agree(&table, "d2J", "d2", 1e-9);
}

/// A spring between a body and the world by equations alone.
#[test]
fn a_variable_drives_a_joint() {
    let force = "JointForce \"F\" { Joint1D = Ja; Value = u; } Variable \"u\" { } Equations \"e\" { u + 5*Ja.q = -2*Ja.qd; }";
    let plain =
        "JointForce \"F\" { Joint1D = Ja; Value = -5*Ja.q - 2*Ja.qd; } Function \"f\" { y = 1; }";
    let [by_equations, by_force] = [force, plain].map(|more| table(1.0, 0.1, &(arms(true) + more)));
    for row in 0..=10 {
        let t = 0.1 * f64::from(row);
        near(&by_equations, t, "Ja.q", by_force.at(t, "Ja.q"), 1e-9);
    }
}

/// What sits on the shaft of a joint may sit behind a port or a gear that only turns the sign: the joint keeps its coordinate.
/// A storage behind them once gave the shaft its own initial value.
#[test]
fn a_joint_keeps_its_coordinate_behind_ports_and_gears() {
    let ways = [
        ("", "sh", 1.0),
        ("Port \"d\" { Domain = rotational; Node = sh; }", "d", 1.0),
        ("Gear \"g\" { a = sh; b = d; Ratio = -1; }", "d", -1.0),
        (
            "Port \"p\" { Domain = rotational; Node = sh; } Gear \"g\" { a = p; b = n; Ratio = 1; } \
             Port \"d\" { Domain = rotational; Node = n; }",
            "d",
            1.0,
        ),
    ];
    let loads = [
        "Inertia \"l\" { a = NODE; J = 0.3; }",
        "Friction \"l\" { a = base; b = NODE; Rmax = 1; }",
        "Friction \"l\" { a = base; b = NODE; Rmax = 40; }",
        "Inertia \"l\" { a = NODE; J = 0.1; } TorsionSpring \"s\" { a = base; b = NODE; c = 8; d = 0.3; } \
         Friction \"f\" { a = base; b = NODE; Rmax = 0.2; }",
    ];
    for solver in ["derf", "stiff"] {
        for load in loads {
            let run = |(before, node, _): (&str, &str, f64)| {
                let text = format!(
                    "{} JointAxis \"A\" {{ flange = sh; Joint = Ja; }} {before} {}",
                    arms(true),
                    load.replace("NODE", node)
                );
                let setting = Setting { solver, end: 1.0, step: 0.1, tolerance: FINE };
                solve(setting, &text).table("csv")
            };
            let plain = run(ways[0]);
            near(&plain, 0.0, "Ja.q", 1.0, 1e-15);
            for way in &ways[1..] {
                let found = run(*way);
                for row in 0..=10 {
                    let t = 0.1 * f64::from(row);
                    let q = plain.at(t, "Ja.q");
                    let names = ["Ja.q", "A.q", "sh.phi"].map(|name| (name, q));
                    let shaft = (&*format!("{}.phi", way.1), way.2 * q);
                    for (name, expected) in names.into_iter().chain([shaft]) {
                        near(&found, t, name, expected, 1e-7);
                    }
                }
            }
        }
    }
}
