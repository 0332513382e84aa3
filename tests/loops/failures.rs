//! Loops that cannot be closed or kept, and what is said about them.

use dysim_tests::mechanisms::{Settings, four_bar, joint, rod, triad};
use dysim_tests::simulate::{mistake, model, run};
use engine::{ErrorKind, Mistake};

/// The message with which a run ends.
fn failure(text: &str) -> Mistake {
    run(text).failure().clone()
}

fn help(mistake: &Mistake) -> String {
    mistake.help.clone().unwrap_or_default()
}

/// Two bars of 0.4 m and 0.3 m between pivots 1 m apart leave a gap of 0.3 m at best.
#[test]
fn bars_that_are_too_short_leave_a_gap() {
    let text = Settings::default().frame()
        + &triad("A0", "world", [0.0; 3])
        + &triad("B0", "world", [1.0, 0.0, 0.0])
        + &rod("left", "world", "J1", 1.0, 0.4)
        + &rod("right", "world", "J2", 1.0, 0.3)
        + &joint("Revolute", "J1", "A0", "left_start", "Qinit = 0.3;")
        + &joint("Revolute", "J2", "B0", "right_start", "Qinit = 2.5;")
        + &joint("Spherical", "pin", "left_end", "right_end", "Role = loop;");
    let found = failure(&text);
    assert_eq!(found.code, "S203");
    assert!(found.message.contains("the loop of Spherical `pin` cannot be closed"), "{found:?}");
    // Newton's method stops where the gap is smallest; near that place its square is flat.
    assert!(found.message.contains("a gap of 3.0"), "{}", found.message);
    for name in ["pin", "J1", "J2"] {
        assert!(help(&found).contains(name), "{found:?}");
    }
}

#[test]
fn loops_close_from_rough_angles_and_keep_what_is_fixed() {
    let settings = Settings { signals: "J1.q, J1.qd, J3.q".into(), ..Settings::default() };
    let text = four_bar(&settings, "Revolute", "");
    let start = "Qinit = 0.7; QDinit = 1.3;";
    assert!(text.contains(start));
    // The rocker is 0.3 rad off, the crank stays.
    let text = text
        .replace(start, &format!("{start} Fixed = yes;"))
        .replace("Qinit = 1.5401927398; QDinit = 0.0448391561;", "Qinit = 1.2; QDinit = 0;");
    let outcome = run(&text).complete();
    let table = outcome.table("csv");
    assert_eq!(table.at(0.0, "J1.q"), 0.7);
    assert_eq!(table.at(0.0, "J1.qd"), 1.3);
    assert!((table.at(0.0, "J3.q") - 1.5401927398).abs() < 1e-9);
    let log = outcome.text("log");
    assert!(log.contains("coordinates were changed by up to"), "{log}");
    assert!(log.contains("rates were changed by up to"), "{log}");
}

#[test]
fn a_rod_without_length_is_refused() {
    let text = four_bar(&Settings::default(), "Revolute", "")
        + "Rod \"R\" { TriadFrom = rocker_end; TriadTo = B0; }\n"
        + "Rod \"nothing\" { TriadFrom = crank_start; TriadTo = A0; }\n";
    let error = model(&text).session().err();
    let mistake = mistake(error.as_ref(), ErrorKind::Simulation);
    assert_eq!(mistake.code, "A182");
    assert!(mistake.message.contains("the ends of the rod `nothing` coincide"), "{mistake:?}");
}

/// Crank and rocker of a four-bar with one freedom, both moved.
#[test]
fn too_many_motions_contradict_each_other() {
    let both = "Motion \"M1\" { Joint = J1; Q = 0.7 + 1.3*t; }\nMotion \"M3\" { Joint = J3; Q = 1.5401927398 + 0.5*t; }\n";
    let found = failure(&four_bar(&Settings::default(), "Revolute", both));
    assert_eq!(found.code, "A183", "{found:?}");
    assert!(found.message.contains("the motions contradict Revolute `L`"), "{found:?}");
    // The rates fit at the start, but not for long.
    let later = both.replace("0.5*t", "0.0448391561*t");
    let found = failure(&four_bar(&Settings::default(), "Revolute", &later));
    assert_eq!(found.code, "S204", "{found:?}");
    assert!(found.message.contains("Revolute L"), "{found:?}");
}

/// A rocker that is driven through the dead centre of the crank cannot go on: no NaN, no wrong motion.
#[test]
fn a_mechanism_driven_into_its_dead_centre_stops() {
    let drive = "Motion \"M\" { Joint = J3; Q = 1.5401927398 + 0.5*t; }\n";
    let settings = Settings { end: 10.0, ..Settings::default() };
    let found = failure(&four_bar(&settings, "Revolute", drive));
    assert!(["S202", "S204"].contains(&found.code), "{found:?}");
}
