//! From the model to the constraints: joints that close loops, rods, couplings, prescribed motions.

use parser::diagnostic::Diagnostic;

use super::element_builder::ExpressionList;
use super::skeleton::{Skeleton, initial_coordinates};
use crate::codes;
use language::blocks::constraints::{Constraint, Rod, RollingShape};
use language::blocks::forces::ForceElement;
use language::blocks::joints::Role;
use language::model::Model;
use language::reading::ids::{JointId, TriadId};
use mechanics::coordinates::UserCoordinates;
use mechanics::loops::{ConstraintId, Constraints, ConstraintsBuilder, CoupledCoordinate, Frame};
use mechanics::{Tree, Workspace, kinematics};

/// Ends of a rod that are nearer than this have no direction, m.
const SHORTEST_ROD: f64 = 1e-9;

/// A prescribed motion.
#[derive(Clone, Debug)]
pub struct Drive {
    /// The block that declares it.
    pub block: u32,
    /// The joint, by index of the model's joints.
    pub joint: usize,
    /// Coordinates of the joint.
    pub coordinates: UserCoordinates,
    /// The constraint of the joint, if it closes a loop.
    pub closes: Option<ConstraintId>,
    /// The first of the motion's time expressions, one per coordinate.
    pub input: usize,
    /// Place of the motion among the works.
    pub work: usize,
}

/// Where a constraint of the model is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// A prescribed motion, by index.
    Drive(usize),
    /// Rows of the constraints.
    Rows(ConstraintId),
    /// It has nothing to act on.
    Nothing,
}

/// The constraints of a model with their places.
#[derive(Debug, Default)]
pub struct ConstraintList {
    /// All rows.
    pub rows: Constraints,
    /// The block that declares each.
    pub blocks: Vec<u32>,
    /// The loop joint of each joint of the model.
    pub joints: Vec<Option<ConstraintId>>,
    /// By index of the model's constraints.
    pub places: Vec<Place>,
    /// Prescribed motions.
    pub drives: Vec<Drive>,
    /// No element needs coordinates of loop joints while time passes, so most of these coordinates are computed only for
    /// results.
    pub is_lean: bool,
}

impl ConstraintList {
    /// Whether there is no constraint of any kind.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty() && self.drives.is_empty()
    }
}

/// Which joints are moved by a Motion?
pub(super) fn driven_joints(model: &Model) -> Vec<bool> {
    let mut driven = vec![false; model.joints.len()];
    for constraint in &model.constraints {
        if let Constraint::Motion(motion) = &constraint.what {
            driven[motion.joint.index()] = true;
        }
    }
    driven
}

/// The joints that close loops, and the rows begun with them.
pub(super) struct LoopJoints {
    /// Rows so far.
    pub builder: ConstraintsBuilder,
    /// The loop joint of each joint of the model.
    pub ids: Vec<Option<ConstraintId>>,
    /// The block that declares each.
    blocks: Vec<u32>,
}

impl LoopJoints {
    /// The loop joints of a model, which have coordinates from now on.
    ///
    /// # Errors
    /// If a joint is not possible.
    pub fn new(
        model: &Model,
        tree: &Tree,
        frames: &dyn Fn(TriadId) -> Frame,
    ) -> Result<Self, Box<Diagnostic>> {
        let mut builder = ConstraintsBuilder::new();
        let (mut ids, mut blocks) = (vec![None; model.joints.len()], Vec::new());
        let driven = driven_joints(model);
        for (index, joint) in model.joints.iter().enumerate() {
            if joint.connection.role != Role::Loop {
                continue;
            }
            let options = joint.options.as_ref();
            let holdable =
                driven[index] || options.is_some_and(|o| o.friction.is_some() || o.locked.is_yes());
            let (t0, t1) = (frames(joint.connection.from), frames(joint.connection.to));
            let added = builder.add_joint(tree, &joint.geometry(), t0, t1, holdable);
            let id = added.map_err(|error| {
                let span = model.name_span(joint.block);
                Box::new(Diagnostic::new(codes::IMPOSSIBLE, span, error.to_string()))
            })?;
            ids[index] = Some(id);
            blocks.push(joint.block);
        }
        Ok(Self { builder, ids, blocks })
    }
}

