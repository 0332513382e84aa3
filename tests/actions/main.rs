//! `When` blocks and automata: what they do at events, against closed forms, laws of momentum and an interpreter of their
//! own.

#![allow(clippy::panic, clippy::unwrap_used, reason = "a test ends where something is not so")]

mod analyses;
mod automata;
mod bounces;
mod corners;
mod failures;
mod impulses;
mod networks;
mod random;
mod saved;
mod shipped_models;
mod variables;

use dysim_tests::simulate::{Outcome, Table, run};

/// Methods that find events, of three families.
const METHODS: [&str; 3] = ["derf", "stiff", "radau5"];
/// Gravity, m/s^2.
const G: f64 = 9.81;
/// Tolerance of the integrator.
const TOLERANCE: f64 = 1e-10;
/// Error of a stable motion: some hundred steps, each with an error of 1e-10 of its value.
const ERROR: f64 = 5e-8;

/// A model with its settings; the table has rows before and behind events.
fn text(method: &str, end: f64, step: f64, elements: &str) -> String {
    format!(
        "Header \"h\" {{ ModelName = case; OutputType = all; }}\n\
         System \"s\" {{ GravAccel = 0, 0, -{G:?}; ScaleGrav = 1; }}\n\
         Solver \"sv\" {{ Type = dynamic; Solver = {method}; AbsErr = {TOLERANCE:e}; RelErr = {TOLERANCE:e}; \
         Tstart = 0; Tend = {end:?}; Tstep = {step:?}; TstepMax = {step:?}; TstepMin = 0; TstepIni = {:e}; }}\n\
         Output \"o\" {{ Files = csv; Events = yes; }}\n{elements}",
        0.01 * step
    )
}

/// The same with these columns in the table.
fn with_columns(text: &str, columns: &str) -> String {
    text.replace("Files = csv;", &format!("Files = csv; Signals = {columns};"))
}

/// Runs a model to its end.
fn solve_with(method: &str, end: f64, step: f64, elements: &str) -> Outcome {
    run(&text(method, end, step, elements)).complete()
}

/// Runs a model with the method that most models use.
fn solve(end: f64, step: f64, elements: &str) -> Outcome {
    solve_with("derf", end, step, elements)
}

/// The instants at which a column jumps, with the values on both sides.
fn jumps(table: &Table, column: &str) -> Vec<(f64, f64, f64)> {
    let place = table.index(column);
    let pairs = table.rows.windows(2);
    let same_time = pairs.filter(|pair| pair[0][0] == pair[1][0]);
    same_time
        .map(|pair| (pair[0][0], pair[0][place], pair[1][place]))
        .filter(|(_, before, behind)| before != behind)
        .collect()
}

/// Compares a number with what it should be, over its size.
#[track_caller]
fn near(found: f64, wanted: f64, allowed: f64) {
    let size = wanted.abs().max(1.0);
    assert!(
        (found - wanted).abs() <= allowed * size,
        "{found} instead of {wanted}, off by {:e}",
        found - wanted
    );
}

/// Compares a column with a function of time, in all rows but the rows at events.
#[track_caller]
fn compare(table: &Table, column: &str, allowed: f64, expected: impl Fn(f64) -> f64) {
    let place = table.index(column);
    for (k, row) in table.rows.iter().enumerate() {
        let others = [k.checked_sub(1), Some(k + 1)];
        let is_near_event = others.into_iter().flatten().any(|other| {
            table.rows.get(other).is_some_and(|other| (other[0] - row[0]).abs() < 1e-9)
        });
        if !is_near_event {
            near(row[place], expected(row[0]), allowed);
        }
    }
}

/// Rods of 1 kg per metre in the xz plane on hinges about y, each at the end of the one before: name, length, angle and rate
/// at the start.
fn chain(rods: &[(&str, f64, f64, f64)], options: &str) -> String {
    let mut all = String::new();
    let (mut mother, mut place) = ("world".to_string(), 0.0);
    for (name, length, angle, rate) in rods {
        let inertia = length * length * length / 12.0;
        all += &format!(
            "Triad \"{name}_0\" {{ Parent = {mother}; Position = {place:?}, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }}\n\
             Triad \"{name}_1\" {{ Parent = {name}; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }}\n\
             Revolute \"J{name}\" {{ Parent = {name}; TriadFrom = {name}_0; TriadTo = {name}_1; JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = {angle:?}; QDinit = {rate:?}; Degrees = rad; {options} }}\n\
             Body \"{name}\" {{ Parent = {mother}; Joint = J{name}; Mass = {length:?}; Inertia = 0.001, 0, 0, {inertia:?}, 0, {inertia:?}; \
             CGFramePosition = {:?}, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }}\n",
            0.5 * length
        );
        (mother, place) = ((*name).to_string(), *length);
    }
    all
}
