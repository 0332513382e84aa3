//! Two algorithms, one answer: properties of the mechanics on random trees over all joint types.
//!
//! The seeds are fixed; every tree is the same in every run.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its tree has failed")]

use dysim_tests::random::Random;
use dysim_tests::random_trees as trees;
use mechanics::dense::{self, DenseWorkspace};
use mechanics::energy::{Balance, rotor_energy, total_balance};
use mechanics::joints::universal::UniversalAxes;
use mechanics::kinematics as kin;
use mechanics::spatial::{Load, Motion};
use mechanics::{
    BodyId, BodySpec, EvalError, Geometry, Pose, Tree, Vec3, Workspace, inverse, loads, recursive,
    vec3,
};

const GRAVITY: Vec3 = vec3(0.3, -0.5, -9.81);
const N_TREES: u64 = 500;

/// One random situation: a tree, a state, joint forces and applied loads.
struct Case {
    specs: Vec<BodySpec>,
    tree: Tree,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    loads: Vec<(BodyId, Vec3, Load)>,
}

fn case(seed: u64) -> Case {
    let mut r = Random::new(seed);
    let n = 1 + r.below(60);
    // From bushes to branches in which each body hangs on one of the last three.
    let reach = [3, 6, 60][r.below(3)];
    let specs = trees::bodies(&mut r, n, reach);
    let tree = trees::build(&specs, GRAVITY).unwrap();
    let (q, v) = trees::state(&mut r, &tree, 1.2, 1.0);
    let tau = (0..tree.n_v()).map(|_| r.between(-10.0, 10.0)).collect();
    let loads = tree
        .bodies()
        .filter(|b| b.index() % 3 == 1)
        .map(|b| (b, r.vector(2.0), Load::new(r.vector(3.0), r.vector(10.0))))
        .collect();
    Case { specs, tree, q, v, tau, loads }
}

impl Case {
    /// A workspace with the kinematics of the state and the loads applied.
    fn workspace(&self) -> Workspace {
        let mut w = Workspace::new(&self.tree);
        kin::update_state(&self.tree, &self.q, &self.v, &mut w);
        kin::update_world(&self.tree, &self.v, &mut w);
        for (body, point, load) in &self.loads {
            loads::add_load_at(&mut w, *body, *point, load);
        }
        w
    }

    fn recursive(&self, w: &mut Workspace) -> Vec<f64> {
        let mut vdot = vec![0.0; self.tree.n_v()];
        recursive::accelerations(&self.tree, &self.tau, w, &mut vdot).unwrap();
        vdot
    }
}

fn max_abs(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |m, x| m.max(x.abs()))
}

fn relative_difference(a: &[f64], b: &[f64]) -> f64 {
    let difference: Vec<f64> = a.iter().zip(b).map(|(a, b)| a - b).collect();
    max_abs(&difference) / max_abs(a).max(f64::MIN_POSITIVE)
}

#[test]
fn recursive_and_dense_accelerations_agree() {
    // The dense path loses the condition of the mass matrix, up to 1e5 in these trees, in units of
    // round-off; the recursive one hardly any (see the frame invariance below).
    let mut worst: f64 = 0.0;
    for seed in 0..N_TREES {
        let case = case(seed);
        let mut w = case.workspace();
        let first = case.recursive(&mut w);
        let mut second = vec![0.0; first.len()];
        let mut d = DenseWorkspace::new(&case.tree);
        dense::accelerations(&case.tree, &case.tau, &mut w, &mut d, &mut second).unwrap();
        worst = worst.max(relative_difference(&first, &second));
    }
    println!("recursive against dense: {worst:.1e}");
    assert!(worst < 1e-10, "{worst:.1e}");
}

#[test]
fn inverse_dynamics_of_forward_dynamics_returns_the_forces() {
    // Relative to the largest force in play, gravity and gyroscopic forces included.
    let mut worst: f64 = 0.0;
    for seed in 0..N_TREES {
        let case = case(seed);
        let mut w = case.workspace();
        let vdot = case.recursive(&mut w);
        let (mut tau, mut at_rest) = (vec![0.0; vdot.len()], vec![0.0; vdot.len()]);
        inverse::inverse_dynamics(&case.tree, &vec![0.0; vdot.len()], &mut w, &mut at_rest);
        inverse::inverse_dynamics(&case.tree, &vdot, &mut w, &mut tau);
        let size = max_abs(&case.tau).max(max_abs(&at_rest));
        worst = worst.max(relative_difference(&case.tau, &tau) * max_abs(&case.tau) / size);
    }
    println!("inverse of forward: {worst:.1e}");
    assert!(worst < 1e-12, "{worst:.1e}");
}

