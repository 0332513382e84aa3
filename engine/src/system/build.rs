//! From the model to the system: the tree, the triads, the elements.

use std::sync::Arc;

use parser::diagnostic::Diagnostic;

use super::System;
use super::constraints::{self, ConstraintList};
use super::elements::ElementBuilder;
use super::plugins::PluginElements;
use super::ports::{self, PortList};
use crate::blocks::body::Triad;
use crate::blocks::general::Formalism;
use crate::blocks::joints::{Joint, JointKind};
use crate::blocks::network::NetworkElement;
use crate::codes;
use crate::expression::switches::Switches;
use crate::model::{Declared, Model};
use crate::network::run::open_ports::MANY_DRIVES;
use crate::reading::fields::PerCoordinate;
use crate::reading::ids;
use mechanics::coordinates::{Kind, UserCoordinates};
use mechanics::forces::law::Attachment;
use mechanics::joints::{
    Geometry, bi_prismatic::BiPrismaticAxes, constant_velocity::ConstantVelocityAxes,
    cylindrical::CylindricalAxis, planar::PlanarNormal, prismatic::PrismaticAxis,
    revolute::RevoluteAxis, screw::ScrewAxis, universal::UniversalAxes,
};
use mechanics::{BodyId, BodySpec, Sym3, TreeBuilder, Vec3, vec3};

/// Builds the system of a checked model.
///
/// # Errors
/// Everything in the model that this version cannot simulate, or that no simulation could.
pub fn build(model: &Arc<Model>, allow_unphysical: bool) -> Result<System, Vec<Diagnostic>> {
    let order = tree_order(model);
    let mut bodies = vec![BodyId::WORLD; model.bodies.len() + 1];
    let tree = build_tree(model, &order, &mut bodies, allow_unphysical)
        .map_err(|mistake| vec![*mistake])?;
    let mut carried = vec![BodyId::WORLD; model.joints.len()];
    for (body, &id) in model.bodies.iter().zip(&bodies[1..]) {
        carried[body.joint.index()] = id;
    }
    let attach = |triad: &Declared<Triad>| Attachment {
        body: bodies[triad.parent.index()],
        pose: triad.pose(),
    };
    let triads: Vec<Attachment> = model.triads.iter().map(attach).collect();
    let frame = |id: ids::TriadId| (triads[id.index()].body, triads[id.index()].pose);
    let (builder, list) =
        constraints::add_joints(model, &tree, &frame).map_err(|mistake| vec![*mistake])?;
    let place = |index: usize| match list.joints[index] {
        // Coordinates of loop joints stand behind those of the tree.
        Some(id) => {
            let (q, v) = builder.coordinates(id);
            Some((tree.n_q() + q.start, tree.n_v() + v.start))
        }
        None => {
            let id = carried[index].joint()?;
            Some((tree.q_range(id).start, tree.v_range(id).start))
        }
    };
    let coordinates: Vec<Option<UserCoordinates>> = model
        .joints
        .iter()
        .enumerate()
        .map(|(index, joint)| place(index).and_then(|(q, v)| user_coordinates(joint, q, v)))
        .collect();
    let mut system = System {
        model: Arc::clone(model),
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
        network: crate::wiring::network(model)?,
        network_inputs: Vec::new(),
        ports: PortList::default(),
        plugins: PluginElements::default(),
        switches: Switches::default(),
        has_locks: false,
        expression_signals: Vec::new(),
        n_guards: 0,
        n_memory: 0,
        n_work: 0,
        constraints: ConstraintList::default(),
    };
    let mut mistakes = constraints::add_others(&mut system, builder, list);
    mistakes.extend(add_elements(&mut system));
    if mistakes.is_empty() { Ok(system) } else { Err(mistakes) }
}

/// Adds force elements and drive trains; gives what is wrong with them.
fn add_elements(system: &mut System) -> Vec<Diagnostic> {
    let mut builder = ElementBuilder::new(system);
    builder.add_all();
    let mistakes = builder.finish();
    ports::find(system);
    mistakes
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

/// Joints to which drives may add inertia: those of networks, if their ports are many (`open_ports.rs`).
fn driven_by_shafts(model: &Model) -> Vec<ids::JointId> {
    let mut joints = Vec::new();
    let mut mounted = 0;
    for element in &model.elements {
        match &element.what {
            NetworkElement::JointAxis(axis) => joints.push(axis.joint),
            NetworkElement::Inertia(shaft) if shaft.body.is_some() => mounted += 1,
            NetworkElement::Motor(motor) | NetworkElement::Generator(motor)
                if motor.body.is_some() =>
            {
                mounted += 1;
            }
            _ => {}
        }
    }
    if joints.len() + mounted < MANY_DRIVES { Vec::new() } else { joints }
}

fn build_tree(
    model: &Model,
    order: &[usize],
    bodies: &mut [BodyId],
    allow_unphysical: bool,
) -> Result<mechanics::Tree, Box<Diagnostic>> {
    let gravity = vector(model.system.gravity) * model.system.gravity_scale;
    let refuse = |block: Option<u32>, error: mechanics::BuildError| {
        let span = block.map_or_else(Default::default, |block| model.name_span(block));
        Box::new(Diagnostic::new(codes::IMPOSSIBLE, span, error.to_string()))
    };
    let mut builder = TreeBuilder::new(gravity).map_err(|error| refuse(None, error))?;
    builder.allow_unphysical(allow_unphysical);
    let driven = constraints::driven_joints(model);
    let driven_by_shafts = driven_by_shafts(model);
    for &index in order {
        let body = &model.bodies[index];
        let joint = model.joint(body.joint);
        let rotor = joint.options.as_ref().and_then(|options| options.rotor_inertia.as_ref());
        let [xx, xy, xz, yy, yz, zz] = body.inertia;
        let spec = BodySpec {
            mother: bodies[body.parent.index()],
            joint: geometry(joint),
            t0: model.triad(joint.connection.from).pose(),
            t1: model.triad(joint.connection.to).pose(),
            mass: body.mass,
            inertia: Sym3 { xx, xy, xz, yy, yz, zz },
            cg: body.cg_pose(),
            rotor_inertia: rotor.map_or_else(Vec::new, |PerCoordinate(values)| values.to_vec()),
            lockable: driven[body.joint.index()]
                || driven_by_shafts.contains(&body.joint)
                || joint
                    .options
                    .as_ref()
                    .is_some_and(|o| o.friction.is_some() || o.locked.is_yes() || o.fixed.is_yes()),
        };
        bodies[index + 1] =
            builder.add_body(&spec).map_err(|error| refuse(Some(body.block), error))?;
    }
    Ok(builder.build())
}

fn vector([x, y, z]: [f64; 3]) -> Vec3 {
    vec3(x, y, z)
}

/// The geometry of a joint as the mechanics takes it.
pub(super) fn geometry(joint: &Joint) -> Geometry {
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
        JointKind::Spherical(j) => (Kind::Spherical(j.angle_type.into()), vector(j.q)),
        JointKind::Free(j) => (Kind::Free(j.angle_type.into()), vec3(j.q[3], j.q[4], j.q[5])),
        _ => (Kind::Plain(joint.initial().0.len()), Vec3::ZERO),
    };
    Some(UserCoordinates { q, v, kind, first_angles })
}
