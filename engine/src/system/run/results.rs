//! What results ask for: poses, energies, signals. All need `observe`, those of positions and
//! velocities at least `update`.

use super::super::signals::{Quantity, SignalSource};
use super::{Element, Failure, MAX_SIGNALS, Run};
use mechanics::forces::law::ContactReport;
use mechanics::loops::ConstraintId;
use mechanics::spatial::{Load, Motion};
use mechanics::{Pose, energy, kinematics};

impl Run<'_> {
    /// Everything that results may show of a state: poses, forces, accelerations, joint loads.
    pub fn observe(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        self.place(t, y)?;
        self.evaluate_expressions()?;
        let (_, v, _) = self.system.split(&self.now.y);
        kinematics::update_world_poses(&self.system.tree, &mut self.now.workspace);
        kinematics::update_world_velocities(&self.system.tree, v, &mut self.now.workspace);
        self.apply_forces()?;
        self.accelerate(true)?;
        self.react();
        self.observe_coordinates();
        self.observe_network()?;
        self.observe_plugins()
    }

    /// Pose of a body of the model (the world is 0).
    pub fn body_pose(&self, body: usize) -> Pose {
        kinematics::body_pose(&self.system.tree, &self.now.workspace, self.system.bodies[body])
    }

    /// Angular velocity and velocity of a body frame.
    pub fn body_twist(&self, body: usize) -> Motion {
        kinematics::body_twist(&self.system.tree, &self.now.workspace, self.system.bodies[body])
    }

    /// Angular acceleration and acceleration of a body frame.
    pub fn body_acceleration(&self, body: usize) -> Motion {
        kinematics::body_acceleration(
            &self.system.tree,
            &self.now.workspace,
            self.system.bodies[body],
        )
    }

    /// Energies and momenta of a body.
    pub fn body_balance(&self, body: usize) -> energy::Balance {
        energy::body_balance(&self.system.tree, &self.now.workspace, self.system.bodies[body])
    }

    /// Mass of a body, kg.
    pub fn body_mass(&self, body: usize) -> f64 {
        self.system.tree.mass(self.system.bodies[body])
    }

    /// Centre of gravity of a body in the world, m.
    pub fn body_centre(&self, body: usize) -> mechanics::Vec3 {
        let centre = self.system.model.bodies[body - 1].cg_position;
        self.body_pose(body).transform_point(mechanics::vec3(centre[0], centre[1], centre[2]))
    }

    /// Origin of a triad of the model in the world, m.
    pub fn triad_position(&self, triad: usize) -> mechanics::Vec3 {
        self.view().place(&self.system.triads[triad]).pose.translation
    }

    /// What `.frc` reports of an element, if it is a contact.
    pub fn contact_report(&self, element: usize) -> Option<ContactReport> {
        let found = &self.system.elements[element];
        found.law.contact_report(&self.view(), self.frozen(element, found))
    }

    /// Energy stored in force elements, J.
    pub fn stored_energy(&self) -> f64 {
        let view = self.view();
        let stored = |(index, element): (usize, &Element)| {
            element.law.energy(&view, self.frozen(index, element))
        };
        let built_in: f64 = self.system.elements.iter().enumerate().map(stored).sum();
        built_in + self.plugin_energy()
    }

    /// Kinetic and potential energy, rotors included, J.
    pub fn mechanical_energy(&self) -> f64 {
        let total = energy::total_balance(&self.system.tree, &self.now.workspace);
        let (_, v, _) = self.system.split(&self.now.y);
        total.kinetic + total.potential + energy::rotor_energy(&self.system.tree, v)
    }

    /// The largest of the energies that take part now, J: what a gap in the balance is compared with.
    pub fn energy_scale(&self) -> f64 {
        let balances = self
            .system
            .tree
            .bodies()
            .map(|body| energy::body_balance(&self.system.tree, &self.now.workspace, body));
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
            SignalSource::Body(quantity, body, component) => {
                self.body_signal(quantity, body, component)
            }
            SignalSource::Power { element } => self.now.powers[element],
            SignalSource::Force { element, signal } => {
                let found = &self.system.elements[element];
                let mut values = [0.0; MAX_SIGNALS];
                let effect = &self.now.effects[element];
                found.law.signals(&self.view(), self.frozen(element, found), effect, &mut values);
                values[signal.min(MAX_SIGNALS - 1)]
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
            SignalSource::Plugin { plugin, signal: 0 } => self.plugin_power(plugin),
            SignalSource::Plugin { plugin, signal } => self.plugin_signal(plugin, signal - 1),
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

    fn body_signal(&self, quantity: Quantity, body: usize, component: usize) -> f64 {
        let of = |vector: mechanics::Vec3| vector.to_array()[component.min(2)];
        match quantity {
            Quantity::Position => of(self.body_pose(body).translation),
            Quantity::Velocity => of(self.body_twist(body).lin),
            Quantity::Turning => of(self.body_twist(body).ang),
            Quantity::Acceleration => of(self.body_acceleration(body).lin),
            Quantity::Energy if component == 0 => self.body_balance(body).kinetic,
            Quantity::Energy => self.body_balance(body).potential,
            Quantity::Applied | Quantity::Reaction => 0.0,
        }
    }

    /// Works the coordinates of all joints out for the signals of the results.
    pub(super) fn observe_coordinates(&mut self) {
        let (q, v) = (&self.now.q, &self.now.v);
        for (joint, coordinates) in self.system.coordinates.iter().enumerate() {
            if let Some(coordinates) = coordinates {
                let (x, rates) = coordinates.read(q, v, &self.now.last_angles[joint]);
                self.now.observed[joint] = [x, rates, coordinates.generalised(&x, &self.now.tau)];
            }
        }
        self.now.is_observed = true;
    }

    fn joint_signal(&self, quantity: Quantity, joint: usize, component: usize) -> f64 {
        // Most signals of a row were worked out when it was observed.
        match quantity {
            Quantity::Reaction => return self.reaction(joint)[component],
            Quantity::Position if self.now.is_observed => {
                return self.now.observed[joint][0][component];
            }
            Quantity::Velocity if self.now.is_observed => {
                return self.now.observed[joint][1][component];
            }
            Quantity::Applied if self.now.is_observed => {
                return self.now.observed[joint][2][component];
            }
            _ => {}
        }
        let (q, v) = (&self.now.q, &self.now.v);
        let Some(coordinates) = &self.system.coordinates[joint] else { return 0.0 };
        let (x, rates) = match self.now.is_observed {
            true => (self.now.observed[joint][0], self.now.observed[joint][1]),
            false => coordinates.read(q, v, &self.now.last_angles[joint]),
        };
        match quantity {
            Quantity::Position => x[component],
            Quantity::Velocity => rates[component],
            Quantity::Turning => coordinates.relative_omega(q, v).to_array()[component],
            Quantity::Acceleration => {
                coordinates.accelerations(&x, &rates, v, &self.now.vdot)[component]
            }
            Quantity::Applied => coordinates.generalised(&x, &self.now.tau)[component],
            Quantity::Reaction | Quantity::Energy => 0.0,
        }
    }

    /// Force and torque of a joint on the body of T1 at the origin of T1, in T0 axes.
    fn reaction(&self, joint: usize) -> [f64; 6] {
        let body = self.system.carried[joint];
        let (rows, n_v) = (&self.system.constraints.rows, self.system.tree.n_v());
        let Load { torque, force } = match (self.system.constraints.joints[joint], &self.now.loops)
        {
            (Some(id), Some(loops)) => {
                loops.workspace.joint_reaction(rows, id, &self.now.tau[n_v..])
            }
            _ => kinematics::joint_reaction(&self.system.tree, &self.now.workspace, body),
        };
        let from = &self.system.triads[self.system.model.joints[joint].connection.from.index()];
        let t0 = self.view().place(from).pose.rotation;
        let (force, torque) =
            (t0.transpose_mul(force).to_array(), t0.transpose_mul(torque).to_array());
        [force[0], force[1], force[2], torque[0], torque[1], torque[2]]
    }
}
