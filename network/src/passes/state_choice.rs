//! The choice of states: which lower derivatives the constraints determine.
//!
//! Each constraint that was differentiated, and each of its derivatives but the last, holds for lower derivatives. It
//! determines one of them, which then is no state (dummy derivatives; Mattsson and Söderlind, SIAM J. Sci. Comput. 14 (1993)
//! 677). Which one is a matter of preference; lower derivatives that no constraint determines are the states.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::passes::index_reduction::{EquationGraph, Reduction, differentiations};
use crate::passes::matching::Met;
use crate::passes::state_selection::Determined;
use equations::expr::VarId;

/// May a constraint determine a variable? Only a variable with as many derivatives as the constraint has: the derivatives of
/// the constraint then determine those of the variable.
fn fits<G: EquationGraph>(
    graph: &G,
    derivative: &[Option<usize>],
    equation: usize,
    variable: VarId,
) -> bool {
    differentiations(derivative, equation) == graph.order(variable)
}

/// Lets constraints determine the variable that is chosen for each, and their derivatives its derivatives.
pub(crate) fn take_chosen<G: EquationGraph>(
    graph: &G,
    reduction: &mut Reduction,
    chosen: &FxHashMap<usize, VarId>,
) {
    let Reduction { matching, derivative, .. } = reduction;
    for (&root, &variable) in chosen {
        // The constraint and its variable, their derivatives, and so on as long as both have derivatives.
        let (mut equation, mut variable) = (Some(root), Some(variable));
        while let (Some(e), Some(v)) = (equation, variable) {
            // The last derivative of the constraint has its highest derivative already.
            if matching.variable_of(e).is_none() && matching.equation_of(v).is_none() {
                matching.assign(e, v);
            }
            (equation, variable) = (derivative[e], graph.rate(v));
        }
    }
}

/// Lets constraints determine together the variables that numbers chose for them, and their derivatives the derivatives.
pub(crate) fn take_determined<G: EquationGraph>(
    graph: &G,
    reduction: &mut Reduction,
    determined: &Determined,
) {
    // The variables and all their derivatives but the highest, which equations determine anyway.
    let mut chosen = FxHashSet::default();
    for &variable in &determined.variables {
        let mut at = Some(variable);
        while let Some(variable) = at.filter(|&v| !graph.is_highest(v)) {
            chosen.insert(variable);
            at = graph.own_rate(variable);
        }
    }
    // Each constraint and all its derivatives but the last.
    let Reduction { matching, derivative, .. } = reduction;
    for &root in &determined.equations {
        let mut at = Some(root);
        while let Some(equation) = at.filter(|&e| derivative[e].is_some()) {
            // A path through the chosen variables only: each constraint gets one of them, if they are independent.
            if matching.variable_of(equation).is_none() {
                matching.augment(graph.incidence(), equation, |_, v| chosen.contains(&v));
            }
            at = derivative[equation];
        }
    }
}

/// Lets constraints determine variables that would be states otherwise. `preferences` say which variables are tried first,
/// second and so on, as far as their derivatives fit; then any variable will do.
///
/// # Errors
/// The equations that compete for too few variables.
pub(crate) fn choose_states<G: EquationGraph>(
    graph: &G,
    reduction: &mut Reduction,
    preferences: &[&dyn Fn(VarId) -> bool],
) -> Result<(), Met> {
    let Reduction { matching, derivative, .. } = reduction;
    for equation in 0..graph.incidence().len() {
        // Only constraints and their lower derivatives are without a variable here.
        if matching.variable_of(equation).is_some() {
            continue;
        }
        // From the strictest preference to the mildest; a path may also give earlier constraints other variables of the
        // same kind.
        let is_matched = preferences.iter().any(|is_preferred| {
            matching.augment(graph.incidence(), equation, |e, v| {
                is_preferred(v) && fits(graph, derivative, e, v)
            })
        });
        // Where no variable fits, any lower derivative is better than none.
        if !is_matched && !matching.augment(graph.incidence(), equation, |_, _| true) {
            return Err(matching.take_met());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::index_reduction::reduce_index;
    use crate::passes::index_reduction::tests::{Plain, pendulum};

    /// Variables with a derivative that no equation determines.
    fn states(graph: &Plain, reduction: &Reduction) -> Vec<u32> {
        let all = (0..graph.rates.len() as u32).map(VarId);
        let is_state =
            |v: &VarId| !graph.is_highest(*v) && reduction.matching.equation_of(*v).is_none();
        all.filter(is_state).map(|v| v.0).collect()
    }

    /// A pendulum has one freedom: x and its speed are states, or y and its speed, as preferences have it.
    #[test]
    fn a_pendulum_has_the_states_that_are_preferred() {
        // x 0, y 1, u 2, v 3, dx 5, dy 6. The state is a coordinate with its speed, under either of its names.
        for (determined, speeds) in [([0, 2, 5], [3, 6]), ([1, 3, 6], [2, 5])] {
            let mut graph = pendulum();
            let mut reduction = reduce_index(&mut graph).unwrap();
            let prefers = |v: VarId| determined.contains(&v.0);
            choose_states(&graph, &mut reduction, &[&prefers, &|_| true]).unwrap();
            let states = states(&graph, &reduction);
            assert_eq!(states.len(), 2, "{states:?}");
            assert!(!states.contains(&determined[0]), "{states:?}");
            assert!(states.contains(&(1 - determined[0])), "{states:?}");
            assert!(states.iter().any(|state| speeds.contains(state)), "{states:?}");
        }
    }

    #[test]
    fn a_choice_by_numbers_comes_before_preferences() {
        // Two capacitors side by side, v0 = v1: C dv0/dt = i0, C dv1/dt = i1, i0 + i1 = 0; v 0 1, i 2 3, dv 4 5.
        let rows: [&[u32]; 4] = [&[4, 2], &[5, 3], &[2, 3], &[0, 1]];
        for chosen in [0, 1] {
            let mut graph = Plain::new(6, &[(0, 4), (1, 5)], &rows);
            let mut reduction = reduce_index(&mut graph).unwrap();
            let determined = Determined { equations: vec![3], variables: vec![VarId(chosen)] };
            take_determined(&graph, &mut reduction, &determined);
            choose_states(&graph, &mut reduction, &[&|v| v.0 != chosen, &|_| true]).unwrap();
            assert_eq!(states(&graph, &reduction), [1 - chosen]);
            // Without it the preference decides.
            let mut graph = Plain::new(6, &[(0, 4), (1, 5)], &rows);
            let mut reduction = reduce_index(&mut graph).unwrap();
            choose_states(&graph, &mut reduction, &[&|v| v.0 != chosen, &|_| true]).unwrap();
            assert_eq!(states(&graph, &reduction), [chosen]);
            // And so does a variable that the constraint is told.
            let mut graph = Plain::new(6, &[(0, 4), (1, 5)], &rows);
            let mut reduction = reduce_index(&mut graph).unwrap();
            let told = FxHashMap::from_iter([(3, VarId(chosen))]);
            take_chosen(&graph, &mut reduction, &told);
            choose_states(&graph, &mut reduction, &[&|_| true]).unwrap();
            assert_eq!(states(&graph, &reduction), [1 - chosen]);
        }
    }
}
