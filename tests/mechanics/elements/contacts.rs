//! Contact and ContactSimple: forces, switching, anchor, torsion.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::{Outcome, run};

/// Values of a few products of size up to 1000.
const ROUND_OFF: f64 = 1e-10;

fn close(found: f64, expected: f64, what: &str) {
    assert!(
        (found - expected).abs() < ROUND_OFF * (1.0 + expected.abs()),
        "{what}: {found} {expected}"
    );
}

/// The parameters of a contact; tests replace some.
#[derive(Clone, Copy)]
struct Friction {
    mu: f64,
    mu0: f64,
    sigma: f64,
    v_c: f64,
    w_c: f64,
    torsion: [f64; 3],
}

const FRICTION: Friction =
    Friction { mu: 0.3, mu0: 0.5, sigma: 2.0, v_c: 0.01, w_c: 0.1, torsion: [0.0; 3] };

impl Friction {
    fn text(self, name: &str, from: &str, to: &str) -> String {
        let Friction { mu, mu0, sigma, v_c, w_c, torsion: [k_phi, r_phi, mu0_phi] } = self;
        format!(
            "Contact \"{name}\" {{ TriadFrom = {from}; TriadTo = {to}; ElasticLinearZ = 1000; DampingLinearZ = 5; DampingO2MixedZ = 40;
             SlipDampingLinear = {sigma:?}; SlipFrictionCoeff = {mu:?}; VSlipMin = {v_c:?}; SlipFrictionCoeffRot = 0.2; OmegaSlipMin = {w_c:?};
             StickElasticLinear = 800; StickDampingLinear = 30; StaticFrictionCoeff = {mu0:?};
             StickElasticLinearRot = {k_phi:?}; StickDampingLinearRot = {r_phi:?}; StaticFrictionCoeffRot = {mu0_phi:?}; Degrees = rad; }}"
        )
    }
}

/// A body of 2 kg that moves without turning over the floor of the world.
fn slider(how: Run, gravity: f64, q: &str, qd: &str, rest: &str) -> Outcome {
    let text = Text::new([0.0, 0.0, -gravity], how)
        .joint(
            "TriPrismatic",
            ["J", "world", "b"],
            [0.0; 3],
            &format!("Qinit = {q}; QDinit = {qd};"),
        )
        .body(["b", "world", "J"], 2.0, [1.0; 3], [0.0; 3])
        .with(rest);
    run(text.text()).complete()
}

/// A run so short that only its first row matters.
fn shortest() -> Run {
    Run::new("derf", 1e-9, 1e-4, 1e-4)
}

#[test]
fn a_simple_contact_presses_and_drags_while_both_conditions_hold() {
    let law = "ContactSimple \"c\" { TriadFrom = J_0; TriadTo = J_1; ElasticLinearZ = 1000; DampingLinearZ = 5; FrictionXY = 3; }
        Output \"o\" { Files = csv, pva; Signals = c.state, c.f, c.s, c.power; Events = no; }";
    // (height, vertical speed, in contact): pressed, above, leaving so fast that the force would pull.
    for (z, v, touches) in
        [(-0.02, -0.5, true), (0.02, -0.5, false), (-0.02, 5.0, false), (-0.02, 3.0, true)]
    {
        let o = slider(shortest(), 0.0, &format!("0, 0, {z:?}"), &format!("2, -1, {v:?}"), law);
        let (normal, drag) = if touches { (1000.0 * z + 5.0 * v, 3.0) } else { (0.0, 0.0) };
        let (csv, pva) = (o.table("csv"), o.table("pva"));
        let what = format!("z = {z}, v = {v}");
        assert_eq!(csv.rows[0][1], f64::from(touches), "{what}");
        close(csv.rows[0][2], -normal, &what);
        close(csv.rows[0][3], z, &what);
        // The body of T1 gets the opposite of force and drag.
        close(pva.column("b.ax")[0], -drag * 2.0 / 2.0, &what);
        close(pva.column("b.ay")[0], drag / 2.0, &what);
        close(pva.column("b.az")[0], -normal / 2.0, &what);
        close(csv.rows[0][4], -drag * 5.0 - normal * v, &what);
    }
}

