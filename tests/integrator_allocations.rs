//! Steps, derivative calls, event search and event handling allocate nothing after construction.
#![allow(clippy::expect_used)]
#![allow(unsafe_code)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use dysim_tests::ode::run::driver;
use dysim_tests::ode::standard::find;
use dysim_tests::ode::switching::Trampoline;
use integrate::{Driver, MethodKind, Problem, RootSearch, Settings, Silent, Stop, Tolerance};

thread_local! {
    static COUNT: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator with a count per thread.
struct Counting;

// SAFETY: every call is passed on unchanged; the count is a plain cell of the thread.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        COUNT.with(|count| count.set(count.get() + 1));
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Allocations of a run with 100 outputs; also the number of events. The mixed-mode method looks for its fast states at the
/// start and in each new mode, and allocates there; `settled` events are let pass before its steps are counted.
fn count_run(
    (driver, settled): (&mut Driver, u64),
    problem: &mut dyn Problem,
    y0: &[f64],
    end: f64,
) -> (u64, u64) {
    let is_mixed = driver.method().name() == "euler_mixed";
    let mut before = COUNT.with(Cell::get);
    let mut events = 0;
    driver.start(problem, 0.0, y0, 1.0, &mut Silent).expect("a start");
    for k in 1..=100 {
        let t = end * f64::from(k) / 100.0;
        while driver.advance(problem, t, &mut Silent).expect("a run") != Stop::Output {
            events += 1;
        }
        if is_mixed && (k == 1 || events <= settled) {
            before = COUNT.with(Cell::get);
        }
    }
    (COUNT.with(Cell::get) - before, events)
}

#[test]
fn the_counter_counts() {
    let before = COUNT.with(Cell::get);
    let boxed = std::hint::black_box(Box::new(1.0f64));
    assert!(COUNT.with(Cell::get) > before && *boxed > 0.0);
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
