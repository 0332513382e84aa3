//! `Type = static`: where the system rests, and what everything then carries.

use super::{Job, RunError, Stop};
use crate::element::{Quantity, SignalSchema, SignalShape};
use crate::expression::SignalRef;
use crate::system::source;

impl Job<'_, '_, '_, '_> {
    /// Finds the equilibrium, writes one row of results and all forces to the log.
    pub(super) fn statics(&mut self) -> Result<(), Stop> {
        let size = self.size();
        let found = self.find_equilibrium(size)?;
        let rest = vec![0.0; self.system.tree.n_v()];
        let y = self.mechanism.state(&found.q, &rest);
        let t = self.mechanism.t;
        self.mechanism.run.observe(t, &y)?;
        self.results.row(t, self.mechanism.run).map_err(RunError::Write)?;
        self.log_signals();
        Ok(())
    }

    /// Coordinates, forces and reactions of every joint and force element.
    fn log_signals(&mut self) {
        let model = &self.system.model;
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
                    Quantity::Velocity
                        | Quantity::Acceleration
                        | Quantity::Turning
                        | Quantity::Power
                );
                if is_rate {
                    continue;
                }
                let values = self.values(block, index, signal, entry.schema.coordinates.len());
                parts.push(format!("{} = {}", signal.name, values.join(", ")));
            }
            if !parts.is_empty() {
                let (keyword, name) = (entry.schema.keyword, model.block_name(block));
                self.reporter.line(&format!("  {keyword} {name}: {}", parts.join("; ")));
            }
        }
    }

    fn values(
        &self,
        block: u32,
        signal: usize,
        schema: &SignalSchema,
        coordinates: usize,
    ) -> Vec<String> {
        let count = match schema.shape {
            SignalShape::Scalar => 1,
            SignalShape::PerCoordinate => coordinates,
            SignalShape::Vector => self.system.model.width(block, schema.name),
        };
        let value = |component: usize| {
            let signal = SignalRef { block, signal: signal as u16, component: component as u16 };
            format!("{:?}", self.mechanism.run.signal(source(self.system, signal)))
        };
        (0..count).map(value).collect()
    }
}
