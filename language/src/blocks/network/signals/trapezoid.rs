//! The fastest motion from one place to another within limits of speed and acceleration.
//!
//! It speeds up for Ta, runs at constant speed for Tc, and slows down for Ta: Ta = Vmax/Amax and
//! Tc = d/Vmax - Ta for the distance d, or Ta = sqrt(d/Amax) and Tc = 0 if that is not enough to reach Vmax.

use super::SignalBlock;
use crate::blocks::network::element_schema;
use crate::element::{BlockSchema, signal};
use crate::reading::{Group, parameters};
use crate::writing::Writer;
use equations::expression::{Formula, Program};

parameters! {
    /// A motion from one place to another.
    pub struct Trapezoid {
        from: f64 = "From", Plus, Unit::None, Number(0.0), Any, "where it begins";
        to: f64 = "To", Plus, Unit::None, Required, Any, "where it ends";
        speed: f64 = "Vmax", Plus, Unit::None, Required, Positive, "largest speed";
        acceleration: f64 = "Amax", Plus, Unit::None, Required, Positive, "largest acceleration";
        begin: f64 = "Tbegin", Plus, Unit::Is("s"), Number(0.0), Any, "when it begins";
    }
}

/// The table of the Trapezoid block.
pub static TRAPEZOID: BlockSchema = element_schema(
    "Trapezoid",
    "The fastest motion from one place to another within limits of speed and acceleration.",
    &[Trapezoid::PARAMETERS],
    &[&[
        signal("y", "", "place"),
        signal("yd", "", "speed"),
        signal("ydd", "", "acceleration"),
        signal("Tend", "s", "when it ends"),
    ]],
);

/// Durations of the parts, and the acceleration with its sign.
struct Parts {
    ramp: f64,
    cruise: f64,
    acceleration: f64,
}

impl Trapezoid {
    fn parts(&self) -> Parts {
        let distance = (self.to - self.from).abs();
        let to_speed = self.speed / self.acceleration;
        let (ramp, cruise) = if distance < self.speed * to_speed {
            ((distance / self.acceleration).sqrt(), 0.0)
        } else {
            (to_speed, distance / self.speed - to_speed)
        };
        Parts { ramp, cruise, acceleration: self.acceleration.copysign(self.to - self.from) }
    }

    /// Place, speed and acceleration as functions of time.
    fn programs(&self) -> [Program; 3] {
        let Parts { ramp, cruise, acceleration } = self.parts();
        let starts = [self.begin, self.begin + ramp, self.begin + ramp + cruise];
        let since = |part: usize, length: f64| (Formula::time() - starts[part]).clamp(0.0, length);
        let (up, down) = (|| since(0, ramp), || since(2, ramp));
        let on = |t: f64| Formula::time().at_least(t);
        let [first, second, third] = starts;
        let slow = on(third) - on(third + ramp);
        let place =
            0.5 * (up() * up()) + ramp * (since(1, cruise) + down()) - 0.5 * (down() * down());
        [
            self.from + acceleration * place,
            acceleration * (up() - down()),
            acceleration * (on(first) - on(second) - slow),
        ]
        .map(Formula::program)
    }
}

impl SignalBlock for Trapezoid {
    fn of_time(&self, signal: &str) -> Option<Program> {
        let [y, yd, ydd] = self.programs();
        match signal {
            "y" => Some(y),
            "yd" => Some(yd),
            "ydd" => Some(ydd),
            _ => None,
        }
    }

    fn equations(&self, e: &Writer<'_>) {
        let [y, yd, ydd] = self.programs();
        e.signal("y", e.time(&y));
        e.signal("yd", e.time(&yd));
        e.signal("ydd", e.time(&ydd));
        let Parts { ramp, cruise, .. } = self.parts();
        e.signal("Tend", e.number(self.begin + 2.0 * ramp + cruise));
    }
}
