//! Many rigid drives on one tree: drives that act on their own joints alone become inertia of the joints, the others are solved
//! together.

use super::arms::{FINE, G, distance, solved};
use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::{Outcome, run};

/// More than become inertia.
const N: usize = 10;
const RATIO: f64 = 5.0;
const ROTOR: f64 = 0.01;

/// A chain of short links about axes that alternate; `joint` and `drive` give more for each number.
fn chain(time: f64, joint: impl Fn(usize) -> String, drive: impl Fn(usize) -> String) -> Text {
    let mut text = Text::new([0.0, 0.0, -G], Run::new("derf", FINE, time, time / 20.0));
    let mut mother = String::from("world");
    let mut signals = Vec::new();
    for i in 1..=N {
        let (name, link) = (format!("J{i}"), format!("link{i}"));
        let axis = if i % 2 == 0 { "1, 0, 0" } else { "0, 1, 0" };
        let angle = if i % 2 == 0 { 0.3 } else { -0.3 };
        let place = [0.0, 0.0, if i == 1 { 0.0 } else { -0.1 }];
        let more = joint(i);
        text = text
            .joint(
                "Revolute",
                [&name, &mother, &link],
                place,
                &format!("JointAxis = {axis}; Qinit = {angle}; QDinit = 0.2; {more}"),
            )
            .body([&link, &mother, &name], 0.5, [0.01; 3], [0.0, 0.0, -0.05])
            .with(&drive(i));
        signals.push(format!("J{i}.q, J{i}.qd, J{i}.qdd"));
        mother = link;
    }
    text.with(&format!("Output \"o\" {{ Signals = {}; Files = csv; }}", signals.join(", ")))
}

/// A geared rotor on joint i.
fn geared(i: usize) -> String {
    format!(
        "Inertia \"R{i}\" {{ a = s{i}; J = {ROTOR}; }}\n\
         Gear \"G{i}\" {{ a = s{i}; b = f{i}; Ratio = {RATIO}; }}\n\
         JointAxis \"A{i}\" {{ flange = f{i}; Joint = J{i}; }}\n"
    )
}

fn torque(i: usize) -> String {
    format!("0.1*sin(3*t + {i})")
}

/// The largest difference of accelerations, and that of the rest.
fn apart(a: &Outcome, b: &Outcome) -> f64 {
    distance(&a.table("csv"), &b.table("csv"))
}

#[test]
fn many_geared_rotors_are_the_rotors_of_their_joints() {
    let drives = chain(
        0.3,
        |_| String::new(),
        |i| geared(i) + &format!("TorqueSource \"T{i}\" {{ a = s{i}; Tau = {}; }}", torque(i)),
    );
    let reflected = RATIO * RATIO * ROTOR;
    let rotors = chain(
        0.3,
        |_| format!("RotorInertia = {reflected};"),
        |i| format!("JointForce \"T{i}\" {{ Joint1D = J{i}; Value = {RATIO}*{}; }}", torque(i)),
    );
    let apart = apart(&solved(&drives), &solved(&rotors));
    // Two integrations of one motion; accelerations up to 100 rad/s^2.
    assert!(apart < 1e5 * FINE, "{apart:e}");
}

/// Friction that first holds shafts, which are solved together then, and lets them go one by one: with dry friction c and
/// speeds of one sign a train is one with the torque c against it.
#[test]
fn drives_that_friction_lets_go_go_on_as_inertia() {
    let drives = chain(
        0.3,
        |_| String::new(),
        |i| {
            // Torques of gravity and motion exceed the limit soon.
            geared(i)
                + &format!("Friction \"F{i}\" {{ a = base; b = f{i}; Rmax = 0.03; Rv = 0.02; }}")
        },
    );
    let outcome = solved(&drives);
    assert!(outcome.summary.statistics.roots > 3, "{:?}", outcome.summary.statistics);
    let stiff = drives.text().replace("Solver = derf", "Solver = stiff");
    let other = run(&stiff);
    assert!(other.error.is_none());
    // The other method finds the same instants.
    let apart = apart(&outcome, &other);
    assert!(apart < 1e6 * FINE, "{apart:e}");
}

/// A torque that is no affine function of the acceleration: ports are solved together, and the law holds.
#[test]
fn what_is_no_inertia_is_solved_with_the_mechanics() {
    let drives = chain(
        0.2,
        |_| String::new(),
        |i| {
            geared(i)
                + &format!("TorqueSource \"T{i}\" {{ a = s{i}; Tau = -0.05*tanh(0.1*J{i}.qdd); }}")
        },
    );
    let outcome = run(&drives.text().replace("J10.qdd;", "J10.qdd, T3.tau;"));
    assert!(outcome.error.is_none(), "{:?}", outcome.error.map(|e| e.to_string()));
    let table = outcome.table("csv");
    for row in &table.rows {
        let (tau, a) = (row[table.index("T3.tau")], row[table.index("J3.qdd")]);
        let law = -0.05 * (0.1 * a).tanh();
        // Newton's iteration ends at 1e-11 of its unknowns, of a size of 100.
        assert!((tau - law).abs() < 1e-9, "{tau} {law}");
    }
}

