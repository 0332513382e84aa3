//! Texts of mechanisms with closed loops.

use crate::simulate::Outcome;

/// How a mechanism is run.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Integrator.
    pub solver: &'static str,
    /// RelErr; AbsErr is a thousandth.
    pub tolerance: f64,
    /// End, s.
    pub end: f64,
    /// Output interval, s.
    pub step: f64,
    /// Gravity, m/s^2.
    pub gravity: [f64; 3],
    /// Signals for the table.
    pub signals: String,
    /// Formalism.
    pub formalism: &'static str,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            solver: "de",
            tolerance: 1e-6,
            end: 1.0,
            step: 0.01,
            gravity: [0.0, -9.81, 0.0],
            signals: String::new(),
            formalism: "auto",
        }
    }
}

impl Settings {
    /// Header, system, solver and output.
    pub fn frame(&self) -> String {
        let [x, y, z] = self.gravity;
        let Self { solver, tolerance, end, step, signals, formalism, .. } = self;
        let files =
            if signals.is_empty() { "ani".into() } else { format!("csv; Signals = {signals}") };
        format!(
            "Header \"h\" {{ ModelName = mechanism; OutputType = all; }}
System \"s\" {{ GravAccel = {x}, {y}, {z}; ScaleGrav = 1; Formalism = {formalism}; }}
Solver \"sv\" {{ Type = dynamic; Solver = {solver}; AbsErr = {}; RelErr = {tolerance}; Tstart = 0; Tend = {end}; Tstep = {step}; TstepMax = {step}; TstepMin = 0; TstepIni = {}; }}
Output \"o\" {{ Files = {files}; }}
",
            tolerance * 1e-3,
            0.1 * step
        )
    }
}

/// A uniform rod along x from its frame, not quite thin.
pub fn rod(name: &str, parent: &str, joint: &str, mass: f64, length: f64) -> String {
    let (half, theta) = (0.5 * length, mass * length * length / 12.0);
    format!(
        "Body \"{name}\" {{ Parent = {parent}; Joint = {joint}; Mass = {mass}; Inertia = {}, 0, 0, {theta}, 0, {theta}; CGFramePosition = {half}, 0, 0; CGFrameOrientation = 0, 0, 0; }}
Triad \"{name}_start\" {{ Parent = {name}; Position = 0, 0, 0; Orientation = 0, 0, 0; }}
Triad \"{name}_end\" {{ Parent = {name}; Position = {length}, 0, 0; Orientation = 0, 0, 0; }}
",
        0.01 * theta
    )
}

/// A triad without rotation.
pub fn triad(name: &str, parent: &str, [x, y, z]: [f64; 3]) -> String {
    format!(
        "Triad \"{name}\" {{ Parent = {parent}; Position = {x}, {y}, {z}; Orientation = 0, 0, 0; }}\n"
    )
}

/// A joint about z, or of any kind with its own parameters.
pub fn joint(kind: &str, name: &str, from: &str, to: &str, more: &str) -> String {
    format!("{kind} \"{name}\" {{ TriadFrom = {from}; TriadTo = {to}; {more} }}\n")
}

/// The links of the four-bar of the reference: base 1, crank 0.4, coupler 0.9, rocker 0.8 m; 1, 2, 1.5 kg.
pub const FOUR_BAR: [f64; 3] = [0.4, 0.9, 0.8];
/// Its angles (absolute) and rates: crank, coupler, rocker.
pub const FOUR_BAR_ANGLES: [f64; 3] = [0.7, 0.6461959500, 1.5401927398];
/// Rates.
pub const FOUR_BAR_RATES: [f64; 3] = [1.3, -0.5519791772, 0.0448391561];

/// The four-bar with the joint between coupler and rocker as the cut.
pub fn four_bar(settings: &Settings, cut: &str, more: &str) -> String {
    let ([a, b, c], [da, db, dc]) = (FOUR_BAR_ANGLES, FOUR_BAR_RATES);
    let [l1, l2, l3] = FOUR_BAR;
    let q = |q: f64, qd: f64| format!("Qinit = {q}; QDinit = {qd};");
    settings.frame()
        + &triad("A0", "world", [0.0, 0.0, 0.0])
        + &triad("B0", "world", [1.0, 0.0, 0.0])
        + &rod("crank", "world", "J1", 1.0, l1)
        + &rod("coupler", "crank", "J2", 2.0, l2)
        + &rod("rocker", "world", "J3", 1.5, l3)
        + &joint("Revolute", "J1", "A0", "crank_start", &q(a, da))
        + &joint("Revolute", "J2", "crank_end", "coupler_start", &q(b - a, db - da))
        + &joint("Revolute", "J3", "B0", "rocker_start", &q(c, dc))
        + &joint(cut, "L", "rocker_end", "coupler_end", "Role = loop;")
        + more
}

