//! Actions that contradict each other or do not end: an error that names them.

use super::text;
use dysim_tests::simulate::run;

#[track_caller]
fn refused(elements: &str, words: &[&str]) {
    for method in super::METHODS {
        let outcome = run(&text(method, 2.0, 0.5, elements));
        let found = outcome.failure();
        assert_eq!(found.code, "S207", "{method}: {}", found.message);
        for word in words {
            assert!(found.message.contains(word), "{method}: `{word}` in {}", found.message);
        }
        // It happens at t = 1; the rows before are kept.
        assert_eq!(outcome.table("csv").last("t"), 0.5, "{method}");
    }
}

#[test]
fn two_blocks_that_set_one_variable_are_named() {
    refused(
        r#"
        Variable "a" { Type = discrete; }
        When "one" { Condition = t >= 1; Set { a = 1; } }
        When "two" { Condition = 2*t >= 2; Set { a = 1; } }
        "#,
        &["When `one` and When `two` set `a`", "t = 1 s"],
    );
}

/// One after the other they may set it.
#[test]
fn blocks_of_one_instant_may_set_a_variable_in_turn() {
    let table = super::solve(
        2.0,
        0.5,
        r#"
        Variable "a" { Type = discrete; }
        When "one" { Condition = t >= 1; Set { a = 1; } }
        When "two" { Condition = a == 1; Set { a = 2; } }
        "#,
    )
    .table("csv");
    assert_eq!(table.last("a"), 2.0);
}

#[test]
fn blocks_that_set_each_other_off_for_ever_are_named() {
    refused(
        r#"
        Variable "a" { Type = discrete; }
        Variable "b" { Type = discrete; }
        Variable "other" { Type = discrete; }
        When "go" { Condition = t >= 1; Set { a = 1; } }
        When "ping" { Condition = a > 0.5; Set { a = 0; b = 1; } }
        When "pong" { Condition = b > 0.5; Set { b = 0; a = 1; } }
        When "idle" { Condition = t >= 0.4; Set { other = 1; } }
        "#,
        &["When `ping`, When `pong`"],
    );
}

#[test]
fn automata_that_go_round_name_their_states() {
    refused(
        r#"
        Automaton "gate" { States = idle, run, stop; Start = idle;
            Transitions { idle -> run : t >= 1; run -> stop : yes; stop -> run : yes; } }
        "#,
        &["Automaton `gate`", "run -> stop -> run"],
    );
}

#[test]
fn a_value_that_is_no_number_ends_the_run() {
    refused(
        r#"
        Variable "a" { Type = discrete; }
        When "w" { Condition = t >= 1; Set { a = 1/a; } }
        "#,
        &["the new value of `a` is not finite"],
    );
}

/// A block that acts again and again, because what it does is undone at once.
#[test]
fn actions_that_pile_up_are_told() {
    let outcome = run(&text(
        "derf",
        2.0,
        0.5,
        r#"
        Integrator "x" { u = 1; yinit = -1; }
        When "held" { Condition = x.y > 0; Set { x.y = 0; } }
        "#,
    ));
    let found = outcome.failure();
    assert_eq!(found.code, "S207");
    assert!(found.message.contains("When `held`"), "{}", found.message);
    assert!((outcome.summary.end - 1.0).abs() < 1e-9, "{}", outcome.summary.end);
}
