//! A push that begins and ends with the discrete state of another element, or with the sign of an expression;
//! it counts how often it began.

use engine::plugin::prelude::*;

plugin_parameters! {
    /// Whom it follows and what it does.
    pub struct FollowerParameters {
        leader: Option<Name> = "Leader", Unit::None, Absent("nobody"), Any, "the element that it follows";
        part: Option<Name> = "Part", Unit::None, Absent("the element itself"), Any, "which part of it, _ for blanks";
        mode: Option<Name> = "Mode", Unit::None, Absent("none"), Any, "it is on while the leader is so";
        watch: TimeInput = "Watch", Unit::None, Number(-1.0), Any, "without a leader: it is on while this is positive";
        joint: JointHandle = "Joint", Unit::None, Required, Any, "the joint that is pushed";
        force: f64 = "Force", Unit::None, Number(0.0), Any, "the push while it is on";
    }
}

pub struct Follower {
    leader: Option<(ElementHandle, String, String)>,
    watch: TimeInput,
    joint: JointHandle,
    force: f64,
}

impl Plugin for Follower {
    const TYPE: &'static str = "follower";
    const ABOUT: &'static str = "Pushes while another element is in a given mode.";
    const ROLES: Roles<Self> = Roles::none().force().states();
    const SIGNALS: &'static [SignalSchema] = &[signal("count", "", "how often it began")];
    type Parameters = FollowerParameters;

    fn new(p: FollowerParameters, setup: &Setup<'_>) -> Result<Self, Refusal> {
        let text = |name: Option<Name>| name.map_or("", |name| setup.text(name)).replace('_', " ");
        let leader = p.leader.map(|leader| setup.element(setup.text(leader))).transpose()?;
        let leader = leader.map(|leader| (leader, text(p.part), text(p.mode)));
        Ok(Self { leader, watch: p.watch, joint: p.joint, force: p.force })
    }

    fn signals(&self, now: &State<'_>, values: &mut [f64]) {
        values[0] = now.remembered(0);
    }
}

impl Force for Follower {
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
        if now.state(0) == 1 {
            forces.generalised(self.joint, 0, self.force);
        }
        Ok(())
    }
}

impl DiscreteStates for Follower {
    fn states(&self) -> Vec<DiscreteState> {
        vec![DiscreteState::new("push", &["off", "on"])]
    }

    fn remembered(&self) -> Vec<f64> {
        vec![0.0]
    }

    fn switching_function(&self, _: usize, now: &State<'_>) -> f64 {
        let due = match &self.leader {
            Some((leader, part, mode)) => {
                if now.mode(*leader, part) == Some(mode) {
                    1.0
                } else {
                    -1.0
                }
            }
            None => now.input(self.watch),
        };
        if now.state(0) == 1 { due } else { -due }
    }

    fn switch(&self, _: usize, now: &State<'_>, remembered: &mut [f64]) -> u8 {
        remembered[0] += f64::from(1 - now.state(0));
        1 - now.state(0)
    }
}
