//! Derivatives of the forward dynamics against differences of other formulations, and against Pinocchio.
//!
//! The seeds are fixed; every tree is the same in every run.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its tree has failed")]

use dysim_tests::random::Random;
use dysim_tests::random_trees as trees;
use mechanics::dense::{self, DenseWorkspace};
use mechanics::derivatives::extended::Layout;
use mechanics::derivatives::{Change, Linearised, Passage, fill_displacement, fill_rate_change};
use mechanics::joints::prismatic::PrismaticAxis;
use mechanics::joints::revolute::RevoluteAxis;
use mechanics::kinematics as kin;
use mechanics::spatial::Load;
use mechanics::{
    BodyId, BodySpec, Geometry, Mat3, Pose, Sym3, Tree, Vec3, Workspace, inverse, loads, recursive,
    vec3,
};

const GRAVITY: Vec3 = vec3(0.3, -0.5, -9.81);

/// A random tree in a random state under loads that are fixed in the bodies, and a random change.
struct Case {
    tree: Tree,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
    loads: Vec<(BodyId, Load)>,
    step: Vec<f64>,
    dv: Vec<f64>,
    dtau: Vec<f64>,
}

fn case(seed: u64) -> Case {
    let mut r = Random::new(seed);
    let n = 1 + r.below(30);
    let reach = [3, 6, 60][r.below(3)];
    let specs = trees::bodies(&mut r, n, reach);
    let tree = trees::build(&specs, GRAVITY).unwrap();
    let (q, v) = trees::state(&mut r, &tree, 1.2, 1.0);
    let some = |r: &mut Random, size: f64| -> Vec<f64> {
        (0..tree.n_v()).map(|_| r.between(-size, size)).collect()
    };
    let (tau, step) = (some(&mut r, 10.0), some(&mut r, 1.0));
    let (dv, dtau) = (some(&mut r, 1.0), some(&mut r, 10.0));
    let loads = tree
        .bodies()
        .filter(|b| b.index() % 3 == 1)
        .map(|b| (b, Load::new(r.vector(3.0), r.vector(10.0))))
        .collect();
    Case { tree, q, v, tau, loads, step, dv, dtau }
}

fn moved(x: &[f64], change: &[f64], s: f64) -> Vec<f64> {
    x.iter().zip(change).map(|(x, change)| x + s * change).collect()
}

impl Case {
    /// A workspace at a distance `s` along the change.
    fn workspace(&self, s: f64) -> Workspace {
        let mut w = Workspace::new(&self.tree);
        let mut q = self.q.clone();
        self.tree.displace(&mut q, &self.step.iter().map(|x| s * x).collect::<Vec<f64>>());
        kin::update_state(&self.tree, &q, &moved(&self.v, &self.dv, s), &mut w);
        for (body, load) in &self.loads {
            loads::add_body_load(&self.tree, &mut w, *body, load);
        }
        w
    }

    /// Accelerations and their change.
    fn derivative(&self) -> (Vec<f64>, Vec<f64>) {
        let tree = &self.tree;
        let mut w = self.workspace(0.0);
        let mut vdot = vec![0.0; tree.n_v()];
        recursive::accelerations(tree, &self.tau, &mut w, &mut vdot).unwrap();
        let mut linearised = Linearised::new(tree);
        linearised.form(tree, &w, &self.v, &vdot);
        let mut passage = Passage::new(tree);
        let change = Change { step: &self.step, speeds: &self.dv, forces: &self.dtau };
        let mut found = vec![0.0; tree.n_v()];
        // A second pass through the same buffers must not see the first.
        for _ in 0..2 {
            linearised.follow(tree, &w, change, &mut passage);
            linearised.accelerations(tree, &w, change, &mut passage, &mut found);
        }
        (vdot, found)
    }
}

/// Central differences of order six.
fn difference(h: f64, mut f: impl FnMut(f64) -> Vec<f64>) -> Vec<f64> {
    let mut sum: Vec<f64> = Vec::new();
    for (k, weight) in [(1.0, 0.75), (2.0, -0.15), (3.0, 1.0 / 60.0)] {
        let (ahead, behind) = (f(k * h), f(-k * h));
        sum.resize(ahead.len(), 0.0);
        for ((sum, ahead), behind) in sum.iter_mut().zip(&ahead).zip(&behind) {
            *sum += weight * (ahead - behind) / h;
        }
    }
    sum
}

fn max_abs(a: &[f64]) -> f64 {
    a.iter().fold(0.0, |m, x| m.max(x.abs()))
}

fn gap(a: &[f64], b: &[f64]) -> f64 {
    max_abs(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<f64>>())
}

