//! What results, plugins and analyses read of a run: poses, energies, signals.
//!
//! Positions and velocities can be read from [`Stage::Placed`] on, forces from [`Stage::Forces`], accelerations from
//! [`Stage::Accelerated`], everything from [`Stage::Observed`].

use super::super::{Quantity, SignalSource};
use super::joint_angles::JointReading;
use super::loop_states::Residuals;
use super::stage::Stage;
use super::{Run, frame_signals, network_part};
use crate::system::source;
use equations::actions::Target;
use equations::expression::SignalRef;
use language::model::Model;
use language::plugin::Observed;
use mechanics::Vec3;
use mechanics::forces::law::ContactReport;
use mechanics::loops::ConstraintId;
use mechanics::spatial::{Load, Motion};
use mechanics::{Pose, energy, kinematics};
use network::NetworkRun;
use network::run::actions::ActionNote;
use network::run::jumps::JumpNote;
use network::words::report::report;

/// Deepest stack of a derived quantity that needs no memory of its own.
const DERIVED_STACK: usize = 32;

impl Run<'_> {
    /// Pose of a body of the model (the world is 0).
    pub fn body_pose(&self, body: usize) -> Pose {
        kinematics::body_pose(
            &self.system.tree,
            &self.now.bodies.workspace,
            self.system.bodies[body],
        )
    }

    /// Angular velocity and velocity of a body frame.
    pub fn body_twist(&self, body: usize) -> Motion {
        kinematics::body_twist(
            &self.system.tree,
            &self.now.bodies.workspace,
            self.system.bodies[body],
        )
    }

    /// Angular acceleration and acceleration of a body frame.
    pub fn body_acceleration(&self, body: usize) -> Motion {
        kinematics::body_acceleration(
            &self.system.tree,
            &self.now.bodies.workspace,
            self.system.bodies[body],
        )
    }

    /// Energies and momenta of a body.
    pub fn body_balance(&self, body: usize) -> energy::Balance {
        energy::body_balance(
            &self.system.tree,
            &self.now.bodies.workspace,
            self.system.bodies[body],
        )
    }

    /// Mass of a body, kg.
    pub fn body_mass(&self, body: usize) -> f64 {
        self.system.tree.mass(self.system.bodies[body])
    }

    /// Centre of gravity of a body in the world, m.
    pub fn body_centre(&self, body: usize) -> Vec3 {
        let centre = self.system.model.bodies[body - 1].cg_position;
        self.body_pose(body).transform_point(mechanics::vec3(centre[0], centre[1], centre[2]))
    }

    /// Origin of a triad of the model in the world, m.
    pub fn triad_position(&self, triad: usize) -> Vec3 {
        self.view().place(&self.system.triads[triad]).pose.translation
    }

    /// What `.frc` reports of an element, if it is a contact.
    pub fn contact_report(&self, element: usize) -> Option<ContactReport> {
        let found = &self.system.elements[element];
        found.law.contact_report(&self.view(), self.now.elements.frozen(element, found))
    }

    /// Energy stored in force elements, J.
    pub fn stored_energy(&self) -> f64 {
        let built_in = self.now.elements.energy(&self.system.elements, &self.view());
        built_in + self.now.plugins.energy()
    }

    /// Kinetic and potential energy, rotors included, J.
    pub fn mechanical_energy(&self) -> f64 {
        let total = energy::total_balance(&self.system.tree, &self.now.bodies.workspace);
        let (_, v, _) = self.system.split(&self.now.y);
        total.kinetic + total.potential + energy::rotor_energy(&self.system.tree, v)
    }

    /// The largest of the energies that take part now, J: what a gap in the balance is compared with.
    pub fn energy_scale(&self) -> f64 {
        let balances =
            self.system.tree.bodies().map(|body| {
                energy::body_balance(&self.system.tree, &self.now.bodies.workspace, body)
            });
        let bodies = balances.map(|balance| balance.kinetic.abs().max(balance.potential.abs()));
        bodies.fold(self.stored_energy().abs(), f64::max)
    }

    /// Work done by an element since the start, J; `None` if it only stores energy.
    pub fn work(&self, element: usize) -> Option<f64> {
        let (_, _, work) = self.system.split(&self.now.y);
        self.system.elements[element].work.map(|place| work[place])
    }

    /// The most work that an element can deliver from the present state on, J; `None` if it may be a source of energy.
    pub fn deliverable(&self, element: usize) -> Option<f64> {
        self.system.elements[element].law.deliverable(&self.view())
    }

    /// Work done by a plugin since the start, J; `None` if it only stores energy or does not act.
    pub fn plugin_work(&self, plugin: usize) -> Option<f64> {
        let (_, _, work) = self.system.split(&self.now.y);
        self.system.plugins.list[plugin].work.map(|place| work[place])
    }

    /// The value of a signal.
    pub fn signal(&self, source: SignalSource) -> f64 {
        match source {
            SignalSource::Joint(quantity, joint, component) => {
                self.joint_signal(quantity, joint, component)
            }
            SignalSource::Body(Quantity::KineticEnergy, body, _) => self.body_balance(body).kinetic,
            SignalSource::Body(Quantity::PotentialEnergy, body, _) => {
                self.body_balance(body).potential
            }
            SignalSource::Body(..) | SignalSource::Triad(..) | SignalSource::Sensor(..) => {
                frame_signals::value(self, source)
            }
            SignalSource::Derived(number) => self.derived_signal(number),
            SignalSource::Power { element } => self.now.elements.powers[element],
            SignalSource::Force { element, signal } => {
                let elements = &self.system.elements;
                self.now.elements.signal(elements, element, signal, &self.view())
            }
            SignalSource::Network(place) => {
                self.network.as_ref().map_or(0.0, |network| network.result(place))
            }
            SignalSource::NetworkUsed(number) => {
                self.network.as_ref().map_or(0.0, |network| network.used(number))
            }
            SignalSource::Drive { drive, power: true } => self.drive_power(drive),
            SignalSource::Drive { drive, power: false } => self.drive_signal(drive),
            SignalSource::Multiplier(id, number) => self.multiplier(id, number),
            SignalSource::Plugin { plugin, signal: 0 } => self.now.plugins.powers[plugin],
            SignalSource::Plugin { plugin, signal } => {
                self.now.plugins.signal(&self.system.plugins.list[plugin], signal - 1)
            }
            SignalSource::Late(place) => self.now.late.values[place],
            SignalSource::Nothing => 0.0,
        }
    }

    /// The force of a row of a constraint: its multiplier.
    fn multiplier(&self, id: ConstraintId, number: usize) -> f64 {
        let row = self.system.constraints.rows.rows_of(id).start + number;
        self.now.loops.as_ref().map_or(0.0, |loops| loops.workspace.multipliers[row])
    }

    /// Work done by the networks on the mechanics since the start, J.
    pub fn port_work(&self) -> Option<f64> {
        let (_, _, work) = self.system.split(&self.now.y);
        self.now.ports.as_ref().map(|_| work[self.system.ports.work])
    }

    /// Works done by prescribed motions since the start: block and work, J.
    pub fn drive_works(&self) -> impl Iterator<Item = (u32, f64)> {
        let (_, _, work) = self.system.split(&self.now.y);
        self.system.constraints.drives.iter().map(|drive| (drive.block, work[drive.work]))
    }

    /// Generalised force of a drive on a freedom of its joint.
    fn drive_force(&self, drive: usize, freedom: usize) -> f64 {
        self.now.stage.needs(Stage::Reacted);
        -self.now.bodies.drive[self.system.constraints.drives[drive].coordinates.v + freedom]
    }

    /// Power of a drive, W.
    pub fn drive_power(&self, drive: usize) -> f64 {
        let of = &self.system.constraints.drives[drive].coordinates;
        (0..of.count()).map(|k| self.drive_force(drive, k) * self.now.bodies.v[of.v + k]).sum()
    }

    /// Force of a drive on its first coordinate, N or Nm.
    pub fn drive_signal(&self, drive: usize) -> f64 {
        self.drive_force(drive, 0)
    }

    /// What keeps a signal of a triad, a body or a sensor from being unique at the present state, if something does.
    pub fn ambiguity(&self, source: SignalSource) -> Option<&'static str> {
        frame_signals::ambiguity(self, source)
    }

    /// What the expression of a Signal block says now. No derived quantity stands in it.
    fn derived_signal(&self, number: usize) -> f64 {
        let Some(signal) = self.system.model.signals.get(number) else { return 0.0 };
        let program = &signal.program;
        let value = |signal| self.signal(source(self.system, signal));
        let mut stack = [0.0; DERIVED_STACK];
        match stack.get_mut(..program.depth()) {
            Some(stack) => program.evaluate(self.now.t, 0.0, value, stack),
            None => program.evaluate(self.now.t, 0.0, value, &mut vec![0.0; program.depth()]),
        }
    }

    fn joint_signal(&self, quantity: Quantity, joint: usize, component: usize) -> f64 {
        if quantity == Quantity::Reaction {
            return self.reaction(joint)[component];
        }
        let Some(coordinates) = &self.system.coordinates[joint] else { return 0.0 };
        let (q, v) = (&self.now.bodies.q, &self.now.bodies.v);
        // Most signals of a row of results were worked out when the state was observed.
        let is_observed = self.now.stage == Stage::Observed;
        let JointReading { x, rates, applied } = match is_observed {
            true => self.now.joints.observed[joint],
            false => {
                let (x, rates) = coordinates.read(q, v, &self.now.joints.last_angles[joint]);
                JointReading { x, rates, applied: [0.0; 6] }
            }
        };
        match quantity {
            Quantity::Position => x[component],
            Quantity::Velocity => rates[component],
            Quantity::Turning => coordinates.relative_omega(q, v).to_array()[component],
            Quantity::Acceleration => {
                coordinates.accelerations(&x, &rates, v, &self.now.bodies.vdot)[component]
            }
            Quantity::Applied if is_observed => applied[component],
            Quantity::Applied => coordinates.generalised(&x, &self.now.bodies.tau)[component],
            _ => 0.0,
        }
    }

    /// Force and torque of a joint on the body of T1 at the origin of T1, in T0 axes.
    fn reaction(&self, joint: usize) -> [f64; 6] {
        let body = self.system.carried[joint];
        let (rows, n_v) = (&self.system.constraints.rows, self.system.tree.n_v());
        let Load { torque, force } = match (self.system.constraints.joints[joint], &self.now.loops)
        {
            (Some(id), Some(loops)) => {
                loops.workspace.joint_reaction(rows, id, &self.now.bodies.tau[n_v..])
            }
            _ => kinematics::joint_reaction(&self.system.tree, &self.now.bodies.workspace, body),
        };
        let from = &self.system.triads[self.system.model.joints[joint].connection.from.index()];
        let t0 = self.view().place(from).pose.rotation;
        let (force, torque) =
            (t0.transpose_mul(force).to_array(), t0.transpose_mul(torque).to_array());
        [force[0], force[1], force[2], torque[0], torque[1], torque[2]]
    }

    /// When the reported angles of a joint first passed a singular position, if they did.
    pub fn singular_since(&self, joint: usize) -> Option<f64> {
        self.now.joints.singular_since(joint)
    }

    /// The largest residuals of the constraints so far.
    pub fn residuals(&self) -> Option<Residuals> {
        self.now.loops.as_ref().map(|loops| loops.residuals)
    }

    /// The present mode of an element.
    pub fn mode(&self, element: usize) -> u8 {
        self.now.elements.modes[element]
    }

    /// Accelerations of the freedoms as last computed.
    pub fn vdot(&self) -> &[f64] {
        &self.now.bodies.vdot[..self.system.tree.n_v()]
    }

    /// Freedoms that are locked or stuck.
    pub fn locked_freedoms(&self) -> impl Iterator<Item = usize> + '_ {
        self.now.elements.locked_freedoms(self.system)
    }
}

