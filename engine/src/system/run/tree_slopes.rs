//! Derivatives of the accelerations of a tree as full matrices, for analyses.
//!
//! `mechanics/src/derivatives/` differentiates the recursion; forces of elements are differenced element by element, with estimates
//! of their errors.

use nalgebra::DMatrix;

use super::super::jacobian_structure::touched;
use super::tree_jacobian::{is_local, reaches};
use super::{Failure, Now, Run, Stage};
use mechanics::derivatives::element::{Action, FineSlopes, Movable, Probe, Reach, Variable};
use mechanics::derivatives::{Change, Linearised, Passage};
use mechanics::{Tree, Workspace};

/// Units of round-off of the largest entry of a column that the passes through the tree may lose.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Derivatives of the accelerations of all freedoms.
#[derive(Clone, Debug)]
pub struct TreeSlopes {
    /// By displacements of the freedoms, as in `Tree::displace`.
    pub places: TreeColumns,
    /// By their speeds.
    pub speeds: TreeColumns,
}

/// A matrix with estimates of the absolute errors of its entries.
#[derive(Clone, Debug)]
pub struct TreeColumns {
    /// One row per acceleration, one column per freedom.
    pub values: DMatrix<f64>,
    /// Estimated errors.
    pub errors: DMatrix<f64>,
}

/// The tree and its elements, linearised.
struct Linear<'a> {
    tree: &'a Tree,
    workspace: &'a Workspace,
    recursion: Linearised,
    elements: Vec<(Reach, FineSlopes)>,
    q: &'a [f64],
}

/// Finds the derivatives at a state; `None` where forces depend on more than what they touch.
pub(super) fn find(
    run: &mut Run<'_>,
    t: f64,
    y: &[f64],
    size: f64,
) -> Result<Option<TreeSlopes>, Failure> {
    let (system, tree) = (run.system, &run.system.tree);
    if !is_local(system) {
        return Ok(None);
    }
    run.bring_to(Stage::Accelerated, t, y)?;
    let Now { bodies, elements, expressions, y, .. } = &mut run.now;
    let n_v = tree.n_v();
    let (q, v, _) = system.split(y);
    bodies.place_in_world(tree, v);
    let mut recursion = Linearised::new(tree);
    recursion.form(tree, &bodies.workspace, v, &bodies.vdot[..n_v]);
    let mut found = Vec::with_capacity(system.elements.len());
    let all = system.elements.iter().zip(reaches(tree, &touched(system)));
    for (index, (element, reach)) in all.enumerate() {
        let mut at =
            Movable { workspace: &mut bodies.workspace, q: &mut bodies.q, v: &mut bodies.v };
        let probe = Probe {
            tree,
            law: &*element.law,
            frozen: elements.frozen(index, element),
            t,
            inputs: &expressions.inputs,
            vdot: &bodies.vdot,
            drive: &bodies.drive,
        };
        let slopes = FineSlopes::form(&probe, &reach, &mut at, size);
        let slopes = slopes.map_err(|reason| Failure::Element(element.block, reason.0))?;
        found.push((reach, slopes));
    }
    let linear = Linear { tree, workspace: &bodies.workspace, recursion, elements: found, q };
    let slopes = TreeSlopes { places: linear.columns(true), speeds: linear.columns(false) };
    run.now.stage = Stage::Unplaced;
    Ok(Some(slopes))
}

impl Linear<'_> {
    /// The derivatives by all displacements, or by all speeds.
    fn columns(&self, by_place: bool) -> TreeColumns {
        let (tree, w, n_v) = (self.tree, self.workspace, self.tree.n_v());
        let mut passage = Passage::new(tree);
        let (zero, mut unit) = (vec![0.0; n_v], vec![0.0; n_v]);
        let mut result =
            TreeColumns { values: DMatrix::zeros(n_v, n_v), errors: DMatrix::zeros(n_v, n_v) };
        let (mut column, mut doubt) = (zero.clone(), zero.clone());
        for k in 0..n_v {
            unit[k] = 1.0;
            let (step, speeds) = if by_place { (&unit, &zero) } else { (&zero, &unit) };
            let still = Change { step: &zero, speeds: &zero, forces: &zero };
            let moved = Change { step, speeds, forces: &zero };
            // What the elements do, and what is doubtful of it.
            self.recursion.follow(tree, w, moved, &mut passage);
            let forces = self.elements_act(moved, &mut passage, |slopes| &slopes.slopes, |x| x);
            let change = Change { forces: &forces, ..moved };
            self.recursion.accelerations(tree, w, change, &mut passage, &mut column);
            let forces = self.elements_act(moved, &mut passage, |slopes| &slopes.errors, f64::abs);
            self.recursion.follow(tree, w, still, &mut passage);
            let change = Change { forces: &forces, ..still };
            self.recursion.accelerations(tree, w, change, &mut passage, &mut doubt);
            let largest = column.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
            for (row, (value, doubt)) in column.iter().zip(&doubt).enumerate() {
                result.values[(row, k)] = *value;
                result.errors[(row, k)] = doubt.abs() + ROUNDING * largest;
            }
            unit[k] = 0.0;
        }
        result
    }

    /// Adds the changes of the loads of all elements to the passage, and gives those of the generalised forces.
    fn elements_act(
        &self,
        change: Change<'_>,
        passage: &mut Passage,
        of: impl Fn(&FineSlopes) -> &[f64],
        size: impl Fn(f64) -> f64,
    ) -> Vec<f64> {
        let mut coordinates = vec![0.0; self.tree.n_q()];
        self.tree.fill_coordinate_rates(self.q, change.step, &mut coordinates);
        let mut forces = vec![0.0; self.tree.n_v()];
        for (reach, slopes) in &self.elements {
            let count = reach.variables.len();
            for (column, variable) in reach.variables.iter().enumerate() {
                let moved = size(match *variable {
                    Variable::Place(link, k) => passage.links[link].place.to_array()[k],
                    Variable::Twist(link, k) => passage.links[link].twist.to_array()[k],
                    Variable::Coordinate(q) => coordinates[q],
                    Variable::Speed(v) => change.speeds[v],
                });
                if moved == 0.0 {
                    continue;
                }
                for (row, action) in reach.actions.iter().enumerate() {
                    let change = of(slopes)[row * count + column] * moved;
                    match *action {
                        Action::Load(link, k) => passage.add_load(link, k, change),
                        Action::Force(v) => forces[v] += change,
                        Action::Power => {}
                    }
                }
            }
        }
        forces
    }
}