#[test]
fn a_slipping_contact_follows_its_formula_in_a_turning_plane() {
    // The plane turns with 2 rad/s about z; the point, fixed in the world, moves backwards in it.
    let text = Text::new([0.0; 3], shortest())
        .joint(
            "Revolute",
            ["J", "world", "disc"],
            [0.0; 3],
            "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0; QDinit = 2; Degrees = rad;",
        )
        .body(["disc", "world", "J"], 1.0, [1.0, 1.0, 4.0], [0.0; 3])
        .triad("plane", "disc", [0.0; 3])
        .triad("needle", "world", [1.5, 0.0, -0.02])
        .with(&FRICTION.text("c", "plane", "needle"))
        .with("Output \"o\" { Files = csv, frc; Signals = J.qdd, c.state; Events = no; }");
    let o = run(text.text()).complete();
    let (frc, csv) = (o.table("frc"), o.table("csv"));
    let normal: f64 = 1000.0 * -0.02;
    // v_t = (0, -3), |v_t| = 3, w_n = -2.
    let drag = 2.0 * -3.0 - 0.3 * normal.abs();
    let torsion = 0.2 * normal.abs() * -2.0;
    let expected = [
        0.0, 1.5, 0.0, -0.02, 0.0, -3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, drag, normal, 0.0, 0.0,
        torsion,
    ];
    for (found, expected) in frc.rows[0].iter().zip(expected) {
        close(*found, expected, "frc");
    }
    assert_eq!(frc.rows[0].len(), 17);
    // Force and torque act on the disc at the needle.
    close(csv.rows[0][1], (1.5 * drag + torsion) / 4.0, "the disc is braked");
    close(csv.rows[0][2], 1.0, "slip");
}

#[test]
fn the_mixed_damping_counts_depth_times_speed() {
    let contact = format!(
        "{} Output \"o\" {{ Files = frc; Events = no; }}",
        FRICTION.text("c", "J_0", "J_1")
    );
    let o = slider(shortest(), 0.0, "0, 0, -0.03", "0, 0, -0.4", &contact);
    let normal = 1000.0 * -0.03 + 5.0 * -0.4 - 40.0 * -0.03 * -0.4;
    close(o.table("frc").column("c.fz")[0], normal, "normal force");
}

#[test]
fn large_limits_stick_at_once_and_what_cannot_hold_never() {
    let depth = -2.0 * 9.81 / 1000.0;
    let with = |friction: Friction| {
        let contact = format!(
            "{} Output \"o\" {{ Files = csv, frc; Signals = c.state, J.qd[1]; Events = no; }}",
            friction.text("c", "J_0", "J_1")
        );
        let q = format!("0.7, -0.2, {depth:?}");
        slider(Run::new("derf", 1e-8, 2.0, 0.05), 9.81, &q, "0.1, 0, 0", &contact)
    };
    let sticky = with(Friction { v_c: 1e6, w_c: 1e6, mu0: 100.0, ..FRICTION });
    assert!(sticky.table("csv").column("c.state").iter().all(|&state| state == 2.0));
    let frc = sticky.table("frc");
    // The anchor is where it touched, in the plane; the point springs about it.
    for row in &frc.rows {
        assert_eq!((row[frc.index("c.ax")], row[frc.index("c.ay")]), (0.7, -0.2));
    }
    let f = 800.0 * (frc.rows[3][1] - 0.7) + 30.0 * frc.rows[3][4];
    close(frc.rows[3][frc.index("c.fx")], f, "stick force");
    // Viscous friction alone slows it down for ever, but it never sticks.
    let slippery =
        with(Friction { v_c: 0.0, w_c: 0.0, mu: 0.0, mu0: 0.0, sigma: 50.0, ..FRICTION });
    assert!(slippery.table("csv").column("c.state").iter().all(|&state| state == 1.0));
    assert!(slippery.table("csv").last("J.qd[1]").abs() < 1e-8, "it came to rest");
    // A single limit of zero is not asked for: it sticks by the other one.
    let slow = with(Friction { w_c: 0.0, mu: 0.0, sigma: 50.0, ..FRICTION });
    assert_eq!(slow.table("csv").last("c.state"), 2.0);
}

