//! Events: times against closed forms, settling, accumulation, restarts.
//!
//! One harness for every method: the same problems, the same events, the same assertions.
#![allow(clippy::expect_used)]

use std::f64::consts::PI;

use dysim_tests::ode::harness::{
    CONTROLLED, METHODS, TOLERANCE, assert_times, run, settings, settings_at,
};
use dysim_tests::ode::run::{Recorder, driver, integrate};
use dysim_tests::ode::special::{Clock, Clocked, Quarrel, Sawtooth, Slider, Stairs};
use dysim_tests::ode::switching::{Block, BouncingBall, GRAVITY, Relay, Trampoline};
use integrate::{BinaryStates, Cause, GuardId, HybridSystem, IntegrationError, MethodKind, Stop};

#[test]
fn a_ball_bounces_at_the_times_of_its_parabolas() {
    let first = BouncingBall::first_impact(1.0);
    let mut expected = vec![first];
    for n in 1..8 {
        expected.push(expected[n - 1] + 2.0 * first * 0.8f64.powi(n as i32));
    }
    let end = expected[7] + 0.01;
    for kind in METHODS {
        let mut ball = BouncingBall { restitution: 0.8, may_rest: false, resting: false };
        let run = run(kind, &mut ball, (0.0, end), &[1.0, 0.0], 37, &mut Recorder::default());
        let outcome = run.expect("a run to the end");
        assert_times(kind.name(), &outcome.events, &expected);
        assert_eq!(outcome.statistics.roots, 8);
        assert_eq!(outcome.statistics.restarts, 8);
    }
}

#[test]
fn a_relay_switches_at_its_logarithms() {
    for kind in METHODS {
        let mut relay = Relay::new(0.5);
        let run = run(kind, &mut relay, (0.0, 10.0), &[0.0], 100, &mut Recorder::default());
        let expected: Vec<f64> = (1..=9).map(|n| relay.switching_time(n)).collect();
        assert_times(kind.name(), &run.expect("a run to the end").events, &expected);
    }
}

/// The error of event times follows the tolerance over seven decades.
#[test]
fn event_times_follow_the_tolerance() {
    for kind in CONTROLLED {
        for digits in 4..=11 {
            let tolerance = 10f64.powi(-digits);
            let mut relay = Relay::new(0.5);
            let mut driver = driver(kind, &relay, &settings_at(kind, tolerance));
            let recorder = &mut Recorder::default();
            let run = integrate(&mut driver, &mut relay, (0.0, 10.0), &[0.0], 10, recorder);
            for (n, t) in run.expect("a run to the end").events.iter().enumerate() {
                let error = (t - relay.switching_time(n + 1)).abs();
                let allowed = 10.0 * tolerance * (n + 1) as f64;
                assert!(error < allowed, "{kind:?} 1e-{digits} event {n}: {error:e}");
            }
        }
    }
}

#[test]
fn a_mass_meets_and_leaves_its_spring_on_time() {
    for kind in METHODS {
        let mut trampoline = Trampoline::new(20.0);
        let expected = trampoline.switching_times(0.5, 12);
        let end = expected[11] + 0.05;
        let run = run(kind, &mut trampoline, (0.0, end), &[0.5, 0.0], 50, &mut Recorder::default());
        let outcome = run.expect("a run to the end");
        // Speed at contact is 3 m/s: an error of position is a third of that in time.
        assert_times(kind.name(), &outcome.events, &expected);
    }
}

/// Every half swing takes pi and loses twice the friction: from 1.05 with 0.1 the turning points are
/// -0.85, 0.65, -0.45, 0.25 and -0.05. At 0.25 the spring still exceeds the static limit of 0.2, at
/// -0.05 the block sticks and does not creep.
#[test]
fn a_block_slides_and_sticks_where_friction_says() {
    for kind in METHODS {
        let mut block = Block { slip: 0.1, stick: 0.2, mode: 0 };
        let recorder = &mut Recorder::default();
        let outcome = run(kind, &mut block, (0.0, 30.0), &[1.05, 0.0], 60, recorder);
        let outcome = outcome.expect("a run to the end");
        let expected: Vec<f64> = (1..=5).map(|n| f64::from(n) * PI).collect();
        // The velocity crosses zero with the slope of the spring less friction, at least 0.15 N
        // until the last turn: an error of velocity becomes seven times that in time.
        assert_eq!(outcome.events.len(), 5, "{kind:?}: {:?}", outcome.events);
        for (found, expected) in outcome.events.iter().zip(&expected) {
            assert!((found - expected).abs() < 70.0 * TOLERANCE, "{kind:?}: {found} {expected}");
        }
        assert_eq!((block.mode, outcome.y[1]), (0, 0.0), "{kind:?}");
        assert!((outcome.y[0] + 0.05).abs() < 50.0 * TOLERANCE, "{kind:?}: {}", outcome.y[0]);
        let resting = outcome.outputs.iter().filter(|(t, _)| *t > 16.0);
        assert!(resting.map(|(_, y)| y[0].to_bits()).all(|bits| bits == outcome.y[0].to_bits()));
    }
}

