//! Time expressions in the order in which they depend on forces.

use super::super::SignalSource;
use super::super::late_signals::Step;
use super::{Failure, Run};

/// Evaluates the time expressions with the signals as they are.
pub(super) fn evaluate(run: &mut Run<'_>) -> Result<(), Failure> {
    let system = run.system;
    let is_sorted = !system.late.steps.is_empty();
    for (index, &source) in system.expression_signals.iter().enumerate() {
        let is_force = matches!(source, SignalSource::Force { .. } | SignalSource::Power { .. });
        if !(is_sorted && is_force) {
            run.now.expressions.signals[index] = run.signal(source);
        }
    }
    if !is_sorted {
        let now = &mut run.now;
        return now.expressions.evaluate_all(system, now.t, &now.bodies.v);
    }
    for &step in &system.late.steps {
        match step {
            Step::Program(index) => {
                let now = &mut run.now;
                now.expressions.evaluate(system, index, now.t, &now.bodies.v)?;
            }
            Step::Signal(number) => {
                let value = force_now(run, system.expression_signals[number]);
                run.now.expressions.signals[number] = value;
            }
        }
    }
    Ok(())
}

/// A signal of a force element whose expressions are known, at a state whose forces are not.
fn force_now(run: &Run<'_>, source: SignalSource) -> f64 {
    let elements = &run.now.elements;
    match source {
        SignalSource::Force { element, signal } => {
            elements.signal_now(run.system, element, signal, &run.view())
        }
        SignalSource::Power { element } => {
            let effect = elements.effect_now(run.system, element, &run.view());
            run.now.bodies.power(&run.system.tree, &effect)
        }
        _ => 0.0,
    }
}