/// Without limits a block slides by Coulomb's law until it stands still, and then it sticks, in one dimension and in two.
#[test]
fn without_limits_it_slides_to_a_standstill_and_sticks() {
    let depth = -2.0 * 9.81 / 1000.0;
    for (solver, damping) in [("derf", 30.0), ("derf", 0.0), ("stiff", 0.0), ("radau5", 30.0)] {
        let friction = Friction { v_c: 0.0, w_c: 0.0, sigma: 0.0, ..FRICTION };
        let stick = format!("StickDampingLinear = {damping:?}");
        let contact = friction.text("c", "J_0", "J_1").replace("StickDampingLinear = 30", &stick);
        let contact = format!(
            "{contact} Output \"o\" {{ Files = csv; Signals = c.state, J.q[1], J.q[2]; Events = no; }}"
        );
        let q = format!("0, 0, {depth:?}");
        let o = slider(Run::new(solver, 1e-8, 1.0, 0.05), 9.81, &q, "0.3, 0.4, 0", &contact);
        let csv = o.table("csv");
        assert_eq!(csv.last("c.state"), 2.0, "{solver}");
        // s = v^2/(2 mu g) with v = 0.5 m/s. What is left at 0.1 mm/s is held by the anchor, without damping as an oscillation of
        // amplitude v sqrt(m/k).
        let way = 0.5 * 0.5 / (2.0 * 0.3 * 9.81);
        let swing = 1e-4 * (2.0f64 / 800.0).sqrt();
        for (k, part) in [(1, 0.6), (2, 0.8)] {
            let s = csv.last(&format!("J.q[{k}]"));
            assert!(
                (s - part * way).abs() < swing + 1e-7,
                "{solver}: {s} instead of {}",
                part * way
            );
        }
    }
}

/// Pushed harder and harder, a block breaks away when the push reaches static friction; it slips until
/// it is slow again, sticks with a new anchor, and is lifted off in the end.
#[test]
fn a_contact_goes_through_all_its_transitions() {
    let depth = -2.0 * 9.81 / 1000.0;
    let contact = format!(
        "{} Force \"push\" {{ TriadTo = J_1; Vector = if(t < 2, 6*t, 0), 0, if(t < 4, 0, 60); Frame = world; }}
         Output \"o\" {{ Files = csv, frc; Signals = c.state, c.f, J.q[1], J.qd[1], J.qdd[1]; Events = yes; }}",
        FRICTION.text("c", "J_0", "J_1")
    );
    let q = format!("0, 0, {depth:?}");
    let o = slider(Run::new("derf", 1e-9, 5.0, 0.05), 9.81, &q, "0, 0, 0", &contact);
    let log = o.text("log");
    let order = ["apart -> stick", "stick -> slip", "slip -> stick", "stick -> apart"];
    let found: Vec<&str> = log
        .lines()
        .filter_map(|line| line.split_once("Contact c: "))
        .filter_map(|(_, change)| change.split_once(" (").map(|(words, _)| words))
        .collect();
    assert_eq!(found, order, "{log}");
    // Pairs of rows with one time: the first of the pair is before the event. The push switches too;
    // only changes of the contact's state count here.
    let rows = o.table("csv").rows.clone();
    let switched = |p: &&[Vec<f64>]| p[0][0] == p[1][0] && p[0][1] != p[1][1];
    let pairs: Vec<&[Vec<f64>]> = rows.windows(2).filter(switched).collect();
    let [t, before, press, _, speed, acceleration] = pairs[0][0][..] else { panic!("columns") };
    assert_eq!((before, pairs[0][1][1]), (2.0, 1.0), "stick before, slip after");
    // 2 kg a = push - f_t, and f_t = mu0 f_n there; errors of 1e-9 m and m/s times 800 N/m and 30 N s/m.
    let held = 6.0 * t - 2.0 * acceleration;
    assert!((held - 0.5 * press).abs() < 1e-5, "{held} {press}");
    assert!(speed > 0.0);
    // Slip to stick at the limit v_c.
    let again = &pairs[1];
    assert_eq!((again[0][1], again[1][1]), (1.0, 2.0), "slip before, stick after");
    assert!((again[0][4].abs() - 0.01).abs() < 1e-9, "at v_c: {}", again[0][4]);
    // No anchor while it does not stick.
    let frc = o.table("frc");
    for row in &frc.rows {
        let stick = row[frc.index("c.stick")] == 1.0;
        let anchor = row[frc.index("c.ax")];
        assert!(stick || anchor == 0.0, "{row:?}");
    }
    assert!(frc.at(3.5, "c.ax") > 0.01, "a new anchor where it stuck again");
}

