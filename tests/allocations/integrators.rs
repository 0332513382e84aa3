//! Steps, derivative calls, event search and event handling allocate nothing after construction.
#![allow(clippy::expect_used)]

use dysim_generated::counting::own_requests;
use dysim_tests::ode::run::driver;
use dysim_tests::ode::standard::find;
use dysim_tests::ode::switching::Trampoline;
use integrate::{Driver, HybridSystem, MethodKind, RootSearch, Settings, Silent, Stop, Tolerance};

/// Allocations of a run with 100 outputs; also the number of events. The mixed-mode method looks for its fast states at the
/// start and in each new mode, and allocates there; `settled` events are let pass before its steps are counted.
fn count_run(
    (driver, settled): (&mut Driver, u64),
    problem: &mut dyn HybridSystem,
    y0: &[f64],
    end: f64,
) -> (usize, u64) {
    let is_mixed = driver.method().name() == "euler_mixed";
    let mut before = own_requests();
    let mut events = 0;
    driver.start(problem, 0.0, y0, 1.0, &mut Silent).expect("a start");
    for k in 1..=100 {
        let t = end * f64::from(k) / 100.0;
        while driver.advance(problem, t, &mut Silent).expect("a run") != Stop::Output {
            events += 1;
        }
        if is_mixed && (k == 1 || events <= settled) {
            before = own_requests();
        }
    }
    (own_requests() - before, events)
}

#[test]
fn the_counter_counts() {
    let before = own_requests();
    let boxed = std::hint::black_box(Box::new(1.0f64));
    assert!(own_requests() > before && *boxed > 0.0);
}

#[test]
fn a_smooth_run_allocates_nothing() {
    for kind in MethodKind::ALL {
        let mut problem = find("C5").expect("a problem of the tables");
        let y0 = problem.y0.clone();
        let settings = Settings::new(kind, Tolerance::new(1e-9, 1e-9));
        let mut driver = driver(kind, &problem, &settings);
        let (allocations, _) = count_run((&mut driver, 0), &mut problem, &y0, 20.0);
        assert_eq!(allocations, 0, "{kind:?}");
    }
}

#[test]
fn events_allocate_nothing() {
    for kind in MethodKind::ALL {
        let mut problem = Trampoline::new(20.0);
        let mut settings = Settings::new(kind, Tolerance::new(1e-7, 1e-7));
        settings.events.search = RootSearch::Locate;
        settings.fixed_step = 1e-3;
        let mut driver = driver(kind, &problem, &settings);
        let (allocations, events) = count_run((&mut driver, 2), &mut problem, &[0.5, 0.0], 5.0);
        assert_eq!(allocations, 0, "{kind:?}");
        assert!(events > 10, "{kind:?}");
    }
}
