//! Events: times against closed forms, hidden and simultaneous crossings, settling, accumulation.
//!
//! One harness for every method: the same problems, the same events, the same assertions.
#![allow(clippy::expect_used)]

use std::f64::consts::PI;

use dysim_tests::ode::run::{Outcome, Recorder, driver, integrate};
use dysim_tests::ode::special::{Clock, Clocked, Levels, Quarrel, Sawtooth, Sequence, Stairs};
use dysim_tests::ode::switching::{Block, BouncingBall, GRAVITY, Relay, Trampoline, Watched};
use engine::integrators::{
    Cause, GuardId, IntegrationError, MethodKind, Problem, RootSearch, Settings, Stop, Tolerance,
};

const METHODS: [MethodKind; 4] =
    [MethodKind::Derf, MethodKind::OdeintRk, MethodKind::OdeintBs, MethodKind::Rk4];

/// Tolerance of the runs; the fixed step of rk4 is chosen to reach it on problems of unit scale.
const TOLERANCE: f64 = 1e-8;

fn settings(kind: MethodKind) -> Settings {
    let mut settings = Settings::new(kind, Tolerance::new(TOLERANCE, TOLERANCE));
    settings.events.search = RootSearch::Locate;
    settings.fixed_step = 5e-4;
    settings
}

fn run(
    kind: MethodKind,
    problem: &mut dyn Problem,
    span: (f64, f64),
    y0: &[f64],
    outputs: usize,
    recorder: &mut Recorder,
) -> Result<Outcome, IntegrationError> {
    let mut driver = driver(kind, problem, &settings(kind));
    integrate(&mut driver, problem, span, y0, outputs, recorder)
}

/// Compares event times with closed forms: 10 times the tolerance, growing with the number of
/// events, as each adds its own error to all later ones.
fn assert_times(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} {expected:?}");
    for (n, (found, expected)) in found.iter().zip(expected).enumerate() {
        let allowed = 10.0 * TOLERANCE * (n + 1) as f64;
        assert!((found - expected).abs() < allowed, "{what} event {n}: {found} {expected}");
    }
}

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

/// `cos t + 1 - 1e-6` is negative for 2.8e-3 s about `pi`, far less than a step. A double crossing
/// is found, and one that misses zero by as much is not.
#[test]
fn double_crossings_inside_a_step_are_found() {
    const DEPTH: f64 = 1e-6;
    let dips: fn(f64, &[f64]) -> f64 = |_, y| y[0] + 1.0 - DEPTH;
    let misses: fn(f64, &[f64]) -> f64 = |_, y| y[0] + 1.0 + DEPTH;
    let half = (1.0 - DEPTH).acos();
    for kind in METHODS {
        let mut watched = Watched::new(vec![dips, misses]);
        let span = (0.0, 12.0);
        run(kind, &mut watched, span, &[1.0, 0.0], 1, &mut Recorder::default()).expect("a run");
        let found: Vec<f64> = watched.crossings.iter().map(|c| c.0).collect();
        let expected = [PI - half, PI + half, 3.0 * PI - half, 3.0 * PI + half];
        assert_eq!(found.len(), 4, "{kind:?}: {found:?}");
        assert!(watched.crossings.iter().all(|c| c.1 == 0), "{kind:?}");
        for (found, expected) in found.iter().zip(expected) {
            // The guard crosses with the slope sin(half) = 1.4e-3; the error of the state is some
            // tens of tolerances after 10 units of time.
            let allowed = 50.0 * TOLERANCE / half.sin();
            assert!((found - expected).abs() < allowed, "{kind:?}: {found} {expected}");
        }
    }
}