/// Without normal damping the force is zero at the instant of touching, so that static friction cannot
/// hold yet; the contact sticks as soon as it can, and does not hang in slip at a standstill.
#[test]
fn a_contact_that_touches_softly_sticks_as_soon_as_friction_holds() {
    let contact = "Contact \"c\" { TriadFrom = J_0; TriadTo = J_1; ElasticLinearZ = 1000; DampingLinearZ = 0; DampingO2MixedZ = 400;
        SlipDampingLinear = 0; SlipFrictionCoeff = 0.3; VSlipMin = 0.5; SlipFrictionCoeffRot = 0; OmegaSlipMin = 1; StickElasticLinear = 800; StickDampingLinear = 30;
        StaticFrictionCoeff = 0.5; StickElasticLinearRot = 0; StickDampingLinearRot = 0; StaticFrictionCoeffRot = 0; Degrees = rad; }
        Output \"o\" { Files = csv; Signals = c.state, J.qd[1]; Events = no; }";
    let o = slider(Run::new("derf", 1e-8, 2.0, 0.01), 9.81, "0, 0, 0.01", "0.05, 0, 0", contact);
    let log = o.text("log");
    assert!(log.contains("apart -> slip") && log.contains("slip -> stick"), "{log}");
    let csv = o.table("csv");
    assert_eq!(csv.last("c.state"), 2.0);
    assert!(csv.last("J.qd[1]").abs() < 1e-3);
}

/// Torsion winds up over several turns: q = w0/omega sin(omega t) with omega^2 = k_phi/I.
#[test]
fn the_torsion_angle_is_followed_over_several_turns() {
    let depth = -2.0 * 9.81 / 1000.0;
    let friction = Friction { v_c: 1e3, w_c: 1e3, mu0: 1e3, torsion: [0.04, 0.0, 1e3], ..FRICTION };
    let how = Run::new("derf", 1e-9, 20.0, 0.1);
    let text = Text::new([0.0, 0.0, -9.81], how)
        .joint("Cylindrical", ["J", "world", "b"], [0.0; 3], &format!("JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 1, {depth:?}; QDinit = 6, 0; Degrees = rad;"))
        .body(["b", "world", "J"], 2.0, [1.0, 1.0, 1.0], [0.0; 3])
        .with(&friction.text("c", "J_0", "J_1"))
        .with("Output \"o\" { Files = csv, frc; Signals = J.q[1], c.state; Events = no; }");
    let o = run(text.text()).complete();
    let (csv, frc) = (o.table("csv"), o.table("frc"));
    let omega = 0.04_f64.sqrt();
    // Local errors of 1e-9 (1 + 30) in each step; a linear oscillator carries them on, over 1/omega = 5.
    let bound = o.summary.statistics.steps as f64 * 31e-9 * 5.0;
    let mut highest: f64 = 0.0;
    for (row, force) in csv.rows.iter().zip(&frc.rows) {
        let turned = 6.0 / omega * (omega * row[0]).sin();
        highest = highest.max(turned);
        assert!((row[1] - 1.0 - turned).abs() < bound, "t = {}: {} {turned}", row[0], row[1]);
        assert!((force[16] - 0.04 * turned).abs() < bound, "torque at t = {}", row[0]);
        assert_eq!(row[2], 2.0);
    }
    assert!(highest > 4.0 * std::f64::consts::TAU, "several turns: {highest}");
    assert!(bound < 1e-3);
}

