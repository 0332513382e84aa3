//! One harness for every method: the same settings, the same assertions.

use integrate::{HybridSystem, IntegrationError, MethodKind, RootSearch, Settings, Tolerance};

use super::run::{Outcome, Recorder, driver, integrate};

/// Every method; each can locate roots.
pub const METHODS: [MethodKind; 6] = [
    MethodKind::Derf,
    MethodKind::OdeintRk,
    MethodKind::OdeintBs,
    MethodKind::Rk4,
    MethodKind::Stiff,
    MethodKind::Radau5,
];

/// The methods with error control and located roots.
pub const CONTROLLED: [MethodKind; 5] = [
    MethodKind::Derf,
    MethodKind::OdeintRk,
    MethodKind::OdeintBs,
    MethodKind::Stiff,
    MethodKind::Radau5,
];

/// Tolerance of the runs; the fixed step of rk4 is chosen to reach it on problems of unit scale.
pub const TOLERANCE: f64 = 1e-8;

/// Settings with located roots at [`TOLERANCE`].
pub fn settings(kind: MethodKind) -> Settings {
    settings_at(kind, TOLERANCE)
}

/// Settings with located roots.
pub fn settings_at(kind: MethodKind, tolerance: f64) -> Settings {
    let mut settings = Settings::new(kind, Tolerance::new(tolerance, tolerance));
    settings.events.search = RootSearch::Locate;
    settings.fixed_step = 5e-4;
    settings
}

/// Runs a problem with located roots at [`TOLERANCE`].
///
/// # Errors
/// What the driver says.
pub fn run(
    kind: MethodKind,
    problem: &mut dyn HybridSystem,
    span: (f64, f64),
    y0: &[f64],
    outputs: usize,
    recorder: &mut Recorder,
) -> Result<Outcome, IntegrationError> {
    let mut driver = driver(kind, problem, &settings(kind));
    integrate(&mut driver, problem, span, y0, outputs, recorder)
}

/// Compares event times with closed forms: 10 times the tolerance, growing with the number of
/// events, as each adds its own error to all later ones.
///
/// # Panics
/// If they differ.
pub fn assert_times(what: &str, found: &[f64], expected: &[f64]) {
    assert_eq!(found.len(), expected.len(), "{what}: {found:?} {expected:?}");
    for (n, (found, expected)) in found.iter().zip(expected).enumerate() {
        let allowed = 10.0 * TOLERANCE * (n + 1) as f64;
        assert!((found - expected).abs() < allowed, "{what} event {n}: {found} {expected}");
    }
}