/// Builds all constraints: the loop joints, and then rods, couplings and motions. Gives what is wrong with them, too.
pub(super) fn build(
    model: &Model,
    skeleton: &Skeleton,
    loop_joints: LoopJoints,
    expressions: &mut ExpressionList,
    n_work: &mut usize,
) -> (ConstraintList, Vec<Diagnostic>) {
    let LoopJoints { mut builder, ids, blocks } = loop_joints;
    let mut list = ConstraintList { joints: ids, blocks, ..Default::default() };
    let mut mistakes = Vec::new();
    for constraint in &model.constraints {
        let block = constraint.block;
        let added = match &constraint.what {
            Constraint::Rod(rod) => add_rod(model, skeleton, &mut builder, rod, block),
            Constraint::Rolling(rolling) => {
                let (from, to) = (skeleton.frame(rolling.from), skeleton.frame(rolling.to));
                let is_disc = rolling.shape == RollingShape::Disc;
                let tree = &skeleton.tree;
                Ok(Place::Rows(builder.add_rolling(tree, from, to, rolling.radius, is_disc)))
            }
            Constraint::Coupling(c) => {
                let of = |joint: JointId| coordinate(skeleton, &builder, &list, joint);
                match (of(c.joint1.0), of(c.joint2.0)) {
                    (Some(a), Some(b)) => {
                        let angular = is_angle(model, c.joint1.0);
                        let tree = &skeleton.tree;
                        Ok(Place::Rows(builder.add_coupling(tree, [a, b], c.ratio, angular)))
                    }
                    _ => Ok(Place::Nothing),
                }
            }
            Constraint::Motion(motion) => {
                let joint = motion.joint.index();
                // A joint without coordinates has nothing to move.
                Ok(skeleton.coordinates[joint].map_or(Place::Nothing, |coordinates| {
                    let input = expressions.push_plain(&motion.q.0, block);
                    let (closes, work) = (list.joints[joint], *n_work);
                    *n_work += 1;
                    list.drives.push(Drive { block, joint, coordinates, closes, input, work });
                    Place::Drive(list.drives.len() - 1)
                }))
            }
        };
        let place = added.unwrap_or_else(|mistake| {
            mistakes.push(mistake);
            Place::Nothing
        });
        if matches!(place, Place::Rows(_)) {
            list.blocks.push(block);
        }
        list.places.push(place);
    }
    list.rows = builder.build();
    list.is_lean = !asks_for_loop_joints(model, &list);
    (list, mistakes)
}

/// Whether an element, an option of a joint, a coupling or a motion acts in a loop joint.
fn asks_for_loop_joints(model: &Model, list: &ConstraintList) -> bool {
    let closes = |joint: JointId| list.joints[joint.index()].is_some();
    let forces = model.forces.iter().any(|force| match &force.what {
        ForceElement::Rsda(s) => closes(s.joint.0),
        ForceElement::Tsda(s) => closes(s.joint.0),
        ForceElement::JointForce(f) => closes(f.joint),
        _ => false,
    });
    let constraints = model.constraints.iter().any(|constraint| match &constraint.what {
        Constraint::Coupling(c) => closes(c.joint1.0) || closes(c.joint2.0),
        Constraint::Motion(motion) => closes(motion.joint),
        Constraint::Rod(_) | Constraint::Rolling(_) => false,
    });
    let options = model.joints.iter().zip(&list.joints);
    forces || constraints || options.into_iter().any(|(j, id)| id.is_some() && j.options.is_some())
}

fn coordinate(
    skeleton: &Skeleton,
    builder: &ConstraintsBuilder,
    list: &ConstraintList,
    joint: JointId,
) -> Option<CoupledCoordinate> {
    let joint = joint.index();
    builder.coordinate(&skeleton.tree, list.joints[joint].map_or(Ok(skeleton.carried[joint]), Err))
}

/// Whether the first coordinate of a joint is an angle.
fn is_angle(model: &Model, joint: JointId) -> bool {
    let schema = model.blocks[model.joint(joint).block as usize].schema;
    schema.coordinates.first() == Some(&language::element::Coordinate::Angle)
}

fn add_rod(
    model: &Model,
    skeleton: &Skeleton,
    builder: &mut ConstraintsBuilder,
    rod: &Rod,
    block: u32,
) -> Result<Place, Diagnostic> {
    let length = rod_length(model, skeleton, rod, block)?;
    let (from, to) = (skeleton.frame(rod.from), skeleton.frame(rod.to));
    Ok(Place::Rows(builder.add_rod(&skeleton.tree, from, to, length)))
}

/// The length of a rod: given, or the initial distance of its ends.
fn rod_length(
    model: &Model,
    skeleton: &Skeleton,
    rod: &Rod,
    block: u32,
) -> Result<f64, Diagnostic> {
    if let Some(length) = rod.length {
        return Ok(length);
    }
    let tree = &skeleton.tree;
    let (q, _) = initial_coordinates(model, tree, &skeleton.coordinates);
    let mut w = Workspace::new(tree);
    kinematics::update_positions(tree, &q, &mut w);
    kinematics::update_world_poses(tree, &mut w);
    let point = |id: TriadId| {
        let (body, pose) = skeleton.frame(id);
        (kinematics::body_pose(tree, &w, body) * pose).translation
    };
    let length = (point(rod.to) - point(rod.from)).norm();
    if length >= SHORTEST_ROD {
        return Ok(length);
    }
    let name = model.block_name(block);
    let message = format!("the ends of the rod `{name}` coincide at the start");
    let help = "give it a `Length`, or use a joint that keeps two points together (Spherical)";
    Err(Diagnostic::new(codes::ZERO_ROD, model.name_span(block), message).help(help))
}
