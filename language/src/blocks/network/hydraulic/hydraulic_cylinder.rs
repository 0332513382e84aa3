//! A hydraulic cylinder. With s = rod - case, v = s':
//! f = p_a AreaA - p_b AreaB,
//! q_a = AreaA v + (VolumeA + AreaA s)/Beta dp_a/dt, q_b = -AreaB v + (VolumeB - AreaB s)/Beta dp_b/dt,
//! without the second terms where the oil is incompressible.

use crate::blocks::network::translational::stop::Limits;
use crate::blocks::network::{POWER, element_schema};
use crate::codes;
use crate::element::{BlockSchema, Quantity, signal};
use crate::reading::fields::{HydraulicNode, SlidingJoint, TranslationalNode};
use crate::reading::ids::TriadId;
use crate::reading::{Group, parameters};
use crate::sketch::{ElementKind, Place, Sketch, Sketched, Value};
use crate::writing::Writer;
use equations::expr::Ex;

parameters! {
    /// A hydraulic cylinder.
    pub struct Cylinder {
        a: HydraulicNode = "a", Plus, Unit::None, Required, Any, "port of the piston side";
        b: HydraulicNode = "b", Plus, Unit::None, Word("tank"), Any, "port of the rod side";
        rod: Option<TranslationalNode> = "rod", Plus, Unit::None, Absent("on a joint"), Any, "flange of the rod";
        case: TranslationalNode = "case", Plus, Unit::None, Word("base"), Any, "flange of the case";
        joint: Option<SlidingJoint> = "Joint1D", Plus, Unit::None, Absent("between flanges"), Any, "joint whose coordinate is the position of the rod";
        from: Option<TriadId> = "TriadFrom", Plus, Unit::None, Absent("not between triads"), Any, "triad on the case, whose distance from `TriadTo` is the position of the rod";
        to: Option<TriadId> = "TriadTo", Plus, Unit::None, Absent("not between triads"), Any, "triad on the rod";
        area_a: f64 = "AreaA", Plus, Unit::Is("m^2"), Required, Positive, "area of the piston";
        area_b: f64 = "AreaB", Plus, Unit::Is("m^2"), Number(0.0), NotNegative, "area on the rod side";
        volume_a: f64 = "VolumeA", Plus, Unit::Is("m^3"), Number(0.0), NotNegative, "volume of the piston side at s = 0";
        volume_b: f64 = "VolumeB", Plus, Unit::Is("m^3"), Number(0.0), NotNegative, "volume of the rod side at s = 0";
        modulus: f64 = "Beta", Plus, Unit::Is("Pa"), Number(0.0), NotNegative, "bulk modulus of the oil; 0 is incompressible";
        stroke: f64 = "Stroke", Plus, Unit::Is("m"), Number(0.0), NotNegative, "stops at s = 0 and here; 0 is none";
        stiffness: f64 = "c", Plus, Unit::Is("N/m"), Number(0.0), NotNegative, "stiffness of the stops";
        damping: f64 = "d", Plus, Unit::Is("N s/m"), Number(0.0), NotNegative, "damping of the stops";
    }
}

/// The table of the Cylinder block.
pub static CYLINDER: BlockSchema = element_schema(
    "Cylinder",
    "A hydraulic cylinder between two flanges, on a joint or between two triads; pressure at a extends it.",
    &[Cylinder::PARAMETERS],
    &[&[
        signal("s", "m", "position of the rod in the case"),
        signal("v", "m/s", "speed of the rod"),
        signal("f", "N", "force of the oil on the rod, extending"),
        signal("pa", "Pa", "pressure of the piston side"),
        signal("pb", "Pa", "pressure of the rod side"),
        signal("qa", "m^3/s", "flow into the piston side"),
        signal("qb", "m^3/s", "flow into the rod side"),
        POWER,
        signal("given", "W", "power that the rod gives to bodies: on a joint or between triads")
            .of(Quantity::Power, 0),
    ]],
);

impl Cylinder {
    /// Writes its equations.
    pub(crate) fn equations(&self, e: &Writer<'_>) {
        if self.stroke > 0.0 && self.stiffness == 0.0 {
            return e.missing("c", "stiffness of the stops, which `Stroke` asks for");
        }
        let Some((s, push)) = self.attach(e) else { return };
        let v = e.rate(s);
        let (pa, pb) = (e.potential(self.a.0), e.potential(self.b.0));
        let f = self.area_a * pa - self.area_b * pb;
        let qa = self.flow(e, pa, self.area_a * v, self.volume_a + self.area_a * s);
        let qb = self.flow(e, pb, -self.area_b * v, self.volume_b - self.area_b * s);
        e.flow(self.a.0, qa);
        e.flow(self.b.0, qb);
        e.equal(push, f - self.stops(e, s));
        if self.modulus > 0.0 {
            self.check_volumes(e);
        }
        // What the rod bears gives the oil its pressure.
        e.hold(self.a);
        e.hold(self.b);
        for (name, value) in [("s", s), ("v", v), ("f", f), ("pa", pa), ("pb", pb)] {
            e.signal(name, value);
        }
        e.signal("qa", qa);
        e.signal("qb", qb);
        e.signal("power", pa * qa + pb * qb - push * v);
        // What bodies take no other element of the networks does, so that it counts in their balance.
        let given = if self.rod.is_some() { e.number(0.0) } else { push * v };
        e.signal("given", given);
    }

