//! Random trees with random loops against full matrices, and the demands of rows against differences.

use super::*;
use crate::dense::{DenseWorkspace, fill_mass_matrix};
use crate::forces::law::Attachment;
use crate::frame_pair::{FrameMeasure, FramePair};
use crate::joints::bi_prismatic::BiPrismaticAxes;
use crate::joints::constant_velocity::ConstantVelocityAxes;
use crate::joints::cylindrical::CylindricalAxis;
use crate::joints::planar::PlanarNormal;
use crate::joints::prismatic::PrismaticAxis;
use crate::joints::revolute::RevoluteAxis;
use crate::joints::screw::ScrewAxis;
use crate::joints::universal::UniversalAxes;
use crate::ports::{ConstrainedMotion, Port, PortPoint, PortWorkspace};
use crate::quaternion::Quaternion;
use crate::recursive;
use crate::{
    BodyId, BodySpec, Geometry, Load, Mat3, Pose, Sym3, Tree, TreeBuilder, Vec3, Workspace,
    inverse, kinematics, loads, vec3,
};
use nalgebra::{DMatrix, DVector};

/// A generator of repeatable numbers (Marsaglia 2003).
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    fn bits(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    /// Between -1 and 1.
    fn number(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    fn vector(&mut self) -> Vec3 {
        vec3(self.number(), self.number(), self.number())
    }

    fn pose(&mut self) -> Pose {
        let axis = (self.vector() + vec3(0.1, 0.2, 1.5)).normalized().unwrap();
        Pose::new(Mat3::rotation(axis, 2.0 * self.number()), self.vector())
    }

    fn geometry(&mut self, kind: usize) -> Geometry {
        let (axis, point) = (self.vector() + vec3(0.0, 0.0, 1.3), self.vector());
        let (axis1, point1) = (self.vector() + vec3(2.0, 0.0, 0.0), self.vector());
        let (axis2, point2) = (self.vector() + vec3(0.0, 2.0, 0.0), self.vector());
        match kind {
            0 => Geometry::Free,
            1 => Geometry::Bracket,
            2 => Geometry::Revolute(RevoluteAxis { axis, point }),
            3 => Geometry::Universal(UniversalAxes { axis1, point1, axis2, point2 }),
            4 => Geometry::Spherical,
            5 => Geometry::Prismatic(PrismaticAxis { axis }),
            6 => Geometry::BiPrismatic(BiPrismaticAxes { axis1, axis2 }),
            7 => Geometry::TriPrismatic,
            8 => Geometry::Screw(ScrewAxis { axis, point, pitch: self.number() }),
            9 => Geometry::Cylindrical(CylindricalAxis { axis, point }),
            10 => Geometry::Planar(PlanarNormal { normal: axis, point }),
            _ => Geometry::ConstantVelocity(ConstantVelocityAxes { axis1, axis2, point }),
        }
    }
}

const KINDS: usize = 12;

/// A tree at a state with loops that are closed there.
struct Case {
    tree: Tree,
    constraints: Constraints,
    w: Workspace,
    loops: LoopWorkspace,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
}

fn random_tree(random: &mut Random, n: usize) -> Tree {
    let mut builder = TreeBuilder::new(vec3(0.3, -0.2, -9.81)).unwrap();
    for k in 0..n {
        // Mostly chains, with branches.
        let mother = if random.below(3) == 0 { random.below(k + 1) } else { k };
        let kind = [0, 1, 2, 2, 2, 2, 3, 4, 4, 5, 5, 6, 7, 8, 9, 10, 11][random.below(17)];
        let cg = random.pose();
        let moments = vec3(1.2, 1.1, 1.3) + random.vector();
        let spec = BodySpec {
            t0: random.pose(),
            t1: random.pose(),
            mass: 1.5 + random.number(),
            inertia: Sym3::diagonal(moments.x, moments.y, moments.z),
            cg,
            lockable: random.below(5) == 0,
            ..BodySpec::new(BodyId::from_index(mother), random.geometry(kind))
        };
        builder.add_body(&spec).unwrap();
    }
    builder.build()
}

fn random_state(random: &mut Random, tree: &Tree) -> (Vec<f64>, Vec<f64>) {
    let mut q: Vec<f64> = tree.home();
    for value in &mut q {
        *value += 0.8 * random.number();
    }
    (q, (0..tree.n_v()).map(|_| random.number()).collect())
}

/// Coordinates of a joint away from home.
fn joint_coordinates(random: &mut Random, geometry: &Geometry) -> Vec<f64> {
    let joint = geometry.prepare().unwrap().joint;
    let mut q = vec![0.0; joint.n_coordinates()];
    joint.fill_home(&mut q);
    for value in &mut q {
        *value += 0.5 * random.number();
    }
    if let Some(start) = joint.quaternion_offset() {
        let unit = Quaternion::from_slice(&q[start..]).normalized().to_array();
        q[start..start + 4].copy_from_slice(&unit);
    }
    q
}

/// A part of the lockable freedoms stands still.
fn lock_some(random: &mut Random, tree: &Tree, w: &mut Workspace, v: &mut [f64]) {
    for (k, v) in v.iter_mut().enumerate() {
        if tree.can_carry(k) && random.below(2) == 0 {
            let locked = random.below(4) == 0;
            w.lock(k, locked);
            if locked {
                *v = 0.0;
            }
        }
    }
}

fn random_case(seed: u64) -> Case {
    let mut random = Random::new(seed);
    let n = 2 + random.below(10);
    let tree = random_tree(&mut random, n);
    let (q, mut v) = random_state(&mut random, &tree);
    let mut w = Workspace::new(&tree);
    kinematics::update_state(&tree, &q, &v, &mut w);
    kinematics::update_world(&tree, &v, &mut w);
    let mut builder = ConstraintsBuilder::new();
    let singles: Vec<usize> = (1..=n).filter(|&k| tree.links[k].nv == 1).collect();
    let mut holds = Vec::new();
    for _ in 0..1 + random.below(4) {
        let (a, b) = (random.below(n + 1), random.below(n + 1));
        if a == b {
            continue;
        }
        let (a, b) = (BodyId::from_index(a), BodyId::from_index(b));
        match random.below(6) {
            0 => {
                let ends = [(a, random.pose()), (b, random.pose())];
                let place = |(body, pose): (BodyId, Pose)| {
                    (kinematics::body_pose(&tree, &w, body) * pose).translation
                };
                let length = (place(ends[1]) - place(ends[0])).norm();
                builder.add_rod(&tree, ends[0], ends[1], length);
            }
            1 if singles.len() > 1 => {
                let pick = |random: &mut Random| singles[random.below(singles.len())];
                let (a, b) = (pick(&mut random), pick(&mut random));
                let of = |k: usize| builder.coordinate(&tree, Ok(BodyId::from_index(k))).unwrap();
                let (a, b) = (of(a), of(b));
                if a != b {
                    builder.add_coupling(&tree, [a, b], 1.7, true);
                }
            }
            _ => {
                let kind = random.below(KINDS);
                let geometry = random.geometry(kind);
                let along = joint_coordinates(&mut random, &geometry);
                let p = geometry.prepare().unwrap();
                let between = p.base * p.joint.transform(&along) * p.tip.inverse();
                let t0 = random.pose();
                let at = |body| kinematics::body_pose(&tree, &w, body);
                let t1 = at(a).inverse() * at(b) * t0 * between;
                let holdable = random.below(3) == 0;
                let id = builder.add_joint(&tree, &geometry, (b, t0), (a, t1), holdable).unwrap();
                if holdable && p.joint.n_freedoms() > 0 {
                    holds.push((id, random.below(p.joint.n_freedoms())));
                }
            }
        }
    }
    let constraints = builder.build();
    let mut loops = LoopWorkspace::new(&constraints);
    for (id, freedom) in holds {
        let (_, range) = constraints.coordinates(id);
        loops.hold(range.start + freedom, Hold::Rest);
    }
    lock_some(&mut random, &tree, &mut w, &mut v);
    let tau = (0..tree.n_v()).map(|_| 5.0 * random.number()).collect();
    Case { tree, constraints, w, loops, q, v, tau }
}

impl Case {
    fn update(&mut self, q: &[f64], v: &[f64]) {
        let Self { tree, constraints, w, loops, .. } = self;
        kinematics::update_state(tree, q, v, w);
        kinematics::update_world(tree, v, w);
        loops.update_positions(constraints, w, q);
        loops.update_velocities(constraints, w, v);
    }

    /// Rows of the constraints in force, dependent ones included, as a full matrix, and what they demand.
    fn jacobian(&self) -> (DMatrix<f64>, DVector<f64>) {
        let Self { tree, constraints, w, loops, .. } = self;
        let mut lines = Vec::new();
        let mut demands = Vec::new();
        for (at, row) in constraints.rows.iter().enumerate() {
            if !loops.is_in_force(constraints, at) {
                continue;
            }
            let mut line = vec![0.0; tree.n_v()];
            let mut demand = loops.gamma[at];
            for load in row.loads.clone() {
                let link = constraints.load_links[load as usize] as usize;
                let mut load = loops.loads[load as usize];
                demand -= w.sweep.acceleration[link].dot(&load);
                let mut j = link;
                while j != 0 {
                    for v in tree.links[j].v_range() {
                        line[v] += w.phi[v].dot(&load);
                    }
                    load = load.transformed(&w.x_parent[j]);
                    j = tree.links[j].parent as usize;
                }
            }
            for direct in row.directs.clone() {
                line[constraints.direct_links[direct as usize].1 as usize] +=
                    loops.coefficients[direct as usize];
            }
            lines.push(line);
            demands.push(demand);
        }
        let m = lines.len();
        let j = DMatrix::from_fn(m, tree.n_v(), |a, b| if w.locked[b] { 0.0 } else { lines[a][b] });
        (j, DVector::from_vec(demands))
    }

    fn mass(&self) -> DMatrix<f64> {
        let n = self.tree.n_v();
        let mut dense = DenseWorkspace::new(&self.tree);
        fill_mass_matrix(&self.tree, &self.w, &mut dense);
        let locked = |k: usize| self.w.locked[k];
        DMatrix::from_fn(n, n, |a, b| match locked(a) || locked(b) {
            true => f64::from(u8::from(a == b)),
            false => dense.mass_matrix()[a * n + b],
        })
    }
}

/// The accelerations by full matrices, dependent rows included.
fn full_solution(case: &mut Case) -> DVector<f64> {
    let n = case.tree.n_v();
    let mut f = vec![0.0; n];
    inverse::inverse_dynamics(&case.tree, &vec![0.0; n], &mut case.w, &mut f);
    let locked = &case.w.locked;
    let f = DVector::from_fn(n, |k, _| if locked[k] { 0.0 } else { case.tau[k] - f[k] });
    let (j, demand) = case.jacobian();
    let l = case.mass().cholesky().unwrap();
    let b = l.l().solve_lower_triangular(&j.transpose()).unwrap();
    let a = l.l().solve_lower_triangular(&f).unwrap();
    if j.nrows() == 0 {
        return l.l().tr_solve_lower_triangular(&a).unwrap();
    }
    let defect = &demand - b.transpose() * &a;
    // The smallest multipliers that fit: eigenvalues that are round-off count as zero.
    let eigen = (b.transpose() * &b).symmetric_eigen();
    let least = 1e-12 * eigen.eigenvalues.amax().max(1e-6);
    let turned = eigen.eigenvectors.transpose() * defect;
    let scaled = turned.zip_map(&eigen.eigenvalues, |x, e| if e > least { x / e } else { 0.0 });
    let step = b * (&eigen.eigenvectors * scaled);
    l.l().tr_solve_lower_triangular(&(a + step)).unwrap()
}

#[test]
fn the_recursion_agrees_with_full_matrices() {
    let mut compared = 0;
    let mut redundant = 0;
    for seed in 0..600 {
        let mut case = random_case(seed);
        if case.constraints.n_rows() == 0 {
            continue;
        }
        let (q, v) = (case.q.clone(), case.v.clone());
        case.update(&q, &v);
        loads::clear_loads(&mut case.w);
        case.loops.select_rows(&case.constraints, &case.tree, &mut case.w).unwrap();
        // Random demands of dependent rows contradict each other: make the speeds fit first.
        let mut change = vec![0.0; v.len()];
        case.loops.factor(&case.tree, &mut case.w).unwrap();
        case.loops.stop_rates(&case.tree, &mut case.w, &mut change);
        let v: Vec<f64> = v.iter().zip(&change).map(|(v, c)| v + c).collect();
        case.update(&q, &v);
        let (j, _) = case.jacobian();
        let mut vdot = vec![0.0; v.len()];
        let tau = case.tau.clone();
        case.loops.accelerations(&case.tree, &tau, &mut case.w, &mut vdot).unwrap();
        let full = full_solution(&mut case);
        let rank = case.loops.n_selected();
        redundant += usize::from(rank < j.nrows());
        // Positions near a singular one lose digits in both ways.
        let weakest = case.loops.weakest().map_or(1.0, |(_, sine)| sine);
        if weakest < 1e-4 {
            continue;
        }
        compared += 1;
        let size = full.amax().max(1.0);
        for (k, found) in vdot.iter().enumerate() {
            assert!((found - full[k]).abs() < 1e-9 * size, "seed {seed}: {k}: {found} {}", full[k]);
        }
    }
    assert!(compared > 400 && redundant > 50, "{compared} {redundant}");
}

#[test]
fn the_demands_are_derivatives_of_the_rates_and_these_of_the_gaps() {
    // Central differences: h^2 / 6 times third derivatives of size 100, plus round-off / h.
    let (h, near) = (1e-5, 1e-6);
    for seed in 0..300 {
        let mut case = random_case(seed);
        if case.constraints.n_rows() == 0 {
            continue;
        }
        let (q, v) = (case.q.clone(), case.v.clone());
        case.update(&q, &v);
        case.loops.follow();
        loads::clear_loads(&mut case.w);
        case.loops.select_rows(&case.constraints, &case.tree, &mut case.w).unwrap();
        let mut change = vec![0.0; v.len()];
        case.loops.factor(&case.tree, &mut case.w).unwrap();
        case.loops.stop_rates(&case.tree, &mut case.w, &mut change);
        let v: Vec<f64> = v.iter().zip(&change).map(|(v, c)| v + c).collect();
        case.update(&q, &v);
        let weak = case.loops.weakest().is_some_and(|(_, sine)| sine < 1e-4);
        let fast = v.iter().any(|v| v.abs() > 3.0);
        if weak || fast {
            continue;
        }
        let in_force = |row: &usize| case.loops.is_in_force(&case.constraints, *row);
        let rates = (0..case.constraints.n_rows()).filter(in_force).map(|row| case.loops.rate[row]);
        let worst = rates.fold(0.0, |worst: f64, rate| worst.max(rate.abs()));
        assert!(worst < 1e-12, "seed {seed}: {worst}");
        let (tau, mut vdot) = (case.tau.clone(), vec![0.0; v.len()]);
        case.loops.accelerations(&case.tree, &tau, &mut case.w, &mut vdot).unwrap();
        let rows: Vec<usize> =
            (0..case.constraints.n_rows()).filter(|&row| case.loops.is_selected(row)).collect();
        let size = vdot.iter().fold(1.0, |size: f64, a| size.max(a.abs()));
        let mut at = |s: f64| {
            // q + s q' + s^2/2 q'' with q' = H(q) v and q'' from a step of the rates.
            let step = |q: &[f64], v: &[f64], s: f64| {
                let mut rate = vec![0.0; q.len()];
                case.tree.fill_coordinate_rates(q, v, &mut rate);
                q.iter().zip(&rate).map(|(q, r)| q + s * r).collect::<Vec<f64>>()
            };
            let ahead: Vec<f64> = v.iter().zip(&vdot).map(|(v, a)| v + 0.5 * s * a).collect();
            let middle = step(&q, &v, 0.5 * s);
            let mut rate = vec![0.0; q.len()];
            case.tree.fill_coordinate_rates(&middle, &ahead, &mut rate);
            let q: Vec<f64> = q.iter().zip(&rate).map(|(q, r)| q + s * r).collect();
            let v: Vec<f64> = v.iter().zip(&vdot).map(|(v, a)| v + s * a).collect();
            case.update(&q, &v);
            (case.loops.rate.clone(), case.loops.gap.clone())
        };
        let ((rate1, gap1), (rate0, gap0)) = (at(h), at(-h));
        for &row in &rows {
            let bend = (rate1[row] - rate0[row]) / (2.0 * h);
            assert!(bend.abs() < near * size * size, "seed {seed} row {row}: {bend}");
            let drift = (gap1[row] - gap0[row]) / (2.0 * h);
            assert!(drift.abs() < near * size, "seed {seed} row {row}: drift {drift}");
        }
    }
}

/// The rows S of ports, with `S v` the speeds along them, by walking from each load to the root.
fn port_rows(case: &Case, ports: &[Port]) -> DMatrix<f64> {
    let Case { tree, constraints, w, loops, .. } = case;
    let mut rows = DMatrix::zeros(ports.len(), tree.n_v());
    for (k, port) in ports.iter().enumerate() {
        let loads = match *port {
            Port::Freedom(v) => {
                rows[(k, v)] = 1.0;
                continue;
            }
            Port::LoopFreedom(f) => loops.freedom_loads(constraints, f),
            Port::Rotation(body, axis) => {
                [(body.index(), Load::new(axis, Vec3::ZERO)), (0, Load::ZERO)]
            }
            Port::Distance(_) | Port::Frames(_) => port.loads(w),
        };
        for (mut link, mut load) in loads {
            while link != 0 {
                tree.links[link].v_range().for_each(|v| rows[(k, v)] += w.phi[v].dot(&load));
                load = load.transformed(&w.x_parent[link]);
                link = tree.links[link].parent as usize;
            }
        }
    }
    for v in (0..tree.n_v()).filter(|&v| w.locked[v]) {
        rows.column_mut(v).fill(0.0);
    }
    rows
}

/// Ports of all kinds.
fn random_ports(case: &Case, random: &mut Random) -> Vec<Port> {
    let n = case.tree.n_v();
    let mut ports: Vec<Port> = (0..n.min(3)).map(|_| Port::Freedom(random.below(n))).collect();
    let body = BodyId::from_index(1 + random.below(case.tree.n_bodies()));
    ports.push(Port::rotation(&case.tree, body, random.vector().normalized().unwrap()));
    let other = BodyId::from_index(random.below(case.tree.n_bodies() + 1));
    let ends = [body, other].map(|link| PortPoint { link, place: random.vector() });
    ports.push(Port::distance(&case.tree, ends));
    for (measure, is_local) in [
        (FrameMeasure::Place(0), false),
        (FrameMeasure::Place(1), true),
        (FrameMeasure::Turn(2), false),
        (FrameMeasure::Turn(0), true),
    ] {
        let [from, to] = [body, other].map(|body| Attachment {
            body,
            pose: Pose::new(
                Mat3::rotation(random.vector().normalized().unwrap(), 1.0),
                random.vector(),
            ),
        });
        let pair = FramePair { from, to, is_local };
        ports.push(Port::Frames(pair.port(measure, &case.tree)));
    }
    ports.extend((0..case.constraints.n_v()).take(2).map(Port::LoopFreedom));
    ports
}

#[test]
fn responses_at_ports_are_those_of_full_matrices() {
    let (mut compared, mut of_loops, mut of_trees) = (0, 0, 0);
    for seed in 0..400 {
        let mut case = random_case(seed);
        let mut random = Random::new(seed + 10_000);
        let (q, v) = (case.q.clone(), case.v.clone());
        case.update(&q, &v);
        loads::clear_loads(&mut case.w);
        case.loops.select_rows(&case.constraints, &case.tree, &mut case.w).unwrap();
        let ports = random_ports(&case, &mut random);
        of_loops += usize::from(case.constraints.n_v() > 0);
        let (mut vdot, tau) = (vec![0.0; case.tree.n_v()], case.tau.clone());
        let mut space = PortWorkspace::new(&case.tree, ports.len());
        let has_loops = !case.constraints.is_empty();
        let accelerated = match has_loops {
            true => case.loops.accelerations(&case.tree, &tau, &mut case.w, &mut vdot),
            false => recursive::accelerations(&case.tree, &tau, &mut case.w, &mut vdot),
        };
        accelerated.unwrap();
        if case.loops.weakest().is_some_and(|(_, sine)| sine < 1e-4) {
            continue;
        }
        compared += 1;
        of_trees += usize::from(!has_loops);
        let s = port_rows(&case, &ports);
        let mut all = vec![0.0; ports.len() * ports.len()];
        if !has_loops {
            space.respond_all(&ports, |_| true, &case.tree, &case.w, &mut all);
        }
        for k in 0..ports.len() {
            let mut column: Vec<f64> =
                (0..ports.len()).map(|row| all[row * ports.len() + k]).collect();
            let Case { tree, constraints, w, loops, .. } = &mut case;
            if has_loops {
                let of = ConstrainedMotion { tree, rows: constraints, w, loops };
                space.respond(&ports, k, of, &mut column);
            }
            // Difference of two solutions: their rounding, over the size of the response.
            let rest = full_solution(&mut case);
            case.tau.iter_mut().enumerate().for_each(|(v, t)| *t += s[(k, v)]);
            let pushed = full_solution(&mut case);
            case.tau.iter_mut().enumerate().for_each(|(v, t)| *t -= s[(k, v)]);
            let expected = &s * (&pushed - &rest);
            let near = 1e-9 * (1.0 + rest.amax());
            for (row, a) in column.iter().enumerate() {
                let error = (a - expected[row]).abs();
                assert!(error < near, "seed {seed}: {row},{k}: {a} {}", expected[row]);
            }
        }
    }
    assert!(of_trees > 20, "{of_trees}");
    assert!(compared > 300 && of_loops > 100, "{compared} {of_loops}");
}
