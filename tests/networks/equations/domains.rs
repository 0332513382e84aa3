//! Ports of all domains: components of equations against built-in elements.

use super::{agree, near, table};

/// Both integrate the same numbers; what differs is the order of a few sums.
const ROUNDING: f64 = 1e-12;

#[test]
fn a_rotor_of_equations_is_an_inertia() {
    let text = "Port \"x.a\" { Domain = rotational; Node = s; } Variable \"x.w\" { Start = 3; } \
                Equations \"x.e\" { der(x.a.phi) = x.w; 0.25*der(x.w) = x.a.tau; } \
                TorsionSpring \"K\" { a = base; b = s; c = 9; d = 0.1; } \
                Inertia \"J\" { a = r; J = 0.25; Winit = 3; } TorsionSpring \"L\" { a = base; b = r; c = 9; d = 0.1; } \
                TorqueSource \"T\" { b = s; Tau = sin(t); } TorqueSource \"U\" { b = r; Tau = sin(t); }";
    let table = table(3.0, 0.1, text);
    agree(&table, "J.phi", "x.a.phi", ROUNDING);
    agree(&table, "J.w", "x.w", ROUNDING);
    agree(&table, "J.w", "x.a.w", ROUNDING);
    for row in 0..=30 {
        let t = 0.1 * f64::from(row);
        let (tau, power) = (table.at(t, "x.a.tau"), table.at(t, "x.a.power"));
        assert!((tau * table.at(t, "x.w") - power).abs() < 1e-12);
    }
}

#[test]
fn a_gear_of_equations_reflects_inertia() {
    let text = "Port \"g.a\" { Domain = rotational; Node = m; } Port \"g.b\" { Domain = rotational; Node = l; } \
                Equations \"g.e\" { g.a.phi = 5*g.b.phi; 5*g.a.tau + g.b.tau = 0; } \
                Inertia \"M\" { a = m; J = 0.1; } Inertia \"L\" { a = l; J = 2; } TorqueSource \"T\" { b = m; Tau = 3; }";
    let table = table(1.0, 0.1, text);
    // J = 0.1 + 2/25, constant torque.
    near(&table, 1.0, "M.w", 3.0 / 0.18, 1e-9);
    near(&table, 1.0, "L.w", 3.0 / 0.18 / 5.0, 1e-9);
}

#[test]
fn a_slider_of_equations_is_a_mass() {
    let text = "Port \"m.a\" { Domain = translational; Node = s; } Variable \"m.v\" { Start = 1; } \
                Equations \"m.e\" { der(m.a.s) = m.v; 2*der(m.v) = m.a.f; } LinearSpring \"K\" { a = base; b = s; c = 50; d = 1; } \
                Mass \"M\" { a = r; m = 2; Vinit = 1; } LinearSpring \"L\" { a = base; b = r; c = 50; d = 1; }";
    let table = table(2.0, 0.1, text);
    agree(&table, "M.s", "m.a.s", ROUNDING);
    agree(&table, "M.v", "m.a.v", ROUNDING);
}

#[test]
fn a_body_of_heat_of_equations_is_a_capacity() {
    let text = "Port \"x.a\" { Domain = thermal; Node = n; } Variable \"x.T\" { Start = 320; } \
                Equations \"x.e\" { 5*der(x.T) = x.a.Q; x.T = x.a.T; } ThermalResistor \"R\" { a = n; b = ambient; R = 2; } \
                HeatSource \"H\" { a = n; P = 10; } \
                HeatCapacity \"C\" { a = m; C = 5; Tinit = 320; } ThermalResistor \"S\" { a = m; b = ambient; R = 2; } \
                HeatSource \"I\" { a = m; P = 10; }";
    let table = table(3.0, 0.1, text);
    agree(&table, "m.T", "n.T", ROUNDING);
    // Exponential approach to 293.15 K + 20 K with 10 s.
    near(&table, 3.0, "x.T", 313.15 + 6.85 * (-0.3f64).exp(), 1e-8);
}

