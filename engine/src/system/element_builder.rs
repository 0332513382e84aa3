//! The force elements of a model and of its joints, as laws.

use parser::diagnostic::Diagnostic;

use super::guard_layout::{GuardCounts, GuardLayout};
use super::late_signals::{LateSignals, Sorting};
use super::plugin_elements::{self, PluginElements};
use super::signal_sources::{self, SignalSource};
use super::skeleton::Skeleton;
use super::{ConstraintList, Element};
use equations::expression::switches::Switches;
use equations::expression::{Program, SignalRef};
use language::blocks::forces::{ForceElement, VectorFrame};
use language::blocks::joints::CoordinateOptions;
use language::model::Model;
use language::reading::fields::{
    FrictionLaw, OneSide, PerCoordinate, SlidingFriction, StaticFriction,
};
use language::reading::ids::{JointId, TriadId};
use mechanics::coordinates::UserCoordinates;
use mechanics::forces::law::{Attachment, Law};
use mechanics::forces::{
    BushingLaw, ContactLaw, ContactSimpleLaw, GivenJointLaw, GivenLoadLaw, JointDampingLaw,
    JointFrictionLaw, JointSpringLaw, JointStiffnessLaw, Limit, LockLaw, Sliding, SpringLaw,
    StopLaw,
};
use network::Network;

/// Stiffness of a stop for which none is given, N/m or Nm/rad.
const STOP_STIFFNESS: f64 = 1e6;

/// Names of friction and stops of the coordinates of a joint; a joint with one coordinate has the first name of each row.
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

/// Where a given force acts, and where its reaction does.
#[derive(Clone, Copy)]
struct Ends {
    to: Attachment,
    from: Option<Attachment>,
}

/// Time expressions with what belongs to each.
#[derive(Default)]
pub(super) struct ExpressionList {
    /// The expressions; their signals are indices into `signals`.
    pub programs: Vec<Program>,
    /// The freedom whose speed is the argument of the law of each expression.
    pub arguments: Vec<Option<usize>>,
    /// The block that each expression belongs to.
    pub owners: Vec<u32>,
    /// The signals that expressions use.
    pub signals: Vec<SignalSource>,
    /// The signals by their names.
    pub names: Vec<SignalRef>,
    /// Which of them change at events only.
    pub steps: Vec<bool>,
}

impl ExpressionList {
    fn push(&mut self, program: Program, block: u32) {
        self.programs.push(program);
        self.owners.push(block);
        self.arguments.push(None);
    }

    /// Keeps expressions that use no signals; gives the index of the first.
    pub fn push_plain(&mut self, programs: &[Program], block: u32) -> usize {
        let first = self.programs.len();
        programs.iter().for_each(|program| self.push(program.clone(), block));
        first
    }

    /// The number of a signal among the signals that expressions use.
    fn number(&mut self, source: SignalSource, name: SignalRef, takes_steps: bool) -> usize {
        let known = self.signals.iter().position(|&other| other == source);
        known.unwrap_or_else(|| {
            self.signals.push(source);
            self.names.push(name);
            self.steps.push(takes_steps);
            self.signals.len() - 1
        })
    }
}

/// Collects elements and gives each its place in the vectors of a run.
pub(super) struct ElementBuilder<'a> {
    model: &'a Model,
    skeleton: &'a Skeleton,
    constraints: &'a ConstraintList,
    /// The networks, which learn which of their results expressions use.
    network: Option<Network>,
    /// Time expressions; the expressions of motions come first.
    pub expressions: ExpressionList,
    /// Number of works so far.
    pub n_work: usize,
    network_inputs: Vec<(usize, SignalSource)>,
    late: LateSignals,
    motion_registers: Vec<(usize, u32)>,
    elements: Vec<Element>,
    plugins: PluginElements,
    has_locks: bool,
    n_guards: usize,
    n_memory: usize,
    mistakes: Vec<Diagnostic>,
}

