//! Sensitivities: derivatives of a motion with respect to parameters, by the variational equations.
//!
//! A motion y(t, p) with y' = f(t, y, p) has the sensitivity s = dy/dp, which obeys
//!
//! ```text
//! s' = f_y s + f_p,        s(t0) = dy0/dp.
//! ```
//!
//! y and all s are integrated together as one system, with the error control of the method for both. The right-hand
//! side is the derivative of f in the direction (s, 1) of states and parameter. It comes from two *neighbours*: the same model
//! built with p + h and with p - h,
//!
//! ```text
//! s' = (f(t, y + h s; p + h) - f(t, y - h s; p - h)) / 2 h      h = eps^(1/3) |p|,
//! ```
//!
//! so that geometry, masses, values of networks and everything else enter in the same way. The neighbours stand beside the
//! motion at every evaluation, never further than h s away: their distance is no difference of two runs, and its error, of the
//! order eps^(2/3), does not grow with time. A neighbour keeps its own registers, anchors and delay lines, so that what a
//! model remembers besides its states has a derivative too.
//!
//! At an event (Galan, Feehery and Barton 1999) the instant tau depends on p. With the guard g, the rates f- and f+ before
//! and behind it, and the jump y+ = j(t, y-, p),
//!
//! ```text
//! tau_p = -(g_y s- + g_p) / (g_y f- + g_t)
//! s+    = d/dp j(tau, y-(tau), p) - f+ tau_p,       d/dp y-(tau) = s- + f- tau_p.
//! ```
//!
//! The neighbours carry out the event at their own instants tau +- h tau_p and states; half the difference of what they
//! get over h is the derivative of the jump. Where they do not switch as the motion does, no derivative exists (two events at one
//! instant that would part, a grazing contact): they take its modes, and a remark says so.
//! Models with a `Delay` are refused: what a delay line remembers of a jump is not carried out at the instants of the
//! neighbours.
//!
//! States of sensitivities are scaled: s |p| has the unit of y, so that the tolerances of y suit it. A small share of it is
//! integrated, so that AbsErr is compared with a number whose rounding, eps^(2/3) |y|, is well below; Newton's iterations go far
//! below the tolerance, and want a smaller share.

mod crossing;
mod variational_equations;

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use integrate::MethodKind;
use parser::diagnostic::Diagnostic;

use crate::system::{Failure, Modes, Run, RunState, SignalSource, System};
use crossing::Crossing;

/// Part of its size by which a parameter is varied: the cube root of the machine's precision balances rounding, eps/h, and
/// the neglected third derivative, h^2.
pub const VARIATION: f64 = 6e-6;

/// Part of the scaled sensitivities that is integrated, by methods that solve equations in each step and by others.
const SHARES: [f64; 2] = [1e-4, 1e-2];

/// The finest RelErr that the rounding of the neighbours allows: of methods that solve equations in each step, and of others.
pub const FINEST: [f64; 2] = [1e-8, 1e-10];

/// A parameter, and the model with a smaller and a larger value of it.
pub struct Varied {
    /// The name of the parameter.
    pub name: String,
    /// What the parameter is measured with; states of sensitivities are derivatives with respect to the parameter over this.
    scale: f64,
    /// How far the neighbours are, in parts of the scale.
    shifts: [f64; 2],
    systems: [Arc<System>; 2],
}

impl Varied {
    /// The size of a parameter; that of zero is one.
    pub fn scale_of(value: f64) -> f64 {
        if value == 0.0 { 1.0 } else { value.abs() }
    }

    /// A parameter with its value, and two systems with the values that they have.
    pub fn new(
        name: String,
        value: f64,
        method: MethodKind,
        neighbours: [(f64, Arc<System>); 2],
    ) -> Self {
        let share = if method.is_implicit() { SHARES[0] } else { SHARES[1] };
        let scale = share * Self::scale_of(value);
        let shifts = [0, 1].map(|side: usize| (neighbours[side].0 - value) / scale);
        Self { name, scale, shifts, systems: neighbours.map(|(_, system)| system) }
    }

    /// The distance of the neighbours, in parts of the scale.
    fn distance(&self) -> f64 {
        self.shifts[1] - self.shifts[0]
    }
}

