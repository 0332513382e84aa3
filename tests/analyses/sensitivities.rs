//! Sensitivities against closed forms, and against differences of whole runs that are extrapolated to no difference.

use engine::{Model, Table};

use dysim_tests::random::Random;

const HEAD: &str = "System \"s\" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }\n";

/// A Solver block.
fn solver(method: &str, tolerance: f64, end: f64, step: f64) -> String {
    format!(
        "Solver \"sv\" {{ Type = dynamic; Solver = {method}; RelErr = {tolerance:e}; AbsErr = {tolerance:e}; Tstart = 0; \
         Tend = {end:?}; Tstep = {step:?}; TstepMax = {step:?}; TstepIni = 1e-6; TstepMin = 0; }}\n"
    )
}

/// A Solver block for closed forms of the size of one.
fn fine_solver(method: &str, end: f64, step: f64) -> String {
    solver(method, 1e-8, end, step).replace("AbsErr = 1e-8", "AbsErr = 1e-12")
}

fn model(text: &str) -> Model {
    Model::from_text("case.dys", text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn table(model: &Model, parameters: &[&str], signals: &[&str]) -> Table {
    let varied = model.with_sensitivities(parameters).unwrap_or_else(|error| panic!("{error}"));
    let run = varied.run().unwrap_or_else(|error| panic!("{error}"));
    run.signals(signals).unwrap_or_else(|error| panic!("{error}"))
}

fn column<'t>(table: &'t Table, name: &str) -> &'t [f64] {
    table.column(name).unwrap_or_else(|| panic!("no {name} among {:?}", table.names()))
}

/// The largest gap of a column and a function of time, in parts of the function's largest value.
fn gap(table: &Table, name: &str, exact: impl Fn(f64) -> f64) -> f64 {
    let values = column(table, name);
    let size = table.times().iter().fold(1e-300, |size: f64, &t| size.max(exact(t).abs()));
    let gaps = table.times().iter().zip(values).map(|(&t, value)| (value - exact(t)).abs());
    gaps.fold(0.0, f64::max) / size
}

/// Compares with five-point differences of whole runs by `derf` with the finest tolerance. Their own error has three parts: what
/// the extrapolation leaves, far less than it has changed; the errors of the runs over the difference; and rows so near to an
/// event that it passes between the runs, which the caller's choice of output times avoids.
fn agrees_with_runs(
    [method, body]: [&str; 2],
    [end, step]: [f64; 2],
    parameters: &[(&str, f64)],
    signals: &[&str],
) {
    /// Part of a parameter by which the runs differ, and their tolerance.
    const PART: f64 = 3e-4;
    const FINE: f64 = 1e-12;
    let tolerance = if method == "derf" { 1e-9 } else { 1e-8 };
    let settings = solver(method, tolerance, end, step).replace("AbsErr = 1e-8", "AbsErr = 1e-11");
    let text = HEAD.to_string() + &settings + body;
    let names: Vec<&str> = parameters.iter().map(|(name, _)| *name).collect();
    let found = table(&model(&text), &names, signals);
    let fine = model(&(HEAD.to_string() + &solver("derf", FINE, end, step) + body));
    for &(name, value) in parameters {
        let d = PART * value.abs();
        let at = |k: f64| {
            let other = fine.set(name, value + k * d).unwrap_or_else(|error| panic!("{error}"));
            other
                .run()
                .and_then(|run| run.signals(signals))
                .unwrap_or_else(|error| panic!("{error}"))
        };
        let (a, b, c, e) = (at(-2.0), at(-1.0), at(1.0), at(2.0));
        for signal in signals {
            let own = column(&found, &format!("{signal}/{name}"));
            let of = |table: &Table, row: usize| column(table, signal)[row];
            let slopes: Vec<[f64; 2]> = (0..own.len())
                .map(|row| {
                    let (near, far) = (of(&c, row) - of(&b, row), of(&e, row) - of(&a, row));
                    [(8.0 * near - far) / (12.0 * d), near / (2.0 * d)]
                })
                .collect();
            let size = slopes.iter().map(|[slope, _]| slope.abs()).fold(1e-12, f64::max);
            let largest = column(&c, signal).iter().fold(0.0, |size: f64, x| size.max(x.abs()));
            let of_runs = 100.0 * FINE * (1.0 + largest) / (d * size);
            for (row, [slope, rough]) in slopes.into_iter().enumerate() {
                let error = (own[row] - slope).abs() / size;
                // A few hundred steps with the tolerance, in a system whose disturbances grow tenfold at most.
                let near = 3e3 * tolerance + of_runs + 0.1 * (slope - rough).abs() / size;
                assert!(
                    error < near,
                    "{method} {signal}/{name} at t = {}: {} and {slope}, {error:e} of {size:e}\n{body}",
                    found.times()[row],
                    own[row]
                );
            }
        }
    }
}

