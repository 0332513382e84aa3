//! The search for roots: hidden, simultaneous and border crossings are found once, at their time.
#![allow(clippy::expect_used)]

use std::f64::consts::PI;

use dysim_tests::ode::harness::{METHODS, TOLERANCE, assert_times, run, settings, settings_at};
use dysim_tests::ode::run::{Recorder, driver, integrate, max_difference};
use dysim_tests::ode::special::{Levels, Pushed, Sequence};
use dysim_tests::ode::switching::Watched;
use integrate::{
    ChangeList, Driver, EvaluationError, Event, EventSettings, Events, Hints, MethodKind, Orders,
    Problem, Radau, RootSearch, StepLimits, Tolerance,
};

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

/// An event that changes nothing does not disturb the method: the steps are the same as without guards.
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

/// Oscillator watched by `y_0 - c` for twenty levels `c`, some close to the turning points: every
/// crossing of `cos t = c` is found once, in order, at its time. The closest level is a hundred
/// tolerances inside, which is what the error of the state grows to in 20 units of time; the slope
/// of the guard turns it into an error of time.
#[test]
fn all_crossings_of_random_levels_are_found_in_order() {
    let mut sequence = Sequence(7);
    for (kind, tolerance) in METHODS.into_iter().flat_map(|kind| [(kind, 1e-8f64), (kind, 1e-4)]) {
        for round in 0..4 {
            let digits = -(100.0 * tolerance).log10();
            let mut edge = || 10f64.powf(-digits * sequence.draw());
            let levels = (0..10).flat_map(|_| [1.0 - edge(), edge() - 1.0]).collect();
            let mut problem = Levels { levels, crossings: Vec::new() };
            let mut driver = driver(kind, &problem, &settings_at(kind, tolerance));
            let (y0, recorder) = (&[1.0, 0.0], &mut Recorder::default());
            integrate(&mut driver, &mut problem, (0.0, 20.0), y0, 7, recorder).expect("a run");
            let expected = problem.expected(20.0);
            assert_eq!(problem.crossings.len(), expected.len(), "{kind:?} {tolerance} {round}");
            for (found, expected) in problem.crossings.iter().zip(&expected) {
                let same = (found.1, found.2) == (expected.1, expected.2);
                let allowed = 100.0 * tolerance / expected.0.sin().abs();
                let near = (found.0 - expected.0).abs() < allowed;
                assert!(same && near, "{kind:?} {tolerance}: {found:?} {expected:?}");
            }
        }
    }
}

/// Random systems with four relays, integrated by all methods: the same number of events, and ends
/// that differ by no more than errors of one tolerance grow to in 10 s and some twenty events.
#[test]
fn all_methods_agree_on_random_switching_systems() {
    let mut sequence = Sequence(11);
    let mut events = 0;
    for case in 0..50 {
        let system = Pushed::random(&mut sequence, 4);
        let mut runs = Vec::new();
        for kind in METHODS {
            let recorder = &mut Recorder::default();
            let run = run(kind, &mut system.clone(), (0.0, 10.0), &[1.0, 0.0], 20, recorder);
            runs.push(run.expect("a run to the end"));
        }
        for (run, kind) in runs.iter().zip(METHODS).skip(1) {
            assert_eq!(run.events.len(), runs[0].events.len(), "{case} {kind:?}");
            let difference = max_difference(&run.y, &runs[0].y);
            assert!(difference < 1e3 * TOLERANCE, "{case} {kind:?}: {difference:e}");
        }
        events += runs[0].events.len();
    }
    assert!(events > 500, "{events}");
}

/// Decays slowly, and its guard dips below zero at some instants, each time for a twentieth of a second.
struct Dips {
    at: Vec<f64>,
    crossings: Vec<f64>,
}

impl Dips {
    /// Half the length of a dip, s: `1.5 exp(-(t/0.05)^2) = 1`.
    const HALF: f64 = 0.031_838_088_256_476;

    /// Integrates in steps of one second and seven stages; gives their ends and the number of evaluated guards.
    fn run(&mut self) -> (Vec<f64>, u64) {
        let limits = StepLimits { max: 1.0, ..StepLimits::default() };
        let method = Radau::new(1, Tolerance::new(1e-4, 1e-4), limits, Orders::Thirteen);
        let settings = EventSettings { search: RootSearch::Locate, ..EventSettings::default() };
        let mut driver = Driver::new(Box::new(method), 1, 1, settings);
        let mut recorder = Recorder::default();
        integrate(&mut driver, self, (0.0, 12.0), &[1.0], 1, &mut recorder).expect("a run");
        let ends = recorder.steps.iter().map(|step| step.t).collect();
        (ends, driver.statistics().guard_evaluations)
    }
}

impl Problem for Dips {
    fn len(&self) -> usize {
        1
    }

    fn derivatives(&mut self, _: f64, y: &[f64], f: &mut [f64]) -> Result<(), EvaluationError> {
        f[0] = -0.1 * y[0];
        Ok(())
    }
}

impl Events for Dips {
    fn n_guards(&self) -> usize {
        1
    }

    fn guards(
        &mut self,
        t: f64,
        _: &[f64],
        _: &[f64],
        values: &mut [f64],
    ) -> Result<(), EvaluationError> {
        let depth = |at: &f64| 1.5 * (-((t - at) / 0.05).powi(2)).exp();
        values[0] = 1.0 - self.at.iter().map(depth).sum::<f64>();
        Ok(())
    }

    fn switch(
        &mut self,
        event: &Event<'_>,
        _: &mut [f64],
        _: &mut ChangeList,
    ) -> Result<(), EvaluationError> {
        self.crossings.extend(event.crossed.iter().map(|_| event.t));
        Ok(())
    }
}

impl Hints for Dips {}

/// A step of seven stages samples guards where it evaluates derivatives: a quiet one costs nothing else, and a dip that no
/// other first sample shows is found, as two of them in one step are.
#[test]
fn dips_inside_a_long_step_are_found_at_its_stages() {
    let mut quiet = Dips { at: Vec::new(), crossings: Vec::new() };
    let (ends, evaluations) = quiet.run();
    let lasting = |pair: &&[f64]| pair[0] > 3.0 && (pair[1] - pair[0] - 1.0).abs() < 1e-9;
    let start = ends.windows(2).find(lasting).expect("a step of one second")[0];
    // One at the end and four at stages of each step; a first step or two have no stages to sample.
    assert!(evaluations <= 5 * ends.len() as u64 + 30, "{evaluations} in {} steps", ends.len());
    for fractions in [vec![0.5587], vec![0.34, 0.76], vec![0.55, 0.8]] {
        let at: Vec<f64> = fractions.iter().map(|fraction| start + fraction).collect();
        let mut dips = Dips { at: at.clone(), crossings: Vec::new() };
        dips.run();
        let expected: Vec<f64> =
            at.iter().flat_map(|at| [at - Dips::HALF, at + Dips::HALF]).collect();
        assert_eq!(dips.crossings.len(), expected.len(), "{fractions:?}: {:?}", dips.crossings);
        for (found, expected) in dips.crossings.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-3, "{fractions:?}: {found} {expected}");
        }
    }
}
