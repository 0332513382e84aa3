//! Circuits as texts: settings in front, and what must hold in every row of their results.

use crate::simulate::{Outcome, Table, run};

/// How a circuit is run.
#[derive(Clone, Copy)]
pub struct Setting {
    /// The method.
    pub solver: &'static str,
    /// End time, s.
    pub end: f64,
    /// Output interval, s.
    pub step: f64,
    /// Relative tolerance; the absolute one is a thousandth.
    pub tolerance: f64,
}

/// The text of a circuit with its settings.
pub fn text(setting: Setting, more: &str, elements: &str) -> String {
    let Setting { solver, end, step, tolerance } = setting;
    format!(
        "Header \"h\" {{ ModelName = case; OutputType = all; }}\n\
         System \"s\" {{ GravAccel = 0, 0, -9.8065; ScaleGrav = 1; }}\n\
         Solver \"sv\" {{ Type = dynamic; Solver = {solver}; AbsErr = {:e}; RelErr = {tolerance:e}; \
         Tstart = 0; Tend = {end:e}; Tstep = {step:e}; TstepMax = {end:e}; TstepMin = 0; TstepIni = {:e}; {more} }}\n\
         Output \"o\" {{ Files = csv; }}\n{elements}",
        1e-3 * tolerance,
        1e-3 * step
    )
}

/// Runs a circuit to its end.
pub fn solve(setting: Setting, elements: &str) -> Outcome {
    run(&text(setting, "", elements)).complete()
}

/// Largest sum of the powers of all elements over the largest power, in any row (Tellegen's theorem).
pub fn power_gap(table: &Table) -> f64 {
    let columns: Vec<usize> =
        (0..table.columns.len()).filter(|&k| table.columns[k].ends_with(".power")).collect();
    let mut worst: f64 = 0.0;
    let largest = table
        .rows
        .iter()
        .flat_map(|row| columns.iter().map(|&k| row[k].abs()))
        .fold(f64::MIN_POSITIVE, f64::max);
    for row in &table.rows {
        worst = worst.max(columns.iter().map(|&k| row[k]).sum::<f64>().abs() / largest);
    }
    worst
}