/// What reports say about the networks.
impl Run<'_> {
    /// The sum of the powers that flow into all elements of the networks, and the largest of them.
    pub fn network_powers(&self) -> Option<(f64, f64)> {
        let network = self.network.as_ref().filter(|network| !network.network.powers.is_empty());
        network.map(NetworkRun::powers)
    }

    /// The equations of the networks as they are sorted at the start.
    pub fn equations(&mut self) -> String {
        let model = &self.system.model;
        self.network.as_ref().map_or_else(String::new, |network| report(network, &**model))
    }

    /// The places in a state of the storages of the networks that are states in the present modes.
    pub fn free_storages(&self) -> Vec<usize> {
        let first = self.system.network_states().start;
        let free = self.network.as_ref().map_or_else(Vec::new, NetworkRun::free_storages);
        free.into_iter().map(|storage| first + storage).collect()
    }

    /// The name of a storage of the networks, by its place in a state.
    pub fn storage_name(&self, place: usize) -> String {
        let storage = place - self.system.network_states().start;
        let model = &self.system.model;
        let network = self.network.as_ref();
        network.map_or_else(String::new, |run| run.network.state_words(&**model, storage))
    }

    /// Unit of a storage of the networks; empty if it has none.
    pub fn storage_unit(&self, place: usize) -> &str {
        let storage = place - self.system.network_states().start;
        let Some(network) = &self.network else { return "" };
        let (block, label) = network.network.state_label(storage);
        let schema = self.system.model.blocks[block as usize].schema;
        let signal = schema.all_signals().position(|signal| signal.name == label);
        let signal = signal.or(schema.is_value().then_some(0));
        let reference = |signal: usize| SignalRef { block, signal: signal as u16, component: 0 };
        signal.map_or("", |signal| self.system.model.signal_unit(reference(signal)))
    }

    /// Given initial values that the equations of the networks do not allow, in words.
    pub fn missed_values(&self) -> Vec<String> {
        network_part::missed_values(self)
    }

    /// Parts of the networks that were cut off from their reference for a while, in words.
    pub fn island_notes(&self) -> Vec<String> {
        network_part::island_notes(self)
    }

    /// Ideal elements among which nothing determined how they share, in words.
    pub fn share_notes(&self) -> Vec<String> {
        network_part::share_notes(self)
    }

    /// What became a state in the place of what, in words.
    pub fn choice_notes(&self) -> Vec<String> {
        network_part::choice_notes(self)
    }
}