#[test]
fn time_events_are_hit_exactly() {
    for kind in METHODS {
        let mut problem = Clocked { slope: 1.0, asked_at_step: false };
        let mut driver = driver(kind, &problem, &settings(kind));
        let recorder = &mut Recorder::default();
        let run = integrate(&mut driver, &mut problem, (0.0, 1.6), &[0.0], 16, recorder);
        let outcome = run.expect("a run to the end");
        assert_eq!(outcome.events, [0.25, 0.5, 0.75, 1.0, 1.25, 1.5], "{kind:?}");
        assert_eq!(outcome.statistics.time_events, 6);
        // A triangle wave; the methods integrate constants exactly up to the round-off of at most
        // 3200 additions.
        for (t, y) in &outcome.outputs {
            let expected = 0.25 - (0.25 - t.rem_euclid(0.5)).abs();
            assert!((y[0] - expected).abs() < 1e-13, "{kind:?} {t}: {} {expected}", y[0]);
        }
    }
}

#[test]
fn step_events_come_at_the_end_of_a_step() {
    for kind in METHODS {
        let mut problem = Clocked { slope: 1.0, asked_at_step: true };
        let recorder = &mut Recorder::default();
        // A straight line tempts implicit methods to step over the whole interval.
        let mut settings = settings(kind);
        settings.limits.max = 0.1;
        let mut driver = driver(kind, &problem, &settings);
        let run = integrate(&mut driver, &mut problem, (0.0, 1.0), &[0.0], 10, recorder);
        let outcome = run.expect("a run to the end");
        assert_eq!(outcome.statistics.step_events, 1, "{kind:?}");
        let turn = outcome.events[0];
        assert!(turn > 0.5 && recorder.steps.iter().any(|s| s.t == turn));
        assert!((outcome.y[0] - (2.0 * turn - 1.0)).abs() < 1e-13);
    }
}

#[test]
fn states_that_do_not_settle_are_named() {
    let mut quarrel = Quarrel(false);
    let run = run(MethodKind::Derf, &mut quarrel, (0.0, 1.0), &[0.0], 1, &mut Recorder::default());
    let error = run.expect_err("no fixed point");
    let IntegrationError::UnsettledEvent { t, iterations, toggling } = &error else {
        unreachable!("{error}")
    };
    assert!((t - 0.5).abs() < 1e-9 && *iterations == 100);
    assert_eq!(toggling, &[GuardId(1), GuardId(2)]);
    assert!(error.to_string().contains("guard 1 guard 2"), "{error}");
}

/// A ball that loses half its speed comes to rest at three times the time of its first impact:
/// `t1 (1 + 2 (1/2 + 1/4 + ...))`. Impacts below the zero band take about 1e-7 s each.
#[test]
fn an_accumulation_of_impacts_ends_at_rest() {
    let rest = 3.0 * BouncingBall::first_impact(1.0);
    for kind in METHODS {
        let mut ball = BouncingBall { restitution: 0.5, may_rest: true, resting: false };
        let recorder = &mut Recorder::default();
        let outcome = run(kind, &mut ball, (0.0, 3.0), &[1.0, 0.0], 30, recorder).expect("a run");
        assert!(ball.resting, "{kind:?}");
        let last = outcome.events[outcome.events.len() - 1];
        assert!((last - rest).abs() < 1e-5, "{kind:?}: {last} {rest}");
        assert!(outcome.events.len() < 100, "{kind:?}: {}", outcome.events.len());
        assert_eq!(outcome.y, [0.0, 0.0]);
        assert!(recorder.notices.iter().any(|n| n.starts_with("Zeno")), "{:?}", recorder.notices);
    }
}