/// Along the changed states the changed accelerations need the changed forces: a difference of the inverse dynamics, which
/// inverts no matrix.
#[test]
fn changed_accelerations_need_the_changed_forces() {
    let mut worst: f64 = 0.0;
    for seed in 0..300 {
        let case = case(seed);
        let (vdot, change) = case.derivative();
        let forces = |s: f64| {
            let mut tau = vec![0.0; vdot.len()];
            let mut w = case.workspace(s);
            inverse::inverse_dynamics(&case.tree, &moved(&vdot, &change, s), &mut w, &mut tau);
            tau
        };
        // Steps of 0.002: h^6 / 140 times a seventh derivative of 10^3, and eps / h, of the largest force at rest.
        let found = difference(2e-3, forces);
        let mut at_rest = vec![0.0; vdot.len()];
        let mut w = case.workspace(0.0);
        inverse::inverse_dynamics(&case.tree, &vec![0.0; vdot.len()], &mut w, &mut at_rest);
        let size = max_abs(&at_rest).max(max_abs(&found)).max(1.0);
        worst = worst.max(gap(&found, &case.dtau) / size);
    }
    println!("inverse of the derivative: {worst:.1e}");
    assert!(worst < 1e-10, "{worst:.1e}");
}

/// The formulation with the mass matrix, differenced. Its accelerations lose the condition of the mass matrix, up to 1e5 in
/// such trees, in units of round-off, and the difference 1/h more.
#[test]
fn derivatives_agree_with_differences_of_the_mass_matrix() {
    let mut worst: f64 = 0.0;
    for seed in 0..300 {
        let case = case(seed);
        let (_, change) = case.derivative();
        let accelerations = |s: f64| {
            let mut w = case.workspace(s);
            let mut d = DenseWorkspace::new(&case.tree);
            let mut vdot = vec![0.0; case.tree.n_v()];
            let tau = moved(&case.tau, &case.dtau, s);
            dense::accelerations(&case.tree, &tau, &mut w, &mut d, &mut vdot).unwrap();
            vdot
        };
        let found = difference(1e-3, accelerations);
        worst = worst.max(gap(&found, &change) / max_abs(&found).max(1.0));
    }
    println!("differences of the mass matrix: {worst:.1e}");
    assert!(worst < 1e-6, "{worst:.1e}");
}

/// The system with the unknowns of all links, eliminated in its own order without exchanges, leaves the matrix of the states
/// whose columns follow from single changes: `[K(q) v]' = ...` and the accelerations.
#[test]
fn the_extended_system_has_the_derivatives() {
    let mut worst: f64 = 0.0;
    for seed in 0..120 {
        let case = case(seed);
        let tree = &case.tree;
        let (n_q, n_v) = (tree.n_q(), tree.n_v());
        let n = n_q + n_v;
        // Every third tree has places of some bodies among its unknowns.
        let placed = tree.bodies().filter(|body| seed % 3 == 0 && body.index() % 4 == 0);
        let layout = Layout::new(tree, n, placed);
        let mut w = case.workspace(0.0);
        let mut vdot = vec![0.0; n_v];
        recursive::accelerations(tree, &case.tau, &mut w, &mut vdot).unwrap();
        let mut linearised = Linearised::new(tree);
        linearised.form(tree, &w, &case.v, &vdot);
        let size = layout.len();
        let mut matrix = vec![vec![0.0; size]; size];
        let mut places = Vec::new();
        layout.add_tree(tree, &w, &linearised, &case.q, |row, column, value| {
            places.push((row, column));
            matrix[row][column] += value;
        });
        // Before any state is known the entries come in the same sequence.
        let (fresh, mut at) = (Workspace::new(tree), 0);
        layout.add_tree(tree, &fresh, &Linearised::new(tree), &tree.home(), |row, column, _| {
            assert_eq!(places.get(at), Some(&(row, column)), "seed {seed}, entry {at}");
            at += 1;
        });
        assert_eq!(at, places.len(), "seed {seed}");
        // Eliminates the unknowns of the links only: what is left among the states is their matrix.
        for pivot in layout.order(tree).into_iter().map(|k| k as usize).filter(|&k| k >= n) {
            let row = matrix[pivot].clone();
            for (i, other) in matrix.iter_mut().enumerate() {
                if i != pivot && other[pivot] != 0.0 {
                    let factor = other[pivot] / row[pivot];
                    other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
                }
            }
        }
        let mut passage = Passage::new(tree);
        let rest = vec![0.0; n_v];
        for column in 0..n {
            let (mut dq, mut dv, mut step) = (vec![0.0; n_q], rest.clone(), rest.clone());
            if column < n_q {
                dq[column] = 1.0;
            } else {
                dv[column - n_q] = 1.0;
            }
            let mut expected = vec![0.0; n];
            for body in tree.bodies() {
                let joint = body.joint().unwrap();
                let (qs, vs) = (tree.q_range(joint), tree.v_range(joint));
                let (at, kind) = (&case.q[qs.clone()], tree.joint(joint));
                fill_displacement(kind, at, &dq[qs.clone()], &mut step[vs.clone()]);
                let changes = (&dq[qs.clone()], &dv[vs.clone()]);
                fill_rate_change(kind, (at, &case.v[vs]), changes, &mut expected[qs]);
            }
            let change = Change { step: &step, speeds: &dv, forces: &rest };
            linearised.follow(tree, &w, change, &mut passage);
            linearised.accelerations(tree, &w, change, &mut passage, &mut expected[n_q..]);
            let found: Vec<f64> = (0..n).map(|row| matrix[row][column]).collect();
            worst = worst.max(gap(&found, &expected) / max_abs(&expected).max(1.0));
        }
    }
    println!("extended against direct: {worst:.1e}");
    // Both ways lose some units of round-off per body.
    assert!(worst < 1e-9, "{worst:.1e}");
}

