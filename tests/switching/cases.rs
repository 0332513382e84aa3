//! Events that are hard to get right: at the same instant, at outputs, at both ends, too many, never at rest.

use dysim_tests::event_runs::{Link, chain, frame, simulate, simulate_with};

fn block(options: &str) -> String {
    format!("JointAxis = 1, 0, 0; {options}")
}

fn force(joint: usize, value: &str) -> String {
    format!("JointForce \"F{joint}\" {{ Joint1D = J{joint}; Value = {value}; }}\n")
}

/// Three blocks side by side stop at the same instant: one event with three changes.
#[test]
fn simultaneous_events_are_one_event() {
    let joint = block("QDinit = 2; Friction = 4;");
    let mut text = frame(1e-9, (1.0, 1.0), "J1.q, J2.q, J3.q");
    // Bodies 2 and 3 hang on the world as well.
    text += &chain(&[Link { joint: &joint, ..Link::default() }]);
    for n in 2..=3 {
        text += &format!(
            "Triad \"R{n}\" {{ Parent = B{n}; }}\n\
             Prismatic \"J{n}\" {{ Parent = B{n}; TriadFrom = T0; TriadTo = R{n}; {joint} }}\n\
             Body \"B{n}\" {{ Parent = world; Joint = J{n}; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; }}\n"
        );
    }
    let told = simulate(&text).to_the_end();
    let stops = told.times("forward -> locked");
    assert_eq!(stops.len(), 3, "{}", told.log);
    assert!(stops.iter().all(|t| t.to_bits() == stops[0].to_bits()), "{stops:?}");
    assert_eq!(told.events, 1, "{}", told.log);
    assert!((stops[0] - 0.5).abs() < 1e-8);
}

/// 4 N on 1 kg stop 2 m/s at t = 0.5 s, which is an output time, the end, or (from rest) the start.
#[test]
fn an_event_at_an_output_time_or_at_the_end_is_neither_lost_nor_repeated() {
    let joint = block("QDinit = 2; Friction = 4;");
    for (end, step) in [(1.0, 0.5), (1.0, 0.1), (0.5, 0.5), (0.5, 0.125)] {
        let text = frame(1e-9, (end, step), "J1.q, J1.qd")
            + &chain(&[Link { joint: &joint, ..Link::default() }]);
        let told = simulate(&text).to_the_end();
        // Rounding may put the event just behind the end of the run.
        let stops = told.times("forward -> locked");
        assert!(stops.len() == 1 || (end == 0.5 && stops.is_empty()), "{}", told.log);
        assert!((told.last("J1.q") - 0.5).abs() < 1e-8);
        assert!(told.last("J1.qd").abs() < 1e-8);
    }
}

#[test]
fn forces_that_exceed_friction_at_the_start_move_at_once() {
    for (value, words) in [("5", "locked -> start forward"), ("-5", "locked -> start backward")] {
        let joint = block("Friction = 4, 3;");
        let text = frame(1e-9, (1.0, 1.0), "J1.q")
            + &chain(&[Link { joint: &joint, ..Link::default() }])
            + &force(1, value);
        let told = simulate(&text).to_the_end();
        assert_eq!(told.times(words), [0.0], "{}", told.log);
        assert!((told.last("J1.q").abs() - 1.0).abs() < 1e-8);
    }
}

/// At the limit itself the block holds; it does not creep.
#[test]
fn a_force_equal_to_the_static_limit_is_held() {
    let joint = block("Friction = 4;");
    let text = frame(1e-9, (10.0, 1.0), "J1.q")
        + &chain(&[Link { joint: &joint, ..Link::default() }])
        + &force(1, "4");
    let told = simulate(&text).to_the_end();
    assert!(told.column("J1.q").iter().all(|q| *q == 0.0), "{}", told.log);
}