/// Two joints that a gear couples feel each other's drive.
#[test]
fn coupled_drives_keep_their_ratio() {
    let drives = chain(
        0.2,
        |_| String::new(),
        |i| {
            let couples = "Gear \"K\" { a = f1; b = f2; Ratio = -1; }\n";
            geared(i) + if i == 2 { couples } else { "" }
        },
    );
    let outcome = solved(&drives);
    let table = outcome.table("csv");
    for row in &table.rows {
        let (q1, q2) = (row[table.index("J1.q")], row[table.index("J2.q")]);
        assert!((q1 + q2).abs() < 1e-10, "{q1} {q2}");
    }
}

/// Joints that are moved and held in all ways, and what the results show of their accelerations and loads; the dense
/// formulation solves the drives together.
fn assert_dense_agrees(drives: &Text, more: &str, events: u64) {
    let mut signals = String::from(more);
    for i in 1..=N {
        signals += &format!(
            ", J{i}.q, J{i}.qd, J{i}.qdd, J{i}.f, J{i}.fx, J{i}.fy, J{i}.fz, J{i}.tx, J{i}.ty, J{i}.tz, link{i}.ax, link{i}.az"
        );
    }
    let (before, _) = drives.text().split_once("Output \"o\"").unwrap_or_default();
    let text = format!("{before}Output \"o\" {{ Signals = {signals}; Files = csv; }}");
    let found = solved(&Text::default().with(&text));
    assert!(found.summary.statistics.roots >= events, "{:?}", found.summary.statistics);
    let dense = run(&text.replace("ScaleGrav = 1;", "ScaleGrav = 1; Formalism = dense;"));
    assert!(dense.error.is_none(), "{:?}", dense.error.map(|e| e.to_string()));
    assert_eq!(found.summary.statistics.roots, dense.summary.statistics.roots);
    let apart = apart(&found, &dense);
    // Accelerations, forces and torques up to some hundred.
    assert!(apart < 1e6 * FINE, "{apart:e}");
}

/// A train on joint i whose source moves the joints 1, 4 and 7.
fn moved(i: usize) -> String {
    let source = match i % 3 {
        1 => format!("SpeedSource \"V{i}\" {{ a = s{i}; W = {RATIO}*(0.2 + 0.4*sin(9*t)); }}\n"),
        _ => String::new(),
    };
    geared(i) + &source
}

/// Loads of joints and accelerations of bodies count the acceleration of a joint that a source moves once, and so does a
/// network that uses it as a signal; the source moves the rotor of the joint too.
#[test]
fn joints_that_sources_move_have_their_accelerations() {
    let filter = |i: usize| if i == 4 { "PT1 \"F4\" { u = J4.qdd; T = 0.05; }\n" } else { "" };
    let rotor = |i: usize| if i == 7 { "RotorInertia = 0.05;" } else { "" };
    let drives = chain(0.3, |i| rotor(i).into(), |i| moved(i) + filter(i));
    assert_dense_agrees(&drives, "F4.y, A4.tau, V7.tau, V7.power", 0);
}

/// The search for the instant at which dry friction lets a shaft go looks at the accelerations more than once where a joint
/// that friction of its own holds asks for them too.
#[test]
fn friction_lets_go_when_sources_move_joints() {
    let own = |i: usize| if i == N { "Friction = 50, 40; QDinit = 0;" } else { "" };
    let friction = |i: usize| match i {
        6 => "Friction \"C6\" { a = base; b = f6; Rmax = 0.6; Rv = 0.5; }\n",
        _ => "",
    };
    let drives = chain(
        0.4,
        |i| own(i).into(),
        |i| if i == N { String::new() } else { moved(i) + friction(i) },
    );
    let text = drives.text().replace("QDinit = 0.2; Friction", "Friction");
    assert_dense_agrees(&Text::default().with(&text), "C6.tau, C6.w", 1);
}

/// A mass on a circle beside the drives has other states in each quadrant, with which the ports stay closed.
#[test]
fn states_that_are_chosen_anew_are_those_of_the_run() {
    let circle = "I \"X\" { I = 2; } I \"Y\" { I = 2; Pinit = 2; }\n\
        Junction1 \"a\" {} Junction1 \"b\" {} MTF \"T\" { m = -x.y/y.y; }\n\
        Integrator \"x\" { u = X.f; yinit = cos(0.1); } Integrator \"y\" { u = Y.f; yinit = sin(0.1); }\n\
        Bond \"1\" { From = a; To = X; } Bond \"2\" { From = a; To = T; }\n\
        Bond \"3\" { From = T; To = b; } Bond \"4\" { From = b; To = Y; }\n";
    let drives =
        chain(3.0, |_| "Damping = 0.5;".into(), |i| geared(i) + if i == 1 { circle } else { "" });
    let text = drives.text().replace("J10.qdd;", "J10.qdd, x.y, y.y;");
    // With long steps an error of a state that is nearly singular would show.
    let outcome = run(&text.replace("Solver = derf", "Solver = stiff").replace("1e-11", "1e-8"));
    assert!(outcome.error.is_none());
    let table = outcome.table("csv");
    let speed = 1.0 / 0.1f64.cos();
    for row in &table.rows {
        let phi = 0.1 + speed * row[0];
        for (column, exact) in [("x.y", phi.cos()), ("y.y", phi.sin())] {
            let found = row[table.index(column)];
            assert!((found - exact).abs() < 10.0 * FINE, "{column} at {}: {found}", row[0]);
        }
    }
    assert!(outcome.text("log").contains("became a state"), "{}", outcome.text("log"));
}
