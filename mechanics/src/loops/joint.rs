//! A joint that closes a loop: the rows are the loads that the joint carries, and the loads of held freedoms.
//!
//! In tip axes at the tip's origin, with the twist `y = (w1 - w0; v1 - v0)` of the tip relative to the
//! base, both taken at the tip's origin, the joint demands `Psibar^T y = 0`, and of the accelerations
//!
//! ```text
//! Psibar^T (alpha1 - alpha0; a1 + alpha1 x r1 - a0 - alpha0 x r0) = Psibar^T c
//! c = (w0 x w_rel + b_w; w0 x (w0 x r0) - w1 x (w1 x r1) + 2 w0 x v_rel + b_v)
//! ```
//!
//! where r0, r1 lead from the origins of the two links to the tip, (w_rel; v_rel) = Phi v and b is the
//! bias of the joint: the same as for a joint of the tree (`kinematics.rs`), read from the other side.

use std::ops::Range;

use super::link_frame::LinkFrame;
use super::loop_numbers::{ElementRows, HeldMotion, JointState, LoopCoordinates};
use crate::BuildError;
use crate::joints::dual::{DualBases, displacement};
use crate::joints::{Geometry, Joint};
use crate::spatial::{Load, Motion, Pose};
use crate::vector::Vec3;
use crate::workspace::Workspace;

/// The place of a loop joint among all loop joints.
#[derive(Clone, Copy, Debug)]
pub(super) struct JointPlace {
    /// Its first coordinate and its first speed among those of all loop joints.
    pub q: usize,
    pub v: usize,
    /// Its number.
    pub number: usize,
}

/// A joint between two links of the tree.
#[derive(Clone, Debug)]
pub(super) struct LoopJoint {
    joint: Joint,
    /// The base frame on the link of T0.
    from: LinkFrame,
    /// The tip frame on the link of T1.
    to: LinkFrame,
    /// Pose of T1 in the tip frame.
    t1: Pose,
    place: JointPlace,
}

/// Poses of a loop joint.
struct PlacedTip {
    tip: Pose,
    /// The tip frame in the base frame.
    relative: Pose,
}

impl LoopJoint {
    pub fn new(
        geometry: &Geometry,
        t0: LinkFrame,
        t1: LinkFrame,
        place: JointPlace,
    ) -> Result<Self, BuildError> {
        let prepared = geometry.prepare()?;
        Ok(Self {
            joint: prepared.joint,
            from: t0.with(prepared.base),
            to: t1.with(prepared.tip),
            t1: prepared.tip.inverse(),
            place,
        })
    }

    /// Its number among all loop joints.
    pub fn number(&self) -> usize {
        self.place.number
    }

    pub fn joint(&self) -> &Joint {
        &self.joint
    }

    pub fn q_range(&self) -> Range<usize> {
        self.place.q..self.place.q + self.joint.n_coordinates()
    }

    pub fn v_range(&self) -> Range<usize> {
        self.place.v..self.place.v + self.joint.n_freedoms()
    }

    /// The links of T1 and T0.
    pub fn links(&self) -> [u32; 2] {
        [self.to.link, self.from.link]
    }

    fn place(&self, w: &Workspace) -> PlacedTip {
        let (base, tip) = (self.from.in_world(w), self.to.in_world(w));
        PlacedTip { tip, relative: base.inverse() * tip }
    }

    /// The load of a row at the home position of the joint.
    fn load_at_home(&self, number: usize) -> Load {
        let mut q = [0.0; 7];
        let q = &mut q[..self.joint.n_coordinates()];
        self.joint.fill_home(q);
        let mut phi = [Motion::ZERO; 6];
        let phi = &mut phi[..self.joint.n_freedoms()];
        self.joint.fill_motion(q, &self.joint.transform(q), phi);
        let mut bases = DualBases::ZERO;
        self.joint.fill_dual_bases(phi, &mut bases);
        let locked = self.joint.n_locked();
        if number < locked { bases.locked[number] } else { bases.free[(number - locked).min(5)] }
    }

    /// Whether the row is a rotation.
    pub fn is_angular(&self, number: usize) -> bool {
        self.load_at_home(number).force.norm() < 0.5
    }