#[test]
fn a_capacitor_that_is_charged() {
    let (r, c, v, v0) = (2.0_f64, 0.1_f64, 3.0, 1.0);
    let circuit = "Parameters \"p\" { R0 = 2; }\n\
        VoltageSource \"V1\" { p = a; n = gnd; V = 3; }\n\
        Resistor \"R1\" { p = a; n = b; R = R0; }\n\
        Capacitor \"C1\" { p = b; n = gnd; C = 0.1; Vinit = 1; }\n";
    for method in ["derf", "stiff", "radau5"] {
        let model = model(&(HEAD.to_string() + &fine_solver(method, 1.0, 0.05) + circuit));
        let found = table(&model, &["R0", "C1.C", "V1.V", "C1.Vinit"], &["C1.v", "R1.i"]);
        let fall = |t: f64| (-t / (r * c)).exp();
        let slopes: [(&str, &dyn Fn(f64) -> f64); 6] = [
            ("C1.v", &|t| v + (v0 - v) * fall(t)),
            ("C1.v/R0", &|t| (v0 - v) * fall(t) * t / (r * r * c)),
            ("C1.v/C1.C", &|t| (v0 - v) * fall(t) * t / (r * c * c)),
            ("C1.v/V1.V", &|t| 1.0 - fall(t)),
            ("C1.v/C1.Vinit", &fall),
            // i = (V - v)/R.
            ("R1.i/R0", &|t| -(v - v0) * fall(t) / (r * r) * (1.0 - t / (r * c))),
        ];
        for (name, exact) in slopes {
            let apart = gap(&found, name, exact);
            // Some hundred steps with the tolerance of the run; rounding of the neighbours is below.
            assert!(apart < 1e-6, "{method} {name}: {apart:e}");
        }
    }
}

/// q = a cos(w t), w^2 = g/L for a point mass: the mass has no influence.
#[test]
fn a_pendulum_with_small_swings() {
    let (l, a, g) = (0.7_f64, 1e-4, 9.81);
    let body = "Parameters \"p\" { L = 0.7; m = 1.3; }\n\
        Triad \"w\" { Parent = world; }\nTriad \"b0\" { Parent = b; }\n\
        Revolute \"J\" { TriadFrom = w; TriadTo = b0; JointAxis = 0, 1, 0; Qinit = 1e-4; }\n\
        Body \"b\" { Joint = J; Mass = m; Inertia = 1e-12, 0, 0, 1e-12, 0, 1e-12; CGFramePosition = 0, 0, -L; }\n";
    for method in ["derf", "stiff"] {
        // The swings are small, and so is what counts as nothing beside them.
        let settings = solver(method, 1e-9, 2.0, 0.1).replace("AbsErr = 1e-9", "AbsErr = 1e-15");
        let model = model(&(HEAD.to_string() + &settings + body));
        let found = table(&model, &["L", "m", "J.Qinit"], &["J.q", "J.qd"]);
        let w = (g / l).sqrt();
        // The swing is a sixteenth of a^2 slower, 6e-10.
        let slopes: [(&str, &dyn Fn(f64) -> f64); 3] = [
            ("J.q/L", &|t| a * (w * t).sin() * t * w / (2.0 * l)),
            ("J.q/J.Qinit", &|t| (w * t).cos()),
            ("J.qd/J.Qinit", &|t| -w * (w * t).sin()),
        ];
        for (name, exact) in slopes {
            let apart = gap(&found, name, exact);
            assert!(apart < 1e-6, "{method} {name}: {apart:e}");
        }
        let largest = column(&found, "J.q/m").iter().fold(0.0, |size: f64, s| size.max(s.abs()));
        assert!(largest < 1e-9, "{method}: {largest:e}");
    }
}

