//! Reported coordinates of joints: angles that are continuous over turns, and the values of a row of results.

use super::System;
use super::body_states::BodyStates;
use mechanics::coordinates::UserCoordinates;

/// Coordinates, rates and applied forces of a joint.
#[derive(Clone, Copy, Default)]
pub(super) struct JointReading {
    /// Coordinates, m or rad.
    pub x: [f64; 6],
    /// Their rates.
    pub rates: [f64; 6],
    /// Applied forces, N or Nm.
    pub applied: [f64; 6],
}

/// What a run keeps of the coordinates of each joint.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(super) struct JointAngles {
    /// Angles at the last step; reported angles are near to them.
    pub last_angles: Vec<[f64; 3]>,
    /// When the angles first passed a singular position.
    singular_since: Vec<Option<f64>>,
    /// Readings of the last observed state: angles are worked out once, not for each column of the results.
    pub observed: Vec<JointReading>,
}

impl JointAngles {
    /// Angles at the beginning of a run.
    pub fn new(system: &System) -> Self {
        let first = |found: &Option<UserCoordinates>| {
            found.as_ref().map_or([0.0; 3], |found| found.first_angles.to_array())
        };
        Self {
            last_angles: system.coordinates.iter().map(first).collect(),
            singular_since: vec![None; system.coordinates.len()],
            observed: vec![JointReading::default(); system.coordinates.len()],
        }
    }

    /// Keeps the angles of a state; the next angles are near to them.
    pub fn follow(&mut self, system: &System, t: f64, q: &[f64], v: &[f64]) {
        let kept = self.last_angles.iter_mut().zip(&mut self.singular_since);
        for (coordinates, (last, since)) in system.coordinates.iter().zip(kept) {
            if let Some(coordinates) = coordinates.as_ref().filter(|found| found.n_memory() > 0) {
                if since.is_none() && coordinates.is_singular(q, last) {
                    *since = Some(t);
                }
                coordinates.follow(q, v, last);
            }
        }
    }

    /// Works the readings of all joints out.
    pub fn observe(&mut self, system: &System, bodies: &BodyStates) {
        for (joint, coordinates) in system.coordinates.iter().enumerate() {
            if let Some(coordinates) = coordinates {
                let (x, rates) = coordinates.read(&bodies.q, &bodies.v, &self.last_angles[joint]);
                let applied = coordinates.generalised(&x, &bodies.tau);
                self.observed[joint] = JointReading { x, rates, applied };
            }
        }
    }

    /// When the reported angles of a joint first passed a singular position, if they did.
    pub fn singular_since(&self, joint: usize) -> Option<f64> {
        self.singular_since[joint]
    }
}