/// The derivatives of Pinocchio 4.1.0 (`computeABADerivatives`) for a tree of a revolute, a prismatic, a spherical and another
/// revolute joint.
#[test]
fn derivatives_agree_with_pinocchio() {
    let place = |axis: [f64; 3], angle: f64, at: [f64; 3]| {
        let axis = vec3(axis[0], axis[1], axis[2]).normalized().unwrap();
        Pose::new(Mat3::rotation(axis, angle), vec3(at[0], at[1], at[2]))
    };
    let revolute = |axis: Vec3| Geometry::Revolute(RevoluteAxis { axis, point: Vec3::ZERO });
    let body = |mother, joint, t0, mass, cg: [f64; 3], moments: [f64; 3]| BodySpec {
        t0,
        mass,
        cg: Pose::from_translation(vec3(cg[0], cg[1], cg[2])),
        inertia: Sym3::diagonal(moments[0], moments[1], moments[2]),
        ..BodySpec::new(mother, joint)
    };
    let slider = Geometry::Prismatic(PrismaticAxis { axis: Vec3::X });
    let (one, three) = (BodyId::from_index(1), BodyId::from_index(3));
    let t0 = [
        place([1.0, 0.0, 0.0], 0.4, [0.1, 0.2, 0.3]),
        place([0.0, 1.0, 0.0], 0.7, [1.0, 0.0, 0.1]),
        place([0.0, 0.0, 1.0], -0.3, [0.2, 0.5, 0.0]),
        place([1.0, 1.0, 0.0], 0.9, [0.0, 0.3, 0.5]),
    ];
    let specs = [
        body(BodyId::WORLD, revolute(Vec3::Z), t0[0], 2.0, [0.5, 0.1, -0.2], [0.1, 0.2, 0.25]),
        body(one, slider, t0[1], 1.5, [0.1, -0.3, 0.2], [0.05, 0.06, 0.04]),
        body(one, Geometry::Spherical, t0[2], 0.8, [0.0, 0.2, 0.4], [0.03, 0.05, 0.06]),
        body(three, revolute(Vec3::Y), t0[3], 1.1, [0.3, 0.0, 0.1], [0.02, 0.03, 0.04]),
    ];
    let tree = trees::build(&specs, GRAVITY).unwrap();
    let ball = [0.7504787743864564, 0.32163376045133846, -0.214422506967559, 0.5360562674188974];
    let q = [0.6, -0.25, ball[0], ball[1], ball[2], ball[3], -0.8];
    let (v, tau) = ([0.9, -0.4, 0.5, -0.7, 0.3, 1.2], [1.0, -2.0, 0.5, 0.3, -0.6, 0.4]);
    let (mut w, mut vdot) = (Workspace::new(&tree), [0.0; 6]);
    recursive::forward_dynamics(&tree, &q, &v, &tau, &mut w, &mut vdot).unwrap();
    let close = |found: &[f64], expected: &[f64; 6], what: &str| {
        assert!(gap(found, expected) < 1e-12 * (1.0 + max_abs(expected)), "{what}: {found:?}");
    };
    close(&vdot, &PINOCCHIO_ACCELERATIONS, "accelerations");
    let mut linearised = Linearised::new(&tree);
    linearised.form(&tree, &w, &v, &vdot);
    let (mut passage, rest) = (Passage::new(&tree), [0.0; 6]);
    for k in 0..6 {
        let mut unit = [0.0; 6];
        unit[k] = 1.0;
        let changes = [
            Change { step: &unit, speeds: &rest, forces: &rest },
            Change { step: &rest, speeds: &unit, forces: &rest },
            Change { step: &rest, speeds: &rest, forces: &unit },
        ];
        for (change, (expected, what)) in changes.into_iter().zip(PINOCCHIO_DERIVATIVES) {
            let mut found = [0.0; 6];
            linearised.follow(&tree, &w, change, &mut passage);
            linearised.accelerations(&tree, &w, change, &mut passage, &mut found);
            close(&found, &expected.map(|row| row[k]), what);
        }
    }
}

