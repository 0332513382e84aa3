//! Triads, bodies and sensors as signals: every rate is the derivative of its component, networks read what results show, and
//! a `LineAxis` carries masses and forces between two points.

use super::arms::{FINE, G, distance, second, solved, two_arms};
use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::{Table, run};

/// Interval of the outputs, s, and the derivative of a column there from seven points around, of the sixth order.
const STEP: f64 = 1e-3;

fn derivative(table: &Table, column: &str, row: usize) -> f64 {
    let index = table.index(column);
    let part = |k: usize| table.rows[row + k][index] - table.rows[row - k][index];
    (part(3) - 9.0 * part(2) + 45.0 * part(1)) / (60.0 * STEP)
}

/// Two bodies in space, seen from triads that are turned on both of them.
fn in_space(more: &str) -> Text {
    Text::new([0.3, -0.2, -G], Run::new("derf", 1e-12, 0.4, STEP))
        .joint("Spherical", ["J1", "world", "b1"], [0.1, 0.2, 0.0], "Qinit = 0.5, 0.4, 0.1; QDinit = 1, 2, -1;")
        .joint("Universal", ["J2", "b1", "b2"], [0.3, 0.2, -0.5], "Qinit = 0.3, 0.2; QDinit = 3, -2;")
        .body(["b1", "world", "J1"], 1.0, [0.1, 0.2, 0.15], [0.1, 0.0, -0.2])
        .body(["b2", "b1", "J2"], 0.7, [0.05, 0.03, 0.05], [0.2, 0.1, 0.0])
        .with("Triad \"c\" { Parent = b1; Position = -0.3, 0.1, 0.2; Orientation = 0.7, -0.5, 0.2; }")
        .with("Triad \"tip\" { Parent = b2; Position = 0.4, -0.3, 0.2; Orientation = 1, 0.5, -0.2; AngleType = cardan; }")
        .with("Sensor \"s\" { TriadFrom = c; TriadTo = tip; Frame = local; AngleType = cardan; }")
        .with("Sensor \"w\" { TriadFrom = c; TriadTo = tip; }")
        .with(more)
}

#[test]
fn rates_are_derivatives_of_their_components() {
    let chains: &[[&str; 3]] = &[["x", "vx", "ax"], ["y", "vy", "ay"], ["z", "vz", "az"]];
    let turns: &[[&str; 2]] = &[["wx", "alphax"], ["wy", "alphay"], ["wz", "alphaz"]];
    let mut pairs: Vec<[String; 2]> = Vec::new();
    for owner in ["s", "w", "tip", "b2"] {
        let named = |a: &str, b: &str| [format!("{owner}.{a}"), format!("{owner}.{b}")];
        pairs.extend(chains.iter().flat_map(|[x, v, a]| [named(x, v), named(v, a)]));
        pairs.extend(turns.iter().map(|[w, alpha]| named(w, alpha)));
    }
    for owner in ["s", "w"] {
        pairs.push([format!("{owner}.s"), format!("{owner}.sd")]);
        pairs.push([format!("{owner}.sd"), format!("{owner}.sdd")]);
    }
    let mut names: Vec<&str> = pairs.iter().flatten().map(String::as_str).collect();
    names.sort_unstable();
    names.dedup();
    let text =
        in_space(&format!("Output \"o\" {{ Signals = {}; Files = csv; }}", names.join(", ")));
    let outcome = run(text.text());
    assert!(outcome.error.is_none(), "{:?}", outcome.error.map(|e| e.to_string()));
    let table = outcome.table("csv");
    for [of, rate] in &pairs {
        for row in 3..table.rows.len() - 3 {
            let (found, told) = (derivative(&table, of, row), table.rows[row][table.index(rate)]);
            // h^6 x^(7)/140 with motions of some 15 rad/s; rates of up to 100.
            assert!((found - told).abs() < 1e-9 * 100.0, "{of} {rate}: {found} {told}");
        }
    }
}