#[test]
fn an_orifice_of_equations_has_the_root_of_its_law() {
    let text = "Port \"h.a\" { Domain = hydraulic; Node = o; } Port \"h.b\" { Domain = hydraulic; Node = tank; } \
                Equations \"h.e\" { h.a.p - h.b.p = 1e10*h.a.q + 2e13*h.a.q*abs(h.a.q); h.a.q + h.b.q = 0; } \
                FlowSource \"P\" { a = o; Q = 1e-4*sin(3*t); } \
                Port \"k.a\" { Domain = hydraulic; Node = u; } Equations \"k.e\" { k.a.q = 1e-12*der(k.a.p); } \
                FlowSource \"Q\" { a = u; Q = 1e-4*sin(3*t); }";
    let table = table(3.0, 0.1, text);
    for row in 1..=30 {
        let t = 0.1 * f64::from(row);
        let q = 1e-4 * (3.0 * t).sin();
        near(&table, t, "o.p", 1e10 * q + 2e13 * q * q.abs(), 1e-9);
        // A chamber integrates the flow: 1e-4 (1 - cos 3t)/3 over 1e-12.
        let p = 1e8 * (1.0 - (3.0 * t).cos()) / 3.0;
        near(&table, t, "u.p", p, 1e-6);
    }
}

/// A storage behind a port of a bond graph, whichever way it is joined.
#[test]
fn ports_of_bond_graphs_carry_power() {
    let graph = |name: &str| {
        format!(
            "Se \"S{name}\" {{ e = 5*cos(t); }} Junction1 \"J{name}\" {{ }} R \"R{name}\" {{ R = 2; }} \
             Bond \"b{name}\" {{ From = S{name}; To = J{name}; }} Bond \"c{name}\" {{ From = J{name}; To = R{name}; }} "
        )
    };
    let text = format!(
        "{}{}{}{} Bond \"d\" {{ From = J0; To = C; }} C \"C\" {{ C = 0.25; Qinit = 0.5; }} \
         Port \"x.p\" {{ Domain = bond; Node = J1; }} Variable \"x.q\" {{ Start = 0.5; }} \
         Equations \"x.e\" {{ der(x.q) = x.p.f; x.p.e = x.q/0.25; }} \
         Port \"y.p\" {{ Domain = bond; }} Variable \"y.q\" {{ Start = 0.5; }} Bond \"e\" {{ From = J2; To = y.p; }} \
         Equations \"y.e\" {{ der(y.q) = y.p.f; y.p.e = y.q/0.25; }} \
         Port \"z.p\" {{ Domain = bond; Node = J3; }} Bond \"f\" {{ From = z.p; To = D; }} C \"D\" {{ C = 0.25; Qinit = 0.5; }}",
        graph("0"),
        graph("1"),
        graph("2"),
        graph("3")
    );
    let table = table(2.0, 0.1, &text);
    for other in ["x.p.e", "y.p.e", "z.p.e", "D.e"] {
        agree(&table, "C.e", other, ROUNDING);
    }
    for other in ["x.p.f", "y.p.f", "z.p.f"] {
        agree(&table, "C.f", other, ROUNDING);
    }
}

/// A motor of equations has the current and speed of the Motor block.
#[test]
fn a_motor_of_equations_turns_like_a_motor() {
    let text = "VoltageSource \"V\" { p = a; n = gnd; V = 12; } \
                Port \"m.p\" { Domain = electrical; Node = a; } Port \"m.n\" { Domain = electrical; Node = gnd; } \
                Port \"m.s\" { Domain = rotational; Node = s; } Variable \"m.i\" { } Variable \"m.w\" { } \
                Equations \"m.e\" { m.p.i = m.i; m.p.i + m.n.i = 0; m.p.v - m.n.v = 2*m.i + 1e-2*der(m.i) + 0.05*m.w; \
                der(m.s.phi) = m.w; 1e-3*der(m.w) = 0.05*m.i + m.s.tau; } Inertia \"J\" { a = s; J = 2e-3; } \
                Motor \"M\" { p = a; n = gnd; shaft = r; R = 2; L = 1e-2; k = 0.05; J = 1e-3; } Inertia \"I\" { a = r; J = 2e-3; }";
    let table = table(0.5, 0.01, text);
    agree(&table, "M.i", "m.i", 1e-7);
    agree(&table, "I.w", "m.w", 1e-7);
}
