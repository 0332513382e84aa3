//! `Type = static`: where the system rests, and what everything then carries.

use super::{Job, RunError, Stop};
use crate::system::source;
use equations::expression::SignalRef;
use language::element::{Quantity, SignalSchema, SignalShape};

/// Finds the equilibrium, writes one row of results and all forces to the log.
pub(super) fn statics(job: &mut Job<'_, '_, '_, '_>) -> Result<(), Stop> {
    let size = job.size();
    let y = job.find_rest(size)?;
    let t = job.mechanism.t;
    job.mechanism.run.observe(t, &y)?;
    job.results.row(t, job.mechanism.run).map_err(RunError::Write)?;
    log_signals(job);
    Ok(())
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
