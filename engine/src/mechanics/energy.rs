//! Energies and momenta of bodies and of the whole tree.

use super::ids::BodyId;
use super::tree::Tree;
use super::vector::Vec3;
use super::workspace::Workspace;

/// Mechanical quantities of one body or of a sum of bodies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// Kinetic energy (J).
    pub kinetic: f64,
    /// Potential energy of gravity, zero at the world origin (J).
    pub potential: f64,
    /// Linear momentum, world axes (kg m/s).
    pub momentum: Vec3,
    /// Angular momentum about the world origin, world axes (kg m^2/s).
    pub angular_momentum: Vec3,
}

/// Energies and momenta of one body. Needs `kinematics::update_world_velocities`.
pub fn body_balance(tree: &Tree, w: &Workspace, body: BodyId) -> Balance {
    let i = body.index();
    let (frames, x, y) = (&tree.frames[i], &w.x_world[i], &w.twist_world[i]);
    let arm = x.rotation * frames.cg.translation;
    let centre = x.translation + arm;
    let velocity = y.lin + y.ang.cross(arm);
    // The spin is simplest in link axes, where tensor and angular velocity are at hand.
    let omega = w.omega[i];
    let spin = frames.theta_cg * omega;
    let momentum = velocity * frames.mass;
    Balance {
        kinetic: 0.5 * (momentum.dot(velocity) + omega.dot(spin)),
        potential: -frames.mass * tree.gravity.dot(centre),
        momentum,
        angular_momentum: centre.cross(momentum) + x.rotation * spin,
    }
}

/// Sum over all bodies, without rotors. Needs `kinematics::update_world_velocities`.
pub fn total_balance(tree: &Tree, w: &Workspace) -> Balance {
    let mut total = Balance::default();
    for body in tree.bodies() {
        let b = body_balance(tree, w, body);
        total.kinetic += b.kinetic;
        total.potential += b.potential;
        total.momentum += b.momentum;
        total.angular_momentum += b.angular_momentum;
    }
    total
}

/// Kinetic energy of the rotor inertias (J) at the speeds `v`. It belongs to no body; the rotors
/// carry no momentum in the model of the language.
pub fn rotor_energy(tree: &Tree, v: &[f64]) -> f64 {
    if !tree.has_rotors {
        return 0.0;
    }
    tree.rotor.iter().zip(v).map(|(j, v)| 0.5 * j * v * v).sum()
}
