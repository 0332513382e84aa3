//! `Type = kinematic`: a prescribed motion and the forces that it takes.

use std::sync::atomic::Ordering;

use super::{Job, RunError, Stop};
use crate::analysis::{Driven, Trouble};

/// Writes a row at every output time.
pub(super) fn kinematic(job: &mut Job<'_, '_, '_, '_>) -> Result<(), Stop> {
    let size = job.size();
    let mut driven = Driven::new(&mut job.mechanism, &job.start, size)?;
    row(job, &mut driven)?;
    let mut rows = 1_u64;
    for t in super::super::output_times(&job.system.model) {
        if job.options.interrupted.load(Ordering::Relaxed) {
            return Err(Trouble::Interrupted.into());
        }
        driven.advance(&mut job.mechanism, t)?;
        row(job, &mut driven)?;
        job.reporter.reached(t);
        job.found.end = Some(t);
        rows += 1;
    }
    let end = driven.t;
    job.tell(format!("the motion is prescribed up to t = {end} s; {rows} rows"));
    Ok(())
}

fn row(job: &mut Job<'_, '_, '_, '_>, driven: &mut Driven) -> Result<(), Stop> {
    // Drive trains accept the position as it is: their stored energies start again, and their modes follow the motion.
    job.mechanism.run.begin_at(driven.t, &mut driven.y)?;
    job.mechanism.run.observe(driven.t, &driven.y)?;
    job.results.row(driven.t, job.mechanism.run).map_err(RunError::Write)?;
    Ok(())
}
