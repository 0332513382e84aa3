//! Networks near an operating point, as linear equations for a frequency response.

use super::super::{SignalSource, source};
use super::Run;
use equations::expression::{Op, SignalRef};
use network::response::{Impossible, Sweep, Wanted, descriptor};

/// Step of the differences, as part of the size of a signal: rounding and the error of fourth order are both 1e-12.
const STEP: f64 = 1e-3;

/// The linear equations at the observed state, ready for any frequency.
pub(super) fn sweep(run: &Run<'_>, t: f64, wanted: Wanted<'_>) -> Result<Sweep, Impossible> {
    let network = run.network.as_ref().ok_or(Impossible::NotBegun)?;
    Sweep::new(descriptor(network, t, wanted)?)
}

/// A signal as a sum of results of the networks near the observed state; nothing if it depends on something else.
pub(super) fn slopes(run: &Run<'_>, signal: SignalSource) -> Option<Vec<(usize, f64)>> {
    match signal {
        SignalSource::Network(place) => Some(vec![(place, 1.0)]),
        SignalSource::Derived(number) => derived(run, number),
        _ => None,
    }
}

/// A derived quantity: its expression has a slope with respect to each of its signals.
fn derived(run: &Run<'_>, number: usize) -> Option<Vec<(usize, f64)>> {
    let program = &run.system.model.signals.get(number)?.program;
    let mut signals: Vec<SignalRef> = Vec::new();
    for op in program.ops() {
        if let Op::Signal(signal) = *op
            && !signals.contains(&signal)
        {
            signals.push(signal);
        }
    }
    let mut stack = vec![0.0; program.depth()];
    let now = |signal: SignalRef| run.signal(source(run.system, signal));
    let mut sum = Vec::with_capacity(signals.len());
    for &changed in &signals {
        let SignalSource::Network(place) = source(run.system, changed) else { return None };
        // Central differences over two steps, extrapolated to none: the error is of fourth order.
        let mut slope = |h: f64| {
            let mut at = |x: f64| {
                let value = |signal| if signal == changed { x } else { now(signal) };
                program.evaluate(run.now.t, 0.0, value, &mut stack)
            };
            (at(now(changed) + h) - at(now(changed) - h)) / (2.0 * h)
        };
        let h = STEP * now(changed).abs().max(1.0);
        sum.push((place, (4.0 * slope(0.5 * h) - slope(h)) / 3.0));
    }
    Some(sum)
}
