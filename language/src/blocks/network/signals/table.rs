//! A function given by points, linear, as a natural cubic spline or held between them.
//!
//! The coefficients of the present piece are registers; the output passes to the next piece at an event. Where
//! the input is time itself these events are known beforehand.

use std::sync::Arc;

use super::curve::{Curve, Piece};
use super::{OUTPUT, SignalBlock};
use crate::blocks::network::element_schema;
use crate::codes;
use crate::element::BlockSchema;
use crate::reading::fields::{DataFile, Groups};
use crate::reading::{Group, parameters, words};
use crate::writing::{Operand, Writer};
use equations::discrete::EventLaw;
use equations::expr::Ex;
use equations::expression::switches::affine;
use equations::expression::{Formula, Program};

words! {
    /// What a table does between its points.
    pub enum Method {
        /// Straight lines.
        Linear = "linear",
        /// A natural cubic spline.
        Spline = "spline",
        /// Stays at the last value.
        Hold = "hold",
    }
}

words! {
    /// What a table does beyond its points.
    pub enum Outside {
        /// Stays at the value of the end.
        Hold = "hold",
        /// Goes on with the slope at the end.
        Linear = "linear",
        /// Repeats.
        Periodic = "periodic",
        /// Ends the run.
        Error = "error",
    }
}

parameters! {
    /// A function given by points.
    pub struct Table {
        u: Program = "u", Plus, Unit::None, Word("t"), Any, "input";
        data: Option<Groups<2>> = "Data", Plus, Unit::None, Absent("none, then File is needed"), Any, "the points: x1, y1, x2, y2, ...";
        file: Option<DataFile> = "File", Plus, Unit::None, Absent("none, then Data is needed"), Any, "file with the points, x and y in each line";
        method: Method = "Method", Plus, Unit::None, Word("linear"), Any, "what it does between the points";
        outside: Outside = "Outside", Plus, Unit::None, Word("hold"), Any, "what it does beyond the points";
    }
}

/// The table of the Table block.
pub static TABLE: BlockSchema = element_schema(
    "Table",
    "A function given by points; the same x twice is a jump.",
    &[Table::PARAMETERS],
    &[OUTPUT],
);

/// Registers of the present piece: low, high, at, c0, c1, c2, c3.
fn registers(Piece { low, high, at, c }: Piece) -> [f64; 7] {
    [low, high, at, c[0], c[1], c[2], c[3]]
}

/// An input that grows in proportion to time: u = slope t + offset.
#[derive(Clone, Copy, Debug)]
struct Timed {
    slope: f64,
    offset: f64,
}

#[derive(Debug)]
struct Following {
    curve: Curve,
    timed: Option<Timed>,
    /// May every integration method pass its corners?
    is_scheduled: bool,
}

impl Following {
    /// The input where it leaves the piece, moved across its end where it is that but for rounding.
    fn leaving(&self, now: &[f64], before: &[f64], y: &[f64]) -> Option<f64> {
        let (u, low, high) = (now[0], y[0], y[1]);
        let near = |end: f64| (u - end).abs() <= 16.0 * f64::EPSILON * u.abs().max(end.abs());
        let (rises, falls) = match self.timed {
            Some(Timed { slope, .. }) => (slope > 0.0 && near(high), slope < 0.0 && near(low)),
            // A comparison follows the registers one pass later: only its change counts.
            None => (now[1] > before[1], now[2] > before[2]),
        };
        let outside = self.timed.is_some() && (u < low && !near(low) || u > high && !near(high));
        match (rises, falls) {
            (true, _) => Some(u.max(high)),
            (_, true) => Some(u.min(low.next_down())),
            _ => outside.then_some(u),
        }
    }
}

impl EventLaw for Following {
    fn act(&self, now: &[f64], before: &[f64], _: &[f64], y: &mut [f64]) -> Result<(), String> {
        if let Some(u) = self.leaving(now, before, y) {
            y.copy_from_slice(&registers(self.curve.piece(u)?));
        }
        Ok(())
    }

    fn begin(&self, now: &[f64], y: &mut [f64]) -> Result<(), String> {
        y.copy_from_slice(&registers(self.curve.piece(now[0])?));
        Ok(())
    }

