//! Oil: volumes, throttles, lines, valves and cylinders.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::run;

use super::support::{near, rows};

#[test]
fn a_volume_fills_through_a_throttle() {
    // R C = 1e9*1e-9 = 1 s towards 5 MPa; C = Volume/Beta = 1/1e9.
    let table = rows(
        2.0,
        2,
        "PressureSource \"P\" { a = s; P = 5e6; } HydraulicResistor \"R\" { a = s; b = x; R = 1e9; }\n\
         Compliance \"C\" { a = x; Volume = 1; Beta = 1e9; }",
    );
    for t in [1.0f64, 2.0] {
        let p = 5e6 * (1.0 - (-t).exp());
        near(&table, t, "x.p", p, 5e6);
        near(&table, t, "C.volume", p * 1e-9, 5e-3);
        near(&table, t, "P.q", (5e6 - p) / 1e9, 5e-3);
        near(&table, t, "P.power", -5e6 * (5e6 - p) / 1e9, 25e3);
    }
}

#[test]
fn a_turbulent_throttle_follows_the_orifice_equation() {
    // K = Rho/(2 (Cd A)^2) = 850/(2*(0.7*1e-4)^2). Above PLam dp = K q^2, below it the cubic; both meet at PLam with
    // the same slope dq/dp = q/(2 p).
    let k = 850.0 / (2.0 * (0.7f64 * 1e-4).powi(2));
    let table = rows(
        1.0,
        1000,
        "PressureSource \"P\" { a = x; P = 2e3*cos(pi*t); } HydraulicResistor \"R\" { a = x; Model = turbulent; A = 1e-4; }",
    );
    let largest = (2e3 / k).sqrt();
    for t in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let p: f64 = 2e3 * (std::f64::consts::PI * t).cos();
        let expected = if p.abs() > 1e3 {
            p.signum() * (p.abs() / k).sqrt()
        } else {
            0.25 * (1e3 / k).sqrt() * (p / 1e3) * (5.0 - (p / 1e3).powi(2))
        };
        near(&table, t, "R.q", expected, largest);
    }
    // No jump in value or slope: differences of rows of 1 ms change by less than the curvature allows.
    let q = table.column("R.q");
    let steps: Vec<f64> = q.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let kink = steps.windows(2).map(|pair| (pair[1] - pair[0]).abs()).fold(0.0, f64::max);
    // d2q/dt2 = q_p p'' + q_pp p'^2, at most q1 (2 pi^2 5/4 + 3/2 (2 pi)^2) with q1 = sqrt(PLam/K), times 1 ms^2.
    let pi2 = std::f64::consts::PI.powi(2);
    let curvature = (1e3 / k).sqrt() * (2.5 * pi2 + 6.0 * pi2) * 1e-6;
    assert!(kink < curvature, "{kink} above {curvature}");
}

#[test]
fn oil_in_a_line_swings() {
    // L C = 1e8*1e-12: w = 100 rad/s, from 1 MPa at rest.
    let table = rows(
        0.05,
        5,
        "Compliance \"C\" { a = x; C = 1e-12; Pinit = 1e6; } Inertance \"L\" { a = x; b = tank; L = 1e8; }",
    );
    for t in [0.01f64, 0.05] {
        near(&table, t, "x.p", 1e6 * (100.0 * t).cos(), 1e6);
        near(&table, t, "L.q", 1e-4 * (100.0 * t).sin(), 1e-4);
    }
}

#[test]
fn a_check_valve_lets_oil_pass_one_way() {
    // A pump that swings fills the volume and does not empty it: after the first quarter its pressure is
    // p = Q/(w C), and it rises only while the flow is positive: three half waves until 5 pi.
    let table = rows(
        5.0 * std::f64::consts::PI,
        10,
        "FlowSource \"Q\" { a = s; Q = 1e-4*sin(t); } CheckValve \"V\" { a = s; b = x; }\n\
         CheckValve \"W\" { a = tank; b = s; } Compliance \"C\" { a = x; C = 1e-9; }",
    );
    let half_wave = 2e-4 / 1e-9;
    near(&table, std::f64::consts::PI, "x.p", half_wave, half_wave);
    near(&table, 1.5 * std::f64::consts::PI, "x.p", half_wave, half_wave);
    near(&table, 1.5 * std::f64::consts::PI, "V.state", 0.0, 1.0);
    near(&table, 1.5 * std::f64::consts::PI, "W.q", 1e-4, 1e-4);
    near(&table, 5.0 * std::f64::consts::PI, "x.p", 3.0 * half_wave, half_wave);
}

#[test]
fn a_shut_valve_leaves_an_island_at_its_pressure() {
    // What is shut in keeps its pressure: the leak that fixes islands must be far below any real one.
    let table = rows(
        100.0,
        2,
        "PressureSource \"P\" { a = s; P = if(t < 1, 2e6, 0); } CheckValve \"V\" { a = s; b = x; Ron = 1e8; }\n\
         Compliance \"C\" { a = x; b = y; C = 1e-10; } HydraulicResistor \"R\" { a = y; R = 1e9; }",
    );
    let loaded = 2e6 * (1.0 - (-1.0f64 / (1.1e9 * 1e-10)).exp());
    near(&table, 100.0, "C.dp", loaded, loaded);
}