/// Three guards that vanish at the same instant make one event that names all three.
#[test]
fn simultaneous_crossings_are_one_event() {
    for kind in METHODS {
        let guards: Vec<fn(f64, &[f64]) -> f64> =
            vec![|t, _| 0.7 - t, |t, _| 3.0 * (t - 0.7), |t, _| 1.4 - t - t, |t, _| t - 0.9];
        let mut watched = Watched::new(guards);
        let run = run(kind, &mut watched, (0.0, 2.0), &[1.0, 0.0], 3, &mut Recorder::default());
        let outcome = run.expect("a run to the end");
        assert_eq!(outcome.events.len(), 2, "{kind:?}: {:?}", outcome.events);
        let names: Vec<(usize, bool)> = watched.crossings.iter().map(|c| (c.1, c.2)).collect();
        assert_eq!(names, [(0, false), (1, true), (2, false), (3, true)], "{kind:?}");
        // Round-off: the guards are functions of time alone.
        assert!((outcome.events[0] - 0.7).abs() < 1e-15 && (outcome.events[1] - 0.9).abs() < 1e-15);
    }
}

/// Events at the start, at an output point and at the end: each once, the start not at all if the
/// guard leaves zero on its own side.
#[test]
fn events_at_the_borders_happen_once() {
    for kind in METHODS {
        let guards: Vec<fn(f64, &[f64]) -> f64> = vec![|t, _| t, |t, _| 1.0 - t, |t, _| 2.0 - t];
        let mut watched = Watched::new(guards);
        let run = run(kind, &mut watched, (0.0, 2.0), &[1.0, 0.0], 8, &mut Recorder::default());
        let outcome = run.expect("a run to the end");
        let times: Vec<f64> = watched.crossings.iter().map(|c| c.0).collect();
        // `2 - t` is zero at the end and has not crossed: crossing needs the other sign.
        assert_eq!(times.len(), 1, "{kind:?}: {times:?}");
        assert!((times[0] - 1.0).abs() < 1e-15);
        assert_eq!(outcome.outputs.len(), 8);
        assert_eq!(outcome.t, 2.0);
    }
}

/// A guard that starts at zero and leaves on the wrong side fires at once, and only once.
#[test]
fn leaving_zero_on_the_wrong_side_is_an_event() {
    for kind in METHODS {
        let mut watched = Watched::new(vec![|t, _| -t]);
        let recorder = &mut Recorder::default();
        run(kind, &mut watched, (0.0, 1.0), &[1.0, 0.0], 4, recorder).expect("a run");
        assert_eq!(watched.crossings.len(), 1, "{kind:?}: {:?}", watched.crossings);
        // The band is 1e-14 wide.
        assert!(watched.crossings[0].0 < 1e-13, "{kind:?}");
    }
}

#[test]
fn crossings_are_found_backwards_too() {
    for kind in METHODS {
        let mut watched = Watched::new(vec![|_, y| y[0]]);
        let y0 = [10f64.cos(), -(10f64.sin())];
        let recorder = &mut Recorder::default();
        run(kind, &mut watched, (10.0, 0.0), &y0, 5, recorder).expect("a run");
        let found: Vec<f64> = watched.crossings.iter().map(|c| c.0).collect();
        assert_times(kind.name(), &found, &[2.5 * PI, 1.5 * PI, 0.5 * PI]);
    }
}

