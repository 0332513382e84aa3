//! The Jacobian of the equations of motion of a tree, extended by the equations of all links.
//!
//! `mechanics::derivatives::extended` has the mathematics. Here its entries, and those of the force elements, get their places in
//! the matrix of an integrator; elements are differenced one by one, by the few places and speeds on which each depends.

use super::super::jacobian_structure::{Touched, touched};
use super::{Failure, Now, Run, Stage, System};
use integrate::{Matrix, Pattern};
use mechanics::derivatives::Linearised;
use mechanics::derivatives::element::{ElementSlopes, Movable, Probe, Reach};
use mechanics::derivatives::extended::Layout;
use mechanics::{BodyId, Tree, Workspace};

/// From this many freedoms on the extended matrix takes less work than the full one.
const MANY_FREEDOMS: usize = 24;

/// The extended Jacobian of a system.
#[derive(educe::Educe)]
#[educe(Clone)]
pub(super) struct TreeJacobian {
    layout: Layout,
    linearised: Linearised,
    /// What each element depends on and acts on.
    reaches: Vec<Reach>,
    /// The place of each entry in the matrix, in the sequence in which they come.
    places: Vec<u32>,
    slopes: ElementSlopes,
}

/// Does all that acts on the bodies of a system depend on the bodies and the joints that it touches, and on time?
pub(super) fn is_local(system: &System) -> bool {
    system.constraints.is_empty()
        && system.network.is_none()
        && system.plugins.list.is_empty()
        && system.expression_signals.is_empty()
        && uses_no_speed(system)
        && !system.dense
}

/// Do no laws of friction depend on the speed?
fn uses_no_speed(system: &System) -> bool {
    let mut laws = system.programs.iter().zip(&system.program_arguments);
    laws.all(|(program, argument)| argument.is_none() || program.as_constant().is_some())
}

/// The entries that there are in all modes.
pub(super) fn pattern(system: &System) -> Option<Pattern> {
    if system.tree.n_v() < MANY_FREEDOMS || !is_local(system) {
        return None;
    }
    let jacobian = TreeJacobian::new(system);
    let mut entries = Vec::new();
    jacobian.for_each_place(system, |row, column| entries.push((row, column)));
    let order = jacobian.layout.order(&system.tree);
    Some(Pattern::extended(system.n_states(), order, entries))
}

/// What each element depends on and acts on.
pub(super) fn reaches(tree: &Tree, touched: &[Touched]) -> Vec<Reach> {
    let reach = |touched: &Touched| match *touched {
        Touched::Joint(body) => Reach::of_joint(tree, body),
        Touched::Bodies(bodies) => Reach::of_bodies(bodies.into_iter().flatten()),
    };
    touched.iter().map(reach).collect()
}

/// Fills the matrix at a state.
pub(super) fn fill(
    run: &mut Run<'_>,
    t: f64,
    y: &[f64],
    matrix: &mut Matrix,
) -> Result<(), Failure> {
    run.bring_to(Stage::Accelerated, t, y)?;
    let (system, now) = (run.system, &mut run.now);
    let tree = &system.tree;
    now.tree_jacobian.get_or_insert_with(|| {
        let mut jacobian = Box::new(TreeJacobian::new(system));
        jacobian.find_places(system, matrix);
        jacobian
    });
    let Now { tree_jacobian: Some(jacobian), bodies, elements, expressions, .. } = now else {
        return Ok(());
    };
    let n_v = tree.n_v();
    let (q, v, _) = system.split(&now.y);
    bodies.place_in_world(tree, v);
    let TreeJacobian { layout, linearised, reaches, places, slopes } = &mut **jacobian;
    linearised.form(tree, &bodies.workspace, v, &bodies.vdot[..n_v]);
    let entries = matrix.entries_mut();
    entries.fill(0.0);
    let mut places = places.iter();
    let mut add = |_: usize, _: usize, value: f64| {
        if let Some(&place) = places.next() {
            entries[place as usize] += value;
        }
    };
    layout.add_tree(tree, &bodies.workspace, linearised, q, &mut add);
    for (index, (element, reach)) in system.elements.iter().zip(&*reaches).enumerate() {
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
        let slopes = slopes.form(&probe, reach, &mut at);
        let slopes = slopes.map_err(|reason| Failure::Element(element.block, reason.0))?;
        let work = element.work.map(|work| tree.n_q() + n_v + work);
        layout.add_element(tree, &bodies.workspace, (reach, slopes), work, &mut add);
    }
    debug_assert_eq!(places.len(), 0, "entries come in the sequence of the pattern");
    Ok(())
}

impl TreeJacobian {
    fn new(system: &System) -> Self {
        let tree = &system.tree;
        let touched = touched(system);
        let placed = touched.iter().flat_map(|touched| match *touched {
            Touched::Joint(_) => [None, None],
            Touched::Bodies(bodies) => bodies,
        });
        let placed = placed.flatten().filter(|&body| body != BodyId::WORLD);
        let layout = Layout::new(tree, system.n_states(), placed);
        let reaches = reaches(tree, &touched);
        Self {
            layout,
            linearised: Linearised::new(tree),
            places: Vec::new(),
            slopes: ElementSlopes::new(&reaches),
            reaches,
        }
    }

    /// Calls `visit` with row and column of every entry, in the sequence in which they are filled.
    fn for_each_place(&self, system: &System, mut visit: impl FnMut(usize, usize)) {
        let tree = &system.tree;
        let workspace = Workspace::new(tree);
        let mut add = |row: usize, column: usize, _: f64| visit(row, column);
        self.layout.add_tree(tree, &workspace, &self.linearised, &tree.home(), &mut add);
        for (element, reach) in system.elements.iter().zip(&self.reaches) {
            let slopes = self.slopes.of(reach);
            let work = element.work.map(|work| tree.n_q() + tree.n_v() + work);
            self.layout.add_element(tree, &workspace, (reach, slopes), work, &mut add);
        }
    }

    fn find_places(&mut self, system: &System, matrix: &Matrix) {
        let mut places = Vec::new();
        self.for_each_place(system, |row, column| {
            places.extend(matrix.place(row, column).map(|place| place as u32));
        });
        self.places = places;
    }
}