/// A ball bounces with restitution k: flights of closed form.
#[test]
fn a_ball_with_restitution() {
    let height = |t: f64, k: f64, h: f64, g: f64| {
        let (mut begin, mut v) = ((2.0 * h / g).sqrt(), (2.0 * g * h).sqrt());
        if t < begin {
            return [h - 0.5 * g * t * t, -g * t];
        }
        loop {
            v *= k;
            let flight = 2.0 * v / g;
            if t < begin + flight {
                let s = t - begin;
                return [v * s - 0.5 * g * s * s, v - g * s];
            }
            begin += flight;
        }
    };
    let text = "Parameters \"p\" { k = 0.8; H = 1; g = 9.81; }\n\
        Triad \"w\" { Parent = world; }\nTriad \"b0\" { Parent = b; }\n\
        Prismatic \"J\" { TriadFrom = w; TriadTo = b0; JointAxis = 0, 0, 1; Qinit = H; }\n\
        Body \"b\" { Joint = J; Mass = 1; }\n\
        Force \"lift\" { TriadTo = b0; Vector = 0, 0, 9.81 - g; }\n\
        When \"hit\" { Condition = J.q < 0 && J.qd < 0; Set { J.qd = -k*J.qd; } }\n";
    for method in ["derf", "stiff"] {
        let model = model(&(HEAD.to_string() + &fine_solver(method, 2.0, 0.1) + text));
        let found = table(&model, &["k", "H", "g"], &["J.q", "J.qd"]);
        let point = [0.8, 1.0, 9.81];
        for (place, name) in ["k", "H", "g"].into_iter().enumerate() {
            for (order, signal) in ["J.q", "J.qd"].into_iter().enumerate() {
                let exact = |t: f64| {
                    let d = 1e-4 * point[place];
                    let at = |by: f64| {
                        let mut p = point;
                        p[place] += by * d;
                        height(t, p[0], p[1], p[2])[order]
                    };
                    (8.0 * (at(1.0) - at(-1.0)) - (at(2.0) - at(-2.0))) / (12.0 * d)
                };
                let apart = gap(&found, &format!("{signal}/{name}"), exact);
                assert!(apart < 1e-6, "{method} {signal}/{name}: {apart:e}");
            }
        }
    }
}

/// A step at T0 behind a lag: y = A (1 - exp(-(t - T0)/T)); the instant itself is the parameter.
#[test]
fn the_instant_of_a_step() {
    let text = "Parameters \"p\" { T0 = 0.31; A = 2; T = 0.3; }\n\
        Step \"s\" { Tbegin = T0; Amplitude = A; }\nPT1 \"P\" { u = s.y; T = T; }\n";
    for method in ["derf", "stiff"] {
        let model = model(&(HEAD.to_string() + &fine_solver(method, 2.0, 0.07) + text));
        let found = table(&model, &["T0", "A", "T"], &["P.y"]);
        let rise =
            |t: f64, f: &dyn Fn(f64) -> f64| if t < 0.31 { 0.0 } else { f((t - 0.31) / 0.3) };
        let slopes: [(&str, &dyn Fn(f64) -> f64); 3] = [
            ("P.y/T0", &|t| rise(t, &|x| -2.0 / 0.3 * (-x).exp())),
            ("P.y/A", &|t| rise(t, &|x| 1.0 - (-x).exp())),
            ("P.y/T", &|t| rise(t, &|x| -2.0 * x / 0.3 * (-x).exp())),
        ];
        for (name, exact) in slopes {
            let apart = gap(&found, name, exact);
            assert!(apart < 1e-6, "{method} {name}: {apart:e}");
        }
    }
}

/// A half-wave rectifier with an ideal diode: v follows the source while the diode conducts, and falls as exp(-t/RC) behind the instant
/// at which the current ends.
#[test]
fn a_diode_that_switches() {
    let text = "Parameters \"p\" { R0 = 50; C0 = 1e-4; w0 = 314; A = 10; }\n\
        VoltageSource \"V1\" { p = a; n = gnd; V = A*sin(w0*t); }\n\
        Resistor \"Rs\" { p = a; n = s; R = 1; }\n\
        Diode \"D\" { p = s; n = b; Vf = 0.6; }\n\
        Resistor \"R1\" { p = b; n = gnd; R = R0; }\n\
        Capacitor \"C1\" { p = b; n = gnd; C = C0; Vinit = 0; }\n";
    for method in ["derf", "stiff"] {
        let parameters = [("R0", 50.0), ("C0", 1e-4), ("w0", 314.0), ("A", 10.0)];
        agrees_with_runs([method, text], [0.05, 0.0037], &parameters, &["C1.v", "D.i"]);
    }
}

