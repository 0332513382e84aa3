//! Signals of elements, and what they are in the bond graph: `@` is the name of the part.

use super::part::Reading;

/// Two pins that take power.
pub const CONSUMER: &[Reading] = &[("v", "@.e"), ("i", "@.f"), ("power", "@.power")];
/// A capacitor.
pub const CAPACITOR: &[Reading] =
    &[("v", "@.e"), ("i", "@.f"), ("power", "@.power"), ("q", "@.q"), ("energy", "@.energy")];
/// An inductor.
pub const INDUCTOR: &[Reading] =
    &[("v", "@.e"), ("i", "@.f"), ("power", "@.power"), ("flux", "@.p"), ("energy", "@.energy")];
/// A source of voltage: the current counts into its first pin.
pub const VOLTAGE_SOURCE: &[Reading] = &[("v", "@.e"), ("i", "(-@.f)"), ("power", "(-@.power)")];
/// A source of current from its first pin to its second.
pub const CURRENT_SOURCE: &[Reading] = &[("v", "(-@.e)"), ("i", "@.f"), ("power", "(-@.power)")];
/// An ideal transformer.
pub const TRANSFORMER: &[Reading] =
    &[("v1", "@.e1"), ("i1", "@.f1"), ("v2", "@.e2"), ("i2", "(-@.f2)")];
/// A gear.
pub const GEAR: &[Reading] = &[("tau_a", "@.e1"), ("tau_b", "(-@.e2)")];
/// A rack.
pub const RACK_PINION: &[Reading] = &[("tau", "@.e1"), ("f", "(-@.e2)")];
/// A source on a shaft.
pub const TORQUE_SOURCE: &[Reading] = &[("tau", "@.e"), ("w", "(-@.f)"), ("power", "(-@.power)")];
/// A source on a rod.
pub const FORCE_SOURCE: &[Reading] = &[("f", "@.e"), ("v", "(-@.f)"), ("power", "(-@.power)")];
/// An ideal converter of electrical and rotational power.
pub const EMF: &[Reading] = &[("v", "@.e1"), ("i", "@.f1"), ("w", "@.f2"), ("tau", "@.e2")];
/// The converter in a motor.
pub const MOTOR: &[Reading] = &[("emf", "@.e1"), ("i", "@.f1"), ("w", "@.f2"), ("tau", "@.e2")];
/// A shaft with inertia.
pub const SHAFT: &[Reading] = &[("w", "@.f"), ("ekin", "@.energy"), ("power", "@.power")];
/// A rod with mass.
pub const ROD: &[Reading] = &[("v", "@.f"), ("ekin", "@.energy"), ("power", "@.power")];
/// What oil flows through.
pub const OIL: &[Reading] = &[("dp", "@.e"), ("q", "@.f"), ("power", "@.power")];
/// A volume of oil.
pub const COMPLIANCE: &[Reading] =
    &[("dp", "@.e"), ("q", "@.f"), ("power", "@.power"), ("volume", "@.q")];
/// A source of oil.
pub const OIL_SOURCE: &[Reading] = &[("dp", "@.e"), ("q", "@.f"), ("power", "(-@.power)")];
/// A body that stores heat.
pub const HEAT_CAPACITY: &[Reading] = &[("T", "@.e"), ("Q", "@.f")];
/// What heat flows through.
pub const HEAT_PATH: &[Reading] = &[("dT", "@.e"), ("Q", "@.f")];
/// A given flow of heat.
pub const HEAT_SOURCE: &[Reading] = &[("P", "@.f")];
/// A given temperature.
pub const TEMPERATURE_SOURCE: &[Reading] = &[("Q", "@.f")];
