//! Applies a given force in one of the ways that the sink offers.

use engine::plugin::prelude::*;

plugin_words! {
    /// The ways.
    pub enum Way {
        /// A force at the point.
        Force = "force",
        /// A torque on its body.
        Torque = "torque",
        /// A force and torque between the bodies of two points.
        Pair = "pair",
        /// A torque between two bodies.
        TorquePair = "torque_pair",
        /// Generalised forces on the first coordinates of a joint.
        Generalised = "generalised",
    }
}

plugin_parameters! {
    /// What is applied and where.
    pub struct PusherParameters {
        way: Way = "Way", Unit::None, Required, Any, "how it is applied";
        to: Option<TriadHandle> = "To", Unit::None, Absent("none"), Any, "the point";
        from: Option<TriadHandle> = "From", Unit::None, Absent("none"), Any, "the point of the reaction";
        joint: Option<JointHandle> = "Joint", Unit::None, Absent("none"), Any, "the joint";
        x: TimeInput = "X", Unit::None, Number(0.0), Any, "first component";
        y: TimeInput = "Y", Unit::None, Number(0.0), Any, "second component";
        z: TimeInput = "Z", Unit::None, Number(0.0), Any, "third component";
    }
}

pub struct Pusher(PusherParameters);

impl Plugin for Pusher {
    const TYPE: &'static str = "pusher";
    const ABOUT: &'static str = "Applies what its parameters say.";
    const ROLES: Roles<Self> = Roles::none().force();
    type Parameters = PusherParameters;

    fn new(parameters: PusherParameters, _: &Setup<'_>) -> Result<Self, Refusal> {
        Ok(Self(parameters))
    }
}

impl Force for Pusher {
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
        let p = &self.0;
        let v = vec3(now.input(p.x), now.input(p.y), now.input(p.z));
        let [to, from] = [p.to, p.from].map(|triad| triad.map(|triad| now.triad(triad)));
        match (p.way, to, from, p.joint) {
            (Way::Force, Some(to), ..) => forces.force(to.body, to.position(), v),
            (Way::Torque, Some(to), ..) => forces.torque(to.body, v),
            (Way::Pair, Some(to), Some(from), _) => {
                let (a, b) = ((to.body, to.position()), (from.body, from.position()));
                forces.pair_with_torque(a, b, v, v * 0.01);
            }
            (Way::TorquePair, Some(to), Some(from), _) => forces.torque_pair(to.body, from.body, v),
            (Way::Generalised, .., Some(joint)) => {
                for coordinate in 0..now.n_coordinates(joint).min(3) {
                    forces.generalised(joint, coordinate, v[coordinate]);
                }
            }
            _ => return Err("its points or its joint are missing".into()),
        }
        Ok(())
    }
}
