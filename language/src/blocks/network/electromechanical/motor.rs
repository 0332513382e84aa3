//! A motor with permanent magnets, and the same machine as a generator. With w of the shaft in the stator:
//! v = R i + L i' + k w; J w' = k i - d w + tau_shaft, and -k i + d w on the stator.

use crate::blocks::network::{POWER, element_schema};
use crate::element::{BlockSchema, SignalSchema, signal};
use crate::reading::fields::{ElectricalNode, RotationalNode, ThermalNode};
use crate::reading::ids::BodyId;
use crate::reading::{Group, parameters};
use crate::sketch::{
    CARRIED, ElementKind, HEAT_OF_MOTOR, Sketch, Sketched, Spot, Start, Value, readings,
};
use crate::writing::{TwoPin, Writer};
use equations::coupling::Mount;

parameters! {
    /// A motor or generator.
    pub struct Motor {
        p: ElectricalNode = "p", Plus, Unit::None, Required, Any, "node where the current enters";
        n: ElectricalNode = "n", Plus, Unit::None, Required, Any, "node where it leaves";
        shaft: RotationalNode = "shaft", Plus, Unit::None, Required, Any, "shaft that a positive current drives forward";
        stator: RotationalNode = "stator", Plus, Unit::None, Word("base"), Any, "what takes the reaction";
        resistance: f64 = "R", Plus, Unit::Is("Ohm"), Required, NotNegative, "resistance of the winding";
        constant: f64 = "k", Plus, Unit::Is("Vs"), Required, Any, "torque over current, voltage over speed";
        inductance: f64 = "L", Plus, Unit::Is("H"), Number(0.0), NotNegative, "inductance of the winding";
        inertia: f64 = "J", Plus, Unit::Is("kg m^2"), Number(0.0), NotNegative, "moment of inertia of the rotor";
        damping: f64 = "d", Plus, Unit::Is("Nm s/rad"), Number(0.0), NotNegative, "viscous friction between rotor and stator";
        current: Option<f64> = "Iinit", Plus, Unit::Is("A"), Absent("0, or what the network asks for"), Any, "current at the start";
        angle: Option<f64> = "Phiinit", Plus, Unit::Is("rad"), Absent("0, or what the train asks for"), Any, "angle of the shaft at the start";
        speed: Option<f64> = "Winit", Plus, Unit::Is("rad/s"), Absent("0, or what the train asks for"), Any, "speed of the shaft at the start";
        body: Option<BodyId> = "MountedOn", Plus, Unit::None, Absent("the axis rests"), Any, "body that carries the motor, with its mass and, at rest, its inertia; angles count from there";
        axis: [f64; 3] = "MountAxis", Plus, Unit::None, Numbers(&[0.0, 0.0, 1.0]), Any, "axis of the shaft in the frame of that body";
        heat: Option<ThermalNode> = "Heat", Plus, Unit::None, Absent("nowhere"), Any, "thermal node that takes the loss, R i^2 + d w^2";
    }
}

const SIGNALS: &[SignalSchema] = &[
    signal("v", "V", "voltage v_p - v_n"),
    signal("i", "A", "current into p"),
    signal("w", "rad/s", "speed of the shaft in the stator"),
    signal("phi", "rad", "angle of the shaft in the stator"),
    signal("tau", "Nm", "torque of the field on the rotor, k i"),
    signal("emf", "V", "induced voltage, k w"),
    POWER,
];

/// The table of the Motor block.
pub static MOTOR: BlockSchema = element_schema(
    "Motor",
    "A motor with permanent magnets: v = R i + L i' + k w, torque k i.",
    &[Motor::PARAMETERS],
    &[SIGNALS],
);

/// The table of the Generator block.
pub static GENERATOR: BlockSchema = element_schema(
    "Generator",
    "A generator with permanent magnets: the equations of a Motor.",
    &[Motor::PARAMETERS],
    &[SIGNALS, &[signal("iout", "A", "current out of p, -i")]],
);

impl Motor {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        let TwoPin { v, i } = e.two_pin(self.p, self.n);
        e.tie(self.p, self.n);
        let rotor = e.motion(self.shaft, self.angle, self.speed);
        let phi = rotor - e.potential(self.stator.0);
        let w = e.rate(phi);
        let mut voltage = self.resistance * i + self.constant * w;
        if self.inductance > 0.0 {
            let current = e.state("i", self.current);
            e.equal(current, i);
            voltage = voltage + self.inductance * e.rate(current);
            e.stores(0.5 * self.inductance * current * current);
        }
        e.equal(v, voltage);
        let torque = self.constant * i - self.damping * w;
        let mut shaft = -torque;
        if self.inertia > 0.0 {
            let mount = Mount::of(self.body, self.axis);
            let turning = e.rate(rotor);
            e.stores(0.5 * self.inertia * turning * turning);
            let carried = e.mounted(mount, e.number(self.inertia), rotor);
            shaft = shaft + self.inertia * (e.rate(e.rate(rotor)) + carried);
        }
        let [shaft_speed, stator_speed] = e.flanges([(self.shaft, shaft), (self.stator, torque)]);
        e.heat(self.heat, self.resistance * i * i + self.damping * w * w);
        e.signal("w", w);
        e.signal("phi", phi);
        e.signal("tau", self.constant * i);
        e.signal("emf", self.constant * w);
        e.signal("power", v * i + shaft * shaft_speed + torque * stator_speed);
        e.signal("iout", -i);
    }
}

impl Sketched for Motor {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let winding = s.bridge(self.p, self.n, "i");
        let here = Spot { at: winding, turned: false };
        if self.resistance > 0.0 {
            s.one((ElementKind::R, "R"), Value::number(self.resistance), here, &[]);
        }
        if self.inductance > 0.0 {
            s.one((ElementKind::I, "L"), Value::number(self.inductance), here, &[]);
            s.starts(Start::of("i", self.inductance, 0.0));
        }
        let gap = s.bridge(self.stator, self.shaft, "tau");
        let mut field = gap;
        if self.damping > 0.0 {
            // Between field and shaft a junction with the speed of the shaft in the stator.
            field = s.alone(false, "w");
            s.join(field, gap);
            let here = Spot { at: field, turned: false };
            s.one((ElementKind::R, "d"), Value::number(self.damping), here, &[]);
        }
        s.two(
            (ElementKind::Gyrator, ""),
            Value::number(self.constant),
            [winding, field],
            readings::MOTOR,
        );
        if self.inertia > 0.0 {
            match self.body {
                Some(_) => s.like(ElementKind::I, self.shaft.0, CARRIED),
                None => {
                    s.one((ElementKind::I, "J"), Value::number(self.inertia), self.shaft.0, &[]);
                    s.starts(Start::at(self.shaft.0, self.inertia));
                }
            }
        }
        s.heat(
            self.heat,
            HEAT_OF_MOTOR[usize::from(self.resistance > 0.0) + 2 * usize::from(self.damping > 0.0)],
        );
    }
}
