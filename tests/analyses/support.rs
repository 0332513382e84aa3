//! Models for analyses, and their files.

use dysim_tests::blocks::Text;
use dysim_tests::simulate::{Outcome, run, run_unphysical};

pub const G: f64 = 9.81;

/// Header, System and Solver of an analysis.
pub fn heading(kind: &str, gravity: [f64; 3], more: &str) -> Text {
    let [x, y, z] = gravity;
    Text::default().with(&format!(
        "Header \"h\" {{ ModelName = case; OutputType = all; }}\n\
         System \"s\" {{ GravAccel = {x:?}, {y:?}, {z:?}; ScaleGrav = 1; }}\n\
         Solver \"sv\" {{ Type = {kind}; Solver = derf; RelErr = 1e-9; AbsErr = 1e-9; Tstart = 0; Tend = 1; Tstep = 0.1;\n\
         TstepMax = 0.1; TstepMin = 0; TstepIni = 0.01; {more} }}"
    ))
}

/// Gravity along -z.
pub const DOWN: [f64; 3] = [0.0, 0.0, -G];

/// A revolute about the axis, with further parameters.
pub fn revolute(axis: &str, q: f64, more: &str) -> String {
    format!(
        "JointAxis = {axis}; JointPoint = 0, 0, 0; Qinit = {q:?}; QDinit = 0; Degrees = rad; {more}"
    )
}

/// A prismatic along the axis, with further parameters.
pub fn prismatic(axis: &str, q: f64, more: &str) -> String {
    format!("JointAxis = {axis}; JointPoint = 0, 0, 0; Qinit = {q:?}; QDinit = 0; {more}")
}

/// Runs an analysis that has a result.
pub fn analyse(text: &Text) -> Outcome {
    analyse_text(text.text())
}

/// Runs an analysis that has a result.
pub fn analyse_text(text: &str) -> Outcome {
    run(text).complete()
}

/// The message of an analysis without a result.
pub fn refusal(text: &Text) -> String {
    run(text.text()).failure().message.clone()
}

/// The same of a model with impossible masses.
pub fn refusal_of_unphysical(text: &Text) -> String {
    run_unphysical(text.text()).failure().message.clone()
}

/// A matrix with named rows and columns.
pub struct Matrix {
    pub columns: Vec<String>,
    pub rows: Vec<(String, Vec<f64>)>,
}

impl Matrix {
    /// Reads `<case>_<part>.csv`.
    pub fn read(outcome: &Outcome, part: &str) -> Matrix {
        let path = outcome.directory().join(format!("case_{part}.csv"));
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
        let mut lines = text.lines();
        let header = lines.next().unwrap_or_default();
        let columns = header.split(',').skip(1).map(str::to_string).collect();
        let rows = lines.map(|line| {
            let mut parts = line.split(',');
            let name = parts.next().unwrap_or_default().to_string();
            let number = |text: &str| text.parse().unwrap_or_else(|e| panic!("`{text}`: {e}"));
            (name, parts.map(number).collect())
        });
        Matrix { columns, rows: rows.collect() }
    }

    /// All values of a column.
    pub fn column(&self, name: &str) -> Vec<f64> {
        let at = self.columns.iter().position(|column| column == name);
        let at = at.unwrap_or_else(|| panic!("no column `{name}` among {:?}", self.columns));
        self.rows.iter().map(|(_, row)| row[at]).collect()
    }

    /// The numbers without names.
    pub fn numbers(&self) -> Vec<Vec<f64>> {
        self.rows.iter().map(|(_, row)| row.clone()).collect()
    }
}

/// Eigenvalues (real, imaginary) of an outcome.
pub fn eigenvalues(outcome: &Outcome) -> Vec<(f64, f64)> {
    let table = Matrix::read(outcome, "eigenvalues");
    table.column("real_1_per_s").into_iter().zip(table.column("imaginary_1_per_s")).collect()
}

/// Fails unless two numbers agree within an absolute bound.
#[track_caller]
pub fn near(found: f64, expected: f64, bound: f64) {
    assert!(
        (found - expected).abs() <= bound,
        "found {found}, expected {expected} within {bound:e}"
    );
}
