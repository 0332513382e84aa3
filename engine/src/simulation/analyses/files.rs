//! The files of a linear analysis: matrices, eigenvalues, mode shapes, and one animation per oscillation.

use std::f64::consts::TAU;
use std::io;
use std::path::{Path, PathBuf};

use nalgebra::{Complex, DMatrix};

use super::linear::describe;
use super::{Job, RunError, Stop};
use crate::analysis::{Freedom, LinearModel, Mode, ModeKind, Modes, Zeros, inputs, zeros};
use crate::output::{self, MatrixFile, ModeAnimation, StateSpace, WriteError};
use language::blocks::general::ResultFile;

/// Time that a period takes in the animation of a mode, s, and how many are shown.
const PERIOD: f64 = 2.0;
const PERIODS: u32 = 3;
/// Frames of a period.
const FRAMES: u32 = 40;
/// Modes that are animated.
const MOST_ANIMATIONS: usize = 100;
/// Times that an amplitude is halved at which a mechanism does not close.
const HALVINGS: usize = 8;

impl Job<'_, '_, '_, '_> {
    /// Writes the files that the model asks for.
    pub(super) fn write_linear(
        &mut self,
        linear: &LinearModel,
        modes: &Modes,
        size: f64,
    ) -> Result<(), Stop> {
        let wanted = output::wanted(&self.system.model);
        if wanted.contains(&ResultFile::Signals) {
            self.write_tables(linear, modes)?;
        }
        if wanted.contains(&ResultFile::Animation) && !self.system.model.bodies.is_empty() {
            let oscillations =
                modes.all.iter().enumerate().filter(|(_, mode)| mode.kind == ModeKind::Oscillation);
            for (index, mode) in oscillations.take(MOST_ANIMATIONS) {
                self.animate(linear, mode, index + 1, size)?;
            }
        }
        Ok(())
    }

    pub(super) fn path(&self, part: &str) -> PathBuf {
        self.options.directory.join(format!("{}_{part}", self.system.model.name))
    }

    /// Keeps a finished file, or fails.
    pub(super) fn keep(&mut self, path: &Path, written: io::Result<PathBuf>) -> Result<(), Stop> {
        let failed = |error| RunError::Write(WriteError { path: path.to_path_buf(), error });
        self.found.files.push(written.map_err(failed)?);
        Ok(())
    }

    fn write_tables(&mut self, linear: &LinearModel, modes: &Modes) -> Result<(), Stop> {
        let (x, u, y) = (&linear.states, &linear.inputs, &linear.outputs);
        let matrices = [
            ("A.csv", "derivative of", &linear.a, x, x),
            ("B.csv", "derivative of", &linear.b, x, u),
            ("C.csv", "output", &linear.c, y, x),
            ("D.csv", "output", &linear.d, y, u),
        ];
        for (part, corner, matrix, rows, columns) in matrices {
            let path = self.path(part);
            self.keep(&path, write_matrix(&path, corner, matrix, rows, columns))?;
        }
        self.write_state_space(linear)?;
        self.write_zeros(linear)?;
        let path = self.path("eigenvalues.csv");
        self.keep(&path, write_eigenvalues(&path, modes))?;
        let names: Vec<String> =
            Freedom::all(self.system).into_iter().map(|freedom| freedom.name).collect();
        let path = self.path("modes.csv");
        self.keep(&path, write_shapes(&path, linear, modes, &names))
    }

    /// The model in one file: `_linear.json` and `_linear.mat`.
    fn write_state_space(&mut self, linear: &LinearModel) -> Result<(), Stop> {
        let model = &self.system.model;
        let outputs = output::columns(model).into_iter();
        let outputs = outputs.map(|signal| model.signal_unit(signal).to_string());
        let units = inputs(self.system).into_iter().map(|(input, _)| input.unit(self.system));
        let named =
            |names: &[String], units: Vec<String>| names.iter().cloned().zip(units).collect();
        let [d1, d2] = &linear.d_rates;
        let mut matrices =
            vec![("A", &linear.a), ("B", &linear.b), ("C", &linear.c), ("D", &linear.d)];
        // Only where outputs follow derivatives of inputs.
        if linear.is_improper() {
            matrices.extend([("D1", d1), ("D2", d2)]);
        }
        let all = StateSpace {
            model: &model.name,
            states: named(&linear.states, linear.units.clone()),
            inputs: named(&linear.inputs, units.collect()),
            outputs: named(&linear.outputs, outputs.collect()),
            matrices,
        };
        let path = self.path("linear.json");
        let written = all.write_json(&path);
        let mat = self.path("linear.mat");
        let other = all.write_mat(&mat);
        self.keep(&path, written)?;
        self.keep(&mat, other)
    }