/// The parts that an [`ElementBuilder`] has collected.
pub(super) struct ElementParts {
    /// The networks.
    pub network: Option<Network>,
    /// All time expressions.
    pub expressions: ExpressionList,
    /// Switches in the time expressions.
    pub switches: Switches,
    /// Signals that time expressions of the networks use: their number there, and where they come from.
    pub network_inputs: Vec<(usize, SignalSource)>,
    /// Signals of forces and accelerations in time expressions.
    pub late: LateSignals,
    /// Registers of the networks that motions use: number of the signal, register.
    pub motion_registers: Vec<(usize, u32)>,
    /// Force elements.
    pub elements: Vec<Element>,
    /// Elements of plugins.
    pub plugins: PluginElements,
    /// True if an element can lock a freedom.
    pub has_locks: bool,
    /// The order of the guards.
    pub guards: GuardLayout,
    /// Number of remembered numbers.
    pub n_memory: usize,
    /// Number of works.
    pub n_work: usize,
    /// Mistakes in the elements.
    pub mistakes: Vec<Diagnostic>,
}

impl<'a> ElementBuilder<'a> {
    /// A builder that has collected nothing yet.
    pub fn new(
        model: &'a Model,
        skeleton: &'a Skeleton,
        constraints: &'a ConstraintList,
        network: Option<Network>,
    ) -> Self {
        Self {
            model,
            skeleton,
            constraints,
            network,
            expressions: ExpressionList::default(),
            n_work: 0,
            network_inputs: Vec::new(),
            late: LateSignals::default(),
            motion_registers: Vec::new(),
            elements: Vec::new(),
            plugins: PluginElements::default(),
            has_locks: false,
            n_guards: 0,
            n_memory: 0,
            mistakes: Vec::new(),
        }
    }

    /// Lays the guards out.
    pub fn finish(self) -> ElementParts {
        let Self { mut network, mut expressions, mut plugins, mut late, .. } = self;
        late.sort(&mut Sorting {
            programs: &expressions.programs,
            owners: &expressions.owners,
            signals: &mut expressions.signals,
            names: &expressions.names,
            elements: &self.elements,
        });
        let steps = &expressions.steps;
        let mut switches = Switches::new(&expressions.programs, |s| steps[s.block as usize]);
        let guards = GuardLayout::new(GuardCounts {
            elements: self.n_guards,
            expressions: switches.n_guards(),
            plugins: plugins.n_states,
            network: network.as_ref().map_or(0, Network::n_guards),
        });
        switches.first_guard = guards.expressions.start;
        plugins.first_guard = guards.plugins.start;
        plugins.index_elements(&self.elements);
        if let Some(network) = &mut network {
            network.set_first_guard(guards.network.start);
        }
        ElementParts {
            network,
            expressions,
            switches,
            network_inputs: self.network_inputs,
            late,
            motion_registers: self.motion_registers,
            elements: self.elements,
            plugins,
            has_locks: self.has_locks,
            guards,
            n_memory: self.n_memory,
            n_work: self.n_work,
            mistakes: self.mistakes,
        }
    }

    /// Force elements in the order of the model, then what is in the joints.
    pub fn add_all(&mut self) {
        let model = self.model;
        self.name_signals_of_motions();
        let outside: Vec<(usize, SignalRef)> =
            self.network.iter().flat_map(|network| network.outside()).collect();
        for (number, signal) in outside {
            let mut source = self.source(signal);
            if !(source.is_kinematic() || self.follows_from_state(source)) {
                source = self.late.wait(source, signal, None);
            }
            self.network_inputs.push((number, source));
        }
        for force in &model.forces {
            if let Some(law) = self.law(&force.what, force.block) {
                self.add(force.block, "", law);
            }
        }
        for (joint, &coordinates) in model.joints.iter().zip(&self.skeleton.coordinates) {
            if let (Some(options), Some(coordinates)) = (joint.options.as_deref(), coordinates) {
                self.add_options(joint.block, options, coordinates);
            }
        }
        for plugin in &model.plugins {
            let first_input = self.programs(&plugin.programs, plugin.block);
            let added = plugin_elements::add(
                &mut self.plugins,
                model,
                plugin,
                first_input,
                &mut self.n_work,
            );
            self.mistakes.extend(added.err());
        }
    }

    /// Lets the motions, whose expressions come first, use registers of the networks.
    fn name_signals_of_motions(&mut self) {
        for index in 0..self.expressions.programs.len() {
            let program = self.expressions.programs[index].clone();
            let mapped = program.map_signals(|signal| {
                let number = self.expression_signal(signal);
                let register = self.network.as_ref().and_then(|n| n.register_of(signal));
                self.motion_registers.extend(register.map(|r| (number.block as usize, r)));
                number
            });
            self.expressions.programs[index] = mapped;
        }
    }

