//! Functions and derived quantities of one's own.

use super::{agree, near, table};

#[test]
fn a_formula_is_what_it_says_everywhere() {
    let text = "Parameters \"p\" { k = 2; m = lib.square(3); limit = late(1); } \
                Formula \"sat\" { Of = x, a; Value = clamp(x, -a, a); } \
                Formula \"late\" { Of = x; Value = lib.square(x) + k; } \
                Formula \"lib.square\" { Of = x; Value = x*x*k/2; } \
                Formula \"answer\" { Value = 42; } \
                Variable \"x\" { } Variable \"y\" { } Variable \"z\" { } Variable \"w\" { } Variable \"c\" { } \
                Equations \"e\" { der(x) = sat(3*cos(t), limit); der(y) = clamp(3*cos(t), -3, 3); z = lib.square(x) + m; \
                w = x*x + 9; c = answer(); } \
                Function \"f\" { y = sat(x, 0.5); } Function \"g\" { y = clamp(x, -0.5, 0.5); } \
                VoltageSource \"V\" { p = a; n = gnd; V = sat(10*t, 2); } Resistor \"R\" { p = a; n = gnd; R = answer() - 41; }";
    let table = table(4.0, 0.1, text);
    agree(&table, "y", "x", 1e-15);
    agree(&table, "w", "z", 1e-15);
    agree(&table, "g.y", "f.y", 1e-15);
    near(&table, 4.0, "c", 42.0, 1e-15);
    near(&table, 0.1, "R.i", 1.0, 1e-12);
    near(&table, 1.0, "R.i", 2.0, 1e-12);
}

/// The derivative of a formula is found by the chain rule.
#[test]
fn a_formula_is_differentiated() {
    let text = "Formula \"wave\" { Of = x, a; Value = sin(a*x)*exp(-x/3) + x^3/a; } \
                Variable \"u\" { } Variable \"v\" { } Variable \"s\" { } \
                Equations \"e\" { u = der(wave(t, 2)); v = der(der(wave(t, 2))); wave(s, 2) = wave(t + 1, 2); }";
    let text = text.replace("Variable \"s\" { }", "Variable \"s\" { Start = 1; }");
    let table = table(2.0, 0.25, &text);
    for row in 0..=8 {
        let t = 0.25 * f64::from(row);
        let e = (-t / 3.0f64).exp();
        let (s, c) = ((2.0 * t).sin(), (2.0 * t).cos());
        let first = e * (2.0 * c - s / 3.0) + 1.5 * t * t;
        let second = e * (-4.0 * s - 4.0 / 3.0 * c + s / 9.0) + 3.0 * t;
        near(&table, t, "u", first, 1e-12);
        near(&table, t, "v", second, 1e-12);
    }
}

/// A motion of a joint may be a formula of time, which is differentiated twice too.
#[test]
fn formulas_move_joints_and_brake_them() {
    let frame = "Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad;";
    let arm = |name: &str| {
        format!(
            "Body \"{name}\" {{ Joint = J{name}; Mass = 1; Inertia = 1, 0, 0, 1, 0, 1; CGFramePosition = 0, 0, -1; \
             CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }} \
             Triad \"{name}0\" {{ Parent = world; {frame} }} Triad \"{name}1\" {{ Parent = {name}; {frame} }} \
             Revolute \"J{name}\" {{ Parent = {name}; TriadFrom = {name}0; TriadTo = {name}1; JointAxis = 0, 1, 0; \
             JointPoint = 0, 0, 0; Qinit = 1; QDinit = 0; Degrees = rad; }} "
        )
    };
    let text = format!(
        "Formula \"damp\" {{ Of = w, d; Value = -d*w*abs(w); }} {}{} Function \"probe\" {{ y = 1; }} \
         JointForce \"Fa\" {{ Joint1D = Ja; Value = damp(Ja.qd, 0.3); }} \
         JointForce \"Fb\" {{ Joint1D = Jb; Value = -0.3*Jb.qd*abs(Jb.qd); }}",
        arm("a"),
        arm("b")
    );
    let table = table(2.0, 0.1, &text);
    agree(&table, "Jb.q", "Ja.q", 1e-15);
}

/// A derived quantity stands for its expression, and may name accelerations in results only.
#[test]
fn signals_stand_for_their_expressions() {
    let frame = "Orientation = 0, 0, 0; AngleType = euler; Degrees = rad;";
    let text = format!(
        "Body \"b\" {{ Joint = J; Mass = 2; Inertia = 1, 0, 0, 1, 0, 1; CGFramePosition = 0, 0, -1; \
         CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }} \
         Triad \"w0\" {{ Parent = world; Position = 0, 0, 0; {frame} }} Triad \"b0\" {{ Parent = b; Position = 0, 0, 0; {frame} }} \
         Triad \"foot\" {{ Parent = b; Position = 0.3, 0.1, -1; {frame} }} \
         Triad \"hand\" {{ Parent = world; Position = 1, 2, 3; {frame} }} \
         Revolute \"J\" {{ Parent = b; TriadFrom = w0; TriadTo = b0; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 1; \
         QDinit = 0.5; Degrees = rad; }} \
         Signal \"m.double\" {{ Value = 2*m.single + 0*m.late; Unit = \"rad\"; About = \"twice\"; }} \
         Signal \"m.single\" {{ Value = J.q; }} Signal \"m.late\" {{ Value = t; }} \
         Signal \"load\" {{ Value = J.fx + 2*b.ax; }} Signal \"reaction\" {{ Value = J.fx; }} Signal \"sway\" {{ Value = b.ax; }} \
         Signal \"foot.place\" {{ Value = foot.x; }} Signal \"foot.speed\" {{ Value = foot.vx; }} Signal \"foot.turn\" {{ Value = foot.wy; }} \
         Signal \"hand.place\" {{ Value = hand.z + hand.vx; }} Signal \"rate\" {{ Value = J.qd; }} \
         Function \"f\" {{ y = m.double + foot.x; }} JointForce \"F\" {{ Joint1D = J; Value = -0.1*m.double + 0*foot.vz; }}"
    );
    let table = table(1.0, 0.1, &text);
    for row in 0..=10 {
        let t = 0.1 * f64::from(row);
        let q = table.at(t, "J.q");
        let near = |column: &str, expected: f64| near(&table, t, column, expected, 1e-12);
        near("m.double", 2.0 * q);
        near("load", table.at(t, "reaction") + 2.0 * table.at(t, "sway"));
        // The foot is at (0.3, 0.1, -1), turned about y by q.
        let x = 0.3 * q.cos() - q.sin();
        near("foot.place", x);
        near("foot.speed", (-0.3 * q.sin() - q.cos()) * table.at(t, "rate"));
        near("foot.turn", table.at(t, "rate"));
        near("hand.place", 3.0);
        near("f.y", 2.0 * q + x);
    }
}
