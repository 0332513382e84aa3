//! The spring and damper of the block `Spring` once more, as a plugin.

use engine::plugin::prelude::*;

plugin_parameters! {
    /// The parameters of the block `Spring`, but for its one-sided kinds.
    pub struct SpringParameters {
        from: TriadHandle = "TriadFrom", Unit::None, Required, Any, "T0";
        to: TriadHandle = "TriadTo", Unit::None, Required, Any, "T1";
        elastic: f64 = "ElasticLinear", Unit::Is("N/m"), Number(0.0), Any, "stiffness";
        damping: f64 = "DampingLinear", Unit::Is("N s/m"), Number(0.0), Any, "damping";
        zero_length: f64 = "ZeroLength", Unit::Is("m"), Number(0.0), Any, "relaxed length";
    }
}

pub struct SpringCopy(SpringParameters);

impl Plugin for SpringCopy {
    const TYPE: &'static str = "spring_copy";
    const ABOUT: &'static str = "A linear spring and damper between the origins of two triads.";
    const ROLES: Roles<Self> = Roles::none().force();
    type Parameters = SpringParameters;

    fn new(parameters: SpringParameters, _: &Setup<'_>) -> Result<Self, Refusal> {
        Ok(Self(parameters))
    }
}

impl Force for SpringCopy {
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
        let (a, b) = (now.triad(self.0.from), now.triad(self.0.to));
        let arm = b.position() - a.position();
        let s = arm.norm();
        if s == 0.0 {
            return Err("its ends coincide, so that its direction is undefined".into());
        }
        let direction = arm * (1.0 / s);
        let rate = direction.dot(b.velocity() - a.velocity());
        let force = self.0.elastic * (s - self.0.zero_length) + self.0.damping * rate;
        forces.pair((a.body, a.position()), (b.body, b.position()), direction * force);
        Ok(())
    }

    fn is_conservative(&self) -> bool {
        self.0.damping == 0.0
    }

    fn energy(&self, now: &State<'_>) -> f64 {
        let arm = now.triad(self.0.to).position() - now.triad(self.0.from).position();
        let stretch = arm.norm() - self.0.zero_length;
        0.5 * self.0.elastic * stretch * stretch
    }
}