    /// Is a signal of a force element a function of the state alone, and of no time expression?
    fn follows_from_state(&self, source: SignalSource) -> bool {
        let SignalSource::Force { element, .. } = source else { return false };
        self.model.forces.get(element).is_some_and(|force| {
            !matches!(
                force.what,
                ForceElement::Force(_) | ForceElement::Torque(_) | ForceElement::JointForce(_)
            )
        })
    }

    fn source(&self, signal: SignalRef) -> SignalSource {
        signal_sources::find(self.model, self.network.as_ref(), self.constraints, signal)
    }

    fn add(&mut self, block: u32, part: &'static str, law: Box<dyn Law>) {
        let guards = self.n_guards..self.n_guards + law.n_guards();
        let memory = self.n_memory..self.n_memory + law.n_memory();
        self.has_locks |= (0..8).any(|mode| law.locks(mode).is_some());
        let work = law.works().then_some(self.n_work);
        (self.n_guards, self.n_memory) = (guards.end, memory.end);
        self.n_work += usize::from(work.is_some());
        self.elements.push(Element { block, part, law, guards, memory, work });
    }

    fn law(&mut self, element: &ForceElement, block: u32) -> Option<Box<dyn Law>> {
        let triad = |id: TriadId| self.skeleton.triads[id.index()];
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
                let ends = Ends { to: triad(f.to), from: f.from.map(triad) };
                self.given(ends, &f.vector.0, f.frame, false, block)
            }
            ForceElement::Torque(f) => {
                let ends = Ends { to: triad(f.to), from: f.from.map(triad) };
                self.given(ends, &f.vector.0, f.frame, true, block)
            }
            ForceElement::JointForce(f) => {
                let coordinates = self.skeleton.coordinates[f.joint.index()]?;
                // A force that acts through ports of the networks does not act a second time.
                let is_port = |network: &Network| network.flat.joint_forces.contains(&block);
                let input = match self.network.as_ref().is_some_and(is_port) {
                    true => self.programs(&vec![Program::constant(0.0); f.value.0.len()], block),
                    false => self.programs(&f.value.0, block),
                };
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
        let UserCoordinates { q, v, .. } = self.skeleton.coordinates[joint.index()]?;
        Some(Box::new(JointSpringLaw { q, v, elastic, damping, rest, one_side: one_side.into() }))
    }

    fn given(
        &mut self,
        ends: Ends,
        vector: &[Program],
        frame: VectorFrame,
        is_torque: bool,
        block: u32,
    ) -> Box<dyn Law> {
        let input = self.programs(vector, block);
        let Ends { to, from } = ends;
        Box::new(GivenLoadLaw { to, from, input, local: frame == VectorFrame::Local, is_torque })
    }

    /// Keeps time expressions; gives the index of the first.
    fn programs(&mut self, programs: &[Program], block: u32) -> usize {
        let first = self.expressions.programs.len();
        for program in programs {
            let mapped = program.map_signals(|signal| self.expression_signal(signal));
            self.expressions.push(mapped, block);
        }
        first
    }

    /// The number of a signal among the signals that expressions use.
    fn expression_signal(&mut self, signal: SignalRef) -> SignalRef {
        let mut source = self.source(signal);
        if let (SignalSource::Network(result), Some(network)) = (source, &mut self.network) {
            source = SignalSource::NetworkUsed(network.use_result(result));
        }
        let number = self.expressions.number(source, signal, self.model.takes_steps(signal));
        SignalRef { block: number as u32, signal: 0, component: 0 }
    }

    fn friction(&mut self, law: &FrictionLaw, freedom: usize, block: u32) -> JointFrictionLaw {
        let static_limit = match &law.static_limit {
            StaticFriction::Constant(limit) => Limit::Constant(*limit),
            StaticFriction::Expression(program) => {
                let input = self.programs(std::slice::from_ref(program), block);
                self.expressions.arguments[input] = Some(freedom);
                Limit::Expression(input)
            }
        };
        let sliding = match &law.sliding {
            SlidingFriction::Static => match static_limit {
                Limit::Constant(limit) => Sliding::Constant(limit),
                Limit::Expression(input) => Sliding::Expression(input),
            },
            SlidingFriction::Expression(program) => {
                let input = self.programs(std::slice::from_ref(program), block);
                self.expressions.arguments[input] = Some(freedom);
                Sliding::Expression(input)
            }
            SlidingFriction::Table(table) => Sliding::Table(table.clone()),
        };
        JointFrictionLaw { freedom, static_limit, sliding }
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
