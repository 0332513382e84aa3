//! Runs against the clock. A loaded machine may make any step late, so that nothing here asks for steps to be in time:
//! a run is never faster than the clock, and what it says of late steps is consistent.

use std::time::{Duration, Instant};

use dysim_tests::blocks::Run;
use dysim_tests::examples::{example, with_solver};
use dysim_tests::simulate::{run, run_in_real_time};

fn pendulum(end: f64) -> String {
    let how = Run { solver: "euler_mixed", relative: 1e-6, absolute: 1e-6, end, step: 0.01 };
    with_solver(&example("mechanics/pendulum"), how)
}

#[test]
fn a_run_in_real_time_is_not_faster_than_the_clock_and_gives_the_same() {
    let text = pendulum(0.6);
    let free = run(&text).complete();
    assert!(free.summary.real_time.is_none());
    assert_eq!(free.summary.step_times.as_ref().map(|times| times.count()), Some(60));
    for speed in [2.0, 4.0] {
        let clock = Instant::now();
        let paced = run_in_real_time(&text, speed).complete();
        assert!(clock.elapsed().as_secs_f64() >= 0.6 / speed);
        for file in ["csv", "pva", "epl", "ani"] {
            assert_eq!(free.text(file), paced.text(file), "{file}");
        }
        let summary = &paced.summary;
        let real = summary.real_time.expect("a report");
        assert_eq!(real.speed, speed);
        assert_eq!(real.first.is_some(), real.overruns > 0);
        assert_eq!(real.latest > Duration::ZERO, real.overruns > 0);
        assert!(real.overruns <= 60);
        // Waiting is no work: 60 steps of a pendulum take far less than the run.
        let times = summary.step_times.as_ref().expect("times");
        assert_eq!(times.count(), 60);
        assert!(times.mean() <= times.longest() && times.quantile(0.5) <= times.longest());
        assert!(times.quantile(0.5) <= times.quantile(0.99));
    }
}

/// A rate that no machine can keep: every step is late, the last one by the time of the run.
#[test]
fn an_impossible_rate_makes_every_step_late() {
    let paced = run_in_real_time(&pendulum(1.0), 1e12).complete();
    let real = paced.summary.real_time.expect("a report");
    assert_eq!((real.overruns, real.first), (100, Some(0.01)));
    assert!(real.latest > Duration::ZERO && real.latest <= paced.summary.wall);
    let log = paced.text("log");
    assert!(
        log.contains("real time, 1000000000000 times the clock: 100 of 100 steps were late"),
        "{log}"
    );
}

/// A plugin that takes 3 ms for its force makes steps of 1 ms late, more and more so.
#[test]
fn a_slow_plugin_makes_steps_late() {
    let text =
        pendulum(0.02).replace("Tstep = 0.01; TstepMax = 0.01", "Tstep = 0.001; TstepMax = 0.001");
    let paced = run_in_real_time(
        &format!("{text}\nPlugin \"brake\" {{ Type = sluggish; Pause = 3e-3; }}\n"),
        1.0,
    );
    let paced = paced.complete();
    let real = paced.summary.real_time.expect("a report");
    assert_eq!((real.overruns, real.first), (20, Some(0.001)));
    // 20 steps of at least 3 ms where 20 ms were due.
    assert!(real.latest >= Duration::from_millis(38), "{real:?}");
    let times = paced.summary.step_times.as_ref().expect("times");
    assert!(times.mean() >= Duration::from_millis(3), "{times:?}");
}
