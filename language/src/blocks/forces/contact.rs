//! A point on a plane that slips and sticks.

use super::{CONTACT_SIGNALS, force_schema};
use crate::element::{BlockSchema, Origin};
use crate::reading::fields::Degrees;
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};
use mechanics::forces::ContactParameters;

parameters! {
    /// A point on a plane that slips and sticks.
    pub struct Contact {
        from: TriadId = "TriadFrom", DySim, Unit::None, Required, Any, "T0: its xy plane is the surface, z points outwards";
        to: TriadId = "TriadTo", DySim, Unit::None, Required, Any, "T1: its origin is the contact point";
        elastic: f64 = "ElasticLinearZ", DySim, Unit::Is("N/m"), Number(0.0), NotNegative, "normal stiffness k";
        damping: f64 = "DampingLinearZ", DySim, Unit::Is("N s/m"), Number(0.0), NotNegative, "normal damping r01";
        damping_mixed: f64 = "DampingO2MixedZ", DySim, Unit::Is("N s/m^2"), Number(0.0), NotNegative, "normal damping r11, times depth";
        slip_damping: f64 = "SlipDampingLinear", DySim, Unit::Is("N s/m"), Number(0.0), NotNegative, "viscous friction sigma while slipping";
        slip_friction: f64 = "SlipFrictionCoeff", DySim, Unit::None, Number(0.0), NotNegative, "coefficient mu of sliding friction";
        slip_speed: f64 = "VSlipMin", DySim, Unit::Is("m/s"), Number(0.0), NotNegative, "speed v_c below which it may stick; 0 stands for 0.1 mm/s if it can hold";
        slip_friction_turning: f64 = "SlipFrictionCoeffRot", DySim, Unit::Is("m s"), Number(0.0), NotNegative, "coefficient mu_phi of drilling friction while slipping";
        slip_rate: f64 = "OmegaSlipMin", DySim, Unit::Is("rad/s"), Number(0.0), NotNegative, "drilling rate w_c below which it may stick; 0 is no limit";
        stick_elastic: f64 = "StickElasticLinear", DySim, Unit::Is("N/m"), Number(0.0), NotNegative, "tangential stiffness k_t while sticking";
        stick_damping: f64 = "StickDampingLinear", DySim, Unit::Is("N s/m"), Number(0.0), NotNegative, "tangential damping rho_t while sticking";
        static_friction: f64 = "StaticFrictionCoeff", DySim, Unit::None, Number(0.0), NotNegative, "coefficient mu0 of static friction";
        stick_elastic_turning: f64 = "StickElasticLinearRot", DySim, Unit::Is("Nm/rad"), Number(0.0), NotNegative, "drilling stiffness k_phi while sticking";
        stick_damping_turning: f64 = "StickDampingLinearRot", DySim, Unit::Is("Nm s/rad"), Number(0.0), NotNegative, "drilling damping r_phi while sticking";
        static_friction_turning: f64 = "StaticFrictionCoeffRot", DySim, Unit::Is("m"), Number(0.0), NotNegative, "coefficient mu0_phi of static drilling friction";
        degrees: Degrees = "Degrees", DySim, Unit::None, Word("rad"), Any, "unit of the angles and angular rates in this block";
    }
}

/// The table of the Contact block.
pub static CONTACT: BlockSchema = force_schema(
    "Contact",
    Origin::DySim,
    "A point on a plane that slips and sticks.",
    &[Contact::PARAMETERS],
    CONTACT_SIGNALS,
);

impl From<&Contact> for ContactParameters {
    fn from(block: &Contact) -> Self {
        Self {
            elastic: block.elastic,
            damping: block.damping,
            damping_mixed: block.damping_mixed,
            slip_damping: block.slip_damping,
            slip_friction: block.slip_friction,
            slip_speed: block.slip_speed,
            slip_friction_turning: block.slip_friction_turning,
            slip_rate: block.slip_rate,
            stick_elastic: block.stick_elastic,
            stick_damping: block.stick_damping,
            static_friction: block.static_friction,
            stick_elastic_turning: block.stick_elastic_turning,
            stick_damping_turning: block.stick_damping_turning,
            static_friction_turning: block.static_friction_turning,
        }
    }
}
