//! Random trees over all joint types, and chains.

use mechanics::joints::bi_prismatic::BiPrismaticAxes;
use mechanics::joints::constant_velocity::ConstantVelocityAxes;
use mechanics::joints::cylindrical::CylindricalAxis;
use mechanics::joints::planar::PlanarNormal;
use mechanics::joints::prismatic::PrismaticAxis;
use mechanics::joints::revolute::RevoluteAxis;
use mechanics::joints::screw::ScrewAxis;
use mechanics::joints::universal::UniversalAxes;
use mechanics::{
    BodyId, BodySpec, BuildError, Geometry, JointId, Mat3, Pose, Sym3, Tree, TreeBuilder, Vec3,
    vec3,
};

use crate::random::Random;

/// Number of kinds that `geometry` knows.
pub const N_JOINT_TYPES: usize = 12;

/// A joint of the given kind (0..12) with random axes and points.
pub fn geometry(r: &mut Random, kind: usize) -> Geometry {
    // Second axes that stay clear of the first ones.
    let axis1 = r.direction();
    let across = Mat3::with_third_axis(axis1).column(0);
    let axis2 = (across + axis1 * r.between(-0.5, 0.5)) * r.between(0.5, 2.0);
    let (point1, point2) = (r.vector(0.3), r.vector(0.3));
    match kind {
        0 => Geometry::Free,
        1 => Geometry::Bracket,
        2 => Geometry::Revolute(RevoluteAxis { axis: axis1, point: point1 }),
        3 => Geometry::Universal(UniversalAxes { axis1, point1, axis2, point2 }),
        4 => Geometry::Spherical,
        5 => Geometry::Prismatic(PrismaticAxis { axis: axis1 }),
        6 => Geometry::BiPrismatic(BiPrismaticAxes { axis1, axis2 }),
        7 => Geometry::TriPrismatic,
        8 => {
            let pitch = r.between(-0.3, 0.3);
            Geometry::Screw(ScrewAxis { axis: axis1, point: point1, pitch })
        }
        9 => Geometry::Cylindrical(CylindricalAxis { axis: axis1, point: point1 }),
        10 => Geometry::Planar(PlanarNormal { normal: axis1, point: point1 }),
        _ => Geometry::ConstantVelocity(ConstantVelocityAxes { axis1, axis2, point: point1 }),
    }
}

/// A physical inertia tensor (kg m^2): principal moments of a box of about 0.3 m.
pub fn inertia(r: &mut Random, mass: f64) -> Sym3 {
    let mut side = || r.between(0.1, 0.5).powi(2) * mass / 12.0;
    let (a, b, c) = (side(), side(), side());
    Sym3::diagonal(b + c, a + c, a + b).rotated(&r.quaternion().matrix())
}

/// Descriptions of `n` bodies. Each hangs on one of the last `reach` bodies (or the world), so a
/// small reach gives long branches. Some joints have rotors.
pub fn bodies(r: &mut Random, n: usize, reach: usize) -> Vec<BodySpec> {
    let mut specs = Vec::new();
    for i in 0..n {
        let kind = r.below(N_JOINT_TYPES);
        let joint = geometry(r, kind);
        let mass = r.between(0.2, 3.0);
        let nv = joint.prepare().map_or(0, |p| p.joint.n_freedoms());
        let with_rotor = r.below(4) == 0;
        let rotor_inertia = if with_rotor { vec![r.between(0.0, 0.2); nv] } else { Vec::new() };
        // Body i + 1 hangs on one of the bodies 0 (the world) to i.
        let mother = BodyId::from_index(i - r.below((i + 1).min(reach)));
        specs.push(BodySpec {
            lockable: false,
            mother,
            joint,
            t0: r.pose(0.5),
            t1: r.pose(0.3),
            mass,
            inertia: inertia(r, mass),
            cg: r.pose(0.3),
            rotor_inertia,
        });
    }
    specs
}

/// A tree of the bodies.
pub fn build(specs: &[BodySpec], gravity: Vec3) -> Result<Tree, BuildError> {
    let mut builder = TreeBuilder::new(gravity)?;
    for spec in specs {
        builder.add_body(spec)?;
    }
    Ok(builder.build())
}

/// Random coordinates (angles and shifts up to `size`; bends of constant-velocity joints clear of
/// half a turn by that) and speeds up to `speed`.
pub fn state(r: &mut Random, tree: &Tree, size: f64, speed: f64) -> (Vec<f64>, Vec<f64>) {
    let mut q: Vec<f64> = (0..tree.n_q()).map(|_| r.between(-size, size)).collect();
    for joint in tree.bodies().filter_map(BodyId::joint) {
        randomize_quaternion(r, tree, joint, &mut q);
    }
    let v = (0..tree.n_v()).map(|_| r.between(-speed, speed)).collect();
    (q, v)
}

fn randomize_quaternion(r: &mut Random, tree: &Tree, joint: JointId, q: &mut [f64]) {
    if let Some(offset) = tree.joint(joint).quaternion_offset() {
        let start = tree.q_range(joint).start + offset;
        q[start..start + 4].copy_from_slice(&r.quaternion().to_array());
    }
}

/// A chain of `n` rods of 1 m and 1 kg with the given joint, each rod along x, the next joint at
/// its end; gravity along -z.
pub fn chain(n: usize, joint: impl Fn(usize) -> Geometry) -> Result<Tree, BuildError> {
    build(&chain_bodies(n, joint), vec3(0.0, 0.0, -9.81))
}

/// The bodies of `chain`.
pub fn chain_bodies(n: usize, joint: impl Fn(usize) -> Geometry) -> Vec<BodySpec> {
    let link = |i: usize| BodySpec {
        t0: Pose::from_translation(vec3(if i == 0 { 0.0 } else { 1.0 }, 0.0, 0.0)),
        mass: 1.0,
        inertia: Sym3::diagonal(0.005, 1.0 / 12.0, 1.0 / 12.0),
        cg: Pose::from_translation(vec3(0.5, 0.0, 0.0)),
        ..BodySpec::new(BodyId::from_index(i), joint(i))
    };
    (0..n).map(link).collect()
}

/// The revolute joint number `i` of a spatial chain: axes y and z in turn.
pub fn alternating_revolute(i: usize) -> Geometry {
    let axis = if i.is_multiple_of(2) { Vec3::Y } else { Vec3::Z };
    Geometry::Revolute(RevoluteAxis { axis, point: Vec3::ZERO })
}
