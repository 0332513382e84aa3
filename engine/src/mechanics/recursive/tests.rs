//! Small systems against closed forms and the verified oracles; random trees are in
//! `tests/cross_check.rs` of the workspace.

use super::*;
use crate::mechanics::joints::Geometry;
use crate::mechanics::joints::prismatic::PrismaticAxis;
use crate::mechanics::joints::revolute::RevoluteAxis;
use crate::mechanics::vector::{Sym3, vec3};
use crate::mechanics::{BodySpec, TreeBuilder};

/// The planar chain of the oracles: rods of length 1 m and mass 1 kg, horizontal at q = 0.
fn chain(n: usize) -> Tree {
    let mut builder = TreeBuilder::new(vec3(0.0, 0.0, -9.81)).unwrap();
    let mut mother = BodyId::WORLD;
    for i in 0..n {
        // A positive angle lowers the rod: the axis is +y with z upwards.
        let axis = RevoluteAxis { axis: Vec3::Y, point: Vec3::ZERO };
        let spec = BodySpec {
            t0: Pose::from_translation(vec3(if i == 0 { 0.0 } else { 1.0 }, 0.0, 0.0)),
            mass: 1.0,
            inertia: Sym3::diagonal(0.0, 1.0 / 12.0, 1.0 / 12.0),
            cg: Pose::from_translation(vec3(0.5, 0.0, 0.0)),
            ..BodySpec::new(mother, Geometry::Revolute(axis))
        };
        mother = builder.add_body(&spec).unwrap();
    }
    builder.build()
}

fn vdot(tree: &Tree, q: &[f64], v: &[f64]) -> Vec<f64> {
    let mut w = Workspace::new(tree);
    let (tau, mut out) = (vec![0.0; tree.n_v()], vec![0.0; tree.n_v()]);
    forward_dynamics(tree, q, v, &tau, &mut w, &mut out).unwrap();
    out
}

/// The oracles have ten to twelve digits.
fn assert_close(found: &[f64], expected: &[f64]) {
    for (a, b) in found.iter().zip(expected) {
        assert!((a - b).abs() < 1e-8 * (1.0 + b.abs()), "{found:?} {expected:?}");
    }
}

#[test]
fn horizontal_chains_start_to_fall_as_the_oracles_say() {
    assert_close(&vdot(&chain(1), &[0.0], &[0.0]), &[14.715]);
    assert_close(&vdot(&chain(2), &[0.0; 2], &[0.0; 2]), &[12.61285714, -16.81714286]);
    let five = [12.43864641, -15.77187845, 4.227513812, -1.138176796, 0.3251933702];
    assert_close(&vdot(&chain(5), &[0.0; 5], &[0.0; 5]), &five);
}

#[test]
fn a_moving_chain_agrees_with_the_oracle() {
    let found = vdot(&chain(3), &[0.3, -0.2, 0.5], &[0.4, -0.7, 1.1]);
    assert_close(&found, &[9.97376048984, -8.40963301129, -5.90638369671]);
}

#[test]
fn a_massless_tip_is_an_error_that_names_the_joint() {
    let tree = chain(2);
    let mut builder = TreeBuilder::new(vec3(0.0, 0.0, -9.81)).unwrap();
    let rod = BodySpec {
        mass: 1.0,
        inertia: Sym3::diagonal(1.0, 1.0, 1.0),
        ..BodySpec::new(BodyId::WORLD, Geometry::Spherical)
    };
    let first = builder.add_body(&rod).unwrap();
    let slider = Geometry::Prismatic(PrismaticAxis { axis: Vec3::X });
    for tip in [Geometry::Spherical, slider, Geometry::Free] {
        let mut branch = builder.clone();
        let tip = branch.add_body(&BodySpec::new(first, tip)).unwrap();
        let tree = branch.build();
        let mut w = Workspace::new(&tree);
        let zero = vec![0.0; tree.n_v()];
        let mut out = zero.clone();
        let result = forward_dynamics(&tree, &tree.home(), &zero, &zero, &mut w, &mut out);
        let joint = tip.joint().unwrap();
        assert_eq!(result, Err(EvalError::SingularInertia { joint, freedom: 0 }));
    }
    // A coordinate that is not a number is told apart from a singular inertia.
    let mut w = Workspace::new(&tree);
    let result =
        forward_dynamics(&tree, &[0.0, f64::NAN], &[0.0; 2], &[0.0; 2], &mut w, &mut [0.0; 2]);
    assert!(matches!(result, Err(EvalError::NotFinite { .. })), "{result:?}");
}

#[test]
fn a_rotor_carries_a_massless_tip() {
    let mut builder = TreeBuilder::new(Vec3::ZERO).unwrap();
    let axis = RevoluteAxis { axis: Vec3::Y, point: Vec3::ZERO };
    let spec = BodySpec {
        rotor_inertia: vec![0.25],
        ..BodySpec::new(BodyId::WORLD, Geometry::Revolute(axis))
    };
    builder.add_body(&spec).unwrap();
    let tree = builder.build();
    let mut w = Workspace::new(&tree);
    let mut out = [0.0];
    forward_dynamics(&tree, &[0.3], &[2.0], &[1.5], &mut w, &mut out).unwrap();
    assert_eq!(out, [6.0]);
}

#[test]
fn responses_superpose_to_the_full_solution() {
    let tree = chain(4);
    let (q, v) = ([0.3, -0.2, 0.5, 1.0], [0.4, -0.7, 1.1, 0.2]);
    let mut w = Workspace::new(&tree);
    kinematics::update_state(&tree, &q, &v, &mut w);
    kinematics::update_world_poses(&tree, &mut w);
    factor(&tree, &mut w).unwrap();
    let tip = tree.bodies().last().unwrap();
    let (point, load) = (vec3(1.0, 2.0, -0.5), Load::new(vec3(0.1, 0.7, 0.3), vec3(3.0, 0.0, 2.0)));
    let tau = [0.5, -0.1, 0.2, 0.9];
    let mut free = [0.0; 4];
    solve(&tree, &[0.0; 4], &mut w, &mut free).unwrap();
    let mut case = Sweep::new(&tree);
    case.clear();
    case.add_load_at(&w, tip, point, &load);
    let mut extra = [0.0; 4];
    respond(&tree, &w, &mut case, &tau, &mut extra);
    loads::add_load_at(&mut w, tip, point, &load);
    let mut full = [0.0; 4];
    accelerations(&tree, &tau, &mut w, &mut full).unwrap();
    for k in 0..4 {
        // Sums of numbers up to 1e3 with condition about 1e2.
        assert!((full[k] - free[k] - extra[k]).abs() < 1e-10 * (1.0 + full[k].abs()));
    }
}
