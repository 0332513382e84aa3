//! From the model to the system: the tree, the triads, the elements.

use parser::diagnostic::Diagnostic;

use super::System;
use super::elements::ElementBuilder;
use super::switches::Switches;
use crate::mechanics::coordinates::{Kind, UserCoordinates};
use crate::mechanics::forces::law::Attachment;
use crate::mechanics::joints::{
    Geometry, bi_prismatic::BiPrismaticAxes, constant_velocity::ConstantVelocityAxes,
    cylindrical::CylindricalAxis, planar::PlanarNormal, prismatic::PrismaticAxis,
    revolute::RevoluteAxis, screw::ScrewAxis, universal::UniversalAxes,
};
use crate::mechanics::rotation::AngleType;
use crate::mechanics::{BodyId, BodySpec, Mat3, Pose, Sym3, TreeBuilder, Vec3, vec3};
use crate::model::fields::{AngleType as Written, PerCoordinate};
use crate::model::general::{Analysis, Formalism};
use crate::model::ids;
use crate::model::joint::{Joint, JointKind, Role};
use crate::model::{Declared, Model, codes};
use crate::network::Network;

/// Builds the system of a checked model.
///
/// # Errors
/// Everything in the model that this version cannot simulate, or that no simulation could.
pub fn build(model: &Model, allow_unphysical: bool) -> Result<System<'_>, Vec<Diagnostic>> {
    let unsupported = not_supported(model);
    if !unsupported.is_empty() {
        return Err(unsupported);
    }
    let order = tree_order(model);
    let mut bodies = vec![BodyId::WORLD; model.bodies.len() + 1];
    let tree = build_tree(model, &order, &mut bodies, allow_unphysical)
        .map_err(|mistake| vec![*mistake])?;
    let mut carried = vec![BodyId::WORLD; model.joints.len()];
    for (body, &id) in model.bodies.iter().zip(&bodies[1..]) {
        carried[body.joint.index()] = id;
    }
    let coordinates: Vec<Option<UserCoordinates>> = model
        .joints
        .iter()
        .zip(&carried)
        .map(|(joint, body)| {
            let id = body.joint()?;
            user_coordinates(joint, tree.q_range(id).start, tree.v_range(id).start)
        })
        .collect();
    let triads = model
        .triads
        .iter()
        .map(|triad| Attachment {
            body: bodies[triad.parent.index()],
            pose: pose(triad.position, triad.orientation, triad.angle_type),
        })
        .collect();
    let network = Network::new(model)?;
    let mut system = System {
        model,
        dense: model.system.formalism == Formalism::Dense,
        tree,
        bodies,
        coordinates,
        carried,
        triads,
        elements: Vec::new(),
        programs: Vec::new(),
        program_owners: Vec::new(),
        program_arguments: Vec::new(),
        network,
        network_inputs: Vec::new(),
        switches: Switches::default(),
        has_locks: false,
        expression_signals: Vec::new(),
        n_guards: 0,
        n_memory: 0,
        n_work: 0,
    };
    let mut builder = ElementBuilder::new(&mut system);
    builder.add_all();
    let mistakes = builder.finish();
    if mistakes.is_empty() { Ok(system) } else { Err(mistakes) }
}

/// What later versions bring.
fn not_supported(model: &Model) -> Vec<Diagnostic> {
    let mut all = Vec::new();
    let mut refuse = |block: Option<u32>, what: &str| {
        let span = block.map_or_else(Default::default, |block| model.name_span(block));
        let message = format!("{what} not yet supported");
        all.push(Diagnostic::new(codes::NOT_SUPPORTED, span, message));
    };
    let solver =
        model.blocks.iter().position(|entry| entry.schema.keyword == "Solver").map(|at| at as u32);
    if model.solver.analysis != Analysis::Dynamic {
        refuse(solver, &format!("`Type = {}` is", model.solver.analysis.word()));
    }
    for joint in &model.joints {
        if joint.connection.role == Role::Loop {
            refuse(Some(joint.block), "joints that close a loop are");
        }
    }
    for constraint in &model.constraints {
        let keyword = model.blocks[constraint.block as usize].schema.keyword;
        refuse(Some(constraint.block), &format!("`{keyword}` is"));
    }
    all
}

/// The bodies with mothers before children, otherwise in the order of the model.
fn tree_order(model: &Model) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); model.bodies.len() + 1];
    for (index, body) in model.bodies.iter().enumerate() {
        children[body.parent.index()].push(index);
    }
    // Depth first, so that a chain lies together in memory.
    let mut order = Vec::with_capacity(model.bodies.len());
    let mut stack: Vec<usize> = children[0].iter().rev().copied().collect();
    while let Some(index) = stack.pop() {
        order.push(index);
        stack.extend(children[index + 1].iter().rev());
    }
    order
}

