//! Automata against closed forms.

use super::{ERROR, METHODS, compare, jumps, near, solve, solve_with};

/// A room that heats towards 30 and cools towards 10: the switching instants have closed forms.
#[test]
fn a_thermostat_switches_where_its_temperatures_say() {
    for method in METHODS {
        let table = solve_with(
            method,
            6.0,
            0.1,
            r#"
            Automaton "heater" { States = off, on; Start = off;
                Transitions { off -> on : room.y < 19; on -> off : room.y > 21; } }
            PT1 "room" { u = if(heater.on, 30, 10); T = 1; yinit = 20; }
            "#,
        )
        .table("csv");
        // 20 falls to 19 towards 10 in ln(10/9); up to 21 in ln(11/9), down to 19 in ln(11/9).
        let (first, half) = ((10.0_f64 / 9.0).ln(), (11.0_f64 / 9.0).ln());
        compare(&table, "room.y", ERROR, |t| {
            if t < first {
                return 10.0 + 10.0 * (-t).exp();
            }
            let phase = (t - first).rem_euclid(2.0 * half);
            match phase < half {
                true => 30.0 - 11.0 * (-phase).exp(),
                false => 10.0 + 11.0 * (-(phase - half)).exp(),
            }
        });
        for row in &table.rows {
            let at = |name: &str| row[table.index(name)];
            let (state, on, off) = (at("heater.state"), at("heater.on"), at("heater.off"));
            assert_eq!((on, off), (f64::from(state == 2.0), f64::from(state == 1.0)));
        }
        let switchings = jumps(&table, "heater.state");
        assert_eq!(switchings.len(), ((6.0 - first) / half) as usize + 1, "{method}");
        for (k, (t, ..)) in switchings.iter().enumerate() {
            near(*t, first + half * k as f64, ERROR);
        }
    }
}

/// A tank is filled by a constant flow until its upper mark, rests for a second, and is drained to its lower mark.
#[test]
fn a_tank_system_goes_through_its_cycle() {
    for method in METHODS {
        let table = solve_with(
            method,
            12.0,
            0.25,
            r#"
            Automaton "cycle" { States = fill, rest, drain; Start = fill;
                Transitions { fill -> rest : level.y >= 3; rest -> drain : t >= since + 1; drain -> fill : level.y <= 1; } }
            Variable "since" { Type = discrete; }
            When "begin" { Condition = cycle.rest; Set { since = t; } }
            Integrator "level" { u = if(cycle.fill, 2, if(cycle.drain, -0.8, 0)); yinit = 0; }
            "#,
        )
        .table("csv");
        // Filled at 1.5, drained from 2.5 to 5, filled at 6, drained from 7 to 9.5, filled at 10.5, drained from 11.5 on.
        compare(&table, "level.y", 1e-9, |t| match t {
            t if t < 1.5 => 2.0 * t,
            t => {
                let phase = (t - 1.5).rem_euclid(4.5);
                if phase < 1.0 {
                    3.0
                } else if phase < 3.5 {
                    3.0 - 0.8 * (phase - 1.0)
                } else {
                    1.0 + 2.0 * (phase - 3.5)
                }
            }
        });
    }
}

/// Two states as a modulator of pulse widths: the mean is the duty.
#[test]
fn a_modulator_keeps_its_duty() {
    let table = solve(
        1.0,
        0.05,
        r#"
        Automaton "pwm" { States = low, high; Start = low;
            Transitions { low -> high : mod(t, 0.1) < 0.03; high -> low : mod(t, 0.1) >= 0.03; } }
        Integrator "area" { u = pwm.high; }
        "#,
    )
    .table("csv");
    compare(&table, "area.y", 1e-9, |t| {
        let periods = (t / 0.1 + 1e-9).floor();
        0.03 * periods + (t - 0.1 * periods).min(0.03)
    });
    assert_eq!(jumps(&table, "pwm.state").len(), 20);
}

/// At the start an automaton follows its transitions as far as they are open, and so it does at any instant; what it passes
/// through is seen by nobody.
#[test]
fn chains_are_followed_within_one_instant() {
    let table = solve(
        2.0,
        0.5,
        r#"
        Automaton "a" { States = one, two, three, four, five; Start = one;
            Transitions { one -> two : yes; two -> three : t < 5; three -> four : t >= 1; four -> five : a.four; } }
        Variable "seen_two" { Type = discrete; }
        Variable "seen_four" { Type = discrete; }
        Variable "seen_five" { Type = discrete; }
        When "w2" { Condition = a.two; Set { seen_two = 1; } }
        When "w4" { Condition = a.four; Set { seen_four = 1; } }
        When "w5" { Condition = a.state == 5; Set { seen_five = t; } }
        "#,
    );
    let log = table.text("log");
    let table = table.table("csv");
    compare(&table, "a.state", 0.0, |t| if t < 1.0 { 3.0 } else { 5.0 });
    for (name, wanted) in [("seen_two", 0.0), ("seen_four", 0.0), ("seen_five", 1.0)] {
        assert_eq!(table.last(name), wanted, "{name}");
    }
    for words in
        ["Automaton a: one -> two", "Automaton a: two -> three", "Automaton a: four -> five"]
    {
        assert!(log.contains(words), "{words} in\n{log}");
    }
    assert!(log.contains("When w5: seen_five = 0 -> 1"), "{log}");
}

/// Of several open ways the first is taken.
#[test]
fn the_first_transition_in_order_wins() {
    let table = solve(
        2.0,
        0.5,
        r#"
        Automaton "a" { States = s, x, y, z; Start = s; Transitions { s -> z : t >= 2.5; s -> y : t >= 1; s -> x : t >= 1; } }
        Automaton "b" { States = s, x, y; Start = s; Transitions { s -> x : t >= 1; s -> y : t >= 1; } }
        "#,
    )
    .table("csv");
    assert_eq!([table.last("a.state"), table.last("b.state")], [3.0, 2.0]);
}

/// Two automata that wait for each other hand over at one instant, although each comes back to where it was.
#[test]
fn automata_shake_hands_within_one_instant() {
    let table = solve(
        2.0,
        0.5,
        r#"
        Automaton "client" { States = idle, asks, done; Start = idle;
            Transitions { idle -> asks : t >= 1; asks -> done : server.ready; } }
        Automaton "server" { States = sleeps, ready; Start = sleeps;
            Transitions { sleeps -> ready : client.asks; ready -> sleeps : client.done; } }
        "#,
    )
    .table("csv");
    assert_eq!([table.last("client.state"), table.last("server.state")], [3.0, 1.0]);
    assert_eq!(jumps(&table, "client.state"), [(1.0, 1.0, 3.0)]);
}

/// More states than a signed byte can count.
#[test]
fn an_automaton_may_have_many_states() {
    let names: Vec<String> = (0..400).map(|k| format!("s{k}")).collect();
    let ways: String = (1..400)
        .map(|k| format!("s{} -> s{k} : t >= {:?};", k - 1, 0.001 * f64::from(k)))
        .collect();
    let text = format!(
        "Automaton \"a\" {{ States = {}; Start = s0; Transitions {{ {ways} }} }}",
        names.join(", ")
    );
    let table = solve(0.3, 0.1, &text).table("csv");
    assert_eq!(table.last("a.state"), 301.0);
    assert_eq!(table.last("a.s300"), 1.0);
}