#[test]
fn a_cylinder_turns_flow_into_motion_and_pressure_into_force() {
    // Incompressible: v = Q/AreaA, and the pressure is what the load of 1000 N asks for.
    let table = rows(
        1.0,
        2,
        "FlowSource \"Q\" { a = x; Q = 2e-4; } Cylinder \"Z\" { a = x; rod = r; AreaA = 2e-3; AreaB = 1e-3; }\n\
         Mass \"M\" { a = r; m = 10; } ForceSource \"F\" { a = r; F = -1000; }",
    );
    near(&table, 1.0, "M.s", 0.1, 0.1);
    near(&table, 1.0, "x.p", 5e5, 5e5);
    near(&table, 1.0, "Z.qb", -1e-4, 1e-4);
    near(&table, 1.0, "Z.f", 1000.0, 1000.0);
}

#[test]
fn compressible_oil_is_a_spring() {
    // Shut in on both sides: c = Beta (A^2/V + B^2/W), here 1e9 (4e-6/1e-4 + 1e-6/1e-4) = 5e7 N/m, m = 500 kg: for
    // small motions w = sqrt(c/m).
    let table = rows(
        0.02,
        4,
        "Cylinder \"Z\" { a = x; b = y; rod = r; AreaA = 2e-3; AreaB = 1e-3; VolumeA = 1e-4; VolumeB = 1e-4; Beta = 1e9; }\n\
         HydraulicResistor \"L\" { a = x; R = 1e30; } HydraulicResistor \"K\" { a = y; R = 1e30; }\n\
         Mass \"M\" { a = r; m = 500; Vinit = 1e-6; }",
    );
    let w = (5e7f64 / 500.0).sqrt();
    for t in [0.005, 0.01, 0.02] {
        // The volumes change by 1e-6/w A/V, some 1e-7: far below the tolerance.
        near(&table, t, "M.s", 1e-6 * (w * t).sin() / w, 1e-6 / w);
    }
}

#[test]
fn stops_end_the_stroke() {
    let table = rows(
        2.0,
        2,
        "PressureSource \"P\" { a = s; P = 1e6; } HydraulicResistor \"R\" { a = s; b = x; R = 1e9; }\n\
         Cylinder \"Z\" { a = x; rod = r; AreaA = 1e-3; Stroke = 0.2; c = 1e6; d = 1e4; } Mass \"M\" { a = r; m = 10; Sinit = 0.1; }",
    );
    // At rest the whole force of 1000 N is on the stop, 1 mm deep.
    near(&table, 2.0, "M.s", 0.201, 0.2);
    near(&table, 2.0, "M.v", 0.0, 1.0);
}

/// On a joint the cylinder moves a body as it moves a mass of the same size on a flange.
#[test]
fn a_cylinder_on_a_joint_is_one_between_flanges() {
    let oil = "FlowSource \"Q\" { a = x; Q = 2e-4*(1 - cos(5*t)); } HydraulicResistor \"R\" { a = x; R = 1e11; }\n";
    let sizes = "AreaA = 2e-3; VolumeA = 1e-3; Beta = 1e8;";
    let free = rows(
        1.0,
        10,
        &format!(
            "{oil} Cylinder \"Z\" {{ a = x; rod = r; {sizes} }} Mass \"M\" {{ a = r; m = 300; Sinit = 0.1; }}\n\
             ForceSource \"F\" {{ a = r; F = -300*9.81; }}"
        ),
    );
    let settings = Run::new("derf", 1e-9, 1.0, 0.1);
    let text = Text::new([0.0, 0.0, -9.81], settings)
        .joint(
            "Prismatic",
            ["P", "world", "lift"],
            [0.0; 3],
            "JointAxis = 0, 0, 1; Qinit = 0.1; QDinit = 0; Degrees = rad;",
        )
        .body(["lift", "world", "P"], 300.0, [10.0, 10.0, 10.0], [0.0; 3])
        .with(&format!("{oil} Cylinder \"Z\" {{ a = x; Joint1D = P; {sizes} }}"))
        .with("Output \"o\" { Signals = P.q, P.qd, Z.s, Z.f, x.p; Files = csv; }");
    let outcome = run(text.text()).complete();
    let table = outcome.table("csv");
    for t in [0.5, 1.0] {
        near(&table, t, "P.q", free.at(t, "M.s"), 1.0);
        near(&table, t, "Z.s", free.at(t, "M.s"), 1.0);
        near(&table, t, "P.qd", free.at(t, "M.v"), 1.0);
        near(&table, t, "x.p", free.at(t, "x.p"), 3e6);
        near(&table, t, "Z.f", free.at(t, "Z.f"), 6e3);
    }
}
