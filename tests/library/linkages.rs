//! Components of `library/linkages.dys`.

use std::rc::Rc;

use dysim_tests::circuits::{Setting, text};
use dysim_tests::examples::with;
use dysim_tests::simulate::{Table, run};

fn table(signals: &str, elements: &str) -> Rc<Table> {
    let include = "Include \"l\" { File = \"linkages.dys\"; As = e; }\n";
    let setting = Setting { solver: "derf", end: 2.0, step: 0.05, tolerance: 1e-9 };
    let text = text(setting, "", &format!("{include}{elements}"));
    let output = format!("Files = csv; Signals = {signals};");
    run(&with(&text, "Files = csv;", &output)).complete().table("csv")
}

#[track_caller]
fn near(what: &str, found: f64, expected: f64, tolerance: f64) {
    let gap = (found - expected).abs();
    assert!(gap <= tolerance, "{what}: {found}, not {expected}, off by {gap:e}");
}

/// Loops close to 1e-10 m; angles of parts of some decimetres are as good.
const CLOSED: f64 = 1e-9;

type Point = [f64; 2];

fn turned(angle: f64, point: Point) -> Point {
    let (s, c) = angle.sin_cos();
    [c * point[0] - s * point[1], s * point[0] + c * point[1]]
}

/// The meeting of two circles that lies to the left of the way from `a` to `b`.
fn circles(a: Point, near: f64, b: Point, far: f64) -> Point {
    let way = [b[0] - a[0], b[1] - a[1]];
    let distance = way[0].hypot(way[1]);
    let along = (distance * distance + near * near - far * far) / (2.0 * distance);
    let across = (near * near - along * along).sqrt();
    let unit = [way[0] / distance, way[1] / distance];
    [a[0] + along * unit[0] - across * unit[1], a[1] + along * unit[1] + across * unit[0]]
}

/// A four-bar linkage whose coupler is a triangle: its tip draws the coupler curve.
#[test]
fn the_tip_of_a_coupler_follows_circles() {
    let table = table(
        "coupler.at[2].x, coupler.at[2].z, coupler.at[2].y, rocker.J.q, coupler.J.q",
        r#"
        e.Anchor "A" { z = 0.2; }
        e.Anchor "B" { x = 0.7; z = 0.1; }
        e.Bar "crank" { pin = A.pin; length = 0.2; held = yes; angle = 30; }
        e.Triangle "coupler" { pin = crank.at[1]; length = 0.6; near = 0.4; far = 0.5; mass = 2; angle = 20; }
        e.Bar "rocker" { pin = B.pin; length = 0.5; angle = 80; }
        e.Pin "closed" { a = coupler.at[1]; b = rocker.at[1]; }
        Motion "motor" { Joint = crank.J; Q = pi/6 + 3*t; }
    "#,
    );
    let (a, b) = ([0.0, 0.2], [0.7, 0.1]);
    for row in &table.rows {
        let angle = std::f64::consts::PI / 6.0 + 3.0 * row[0];
        let arm = turned(angle, [0.2, 0.0]);
        let elbow = [a[0] + arm[0], a[1] + arm[1]];
        let joint = circles(elbow, 0.6, b, 0.5);
        let tip = circles(elbow, 0.4, joint, 0.5);
        let rocker = (joint[1] - b[1]).atan2(joint[0] - b[0]);
        let value = |name: &str| row[table.index(name)];
        near("x of the tip", value("coupler.at[2].x"), tip[0], CLOSED);
        near("z of the tip", value("coupler.at[2].z"), tip[1], CLOSED);
        near("y of the tip", value("coupler.at[2].y"), 0.0, CLOSED);
        near("rocker", value("rocker.J.q"), rocker, CLOSED);
        let coupler = (joint[1] - elbow[1]).atan2(joint[0] - elbow[0]) - angle;
        let turns = (value("coupler.J.q") - coupler) / std::f64::consts::TAU;
        near("coupler", turns, turns.round(), CLOSED);
    }
}

/// A triangle and a bar begin to fall about their pins: m g x = (I + m r^2) a, with the moments of inertia of a thin
/// plate by quadrature (the mean over the middles of the sides is exact for squares of coordinates) and of a thin rod.
#[test]
fn plates_and_bars_have_their_usual_moments() {
    let table = table(
        "plate.J.qdd, rod.J.qdd",
        r#"
        e.Anchor "A" { }
        e.Triangle "plate" { pin = A.pin; length = 0.9; near = 0.5; far = 0.7; mass = 3; }
        e.Bar "rod" { pin = A.pin; length = 0.8; mass = 2; }
    "#,
    );
    let tip = circles([0.0, 0.0], 0.5, [0.9, 0.0], 0.7);
    let corners = [[0.0, 0.0], [0.9, 0.0], tip];
    let middle = |k: usize| {
        let (a, b) = (corners[k], corners[(k + 1) % 3]);
        [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])]
    };
    let mean = |f: fn(Point) -> f64| (0..3).map(|k| f(middle(k))).sum::<f64>() / 3.0;
    let plate = -9.8065 * mean(|p| p[0]) / mean(|p| p[0] * p[0] + p[1] * p[1]);
    near("plate", table.rows[0][table.index("plate.J.qdd")], plate, 1e-12 * plate.abs());
    let rod = -9.8065 * 0.4 / (0.8 * 0.8 / 3.0);
    near("rod", table.rows[0][table.index("rod.J.qdd")], rod, 1e-12 * rod.abs());
}

/// Height of the centre of gravity of a cylinder at rest and a beam that it holds up, times their weights, for a length.
fn potential(length: f64) -> f64 {
    let (hinge, lug) = ([0.0, 0.5], [0.3, 0.0]);
    let head = circles(hinge, 0.8, lug, length);
    let beam = hinge[1] + 1.25 * (head[1] - hinge[1]);
    let unit = [(head[0] - lug[0]) / length, (head[1] - lug[1]) / length];
    let barrel = lug[1] + 0.25 * unit[1];
    let rod = head[1] - 0.25 * unit[1];
    9.8065 * (50.0 * beam + 8.0 * barrel + 5.0 * rod)
}

/// Virtual work: the force of a cylinder that stands still is the change of the potential energy with its length.
#[test]
fn a_cylinder_that_stands_still_carries_by_virtual_work() {
    let table = table(
        "ram.force, ram.slide.q",
        r#"
        e.Anchor "hinge" { z = 0.5; }
        e.Anchor "lug" { x = 0.3; }
        e.Bar "beam" { pin = hinge.pin; length = 2; mass = 50; places = { { 0.8, 0 } }; angle = 0; }
        e.Cylinder "ram" { lug = lug.pin; eye = beam.at[1]; length = 0.5; barrelMass = 8; rodMass = 5; stroke = 0.2; angle = 50; out = 0.2; }
    "#,
    );
    let step = 1e-4;
    // The error of the difference is of order step^2.
    let slope = (potential(0.7 + step) - potential(0.7 - step)) / (2.0 * step);
    for row in &table.rows {
        near("stroke", row[table.index("ram.slide.q")], 0.2, CLOSED);
        near("force", row[table.index("ram.force")], slope, 1e-6 * slope.abs());
    }
}
