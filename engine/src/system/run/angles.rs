//! Reported angles of joints, which are continuous over turns.

use super::{Run, System};
use integrate::EvaluationError;

impl Run<'_> {
    /// Keeps the angles of a state as those that the next ones are near to.
    pub(super) fn follow_angles(&mut self, t: f64, y: &[f64]) -> Result<(), EvaluationError> {
        if self.now.loops.is_some() {
            self.place(t, y).map_err(|failure| self.fail(failure))?;
        } else {
            let (q, v, _) = self.system.split(y);
            self.now.q.copy_from_slice(q);
            self.now.v.copy_from_slice(v);
        }
        let (q, v) = (&self.now.q, &self.now.v);
        let kept = self.now.last_angles.iter_mut().zip(&mut self.now.singular_since);
        for (coordinates, (last, since)) in self.system.coordinates.iter().zip(kept) {
            if let Some(coordinates) = coordinates.as_ref().filter(|found| found.n_memory() > 0) {
                if since.is_none() && coordinates.is_singular(q, last) {
                    *since = Some(t);
                }
                coordinates.follow(q, v, last);
            }
        }
        if let Some(loops) = &mut self.now.loops {
            loops.workspace.follow();
        }
        Ok(())
    }

    /// When the reported angles of a joint first passed a singular position, if they did.
    pub fn singular_since(&self, joint: usize) -> Option<f64> {
        self.now.singular_since[joint]
    }
}

/// The angles of all joints at the beginning.
pub(super) fn first_angles(system: &System) -> Vec<[f64; 3]> {
    let of = |found: &Option<mechanics::coordinates::UserCoordinates>| {
        found.as_ref().map_or([0.0; 3], |found| found.first_angles.to_array())
    };
    system.coordinates.iter().map(of).collect()
}
