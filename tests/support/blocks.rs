//! Short ways to write the blocks of a `.dys` text.

use std::fmt::Write;

/// The Solver block of a run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Name of the method.
    pub solver: &'static str,
    /// RelErr.
    pub relative: f64,
    /// AbsErr.
    pub absolute: f64,
    /// Tend.
    pub end: f64,
    /// Tstep.
    pub step: f64,
}

impl Run {
    /// A run with the tolerances RelErr = AbsErr = `tolerance`.
    pub fn new(solver: &'static str, tolerance: f64, end: f64, step: f64) -> Self {
        Self { solver, relative: tolerance, absolute: tolerance, end, step }
    }
}

/// A text under construction.
#[derive(Clone, Debug, Default)]
pub struct Text(String);

impl Text {
    /// Header, System and Solver.
    pub fn new(gravity: [f64; 3], run: Run) -> Self {
        let [x, y, z] = gravity;
        let Run { solver, relative, absolute, end, step } = run;
        Self(format!(
            "Header \"h\" {{ ModelName = case; OutputType = all; }}\n\
             System \"s\" {{ GravAccel = {x:?}, {y:?}, {z:?}; ScaleGrav = 1; }}\n\
             Solver \"sv\" {{ Type = dynamic; Solver = {solver}; RelErr = {relative:e}; AbsErr = {absolute:e};\n\
             Tstart = 0; Tend = {end:?}; Tstep = {step:?}; TstepMax = {step:?}; TstepMin = 0; TstepIni = {:?}; }}\n",
            0.1 * step,
        ))
    }

    /// Adds anything.
    pub fn with(mut self, text: &str) -> Self {
        self.0.push_str(text);
        self.0.push('\n');
        self
    }

    /// Adds a triad without rotation.
    pub fn triad(self, name: &str, parent: &str, [x, y, z]: [f64; 3]) -> Self {
        self.with(&format!(
            "Triad \"{name}\" {{ Parent = {parent}; Position = {x:?}, {y:?}, {z:?}; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}"
        ))
    }

    /// Adds a body with its inertia about its centre and the place of that.
    pub fn body(
        self,
        [name, parent, joint]: [&str; 3],
        mass: f64,
        [xx, yy, zz]: [f64; 3],
        [x, y, z]: [f64; 3],
    ) -> Self {
        self.with(&format!(
            "Body \"{name}\" {{ Parent = {parent}; Joint = {joint}; Mass = {mass:?}; Inertia = {xx:?}, 0, 0, {yy:?}, 0, {zz:?};\n\
             CGFramePosition = {x:?}, {y:?}, {z:?}; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}"
        ))
    }

    /// Adds a joint, its T0 at a place of the mother body, its T1 at the origin of the body.
    pub fn joint(
        self,
        keyword: &str,
        [name, mother, body]: [&str; 3],
        place: [f64; 3],
        parameters: &str,
    ) -> Self {
        self.triad(&format!("{name}_0"), mother, place)
            .triad(&format!("{name}_1"), body, [0.0; 3])
            .with(&format!(
            "{keyword} \"{name}\" {{ Parent = {body}; TriadFrom = {name}_0; TriadTo = {name}_1; {parameters} }}"
        ))
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }
}

/// Numbers with commas between them.
pub fn list(numbers: &[f64]) -> String {
    let mut text = String::new();
    for (at, number) in numbers.iter().enumerate() {
        let comma = if at == 0 { "" } else { ", " };
        // Writing to a string cannot fail.
        let _ = write!(text, "{comma}{number:?}");
    }
    text
}