/// What plugins read of a run.
impl Observed for Run<'_> {
    fn time(&self) -> f64 {
        self.now.t
    }

    fn model(&self) -> &Model {
        &self.system.model
    }

    fn body(&self, body: usize) -> (Pose, Motion) {
        (self.body_pose(body), self.body_twist(body))
    }

    fn centre(&self, body: usize) -> Vec3 {
        self.body_centre(body)
    }

    fn triad(&self, triad: usize) -> (Pose, Motion) {
        let placed = self.view().place(&self.system.triads[triad]);
        (placed.pose, placed.twist)
    }

    fn n_coordinates(&self, joint: usize) -> usize {
        self.system.coordinates[joint].map_or(0, |coordinates| coordinates.count())
    }

    fn coordinate(&self, joint: usize, component: usize) -> [f64; 2] {
        // Only plugins ask, whose panics are caught: that of a wrong index tells them what is wrong.
        let Some(coordinates) = &self.system.coordinates[joint] else { return [][component] };
        let (q, v) = (&self.now.bodies.q, &self.now.bodies.v);
        match coordinates.angles {
            None => {
                let q = &q[coordinates.q..][..coordinates.count()];
                [q[component], v[coordinates.v + component]]
            }
            Some(_) => {
                let (x, rates) = coordinates.read(q, v, &self.now.joints.last_angles[joint]);
                [x[..coordinates.count()][component], rates[component]]
            }
        }
    }

    fn signal(&self, signal: SignalRef) -> f64 {
        Run::signal(self, source(self.system, signal))
    }

    fn input(&self, plugin: usize, input: usize) -> f64 {
        self.now.expressions.inputs[self.system.plugins.list[plugin].first_input + input]
    }

    fn states(&self, plugin: usize) -> &[u8] {
        &self.now.plugins.states[self.system.plugins.list[plugin].states.clone()]
    }

    fn states_before(&self, plugin: usize) -> &[u8] {
        &self.now.plugins.before[self.system.plugins.list[plugin].states.clone()]
    }

    fn memory(&self, plugin: usize) -> &[f64] {
        &self.now.plugins.memory[self.system.plugins.list[plugin].memory.clone()]
    }

    fn mode_word(&self, block: u32, part: &str) -> Option<&'static str> {
        let all = &self.system.plugins;
        if let Some(plugin) = all.of_block(block) {
            let at = plugin.declared.iter().position(|state| state.name == part)?;
            let value = self.now.plugins.states[plugin.states.start + at];
            return plugin.declared[at].values.get(usize::from(value)).copied();
        }
        let first = all.first_element(block)?;
        let parts = self.system.elements[first..].iter().zip(&self.now.elements.modes[first..]);
        let mut parts = parts.take_while(|(element, _)| element.block == block);
        let (element, &mode) = parts.find(|(element, _)| element.part == part)?;
        Some(element.law.mode_word(mode))
    }
}

impl Run<'_> {
    /// What `When` blocks and automata did since the last call.
    pub fn take_action_notes(&mut self) -> Vec<ActionNote> {
        let network = self.network.as_mut();
        network.map_or_else(Vec::new, |network| std::mem::take(&mut network.now.actions.notes))
    }

    /// Jumps of what networks store since they were last taken.
    pub fn take_jump_notes(&mut self) -> Vec<JumpNote> {
        let network = self.network.as_mut();
        network.map_or_else(Vec::new, |network| std::mem::take(&mut network.now.notes.jumps))
    }

    /// Has the model a `When` or an automaton?
    pub fn has_actions(&self) -> bool {
        self.network.as_ref().is_some_and(NetworkRun::has_actions)
    }

    /// Work that `When` blocks have done on the bodies by setting coordinates and rates, J; `None` if none can.
    pub fn action_work(&self) -> Option<f64> {
        let moves = |network: &NetworkRun<'_>| {
            let whens = &network.network.flat.actions.whens;
            let mut settings = whens.iter().flat_map(|when| &when.settings);
            settings.any(|s| matches!(s.target, Target::Position(_) | Target::Rate(_)))
        };
        self.network.as_ref().is_some_and(moves).then_some(self.now.action_work)
    }
}
