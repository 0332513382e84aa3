//! The physical domains of nodes: what is equal at a node, and what sums to zero there.
//!
//! A mechanical node has an angle or position as its potential; its speed and acceleration are the rates of that,
//! and exist as unknowns where some law speaks of them.

/// A domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Domain {
    /// Voltage and current.
    Electrical,
    /// Angle and torque.
    Rotational,
    /// Position and force.
    Translational,
    /// Temperature and heat flow.
    Thermal,
    /// Pressure and volume flow.
    Hydraulic,
}

impl Domain {
    /// All domains.
    pub const ALL: [Self; 5] =
        [Self::Electrical, Self::Rotational, Self::Translational, Self::Thermal, Self::Hydraulic];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Electrical => "electrical",
            Self::Rotational => "rotational",
            Self::Translational => "translational",
            Self::Thermal => "thermal",
            Self::Hydraulic => "hydraulic",
        }
    }

    /// The node whose potential is fixed, which every network of the domain counts from.
    pub fn reference(self) -> &'static str {
        match self {
            Self::Electrical => "gnd",
            Self::Rotational | Self::Translational => "base",
            Self::Thermal => "ambient",
            Self::Hydraulic => "tank",
        }
    }

    /// The domains of that node, in words.
    pub fn reference_words(self) -> &'static str {
        match self {
            Self::Rotational | Self::Translational => "mechanical",
            _ => self.words(),
        }
    }

    /// Name of the potential: what is equal at a node.
    pub fn potential(self) -> &'static str {
        match self {
            Self::Electrical => "v",
            Self::Rotational => "phi",
            Self::Translational => "s",
            Self::Thermal => "T",
            Self::Hydraulic => "p",
        }
    }

    /// What sources fix between two nodes, in words.
    pub fn differences(self) -> &'static str {
        match self {
            Self::Electrical => "voltages",
            Self::Rotational | Self::Translational => "motion",
            Self::Thermal => "temperatures",
            Self::Hydraulic => "pressures",
        }
    }

    /// The potential of the reference node, where the surroundings have this temperature in K.
    pub fn reference_potential(self, ambient_temperature: f64) -> f64 {
        match self {
            Self::Thermal => ambient_temperature,
            _ => 0.0,
        }
    }

    /// What flows, in words.
    pub fn flow(self) -> &'static str {
        match self {
            Self::Electrical => "current",
            Self::Rotational => "torque",
            Self::Translational => "force",
            Self::Thermal => "heat flow",
            Self::Hydraulic => "flow",
        }
    }

    /// Is the potential a position, with speed and acceleration as its rates?
    pub fn is_mechanical(self) -> bool {
        matches!(self, Self::Rotational | Self::Translational)
    }

    /// Is a node with a single terminal a mistake? A shaft may end, and a wall may be insulated.
    pub fn needs_two_terminals(self) -> bool {
        matches!(self, Self::Electrical | Self::Hydraulic)
    }

    /// Must every part be tied to the reference or hold its own potential? A shaft may turn freely.
    pub fn needs_reference(self) -> bool {
        !self.is_mechanical()
    }

    /// Potential over flow of things of usual size, in SI units: what small and large are measured by.
    pub fn usual_resistance(self) -> f64 {
        match self {
            // 1 bar drives 1 litre per minute through 6e9 Pa s/m^3.
            Self::Hydraulic => 1e10,
            _ => 1.0,
        }
    }

    /// What gives a part without reference a potential, for messages.
    pub fn remedy(self) -> &'static str {
        match self {
            Self::Electrical => "a resistor",
            Self::Thermal => "a ThermalResistor",
            Self::Hydraulic => "a HydraulicResistor",
            Self::Rotational => "a TorsionSpring",
            Self::Translational => "a LinearSpring",
        }
    }
}