#[test]
fn the_norm_of_a_quaternion_does_not_matter() {
    for seed in 0..100 {
        let case = case(seed);
        let unit = case.recursive(&mut case.workspace());
        let mut q = case.q.clone();
        case.tree.normalize_quaternions(&mut q);
        let other = Case { q, ..case };
        let scaled = other.recursive(&mut other.workspace());
        // Only the round-off of the division by the norm differs.
        assert!(relative_difference(&unit, &scaled) < 1e-12);
    }
}

#[test]
fn values_that_are_not_finite_are_reported_and_never_returned() {
    for seed in 0..50 {
        let mut case = case(seed);
        if case.tree.n_v() == 0 {
            continue;
        }
        let k = seed as usize % case.tree.n_v();
        case.tau[k] = f64::NAN;
        let mut vdot = vec![0.0; case.tree.n_v()];
        let mut w = case.workspace();
        let result = recursive::accelerations(&case.tree, &case.tau, &mut w, &mut vdot);
        assert!(matches!(result, Err(EvalError::NotFinite { .. })), "{result:?}");
    }
}

#[test]
fn factor_and_solve_in_two_passes_equal_the_single_pass() {
    for seed in 0..50 {
        let case = case(seed);
        let mut w = case.workspace();
        let one = case.recursive(&mut w);
        let mut two = vec![0.0; one.len()];
        recursive::factor(&case.tree, &mut w).unwrap();
        recursive::solve(&case.tree, &case.tau, &mut w, &mut two).unwrap();
        // The same operations in the same order per link: the same bits.
        assert_eq!(one, two);
    }
}

#[test]
fn the_mass_matrix_is_symmetric_positive_definite_and_gives_the_kinetic_energy() {
    for seed in 0..N_TREES {
        let case = case(seed);
        let w = case.workspace();
        let mut d = DenseWorkspace::new(&case.tree);
        dense::fill_mass_matrix(&case.tree, &w, &mut d);
        let (n, m) = (case.tree.n_v(), d.mass_matrix());
        let mut twice_energy = 0.0;
        for i in 0..n {
            assert!(m[i * n + i] > 0.0);
            for j in 0..n {
                assert_eq!(m[i * n + j], m[j * n + i]);
                twice_energy += case.v[i] * m[i * n + j] * case.v[j];
            }
        }
        // v^T M v > 0 and equal to the energy summed over bodies: round-off of 1e4 terms.
        let energy = total_balance(&case.tree, &w).kinetic + rotor_energy(&case.tree, &case.v);
        assert!(n == 0 || energy > 0.0);
        assert!((0.5 * twice_energy - energy).abs() <= 1e-12 * energy, "{twice_energy} {energy}");
        assert!(is_positive_definite(n, m));
    }
}

/// Cholesky by the textbook, apart from the library's.
fn is_positive_definite(n: usize, m: &[f64]) -> bool {
    let mut l = m.to_vec();
    for j in 0..n {
        for k in 0..j {
            for i in j..n {
                l[i * n + j] -= l[i * n + k] * l[j * n + k];
            }
        }
        if l[j * n + j] <= 0.0 {
            return false;
        }
        let root = l[j * n + j].sqrt();
        for i in j..n {
            l[i * n + j] /= root;
        }
    }
    true
}

/// Energies and momenta at the state moved for a time `h` along the present rates.
fn balance_after(case: &Case, vdot: &[f64], h: f64) -> (Balance, f64) {
    let mut qdot = vec![0.0; case.q.len()];
    case.tree.fill_coordinate_rates(&case.q, &case.v, &mut qdot);
    let q: Vec<f64> = case.q.iter().zip(&qdot).map(|(q, r)| q + h * r).collect();
    let v: Vec<f64> = case.v.iter().zip(vdot).map(|(v, a)| v + h * a).collect();
    let mut w = Workspace::new(&case.tree);
    kin::update_state(&case.tree, &q, &v, &mut w);
    kin::update_world(&case.tree, &v, &mut w);
    (total_balance(&case.tree, &w), rotor_energy(&case.tree, &v))
}

/// First derivative at 0 from values at -2h, -h, h, 2h; error h^4 times the fifth derivative.
fn derivative(f: impl Fn(f64) -> f64, h: f64) -> f64 {
    (8.0 * (f(h) - f(-h)) - (f(2.0 * h) - f(-2.0 * h))) / (12.0 * h)
}