    /// `_zeros.csv`: the zeros of every pair of output and input.
    fn write_zeros(&mut self, linear: &LinearModel) -> Result<(), Stop> {
        let path = self.path("zeros.csv");
        let written = write_zeros(&path, linear);
        self.keep(&path, written)
    }

    /// `<ModelName>_mode<n>.ani`: the undamped oscillation in the shape of a mode.
    fn animate(
        &mut self,
        linear: &LinearModel,
        mode: &Mode,
        number: usize,
        size: f64,
    ) -> Result<(), Stop> {
        let path = self.path(&format!("mode{number}.ani"));
        let mut amplitude = self.system.model.solver.mode_amplitude;
        let mut frames = self.frames(linear, mode, amplitude);
        for _ in 0..HALVINGS {
            if frames.is_ok() {
                break;
            }
            amplitude *= 0.5;
            frames = self.frames(linear, mode, amplitude);
        }
        let remark = format!(
            "mode {number}: {}; one period takes {PERIOD} s here; largest displacement {amplitude} rad or {} m",
            describe(mode),
            amplitude * size,
        );
        let written = self.write_frames(&path, &remark, &frames?);
        self.keep(&path, written)
    }

    /// Coordinates of one period.
    fn frames(
        &mut self,
        linear: &LinearModel,
        mode: &Mode,
        amplitude: f64,
    ) -> Result<Vec<Vec<f64>>, Stop> {
        let mut frames = Vec::new();
        for frame in 0..FRAMES {
            let phase = TAU * f64::from(frame) / f64::from(FRAMES);
            // The real part of the shape times e^(i phase), beginning at its largest.
            let turn = Complex::from_polar(amplitude, phase);
            let x: Vec<f64> = mode.shape.iter().map(|x| (x * turn).re).collect();
            frames.push(self.mechanism.displace(&linear.q, &linear.chart, &x)?);
        }
        Ok(frames)
    }

    fn write_frames(
        &mut self,
        path: &Path,
        remark: &str,
        frames: &[Vec<f64>],
    ) -> io::Result<PathBuf> {
        let mut file = ModeAnimation::create(path, &self.system.model, remark)?;
        for frame in 0..=PERIODS * FRAMES {
            let t = PERIOD * f64::from(frame) / f64::from(FRAMES);
            self.mechanism.run.probe().pose(&frames[(frame % FRAMES) as usize]);
            file.frame(t, self.mechanism.run)?;
        }
        file.finish()
    }
}

fn write_matrix(
    path: &Path,
    corner: &str,
    matrix: &DMatrix<f64>,
    rows: &[String],
    columns: &[String],
) -> io::Result<PathBuf> {
    let mut file = MatrixFile::create(path, corner, columns)?;
    for (name, row) in rows.iter().zip(matrix.row_iter()) {
        file.row(name, row.iter().copied())?;
    }
    file.finish()
}

fn write_zeros(path: &Path, linear: &LinearModel) -> io::Result<PathBuf> {
    let columns = ["real_1_per_s", "imaginary_1_per_s"].map(String::from);
    let mut file = MatrixFile::create(path, "pair", &columns)?;
    for Zeros { output, input, values } in zeros(linear) {
        let name = format!("{}/{}", linear.outputs[output], linear.inputs[input]);
        values.iter().try_for_each(|zero| file.row(&name, [zero.re, zero.im]))?;
    }
    file.finish()
}

fn write_eigenvalues(path: &Path, modes: &Modes) -> io::Result<PathBuf> {
    let columns = [
        "real_1_per_s",
        "imaginary_1_per_s",
        "frequency_Hz",
        "natural_frequency_Hz",
        "damping_ratio",
        "time_constant_s",
    ];
    let mut file = MatrixFile::create(path, "mode", &columns.map(String::from))?;
    for (index, mode) in modes.all.iter().enumerate() {
        let numbers = [
            mode.value.re,
            mode.value.im,
            mode.frequency(),
            mode.natural_frequency(),
            mode.damping_ratio(),
            mode.time_constant(),
        ];
        file.row(&(index + 1).to_string(), numbers)?;
    }
    file.finish()
}

/// Displacements of all freedoms: two columns for each mode, real and imaginary part.
fn write_shapes(
    path: &Path,
    linear: &LinearModel,
    modes: &Modes,
    names: &[String],
) -> io::Result<PathBuf> {
    let numbers = 1..=modes.all.len();
    let columns: Vec<String> =
        numbers.flat_map(|k| [format!("mode{k}_real"), format!("mode{k}_imaginary")]).collect();
    let mut file = MatrixFile::create(path, "freedom", &columns)?;
    let shapes: Vec<Vec<Complex<f64>>> =
        modes.all.iter().map(|mode| linear.full_shape(mode)).collect();
    for (k, name) in names.iter().enumerate() {
        file.row(name, shapes.iter().flat_map(|shape| [shape[k].re, shape[k].im]))?;
    }
    file.finish()
}
