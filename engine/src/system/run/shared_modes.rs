//! The modes of two runs on systems of the same structure.

use super::Run;

/// Have two runs the same modes, whatever they remember besides?
pub fn have_same_modes(one: &Run<'_>, other: &Run<'_>) -> bool {
    let (one, other) = (one.modes(), other.modes());
    let networks = match (&one.network, &other.network) {
        (Some(one), Some(other)) => one.are_modes_of(other),
        _ => true,
    };
    networks
        && one.elements == other.elements
        && one.expressions == other.expressions
        && one.plugins == other.plugins
}

/// Gives a run the modes of another one; it keeps its own registers.
pub fn take_modes(run: &mut Run<'_>, other: &Run<'_>) {
    let (own, mut modes) = (run.modes(), other.modes());
    if let (Some(own), Some(of_other)) = (own.network, modes.network.take()) {
        modes.network = Some(of_other.with_registers_of(&own));
    }
    run.restore_modes(&modes);
}