#[test]
fn power_of_all_forces_is_the_rate_of_the_energy() {
    for seed in 0..N_TREES {
        let case = case(seed);
        let mut w = case.workspace();
        let vdot = case.recursive(&mut w);
        let joints: f64 = case.tau.iter().zip(&case.v).map(|(t, v)| t * v).sum();
        let power = joints + loads::applied_power(&w);
        // Step against the fastest change of speed, so that h^4 / 30 and eps / h are both small.
        let h = 1e-3 / (1.0 + max_abs(&vdot));
        let energy = |s: f64| {
            let (b, rotors) = balance_after(&case, &vdot, s);
            b.kinetic + b.potential + rotors
        };
        let rate = derivative(energy, h);
        let size = energy(0.0).abs() + balance_after(&case, &vdot, 0.0).0.kinetic;
        let bound = 1e-9 * power.abs() + 20.0 * f64::EPSILON * size / h;
        assert!((rate - power).abs() < bound, "seed {seed}: {rate} {power} {bound}");
    }
}

#[test]
fn free_systems_keep_their_momenta() {
    for seed in 0..200 {
        let mut r = Random::new(10_000 + seed);
        let n = 2 + r.below(30);
        let mut specs = trees::bodies(&mut r, n, 5);
        // One Free joint without rotor carries all; the others push on each other.
        specs[0].joint = Geometry::Free;
        specs[0].rotor_inertia.clear();
        for spec in &mut specs[1..] {
            spec.mother = spec.mother.max(BodyId::from_index(1));
        }
        let tree = trees::build(&specs, Vec3::ZERO).unwrap();
        let (q, v) = trees::state(&mut r, &tree, 1.2, 1.0);
        let mut tau: Vec<f64> = (0..tree.n_v()).map(|_| r.between(-10.0, 10.0)).collect();
        tau[..6].fill(0.0);
        let case = Case { specs, tree, q, v, tau, loads: Vec::new() };
        let mut w = case.workspace();
        let vdot = case.recursive(&mut w);
        let h = 1e-3 / (1.0 + max_abs(&vdot));
        // The rates of the single bodies, m |a| at arms of some metres, must cancel.
        let rate: f64 = case
            .tree
            .bodies()
            .map(|b| case.tree.mass(b) * kin::body_acceleration(&case.tree, &w, b).lin.norm())
            .sum();
        let now = balance_after(&case, &vdot, 0.0).0;
        let size = now.momentum.norm() + now.angular_momentum.norm() + now.kinetic;
        let bound = 1e-9 * (1.0 + rate) + 40.0 * f64::EPSILON * size / h;
        for axis in 0..3 {
            let linear = derivative(|s| balance_after(&case, &vdot, s).0.momentum[axis], h);
            let angular =
                derivative(|s| balance_after(&case, &vdot, s).0.angular_momentum[axis], h);
            assert!(linear.abs() < bound && angular.abs() < bound, "{linear} {angular} {bound}");
        }
    }
}

#[test]
fn frames_and_zero_positions_do_not_matter() {
    let mut worst: f64 = 0.0;
    for seed in 0..200 {
        let case = case(seed);
        let mut r = Random::new(20_000 + seed);
        // New body frames F_i and a new world frame; gravity and loads follow.
        let moves: Vec<Pose> = (0..=case.tree.n_bodies()).map(|_| r.pose(1.0)).collect();
        let world = moves[0].inverse();
        let (mut specs, mut q) = (case.specs.clone(), case.q.clone());
        for (i, spec) in specs.iter_mut().enumerate() {
            let own = moves[i + 1].inverse();
            spec.t0 = moves[spec.mother.index()].inverse() * spec.t0;
            spec.t1 = own * spec.t1;
            spec.cg = own * spec.cg;
            move_zero(&mut r, &case.tree, BodyId::from_index(i + 1), spec, &mut q);
        }
        let tree = trees::build(&specs, world.rotation * GRAVITY).unwrap();
        let turn = |l: &Load| Load::new(world.rotation * l.torque, world.rotation * l.force);
        let moved = Case {
            specs,
            tree,
            q,
            v: case.v.clone(),
            tau: case.tau.clone(),
            loads: case
                .loads
                .iter()
                .map(|(b, p, l)| (*b, world.transform_point(*p), turn(l)))
                .collect(),
        };
        let a = case.recursive(&mut case.workspace());
        let b = moved.recursive(&mut moved.workspace());
        worst = worst.max(relative_difference(&a, &b));
    }
    println!("frame invariance: {worst:.1e}");
    // Data and state of the moved tree have round-off of their own, some 1e-15, which branches of
    // twenty bodies amplify by a few hundred.
    assert!(worst < 1e-12, "{worst:.1e}");
}

