//! The force elements of a model and of its joints, as laws.

use std::sync::Arc;

use parser::diagnostic::Diagnostic;

use super::plugins;
use super::signals::{self, SignalSource};
use super::{Element, System};
use crate::codes;
use equations::expression::switches::Switches;
use equations::expression::{Program, SignalRef};
use language::blocks::forces::{ForceElement, VectorFrame};
use language::blocks::joints::CoordinateOptions;
use language::reading::fields::{FrictionLaw, OneSide, PerCoordinate, SlidingFriction};
use language::reading::ids::{JointId, TriadId};
use mechanics::coordinates::UserCoordinates;
use mechanics::forces::law::Law;
use mechanics::forces::{
    BushingLaw, ContactLaw, ContactSimpleLaw, GivenJointLaw, GivenLoadLaw, JointDampingLaw,
    JointFrictionLaw, JointSpringLaw, JointStiffnessLaw, LockLaw, Sliding, SpringLaw, StopLaw,
};

/// Stiffness of a stop for which none is given, N/m or Nm/rad.
const STOP_STIFFNESS: f64 = 1e6;

/// What friction and stops of the coordinates of a joint are called; the first of each row where there
/// is only one coordinate.
const FRICTION: [&str; 7] = [
    "friction",
    "friction of coordinate 1",
    "friction of coordinate 2",
    "friction of coordinate 3",
    "friction of coordinate 4",
    "friction of coordinate 5",
    "friction of coordinate 6",
];
const LOWER_STOP: [&str; 7] = [
    "lower stop",
    "lower stop of coordinate 1",
    "lower stop of coordinate 2",
    "lower stop of coordinate 3",
    "lower stop of coordinate 4",
    "lower stop of coordinate 5",
    "lower stop of coordinate 6",
];
const UPPER_STOP: [&str; 7] = [
    "upper stop",
    "upper stop of coordinate 1",
    "upper stop of coordinate 2",
    "upper stop of coordinate 3",
    "upper stop of coordinate 4",
    "upper stop of coordinate 5",
    "upper stop of coordinate 6",
];

/// Adds elements to a system and gives each its place.
pub(super) struct ElementBuilder<'s> {
    system: &'s mut System,
    mistakes: Vec<Diagnostic>,
}

impl<'s> ElementBuilder<'s> {
    pub fn new(system: &'s mut System) -> Self {
        Self { system, mistakes: Vec::new() }
    }

    pub fn finish(self) -> Vec<Diagnostic> {
        let system = self.system;
        // Time expressions may use the coordinates of any joint.
        system.constraints.is_lean &= system.expression_signals.is_empty();
        system.switches = Switches::new(&system.programs);
        system.switches.first_guard = system.n_guards;
        system.n_guards += system.switches.n_guards();
        system.plugins.first_guard = system.n_guards;
        system.n_guards += system.plugins.n_states;
        if let Some(network) = &mut system.network {
            network.set_first_guard(system.n_guards);
            system.n_guards += network.n_guards();
        }
        self.mistakes
    }

    /// Force elements in the order of the model, then what is in the joints.
    pub fn add_all(&mut self) {
        let model = &Arc::clone(&self.system.model);
        let outside: Vec<(usize, SignalRef)> =
            self.system.network.iter().flat_map(|network| network.outside()).collect();
        for (number, signal) in outside {
            let source = signals::source(self.system, signal);
            if !source.is_kinematic() {
                self.refuse(signal, signal.block);
            }
            self.system.network_inputs.push((number, source));
        }
        for force in &model.forces {
            if let Some(law) = self.law(&force.what, force.block) {
                self.add(force.block, "", law);
            }
        }
        for (index, joint) in model.joints.iter().enumerate() {
            let options = joint.options.as_deref();
            if let (Some(options), Some(coordinates)) = (options, self.system.coordinates[index]) {
                self.add_options(joint.block, options, coordinates);
            }
        }
        for plugin in &model.plugins {
            let first_input = self.programs(&plugin.programs, plugin.block);
            self.mistakes.extend(plugins::add(self.system, plugin, first_input).err());
        }
        self.system.plugins.index_elements(&self.system.elements);
    }