#[test]
fn an_accumulation_without_rest_is_an_error_that_names_the_guard() {
    for kind in METHODS {
        let mut ball = BouncingBall { restitution: 0.5, may_rest: false, resting: false };
        let run = run(kind, &mut ball, (0.0, 3.0), &[1.0, 0.0], 30, &mut Recorder::default());
        let error = run.expect_err("no rest");
        let IntegrationError::Zeno { guard, t, .. } = error else {
            unreachable!("{kind:?} {error}")
        };
        assert_eq!(guard, GuardId(0));
        assert!((t - 3.0 * (2.0 / GRAVITY).sqrt()).abs() < 1e-5);
    }
}

/// A state that both modes drive back to zero slides along it: the driver gives its guard a
/// hysteresis of at most 1e-5 of its scale, says that it chatters, and the run gets on.
#[test]
fn a_sliding_guard_is_reported_and_the_run_gets_on() {
    for kind in METHODS {
        let mut slider = Slider { states: BinaryStates::new(1) };
        let mut recorder = Recorder::default();
        let run = run(kind, &mut slider, (0.0, 0.02), &[0.01], 10, &mut recorder);
        let outcome = run.expect("a run to the end");
        assert_eq!(outcome.t, 0.02);
        assert!(outcome.y[0].abs() < 1.1e-5, "{kind:?}: {:?}", outcome.y);
        // A period of the hysteresis takes 4e-5 s and has two events.
        assert!((400..1000).contains(&outcome.events.len()), "{kind:?}: {}", outcome.events.len());
        assert!(recorder.notices.iter().any(|n| n.starts_with("Chattering")), "{kind:?}");
    }
}

/// A relay with a hysteresis of 2e-9 switches every 2e-9 s: reported, and stopped if wanted.
#[test]
fn chattering_is_reported_and_the_run_goes_on_unless_stopped() {
    for kind in METHODS {
        let mut recorder = Recorder::default();
        let outcome = run(kind, &mut Relay::new(1e-9), (0.0, 1e-6), &[0.0], 1, &mut recorder);
        let outcome = outcome.expect("a run to the end");
        assert_eq!(outcome.t, 1e-6);
        assert!(outcome.events.len() > 400, "{kind:?}: {}", outcome.events.len());
        assert!(recorder.notices.iter().any(|n| n.starts_with("Chattering")), "{kind:?}");
        let mut recorder = Recorder { strict: true, ..Recorder::default() };
        let outcome = run(kind, &mut Relay::new(1e-9), (0.0, 1e-6), &[0.0], 1, &mut recorder);
        assert!(outcome.expect("a stop").interrupted, "{kind:?}");
    }
}

/// With cold restarts a method repeats its own opening, step for step and bit for bit.
#[test]
fn a_jump_back_to_the_start_repeats_the_opening() {
    for kind in CONTROLLED {
        let mut settings = settings(kind);
        settings.events.warm_restart = false;
        let mut driver = driver(kind, &Sawtooth, &settings);
        let mut recorder = Recorder::default();
        let run = integrate(&mut driver, &mut Sawtooth, (0.0, 20.0), &[0.0; 2], 1, &mut recorder);
        let events = run.expect("a run to the end").events;
        assert!(events.len() > 5, "{kind:?}");
        let opening = |from: f64| -> Vec<(f64, usize)> {
            let later = recorder.steps.iter().filter(|s| s.t - s.h > from - 1e-9);
            later.take(4).map(|s| (s.h, s.order)).collect()
        };
        let first = opening(0.0);
        for event in &events[..5] {
            assert_eq!(opening(*event), first, "{kind:?} at {event}");
        }
    }
}

