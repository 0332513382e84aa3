//! Aerodynamic drag: f = -1/2 rho c A |u| u at a point that moves with u through the air.
//!
//! rho is the density of the air, c the drag coefficient, A the area across the flow. The wind is the
//! same everywhere; the body does not feel a torque from turning about the point.

use engine::plugin::prelude::*;

plugin_parameters! {
    /// What a drag is made of.
    pub struct DragParameters {
        triad: TriadHandle = "Triad", Unit::None, Required, Any, "where the drag acts";
        area: f64 = "Area", Unit::Is("m^2"), Required, NotNegative, "area across the flow";
        coefficient: f64 = "Coefficient", Unit::None, Number(1.0), NotNegative, "drag coefficient";
        density: f64 = "Density", Unit::Is("kg/m^3"), Number(1.225), NotNegative, "density of the air";
        wind: [f64; 3] = "Wind", Unit::Is("m/s"), Number(0.0), Any, "velocity of the air in the world";
    }
}

/// The drag of the air on a point.
pub struct Drag {
    triad: TriadHandle,
    wind: Vec3,
    /// 1/2 rho c A, kg/m.
    factor: f64,
}

impl Drag {
    /// Velocity of the point relative to the air, m/s.
    fn airspeed(&self, point: &Point) -> Vec3 {
        point.velocity() - self.wind
    }
}

impl Plugin for Drag {
    const TYPE: &'static str = "drag";
    const ABOUT: &'static str = "Drag of the air on a point, with the square of the speed.";
    const ROLES: Roles<Self> = Roles::none().force();
    const SIGNALS: &'static [SignalSchema] =
        &[signal("f", "N", "magnitude of the drag"), signal("u", "m/s", "speed through the air")];
    type Parameters = DragParameters;

    fn new(p: DragParameters, _: &Setup<'_>) -> Result<Self, Refusal> {
        let factor = 0.5 * p.density * p.coefficient * p.area;
        Ok(Self { triad: p.triad, wind: p.wind.into(), factor })
    }

    fn signals(&self, now: &State<'_>, values: &mut [f64]) {
        let speed = self.airspeed(&now.triad(self.triad)).norm();
        values.copy_from_slice(&[self.factor * speed * speed, speed]);
    }
}

impl Force for Drag {
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
        let point = now.triad(self.triad);
        let u = self.airspeed(&point);
        forces.force(point.body, point.position(), u * (-self.factor * u.norm()));
        Ok(())
    }
}