    fn add(&mut self, block: u32, part: &'static str, law: Box<dyn Law>) {
        let system = &mut *self.system;
        let guards = system.n_guards..system.n_guards + law.n_guards();
        let memory = system.n_memory..system.n_memory + law.n_memory();
        system.has_locks |= (0..8).any(|mode| law.locks(mode).is_some());
        let work = law.works().then_some(system.n_work);
        system.n_guards = guards.end;
        system.n_memory = memory.end;
        system.n_work += usize::from(work.is_some());
        system.elements.push(Element { block, part, law, guards, memory, work });
    }

    fn law(&mut self, element: &ForceElement, block: u32) -> Option<Box<dyn Law>> {
        let triad = |id: TriadId| self.system.triads[id.index()];
        Some(match element {
            ForceElement::Spring(s) => Box::new(SpringLaw {
                from: triad(s.from),
                to: triad(s.to),
                elastic: s.elastic,
                damping: s.damping,
                zero_length: s.zero_length,
                one_side: s.one_side.into(),
            }),
            ForceElement::Rsda(s) => {
                self.joint_spring(s.joint.0, [s.elastic, s.damping, s.zero_angle], s.one_side)?
            }
            ForceElement::Tsda(s) => {
                self.joint_spring(s.joint.0, [s.elastic, s.damping, s.zero_length], s.one_side)?
            }
            ForceElement::ContactSimple(c) => Box::new(ContactSimpleLaw {
                from: triad(c.from),
                to: triad(c.to),
                elastic: c.elastic,
                damping: c.damping,
                friction: c.friction,
            }),
            ForceElement::Contact(c) => Box::new(ContactLaw {
                from: triad(c.from),
                to: triad(c.to),
                parameters: (&**c).into(),
            }),
            ForceElement::Bushing(b) => Box::new(BushingLaw {
                from: triad(b.from),
                to: triad(b.to),
                elastic: b.elastic.clone(),
                damping: b.damping.clone(),
                angle_type: b.angle_type.into(),
            }),
            ForceElement::Force(f) => {
                let ends = (triad(f.to), f.from.map(triad));
                self.given(ends, &f.vector.0, f.frame, false, block)
            }
            ForceElement::Torque(f) => {
                let ends = (triad(f.to), f.from.map(triad));
                self.given(ends, &f.vector.0, f.frame, true, block)
            }
            ForceElement::JointForce(f) => {
                let coordinates = self.system.coordinates[f.joint.index()]?;
                let input = self.programs(&f.value.0, block);
                Box::new(GivenJointLaw { coordinates, input })
            }
        })
    }

    fn joint_spring(
        &self,
        joint: JointId,
        [elastic, damping, rest]: [f64; 3],
        one_side: OneSide,
    ) -> Option<Box<dyn Law>> {
        let UserCoordinates { q, v, .. } = self.system.coordinates[joint.index()]?;
        Some(Box::new(JointSpringLaw { q, v, elastic, damping, rest, one_side: one_side.into() }))
    }

    fn given(
        &mut self,
        (to, from): (
            mechanics::forces::law::Attachment,
            Option<mechanics::forces::law::Attachment>,
        ),
        vector: &[Program],
        frame: VectorFrame,
        is_torque: bool,
        block: u32,
    ) -> Box<dyn Law> {
        let input = self.programs(vector, block);
        Box::new(GivenLoadLaw { to, from, input, local: frame == VectorFrame::Local, is_torque })
    }

    /// Keeps time expressions; gives the index of the first.
    fn programs(&mut self, programs: &[Program], block: u32) -> usize {
        let first = self.system.programs.len();
        for program in programs {
            let mapped = program.map_signals(|signal| self.expression_signal(signal, block));
            self.system.programs.push(mapped);
            self.system.program_owners.push(block);
            self.system.program_arguments.push(None);
        }
        first
    }

    fn refuse(&mut self, signal: SignalRef, block: u32) {
        let name = self.system.model.signal_name(signal);
        let message = format!(
            "`{name}` in a time expression: it is known only when all forces are, which may depend on this expression"
        );
        let help = "write its law with positions and velocities, such as `k*(hinge.q - q0)`; a force that acts in a \
                    network has its signal there";
        let span = self.system.model.name_span(block);
        self.mistakes.push(Diagnostic::new(codes::NOT_SUPPORTED, span, message).help(help));
    }

