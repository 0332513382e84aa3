//! Small systems against closed forms and the verified oracles; random trees are in
//! `tests/mechanics/cross_check.rs` of the workspace.

use super::*;
use crate::energy::total_balance;
use crate::joints::Geometry;
use crate::joints::prismatic::PrismaticAxis;
use crate::joints::revolute::RevoluteAxis;
use crate::quaternion::Quaternion;
use crate::rotation::AngleType;
use crate::vector::{Sym3, vec3};
use crate::{BodySpec, TreeBuilder};

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
    for (tip, freedom) in [(Geometry::Spherical, 0), (slider, 0), (Geometry::Free, 3)] {
        let mut branch = builder.clone();
        let tip = branch.add_body(&BodySpec::new(first, tip)).unwrap();
        let tree = branch.build();
        let mut w = Workspace::new(&tree);
        let zero = vec![0.0; tree.n_v()];
        let mut out = zero.clone();
        let result = forward_dynamics(&tree, &tree.home(), &zero, &zero, &mut w, &mut out);
        let joint = tip.joint().unwrap();
        assert_eq!(result, Err(EvalError::SingularInertia { joint, freedom }));
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

/// One classical Runge-Kutta step of coordinates and speeds without forces.
fn runge_kutta(tree: &Tree, w: &mut Workspace, h: f64, q: &mut [f64], v: &mut [f64]) {
    let (nq, nv) = (q.len(), v.len());
    let zero = vec![0.0; nv];
    let (mut dq, mut dv) = (vec![0.0; nq], vec![0.0; nv]);
    let (mut sum_q, mut sum_v) = (vec![0.0; nq], vec![0.0; nv]);
    for (advance, weight) in [(0.0, 1.0), (0.5, 2.0), (0.5, 2.0), (1.0, 1.0)] {
        let at_q: Vec<f64> = q.iter().zip(&dq).map(|(q, d)| q + advance * h * d).collect();
        let at_v: Vec<f64> = v.iter().zip(&dv).map(|(v, d)| v + advance * h * d).collect();
        tree.fill_coordinate_rates(&at_q, &at_v, &mut dq);
        forward_dynamics(tree, &at_q, &at_v, &zero, w, &mut dv).unwrap();
        sum_q.iter_mut().zip(&dq).for_each(|(s, d)| *s += weight * d);
        sum_v.iter_mut().zip(&dv).for_each(|(s, d)| *s += weight * d);
    }
    q.iter_mut().zip(&sum_q).for_each(|(q, s)| *q += h / 6.0 * s);
    v.iter_mut().zip(&sum_v).for_each(|(v, s)| *v += h / 6.0 * s);
}

/// Largest relative drift of energy and angular momentum of a tumbling free body, and how often
/// it passed close to a singularity of its angles.
fn tumble(kind: AngleType, start: Vec3, spin: Vec3) -> (f64, usize) {
    let mut builder = TreeBuilder::new(Vec3::ZERO).unwrap();
    let body = BodySpec {
        mass: 2.0,
        inertia: Sym3::diagonal(0.2, 0.3, 0.4),
        ..BodySpec::new(BodyId::WORLD, Geometry::Free)
    };
    builder.add_body(&body).unwrap();
    let tree = builder.build();
    let mut w = Workspace::new(&tree);
    let mut q = tree.home();
    q[3..].copy_from_slice(&kind.quaternion(start).to_array());
    let mut v = vec![0.1, 0.2, 0.3, spin.x, spin.y, spin.z];
    let mut measure = |q: &[f64], v: &[f64]| {
        kinematics::update_state(&tree, q, v, &mut w);
        kinematics::update_world(&tree, v, &mut w);
        total_balance(&tree, &w)
    };
    let first = measure(&q, &v);
    let (mut drift, mut passes, mut angles) = (0.0_f64, 0, start);
    let mut steps = Workspace::new(&tree);
    let mut was_close = false;
    for _ in 0..10_000 {
        runge_kutta(&tree, &mut steps, 1e-3, &mut q, &mut v);
        let now = measure(&q, &v);
        let turned = (now.angular_momentum - first.angular_momentum).norm();
        drift = drift
            .max((now.kinetic - first.kinetic).abs() / first.kinetic)
            .max(turned / first.angular_momentum.norm());
        let found = kind.extract(Quaternion::from_slice(&q[3..]), Some(angles));
        assert!(found.values.is_finite());
        angles = found.values;
        let is_close = found.clearance < 5e-3;
        passes += usize::from(is_close && !was_close);
        was_close = is_close;
    }
    (drift, passes)
}

#[test]
fn a_spinning_body_passes_the_singularities_of_its_angles_unharmed() {
    // A spin about the principal axis x (Euler) or y (Cardan) sweeps the middle angle through the
    // singularity again and again; another start stays away from it.
    let runs = [
        (AngleType::Euler, vec3(0.3, 0.0, 0.0), vec3(0.3, 1.3, 0.1), Vec3::X, Vec3::Z),
        (AngleType::Cardan, vec3(0.3, 0.4, 0.0), vec3(0.0, 0.2, 0.1), Vec3::Y, Vec3::Z),
    ];
    for (kind, start, calm_start, through, away) in runs {
        let (drift, passes) = tumble(kind, start, through * 5.0);
        let (calm_drift, calm_passes) = tumble(kind, calm_start, away * 5.0);
        assert!(passes >= 10, "{kind:?} {passes}");
        assert_eq!(calm_passes, 0, "{kind:?}");
        // The same method at the same speed: (5 h)^4 / 120 * 50 rad = 3e-10 in phase; energy and
        // momentum do not feel the phase of a principal spin, so both are round-off of 1e4 steps.
        let bound = 1e-11;
        assert!(drift < bound && calm_drift < bound, "{kind:?} {drift:.1e} {calm_drift:.1e}");
    }
}

/// Turning and sliding links; two links hang on the second one.
fn branched() -> Tree {
    let mut builder = TreeBuilder::new(vec3(0.0, 0.3, -9.81)).unwrap();
    let turns = |axis: Vec3| Geometry::Revolute(RevoluteAxis { axis, point: vec3(0.1, 0.0, 0.2) });
    let slides = Geometry::Prismatic(PrismaticAxis { axis: vec3(0.6, 0.0, 0.8) });
    let joints = [
        (0, turns(Vec3::Z)),
        (1, turns(Vec3::X)),
        (2, turns(vec3(0.0, 0.8, 0.6))),
        (2, slides),
        (3, turns(Vec3::Y)),
    ];
    for (mother, joint) in joints {
        let spec = BodySpec {
            t0: Pose::from_translation(vec3(0.4, -0.1, 0.2)),
            mass: 1.5,
            inertia: Sym3::diagonal(0.2, 0.3, 0.4),
            cg: Pose::from_translation(vec3(0.2, 0.1, -0.1)),
            lockable: true,
            ..BodySpec::new(BodyId(mother), joint)
        };
        builder.add_body(&spec).unwrap();
    }
    builder.build()
}

/// The inertia K of rotors on five joints and five links.
fn rotors() -> [[f64; 10]; 10] {
    let mut k = [[0.0; 10]; 10];
    k[0][0] = 0.7;
    k[9][9] = -0.1;
    for drive in 1..5 {
        // A rotor that turns with (i v + n . omega).
        let (i, j) = (4.0 * drive as f64, 0.02);
        let mount = drive + 4;
        k[drive][drive] += j * i * i;
        k[mount][mount] += j;
        k[drive][mount] += j * i;
        k[mount][drive] += j * i;
    }
    k
}

/// Rotors between joints and the links before them: the inertia that the recursion carries does what the forces
/// `-K a` do that belong to the accelerations found. A slider takes the general sweep, and the second link branches.
#[test]
fn rotors_that_links_carry_act_like_their_forces() {
    use crate::ports::{self, Port, PortPlace};
    let tree = branched();
    // Joint k is geared to a rotor on the link before it; the first has only itself, and the last link a rotor of its own.
    let mounts = [(1, vec3(0.0, 0.6, 0.8)), (2, Vec3::X), (2, Vec3::Z), (3, Vec3::Y), (5, Vec3::X)];
    let mut all: Vec<Port> = (0..5).map(Port::Freedom).collect();
    all.extend(mounts.map(|(body, axis)| Port::Rotation(BodyId(body), axis)));
    let k = rotors();
    let (q, v) = ([0.3, -0.8, 1.1, 0.2, -0.4], [0.4, -0.7, 1.1, 0.5, 2.0]);
    let tau = [1.0, -2.0, 0.5, 3.0, -0.7];
    let mut w = Workspace::new(&tree);
    let (mut found, mut again) = ([0.0; 5], [0.0; 5]);
    kinematics::update_state(&tree, &q, &v, &mut w);
    loads::clear_loads(&mut w);
    let mut places = Vec::new();
    for (row, entries) in k.iter().enumerate() {
        for (column, &inertia) in entries.iter().enumerate().filter(|(_, k)| **k != 0.0) {
            let place = PortPlace::of(&tree, &all[row], &all[column]).unwrap();
            place.add(&mut w, inertia);
            places.push(place);
        }
    }
    accelerations(&tree, &tau, &mut w, &mut found).unwrap();
    places.iter().for_each(|place| place.clear(&mut w));
    let mut a = [0.0; 10];
    ports::accelerations(&all, &tree, &w, &found, &mut a);
    let mut pushed = tau;
    for (row, port) in all.iter().enumerate() {
        let force: f64 = -k[row].iter().zip(&a).map(|(k, a)| k * a).sum::<f64>();
        match *port {
            Port::Rotation(body, axis) => ports::add_torque(&mut w, body, axis * force),
            _ => pushed[row] += force,
        }
    }
    accelerations(&tree, &pushed, &mut w, &mut again).unwrap();
    for (found, again) in found.iter().zip(&again) {
        // Some ten operations for each link, on accelerations up to some ten.
        assert!((found - again).abs() < 1e-12 * (1.0 + found.abs()), "{found} {again}");
    }
    // Without the drives the motion is another one.
    loads::clear_loads(&mut w);
    accelerations(&tree, &tau, &mut w, &mut again).unwrap();
    assert!(found.iter().zip(&again).all(|(a, b)| (a - b).abs() > 1e-2), "{found:?} {again:?}");
}
