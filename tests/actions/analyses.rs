//! Analyses besides integration: nothing acts there, which is said.

use dysim_tests::simulate::run;

const PENDULUM: &str = r#"
    Variable "n" { Type = discrete; Start = 2; }
    When "w" { Condition = t >= 0; Set { n = 7; } }
    When "x" { Condition = J.q > 0.1; Set { J.qd = 0; } }
    Triad "base" { Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Triad "pin" { Parent = rod; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
    Revolute "J" { Parent = rod; TriadFrom = base; TriadTo = pin; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 1; QDinit = 0; Degrees = rad; }
    Body "rod" { Parent = world; Joint = J; Mass = 1; Inertia = 0.1, 0, 0, 0.1, 0, 0.1; CGFramePosition = 1, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
"#;

/// m g cos q = n at the equilibrium, with the value that n has at the start.
#[test]
fn a_static_analysis_takes_discrete_variables_as_they_start() {
    let text = super::text("derf", 1.0, 0.5, PENDULUM).replace("Type = dynamic", "Type = static")
        + "JointForce \"f\" { Joint1D = J; Value = n; }\n";
    let outcome = run(&text).complete();
    assert!(
        outcome.summary.remarks.iter().any(|words| words.contains("When blocks")),
        "{:?}",
        outcome.summary.remarks
    );
    let q = outcome.table("csv").last("J.q");
    // Gravity turns the rod about y by m g l cos q; the force of the joint balances it.
    super::near(super::G * q.cos(), -2.0, 1e-8);
}

#[test]
fn a_kinematic_analysis_takes_discrete_variables_as_they_start() {
    let text = super::text("derf", 1.0, 0.5, PENDULUM)
        .replace("Type = dynamic", "Type = kinematic")
        + "Motion \"m\" { Joint = J; Q = n*t; }\n";
    let text = text.replace("When \"x\" { Condition = J.q > 0.1; Set { J.qd = 0; } }", "");
    let outcome = run(&text).complete();
    assert!(outcome.summary.remarks.iter().any(|words| words.contains("When blocks")));
    super::near(outcome.table("csv").last("J.q"), 2.0, 1e-12);
}
