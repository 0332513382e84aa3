//! Coupled coordinates: `q_a = i q_b`.

use super::loop_numbers::{ElementRows, JointState};

/// A coordinate of the tree, or one of a joint that closes a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CoupledCoordinate {
    /// Position coordinate and speed of the tree.
    Tree {
        /// The coordinate.
        q: usize,
        /// The speed.
        v: usize,
    },
    /// Coordinate and speed among all coordinates of loop joints, number of the loop joint, freedom in it.
    Loop {
        /// The coordinate.
        q: usize,
        /// The speed.
        v: usize,
        /// Number of the loop joint.
        joint: usize,
        /// The freedom in it.
        freedom: usize,
    },
}

/// One row on two coordinates.
#[derive(Clone, Debug)]
pub(super) struct Coupling {
    pub coordinates: [CoupledCoordinate; 2],
    pub ratio: f64,
    /// Coordinate a is an angle.
    pub is_angular: bool,
}

impl Coupling {
    fn factors(&self) -> [f64; 2] {
        [1.0, -self.ratio]
    }

    /// The gap, for coordinates of the tree and of loop joints. Needs the loop joints.
    pub fn update_positions(
        &self,
        q: &[f64],
        loop_q: &[f64],
        joints: &[JointState],
        coefficients: &mut [f64],
        rows: &mut ElementRows<'_>,
    ) {
        let (mut gap, mut load, mut direct) = (0.0, 0, 0);
        for (coordinate, factor) in self.coordinates.iter().zip(self.factors()) {
            match *coordinate {
                CoupledCoordinate::Tree { q: at, .. } => {
                    gap += factor * q[at];
                    coefficients[direct] = factor;
                    direct += 1;
                }
                CoupledCoordinate::Loop { q: at, joint, freedom, .. } => {
                    gap += factor * loop_q[at];
                    for on_link in joints[joint].free_loads[freedom] {
                        rows.loads[load] = on_link * factor;
                        load += 1;
                    }
                }
            }
        }
        rows.gap[0] = gap;
    }

    /// The rate, for speeds of the tree and of loop joints. Needs the loop joints.
    pub fn update_velocities(
        &self,
        v: &[f64],
        loop_v: &[f64],
        joints: &[JointState],
        rows: &mut ElementRows<'_>,
    ) {
        let (mut rate, mut gamma) = (0.0, 0.0);
        for (coordinate, factor) in self.coordinates.iter().zip(self.factors()) {
            match *coordinate {
                CoupledCoordinate::Tree { v: at, .. } => rate += factor * v[at],
                CoupledCoordinate::Loop { v: at, joint, freedom, .. } => {
                    let state = &joints[joint];
                    rate += factor * loop_v[at];
                    gamma += factor * state.demand.dot(&state.bases.free[freedom]);
                }
            }
        }
        rows.rate[0] = rate;
        rows.gamma[0] = gamma;
    }
}
