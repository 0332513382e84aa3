//! Why an analysis has no result.

use crate::system::Failure;
use integrate::IntegrationError;

/// Why an analysis has no result.
#[derive(Debug)]
pub enum Trouble {
    /// Forces or accelerations have no value.
    Evaluation(Failure),
    /// Modes do not settle, or the state cannot be evaluated.
    Settling(Box<IntegrationError>, Option<Failure>),
    /// Constraints do not close near the state: by how much they are violated.
    Open(f64),
    /// No equilibrium was found: freedoms that do not come to rest with the force on each, and the number of
    /// iterations.
    Restless(Vec<(usize, f64)>, usize),
    /// No steady state was found: states that keep on changing, with their rates.
    NoSteadyState(Vec<(String, f64)>),
    /// A trim rests, but these given signals, by their number, have other values, which are told.
    NotReached(Vec<(usize, f64)>),
    /// Freedoms without a prescribed motion: the freedoms that can move, the number of independent ones, and the time, s.
    Undriven(Vec<usize>, usize, f64),
    /// The prescribed motion jumps at an instant, s.
    Jumps(f64),
    /// There are so many amplitudes or phases, but so many inputs.
    Amplitudes(usize, usize),
    /// A frequency response has no inputs.
    NoInputs,
    /// There is no response at a frequency, Hz: the block of an unknown that nothing determines, if it is known.
    NoResponse(f64, Option<u32>),
    /// The networks have no linear equations: the block of an equation that has no slope, if it is known.
    NoLinearEquations(Option<u32>),
    /// The eigenvalues were not found.
    NoEigenvalues,
    /// The system has more freedoms than dense matrices are fit for: how many, and the limit.
    TooLarge(usize, usize),
    /// The settings of the Solver block contradict each other.
    Settings,
    /// The user wants the run to end.
    Interrupted,
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Trouble::Evaluation(failure)
    }
}
