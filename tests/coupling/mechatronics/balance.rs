//! Power is conserved across all domains: what flows into the elements sums to zero in every row (Tellegen's theorem),
//! and what is lost is heat.

use dysim_tests::circuits::power_gap;

use super::support::{near, rows};

/// A motor with gear, elastic shaft, friction, rack, cylinder and throttle, and the heat of all these parts.
const EVERYTHING: &str = "VoltageSource \"V\" { p = u; n = gnd; V = 48*cos(3*t); }\n\
    Resistor \"Rv\" { p = u; n = v; R = 0.2; Heat = h; }\n\
    Motor \"M\" { p = v; n = gnd; shaft = m; R = 0.3; L = 1e-3; k = 0.2; J = 1e-3; d = 1e-3; Heat = h; }\n\
    Gear \"G\" { a = m; b = g; Ratio = 5; }\n\
    TorsionSpring \"S\" { a = g; b = l; c = 500; d = 2; Backlash = 0.01; }\n\
    Inertia \"J\" { a = l; J = 0.05; }\n\
    Friction \"F\" { a = l; Rmax = 1; Rv = 0.8 + 0.1*abs(F.w); Heat = h; }\n\
    RackPinion \"R\" { a = l; b = r; r = 0.05; }\n\
    Cylinder \"Z\" { a = x; rod = r; AreaA = 1e-3; VolumeA = 1e-3; Beta = 1e8; }\n\
    HydraulicResistor \"D\" { a = x; R = 1e8; Heat = h; }\n\
    HeatCapacity \"H\" { a = h; C = 10; Tinit = 300; }";

#[test]
fn power_sums_to_zero_in_every_row() {
    let table = rows(2.0, 200, EVERYTHING);
    assert!(power_gap(&table) < 1e-12, "{}", power_gap(&table));
    // The friction sticks and slides in both directions.
    let states = table.column("F.state");
    assert!(states.contains(&2.0) && states.contains(&-2.0));
}

/// The energy that the source delivers is stored or has become heat.
#[test]
fn what_the_source_delivers_is_stored_or_heat() {
    // The work of the source is integrated by a shaft of 1 kg m^2 whose torque is the power.
    let text = format!(
        "{EVERYTHING}\nInertia \"W\" {{ a = w; J = 1; }} TorqueSource \"P\" {{ a = w; Tau = -V.power; }}\n\
         Inertia \"U\" {{ a = d; J = 1; }} TorqueSource \"Q\" {{ a = d; Tau = S.tau*S.w; }}\n\
         Inertia \"Y\" {{ a = y; J = 1; }} TorqueSource \"O\" {{ a = y; Tau = Z.power; }}"
    );
    let table = rows(2.0, 4, &text);
    for t in [0.5, 1.0, 2.0] {
        let at = |column: &str| table.at(t, column);
        let delivered = at("W.w");
        let heat = 10.0 * (at("H.T") - 300.0);
        let field = 0.5 * 1e-3 * at("M.i").powi(2);
        let moving = at("J.ekin") + 0.5 * 1e-3 * at("M.w").powi(2);
        // The spring stores what flows into it but for its damper, which has no heat of its own: U has both.
        let spring = at("U.w");
        // Compressed oil, integrated likewise.
        let stored = heat + field + moving + spring + at("Y.w");
        let allowed = 1e-6 * delivered.abs();
        assert!((delivered - stored).abs() <= allowed, "at {t} s: {delivered} J became {stored} J");
    }
    near(&table, 0.0, "W.w", 0.0, 1.0);
}
