//! `Type = static`: where the system rests, and what everything then carries.

use std::sync::atomic::Ordering;

use super::{Job, RunError, Stop};
use crate::analysis::{LinearInput, inputs, trim};
use crate::system::{SignalSource, source};
use equations::expression::SignalRef;
use language::element::{Quantity, SignalSchema, SignalShape};

/// A given signal that is missed by less, over its size, is met.
const REACHED: f64 = 1e-6;

/// Finds the equilibrium, writes one row of results and all forces to the log.
pub(super) fn statics(job: &mut Job<'_, '_, '_, '_>) -> Result<(), Stop> {
    let size = job.size();
    let y = match job.system.model.solver.given {
        Some(_) => find_trim(job, size)?,
        None => job.find_rest(size)?,
    };
    let t = job.mechanism.t;
    job.mechanism.run.observe(t, &y)?;
    job.results.row(t, job.mechanism.run).map_err(RunError::Write)?;
    log_signals(job);
    Ok(())
}

/// Finds inputs for given signals, and tells them.
fn find_trim(job: &mut Job<'_, '_, '_, '_>, size: f64) -> Result<Vec<f64>, Stop> {
    let model = &job.system.model;
    let given = model.solver.given.as_ref().map_or(&[][..], |given| &given.0);
    let targets: Vec<(SignalSource, f64)> =
        given.iter().map(|(signal, _, wanted)| (source(job.system, *signal), *wanted)).collect();
    let named = inputs(job.system);
    let unknowns: Vec<LinearInput> = named.iter().map(|(input, _)| *input).collect();
    let interrupted = job.options.interrupted;
    let mut go_on = || !interrupted.load(Ordering::Relaxed);
    let start = job.start.clone();
    let found = trim(&mut job.mechanism, &start, size, &unknowns, &targets, &mut go_on)?;
    job.tell_rest("trimmed", &found.rest);
    for ((input, name), change) in named.iter().zip(&found.changes) {
        let base = match *input {
            LinearInput::Registers(_, base) => base,
            LinearInput::Expression(input) => {
                Some(job.mechanism.run.probe().input_value(input) - change)
            }
        };
        job.tell(match base {
            Some(base) => format!("{name} = {:?} (changed by {change:.6e})", base + change),
            None => format!("{name}: {change:?} added to its expression"),
        });
    }
    for ((signal, _, wanted), reached) in given.iter().zip(&found.reached) {
        let name = model.signal_name(*signal);
        let is_reached = (reached - wanted).abs() <= REACHED * wanted.abs().max(1.0);
        job.tell(match is_reached {
            true => format!("{name} = {reached:?} as given"),
            false => {
                format!("{name} = {reached:?} instead of {wanted:?}, in the sense of least squares")
            }
        });
    }
    Ok(found.rest.y)
}

/// Coordinates, forces and reactions of every joint and force element.
fn log_signals(job: &mut Job<'_, '_, '_, '_>) {
    let model = &job.system.model;
    let blocks = model
        .joints
        .iter()
        .map(|joint| joint.block)
        .chain(model.forces.iter().map(|force| force.block))
        .chain(model.constraints.iter().map(|constraint| constraint.block));
    for block in blocks {
        let entry = &model.blocks[block as usize];
        let mut parts = Vec::new();
        for (index, signal) in entry.schema.all_signals().enumerate() {
            // Nothing moves.
            let is_rate = matches!(
                signal.quantity,
                Quantity::Velocity | Quantity::Acceleration | Quantity::Turning | Quantity::Power
            );
            if is_rate {
                continue;
            }
            let values = values(job, block, index, signal, entry.schema.coordinates.len());
            parts.push(format!("{} = {}", signal.name, values.join(", ")));
        }
        if !parts.is_empty() {
            let (keyword, name) = (entry.schema.keyword, model.block_name(block));
            job.reporter.line(&format!("  {keyword} {name}: {}", parts.join("; ")));
        }
    }
}

fn values(
    job: &Job<'_, '_, '_, '_>,
    block: u32,
    signal: usize,
    schema: &SignalSchema,
    coordinates: usize,
) -> Vec<String> {
    let count = match schema.shape {
        SignalShape::Scalar => 1,
        SignalShape::PerCoordinate => coordinates,
        SignalShape::Vector => job.system.model.width(block, schema.name),
    };
    let value = |component: usize| {
        let signal = SignalRef { block, signal: signal as u16, component: component as u16 };
        format!("{:?}", job.mechanism.run.signal(source(job.system, signal)))
    };
    (0..count).map(value).collect()
}