#[test]
fn time_events_are_hit_exactly() {
    for kind in [MethodKind::De, MethodKind::Rk4, MethodKind::OdeintRk, MethodKind::OdeintBs] {
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
        let outcome = run(kind, &mut problem, (0.0, 1.0), &[0.0], 10, recorder).expect("a run");
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

/// Guards that never fire do not change a step of `derf`.
#[test]
fn quiet_guards_leave_the_steps_alone() {
    let mut steps = Vec::new();
    for guards in [vec![], vec![(|_, y| y[0] + 2.0) as fn(f64, &[f64]) -> f64]] {
        let mut watched = Watched::new(guards);
        let mut recorder = Recorder::default();
        run(MethodKind::Derf, &mut watched, (0.0, 20.0), &[1.0, 0.0], 20, &mut recorder)
            .expect("a run");
        steps.push(recorder.steps);
    }
    assert!(steps[0] == steps[1]);
}

/// With roots off guards are ignored; with `StepEnd` a crossing is an event at the end of its
/// step.
#[test]
fn the_search_can_be_coarser_or_off() {
    for (search, events) in [(RootSearch::Off, 0), (RootSearch::StepEnd, 3)] {
        let mut watched = Watched::new(vec![|_, y| y[0]]);
        let mut settings = settings(MethodKind::Rk4);
        settings.events.search = search;
        let mut driver = driver(MethodKind::Rk4, &watched, &settings);
        let mut recorder = Recorder::default();
        let span = (0.0, 10.0);
        let run = integrate(&mut driver, &mut watched, span, &[1.0, 0.0], 10, &mut recorder);
        assert_eq!(run.expect("a run to the end").events.len(), events);
        for (n, crossing) in watched.crossings.iter().enumerate() {
            let late = crossing.0 - (n as f64 + 0.5) * PI;
            assert!((0.0..=5e-4).contains(&late), "{late}");
        }
    }
}

/// With cold restarts a method repeats its own opening, step for step and bit for bit.
#[test]
fn a_jump_back_to_the_start_repeats_the_opening() {
    for kind in [MethodKind::Derf, MethodKind::OdeintRk, MethodKind::OdeintBs] {
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
        let problems: [(&mut dyn Problem, &[f64], &[f64]); 2] =
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

/// An event that changes nothing does not disturb the method: the steps are those without guards.
#[test]
fn an_event_without_consequences_does_not_restart() {
    let mut steps = Vec::new();
    for guards in [vec![], vec![(|_, y| y[0]) as fn(f64, &[f64]) -> f64, |_, y| y[1] - 0.3]] {
        let mut watched = Watched::new(guards);
        let mut recorder = Recorder::default();
        let run = run(MethodKind::Derf, &mut watched, (0.0, 20.0), &[1.0, 0.0], 20, &mut recorder);
        assert_eq!(run.expect("a run to the end").statistics.restarts, 0);
        steps.push(recorder.steps);
    }
    assert!(steps[0] == steps[1]);
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

/// Oscillator watched by `y_0 - c` for twenty levels `c` between -1 and 1, some close to the turning
/// points: every crossing of `cos t = c` is found once, in order, at its time.
#[test]
fn all_crossings_of_random_levels_are_found_in_order() {
    let mut sequence = Sequence(7);
    for kind in METHODS {
        for round in 0..4 {
            // Levels approach the turning points: up to 1 - 1e-6.
            let levels: Vec<f64> = (0..20)
                .map(|i| {
                    let edge = 10f64.powf(-6.0 * sequence.draw());
                    if i % 2 == 0 { 1.0 - edge } else { edge - 1.0 }
                })
                .collect();
            let mut expected: Vec<(f64, usize, bool)> = Vec::new();
            for (i, c) in levels.iter().enumerate() {
                for turn in 0..4 {
                    let base = 2.0 * PI * f64::from(turn);
                    expected.push((base + c.acos(), i, false));
                    expected.push((base + 2.0 * PI - c.acos(), i, true));
                }
            }
            expected.retain(|e| e.0 < 20.0);
            expected.sort_by(|a, b| a.0.total_cmp(&b.0));
            let mut problem = Levels { levels, crossings: Vec::new() };
            let recorder = &mut Recorder::default();
            run(kind, &mut problem, (0.0, 20.0), &[1.0, 0.0], 7, recorder).expect("a run");
            assert_eq!(problem.crossings.len(), expected.len(), "{kind:?} round {round}");
            for (found, expected) in problem.crossings.iter().zip(&expected) {
                assert_eq!(found.1, expected.1, "{kind:?} {round}: {found:?} {expected:?}");
                assert_eq!(found.2, expected.2, "{kind:?} {round}: {found:?} {expected:?}");
                // The error of the state grows to a hundred tolerances in 20 units of time and
                // hundreds of restarts; the slope of the guard turns it into one of time.
                let slope = expected.0.sin().abs();
                let allowed = 100.0 * TOLERANCE / slope;
                assert!((found.0 - expected.0).abs() < allowed, "{kind:?}: {found:?} {expected:?}");
            }
        }
    }
}