    /// The position of the rod in the case, and the force on the rod.
    fn attach<'a>(&self, e: &Writer<'a>) -> Option<(Ex<'a>, Ex<'a>)> {
        let ends = (self.from, self.to);
        match (self.rod, self.joint, ends) {
            (Some(rod), None, (None, None)) => {
                let push = e.unknown("f");
                e.flow(rod.0, -push);
                e.flow(self.case.0, push);
                Some((e.potential(rod.0) - e.potential(self.case.0), push))
            }
            (None, Some(SlidingJoint(joint)), (None, None)) => {
                let [s, _, push] = e.joint_coordinate(e.unknown("s"), joint, 0)?;
                Some((s, push))
            }
            (None, None, (Some(from), Some(to))) => {
                if from == to {
                    let help = "name the triad on the case and the one on the rod";
                    e.mistake(codes::SAME_BODY, "has one triad for both of its ends", help);
                    return None;
                }
                let [s, _, push] = e.distance(from, to);
                Some((s, push))
            }
            (None, None, (None, None)) => {
                let what = "flange of the rod; or `Joint1D`: a Prismatic joint; or `TriadFrom` and `TriadTo`";
                e.missing("rod", what);
                None
            }
            (None, None, (from, _)) => {
                let missing = if from.is_none() { "TriadFrom" } else { "TriadTo" };
                e.missing(missing, "the other end of the cylinder");
                None
            }
            _ => {
                let help = "write `rod`, or `Joint1D`, or `TriadFrom` and `TriadTo`: the rod is at one of them";
                e.mistake(codes::OUT_OF_RANGE, "is attached in two ways", help);
                None
            }
        }
    }

    /// Flow into a side whose volume grows at this rate.
    fn flow<'a>(&self, e: &Writer<'a>, p: Ex<'a>, growth: Ex<'a>, volume: Ex<'a>) -> Ex<'a> {
        if self.modulus == 0.0 { growth } else { growth + volume / self.modulus * e.rate(p) }
    }

    fn stops<'a>(&self, e: &Writer<'a>, s: Ex<'a>) -> Ex<'a> {
        if self.stroke == 0.0 {
            return e.number(0.0);
        }
        let (stiffness, damping) = (self.stiffness, self.damping);
        Limits { lower: Some(0.0), upper: Some(self.stroke), stiffness, damping }.force(e, s).0
    }

    fn check_volumes(&self, e: &Writer<'_>) {
        let needed = self.area_b * self.stroke;
        if self.area_b > 0.0 && self.volume_b <= needed {
            let help = "the rod side shrinks as the rod extends: VolumeB > AreaB Stroke";
            e.mistake(codes::OUT_OF_RANGE, "has no volume left on the rod side at its end", help);
        }
        if self.volume_a == 0.0 {
            let help =
                "with `Beta` a side needs a volume: give `VolumeA`, the dead volume at s = 0";
            e.mistake(codes::OUT_OF_RANGE, "has no volume on the piston side at s = 0", help);
        }
    }
}

impl Sketched for Cylinder {
    fn sketch<'m>(&'m self, s: &mut Sketch<'m>) {
        let ports = [Some(self.a.0), Some(self.b.0), self.rod.map(|rod| rod.0)];
        let Some(rod) = self.rod.filter(|_| self.modulus == 0.0 && self.stroke == 0.0) else {
            let mut ports: Vec<_> = ports.into_iter().flatten().collect();
            if self.rod.is_some() {
                ports.push(self.case.0);
            }
            let why = "oil that is compressed, stops, or bodies on its rod";
            return s.boxed(&ports, why);
        };
        // e1 = m e2 and f2 = m f1: the pressure at a pushes, the rod draws oil out at b.
        let push = s.bridge(self.case, rod, "");
        let piston = s.alone(false, "v");
        s.join(piston, push);
        let modulus = Value::number(1.0 / self.area_a);
        s.two((ElementKind::Transformer, "A"), modulus, [Place::Node(self.a.0), piston], &[]);
        if self.area_b > 0.0 {
            let ends = [piston, Place::Node(self.b.0)];
            s.two((ElementKind::Transformer, "B"), Value::number(self.area_b), ends, &[]);
        }
    }
}
