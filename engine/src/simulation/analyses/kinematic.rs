//! `Type = kinematic`: a prescribed motion and the forces that it takes.

use std::sync::atomic::Ordering;

use super::{Job, RunError, Stop};
use crate::analysis::{Driven, Trouble};

impl Job<'_, '_, '_, '_> {
    /// Writes a row at every output time.
    pub(super) fn kinematic(&mut self) -> Result<(), Stop> {
        let size = self.size();
        let mut driven = Driven::new(&mut self.mechanism, &self.start, size)?;
        self.row(&mut driven)?;
        let mut rows = 1_u64;
        for t in super::super::output_times(&self.system.model) {
            if self.options.interrupted.load(Ordering::Relaxed) {
                return Err(Trouble::Interrupted.into());
            }
            driven.advance(&mut self.mechanism, t)?;
            self.row(&mut driven)?;
            self.reporter.reached(t);
            self.found.end = Some(t);
            rows += 1;
        }
        let end = driven.t;
        self.tell(format!("the motion is prescribed up to t = {end} s; {rows} rows"));
        Ok(())
    }

    fn row(&mut self, driven: &mut Driven) -> Result<(), Stop> {
        // Drive trains take the position as it is: what they store begins anew, their modes are those of the motion.
        self.mechanism.run.begin_at(driven.t, &mut driven.y)?;
        self.mechanism.run.observe(driven.t, &driven.y)?;
        self.results.row(driven.t, self.mechanism.run).map_err(RunError::Write)?;
        Ok(())
    }
}
