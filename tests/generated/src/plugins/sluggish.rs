//! Applies no force and takes its time for it.

use std::time::Duration;

use engine::plugin::prelude::*;

plugin_parameters! {
    /// How long it takes.
    pub struct SluggishParameters {
        pause: f64 = "Pause", Unit::Is("s"), Required, NotNegative, "time of an evaluation";
    }
}

pub struct Sluggish(Duration);

impl Plugin for Sluggish {
    const TYPE: &'static str = "sluggish";
    const ABOUT: &'static str = "Sleeps.";
    const ROLES: Roles<Self> = Roles::none().force();
    type Parameters = SluggishParameters;

    fn new(parameters: SluggishParameters, _: &Setup<'_>) -> Result<Self, Refusal> {
        Ok(Self(Duration::from_secs_f64(parameters.pause)))
    }
}

impl Force for Sluggish {
    fn apply(&self, _: &State<'_>, _: &mut Forces) -> Result<(), Undefined> {
        std::thread::sleep(self.0);
        Ok(())
    }
}