/// The usual law has the same friction at rest and in motion, so a block that gives way has no
/// acceleration at that instant: m q'' = r t - R from t = R/r, in many sizes.
#[test]
fn a_slowly_growing_force_breaks_friction_that_does_not_drop() {
    for (limit, rate) in [(4.0, 1.0), (42.0, 7.3), (1e-3, 1e-4), (1e5, 3e4), (0.7, 1e-3)] {
        for mass in [1e-3, 1.0, 1e3] {
            let joint = block(&format!("Friction = {limit};"));
            let release = limit / rate;
            let end = 1.1 * release;
            let text = frame(1e-9, (end, end), "J1.q, J1.qd")
                + &chain(&[Link { joint: &joint, mass, ..Link::default() }])
                + &force(1, &format!("{rate}*t"));
            let told = simulate(&text).to_the_end();
            let found = told.times("locked -> start forward");
            let found = found.last().copied().unwrap_or(f64::NAN);
            // The force is known to round-off, its slope is `rate`.
            assert!((found - release).abs() < 1e-12 * release, "{limit} {rate} {mass}: {found}");
            let travel = rate / (6.0 * mass) * (end - release).powi(3);
            let error = (told.last("J1.q") - travel).abs();
            assert!(error < 1e-8 * (1.0 + travel), "{limit} {rate} {mass}: {error:e}");
        }
    }
}

/// Two blocks, one on the other, pulled at the upper one by a force that swings: all patterns of
/// sticking and sliding occur, and the balance of energy stays closed.
#[test]
fn friction_in_several_joints_at_once_keeps_the_balance() {
    let lower = block("Friction = 2, 1.5;");
    let upper = block("Friction = 3, { 0, 3, 0.5, 2, 2, 2.5 };");
    let text = frame(1e-9, (30.0, 0.1), "J1.qd, J2.qd")
        + &chain(&[
            Link { joint: &lower, ..Link::default() },
            Link { joint: &upper, mass: 0.5, ..Link::default() },
        ])
        + &force(2, "6*sin(2*t)*sin(0.3*t)")
        + &force(1, "2.5*cos(3.1*t)");
    let told = simulate(&text).to_the_end();
    assert!(told.events > 50, "{}", told.events);
    let gap = told.energy_gap;
    // Tolerance times the number of stretches.
    assert!(gap < 1e-9 * told.events as f64, "{gap:e}");
}

/// No friction at all still has its states, and changes nothing.
#[test]
fn friction_of_zero_is_no_friction() {
    let joint = block("Qinit = 1; Stiffness = 4; Friction = 0;");
    let text =
        frame(1e-9, (10.0, 10.0), "J1.q") + &chain(&[Link { joint: &joint, ..Link::default() }]);
    let told = simulate(&text).to_the_end();
    assert!((told.last("J1.q") - 20f64.cos()).abs() < 1e-7);
}

/// Sliding friction above the static limit: what breaks loose is stopped at once.
#[test]
fn friction_that_grows_when_it_gives_way_does_not_hang() {
    for law in ["4, 6", "4, 6 - v", "1, 3 + 2*v", "0, 2", "4, { 0, 8, 1, 2 }"] {
        for value in ["5", "10*sin(t)", "t"] {
            let joint = block(&format!("Friction = {law};"));
            let text = frame(1e-7, (20.0, 1.0), "J1.q")
                + &chain(&[Link { joint: &joint, ..Link::default() }])
                + &force(1, value);
            let told = simulate(&text);
            if let Some(error) = &told.error {
                assert!(error.contains("do not settle: Prismatic J1, friction"), "{error}");
                assert!(error.contains("must not exceed friction at rest"), "{error}");
            }
            assert!(told.events < 1000, "{law}, {value}: {} events", told.events);
        }
    }
}

/// Friction that is negative at some speed has no meaning: the run says so and where.
#[test]
fn negative_friction_is_an_error_with_a_name() {
    let joint = block("QDinit = 1; Friction = 4, 1 - 2*v;");
    let text =
        frame(1e-7, (1.0, 1.0), "J1.q") + &chain(&[Link { joint: &joint, ..Link::default() }]);
    let error = simulate(&text).error.unwrap_or_default();
    assert!(error.contains("Prismatic `J1`") && error.contains("negative"), "{error}");
}

