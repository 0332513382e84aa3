//! Looks names up itself and shows what it reads as signals.

use engine::internals::blocks::forces::ForceElement;
use engine::plugin::prelude::*;

plugin_parameters! {
    /// Names, as free words.
    pub struct ReaderParameters {
        body: Name = "BodyName", Unit::None, Required, Any, "a body";
        joint: Name = "JointName", Unit::None, Required, Any, "a joint";
        triad: Name = "TriadName", Unit::None, Required, Any, "a triad";
        spring: Name = "SpringName", Unit::None, Required, Any, "a spring";
    }
}

pub struct Reader {
    body: BodyHandle,
    joint: JointHandle,
    triad: TriadHandle,
    height: SignalHandle,
    stiffness: f64,
}

impl Plugin for Reader {
    const TYPE: &'static str = "reader";
    const ABOUT: &'static str = "Shows what it reads.";
    const ROLES: Roles<Self> = Roles::none().force();
    const SIGNALS: &'static [SignalSchema] = &[
        signal("t", "s", "time"),
        signal("x", "m", "origin of the body"),
        signal("vx", "m/s", "its velocity"),
        signal("wy", "rad/s", "its angular velocity"),
        signal("mass", "kg", "its mass"),
        signal("iyy", "kg m^2", "its inertia"),
        signal("cx", "m", "its centre of gravity"),
        signal("q", "m or rad", "the last coordinate of the joint"),
        signal("qd", "m/s or rad/s", "its rate"),
        signal("tx", "m", "origin of the triad"),
        signal("tvx", "m/s", "its velocity"),
        signal("z", "m", "a signal of the body"),
        signal("k", "N/m", "stiffness of the spring"),
    ];
    type Parameters = ReaderParameters;

    fn new(p: ReaderParameters, setup: &Setup<'_>) -> Result<Self, Refusal> {
        let name = setup.text(p.body);
        let spring = setup.text(p.spring);
        let model = setup.model();
        let found = model.forces.iter().find(|force| model.block_name(force.block) == spring);
        let Some(ForceElement::Spring(spring)) = found.map(|force| &force.what) else {
            return Err(Refusal::of("SpringName", format!("there is no spring `{spring}`")));
        };
        Ok(Self {
            body: setup.body(name)?,
            joint: setup.joint(setup.text(p.joint))?,
            triad: setup.triad(setup.text(p.triad))?,
            height: setup.signal(&format!("{name}.z"))?,
            stiffness: spring.elastic,
        })
    }

    fn signals(&self, now: &State<'_>, values: &mut [f64]) {
        let (body, triad) = (now.body(self.body), now.triad(self.triad));
        let last = now.n_coordinates(self.joint) - 1;
        values.copy_from_slice(&[
            now.t(),
            body.position().x,
            body.velocity().x,
            body.twist.ang.y,
            now.mass(self.body),
            now.inertia(self.body).yy,
            now.centre(self.body).x,
            now.coordinate(self.joint, last),
            now.rate(self.joint, last),
            triad.position().x,
            body.velocity_at(triad.position()).x,
            now.signal(self.height),
            self.stiffness,
        ]);
    }
}

impl Force for Reader {}