fn build_tree(
    model: &Model,
    order: &[usize],
    bodies: &mut [BodyId],
    allow_unphysical: bool,
) -> Result<crate::mechanics::Tree, Box<Diagnostic>> {
    let gravity = vector(model.system.gravity) * model.system.gravity_scale;
    let refuse = |block: Option<u32>, error: crate::mechanics::BuildError| {
        let span = block.map_or_else(Default::default, |block| model.name_span(block));
        Box::new(Diagnostic::new(codes::IMPOSSIBLE, span, error.to_string()))
    };
    let mut builder = TreeBuilder::new(gravity).map_err(|error| refuse(None, error))?;
    builder.allow_unphysical(allow_unphysical);
    for &index in order {
        let body = &model.bodies[index];
        let joint = model.joint(body.joint);
        let rotor = joint.options.as_ref().and_then(|options| options.rotor_inertia.as_ref());
        let [xx, xy, xz, yy, yz, zz] = body.inertia;
        let triad = |id: ids::TriadId| {
            let triad = model.triad(id);
            pose(triad.position, triad.orientation, triad.angle_type)
        };
        let spec = BodySpec {
            mother: bodies[body.parent.index()],
            joint: geometry(joint),
            t0: triad(joint.connection.from),
            t1: triad(joint.connection.to),
            mass: body.mass,
            inertia: Sym3 { xx, xy, xz, yy, yz, zz },
            cg: pose(body.cg_position, body.cg_orientation, body.angle_type),
            rotor_inertia: rotor.map_or_else(Vec::new, |PerCoordinate(values)| values.to_vec()),
            lockable: joint
                .options
                .as_ref()
                .is_some_and(|o| o.friction.is_some() || o.locked.is_yes()),
        };
        bodies[index + 1] =
            builder.add_body(&spec).map_err(|error| refuse(Some(body.block), error))?;
    }
    Ok(builder.build())
}

fn vector([x, y, z]: [f64; 3]) -> Vec3 {
    vec3(x, y, z)
}

/// The angle system of the mechanics for a written one.
pub(super) fn angles(written: Written) -> AngleType {
    match written {
        Written::Euler => AngleType::Euler,
        Written::Cardan => AngleType::Cardan,
    }
}

fn pose(position: [f64; 3], orientation: [f64; 3], angle_type: Written) -> Pose {
    // Exactly no rotation stays exactly none.
    let rotation = match orientation {
        [0.0, 0.0, 0.0] => Mat3::IDENTITY,
        _ => angles(angle_type).matrix(vector(orientation)),
    };
    Pose::new(rotation, vector(position))
}

/// The geometry of a joint as the mechanics takes it.
fn geometry(joint: &Joint) -> Geometry {
    match &joint.kind {
        JointKind::Free(_) => Geometry::Free,
        JointKind::Bracket(_) => Geometry::Bracket,
        JointKind::Revolute(j) => {
            Geometry::Revolute(RevoluteAxis { axis: vector(j.axis), point: vector(j.point) })
        }
        JointKind::Universal(j) => Geometry::Universal(UniversalAxes {
            axis1: vector(j.axis1),
            point1: vector(j.point1),
            axis2: vector(j.axis2),
            point2: vector(j.point2),
        }),
        JointKind::Spherical(_) => Geometry::Spherical,
        JointKind::Prismatic(j) => Geometry::Prismatic(PrismaticAxis { axis: vector(j.axis) }),
        JointKind::BiPrismatic(j) => Geometry::BiPrismatic(BiPrismaticAxes {
            axis1: vector(j.axis1),
            axis2: vector(j.axis2),
        }),
        JointKind::TriPrismatic(_) => Geometry::TriPrismatic,
        JointKind::Screw(j) => Geometry::Screw(ScrewAxis {
            axis: vector(j.axis),
            point: vector(j.point),
            pitch: j.pitch,
        }),
        JointKind::Cylindrical(j) => {
            Geometry::Cylindrical(CylindricalAxis { axis: vector(j.axis), point: vector(j.point) })
        }
        JointKind::Planar(j) => {
            Geometry::Planar(PlanarNormal { normal: vector(j.axis), point: vector(j.point) })
        }
        JointKind::ConstantVelocity(j) => Geometry::ConstantVelocity(ConstantVelocityAxes {
            axis1: vector(j.axis1),
            axis2: vector(j.axis2),
            point: vector(j.point),
        }),
    }
}

fn user_coordinates(joint: &Declared<Joint>, q: usize, v: usize) -> Option<UserCoordinates> {
    let (kind, first_angles) = match &joint.kind {
        JointKind::Bracket(_) => return None,
        JointKind::Spherical(j) => (Kind::Spherical(angles(j.angle_type)), vector(j.q)),
        JointKind::Free(j) => (Kind::Free(angles(j.angle_type)), vec3(j.q[3], j.q[4], j.q[5])),
        _ => (Kind::Plain(joint.initial().0.len()), Vec3::ZERO),
    };
    Some(UserCoordinates { q, v, kind, first_angles })
}
