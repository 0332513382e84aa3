//! Heat: capacities, resistances, sources, and the losses of other domains.

use super::support::{near, rows};

#[test]
fn a_body_warms_up_exponentially() {
    // 10 W into 50 J/K behind 2 K/W: 20 K above ambient with the time constant 100 s.
    let table = rows(
        200.0,
        4,
        "HeatSource \"P\" { a = x; P = 10; } HeatCapacity \"C\" { a = x; C = 50; } ThermalResistor \"R\" { a = x; R = 2; }",
    );
    for t in [50.0f64, 100.0, 200.0] {
        let rise = 20.0 * (1.0 - (-t / 100.0).exp());
        near(&table, t, "x.T", 293.15 + rise, 100.0);
        near(&table, t, "R.Q", rise / 2.0, 10.0);
        near(&table, t, "R.dT", rise, 10.0);
        near(&table, t, "C.Q", 10.0 - rise / 2.0, 10.0);
    }
}

#[test]
fn sources_hold_temperatures_and_differences() {
    // 400 K, 30 K more behind it, and 4 K/W from there to the ambient temperature.
    let table = rows(
        1.0,
        1,
        "TemperatureSource \"A\" { a = x; T = 400; } TemperatureSource \"B\" { a = y; b = x; T = 30; }\n\
         ThermalResistor \"R\" { a = y; R = 4; } HeatSource \"P\" { a = y; b = x; P = 5; }",
    );
    let flow = (430.0 - 293.15) / 4.0;
    near(&table, 1.0, "y.T", 430.0, 1.0);
    near(&table, 1.0, "R.Q", flow, 1.0);
    near(&table, 1.0, "B.Q", flow - 5.0, 1.0);
    near(&table, 1.0, "A.Q", flow, 1.0);
}

#[test]
fn bodies_in_contact_share_their_heat() {
    // Two capacities on one node are one: explicit temperatures are mixed by their capacities.
    let table = rows(
        10.0,
        2,
        "HeatCapacity \"A\" { a = x; C = 1; Tinit = 400; } HeatCapacity \"B\" { a = x; C = 3; Tinit = 300; }",
    );
    near(&table, 0.0, "x.T", 325.0, 1.0);
    near(&table, 10.0, "B.T", 325.0, 1.0);
}

/// Every element that loses power puts it where `Heat` says, and keeps its law.
#[test]
fn losses_of_all_domains_become_heat() {
    let sink = "HeatCapacity \"H\" { a = h; C = 1; Tinit = 0; }";
    let volts =
        "VoltageSource \"V\" { p = a; n = gnd; V = 10; } Resistor \"Rv\" { p = a; n = b; R = 5; }";
    // Elements with `Heat`, and the loss in W that they have from the start on: with 5 Ohm in front 1 A and 5 V at a
    // resistor of 5 Ohm; a drop of v takes (10 - v)/5 A.
    let electrical = [
        ("Resistor \"E\" { p = b; n = gnd; R = 5; Heat = h; }", 5.0),
        ("Switch \"E\" { p = b; n = gnd; Closed = yes; Ron = 5; Heat = h; }", 5.0),
        ("Diode \"E\" { p = b; n = gnd; Vf = 5; Heat = h; }", 5.0),
        ("Zener \"E\" { p = gnd; n = b; Vz = 5; Heat = h; }", 5.0),
        ("Thyristor \"E\" { p = b; n = gnd; Gate = yes; Vf = 5; Heat = h; }", 5.0),
        // A locked shaft is a resistor.
        ("Motor \"E\" { p = b; n = gnd; shaft = base; R = 5; k = 1; Heat = h; }", 5.0),
        ("Generator \"E\" { p = b; n = gnd; shaft = base; R = 5; k = 1; Heat = h; }", 5.0),
    ];
    for (element, loss) in electrical {
        let table = rows(1.0, 1, &format!("{volts} {element} {sink}"));
        near(&table, 1.0, "H.T", loss, loss);
    }
    // 2 rad/s or m/s against 3 Nm or N; 2 m^3/s through 3 Pa s/m^3.
    let others = [
        ("SpeedSource \"S\" { a = x; W = 2; } Friction \"E\" { a = x; Rmax = 3; Heat = h; }", 6.0),
        ("SpeedSource \"S\" { a = x; W = 2; } Brake \"E\" { a = x; Rmax = 3; Heat = h; }", 6.0),
        (
            "SpeedSource \"S\" { a = x; W = 2; } Clutch \"E\" { a = x; b = base; Rmax = 3; Heat = h; }",
            6.0,
        ),
        (
            "VelocitySource \"S\" { a = x; V = 2; } LinearFriction \"E\" { a = x; Rmax = 3; Heat = h; }",
            6.0,
        ),
        (
            "FlowSource \"S\" { a = x; Q = 2; } HydraulicResistor \"E\" { a = x; R = 3; Heat = h; }",
            12.0,
        ),
        (
            "FlowSource \"S\" { a = x; Q = 2; } HydraulicResistor \"E\" { a = x; Model = turbulent; K = 1e3; Heat = h; }",
            8e3,
        ),
    ];
    for (elements, loss) in others {
        let table = rows(1.0, 1, &format!("{elements} {sink}"));
        near(&table, 1.0, "H.T", loss, loss);
    }
}
