//! `Type = frequency`: the response of all outputs to oscillating inputs, and the margins of a loop.

use std::sync::atomic::Ordering;

use nalgebra::Complex;

use super::{Job, RunError, Stop, counted};
use crate::analysis::{
    Asked, Crossing, FrequencyResponse, Margins, Trouble, find_margins, linearise,
};
use crate::output::{MatrixFile, WriteError};
use crate::system::{SignalSource, source};
use language::blocks::general::{LinearAt, Solver};
use language::reading::fields::NumberList;

/// Sweeps through the frequencies and writes `_frequency.csv`.
pub(super) fn frequency(job: &mut Job<'_, '_, '_, '_>) -> Result<(), Stop> {
    let size = job.size();
    // Networks alone begin at their operating point.
    let is_alone = job.system.is_network_alone();
    let y = match is_alone && job.system.model.solver.at() == LinearAt::Static {
        true => job.mechanism.settle(&job.start)?,
        false => job.operating_point(size)?,
    };
    let t = job.mechanism.t;
    job.mechanism.run.observe(t, &y)?;
    job.results.row(t, job.mechanism.run).map_err(RunError::Write)?;
    job.note_locks_and_guards(&y)?;
    job.mechanism.run.observe(t, &y)?;
    let asked = Asked::new(job.mechanism.run, job.outputs(), opened(job));
    if asked.inputs.is_empty() {
        return Err(Stop::Trouble(Trouble::NoInputs));
    }
    let sparse = FrequencyResponse::of_networks(job.mechanism.run, t, &asked)?;
    let mut response = match sparse {
        Some(response) => response,
        None => {
            let linear = linearise(&mut job.mechanism, &y, size, &asked.inputs, &asked.outputs)?;
            FrequencyResponse::of_model(&linear, &asked)
        }
    };
    sweep(job, &mut response)
}

/// The signal at which a loop is opened.
fn opened(job: &Job<'_, '_, '_, '_>) -> Option<SignalSource> {
    let model = &job.system.model;
    Some(source(job.system, model.excitations.opened?))
}

fn sweep(job: &mut Job<'_, '_, '_, '_>, response: &mut FrequencyResponse) -> Result<(), Stop> {
    let frequencies = job.system.model.solver.frequencies();
    let path = job.path("frequency.csv");
    let failed = |error| RunError::Write(WriteError { path: path.clone(), error });
    let together = amplitudes(&job.system.model.solver, response.inputs.len())?;
    let names = columns(response, together.is_some());
    let mut file = MatrixFile::create(&path, "f_Hz", &names).map_err(failed)?;
    let mut opened = Vec::new();
    let mut phases = Phases::default();
    for &frequency in &frequencies {
        if job.options.interrupted.load(Ordering::Relaxed) {
            return Err(Stop::Trouble(Trouble::Interrupted));
        }
        let mut found = response.at(frequency)?;
        let l = response.take_loop(&mut found);
        opened.extend(l.map(|l| (frequency, l)));
        if let Some(amplitudes) = &together {
            found.push(sum_of(&found, amplitudes));
        }
        let all = found.iter().flatten().copied().chain(l);
        let numbers = phases.row(all);
        file.row(&format!("{frequency:.16e}"), numbers).map_err(failed)?;
    }
    let written = file.finish();
    job.keep(&path, written)?;
    let outputs = counted(response.outputs.len(), "output");
    let inputs = counted(response.inputs.len(), "input");
    let words = response.words();
    job.tell(format!(
        "frequency response of {outputs} to {inputs} at {} frequencies from {:e} to {:e} Hz",
        frequencies.len(),
        frequencies.first().copied().unwrap_or(0.0),
        frequencies.last().copied().unwrap_or(0.0),
    ));
    job.reporter.line(&format!(
        "solved as {words}; all switching elements are frozen in their present modes"
    ));
    if let Some(name) = response.opening.clone() {
        let margins = find_margins(&opened, &mut |f| response.loop_at(f))?;
        tell_margins(job, &name, &margins);
    }
    Ok(())
}