const PINOCCHIO_ACCELERATIONS: [f64; 6] = [
    -3.6239005973795786,
    4.162603590904676,
    3.7951533314915733,
    -23.47324894100832,
    -7.805392549092687,
    35.91887032648612,
];

/// By displacements, speeds and forces: row by row of the accelerations.
const PINOCCHIO_DERIVATIVES: [([[f64; 6]; 6], &str); 3] = [
    (
        [
            [
                2.449916938639688,
                1.8643385362609863,
                0.5029581010906408,
                -0.06797845681413149,
                -0.1058682072504475,
                -0.17022872047627363,
            ],
            [
                -3.3939123719808135,
                0.04605926370081315,
                -0.11540507224518569,
                0.01559783747938338,
                0.024291741359196015,
                0.03905943207231386,
            ],
            [
                -6.397325154049528,
                0.26237584673290987,
                6.573678412946475,
                -7.136052219954807,
                -13.965537962643578,
                1.7941043659663791,
            ],
            [
                -1.4282700198355407,
                -0.004365760089105894,
                2.1533470217950463,
                0.4518368887288986,
                -1.5490907777095622,
                1.9322228743019405,
            ],
            [
                -1.8785123772902637,
                -1.4056109304748805,
                -2.077503616247329,
                -7.947712230237439,
                2.5255918622411473,
                -3.9118203439560597,
            ],
            [
                0.7266072550440494,
                -0.09245366606459776,
                2.065325307710136,
                20.88738415325477,
                -6.3706095855462905,
                7.113566733492041,
            ],
        ],
        "displacements",
    ),
    (
        [
            [
                0.2227638960881113,
                -0.8390021098876999,
                0.08705219303842761,
                -0.05929639433486893,
                0.05065643028942942,
                0.003180747751513865,
            ],
            [
                1.345037556558856,
                0.1925112626588429,
                -0.01997435691942677,
                0.013605715182349421,
                -0.011623252482777428,
                -0.0007298310202404212,
            ],
            [
                -1.1476502790925303,
                -0.11807613516050118,
                0.09034463367030032,
                1.3363949560966908,
                -0.6035406949452462,
                0.9504600570391124,
            ],
            [
                0.3037024601775986,
                0.0019647085841874136,
                -0.8161780416309767,
                -0.45830380065591647,
                0.39685328201299974,
                0.30531344980094616,
            ],
            [
                -0.3070256082154492,
                0.6325624415374673,
                0.5731137940469253,
                -1.6426669467435462,
                -0.11359563650057058,
                -1.260598477158107,
            ],
            [
                0.48787544315251186,
                0.0416066177823144,
                -1.7980049175920936,
                1.3499499440778377,
                0.9396740070999279,
                0.653458437857254,
            ],
        ],
        "speeds",
    ),
    (
        [
            [
                0.40062615722420675,
                -0.09192473591242258,
                0.05638172744949271,
                -0.0009381545539304667,
                -0.30205056360518306,
                -0.019867291393887036,
            ],
            [
                -0.09192473591242258,
                0.6877590414909084,
                -0.012936937123604383,
                0.00021526205431172477,
                0.06930630412149028,
                0.004558602781535661,
            ],
            [
                0.05638172744949271,
                -0.012936937123604383,
                2.3751953978303324,
                0.15154661720996485,
                1.6764941000428608,
                1.5747039455064713,
            ],
            [
                -0.0009381545539304667,
                0.00021526205431172477,
                0.15154661720996485,
                4.899043262397375,
                4.6296004849709425,
                -7.691886417587165,
            ],
            [
                -0.30205056360518306,
                0.06930630412149028,
                1.6764941000428608,
                4.6296004849709425,
                9.914044204912834,
                -6.8459496812841625,
            ],
            [
                -0.019867291393887036,
                0.004558602781535661,
                1.5747039455064713,
                -7.691886417587165,
                -6.8459496812841625,
                20.767913532425478,
            ],
        ],
        "forces",
    ),
];