/// The torsional test ends sticking: |tau| >= mu0_phi |f_n|. Without torsional stiffness and damping
/// there is no such test.
#[test]
fn torsion_alone_can_break_a_contact_loose() {
    let depth = -2.0 * 9.81 / 1000.0;
    let slipped = |torsion: [f64; 3]| {
        let friction = Friction { v_c: 1e3, w_c: 1e3, mu0: 1e3, torsion, ..FRICTION };
        let text = Text::new([0.0, 0.0, -9.81], Run::new("derf", 1e-9, 1.0, 0.1))
            .joint("Cylindrical", ["J", "world", "b"], [0.0; 3], &format!("JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0, {depth:?}; QDinit = 3, 0; Degrees = rad;"))
            .body(["b", "world", "J"], 2.0, [1.0, 1.0, 1.0], [0.0; 3])
            .with(&friction.text("c", "J_0", "J_1"))
            .with("Output \"o\" { Files = csv; Signals = J.q[1], c.f, c.state; Events = yes; }");
        run(text.text()).complete().table("csv").rows.clone()
    };
    // 4 Nm/rad against 0.05 m times 19.62 N: loose after 0.24525 rad.
    let rows = slipped([4.0, 0.0, 0.05]);
    let event = rows.windows(2).find(|pair| pair[0][0] == pair[1][0]).expect("an event");
    assert_eq!((event[0][3], event[1][3]), (2.0, 1.0));
    assert!((4.0 * event[0][1] - 0.05 * event[0][2]).abs() < 1e-7, "{:?}", event[0]);
    let rows = slipped([0.0, 0.0, 0.0]);
    assert!(rows.iter().all(|row| row[3] == 2.0), "no torsional test");
}

/// A point that drills too fast to stick by the criterion, but whose sliding comes to an end: there the
/// direction of sliding friction is undefined, and steps would shrink for ever. It sticks where it stands.
#[test]
fn sliding_ends_in_sticking_even_while_the_contact_drills() {
    let friction = Friction { sigma: 0.0, ..FRICTION };
    let text = Text::new([0.0; 3], Run::new("derf", 1e-8, 1.0, 0.05))
        .joint("Planar", ["J", "world", "b"], [0.0, 0.0, -0.02], "JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 0, 0, 0; QDinit = 0.5, 0, 3; Degrees = rad;")
        .body(["b", "world", "J"], 2.0, [1.0; 3], [0.0; 3])
        .triad("floor", "world", [0.0; 3])
        .with(&friction.text("c", "floor", "J_1"))
        .with("Output \"o\" { Files = csv; Signals = c.state, J.q[1], J.qd[1], J.qd[3]; Events = no; }");
    let o = run(text.text()).complete();
    let last = o.table("csv").rows.last().cloned().expect("a row");
    assert_eq!(last[1], 2.0, "it sticks: {}", o.text("log"));
    assert!(last[4] > 0.1, "and still drills with {} rad/s", last[4]);
    // 20 N times 0.3 on 2 kg brake 0.5 m/s on 41.67 mm; the standstill is told at 1e-5 m/s, and what is
    // left of that moves the spring of 800 N/m by v sqrt(m/k) at most.
    let way = 0.25 / (2.0 * 3.0);
    assert!((last[2] - way).abs() < 1e-5 * 0.05 + 1e-7, "{} {way}", last[2]);
    assert!(o.summary.statistics.steps < 500, "{} steps", o.summary.statistics.steps);
}