    /// The direction of a row in words, in the frame whose z axis is that of the joint.
    pub fn describe(&self, number: usize) -> String {
        let load = self.load_at_home(number);
        let (word, direction) = if self.is_angular(number) {
            ("rotation about", self.t1.rotation.transpose_mul(load.torque))
        } else {
            ("translation along", self.t1.rotation.transpose_mul(load.force))
        };
        let axes = [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)];
        let named = axes.iter().find(|(_, axis)| direction.dot(*axis).abs() > 1.0 - 1e-6);
        match named {
            Some((name, _)) => format!("{word} {name} of T1"),
            None => {
                let [x, y, z] = direction.to_array().map(|c| format!("{c:.3}"));
                format!("{word} ({x}, {y}, {z}) of T1")
            }
        }
    }

    /// Loads and gaps of the rows, coordinates of the joint.
    pub fn update_positions(
        &self,
        w: &Workspace,
        state: &mut JointState,
        LoopCoordinates { q, last, target }: LoopCoordinates<'_>,
        rows: &mut ElementRows<'_>,
    ) {
        let PlacedTip { tip, relative } = self.place(w);
        // The coordinates nearest to the tip's pose, and the pose that the joint has at these coordinates.
        q.copy_from_slice(last);
        self.joint.locate(&relative, q);
        let nominal = self.joint.transform(q);
        let nv = self.joint.n_freedoms();
        self.joint.fill_motion(q, &nominal, &mut state.phi[..nv]);
        self.joint.fill_dual_bases(&state.phi[..nv], &mut state.bases);
        state.tip = tip;
        // The gap is the displacement between that pose and the real one along the locked directions.
        let off = displacement(&nominal, &relative);
        let n_locked = self.joint.n_locked();
        for (gap, load) in rows.gap.iter_mut().zip(&state.bases.locked[..n_locked]) {
            *gap = off.dot(load);
        }
        // Held freedoms: the displacement from their target.
        if rows.gap.len() > n_locked {
            let off = displacement(&self.joint.transform(target), &relative);
            for (gap, load) in rows.gap[n_locked..].iter_mut().zip(&state.bases.free) {
                *gap = off.dot(load);
            }
        }
        self.fill_loads(w, state, rows.loads);
    }

    /// Updates only the loads of the rows that a condition picks, for a joint whose motion subspace is constant: all that
    /// accelerations need. On the link of T1 the loads never change; the loads on the link of T0 are computed from these. Needs
    /// one `update_positions` before.
    pub fn update_loads(
        &self,
        w: &Workspace,
        state: &mut JointState,
        rows: &mut ElementRows<'_>,
        pick: impl Fn(usize) -> bool,
    ) {
        let (to, from) = (&w.x_world[self.to.link as usize], &w.x_world[self.from.link as usize]);
        state.tip = *to * self.to.pose;
        let arm = to.translation - from.translation;
        for (_, pair) in rows.loads.chunks_exact_mut(2).enumerate().filter(|(k, _)| pick(*k)) {
            let force = to.rotation * pair[0].force;
            let torque = to.rotation * pair[0].torque + arm.cross(force);
            let (torque, force) =
                (from.rotation.transpose_mul(torque), from.rotation.transpose_mul(force));
            pair[1] = -Load::new(torque, force);
        }
    }

    /// Whether the motion subspace is the same at all coordinates.
    pub fn has_constant_motion(&self) -> bool {
        self.joint.has_constant_motion()
    }

    /// Loads of the rows, and of all freedoms, on both links.
    fn fill_loads(&self, w: &Workspace, state: &mut JointState, loads: &mut [Load]) {
        // The tip frame in the frame of the link of T0.
        let seen = w.x_world[self.from.link as usize].inverse() * state.tip;
        let on_links = |load: &Load| [load.transformed(&self.to.pose), -load.transformed(&seen)];
        let n_locked = self.joint.n_locked();
        for (k, load) in state.bases.locked[..n_locked].iter().enumerate() {
            loads[2 * k..2 * k + 2].copy_from_slice(&on_links(load));
        }
        for k in 0..self.joint.n_freedoms() {
            state.free_loads[k] = on_links(&state.bases.free[k]);
            if loads.len() > 2 * n_locked {
                loads[2 * (n_locked + k)..][..2].copy_from_slice(&state.free_loads[k]);
            }
        }
    }

    /// Rates and demands of the rows that a condition picks, speeds of the joint.
    pub fn update_velocities(
        &self,
        w: &Workspace,
        state: &mut JointState,
        v: &mut [f64],
        held: &HeldMotion<'_>,
        rows: &mut ElementRows<'_>,
        pick: impl Fn(usize) -> bool,
    ) {
        // Angular velocity, velocity and centripetal acceleration of the tip as a point of each link.
        let (r, p) = (&state.tip.rotation, state.tip.translation);
        let of = |link: u32| {
            let (x, y) = (&w.x_world[link as usize], &w.twist_world[link as usize]);
            let arm = p - x.translation;
            let turning = y.ang.cross(arm);
            (y.ang, y.lin + turning, y.ang.cross(turning))
        };
        let (w1, v1, swing1) = of(self.to.link);
        let (w0, v0, swing0) = of(self.from.link);
        // The twist y, the speeds of the joint, and the acceleration c at rest of the coordinates.
        let twist = Motion::new(r.transpose_mul(w1 - w0), r.transpose_mul(v1 - v0));
        let nv = self.joint.n_freedoms();
        let phi = &state.phi[..nv];
        let mut relative = Motion::ZERO;
        for k in 0..nv {
            v[k] = twist.dot(&state.bases.free[k]);
            relative += phi[k] * v[k];
        }
        let b = self.joint.bias(phi, v);
        let wp = r.transpose_mul(w0);
        let swing = r.transpose_mul(swing0 - swing1);
        let c = Motion::new(
            wp.cross(relative.ang) + b.ang,
            swing + wp.cross(relative.lin) * 2.0 + b.lin,
        );
        state.demand = c;
        let n_locked = self.joint.n_locked();
        for k in (0..n_locked).filter(|k| pick(*k)) {
            rows.rate[k] = twist.dot(&state.bases.locked[k]);
            rows.gamma[k] = c.dot(&state.bases.locked[k]);
        }
        for k in n_locked..rows.gap.len() {
            let freedom = k - n_locked;
            rows.rate[k] = v[freedom] - held.speeds[freedom];
            rows.gamma[k] = c.dot(&state.bases.free[freedom]) + held.accelerations[freedom];
        }
    }

    /// Accelerations of the joint's coordinates from the accelerations of the links.
    pub fn fill_accelerations(&self, state: &JointState, x: &[Motion], vdot: &mut [f64]) {
        for (k, vdot) in vdot.iter_mut().enumerate() {
            let [on_to, on_from] = &state.free_loads[k];
            let sum = x[self.to.link as usize].dot(on_to) + x[self.from.link as usize].dot(on_from);
            *vdot = sum - state.demand.dot(&state.bases.free[k]);
        }
    }

    /// A load in tip axes about the tip's origin, about the origin of T1 in world axes.
    pub fn at_t1(&self, state: &JointState, load: &Load) -> Load {
        let arm = self.t1.translation;
        let r = &state.tip.rotation;
        Load::new(r * (load.torque - arm.cross(load.force)), r * load.force)
    }
}
