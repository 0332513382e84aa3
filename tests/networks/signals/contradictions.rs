//! Signals that contradict themselves are told, at the start and later; they must not go on with a value that their own law denies.

use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::run;

/// Blocks whose signal `a.y` undoes its own condition from 0.5 s on, or from the start.
const BLOCKS: [(&str, f64); 8] = [
    ("Relay \"a\" { u = -a.y + 0.1; }", 0.0),
    ("Function \"a\" { y = if(a.y > 0.5, 0, 1); }", 0.0),
    ("Function \"a\" { y = if(t >= 0.5 && a.y < 0.5, 1, 0); }", 0.5),
    ("Function \"a\" { y = 1 - floor(a.y + 0.5); }", 0.0),
    ("Function \"a\" { y = -sign(a.y - 0.1); }", 0.0),
    ("Gain \"g\" { u = -a.y; K = 2; } Relay \"a\" { u = g.y + 0.1; }", 0.0),
    ("Function \"b\" { y = if(a.y > 0.5, 0, 1); } Function \"a\" { y = b.y; }", 0.0),
    ("Function \"a\" { y = if(a.y + 2*t > 1.5, 0, 1); }", 0.25),
];

/// The time of "at t = 0.5 s these keep switching".
fn time_of(message: &str) -> f64 {
    let words = message.split("t = ").nth(1).and_then(|rest| rest.split(' ').next());
    words.and_then(|word| word.parse().ok()).unwrap_or(f64::NAN)
}

#[test]
fn signals_that_contradict_themselves_are_told() {
    for (blocks, since) in BLOCKS {
        for solver in ["derf", "stiff", "radau5", "euler_mixed"] {
            let setting = Setting { solver, end: 1.0, step: 0.1, tolerance: 1e-8 };
            let outcome = run(&text(setting, "", blocks));
            let mistake = outcome.failure();
            assert_eq!(mistake.code, "S202", "{blocks}: {}", mistake.message);
            assert!(mistake.message.contains("do not settle"), "{}", mistake.message);
            let names = ["Relay a", "Function a", "Function b"];
            assert!(names.iter().any(|name| mistake.message.contains(name)), "{}", mistake.message);
            assert!(mistake.help.as_ref().is_some_and(|help| help.contains("PT1")), "{blocks}");
            // Fixed steps find it at the end of one of them.
            let late = if solver == "euler_mixed" { 0.2 } else { 1e-4 };
            let at = time_of(&mistake.message);
            assert!(at >= since && at <= since + late, "{blocks}: {}", mistake.message);
        }
    }
}

/// The remedy: behind a delay each value follows from the one before.
#[test]
fn what_remembers_in_the_loop_helps() {
    let blocks =
        "UnitDelay \"d\" { u = a.y; Tsample = 0.1; } Function \"a\" { y = if(d.y > 0.5, 0, 1); }";
    let setting = Setting { solver: "derf", end: 0.95, step: 0.05, tolerance: 1e-8 };
    let table = run(&text(setting, "", blocks)).complete().table("csv");
    let (a, d) = (table.index("a.y"), table.index("d.y"));
    assert!(table.rows.iter().all(|row| row[a] == 1.0 - row[d]));
    assert!([0.0, 1.0].iter().all(|value| table.rows.iter().any(|row| row[a] == *value)));
}