/// The margins of a loop, which its users look for by this word.
fn tell_margins(job: &mut Job<'_, '_, '_, '_>, name: &str, margins: &Margins) {
    let at = |c: &Crossing| format!("{:.6e} Hz ({:.6e} rad/s)", c.frequency, c.angular());
    let gain =
        |c: &Crossing| format!("{:.4} dB (factor {:.6}) at {}", c.decibels(), c.margin, at(c));
    let phase = |c: &Crossing| format!("{:.4} degrees at {}", c.margin.to_degrees(), at(c));
    let words = margins.least_gain().map_or_else(
        || "none, the phase does not reach -180 degrees between From and To".into(),
        gain,
    );
    job.tell(format!("gain margin of the loop at {name}: {words}"));
    let words = margins
        .least_phase()
        .map_or_else(|| "none, the loop gain does not reach 1 between From and To".into(), phase);
    job.tell(format!("phase margin of the loop at {name}: {words}"));
    let all = margins.gain.iter().map(|c| format!("gain margin: {}", gain(c)));
    let all: Vec<String> = match margins.gain.len() + margins.phase.len() {
        0..=2 => Vec::new(),
        _ => {
            let phases = margins.phase.iter().map(|c| format!("phase margin: {}", phase(c)));
            all.chain(phases).collect()
        }
    };
    if !all.is_empty() {
        job.reporter.line("the loop crosses several times:");
    }
    all.iter().for_each(|line| job.reporter.line(&format!("  {line}")));
}
/// Four columns for each response: real and imaginary part, size in dB, phase in degrees.
fn columns(response: &FrequencyResponse, has_sum: bool) -> Vec<String> {
    let all = String::from("all");
    let inputs = response.inputs.iter().chain(has_sum.then_some(&all));
    let pairs = inputs
        .flat_map(|input| response.outputs.iter().map(move |output| format!("{output}/{input}")));
    let opened = response.opening.iter().map(|name| format!("loop {name}"));
    pairs
        .chain(opened)
        .flat_map(|pair| ["re", "im", "dB", "deg"].map(|part| format!("{pair} {part}")))
        .collect()
}

/// Amplitudes of all inputs together, as complex numbers; nothing if the text gives none.
fn amplitudes(solver: &Solver, n_inputs: usize) -> Result<Option<Vec<Complex<f64>>>, Trouble> {
    let (sizes, phases) = (solver.amplitude.as_ref(), solver.phase.as_ref());
    if sizes.is_none() && phases.is_none() {
        return Ok(None);
    }
    let mut lists = [sizes, phases].into_iter().flatten();
    if let Some(list) = lists.find(|list| list.0.len() != n_inputs) {
        return Err(Trouble::Amplitudes(list.0.len(), n_inputs));
    }
    let number =
        |list: Option<&NumberList>, k: usize, other: f64| list.map_or(other, |list| list.0[k]);
    let amplitude =
        |k: usize| Complex::from_polar(number(sizes, k, 1.0), number(phases, k, 0.0).to_radians());
    Ok(Some((0..n_inputs).map(amplitude).collect()))
}

/// The response of all outputs to all inputs together.
fn sum_of(found: &[Vec<Complex<f64>>], amplitudes: &[Complex<f64>]) -> Vec<Complex<f64>> {
    let n = found.first().map_or(0, Vec::len);
    let sum = |output: usize| found.iter().zip(amplitudes).map(|(all, a)| all[output] * a).sum();
    (0..n).map(sum).collect()
}

/// The phases of the last row: they go on without jumps.
#[derive(Default)]
struct Phases(Vec<f64>);

impl Phases {
    fn row(&mut self, all: impl Iterator<Item = Complex<f64>>) -> Vec<f64> {
        let mut numbers = Vec::with_capacity(4 * self.0.len());
        for (k, x) in all.enumerate() {
            let own = x.arg().to_degrees();
            let phase = match self.0.get(k) {
                Some(last) => own + 360.0 * ((last - own) / 360.0).round(),
                None => own,
            };
            match self.0.get_mut(k) {
                Some(last) => *last = phase,
                None => self.0.push(phase),
            }
            numbers.extend([x.re, x.im, 20.0 * x.norm().log10(), phase]);
        }
        numbers
    }
}