/// Moves T1 along a joint whose positions form a group and corrects the coordinates:
/// `J(q) T1^-1 = J(q - s) (T1 J(-s))^-1`.
fn move_zero(r: &mut Random, tree: &Tree, body: BodyId, spec: &mut BodySpec, q: &mut [f64]) {
    let group = matches!(
        spec.joint,
        Geometry::Revolute(_)
            | Geometry::Prismatic(_)
            | Geometry::BiPrismatic(_)
            | Geometry::TriPrismatic
            | Geometry::Screw(_)
            | Geometry::Cylindrical(_)
    );
    if !group {
        return;
    }
    let prepared = spec.joint.prepare().unwrap();
    let range = tree.q_range(body.joint().unwrap());
    let back: Vec<f64> = range.clone().map(|_| r.between(-1.0, 1.0)).collect();
    spec.t1 = spec.t1 * (prepared.base * prepared.joint.transform(&back) * prepared.tip.inverse());
    for (k, s) in range.zip(&back) {
        q[k] += s;
    }
}

#[test]
fn poses_follow_the_definition() {
    for seed in 0..100 {
        let case = case(seed);
        let w = case.workspace();
        // pose(body) = pose(mother) T0 joint(q) T1^-1.
        let mut poses = vec![Pose::IDENTITY];
        for (i, spec) in case.specs.iter().enumerate() {
            let body = BodyId::from_index(i + 1);
            let p = spec.joint.prepare().unwrap();
            let q = &case.q[case.tree.q_range(body.joint().unwrap())];
            let joint = p.base * p.joint.transform(q) * p.tip.inverse();
            poses.push(poses[spec.mother.index()] * spec.t0 * joint * spec.t1.inverse());
            let found = kin::body_pose(&case.tree, &w, body);
            assert!((found.rotation - poses[i + 1].rotation).max_abs() < 1e-13);
            assert!((found.translation - poses[i + 1].translation).max_abs() < 1e-12);
        }
    }
}

/// Twists of all bodies at the state moved for a time `h` along the present rates.
fn motions_after(case: &Case, vdot: &[f64], h: f64) -> Vec<(Pose, Motion)> {
    let mut qdot = vec![0.0; case.q.len()];
    case.tree.fill_coordinate_rates(&case.q, &case.v, &mut qdot);
    let q: Vec<f64> = case.q.iter().zip(&qdot).map(|(q, r)| q + h * r).collect();
    let v: Vec<f64> = case.v.iter().zip(vdot).map(|(v, a)| v + h * a).collect();
    let mut w = Workspace::new(&case.tree);
    kin::update_state(&case.tree, &q, &v, &mut w);
    kin::update_world(&case.tree, &v, &mut w);
    let motion = |b| (kin::body_pose(&case.tree, &w, b), kin::body_twist(&case.tree, &w, b));
    case.tree.bodies().map(motion).collect()
}

#[test]
fn velocities_and_accelerations_are_rates_in_the_world() {
    for seed in 0..50 {
        let case = case(seed);
        let mut w = case.workspace();
        let vdot = case.recursive(&mut w);
        let h = 1e-4 / (1.0 + max_abs(&vdot)).sqrt();
        let (plus, minus) = (motions_after(&case, &vdot, h), motions_after(&case, &vdot, -h));
        for (k, body) in case.tree.bodies().enumerate() {
            let (x, y) = (kin::body_twist(&case.tree, &w, body), &plus[k]);
            let z = &minus[k];
            let rate = |a: Vec3, b: Vec3| (a - b) * (0.5 / h);
            let a = kin::body_acceleration(&case.tree, &w, body);
            // Central differences: h^2 times third derivatives, which grow with the speeds, and
            // round-off of 1e-15 / h.
            let size = 1.0 + x.lin.norm() + x.ang.norm() + a.lin.norm() + a.ang.norm();
            let bound = 1e-6 * size * (1.0 + x.ang.norm());
            let moved = rate(y.0.translation, z.0.translation);
            assert!((moved - x.lin).max_abs() < bound);
            assert!((rate(y.1.lin, z.1.lin) - a.lin).max_abs() < bound, "seed {seed}");
            assert!((rate(y.1.ang, z.1.ang) - a.ang).max_abs() < bound, "seed {seed}");
        }
    }
}

