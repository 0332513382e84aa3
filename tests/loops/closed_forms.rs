//! The closed forms themselves: their joints hold, and their equations of motion give published values.

use dysim_tests::bounds::references;
use dysim_tests::closed_forms::{
    DOWN, bennett, bricard, four_bar, slider_crank, spherical_four_bar, windows,
};
use dysim_tests::mechanism::{Mechanism, Parts, Points, dot};
use dysim_tests::taylor::{Point, Taylor};

/// All mass points of a mechanism.
pub fn masses(mechanism: &Mechanism, s: Taylor) -> Vec<(f64, Point)> {
    (mechanism.parts)(s)
        .solids
        .iter()
        .flat_map(|solid| solid.points().collect::<Vec<_>>())
        .collect()
}

/// The motion of a mechanism from a start, at the given times.
pub fn motion(mechanism: &Mechanism, start: [f64; 2], times: &[f64], step: f64) -> Vec<[f64; 2]> {
    let at = |s: Taylor| masses(mechanism, s);
    Points { gravity: mechanism.gravity, momentum: 0.0, at: &at }.integrate(start, times, step)
}

/// A joint as its two bodies see it: point and axis in the axes of either.
fn seen(parts: &Parts, pin: usize) -> Vec<f64> {
    let pin = &parts.pins[pin];
    let mut all = Vec::new();
    for body in pin.bodies {
        let (point, axis) = (pin.point.value(), pin.axis.value());
        let Some(body) = body else {
            all.extend(point);
            all.extend(axis);
            continue;
        };
        let solid = &parts.solids[body];
        let arm = (pin.point - solid.centre).value();
        for e in solid.axes {
            all.extend([dot(arm, e.value()), dot(axis, e.value())]);
        }
    }
    all
}

#[test]
fn joints_keep_their_places_on_both_bodies() {
    let angles = [30.0f64, 75.0, 70.0, 80.0].map(f64::to_radians);
    let cases = [
        ("four-bar", four_bar([0.3, 0.9, 0.7, 1.0], DOWN)),
        ("slider-crank", slider_crank()),
        ("windows", windows(3)),
        ("spherical", spherical_four_bar(angles)),
        ("Bennett", bennett()),
        ("Bricard", bricard()),
    ];
    for (name, mechanism) in cases {
        let start = (mechanism.parts)(0.6.into());
        for k in 0..60 {
            let parts = (mechanism.parts)((0.6 + 0.21 * f64::from(k)).into());
            for pin in (0..parts.pins.len()).filter(|pin| parts.pins[*pin].keyword == "Revolute") {
                let (then, now) = (seen(&start, pin), seen(&parts, pin));
                let gap = then.iter().zip(&now).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                // Rounding of a few hundred operations on numbers of order 1; the roots of the four-bars lose
                // half of the digits only where they vanish, which these do not.
                assert!(gap < 1e-13, "{name}, joint {pin}, step {k}: {gap:e}");
            }
        }
    }
}

/// The published values come from quadruple precision. Here each step of extrapolation rounds a few
/// numbers of the size of the state, some 10 eps, and the motion makes that grow by a factor that a
/// shift of the initial speed tells.
#[test]
fn equations_of_motion_give_the_published_values() {
    let cases: [(&str, Mechanism, [f64; 2], [&str; 2]); 2] = [
        (
            "LP-4BAR",
            four_bar([0.3, 0.9, 0.7, 1.0], DOWN),
            [0.0, 10.0],
            ["crank_angle", "crank_omega"],
        ),
        ("IFT-A02-N2", windows(2), [0.0, 1.0], ["phi", "phid"]),
    ];
    for (name, mechanism, start, quantities) in cases {
        let expected = references(name, 10.0);
        let mut times = vec![0.0];
        times.extend(expected.iter().filter(|e| e.quantity == quantities[0]).map(|e| e.time()));
        let step = 0.005;
        let path = motion(&mechanism, start, &times, step);
        let shifted = motion(&mechanism, [start[0], start[1] + 1e-7], &times, step);
        for (k, quantity) in quantities.into_iter().enumerate() {
            for e in expected.iter().filter(|e| e.quantity == quantity) {
                let at = times.iter().position(|t| *t == e.time()).expect("a time of the table");
                let error = (path[at][k] - e.value).abs();
                let growth = (0..2).map(|i| (shifted[at][i] - path[at][i]).abs() / 1e-7);
                let growth = growth.fold(1.0, f64::max);
                let steps = e.time() / step;
                let size = path.iter().flatten().fold(1.0, |size: f64, y| size.max(y.abs()));
                let bound = 10.0 * f64::EPSILON * steps * size * growth;
                println!("{name} {quantity} at {}: {error:.1e}, bound {bound:.1e}", e.at);
                assert!(error < bound, "{name} {quantity} at {}: {error:e}, {bound:e}", e.at);
                assert!(bound < 1e-6, "the bound {bound:e} says nothing");
            }
        }
    }
}
