//! Driven mechanisms among the example models against their kinematics.

use std::f64::consts::{PI, TAU};

use dysim_tests::blocks::Run;
use dysim_tests::closed_forms::triangle;
use dysim_tests::examples::{example, with, with_solver};
use dysim_tests::mechanism::dot;
use dysim_tests::mechanism_text::{Moved, distance};
use dysim_tests::simulate::{Outcome, run};
use dysim_tests::taylor::{Point, Taylor, point};

/// What projection leaves of positions and velocities of order 1.
const CLOSED: f64 = 1e-9;

fn run_example(name: &str) -> Outcome {
    run(&example(&format!("loops/{name}"))).complete()
}

/// The speed of the shaft behind a universal joint, `cos b/(1 - sin^2 b sin^2 q)` times that before it: with
/// the fork of the driving shaft across the plane of the bend at q = 0, least there.
#[test]
fn a_universal_joint_ripples_and_a_second_one_takes_it_back() {
    let outcome = run_example("drive_shaft_universal");
    let (csv, pva) = (outcome.table("csv"), outcome.table("pva"));
    let bend = 35f64.to_radians();
    let (mut least, mut most) = (f64::MAX, f64::MIN);
    for (row, poses) in csv.rows.iter().zip(&pva.rows) {
        let angle = TAU * row[0];
        let shaft = Moved::read(poses, Some(1)).turned([1.0, 0.0, 0.0]);
        let spin = [16, 17, 18].map(|k| poses[24 + k]);
        let ratio = dot(spin, shaft) / TAU;
        let expected = bend.cos() / (1.0 - (bend.sin() * angle.sin()).powi(2));
        assert!((ratio - expected).abs() < CLOSED, "{ratio} {expected} at {angle}");
        (least, most) = (least.min(ratio), most.max(ratio));
        let [before, behind] = [row[csv.index("in.qd")], row[csv.index("out.qd")]];
        assert!(
            (before - TAU).abs() < CLOSED && (behind - TAU).abs() < CLOSED,
            "{before} {behind}"
        );
    }
    println!("ripple {least:.5} to {most:.5}");
    assert!((least - 0.81915).abs() < 1e-5 && (most - 1.22077).abs() < 1e-5, "{least} {most}");
}

/// Both shafts run evenly, so the motor drives the brake and nothing else: 2 Nm s times the speed.
#[test]
fn a_constant_velocity_joint_does_not_ripple() {
    let csv = run_example("drive_shaft_constant_velocity").table("csv");
    for row in &csv.rows {
        let at = |signal: &str| row[csv.index(signal)];
        let ratio = at("out.qd") / at("in.qd");
        assert!((ratio - 1.0).abs() < CLOSED, "{ratio} at {}", row[0]);
        assert!((at("drive.f") - 2.0 * TAU).abs() < 1e-6, "{} at {}", at("drive.f"), row[0]);
        let bend = [at("homokinetic.q[1]"), at("homokinetic.q[2]")];
        assert!(bend.iter().all(|q| q.abs() < 0.7), "{bend:?}");
    }
}

#[test]
fn the_platform_goes_where_its_legs_are_told_to_bring_it() {
    let outcome = run_example("stewart_platform");
    let pva = outcome.table("pva");
    for row in &pva.rows {
        let w = 0.5 * PI * row[0];
        let plate = Moved::read(row, Some(0));
        let centre = [0.2 * w.sin(), 0.15 * (2.0 * w).sin(), 1.2 + 0.1 * w.sin().powi(2)];
        let turn = 0.3 * w.sin();
        // Six lengths of order 1 with gaps below 1e-10 m; the legs lean by less than 45 degrees.
        let (there, away) = (plate.place([0.0; 3]), 1e-9);
        assert!(distance(there, centre) < away, "{there:?} {centre:?} at {}", row[0]);
        let edge = plate.turned([1.0, 0.0, 0.0]);
        assert!(distance(edge, [turn.cos(), turn.sin(), 0.0]) < away, "{edge:?} at {}", row[0]);
    }
}

/// The foot of Jansen's leg by intersections of circles.
fn foot(crank: f64) -> Point {
    let s = Taylor::from(crank);
    let (pivot, c) = (point(-0.38, 0.0, -0.078), point(s.cos() * 0.15, 0.0, s.sin() * 0.15));
    let d = triangle([pivot, c], [0.415, 0.5]);
    let e = triangle([c, pivot], [0.619, 0.393]);
    let f = triangle([pivot, d], [0.401, 0.558]);
    let g = triangle([e, f], [0.367, 0.394]);
    triangle([e, g], [0.49, 0.657])
}

#[test]
fn the_foot_of_the_strandbeest_follows_eleven_circles() {
    let outcome = run_example("strandbeest");
    let pva = outcome.table("pva");
    let bodies: Vec<usize> = (0..pva.columns.len() / 24).collect();
    let is_foot = |k: &usize| pva.columns[24 * k + 1] == "foot.body.x";
    let body = bodies.into_iter().find(is_foot).expect("the foot");
    let (g, h, i) = (0.367f64, 0.657f64, 0.49f64);
    let along = (g * g + i * i - h * h) / (2.0 * g);
    let toe = [along, 0.0, (i * i - along * along).sqrt()];
    for row in &pva.rows {
        let (there, expected) =
            (Moved::read(row, Some(body)).place(toe), foot(-PI * row[0]).value());
        assert!(distance(there, expected) < CLOSED, "{there:?} {expected:?} at {}", row[0]);
    }
}

/// The angle of the boom by the law of cosines in the triangle of its hinge and the ends of its cylinder.
#[test]
fn the_cylinder_of_the_excavator_lifts_its_boom() {
    let text = example("loops/excavator");
    let with_lengths = with(&text, "Signals = ", "Signals = boom_cylinder.slide.q, ");
    let csv = run(&with_lengths).complete().table("csv");
    let (lug, pin) = ([0.6f64, -0.4f64], [2.3f64, -0.1f64]);
    let (a, b) = (lug[0].hypot(lug[1]), pin[0].hypot(pin[1]));
    for row in &csv.rows {
        let length = 1.3 + row[csv.index("boom_cylinder.slide.q")];
        let between = ((a * a + b * b - length * length) / (2.0 * a * b)).acos();
        let expected = lug[1].atan2(lug[0]) + between - pin[1].atan2(pin[0]);
        let angle = row[csv.index("boom.J.q")];
        assert!((angle - expected).abs() < CLOSED, "{angle} {expected} at {}", row[0]);
    }
}

/// In the plane that leans by 60 degrees acts half of gravity.
#[test]
fn a_four_bar_in_a_leaning_plane_moves_as_with_half_the_gravity() {
    let how = Run::new("derf", 1e-11, 2.0, 0.1);
    let leaning = run(&with_solver(&example("loops/four_bar_tilted"), how)).complete();
    let upright = with_solver(&example("loops/four_bar"), how);
    let half = run(&with(&upright, "ScaleGrav = 1.0", "ScaleGrav = 0.5")).complete();
    for signal in ["JA.q", "JB.q", "JD.q", "JC.q", "JA.qd"] {
        let [a, b] = [&leaning, &half].map(|outcome| outcome.table("csv").column(signal));
        let apart = a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        println!("{signal}: {apart:.1e}");
        // 1e-11 per step, 300 steps, and the growth of 1000 that the four-bar has in 2 s.
        assert!(apart < 1e-5, "{signal}: {apart:e}");
    }
}