/// Residual of `inverse(forward(tau)) - tau` for joint forces up to 1 N m: its largest component,
/// and the largest joint force (N m) that gravity and rotation alone would need.
fn chain_residual(tree: &Tree, q: &[f64], v: &[f64], r: &mut Random) -> (f64, f64) {
    let n = tree.n_v();
    let tau: Vec<f64> = (0..n).map(|_| r.between(-1.0, 1.0)).collect();
    let (mut vdot, mut back, mut held) = (vec![0.0; n], vec![0.0; n], vec![0.0; n]);
    let mut w = Workspace::new(tree);
    recursive::forward_dynamics(tree, q, v, &tau, &mut w, &mut vdot).unwrap();
    inverse::inverse_dynamics(tree, &vec![0.0; n], &mut w, &mut held);
    inverse::inverse_dynamics(tree, &vdot, &mut w, &mut back);
    let difference: Vec<f64> = back.iter().zip(&tau).map(|(a, b)| a - b).collect();
    (max_abs(&difference), max_abs(&held).max(max_abs(&tau)))
}

#[test]
fn long_chains_keep_their_digits() {
    let mut r = Random::new(77);
    let crossed = UniversalAxes {
        axis1: Vec3::Y,
        point1: Vec3::ZERO,
        axis2: Vec3::Z,
        point2: vec3(0.1, 0.0, 0.0),
    };
    for n in [64, 128, 256, 512, 1024] {
        let revolute = trees::chain(n, trees::alternating_revolute).unwrap();
        let spherical = trees::chain(n, |_| Geometry::Spherical).unwrap();
        // The general form of the sweeps, which the others do not take.
        let universal = trees::chain(n, |_| Geometry::Universal(crossed)).unwrap();
        let named = [("revolute", &revolute), ("spherical", &spherical), ("universal", &universal)];
        for (name, tree) in named {
            for speed in [0.0, 1.0] {
                let (coiled, v) = trees::state(&mut r, tree, 1.5, speed);
                let straight = tree.home();
                for (shape, q) in [("coiled", &coiled), ("straight", &straight)] {
                    let (residual, size) = chain_residual(tree, q, &v, &mut r);
                    let case = format!("{name} {n} {shape} speed {speed}");
                    println!("{case}: {residual:.1e} of {size:.1e}");
                    // At rest even the applied forces of 1 N m come back to nine digits. Moving
                    // links pull with up to 1e11 N, whose round-off alone is 1e-5.
                    assert!(
                        residual < if speed == 0.0 { 1e-9 } else { 1e-16 * size + 1e-9 },
                        "{case}"
                    );
                    assert!(residual < 1e-9 * size, "{case}");
                }
            }
        }
    }
}

#[test]
fn long_chains_do_not_depend_on_the_frames_of_their_bodies() {
    // The constants of the second chain carry other round-off of 1e-16 throughout; the difference
    // shows what a thousand links make of it.
    let mut r = Random::new(78);
    for n in [64, 256, 1024] {
        for joint in [trees::alternating_revolute, |_| Geometry::Spherical] {
            let mut specs = trees::chain_bodies(n, joint);
            let tree = trees::build(&specs, GRAVITY).unwrap();
            let moves: Vec<Pose> = (0..=n).map(|_| r.pose(0.3)).collect();
            let world = moves[0].inverse();
            for (i, spec) in specs.iter_mut().enumerate() {
                let own = moves[i + 1].inverse();
                spec.t0 = moves[i].inverse() * spec.t0;
                spec.t1 = own * spec.t1;
                spec.cg = own * spec.cg;
            }
            let moved = trees::build(&specs, world.rotation * GRAVITY).unwrap();
            let (q, v) = trees::state(&mut r, &tree, 1.5, 1.0);
            let tau = vec![0.1; tree.n_v()];
            let (mut a, mut b) = (tau.clone(), tau.clone());
            let mut w = Workspace::new(&tree);
            recursive::forward_dynamics(&tree, &q, &v, &tau, &mut w, &mut a).unwrap();
            recursive::forward_dynamics(&moved, &q, &v, &tau, &mut w, &mut b).unwrap();
            let difference = relative_difference(&a, &b);
            println!("{n} links in other frames: {difference:.1e}");
            assert!(difference < 1e-12, "{n}: {difference:.1e}");
        }
    }
}
