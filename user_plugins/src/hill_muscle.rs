//! A muscle after Hill that pulls two points together, without tendon and without mass.
//!
//! With the length l = L / L0, its rate v = L' / (L0 Vmax) and the activation a, from 0 to 1:
//!
//! ```text
//! f    = Fmax (a fl(l) fv(v) + fp(l))
//! fl   = exp(-((l - 1) / W)^2)                               active, depends on the length
//! fv   = (1 + v) / (1 - v/K)                for v < 0        shortening: the hyperbola of Hill (1938)
//!      = 1 + (E - 1) v / (v + (E - 1)/(1 + 1/K))  else       lengthening, tends to E
//! fp   = ((l - 1) / P)^2                    for l > 1        passive
//! ```
//!
//! Both parts of fv have the slope 1 + 1/K at v = 0, and fp begins with slope 0: the force has no jump and
//! no kink there, so that no discrete state is needed. Faster than Vmax a muscle shortens without force.

use engine::plugin::prelude::*;

plugin_parameters! {
    /// What a muscle is made of.
    pub struct HillMuscleParameters {
        from: TriadHandle = "TriadFrom", Unit::None, Required, Any, "where it begins";
        to: TriadHandle = "TriadTo", Unit::None, Required, Any, "where it ends";
        strongest: f64 = "MaxForce", Unit::Is("N"), Required, NotNegative, "largest active force at rest, Fmax";
        length: f64 = "OptimalLength", Unit::Is("m"), Required, Positive, "length of the largest force, L0";
        fastest: f64 = "MaxSpeed", Unit::Is("1/s"), Number(10.0), Positive, "largest speed of shortening in lengths L0, Vmax";
        width: f64 = "Width", Unit::None, Number(0.45), Positive, "range of lengths with active force, W";
        curvature: f64 = "Curvature", Unit::None, Number(0.25), Positive, "shape of the hyperbola, K";
        eccentric: f64 = "Eccentric", Unit::None, Number(1.5), AtLeast(1.01), "force over Fmax when it is drawn out fast, E";
        passive: f64 = "PassiveStrain", Unit::None, Number(0.6), Positive, "strain at which the passive force is Fmax, P";
        activation: TimeInput = "Activation", Unit::None, Number(1.0), Any, "activation from 0 to 1";
    }
}

/// A muscle between two triads.
pub struct HillMuscle(HillMuscleParameters);

/// Length, its rate, force, and the line from the first point to the second.
struct Pull {
    length: f64,
    force: f64,
    direction: Vec3,
    ends: [Point; 2],
}

impl HillMuscle {
    /// Force over Fmax at an activation.
    fn relative_force(&self, length: f64, rate: f64, activation: f64) -> f64 {
        let p = &self.0;
        let (l, v) = (length / p.length, rate / (p.length * p.fastest));
        let offset = (l - 1.0) / p.width;
        let by_length = (-offset * offset).exp();
        let by_speed = if v <= -1.0 {
            0.0
        } else if v < 0.0 {
            (1.0 + v) / (1.0 - v / p.curvature)
        } else {
            let more = p.eccentric - 1.0;
            1.0 + more * v / (v + more / (1.0 + 1.0 / p.curvature))
        };
        let strain = ((l - 1.0) / p.passive).max(0.0);
        activation * by_length * by_speed + strain * strain
    }

    fn pull(&self, now: &State<'_>) -> Result<Pull, Undefined> {
        let ends = [now.triad(self.0.from), now.triad(self.0.to)];
        let arm = ends[1].position() - ends[0].position();
        let length = arm.norm();
        if length == 0.0 {
            return Err("its ends coincide, so that its direction is undefined".into());
        }
        let activation = now.input(self.0.activation);
        if !(0.0..=1.0).contains(&activation) {
            return Err(format!("its activation is {activation}, not from 0 to 1").into());
        }
        let direction = arm * (1.0 / length);
        let rate = direction.dot(ends[1].velocity() - ends[0].velocity());
        let force = self.0.strongest * self.relative_force(length, rate, activation);
        Ok(Pull { length, force, direction, ends })
    }
}

impl Plugin for HillMuscle {
    const TYPE: &'static str = "hill_muscle";
    const ABOUT: &'static str = "A muscle after Hill that pulls two triads together.";
    const ROLES: Roles<Self> = Roles::none().force();
    const SIGNALS: &'static [SignalSchema] = &[
        signal("f", "N", "force, positive if it pulls"),
        signal("s", "m", "length"),
        signal("a", "", "activation"),
    ];
    type Parameters = HillMuscleParameters;

    fn new(parameters: HillMuscleParameters, _: &Setup<'_>) -> Result<Self, Refusal> {
        if parameters.from == parameters.to {
            let message = "a muscle needs two different triads";
            return Err(Refusal::of("TriadTo", message));
        }
        Ok(Self(parameters))
    }

    fn signals(&self, now: &State<'_>, values: &mut [f64]) {
        if let Ok(pull) = self.pull(now) {
            values.copy_from_slice(&[pull.force, pull.length, now.input(self.0.activation)]);
        }
    }
}

impl Force for HillMuscle {
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
        let Pull { force, direction, ends: [from, to], .. } = self.pull(now)?;
        let (from, to) = ((from.body, from.position()), (to.body, to.position()));
        forces.pair(from, to, direction * force);
        Ok(())
    }
}