/// The derivative of a rotation is `D' = D w~` with w in the axes of T1, of which the quaternion and the angles must know.
#[test]
fn orientations_turn_with_the_angular_velocity() {
    let names = ["wx", "wy", "wz", "q0", "q1", "q2", "q3", "angle1", "angle2", "angle3"];
    let columns: Vec<String> =
        ["s", "w", "tip"].iter().flat_map(|owner| names.map(|n| format!("{owner}.{n}"))).collect();
    let text =
        in_space(&format!("Output \"o\" {{ Signals = {}; Files = csv; }}", columns.join(", ")));
    let table = run(text.text()).complete().table("csv");
    // 2 q* q' is the angular velocity in the axes of T1, 2 q' q* in those of T0.
    let times = |a: [f64; 4], b: [f64; 4]| {
        [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
    };
    for owner in ["s", "tip"] {
        for row in 3..table.rows.len() - 3 {
            let at = |name: &str| table.rows[row][table.index(&format!("{owner}.{name}"))];
            let q = ["q0", "q1", "q2", "q3"].map(at);
            let rate =
                ["q0", "q1", "q2", "q3"].map(|n| derivative(&table, &format!("{owner}.{n}"), row));
            assert!((q.iter().map(|q| q * q).sum::<f64>() - 1.0).abs() < 1e-14 && q[0] >= 0.0);
            if q[0] < 0.1 {
                continue;
            }
            let omega = times(rate, [q[0], -q[1], -q[2], -q[3]]).map(|x| 2.0 * x);
            for (k, name) in ["wx", "wy", "wz"].into_iter().enumerate() {
                assert!((omega[k + 1] - at(name)).abs() < 1e-7, "{owner} {name}: {omega:?}");
            }
            // Cardan angles: Dx(a) Dy(b) Dz(c).
            let half = |name: &str| (0.5 * at(name)).sin_cos();
            let ((sa, ca), (sb, cb), (sc, cc)) = (half("angle1"), half("angle2"), half("angle3"));
            let turned = times(times([ca, sa, 0.0, 0.0], [cb, 0.0, sb, 0.0]), [cc, 0.0, 0.0, sc]);
            let same: f64 = turned.iter().zip(&q).map(|(a, b)| a * b).sum();
            assert!((same.abs() - 1.0).abs() < 1e-13, "{owner}: {turned:?} {q:?}");
        }
    }
    // The frame of the components changes nothing in the orientation.
    for name in ["q0", "q1", "q2", "q3"] {
        let of = |owner: &str| table.index(&format!("{owner}.{name}"));
        assert!(table.rows.iter().all(|row| row[of("s")] == row[of("w")]));
    }
}

#[test]
fn networks_read_what_results_show() {
    let read =
        ["s.ax", "w.ay", "s.alphaz", "w.alphax", "s.sdd", "tip.ax", "tip.alphay", "b2.alphaz"];
    let mut more = String::new();
    for (k, signal) in read.iter().enumerate() {
        more += &format!("Gain \"g{k}\" {{ u = {signal}; k = 1; }}\n");
    }
    let gains: Vec<String> = (0..read.len()).map(|k| format!("g{k}.y")).collect();
    more += &format!(
        "Output \"o\" {{ Signals = {}, {}; Files = csv; }}",
        read.join(", "),
        gains.join(", ")
    );
    for loops in [
        "",
        "Rod \"rod\" { TriadFrom = anchor; TriadTo = tip; } Triad \"anchor\" { Parent = world; Position = 1, 1, 1; }\n",
    ] {
        let outcome = run(in_space(&more).with(loops).text());
        let table = outcome.complete().table("csv");
        for row in &table.rows {
            for (signal, gain) in read.iter().zip(&gains) {
                let (shown, seen) = (row[table.index(signal)], row[table.index(gain)]);
                // Two ways through the same sums of some tens of terms.
                assert!(
                    (shown - seen).abs() < 1e-11 * (100.0 + shown.abs()),
                    "{signal}: {seen} {shown}"
                );
            }
        }
    }
}

/// Where both origins meet the distance has its derivatives from then on, and the angles have values.
#[test]
fn distance_zero_and_singular_angles_have_values() {
    let text = Text::new([0.0, 0.0, -8.0], Run::new("derf", FINE, 0.1, 0.05))
        .joint("Free", ["J", "world", "b"], [0.0; 3], "Qinit = 0, 0, 0, 0, 0, 0; QDinit = 3, 0, 4, 0, 0, 2;")
        .body(["b", "world", "J"], 1.0, [0.1; 3], [0.0; 3])
        .with("Sensor \"s\" { TriadFrom = J_0; TriadTo = J_1; }")
        .with("Output \"o\" { Signals = s.s, s.sd, s.sdd, s.angle1, s.angle2, s.angle3; Files = csv; }");
    let outcome = run(text.text()).complete();
    let table = outcome.table("csv");
    let first = &table.rows[0];
    let at = |name: &str| first[table.index(name)];
    assert_eq!((at("s.s"), at("s.sd")), (0.0, 5.0));
    // v.a/|v| = 4 (-8)/5.
    assert!((at("s.sdd") + 6.4).abs() < 1e-14);
    assert_eq!((at("s.angle1"), at("s.angle2"), at("s.angle3")), (0.0, 0.0, 0.0));
    let log = outcome.text("log");
    for words in ["Sensor s: both origins meet", "Sensor s: the angles are singular"] {
        assert!(log.contains(words), "{log}");
    }
}

/// A mass behind a `LineAxis` along a slide is the mass behind a `JointAxis`; the force on the flange is that of both.
#[test]
fn a_line_along_a_slide_is_the_slide() {
    let slide = |axis: &str| {
        Text::new([0.0, 0.0, -G], Run::new("derf", FINE, 1.0, 0.05))
            .joint("Prismatic", ["J", "world", "b"], [0.0; 3], "JointAxis = 0, 0, 1; Qinit = 0.2; QDinit = 1;")
            .body(["b", "world", "J"], 2.0, [0.1; 3], [0.0; 3])
            .triad("low", "world", [0.0, 0.0, -1.0])
            .with("Mass \"m\" { a = rod; m = 3; } ForceSource \"F\" { a = rod; F = 30 + 10*sin(7*t); }")
            .with("LinearSpring \"c\" { a = base; b = rod; c = 20; d = 3; }")
            .with(axis)
            .with("Output \"o\" { Signals = J.q, J.qd, F.f; Files = csv; }")
    };
    // The spring has its rest length at the same place.
    let line = slide("LineAxis \"A\" { flange = rod; TriadFrom = low; TriadTo = J_1; }");
    let joint = slide("JointAxis \"A\" { flange = rod; Joint = J; }");
    let joint = joint.text().replace("c = 20;", "c = 20; s0 = -1;");
    let (line, joint) = (solved(&line), run(&joint).complete());
    let apart = distance(&line.table("csv"), &joint.table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
}

/// A pendulum with an inerter b s'' between its tip and a point of the world, solved by hand:
/// `(I + b s_q^2) q'' = -m g r sin q - b s_q s_qq q'^2`, with s(q) by the law of cosines.
#[test]
fn a_mass_between_two_points_is_an_inerter() {
    let (m, r, inertia, b) = (1.5, 0.6, 0.2, 4.0);
    let anchor: [f64; 2] = [0.9, 0.3];
    let text = Text::new([0.0, 0.0, -G], Run::new("derf", FINE, 1.0, 0.05))
        .joint(
            "Revolute",
            ["J", "world", "b"],
            [0.0; 3],
            "JointAxis = 0, -1, 0; Qinit = 0.4; QDinit = 1;",
        )
        .body(["b", "world", "J"], m, [0.1, inertia, 0.1], [0.0, 0.0, -r])
        .triad("anchor", "world", [anchor[0], 0.0, anchor[1]])
        .triad("tip", "b", [0.0, 0.0, -r])
        .with(&format!("Mass \"i\" {{ a = rod; m = {b:?}; }}"))
        .with("LineAxis \"A\" { flange = rod; TriadFrom = anchor; TriadTo = tip; }")
        .with("Output \"o\" { Signals = J.q, J.qd, A.s, A.sd; Files = csv; }");
    let outcome = solved(&text);
    let table = outcome.table("csv");
    // s^2 = d^2 with the tip at r (sin q, -cos q).
    let line = |q: f64| {
        let (sin, cos) = q.sin_cos();
        let (x, z) = (r * sin - anchor[0], -r * cos - anchor[1]);
        let (dx, dz) = (r * cos, r * sin);
        let s = x.hypot(z);
        let first = (x * dx + z * dz) / s;
        let second = (dx * dx + dz * dz - x * r * sin + z * r * cos) / s - first * first / s;
        (s, first, second)
    };
    let rate = |[q, v]: [f64; 2]| {
        let (_, first, second) = line(q);
        let force = -m * G * r * q.sin() - b * first * second * v * v;
        [v, force / (inertia + m * r * r + b * first * first)]
    };
    let mut y = [0.4, 1.0];
    for (k, row) in table.rows.iter().enumerate() {
        let at = |name: &str| row[table.index(name)];
        let (s, first, _) = line(y[0]);
        let expected = [y[0], y[1], s, first * y[1]];
        for (name, value) in ["J.q", "J.qd", "A.s", "A.sd"].into_iter().zip(expected) {
            assert!((at(name) - value).abs() < 1e-9, "row {k} {name}: {} {value}", at(name));
        }
        // The classical method with steps whose error is below 1e-12.
        for _ in 0..200 {
            let h = 0.05 / 200.0;
            let step = |k: [f64; 2], f: f64| [y[0] + f * h * k[0], y[1] + f * h * k[1]];
            let k1 = rate(y);
            let k2 = rate(step(k1, 0.5));
            let k3 = rate(step(k2, 0.5));
            let k4 = rate(step(k3, 1.0));
            for i in 0..2 {
                y[i] += h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]);
            }
        }
    }
}

