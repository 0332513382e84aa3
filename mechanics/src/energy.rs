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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::joints::Geometry;
    use crate::vector::{Sym3, vec3};
    use crate::{BodySpec, Pose, TreeBuilder, kinematics};

    #[test]
    fn a_flying_body_has_the_energies_of_the_textbook() {
        let mut builder = TreeBuilder::new(vec3(0.0, 0.0, -10.0)).unwrap();
        let spec = BodySpec {
            mass: 2.0,
            inertia: Sym3::diagonal(0.1, 0.2, 0.3),
            cg: Pose::from_translation(vec3(0.5, 0.0, 0.0)),
            rotor_inertia: vec![0.0, 0.0, 0.5, 0.0, 0.0, 0.0],
            ..BodySpec::new(BodyId::WORLD, Geometry::Free)
        };
        let body = builder.add_body(&spec).unwrap();
        let tree = builder.build();
        let mut w = Workspace::new(&tree);
        // At (1, 2, 3), not turned, moving along y and z and spinning about z.
        let q = [1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0];
        let v = [0.0, 1.0, 2.0, 0.0, 0.0, 4.0];
        kinematics::update_state(&tree, &q, &v, &mut w);
        kinematics::update_world(&tree, &v, &mut w);
        let b = body_balance(&tree, &w, body);
        // The centre is at (1.5, 2, 3) and moves with (0, 1 + 4 * 0.5, 2).
        assert_eq!(b.kinetic, 0.5 * 2.0 * (9.0 + 4.0) + 0.5 * 0.3 * 16.0);
        assert_eq!(b.potential, 2.0 * 10.0 * 3.0);
        assert_eq!(b.momentum, vec3(0.0, 6.0, 4.0));
        let orbital = vec3(1.5, 2.0, 3.0).cross(b.momentum);
        assert_eq!(b.angular_momentum, orbital + vec3(0.0, 0.0, 0.3 * 4.0));
        assert_eq!(total_balance(&tree, &w), b);
        assert_eq!(rotor_energy(&tree, &v), 0.5 * 0.5 * 4.0);
    }
}