    fn instants(&self, y: &[f64]) -> [Option<f64>; 2] {
        let at = |end: f64| {
            let Timed { slope, offset } = self.timed?;
            Some((end - offset) / slope).filter(|t| t.is_finite())
        };
        [at(y[0]), at(y[1])]
    }

    fn is_scheduled(&self) -> bool {
        self.is_scheduled
    }
}

/// Lets the output of a block follow points over time; outside of the points the output stays at the first or last value.
pub(super) fn follow_time(e: &Writer<'_>, points: &[[f64; 2]], method: Method) {
    let curve = Curve::new(points, method, Outside::Hold);
    let timed = Some(Timed { slope: 1.0, offset: 0.0 });
    let (range, held) = e.registers().remembered(&[0.0; 7]);
    let (t, none) = (e.time(&Formula::time().program()), e.number(0.0));
    e.signal("y", value(t, &held, if method == Method::Hold { 0 } else { 1 }));
    let law = Following { curve, timed, is_scheduled: true };
    e.registers().watch(&[t, none, none], &[], range, Arc::new(law));
}

/// The polynomial of the present piece.
fn value<'a>(u: Ex<'a>, held: &[Ex<'a>], degree: usize) -> Ex<'a> {
    let d = u - held[2];
    (0..degree).rev().fold(held[3 + degree], |sum, power| held[3 + power] + d * sum)
}

impl Table {
    /// The points; nothing, after a message, where they are none.
    fn points(&self, e: &Writer<'_>) -> Option<Vec<[f64; 2]>> {
        let points = match (&self.data, &self.file) {
            (Some(data), None) => data.0.to_vec(),
            (None, Some(file)) => file.0.to_vec(),
            (None, None) => {
                e.missing("Data", "the points, or `File`, the name of a file with them");
                return None;
            }
            (Some(_), Some(_)) => {
                e.mistake(codes::CONFLICT, "has both `Data` and `File`", "keep one of them");
                return None;
            }
        };
        let least = if self.method == Method::Hold { 1 } else { 2 };
        if points.len() < least {
            let words = format!("has {} points and needs {least} or more", points.len());
            e.mistake(codes::TABLE_ORDER, &words, "add points to `Data`");
            return None;
        }
        let falls = |w: &[[f64; 2]]| match self.method {
            Method::Spline => w[1][0] <= w[0][0],
            _ => w[1][0] < w[0][0],
        };
        if let Some(place) = points.windows(2).position(falls) {
            let words = format!(
                "has x = {} behind x = {}",
                crate::element::written(points[place + 1][0]),
                crate::element::written(points[place][0])
            );
            let help = match self.method {
                Method::Spline => "x has to grow from point to point",
                _ => "x must not fall; the same x twice is a jump",
            };
            e.mistake(codes::TABLE_ORDER, &words, help);
            return None;
        }
        Some(points)
    }

    /// The degree of the polynomials.
    fn degree(&self) -> usize {
        match self.method {
            Method::Spline => 3,
            Method::Hold if self.outside != Outside::Linear => 0,
            _ => 1,
        }
    }
}

impl SignalBlock for Table {
    fn equations(&self, e: &Writer<'_>) {
        let Some(points) = self.points(e) else { return };
        let curve = Curve::new(&points, self.method, self.outside);
        let timed = affine(&self.u).filter(|(slope, _)| *slope != 0.0);
        let timed = timed.map(|(slope, offset)| Timed { slope, offset });
        let (range, held) = e.registers().remembered(&[0.0; 7]);
        let (operand, u) = Operand::input(e, &self.u);
        let mut watched = vec![u];
        if timed.is_none() && u.value().is_none() {
            let (low, high) = (
                e.registers().held_formula(range.start),
                e.registers().held_formula(range.start + 1),
            );
            watched.push(operand.switching(e, |u| u.reaches(high)));
            watched.push(operand.switching(e, |u| u.under(low)));
        } else {
            watched.extend([e.number(0.0); 2]);
        }
        e.signal("y", value(u, &held, self.degree()));
        let law = Following { curve, timed, is_scheduled: false };
        e.registers().watch(&watched, &[], range, Arc::new(law));
    }
}