/// The two neighbours of a motion for one parameter.
struct Pair<'s> {
    of: &'s Varied,
    runs: [Run<'s>; 2],
    /// The next known instants of both.
    instants: [Option<f64>; 2],
    /// When both had the last event.
    times: [f64; 2],
    /// The event that is being carried out.
    crossing: Crossing,
    /// The user has been told that a derivative may not exist.
    is_told: bool,
}

/// A motion with its neighbours; without parameters it is the motion alone.
pub struct Bundle<'s> {
    run: Run<'s>,
    pairs: Vec<Pair<'s>>,
    work: Work,
    /// When the last event was.
    last_event: Option<f64>,
    /// The sensitivities behind the present event are found.
    is_carried: bool,
    notes: Vec<String>,
}

/// Buffers for one neighbour at a time.
#[derive(Default)]
struct Work {
    y: Vec<f64>,
    rates: [Vec<f64>; 2],
    guards: [Vec<f64>; 2],
}

/// All that changes in a bundle, without the systems.
#[derive(educe::Educe)]
#[educe(Clone)]
pub struct BundleState {
    run: RunState,
    pairs: Vec<PairState>,
    last_event: Option<f64>,
}

#[derive(educe::Educe)]
#[educe(Clone)]
struct PairState {
    runs: [Box<RunState>; 2],
    instants: [Option<f64>; 2],
    times: [f64; 2],
    is_told: bool,
}

/// The modes of a motion and of its neighbours.
pub struct BundleModes {
    run: Modes,
    pairs: Vec<[Modes; 2]>,
}

impl<'s> Deref for Bundle<'s> {
    type Target = Run<'s>;

    fn deref(&self) -> &Run<'s> {
        &self.run
    }
}

impl DerefMut for Bundle<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.run
    }
}

impl<'s> Bundle<'s> {
    /// The finest RelErr for the method of the model; none without parameters.
    pub fn finest_tolerance(&self) -> Option<f64> {
        let is_implicit = self.run.system.model.solver.method.is_implicit();
        (!self.pairs.is_empty()).then_some(if is_implicit { FINEST[0] } else { FINEST[1] })
    }

