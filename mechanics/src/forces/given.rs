//! Forces and torques that are given as functions of time and signals: what Force, Torque and
//! JointForce share.

use super::law::{Attachment, BodyLoad, Effect, Frozen, Law, NoValue, View};
use crate::coordinates::UserCoordinates;
use crate::spatial::Load;
use crate::vector::{Vec3, vec3};

/// A given force or torque on a body.
pub struct GivenLoadLaw {
    /// Where it acts.
    pub to: Attachment,
    /// Where the reaction acts, if there is one.
    pub from: Option<Attachment>,
    /// The first of three time expressions.
    pub input: usize,
    /// The components are in the axes of `to`.
    pub local: bool,
    /// The load is a torque, not a force.
    pub is_torque: bool,
}

impl Law for GivenLoadLaw {
    fn act(&self, view: &View<'_>, _: Frozen<'_>) -> Result<Effect, NoValue> {
        let place = view.place(&self.to);
        let i = &view.inputs[self.input..self.input + 3];
        let vector = vec3(i[0], i[1], i[2]);
        let vector = if self.local { place.pose.rotation * vector } else { vector };
        let load = match self.is_torque {
            true => Load::new(vector, Vec3::ZERO),
            false => Load::new(Vec3::ZERO, vector),
        };
        let point = place.pose.translation;
        let action = BodyLoad { body: self.to.body, point, load };
        Ok(match &self.from {
            None => Effect::Single(action),
            Some(from) => {
                let point = view.place(from).pose.translation;
                Effect::Pair([action, BodyLoad { body: from.body, point, load: -load }])
            }
        })
    }

    fn works(&self) -> bool {
        true
    }

    fn signals(&self, _: &View<'_>, _: Frozen<'_>, effect: &Effect, values: &mut [f64]) {
        if let Effect::Single(action) | Effect::Pair([action, _]) = effect {
            let vector = if self.is_torque { action.load.torque } else { action.load.force };
            values[..3].copy_from_slice(&vector.to_array());
        }
    }
}

/// A given generalised force for each coordinate of a joint.
pub struct GivenJointLaw {
    /// The coordinates of the joint.
    pub coordinates: UserCoordinates,
    /// The first of the time expressions, one per coordinate.
    pub input: usize,
}

impl Law for GivenJointLaw {
    fn act(&self, view: &View<'_>, frozen: Frozen<'_>) -> Result<Effect, NoValue> {
        let count = self.coordinates.count();
        let forces = &view.inputs[self.input..self.input + count];
        let (q, _) = self.coordinates.read(view.q, view.v, frozen.memory);
        Ok(self.coordinates.effect(&q, forces))
    }

    fn works(&self) -> bool {
        true
    }

    fn signals(&self, view: &View<'_>, frozen: Frozen<'_>, _: &Effect, values: &mut [f64]) {
        let (q, _) = self.coordinates.read(view.q, view.v, frozen.memory);
        values[0] = view.inputs[self.input];
        values[1] = q[0];
    }

    fn n_memory(&self) -> usize {
        self.coordinates.n_memory()
    }

    fn fill_memory(&self, memory: &mut [f64]) {
        self.coordinates.fill_memory(memory);
    }

    fn follow(&self, view: &View<'_>, _: u8, memory: &mut [f64]) {
        self.coordinates.follow(view.q, view.v, memory);
    }
}