/// A spring behind a line is the element of the mechanics; both bodies of the line move.
#[test]
fn a_spring_on_a_line_is_a_spring() {
    let with = |more: &str| {
        two_arms(second(), "0, 1, 0", ["", ""])
            .triad("p", "arm1", [0.2, 0.0, -0.3])
            .triad("q", "arm2", [0.3, 0.1, -0.5])
            .with(more)
            .with("Output \"o\" { Signals = J1.q, J1.qd, J2.q, J2.qd; Files = csv; }")
    };
    let element = with(
        "Spring \"S\" { TriadFrom = p; TriadTo = q; ElasticLinear = 90; DampingLinear = 2; ZeroLength = 0.4; }",
    );
    let line = with(
        "LinearSpring \"S\" { a = base; b = rod; c = 90; d = 2; s0 = 0.4; }\n\
                     LineAxis \"A\" { flange = rod; TriadFrom = p; TriadTo = q; }",
    );
    let apart = distance(&solved(&element).table("csv"), &solved(&line).table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
}

#[test]
fn a_line_whose_length_is_given_is_refused() {
    let text = two_arms(second(), "0, 1, 0", ["", ""])
        .triad("p", "arm1", [0.2, 0.0, -0.3])
        .triad("q", "arm2", [0.3, 0.1, -0.5])
        .with("PositionSource \"P\" { a = rod; S = 0.5 + 0.1*t; } LineAxis \"A\" { flange = rod; TriadFrom = p; TriadTo = q; }");
    let words = run(text.text()).error.map(|error| error.to_string()).unwrap_or_default();
    assert!(words.contains("LineAxis `A` has its length given by the network"), "{words}");
}
