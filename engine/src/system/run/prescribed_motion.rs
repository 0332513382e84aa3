//! Prescribed motions: coordinates that are functions of time.
//!
//! A driven coordinate of the tree is a state like others, but its value is overwritten wherever it is used,
//! so that it has no error. The recursion takes it as a locked freedom whose acceleration is part of the
//! bias; the force that the lock holds is that of the drive.

use super::stage::Stage;
use super::{Failure, Run};
use equations::expression::Jet;
use mechanics::{BodyId, kinematics};

/// Coordinates, rates and accelerations of one drive.
struct Prescribed {
    x: [f64; 6],
    rates: [f64; 6],
    second: [f64; 6],
}

impl Run<'_> {
    fn prescribed(&mut self, input: usize, count: usize, t: f64) -> Result<Prescribed, Failure> {
        let mut all = Prescribed { x: [0.0; 6], rates: [0.0; 6], second: [0.0; 6] };
        for k in 0..count {
            let program = &self.system.programs[input + k];
            let of = (input + k, program);
            let Jet { value, first, second } = self.system.switches.evaluate_jet(
                of,
                t,
                &self.now.expressions.switches,
                &mut self.now.expressions.jets,
            );
            if !(value.is_finite() && first.is_finite() && second.is_finite()) {
                return Err(Failure::Expression(input + k));
            }
            // At rest a motion is a position.
            let (first, second) =
                if self.now.is_quasi_static { (0.0, 0.0) } else { (first, second) };
            (all.x[k], all.rates[k], all.second[k]) = (value, first, second);
        }
        Ok(all)
    }

    /// Writes the coordinates that are driven at a time into the present state.
    pub(super) fn put_drives(&mut self, t: f64) -> Result<(), Failure> {
        let system = self.system;
        let (n_q, n_v) = (system.tree.n_q(), system.tree.n_v());
        for drive in &system.constraints.drives {
            let mut of = drive.coordinates;
            let count = of.count();
            let Prescribed { x, rates, second } = self.prescribed(drive.input, count, t)?;
            let accelerations = of.driven(&x, &rates, &second);
            if drive.closes.is_none() {
                let (q, rest) = self.now.y.split_at_mut(n_q);
                of.write(&x, &rates, q, &mut rest[..n_v]);
                self.now.bodies.driven[of.v..of.v + count].copy_from_slice(&accelerations[..count]);
            } else if let Some(loops) = &mut self.now.loops {
                let w = &mut loops.workspace;
                (of.q, of.v) = (of.q - n_q, of.v - n_v);
                of.write(&x, &rates, &mut w.target_q, &mut w.target_v);
                w.target_a[of.v..of.v + count].copy_from_slice(&accelerations[..count]);
            }
        }
        Ok(())
    }

    /// Adds the accelerations of driven coordinates to what the links do at rest of the others.
    pub(super) fn add_driven_bias(&mut self) {
        let system = self.system;
        for drive in system.constraints.drives.iter().filter(|drive| drive.closes.is_none()) {
            let body: BodyId = system.carried[drive.joint];
            let of = drive.coordinates;
            for v in of.v..of.v + of.count() {
                kinematics::add_acceleration(
                    &mut self.now.bodies.workspace,
                    body,
                    v,
                    self.now.bodies.driven[v],
                );
                if let Some(loops) = &mut self.now.loops {
                    let rows = &system.constraints.rows;
                    loops.workspace.demand_of_driven(rows, v, self.now.bodies.driven[v]);
                }
            }
        }
    }

    /// Driven coordinates have the accelerations of their drives.
    pub(super) fn put_driven_accelerations(&mut self) {
        for drive in self.system.constraints.drives.iter().filter(|drive| drive.closes.is_none()) {
            let of = drive.coordinates;
            let range = of.v..of.v + of.count();
            self.now.bodies.vdot[range.clone()].copy_from_slice(&self.now.bodies.driven[range]);
        }
    }

    /// Generalised force of a drive on a freedom of its joint.
    fn drive_force(&self, drive: usize, freedom: usize) -> f64 {
        self.now.stage.needs(Stage::Reacted);
        -self.now.bodies.drive[self.system.constraints.drives[drive].coordinates.v + freedom]
    }

    /// Power of a drive, W.
    pub fn drive_power(&self, drive: usize) -> f64 {
        let of = &self.system.constraints.drives[drive].coordinates;
        (0..of.count()).map(|k| self.drive_force(drive, k) * self.now.bodies.v[of.v + k]).sum()
    }

    /// Force of a drive on its first coordinate, N or Nm.
    pub fn drive_signal(&self, drive: usize) -> f64 {
        self.drive_force(drive, 0)
    }
}