/// A thin uniform rod along a vector from its frame, whose axes agree with the axes of its mother at q = 0.
pub fn link(name: &str, parent: &str, joint: &str, mass: f64, v: [f64; 3]) -> String {
    let square: f64 = v.iter().map(|x| x * x).sum();
    let theta = |a: usize, b: usize| {
        let unit = if a == b { square } else { 0.0 };
        mass / 12.0 * (unit - v[a] * v[b])
    };
    let [x, y, z] = v;
    format!(
        "Body \"{name}\" {{ Parent = {parent}; Joint = {joint}; Mass = {mass}; Inertia = {}, {}, {}, {}, {}, {}; CGFramePosition = {}, {}, {}; CGFrameOrientation = 0, 0, 0; }}\n",
        theta(0, 0),
        theta(0, 1),
        theta(0, 2),
        theta(1, 1),
        theta(1, 2),
        theta(2, 2),
        0.5 * x,
        0.5 * y,
        0.5 * z
    ) + &triad(&format!("{name}_start"), name, [0.0; 3])
        + &triad(&format!("{name}_end"), name, v)
}

/// Bricard's mechanism: six rods along edges of a cube, the last fixed, six revolutes whose axes are
/// perpendicular to both neighbours. Five rows of which one depends on the others while it is closed.
pub fn bricard(settings: &Settings) -> String {
    let edges =
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]];
    let axes = ["0, 1, 0", "0, 0, 1", "1, 0, 0"];
    let mut text = settings.frame()
        + &triad("ground", "world", [0.0, 0.0, 0.0])
        + &triad("ground_end", "world", [0.0, 0.0, 1.0]);
    let (mut mother, mut from) = ("world".to_string(), "ground".to_string());
    for (k, edge) in edges.into_iter().enumerate() {
        let name = format!("rod{}", k + 1);
        let own = format!("J{}", k + 1);
        text += &link(&name, &mother, &own, 1.0, edge);
        let axis = format!("JointAxis = {};", axes[k % 3]);
        text += &joint("Revolute", &own, &from, &format!("{name}_start"), &axis);
        (mother, from) = (name.clone(), format!("{name}_end"));
    }
    text + &joint("Revolute", "J6", &from, "ground_end", "JointAxis = 1, 0, 0; Role = loop;")
}

/// N windows of uprights and couplers of 1 m and 1 kg on the ground, upright at the start, the tops moving
/// with 1 m/s. All bars are in line twice per turn.
pub fn n_four_bar(settings: &Settings, n: usize) -> String {
    let mut text = settings.frame();
    for k in 0..=n {
        text += &triad(&format!("A{k}"), "world", [k as f64, 0.0, 0.0]);
        text += &link(&format!("U{k}"), "world", &format!("JU{k}"), 1.0, [0.0, 1.0, 0.0]);
        let own = (format!("JU{k}"), format!("A{k}"), format!("U{k}_start"));
        text += &joint("Revolute", &own.0, &own.1, &own.2, "QDinit = -1;");
    }
    for k in 1..=n {
        let mother = format!("U{}", k - 1);
        text += &link(&format!("C{k}"), &mother, &format!("JC{k}"), 1.0, [1.0, 0.0, 0.0]);
        let (from, to) = (format!("{mother}_end"), format!("C{k}_start"));
        text += &joint("Revolute", &format!("JC{k}"), &from, &to, "QDinit = 1;");
        let (from, to) = (format!("U{k}_end"), format!("C{k}_end"));
        text += &joint("Revolute", &format!("L{k}"), &from, &to, "Role = loop;");
    }
    text
}

/// The largest residuals of the constraints that the log tells: positions and speeds.
pub fn residuals(outcome: &Outcome) -> (f64, f64) {
    let log = outcome.text("log");
    let line = log.lines().find(|line| line.starts_with("largest residuals")).unwrap_or_default();
    let numbers: Vec<f64> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers.len(), 2, "{log}");
    (numbers[0], numbers[1])
}
