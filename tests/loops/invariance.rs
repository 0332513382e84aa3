//! How a model is written down does not matter: which joint closes the loop, joints that say the same twice,
//! bodies that are joined by nothing but loop joints.

use dysim_tests::blocks::Run;
use dysim_tests::closed_forms::{DOWN, bennett, bricard, four_bar, slider_crank, windows};
use dysim_tests::mechanism::Mechanism;
use dysim_tests::mechanism_text::{Moved, Start, distance};
use dysim_tests::simulate::{Outcome, run};

/// Far below the 1e-8 that variants may differ by, grown by the motion.
const TOLERANCE: f64 = 1e-12;

fn outcome(mechanism: &Mechanism, start: [f64; 2], cuts: &[usize], more: &str) -> Outcome {
    let how = Run::new("derf", TOLERANCE, 1.0, 0.02);
    let text = mechanism.text(how, Start { at: start[0], speed: start[1], cuts, more });
    run(&text).complete()
}

/// The largest distance of body points 1 m apart from the frames, in two runs.
fn difference(mechanism: &Mechanism, a: &Outcome, b: &Outcome) -> f64 {
    let bodies = (mechanism.parts)(0.7.into()).solids.len();
    let (a, b) = (a.table("pva"), b.table("pva"));
    assert_eq!(a.rows.len(), b.rows.len());
    let mut worst: f64 = 0.0;
    for (one, other) in a.rows.iter().zip(&b.rows) {
        for body in 0..bodies {
            let [one, other] = [one, other].map(|row| Moved::read(row, Some(body)));
            for p in [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]] {
                worst = worst.max(distance(one.place(p), other.place(p)));
            }
        }
    }
    worst
}

#[test]
fn any_joint_may_close_the_loop() {
    let quarter = std::f64::consts::FRAC_PI_4;
    let cases = [
        ("four-bar", four_bar([0.3, 0.9, 0.7, 1.0], DOWN), [0.5, 10.0], 4),
        ("slider-crank", slider_crank(), [1.0, 20.0], 4),
        ("Bennett", bennett(), [1.0, 3.0], 4),
        ("Bricard", bricard(), [quarter, 0.5], 6),
    ];
    for (name, mechanism, start, joints) in cases {
        let first = outcome(&mechanism, start, &[joints - 1], "");
        for cut in 0..joints - 1 {
            let other = outcome(&mechanism, start, &[cut], "");
            let apart = difference(&mechanism, &first, &other);
            println!("{name}, cut at {cut}: {apart:.1e}");
            assert!(apart < 1e-8, "{name}, cut at {cut}: {apart:e}");
        }
    }
}

#[test]
fn bodies_joined_by_loop_joints_alone_move_the_same() {
    let quarter = std::f64::consts::FRAC_PI_4;
    let cases = [
        ("four-bar", four_bar([0.3, 0.9, 0.7, 1.0], DOWN), [0.5, 10.0], vec![2]),
        ("slider-crank", slider_crank(), [1.0, 20.0], vec![2]),
        ("Bricard", bricard(), [quarter, 0.5], vec![5]),
        // They swing about the hanging position and never come into one line.
        ("windows", windows(2), [std::f64::consts::PI, 2.0], vec![3, 5]),
    ];
    for (name, mechanism, start, cuts) in cases {
        free_bodies_move_the_same(name, &mechanism, start, &cuts);
    }
}

fn free_bodies_move_the_same(name: &str, mechanism: &Mechanism, start: [f64; 2], cuts: &[usize]) {
    let joints: Vec<usize> = (0..(mechanism.parts)(0.7.into()).pins.len()).collect();
    let tree = outcome(mechanism, start, cuts, "");
    let free = outcome(mechanism, start, &joints, "");
    let apart = difference(mechanism, &tree, &free);
    println!("{name}: {apart:.1e}");
    assert!(apart < 1e-8, "{name}: {apart:e}");
}

#[test]
fn free_windows_pass_a_singular_position() {
    free_bodies_move_the_same("windows", &windows(2), [0.3, 2.0], &[3, 5]);
}

#[test]
fn joints_that_say_the_same_again_change_nothing() {
    let mechanism = four_bar([0.3, 0.9, 0.7, 1.0], DOWN);
    let start = [0.5, 10.0];
    let plain = outcome(&mechanism, start, &[2], "");
    let again = [
        (
            "a second revolute joint",
            "Revolute \"again\" { Role = loop; TriadFrom = JC_0; TriadTo = JC_1; JointAxis = 0, -1, 0; }",
        ),
        ("a ball joint", "Spherical \"again\" { Role = loop; TriadFrom = JC_0; TriadTo = JC_1; }"),
        (
            "a planar joint to the world",
            "Triad \"plane\" { Parent = world; } Triad \"on\" { Parent = coupler; } Planar \"again\" { Role = loop; TriadFrom = plane; TriadTo = on; JointAxis = 0, 1, 0; }",
        ),
        ("a rod along the rocker", "Rod \"again\" { TriadFrom = JD_0; TriadTo = JC_0; }"),
    ];
    for (name, more) in again {
        let other = outcome(&mechanism, start, &[2], more);
        let apart = difference(&mechanism, &plain, &other);
        println!("{name}: {apart:.1e}");
        assert!(apart < 1e-8, "{name}: {apart:e}");
    }
}
