//! Locked freedoms: they hold to the last bit and move like a rigid connection, in both formulations.

use dysim_tests::event_runs::{Link, chain, frame, outcome, simulate, system};
use dysim_tests::loading;
use engine::internals::system::Run;
use integrate::{MethodKind, Problem};
use proptest::prelude::*;

const FORMALISMS: [&str; 2] = ["recursive", "dense"];

fn with_formalism(text: &str, formalism: &str) -> String {
    text.replace("ScaleGrav = 1;", &format!("ScaleGrav = 1; Formalism = {formalism};"))
}

/// Every kind of joint, locked at a place that is not zero.
const JOINTS: [(&str, &str); 9] = [
    ("Revolute", "JointAxis = 0.3, 1, 0.2; Qinit = 0.7; QDinit = 3;"),
    ("Prismatic", "JointAxis = 1, 0.5, 0; Qinit = 0.4; QDinit = 1;"),
    ("Universal", "JointAxis1 = 1, 0, 0; JointAxis2 = 0, 1, 0; Qinit = 0.3, -0.4; QDinit = 1, 2;"),
    ("Cylindrical", "JointAxis = 0, 1, 1; Qinit = 0.3, 0.2; QDinit = 1, 1;"),
    ("Planar", "JointAxis = 0, 0, 1; Qinit = 0.3, 0.2, 0.9; QDinit = 1, 1, 1;"),
    ("Spherical", "Qinit = 0.3, 0.2, 0.9; QDinit = 1, 1, 1; AngleType = cardan;"),
    (
        "Free",
        "Qinit = 0.1, 0.2, 0.3, 0.3, 0.2, 0.9; QDinit = 1, 1, 1, 1, 1, 1; AngleType = cardan;",
    ),
    ("TriPrismatic", "Qinit = 0.1, 0.2, 0.3; QDinit = 1, 1, 1;"),
    ("Screw", "JointAxis = 0, 0, 1; ThreadPitch = 0.1; Qinit = 0.8; QDinit = 1;"),
];

fn swinging(kind: &str, joint: &str, tolerance: f64, end: f64) -> String {
    let arm = Link {
        kind: "Revolute",
        joint: "JointAxis = 0, 1, 0; Qinit = 1; QDinit = 2;",
        centre: [0.1, 0.2, -0.5],
        tip: [0.2, 0.1, -1.0],
        inertia: [0.2, 0.3, 0.4],
        ..Link::default()
    };
    let held = Link {
        kind,
        joint,
        centre: [0.3, -0.1, -0.2],
        tip: [0.0, 0.3, -0.2],
        inertia: [0.3, 0.2, 0.25],
        mass: 2.0,
    };
    let last = Link {
        kind: "Revolute",
        joint: "JointAxis = 1, 0, 0; Qinit = 0.5;",
        centre: [0.0, 0.4, 0.0],
        inertia: [0.05; 3],
        ..Link::default()
    };
    frame(tolerance, (end, end), "J1.q, J3.q") + &chain(&[arm, held, last])
}

/// Over 20 s of a wild motion no coordinate of a locked joint changes by a bit.
#[test]
fn locked_joints_do_not_drift_by_a_bit() {
    for formalism in FORMALISMS {
        for (kind, joint) in JOINTS {
            let text = swinging(kind, &format!("{joint} Locked = yes;"), 1e-8, 20.0);
            let text = with_formalism(&text, formalism);
            let model = loading::model(&text);
            let system = system(&model);
            let start = system.initial_state();
            let (made, _) = outcome(&text, MethodKind::Derf, 7);
            let (n_q, n_v) = (system.tree.n_q(), system.tree.n_v());
            // The first joint comes first and the last one last.
            let held = (1..n_q - 1).chain(n_q + 1..n_q + n_v - 1);
            for (t, y) in &made.outputs {
                for k in held.clone() {
                    let (now, then) = (y[k].to_bits(), start[k].to_bits());
                    assert_eq!(now, then, "{formalism} {kind}: state {k} at {t}");
                }
            }
        }
    }
}

/// A locked joint moves what it carries as a Bracket at the same place would.
#[test]
fn a_locked_joint_is_a_bracket() {
    let at = "Position = 0, 0.3, -0.2;";
    for formalism in FORMALISMS {
        let end = 3.0;
        let locked = swinging("Revolute", "JointAxis = 0, 0, 1; Locked = yes;", 1e-10, end);
        assert!(locked.contains(at));
        let bracket = swinging("Bracket", "", 1e-10, end);
        let (a, b) = (with_formalism(&locked, formalism), with_formalism(&bracket, formalism));
        let (a, b) = (simulate(&a).to_the_end(), simulate(&b).to_the_end());
        for name in ["J1.q", "J3.q"] {
            let (x, y) = (a.last(name), b.last(name));
            // Errors of 1e-10 per unit of time grow as neighbouring motions part, here below
            // tenfold per second.
            assert!((x - y).abs() < 1e-7, "{formalism} {name}: {x} {y}");
        }
    }
}

