//! One step of the implicit Euler method with the storages as unknowns: how charge is shared out, and the way to the
//! operating point.
//!
//! ```text
//! h dx/dt = x - x_old
//! ```
//!
//! With h = 0 storages that are tied together jump to values that keep their charges, fluxes and momenta; with h without end
//! the rates vanish.

use crate::code::evaluate::Unsolved;
use crate::prepared::valves::{Rule, Valves};
use crate::run::NetworkRun;
use crate::run::settle::Unsettled;

/// Puts the static form of the present combination in force.
pub(super) fn enter(run: &mut NetworkRun<'_>, rule: Rule) -> Result<(), Unsettled> {
    let modes = run.modes().to_vec();
    Ok(run.now.combinations.enter_modes(run.network, &modes, Valves::Static(rule))?)
}

/// Solves the static form, which is in force, for a step of a length in s from the storages `old`.
pub(super) fn solve(
    run: &mut NetworkRun<'_>,
    t: f64,
    old: &[f64],
    length: f64,
) -> Result<(), Unsolved> {
    set(run, old, length);
    run.update_events(t, old)
}

/// Gives the static form the length of the step and the old values, which stand behind the other numbers from outside.
pub(super) fn set(run: &mut NetworkRun<'_>, old: &[f64], length: f64) {
    let numbers = inputs(run);
    numbers[0] = length;
    numbers[1..1 + old.len()].copy_from_slice(old);
}

/// The inputs of the static form in force.
pub(super) fn inputs<'r>(run: &'r mut NetworkRun<'_>) -> &'r mut [f64] {
    let first = run.network.n_inputs();
    let present = run.now.combinations.present_mut();
    let inputs = present.fixed.code.inputs as usize + first;
    &mut present.now.values.numbers[inputs..]
}

/// Storages that were `old` take the values that keep charge and flux and fit the present modes.
pub(super) fn redistribute(
    run: &mut NetworkRun<'_>,
    t: f64,
    old: &[f64],
    y: &mut [f64],
) -> Result<(), Unsettled> {
    let modes = run.modes().to_vec();
    // The jump itself, with valves and ports of the present modes.
    enter(run, Rule::Jump)?;
    solve(run, t, old, run.now.events.instant)?;
    run.follow(y);
    // Back to the form that is integrated, whose other values follow.
    run.now.combinations.enter_modes(run.network, &modes, Valves::Ideal)?;
    run.update_events(t, y)?;
    run.follow(y);
    Ok(())
}
