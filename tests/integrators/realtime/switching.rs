//! Events of methods with fixed steps: at the ends of steps, with the modes settled there.

use dysim_tests::ode::run::{Recorder, driver, integrate};
use dysim_tests::ode::switching::{BouncingBall, Trampoline};
use integrate::{MethodKind, RootSearch, Settings, Stop, Tolerance};

const KINDS: [MethodKind; 3] =
    [MethodKind::Euler, MethodKind::EulerImplicit, MethodKind::EulerMixed];

fn settings(kind: MethodKind, h: f64) -> Settings {
    let mut settings = Settings::new(kind, Tolerance::new(1e-6, 1e-6));
    settings.events.search = RootSearch::StepEnd;
    settings.fixed_step = h;
    settings
}

/// Impacts are seen at the first end of a step below the floor, at most a step after the exact ones.
#[test]
fn impacts_are_seen_at_ends_of_steps() {
    let h = 1e-3;
    for kind in KINDS {
        let mut ball = BouncingBall { restitution: 0.8, may_rest: true, resting: false };
        let mut driver = driver(kind, &ball, &settings(kind, h));
        let mut recorder = Recorder::default();
        let run = integrate(&mut driver, &mut ball, (0.0, 1.0), &[1.0, 0.0], 10, &mut recorder);
        let outcome = run.expect("a run to the end");
        let first = BouncingBall::first_impact(1.0);
        for event in &outcome.events {
            assert!((event / h - (event / h).round()).abs() < 1e-6, "{kind:?} {event}");
        }
        // Positions are wrong by up to g h t/2, which is half a step at the speed g t of the impact.
        assert!((outcome.events[0] - first).abs() < 1.5 * h, "{kind:?} {:?}", outcome.events);
    }
}

/// A trampoline whose bed is stiff for the step: with the bed in touch its speed has to be fast, which shows only then.
#[test]
fn fast_states_are_found_in_new_modes() {
    // 400 rad/s and steps of 4 ms: w h = 1.6, beyond what a fast coordinate alone allows with its margin.
    let h = 4e-3;
    let mut bed = Trampoline::new(400.0);
    let mut driver = driver(MethodKind::EulerMixed, &bed, &settings(MethodKind::EulerMixed, h));
    let mut recorder = Recorder::default();
    driver.start(&mut bed, 0.0, &[0.05, 0.0], 1.0, &mut recorder).expect("a start");
    assert_eq!(driver.method().fast_states(), [0; 0]);
    let mut largest = 0.0f64;
    for k in 1..=100 {
        let t = 0.01 * f64::from(k);
        while driver.advance(&mut bed, t, &mut recorder).expect("a run") != Stop::Output {}
        largest = largest.max(driver.y()[0].abs());
    }
    assert_eq!(driver.method().fast_states(), [0, 1]);
    // A bed met a step late adds up to (w h)^2 of the energy, and an implicit step in touch divides by 1 + (w h)^2, so that
    // it never flies higher than it was dropped, but for the error of free fall, g h t/2 with t = 0.1 s.
    assert!(largest < 0.05 + 2e-3, "{largest}");
}