#[test]
fn a_block_that_sticks_and_slips() {
    let text = "Parameters \"p\" { v0 = 0.3; k = 20; mu = 0.4; m = 1.2; }\n\
        Triad \"w\" { Parent = world; }\nTriad \"b0\" { Parent = b; }\n\
        Prismatic \"J\" { TriadFrom = w; TriadTo = b0; JointAxis = 1, 0, 0; Friction = mu*9.81*m, 0.6*mu*9.81*m; }\n\
        Body \"b\" { Joint = J; Mass = m; }\n\
        JointForce \"F\" { Joint1D = J; Value = k*(v0*t - J.q); }\n";
    for method in ["derf", "stiff"] {
        let parameters = [("v0", 0.3), ("k", 20.0), ("mu", 0.4), ("m", 1.2)];
        agrees_with_runs([method, text], [4.0, 0.07], &parameters, &["J.q", "J.qd"]);
    }
}

/// What a sampled controller remembers has a derivative.
#[test]
fn a_sampled_controller() {
    let text = "Parameters \"p\" { k = 1.5; Ti = 0.4; w = 2; Ts = 0.11; }\n\
        PI \"c\" { u = w - P.y; k = k; Ti = Ti; Tsample = Ts; }\nPT1 \"P\" { u = c.y; T = 0.3; }\n";
    for method in ["derf", "stiff"] {
        let parameters = [("k", 1.5), ("Ti", 0.4), ("w", 2.0), ("Ts", 0.11)];
        agrees_with_runs([method, text], [2.0, 0.073], &parameters, &["P.y", "c.y"]);
    }
}

/// Two arms with a contact of the tip, and a loop that a rod closes.
#[test]
fn mechanisms_agree_with_runs() {
    let arms = "Parameters \"p\" { L = 0.8; m = 1.2; c = 0.3; x = 0.9; }\n\
        Triad \"w\" { Parent = world; }\nTriad \"a0\" { Parent = a; }\nTriad \"a1\" { Parent = a; Position = 0, 0, -L; }\n\
        Triad \"b0\" { Parent = b; }\nTriad \"b1\" { Parent = b; Position = 0, 0, -0.6; }\n\
        Revolute \"J1\" { TriadFrom = w; TriadTo = a0; JointAxis = 0, 1, 0; Qinit = 0.7; Damping = c; }\n\
        Revolute \"J2\" { TriadFrom = a1; TriadTo = b0; JointAxis = 0, 1, 0; Qinit = 0.4; }\n\
        Body \"a\" { Joint = J1; Mass = m; Inertia = 0.1, 0, 0, 0.1, 0, 0.1; CGFramePosition = 0, 0, -L/2; }\n\
        Body \"b\" { Joint = J2; Mass = 0.8; Inertia = 0.05, 0, 0, 0.05, 0, 0.05; CGFramePosition = 0, 0, -0.3; }\n";
    let floor = "Triad \"f\" { Parent = world; Position = 0, 0, -1.3; }\n\
        ContactSimple \"K\" { TriadFrom = f; TriadTo = b1; ElasticLinearZ = -2000; DampingLinearZ = -20; FrictionXY = -2; }\n";
    let rod = "Triad \"g\" { Parent = world; Position = x, 0, -0.7; }\nRod \"rod\" { TriadFrom = g; TriadTo = b1; Length = 1.1; }\n";
    for (more, end) in [("", 1.0), (floor, 1.0), (rod, 0.6)] {
        for method in ["derf", "stiff"] {
            let text = arms.to_string() + more;
            let mut parameters = vec![("L", 0.8), ("m", 1.2), ("c", 0.3)];
            if more == rod {
                parameters.push(("x", 0.9));
            }
            agrees_with_runs(
                [method, &text],
                [end, 0.0931],
                &parameters,
                &["J1.q", "J2.qd", "J1.fz", "J2.qdd"],
            );
        }
    }
}