    /// A motion at its beginning, with its neighbours.
    pub fn new(system: &'s System, varied: &'s [Varied]) -> Self {
        let pair = |of: &'s Varied| Pair {
            of,
            runs: [0, 1].map(|side: usize| Run::new(&of.systems[side])),
            instants: [None; 2],
            times: [system.model.solver.start; 2],
            crossing: Crossing::default(),
            is_told: false,
        };
        Self::of(Run::new(system), varied.iter().map(pair).collect(), None)
    }

    fn of(run: Run<'s>, pairs: Vec<Pair<'s>>, last_event: Option<f64>) -> Self {
        let mut work = Work::default();
        if !pairs.is_empty() {
            let n = run.system.n_states();
            let guards = || vec![0.0; run.system.n_guards()];
            work.y = vec![0.0; n];
            work.rates = [vec![0.0; n], vec![0.0; n]];
            work.guards = [guards(), guards()];
        }
        Self { run, pairs, work, last_event, is_carried: false, notes: Vec::new() }
    }

    /// A bundle on the same systems that goes on where another one was left.
    pub fn attach(system: &'s System, varied: &'s [Varied], state: BundleState) -> Self {
        let pair = |(of, state): (&'s Varied, PairState)| {
            let PairState { runs: [lower, upper], instants, times, is_told } = state;
            let [a, b] = &of.systems;
            let runs = [Run::attach(a, *lower), Run::attach(b, *upper)];
            Pair { of, runs, instants, times, crossing: Crossing::default(), is_told }
        };
        let run = Run::attach(system, state.run);
        Self::of(run, varied.iter().zip(state.pairs).map(pair).collect(), state.last_event)
    }

    /// Lets go of the systems.
    pub fn detach(self) -> BundleState {
        let pair = |pair: Pair<'_>| PairState {
            runs: pair.runs.map(|run| Box::new(run.detach())),
            instants: pair.instants,
            times: pair.times,
            is_told: pair.is_told,
        };
        BundleState {
            run: self.run.detach(),
            pairs: self.pairs.into_iter().map(pair).collect(),
            last_event: self.last_event,
        }
    }

    /// Finds the initial values of the neighbours, and adds the initial sensitivities to those of the motion.
    ///
    /// # Errors
    /// If a neighbour has no initial values.
    pub fn begin_neighbours(&mut self, y: &mut Vec<f64>) -> Result<(), Box<Diagnostic>> {
        for pair in &mut self.pairs {
            let mut starts = [Vec::new(), Vec::new()];
            for (run, start) in pair.runs.iter_mut().zip(&mut starts) {
                let system = run.system;
                let mut own = system.initial_state();
                run.assemble(system.model.solver.start, &mut own)?;
                run.begin(&mut own).map_err(|failure| without_start(&pair.of.name, &failure))?;
                *start = own;
            }
            let [low, high] = &starts;
            y.extend(low.iter().zip(high).map(|(low, high)| (high - low) / pair.of.distance()));
        }
        Ok(())
    }

    /// Works out everything that results may show of a state.
    ///
    /// # Errors
    /// If something has no value.
    pub fn observe(&mut self, t: f64, y: &[f64]) -> Result<(), Failure> {
        let n = self.run.system.n_states();
        self.run.observe(t, &y[..n])?;
        for (index, pair) in self.pairs.iter_mut().enumerate() {
            for side in 0..2 {
                place(&mut self.work.y, y, n, index, pair.of.shifts[side]);
                pair.runs[side].observe(t, &self.work.y)?;
            }
        }
        Ok(())
    }

    /// The derivatives of signals of the observed state with respect to the parameters: those of all signals with respect to the
    /// first one, then to the next.
    pub fn sensitivities<'a>(
        &'a self,
        sources: &'a [SignalSource],
    ) -> impl Iterator<Item = f64> + 'a {
        let of_pair = |pair: &'a Pair<'s>| {
            let [low, high] = &pair.runs;
            let distance = pair.of.distance() * pair.of.scale;
            let slope =
                move |&source: &SignalSource| (high.signal(source) - low.signal(source)) / distance;
            sources.iter().map(slope)
        };
        self.pairs.iter().flat_map(of_pair)
    }

    /// Gives the `Input` of a block another value, also in the neighbours. True if an event has to follow.
    pub fn set_input(&mut self, block: u32, value: f64) -> bool {
        for pair in &mut self.pairs {
            for run in &mut pair.runs {
                run.set_input(block, value);
            }
        }
        self.run.set_input(block, value)
    }

    /// Puts the modes before the last event in force and gives the present ones.
    pub fn swap_modes_before(&mut self) -> BundleModes {
        let pairs = self.pairs.iter_mut();
        let pairs = pairs.map(|pair| pair.runs.each_mut().map(Run::swap_modes_before)).collect();
        BundleModes { run: self.run.swap_modes_before(), pairs }
    }

    /// Puts modes in force.
    pub fn restore_modes(&mut self, modes: &BundleModes) {
        self.run.restore_modes(&modes.run);
        for (pair, modes) in self.pairs.iter_mut().zip(&modes.pairs) {
            pair.runs.iter_mut().zip(modes).for_each(|(run, modes)| run.restore_modes(modes));
        }
    }

    /// Takes remarks about sensitivities; what the neighbours have noted is forgotten.
    pub fn take_notes(&mut self) -> Vec<String> {
        for run in self.pairs.iter_mut().flat_map(|pair| &mut pair.runs) {
            run.take_drifts().for_each(drop);
            drop(run.take_loop_notes());
            drop(run.take_action_notes());
        }
        std::mem::take(&mut self.notes)
    }
}

/// The state of a neighbour: `y + shift s`.
fn place(out: &mut [f64], y: &[f64], n: usize, index: usize, shift: f64) {
    let s = &y[n * (index + 1)..][..n];
    for ((out, y), s) in out.iter_mut().zip(y).zip(s) {
        *out = y + shift * s;
    }
}

fn without_start(name: &str, failure: &Failure) -> Box<Diagnostic> {
    let reason = match failure {
        Failure::Network(_, words, _) | Failure::Action(_, words, _) => words.clone(),
        other => format!("{other:?}"),
    };
    let message =
        format!("no sensitivity to `{name}`: beside its value the model has no start: {reason}");
    Box::new(Diagnostic::new(crate::codes::INTEGRATION_FAILED, Default::default(), message))
}