/// The fast restart of `derf` saves at least a seventh of all evaluations of a run with many
/// events (of the restart itself more than half) and keeps its accuracy.
#[test]
fn a_warm_restart_is_cheaper_than_a_cold_one() {
    let mut evaluations = Vec::new();
    for warm in [false, true] {
        let mut trampoline = Trampoline::new(20.0);
        let mut relay = Relay::new(0.5);
        let contacts = trampoline.switching_times(0.5, 40);
        let switches: Vec<f64> = (1..=40).map(|n| relay.switching_time(n)).collect();
        let mut settings = settings(MethodKind::Derf);
        settings.events.warm_restart = warm;
        let problems: [(&mut dyn HybridSystem, &[f64], &[f64]); 2] =
            [(&mut trampoline, &[0.5, 0.0], &contacts), (&mut relay, &[0.0], &switches)];
        let mut sum = 0;
        for (problem, y0, expected) in problems {
            let mut driver = driver(MethodKind::Derf, problem, &settings);
            let span = (0.0, expected[39] + 0.01);
            let run = integrate(&mut driver, problem, span, y0, 1, &mut Recorder::default());
            let outcome = run.expect("a run to the end");
            assert_times("warm or cold", &outcome.events, expected);
            sum += outcome.statistics.evaluations;
        }
        evaluations.push(sum);
    }
    assert!(7 * evaluations[1] < 6 * evaluations[0], "{evaluations:?}");
}

/// 10^5 events: the last at its time, and the second half as cheap as the first.
#[test]
fn a_hundred_thousand_events_lose_neither_accuracy_nor_speed() {
    const EVENTS: usize = 100_000;
    let mut relay = Relay::new(0.5);
    let end = relay.switching_time(EVENTS) + 0.1;
    let mut driver = driver(MethodKind::Derf, &relay, &settings(MethodKind::Derf));
    let recorder = &mut Recorder::default();
    let mut halves = Vec::new();
    let mut events = 0;
    driver.start(&mut relay, 0.0, &[0.0], 1.0, recorder).expect("a start");
    let mut last = 0.0;
    for half in [0.5 * end, end] {
        while driver.t() < half {
            let stop = driver.advance(&mut relay, half, recorder).expect("a run");
            if matches!(stop, Stop::Event(_)) {
                events += 1;
                last = driver.t();
            }
        }
        halves.push(driver.statistics().evaluations);
        recorder.steps.clear();
    }
    assert_eq!(events, EVENTS);
    // Each stretch starts from the state of the one before, and its error decays with exp(-t), so
    // errors of times add up without growing: at most one tolerance each.
    let error = (last - relay.switching_time(EVENTS)).abs();

    assert!(error < EVENTS as f64 * TOLERANCE, "{error:e}");
    let second = (halves[1] - halves[0]) as f64;
    assert!((second / halves[0] as f64 - 1.0).abs() < 0.01, "{halves:?}");
}

/// Outputs at the very instants of the jumps hold the values after them; before and after stand side
/// by side. The interval of 0.1 s is not a binary number, so sums of steps miss its multiples.
#[test]
fn an_output_at_an_event_holds_the_values_after_it() {
    for kind in METHODS {
        let mut stairs = Stairs { interval: 0.1 };
        let mut driver = driver(kind, &stairs, &settings(kind));
        let recorder = &mut Recorder::default();
        driver.start(&mut stairs, 0.0, &[0.0], 1.0, recorder).expect("a start");
        for k in 1..=200 {
            let t = 0.1 * f64::from(k);
            let stop = driver.advance(&mut stairs, t, recorder).expect("a run");
            assert_eq!((stop, driver.t()), (Stop::Event(Cause::Time), t), "{kind:?}");
            let smooth = (1.0 - (3.0 * t).cos()) / 3.0;
            let (before, after) = (driver.y_before()[0], driver.y()[0]);
            // One tolerance per stretch, relative to a value that grows to 200.
            let allowed = 10.0 * TOLERANCE * f64::from(k * k);
            assert!((before - smooth - f64::from(k - 1)).abs() < allowed, "{kind:?} {t}");
            assert_eq!(after, before + 1.0);
            assert_eq!(driver.advance(&mut stairs, t, recorder), Ok(Stop::Output), "{kind:?}");
            assert_eq!(driver.y()[0], after, "{kind:?}");
        }
        assert_eq!(driver.statistics().time_events, 200);
    }
}

/// A system without continuous states still follows its clock.
#[test]
fn a_system_without_states_follows_its_clock() {
    for kind in METHODS {
        let mut clock = Clock(0);
        run(kind, &mut clock, (0.0, 9.5), &[], 19, &mut Recorder::default()).expect("a run");
        assert_eq!(clock.0, 9, "{kind:?}");
    }
}