/// Random ladders of resistors, capacitors and coils, with a switch.
#[test]
fn random_circuits_agree_with_runs() {
    let mut random = Random::new(99);
    for case in 0..12 {
        let stages = 2 + random.below(3);
        let mut text = String::from("Parameters \"p\" { ");
        let mut parameters: Vec<(String, f64)> = Vec::new();
        let mut blocks = String::from(
            "VoltageSource \"V\" { p = n0; n = gnd; V = 2 + sin(3*t); }\n\
             Switch \"S\" { p = n1; n = gnd; Closed = V.v > 2.6; Ron = 0.5; Roff = 100; }\n",
        );
        for k in 0..stages {
            let mut value = |name: String| {
                let value = random.between(0.3, 2.0);
                text += &format!("{name} = {value:?}; ");
                parameters.push((name, value));
            };
            value(format!("R{k}"));
            value(format!("C{k}"));
            let next = k + 1;
            blocks += &format!("Resistor \"r{k}\" {{ p = n{k}; n = m{k}; R = R{k}; }}\n");
            blocks += &match random.below(2) {
                0 => format!("Inductor \"l{k}\" {{ p = m{k}; n = n{next}; L = 0.3; }}\n"),
                _ => format!("Resistor \"l{k}\" {{ p = m{k}; n = n{next}; R = 0.3; }}\n"),
            };
            blocks +=
                &format!("Capacitor \"c{k}\" {{ p = n{next}; n = gnd; C = C{k}; Vinit = 0; }}\n");
        }
        text += "}\n";
        text += &blocks;
        let parameters: Vec<(&str, f64)> =
            parameters.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let method = ["derf", "stiff"][case % 2];
        agrees_with_runs([method, &text], [2.0, 0.117], &parameters[..3], &["c0.v", "r0.i"]);
    }
}

/// A session with sensitivities goes on bit for bit where it was saved, and tells them at any time.
#[test]
fn sessions_have_sensitivities() {
    let text = HEAD.to_string()
        + &solver("derf", 1e-9, 1.0, 0.1)
        + "Resistor \"R1\" { p = a; n = gnd; R = 2; }\nCapacitor \"C1\" { p = a; n = gnd; C = 0.1; Vinit = 1; }\n";
    let model = model(&text).with_sensitivities(&["R1.R", "C1.C"]).unwrap();
    assert_eq!(model.sensitivity_parameters(), ["R1.R", "C1.C"]);
    let voltage = model.signal("C1.v").unwrap();
    let mut session = model.session().unwrap();
    session.advance_to(0.3).unwrap();
    let saved = session.save();
    session.advance_to(0.7).unwrap();
    let slopes = session.sensitivities(&voltage).unwrap();
    let fall = (-0.7_f64 / 0.2).exp() * 0.7;
    for (slope, exact) in slopes.iter().zip([fall / (4.0 * 0.1), fall / (2.0 * 0.01)]) {
        assert!((slope - exact).abs() < 1e-6 * exact, "{slope} {exact}");
    }
    session.restore(&saved);
    session.advance_to(0.7).unwrap();
    assert_eq!(session.sensitivities(&voltage).unwrap(), slopes);
}

#[test]
fn mistakes_are_named() {
    let circuit = "Parameters \"p\" { R0 = 2; n = 1; }\nResistor \"R1\" { p = a; n = gnd; R = R0; }\n\
        Capacitor \"C1\" { p = a; n = gnd; C = 0.1; Vinit = 1; }\nPT1 \"P\" { u = C1.v; T = 1; }\n";
    let said = |method: &str, more: &str, parameter: &str| {
        let text = HEAD.to_string() + &solver(method, 1e-9, 1.0, 0.1) + circuit + more;
        let run =
            model(&text).with_sensitivities(&[parameter]).and_then(|model| model.run().map(drop));
        run.err().map_or_else(String::new, |error| error.to_string())
    };
    for (method, more, parameter, words) in [
        ("derf", "", "R2", "there is no parameter `R2` to vary"),
        ("derf", "", "R1.L", "there is no parameter `R1.L` to vary"),
        ("derf", "", "P.yinit", "there is no parameter `P.yinit` to vary"),
        ("rk4", "", "R0", "`rk4` integrates no sensitivities"),
        ("derf", "Delay \"D\" { u = C1.v; T = 0.1; }", "R0", "with a `Delay`"),
        (
            "derf",
            "Resistor \"Rz\" { p = a; n = gnd; R = 1; }\nInductor \"L\" { p = a; n = z; L = 1; }\n\
                  TorsionSpring \"ts\" { a = base; b = x; c = 1; d = 0; }\nInertia \"i\" { a = x; J = 1; }\n\
                  Resistor \"Ry\" { p = z; n = gnd; R = 1; }",
            "ts.d",
            "no sensitivity to `ts.d`",
        ),
    ] {
        let error = said(method, more, parameter);
        assert!(error.contains(words), "{parameter}: {error}");
    }
}
