//! Systems of equations against references: closed forms, Newton's method, and a method of Runge and Kutta with small steps.

use super::{FINE, near, table};
use dysim_tests::circuits::{Setting, solve};

/// The classical method with a constant step.
fn runge_kutta<const N: usize>(
    f: impl Fn(f64, [f64; N]) -> [f64; N],
    mut y: [f64; N],
    end: f64,
    steps: usize,
) -> [f64; N] {
    let h = end / steps as f64;
    let along = |y: [f64; N], k: [f64; N], h: f64| std::array::from_fn(|i| y[i] + h * k[i]);
    for step in 0..steps {
        let t = step as f64 * h;
        let k1 = f(t, y);
        let k2 = f(t + h / 2.0, along(y, k1, h / 2.0));
        let k3 = f(t + h / 2.0, along(y, k2, h / 2.0));
        let k4 = f(t + h, along(y, k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

#[test]
fn van_der_pol_in_three_forms() {
    let text = "Variable \"x\" { Start = 2; } Variable \"u\" { Start = 0.5; } \
                Equations \"e\" { der(x) = u; der(u) = (1 - x^2)*u - x; } \
                Variable \"a.x\" { Start = 2; } Variable \"a.u\" { Start = 0.5; } \
                Equations \"a.e\" { der(der(a.x)) - (1 - a.x^2)*der(a.x) + a.x = 0; a.u = der(a.x); } \
                Variable \"b.x\" { Start = 2; Fixed = yes; } Variable \"b.u\" { Start = 0.5; Fixed = yes; } \
                Equations \"b.e\" { der(b.x^3/3 - b.x + b.u) = -b.x; b.u = der(b.x); }";
    let table = table(6.0, 1.0, text);
    let [x, u] = runge_kutta(|_, [x, u]| [u, (1.0 - x * x) * u - x], [2.0, 0.5], 6.0, 60_000);
    for name in ["", "a.", "b."] {
        near(&table, 6.0, &format!("{name}x"), x, 1e-6);
        near(&table, 6.0, &format!("{name}u"), u, 1e-6);
    }
}

#[test]
fn lorenz_starts_as_it_should() {
    let text = "Variable \"x\" { Start = 1; } Variable \"y\" { Start = 1; } Variable \"z\" { Start = 1; } \
                Equations \"e\" { der(x) = 10*(y - x); der(y) = x*(28 - z) - y; der(z) = x*y - 8/3*z; }";
    let table = table(3.0, 1.0, text);
    let f = |_, [x, y, z]: [f64; 3]| [10.0 * (y - x), x * (28.0 - z) - y, x * y - 8.0 / 3.0 * z];
    let reference = runge_kutta(f, [1.0; 3], 3.0, 300_000);
    // Errors grow by exp(0.9 t) and more on the way to the attractor.
    for (name, expected) in ["x", "y", "z"].into_iter().zip(reference) {
        near(&table, 3.0, name, expected, 1e-5);
    }
}

#[test]
fn robertson_is_stiff_and_conserves_mass() {
    let text = "Variable \"a\" { Start = 1; } Variable \"b\" { } Variable \"c\" { } \
                Equations \"e\" { der(a) = -0.04*a + 1e4*b*c; a + b + c = 1; der(c) = 3e7*b^2; }";
    let setting = Setting { solver: "stiff", end: 40.0, step: 10.0, tolerance: FINE };
    let table = solve(setting, text).table("csv");
    let f = |_, [a, b, _]: [f64; 3]| {
        let c = 1.0 - a - b;
        let (slow, back, fast) = (0.04 * a, 1e4 * b * c, 3e7 * b * b);
        [back - slow, slow - back - fast, fast]
    };
    let [a, b, c] = runge_kutta(f, [1.0, 0.0, 0.0], 40.0, 400_000);
    near(&table, 40.0, "a", a, 1e-7);
    assert!((table.last("b") - b).abs() < 1e-7 * b, "{} {b}", table.last("b"));
    near(&table, 40.0, "c", c, 1e-7);
}

#[test]
fn keplers_equation_is_solved_at_every_instant() {
    let text = "Variable \"E\" { } Equations \"e\" { E - 0.6*sin(E) = t; }";
    let table = table(6.0, 0.5, text);
    for step in 0..=12 {
        let t = 0.5 * f64::from(step);
        let mut anomaly = t;
        for _ in 0..60 {
            anomaly -= (anomaly - 0.6 * f64::sin(anomaly) - t) / (1.0 - 0.6 * f64::cos(anomaly));
        }
        near(&table, t, "E", anomaly, 1e-10);
    }
}

/// Three unknowns that no line gives alone: a circle cut by a moving line.
#[test]
fn a_nonlinear_loop_starts_at_its_guess() {
    for (guess, sign) in [(3.0, 1.0), (-3.0, -1.0)] {
        let text = format!(
            "Variable \"x\" {{ Start = {guess}; }} Variable \"y\" {{ Start = {guess}; }} \
             Equations \"e\" {{ x^2 + y^2 = 4; y - x = 0.3*sin(t); }}"
        );
        let table = table(3.0, 0.5, &text);
        for step in 0..=6 {
            let t = 0.5 * f64::from(step);
            let d: f64 = 0.3 * t.sin();
            // 2 x^2 + 2 d x + d^2 = 4
            let x = -d / 2.0 + sign * (2.0 - d * d / 4.0).sqrt();
            near(&table, t, "x", x, 1e-9);
        }
    }
}

/// Index three: the tension keeps the point on its circle, and states change when x or y loses its slope.
#[test]
fn a_pendulum_in_cartesian_coordinates_swings_like_a_revolute_joint() {
    let frame = "Orientation = 0, 0, 0; AngleType = euler; Degrees = rad;";
    let text = format!(
        "Variable \"x\" {{ Start = 1; }} Variable \"z\" {{ Start = 0; }} Variable \"F\" {{ }} \
         Equations \"law\" {{ der(der(x)) = -F*x; der(der(z)) = -F*z - 9.8065; x^2 + z^2 = 1; }} \
         Body \"b\" {{ Joint = J; Mass = 1; Inertia = 1e-12, 0, 0, 1e-12, 0, 1e-12; CGFramePosition = 1, 0, 0; \
         CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }} \
         Triad \"w0\" {{ Parent = world; Position = 0, 0, 0; {frame} }} Triad \"b0\" {{ Parent = b; Position = 0, 0, 0; {frame} }} \
         Triad \"tip\" {{ Parent = b; Position = 1, 0, 0; {frame} }} \
         Revolute \"J\" {{ Parent = b; TriadFrom = w0; TriadTo = b0; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 0; \
         QDinit = 0; Degrees = rad; }} \
         Signal \"tip_x\" {{ Value = tip.x; }} Signal \"tip_z\" {{ Value = tip.z; }}"
    );
    let table = table(4.0, 0.1, &text);
    super::agree(&table, "tip_x", "x", 1e-6);
    super::agree(&table, "tip_z", "z", 1e-6);
    // The energy gives the tension: F = v^2 - g z = -3 g z.
    for row in 0..=40 {
        let t = 0.1 * f64::from(row);
        let (tension, z) = (table.at(t, "F"), table.at(t, "z"));
        assert!((tension + 3.0 * 9.8065 * z).abs() < 1e-5, "F at {t}: {tension}, z {z}");
    }
}

/// A double pendulum of eight unknowns and two constraints keeps its energy.
#[test]
fn a_double_pendulum_in_cartesian_coordinates_keeps_its_energy() {
    let text = "Variable \"x\" { Start = 1; } Variable \"y\" { } Variable \"u\" { Start = 2; } Variable \"w\" { } \
                Variable \"F\" { } Variable \"G\" { } \
                Equations \"e\" { der(der(x)) = -F*x + G*(u - x); der(der(y)) = -F*y + G*(w - y) - 9.81; \
                der(der(u)) = -G*(u - x); der(der(w)) = -G*(w - y) - 9.81; \
                x^2 + y^2 = 1; (u - x)^2 + (w - y)^2 = 1; } \
                Variable \"energy\" { } \
                Equations \"f\" { energy = (der(x)^2 + der(y)^2 + der(u)^2 + der(w)^2)/2 + 9.81*(y + w); }";
    let table = table(3.0, 0.05, text);
    for (row, energy) in table.column("energy").into_iter().enumerate() {
        assert!(energy.abs() < 1e-5, "row {row}: {energy}");
    }
    assert!(table.column("w").iter().any(|w| *w < -1.5));
}

/// The start of what is differentiated twice: zero, unless a variable for its rate says otherwise; of two wishes for one
/// thing the fixed one counts.
#[test]
fn starts_are_wishes_and_fixed_starts_are_conditions() {
    let text = "Variable \"a\" { Start = 2; } Equations \"e\" { der(der(a)) = 0; } \
                Variable \"b\" { Start = 2; } Variable \"c\" { Start = 3; } Equations \"f\" { der(der(b)) = 0; c = der(b); } \
                Variable \"d\" { Start = 2; } Variable \"g\" { Start = 5; Fixed = yes; } Equations \"h\" { der(d) = 0; d = g; } \
                Variable \"k\" { Start = 7; } Variable \"l\" { } Equations \"m\" { der(k) = 0; l = -k; }";
    let table = table(1.0, 0.5, text);
    for (name, expected) in
        [("a", 2.0), ("b", 5.0), ("c", 3.0), ("d", 5.0), ("k", 7.0), ("l", -7.0)]
    {
        near(&table, 1.0, name, expected, 1e-12);
    }
}

/// Variables that are derivatives of themselves or of each other but for a sign, whichever of them the text names first:
/// once the first derivative of PT1 stood for its output, the derivative of that for it, and so on for ever.
#[test]
fn variables_may_equal_their_derivatives() {
    let lines = [
        "der(x) = -x;",
        "y = der(x); der(y) = x;",
        "der(x) = y; der(y) = -x;",
        "y = x; z = der(y); z = -x; w = der(z);",
    ];
    let solutions: [fn(f64) -> f64; 4] =
        [|t| (-t).exp(), |t| (-t).exp(), |t| t.cos() - t.sin(), |t| (-t).exp()];
    for (lines, solution) in lines.iter().zip(solutions) {
        for order in 0..4 {
            let names = ["x", "y", "z", "w"].into_iter().filter(|name| lines.contains(name));
            let mut names: Vec<&str> = names.collect();
            names.sort_unstable();
            let n = names.len();
            names.rotate_left(order % n);
            let start = |name: &str| match name {
                "x" => "Start = 1;",
                "y" if !lines.starts_with("y = x") => "Start = -1;",
                _ => "",
            };
            let declared: String = names
                .iter()
                .map(|name| format!("Variable \"{name}\" {{ {} }} ", start(name)))
                .collect();
            let lines = format!("Equations \"e\" {{ {lines} }}");
            for text in [format!("{declared} {lines}"), format!("{lines} {declared}")] {
                let found = table(1.0, 0.1, &text);
                for row in 0..=10 {
                    let t = 0.1 * f64::from(row);
                    near(&found, t, "x", solution(t), 1e-7);
                }
            }
        }
    }
    let lag = "SampleHold \"a\" { u = 7 + t; Trigger = lag.y < 5; yinit = 3; } PT1 \"lag\" { u = 0; T = 1; yinit = 20; }
               Hysteresis \"h\" { u = lag.y; ulow = 1; uhigh = 2; } Latch \"l\" { Set = lag.y > 10; Reset = lag.y < 5; }";
    near(&table(1.0, 0.1, lag), 1.0, "lag.y", 20.0 * (-1f64).exp(), 1e-7);
}