/// A block pressed to and fro within the smallest gap between two stiff stops: the run goes on and says
/// that it chatters; with the wish to end it ends and names the stop.
#[test]
fn chattering_is_said_in_words_and_ends_the_run_only_if_wanted() {
    let joint = block("QDinit = 1; LowerLimit = -1e-7; UpperLimit = 1e-7; StopStiffness = 1e9;");
    let text = frame(1e-7, (4e-3, 4e-3), "J1.q")
        + &chain(&[Link { joint: &joint, mass: 1e-3, ..Link::default() }]);
    let told = simulate(&text).to_the_end();
    let said = told.remarks.iter().find(|remark| remark.contains("chatters"));
    let said = said.map_or("", String::as_str);
    assert!(
        said.starts_with("Prismatic J1, ") && said.contains(" stop chatters: 100 events"),
        "{said}"
    );
    assert!(told.log.contains(said));
    let stopped = simulate_with(&text, true);
    let error = stopped.error.unwrap_or_default();
    assert!(error.contains("Prismatic J1") && error.contains("chatters at t = "), "{error}");
    assert!(stopped.events < told.events);
}

#[test]
fn the_log_says_every_change_in_words() {
    let joint = block("QDinit = 1; Friction = 2; UpperLimit = 0.1; StopStiffness = 1e3;");
    let text =
        frame(1e-7, (2.0, 1.0), "J1.q") + &chain(&[Link { joint: &joint, ..Link::default() }]);
    let told = simulate(&text).to_the_end();
    let words: Vec<&str> = told.changes.iter().map(|(_, words)| words.as_str()).collect();
    for line in [
        "Prismatic J1, friction: start -> forward (pass 1)",
        "Prismatic J1, upper stop: free -> at the stop (pass 1)",
        "Prismatic J1, friction: forward -> locked (pass 1)",
        "Prismatic J1, friction: locked -> start backward (pass 2)",
        "Prismatic J1, friction: start backward -> backward",
        "Prismatic J1, upper stop: at the stop -> free (pass 1)",
        "Prismatic J1, friction: backward -> locked (pass 1)",
    ] {
        assert!(words.contains(&line), "{line} not in {words:#?}");
    }
    // In the order of time.
    assert!(told.changes.windows(2).all(|pair| pair[0].0 <= pair[1].0), "{words:#?}");
}

/// A block driven against friction: the ideal law needs less than a tenth of the evaluations of a steep
/// smooth one that is no more accurate. `benches/ideal_friction.rs` prints the whole table.
#[test]
fn ideal_friction_is_cheaper_than_a_steep_curve() {
    let measure = |friction: &str, value: &str, tolerance: f64| {
        let joint = block(friction);
        let text = frame(tolerance, (10.0, 10.0), "J1.q")
            + &chain(&[Link { joint: &joint, ..Link::default() }])
            + &force(1, value);
        // A step over the beginning, where nothing moves yet, would miss the first push.
        let text = text.replace("TstepMax = 10;", "TstepMax = 0.1;");
        let told = simulate(&text).to_the_end();
        let work = told.statistics.evaluations + told.statistics.guard_evaluations;
        (told.last("J1.q"), work)
    };
    let (exact, _) = measure("Friction = 4;", "6*sin(2*t)", 1e-12);
    let (ideal, work) = measure("Friction = 4;", "6*sin(2*t)", 1e-6);
    let (smooth, more) = measure("", "6*sin(2*t) - 4*tanh(J1.qd/1e-4)", 1e-6);
    let (error, larger) = ((ideal - exact).abs(), (smooth - exact).abs());
    // The smooth law is right but for its creep, some 1e-4 m/s while it should stick.
    assert!(error < larger && larger < 1e-3, "{error:e} {larger:e}");
    assert!(more > 10 * work, "{work} evaluations, smooth {more}");
}
