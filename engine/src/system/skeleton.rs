//! The bodies of a model as a tree, its triads, and the coordinates of its joints.

use parser::diagnostic::Diagnostic;

use super::constraint_list::{LoopJoints, driven_joints};
use crate::codes;
use language::blocks::body::Triad;
use language::blocks::joints::Joint;
use language::blocks::network::NetworkElement;
use language::model::{Declared, Model};
use language::reading::fields::PerCoordinate;
use language::reading::ids;
use mechanics::coordinates::UserCoordinates;
use mechanics::forces::law::Attachment;
use mechanics::loops::Frame;
use mechanics::{BodyId, BodySpec, Sym3, Tree, TreeBuilder, Vec3, vec3};
use network::run::open_ports::MANY_DRIVES;

/// Bodies, triads and coordinates: what elements, constraints and ports are attached to.
pub(super) struct Skeleton {
    /// The bodies.
    pub tree: Tree,
    /// Bodies of the tree by index of the model's bodies; the world first.
    pub bodies: Vec<BodyId>,
    /// Coordinates of joints by index of the model's joints; `None` without freedoms.
    pub coordinates: Vec<Option<UserCoordinates>>,
    /// Bodies of the tree that joints carry, by index of the model's joints.
    pub carried: Vec<BodyId>,
    /// Triads by index of the model's triads.
    pub triads: Vec<Attachment>,
}

impl Skeleton {
    /// The skeleton of a model, and the joints that close its loops.
    ///
    /// # Errors
    /// If a body or a joint is not possible.
    pub fn new(
        model: &Model,
        allow_unphysical: bool,
    ) -> Result<(Self, LoopJoints), Box<Diagnostic>> {
        let order = tree_order(model);
        let mut bodies = vec![BodyId::WORLD; model.bodies.len() + 1];
        let tree = build_tree(model, &order, &mut bodies, allow_unphysical)?;
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
        let loop_joints = LoopJoints::new(model, &tree, &frame)?;
        let place = |index: usize| match loop_joints.ids[index] {
            // Coordinates of loop joints come after the coordinates of the tree.
            Some(id) => {
                let (q, v) = loop_joints.builder.coordinates(id);
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
        Ok((Self { tree, bodies, coordinates, carried, triads }, loop_joints))
    }

    /// The frame of a triad.
    pub fn frame(&self, id: ids::TriadId) -> Frame {
        let triad = &self.triads[id.index()];
        (triad.body, triad.pose)
    }
}

/// Position coordinates and speeds of the tree at the beginning, as the joints give them.
pub(super) fn initial_coordinates(
    model: &Model,
    tree: &Tree,
    coordinates: &[Option<UserCoordinates>],
) -> (Vec<f64>, Vec<f64>) {
    let (mut q, mut v) = (tree.home(), vec![0.0; tree.n_v()]);
    for (joint, coordinates) in model.joints.iter().zip(coordinates) {
        if let Some(coordinates) = coordinates.filter(|of| of.q < tree.n_q()) {
            let (x, rates) = joint.initial();
            coordinates.write(x, rates, &mut q, &mut v);
        }
    }
    (q, v)
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

/// Joints to which drives may add inertia: joints of networks, if their ports are many (`network/open.rs`).
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
) -> Result<Tree, Box<Diagnostic>> {
    let gravity = vector(model.system.gravity) * model.system.gravity_scale;
    let refuse = |block: Option<u32>, error: mechanics::BuildError| {
        let span = block.map_or_else(Default::default, |block| model.name_span(block));
        Box::new(Diagnostic::new(codes::IMPOSSIBLE, span, error.to_string()))
    };
    let mut builder = TreeBuilder::new(gravity).map_err(|error| refuse(None, error))?;
    builder.allow_unphysical(allow_unphysical);
    let driven = driven_joints(model);
    let driven_by_shafts = driven_by_shafts(model);
    let set: Vec<ids::JointId> = model.positions_set().collect();
    for &index in order {
        let body = &model.bodies[index];
        let joint = model.joint(body.joint);
        let rotor = joint.options.as_ref().and_then(|options| options.rotor_inertia.as_ref());
        let [xx, xy, xz, yy, yz, zz] = body.inertia;
        let spec = BodySpec {
            mother: bodies[body.parent.index()],
            joint: joint.geometry(),
            t0: model.triad(joint.connection.from).pose(),
            t1: model.triad(joint.connection.to).pose(),
            mass: body.mass,
            inertia: Sym3 { xx, xy, xz, yy, yz, zz },
            cg: body.cg_pose(),
            rotor_inertia: rotor.map_or_else(Vec::new, |PerCoordinate(values)| values.to_vec()),
            lockable: driven[body.joint.index()]
                || driven_by_shafts.contains(&body.joint)
                || set.contains(&body.joint)
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

fn user_coordinates(joint: &Joint, q: usize, v: usize) -> Option<UserCoordinates> {
    let (initial, _) = joint.initial();
    let angles = joint.angle_type();
    let first_angles = match (angles, initial) {
        (Some(_), &[.., x, y, z]) => vec3(x, y, z),
        _ => Vec3::ZERO,
    };
    let count = initial.len();
    (count > 0).then_some(UserCoordinates { q, v, count, angles, first_angles })
}
