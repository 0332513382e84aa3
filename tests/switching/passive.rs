//! An element that cannot be a source of energy and yet delivers work is told by its name.

use dysim_tests::event_runs::{Link, chain};
use dysim_tests::simulate::{Outcome, run};

fn drop_on(solver: &str, step: f64, law: &str) -> Outcome {
    let joint = "JointAxis = 0, 0, 1; Qinit = 0.2; QDinit = 0;";
    let outputs = step.max(0.01);
    run(&(format!(
        "Header \"h\" {{ ModelName = m; OutputType = none; }}\n\
         System \"s\" {{ GravAccel = 0, 0, -9.81; ScaleGrav = 1; }}\n\
         Solver \"d\" {{ Type = dynamic; Solver = {solver}; RelErr = 1e-7; AbsErr = 1e-9; \
         Tstart = 0; Tend = 1; Tstep = {outputs}; TstepMax = {step}; TstepMin = 0; TstepIni = 1e-4; }}\n"
    ) + &chain(&[Link { joint, ..Link::default() }])
        + law))
    .complete()
}

fn contact(damping: f64) -> String {
    format!(
        "ContactSimple \"floor\" {{ TriadFrom = T0; TriadTo = R1; ElasticLinearZ = 1e3; DampingLinearZ = {damping}; \
         FrictionXY = 0; }}\n"
    )
}

fn spring(damping: f64) -> String {
    format!(
        "TSDA \"k\" {{ Joint1D = J1; ElasticLinear = 1e3; DampingLinear = {damping}; ZeroLength = 0; OneSide = bi; }}\n"
    )
}

#[test]
fn a_contact_that_pushes_a_body_up_is_told_by_its_name() {
    let outcome = drop_on("derf", 0.01, &contact(-5.0));
    let [warning] = &outcome.summary.warnings[..] else { panic!("{:?}", outcome.summary.warnings) };
    assert!(warning.contains("ContactSimple floor"), "{warning}");
    assert!(outcome.text("log").contains(&format!("warning: {warning}")));
}

#[test]
fn a_spring_may_deliver_what_it_had_and_no_more() {
    // It is stretched by 0.2 m at the start, and gives and takes these 20 J many times.
    assert_eq!(drop_on("derf", 0.01, &spring(1.0)).summary.warnings, Vec::<String>::new());
    let outcome = drop_on("derf", 0.01, &spring(-1.0));
    assert!(outcome.summary.warnings[0].contains("TSDA k"), "{:?}", outcome.summary.warnings);
}

/// Steps of half a period of the contact make a body jump higher than it fell.
#[test]
fn steps_that_are_too_long_for_a_contact_are_told() {
    let outcome = drop_on("rk4", 0.1, &contact(1.0));
    assert!(outcome.summary.warnings[0].contains("ContactSimple floor"));
    assert_eq!(drop_on("rk4", 1e-4, &contact(1.0)).summary.warnings, Vec::<String>::new());
}

#[test]
fn elements_that_dissipate_are_silent() {
    for solver in ["de", "derf", "stiff", "odeint_rk", "odeint_bs", "euler"] {
        let step = if solver == "euler" { 1e-4 } else { 0.01 };
        for law in [contact(0.0), contact(5.0), spring(0.5)] {
            let warnings = drop_on(solver, step, &law).summary.warnings;
            assert_eq!(warnings, Vec::<String>::new(), "{solver}: {law}");
        }
    }
}
