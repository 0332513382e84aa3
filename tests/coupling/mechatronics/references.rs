//! Published cases.

use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::run;

use super::support::{near, rows};

/// Two inertias and a clutch of 5 Nm: lock at 4/3 s with 10/3 rad/s; 100/3 J become heat.
#[test]
fn a_clutch_brings_two_inertias_to_one_speed() {
    let outcome = run(&text(
        Setting { solver: "derf", end: 2.0, step: 0.5, tolerance: 1e-9 },
        "",
        "Inertia \"J1\" { a = x; J = 1; Winit = 10; } Inertia \"J2\" { a = y; J = 2; } Clutch \"C\" { a = x; b = y; Rmax = 5; Heat = h; }\n\
         HeatCapacity \"H\" { a = h; C = 1; Tinit = 0; }",
    ))
    .complete();
    let table = outcome.table("csv");
    near(&table, 2.0, "J1.w", 10.0 / 3.0, 10.0);
    near(&table, 2.0, "J2.w", 10.0 / 3.0, 10.0);
    near(&table, 2.0, "H.T", 100.0 / 3.0, 100.0);
    near(&table, 2.0, "C.state", 0.0, 1.0);
}

/// A brake with Coulomb and viscous friction stops after 2.29 s and 29.2 rad.
#[test]
fn a_brake_stops_a_shaft_where_the_closed_form_says() {
    let table = rows(
        3.0,
        2,
        "Inertia \"J\" { a = x; J = 0.5; Winit = 30; } Brake \"B\" { a = x; Rmax = 4; Rv = 4 + 0.2*abs(B.w); }",
    );
    near(&table, 3.0, "J.phi", 29.185463406292246741, 29.0);
    near(&table, 3.0, "J.w", 0.0, 30.0);
    // The instant: 0.5/0.2 log(1 + 0.2*30/4); until there w = (30 + 20) exp(-0.4 t) - 20.
    near(&table, 1.5, "J.w", 50.0 * (-0.6f64).exp() - 20.0, 30.0);
}

/// A motor with gear and load after a step of voltage (matrix exponential, 20 digits).
#[test]
fn a_motor_drives_a_geared_load() {
    let table = rows(
        0.5,
        100,
        "VoltageSource \"V\" { p = u; n = gnd; V = 12; } Motor \"M\" { p = u; n = gnd; shaft = m; R = 1.2; L = 0.002; k = 0.05; J = 2e-5; d = 1e-5; }\n\
         Gear \"G\" { a = m; b = l; Ratio = 20; } Inertia \"JL\" { a = l; J = 0.01; } TorsionSpring \"dL\" { a = l; d = 0.002; }",
    );
    let expected = [
        (0.005, 8.5699443821244759499, 36.25344535355106655, 0.073597900196900242767),
        (0.01, 7.2080535638505885508, 80.557391753758364449, 0.36898152855916976356),
        (0.02, 4.3897654204317540528, 143.4376213543309057, 1.5152469836469244189),
        (0.05, 1.0087448188214944773, 217.69925868064837612, 7.2054668583649079594),
        (0.1, 0.14494924193582859598, 236.67085927025658064, 18.747132118829452655),
        (0.5, 0.071485305902914547051, 238.28435265854324023, 114.02918841376027545),
    ];
    for (t, i, w, phi) in expected {
        near(&table, t, "M.i", i, 10.0);
        near(&table, t, "M.w", w, 240.0);
        near(&table, t, "M.phi", phi, 114.0);
        near(&table, t, "JL.phi", phi / 20.0, 6.0);
    }
}

/// Modelica.Mechanics.Rotational.Examples.First (matrix exponential).
#[test]
fn the_first_rotational_example_of_the_modelica_library() {
    // Rows every 10 ms, so that no step spans a period of the torque of 5 Hz.
    let table = rows(
        1.0,
        100,
        "TorqueSource \"T\" { a = m; Tau = 10*sin(2*pi*5*t); } Inertia \"J1\" { a = m; J = 0.1; } Gear \"G\" { a = m; b = l; Ratio = 10; }\n\
         Inertia \"J2\" { a = l; b = k; J = 2; } TorsionSpring \"D\" { a = l; d = 10; } TorsionSpring \"S\" { a = k; b = r; c = 1e4; } Inertia \"J3\" { a = r; J = 2; }",
    );
    near(&table, 1.0, "J2.phi", 0.16232822702741040047, 1.0);
    near(&table, 1.0, "J2.w", -0.11224930920312144882, 1.0);
    near(&table, 1.0, "J3.phi", 0.16286164287996858501, 1.0);
    near(&table, 1.0, "J3.w", -0.13814527991832330942, 1.0);
}

/// Modelica.Electrical.Machines.Examples.DCMachines.DCPM_Start (integration to 1e-13).
#[test]
fn the_start_of_a_dc_machine_of_the_modelica_library() {
    let table = rows(
        2.0,
        20,
        "Parameters \"p\" { k = (100 - 5)/(1425*2*pi/60); }\n\
         VoltageSource \"V\" { p = u; n = gnd; V = clamp(100*(t - 0.2)/0.8, 0, 100); }\n\
         Motor \"M\" { p = u; n = gnd; shaft = m; R = 0.05; L = 1.5e-3; k = k; J = 0.15; } Inertia \"JL\" { a = m; J = 0.15; }\n\
         TorqueSource \"TL\" { a = m; Tau = if(t >= 1.5, -63.66, 0); }",
    );
    near(&table, 2.0, "M.i", 99.97436343095315, 200.0);
    near(&table, 2.0, "M.w", 149.22784374991303, 150.0);
    near(&table, 2.0, "JL.phi", 210.22598366802777, 210.0);
}

/// Drive train with clutch (Otter's thesis, 5.4), until its brake acts: figures of an independent integration with steps
/// of 1e-6 s, given to 6 or 7 digits, which is the tolerance here.
#[test]
fn the_clutch_train_of_the_thesis() {
    let outcome = run(&text(
        Setting { solver: "derf", end: 0.5, step: 0.1, tolerance: 1e-9 },
        "",
        "Inertia \"s1\" { a = n1; J = 1; Winit = 90; } Inertia \"s2\" { a = n2; J = 0.05; Winit = 90; } Inertia \"s3\" { a = n3; J = 1; Winit = 100; }\n\
         TorsionSpring \"v2\" { a = n1; b = n2; c = 160; d = 1; } Clutch \"v3\" { a = n2; b = n3; Rmax = 80; }\n\
         TorqueSource \"u\" { a = n3; Tau = 200*sin(100*t); }",
    ))
    .complete();
    let table = outcome.table("csv");
    let expected = [
        (0.1, "s1.w", 96.5633),
        (0.1, "s2.w", 93.3400),
        (0.1, "s3.w", 96.9478),
        (0.5, "s1.w", 98.1934),
        (0.5, "s2.w", 91.7873),
        (0.5, "s3.w", 91.7873),
    ];
    for (t, column, value) in expected {
        let found = table.at(t, column);
        assert!((found - value).abs() < 1e-4, "{column} at {t}: {found} instead of {value}");
    }
    // The log tells when it locks, slips and locks again.
    let log = outcome.text("log");
    let instants: Vec<f64> = log
        .lines()
        .filter(|line| line.contains("Clutch v3"))
        .filter_map(|line| line.strip_prefix("t = ")?.split(':').next()?.parse().ok())
        .collect();
    let expected = [0.0067797, 0.0593393, 0.1092898];
    assert_eq!(instants.len(), expected.len(), "{log}");
    for (found, expected) in instants.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-7, "{found} instead of {expected}");
    }
}