/// Recursion and mass matrix give the same accelerations whichever freedoms of multi-freedom joints
/// are locked.
#[test]
fn any_pattern_of_locks_gives_the_same_accelerations_both_ways() {
    let sticky = |kind, joint: &'static str| Link {
        kind,
        joint,
        centre: [0.2, 0.1, -0.3],
        tip: [0.1, 0.2, -0.5],
        inertia: [0.2, 0.3, 0.25],
        mass: 1.5,
    };
    let links = [
        sticky(
            "Universal",
            "JointAxis1 = 1, 0, 0; JointAxis2 = 0, 1, 0; Qinit = 0.3, -0.4; QDinit = 0.5, 0.2; Friction = 1, 2;",
        ),
        sticky(
            "Planar",
            "JointAxis = 0, 1, 0.2; Qinit = 0.1, 0.2, 0.6; QDinit = 0.1, 0.3, 0.2; Friction = 1, 2, 3;",
        ),
        sticky(
            "Spherical",
            "Qinit = 0.3, 0.2, 0.9; QDinit = 0.1, 0.4, 0.3; AngleType = cardan; Friction = 1, 2, 3;",
        ),
    ];
    let text = frame(1e-8, (1.0, 1.0), "J1.q") + &chain(&links);
    let (a, b) = (with_formalism(&text, FORMALISMS[0]), with_formalism(&text, FORMALISMS[1]));
    let (a, b) = (loading::model(&a), loading::model(&b));
    let (a, b) = (system(&a), system(&b));
    let y = a.initial_state();
    let (mut run, mut other) = (Run::new(&a), Run::new(&b));
    let (n_q, n_v) = (a.tree.n_q(), a.tree.n_v());
    assert_eq!(n_v, 8);
    for pattern in 0..1u32 << n_v {
        // Mode 3 is locked, 5 slides forward.
        let modes: Vec<u8> = (0..n_v).map(|k| if pattern >> k & 1 == 1 { 3 } else { 5 }).collect();
        let (mut f, mut g) = (vec![0.0; y.len()], vec![0.0; y.len()]);
        run.set_modes(&modes);
        other.set_modes(&modes);
        assert!(run.derivatives(0.0, &y, &mut f).is_ok());
        assert!(other.derivatives(0.0, &y, &mut g).is_ok());
        let largest = f.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
        for k in 0..n_v {
            let (x, z) = (f[n_q + k], g[n_q + k]);
            // Condition of the mass matrix times round-off.
            assert!((x - z).abs() < 1e-11 * largest, "{pattern:b} {k}: {x} {z}");
            if pattern >> k & 1 == 1 {
                assert_eq!((x, z), (0.0, 0.0), "{pattern:b} {k}");
            }
        }
    }
}

/// A freedom of a joint sticks while its neighbour in the same joint slides; what sticks stays.
#[test]
fn one_freedom_of_a_joint_holds_while_another_slides() {
    let puck = Link {
        kind: "Planar",
        joint: "JointAxis = 0, 0, 1; QDinit = 1, 0, 0; Friction = 1, 2, 0.5;",
        ..Link::default()
    };
    let text = frame(1e-9, (2.0, 0.1), "J1.q[1], J1.q[2], J1.q[3]") + &chain(&[puck]);
    let told = simulate(&text).to_the_end();
    // 1 m/s against 1 N on 1 kg: at rest after 1 s and 0.5 m.
    let stops = told.times("friction of coordinate 1: forward -> locked");
    assert_eq!(stops.len(), 1, "{}", told.log);
    assert!((stops[0] - 1.0).abs() < 1e-8 && (told.last("J1.q[1]") - 0.5).abs() < 1e-8);
    assert!(told.column("J1.q[2]").iter().chain(&told.column("J1.q[3]")).all(|q| *q == 0.0));
}

/// The modes of friction that the right-hand side uses.
fn any_mode() -> impl Strategy<Value = u8> {
    1u8..=5
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    /// With frozen modes the right-hand side knows nothing of the sign of a speed: on both sides of
    /// the guards, and at zero, it is continuous.
    #[test]
    fn frozen_modes_make_the_right_hand_side_continuous(
        modes in prop::collection::vec(any_mode(), 3),
        speeds in prop::collection::vec(-1.0f64..1.0, 3),
        places in prop::collection::vec(-0.5f64..0.5, 3),
        freedom in 0usize..3,
    ) {
        let hinge = |joint: &'static str| Link {
            kind: "Revolute",
            joint,
            centre: [0.1, 0.0, -0.3],
            tip: [0.0, 0.0, -0.5],
            inertia: [0.1; 3],
            ..Link::default()
        };
        let links = [
            hinge("JointAxis = 0, 1, 0; Friction = 2, 1 + v^2;"),
            hinge("JointAxis = 1, 0, 0; Friction = 1;"),
            hinge("JointAxis = 0, 1, 0; Friction = 2, { 0, 2, 1, 1, 3, 2 }; LowerLimit = 0; UpperLimit = 0.3; StopStiffness = 100;"),
        ];
        let text = frame(1e-8, (1.0, 1.0), "J1.q") + &chain(&links);
        let model = loading::model(&text);
        let system = system(&model);
        let mut run = Run::new(&system);
        let mut all = modes;
        all.resize(system.elements.len(), 1);
        run.set_modes(&all);
        let mut y = system.initial_state();
        y[..3].copy_from_slice(&places);
        y[3..6].copy_from_slice(&speeds);
        let mut at = |place: usize, value: f64| {
            let mut f = vec![0.0; y.len()];
            let mut moved = y.clone();
            moved[place] = value;
            assert!(run.derivatives(0.0, &moved, &mut f).is_ok());
            f
        };
        // Across v = 0, and across the limits of the third joint.
        for (place, guard) in [(3 + freedom, 0.0), (2, 0.0), (2, 0.3)] {
            let h = 1e-9;
            let (a, b) = (at(place, guard - h), at(place, guard + h));
            let c = at(place, guard);
            for k in 0..a.len() {
                // Slopes of stops and friction over the smallest inertia are below 1e5.
                let scale = 1e5 * h;
                prop_assert!((a[k] - b[k]).abs() < scale, "{k}: {} {}", a[k], b[k]);
                prop_assert!((a[k] - c[k]).abs() < scale, "{k}: {} {}", a[k], c[k]);
            }
        }
    }
}
