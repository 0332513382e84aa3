//! What must not change the motion: where frames are put, and which formalism computes it.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::everything::everything;
use dysim_tests::simulate::{Table, run};

/// Largest difference of two tables; `shift` gives what a column is to differ by, or leaves it out.
fn difference(a: &Table, b: &Table, shift: &dyn Fn(&str) -> Option<f64>) -> f64 {
    assert_eq!(a.rows.len(), b.rows.len());
    let mut largest: f64 = 0.0;
    for name in &a.columns {
        let Some(shift) = shift(name) else { continue };
        let pairs = a.column(name).into_iter().zip(b.column(name));
        largest = pairs.fold(largest, |l, (x, y)| l.max((x - y - shift).abs()));
    }
    largest
}

#[test]
fn recursive_and_dense_formalism_give_the_same_motion() {
    let how = Run::new("derf", 1e-9, 0.3, 0.05);
    let text = everything(how);
    let with = |formalism: &str| {
        let text =
            text.replace("ScaleGrav = 1;", &format!("ScaleGrav = 1; Formalism = {formalism};"));
        run(&text).complete()
    };
    let (recursive, dense) = (with("recursive"), with("dense"));
    assert!(recursive.summary.events > 0, "nothing switches");
    // Round-off of the accelerations, a few 1e-12 of up to 1e4 m/s^2, lets the runs choose other steps,
    // so that they differ by local errors: the sum over the steps, grown by stops of 1e6 N/m for which
    // lengths of 1e-9 are forces of 1e-3. Positions and rates only; forces are not compared.
    let coordinates = |name: &str| (!name.contains(".f")).then_some(0.0);
    let found = difference(&recursive.table("csv"), &dense.table("csv"), &coordinates);
    let bound = recursive.summary.statistics.steps as f64 * 1e-9 * 100.0;
    assert!(found < bound, "{found:e} {bound:e}");
    assert!(bound < 1e-2);
}

/// A double pendulum with a spring and a force. `moved`: the frames of both bodies lie elsewhere and
/// are turned, every triad and centre is written in them, and the hinge counts from another zero.
fn pendulum(moved: bool, how: Run) -> String {
    // The moved frame of a body: turned by 90 degrees about y and shifted by (0.1, -0.2, 0.3).
    // A point p of the old frame is Dy(-90) (p - shift) in the new one.
    let point = |p: [f64; 3]| {
        let [x, y, z] = [p[0] - 0.1, p[1] + 0.2, p[2] - 0.3];
        if moved { [-z, y, x] } else { p }
    };
    let turn = if moved { -90.0 } else { 0.0 };
    let triad = |text: Text, name: &str, body: &str, p: [f64; 3], about_z: f64| {
        let [x, y, z] = point(p);
        text.with(&format!("Triad \"{name}\" {{ Parent = {body}; Position = {x:?}, {y:?}, {z:?}; Orientation = 0, {turn:?}, {about_z:?}; AngleType = cardan; Degrees = deg; }}"))
    };
    let body = |text: Text, name: &str, mother: &str, joint: &str, c: [f64; 3]| {
        let [x, y, z] = point(c);
        text.with(&format!("Body \"{name}\" {{ Parent = {mother}; Joint = {joint}; Mass = 1.5; Inertia = 0.1, 0.01, 0, 0.2, 0.02, 0.15; CGFramePosition = {x:?}, {y:?}, {z:?}; CGFrameOrientation = 0, {turn:?}, 0; AngleType = cardan; Degrees = deg; }}"))
    };
    // The axis of the hinge is z of its triads; turning T1 about it by 30 degrees shifts the zero.
    let (zero, start) = if moved { (30.0, 70.0) } else { (0.0, 40.0) };
    let mut text = Text::new([0.0, -9.81, 0.0], how).triad("hook", "world", [0.0; 3]).triad(
        "eyelet",
        "world",
        [2.0, 0.0, 0.0],
    );
    text = triad(text, "top1", "a", [0.0; 3], zero);
    text = triad(text, "foot1", "a", [0.0, -1.0, 0.1], 0.0);
    text = triad(text, "top2", "b", [0.0; 3], 0.0);
    text = triad(text, "tip", "b", [0.0, -0.7, 0.2], 0.0);
    text = text.with(&format!("Revolute \"J\" {{ Parent = a; TriadFrom = hook; TriadTo = top1; JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = {start:?}; QDinit = 20; Degrees = deg; }}"));
    text = body(text, "a", "world", "J", [0.0, -0.5, 0.0]);
    text = text.with("Spherical \"K\" { Parent = b; TriadFrom = foot1; TriadTo = top2; Qinit = 10, 20, 30; QDinit = 0, 50, 0; AngleType = cardan; Degrees = deg; }");
    body(text, "b", "a", "K", [0.0, -0.3, 0.1])
        .with("Spring \"s\" { TriadFrom = eyelet; TriadTo = tip; ElasticLinear = 20; DampingLinear = 0.5; ZeroLength = 1; OneSide = bi; }
              Force \"f\" { TriadTo = tip; Vector = sin(3*t), 0, 1; Frame = local; }
              Output \"o\" { Files = csv, epl; Signals = J.q, J.qd, K.q[1], K.q[2], K.q[3], K.qd[1], s.f, s.s; Events = no; }")
        .text()
        .to_string()
}

#[test]
fn moving_all_frames_consistently_changes_nothing() {
    let how = Run::new("de", 1e-10, 2.0, 0.1);
    let (plain, moved) =
        (run(&pendulum(false, how)).complete(), run(&pendulum(true, how)).complete());
    // q is the pose of T1 in T0: with T1 turned by 30 degrees it is larger by as much.
    let zero = 30.0_f64.to_radians();
    let shift = |name: &str| Some(if name == "J.q" { -zero } else { 0.0 });
    // Other numbers, other round-off, other steps: local errors of 1e-10 in each, which this pendulum
    // lets grow by less than 100 in two seconds; forces are positions times 20 N/m.
    let bound = plain.summary.statistics.steps as f64 * 1e-10 * 100.0 * 20.0;
    let found = difference(&plain.table("csv"), &moved.table("csv"), &shift);
    assert!(found < bound && bound < 1e-2, "{found:e} {bound:e}");
    let energies = difference(&plain.table("epl"), &moved.table("epl"), &|_| Some(0.0));
    assert!(energies < bound, "{energies:e} {bound:e}");
}