    /// The number of a signal among those that expressions use.
    fn expression_signal(&mut self, signal: SignalRef, block: u32) -> SignalRef {
        let mut source = signals::source(self.system, signal);
        if !source.is_kinematic() {
            self.refuse(signal, block);
        }
        let system = &mut *self.system;
        if let (SignalSource::Network(result), Some(network)) = (source, &mut system.network) {
            source = SignalSource::NetworkUsed(network.use_result(result));
        }
        let known = system.expression_signals.iter().position(|&other| other == source);
        let index = known.unwrap_or_else(|| {
            system.expression_signals.push(source);
            system.expression_signals.len() - 1
        });
        SignalRef { block: index as u32, signal: 0, component: 0 }
    }

    fn friction(&mut self, law: &FrictionLaw, freedom: usize, block: u32) -> JointFrictionLaw {
        let sliding = match &law.sliding {
            SlidingFriction::Static => Sliding::Constant(law.static_limit),
            SlidingFriction::Expression(program) => {
                let input = self.programs(std::slice::from_ref(program), block);
                self.system.program_arguments[input] = Some(freedom);
                Sliding::Expression(input)
            }
            SlidingFriction::Table(table) => Sliding::Table(table.clone()),
        };
        JointFrictionLaw { freedom, static_limit: law.static_limit, sliding }
    }

    fn add_options(
        &mut self,
        block: u32,
        options: &CoordinateOptions,
        coordinates: UserCoordinates,
    ) {
        let count = coordinates.count();
        let values = |given: &Option<PerCoordinate>, default: f64| -> Box<[f64]> {
            given
                .as_ref()
                .map_or_else(|| vec![default; count].into(), |PerCoordinate(values)| values.clone())
        };
        for freedom in coordinates.v..coordinates.v + count {
            if options.locked.is_yes() {
                self.add(block, "lock", Box::new(LockLaw { freedom }));
            }
        }
        let laws = options.friction.as_ref().map_or(&[] as &[FrictionLaw], |laws| &laws.0);
        let part = |names: &[&'static str; 7], component: usize| {
            if count == 1 { names[0] } else { names[component + 1] }
        };
        for (k, law) in laws.iter().enumerate().filter(|_| !options.locked.is_yes()) {
            let law = self.friction(law, coordinates.v + k, block);
            self.add(block, part(&FRICTION, k), Box::new(law));
        }
        if let Some(PerCoordinate(damping)) = &options.damping {
            let law = JointDampingLaw { start: coordinates.v, damping: damping.clone() };
            self.add(block, "damping", Box::new(law));
        }
        if let Some(PerCoordinate(stiffness)) = &options.stiffness {
            let (stiffness, rest) = (stiffness.clone(), values(&options.rest, 0.0));
            self.add(
                block,
                "stiffness",
                Box::new(JointStiffnessLaw { coordinates, stiffness, rest }),
            );
        }
        let stiffness = values(&options.stop_stiffness, STOP_STIFFNESS);
        let damping = values(&options.stop_damping, 0.0);
        let sides = [(&options.lower, 1.0, &LOWER_STOP), (&options.upper, -1.0, &UPPER_STOP)];
        for (limits, inwards, names) in sides {
            let Some(PerCoordinate(limits)) = limits else { continue };
            for (component, &limit) in limits.iter().enumerate() {
                let (stiffness, damping) = (stiffness[component], damping[component]);
                let law = StopLaw { coordinates, component, limit, inwards, stiffness, damping };
                self.add(block, part(names, component), Box::new(law));
            }
        }
    }
}

impl SignalSource {
    /// Is it known before forces are?
    fn is_kinematic(self) -> bool {
        !matches!(
            self,
            SignalSource::Force { .. }
                | SignalSource::Power { .. }
                | SignalSource::Drive { .. }
                | SignalSource::Multiplier(..)
                | SignalSource::Plugin { .. }
                | SignalSource::Joint(
                    super::Quantity::Applied
                        | super::Quantity::Acceleration
                        | super::Quantity::Reaction,
                    ..
                )
                | SignalSource::Body(super::Quantity::Acceleration, ..)
        )
    }
}
