//! The way to a solution that Newton's iteration does not find from where it stands.
//!
//! Every node is held softly at a value a, by a conductance g, and sources are a share s of themselves (`Valves::Led`):
//!
//! ```text
//! F(x; s) + g (potentials - a) = 0        s = 1 and g = 0 is the task itself
//! ```
//!
//! Three ways lead there, as in SPICE, each tried where the one before it ends nowhere:
//! the conductance shrinks with a = 0 (Gmin stepping), the sources grow from nothing (source stepping), and the conductance
//! shrinks with a following x (pseudo-transient continuation: a capacitor at each node, whose steps grow).
//! Nagel, *SPICE2* (1975), appendix 4; Kelley and Keyes, SIAM J. Numer. Anal. 35 (1998) 508.

use crate::code::evaluate::Unsolved;
use crate::prepared::valves::{Rule, StaticInputs, Valves};
use crate::run::NetworkRun;
use crate::run::settle::Unsettled;
use crate::run::static_step;
use equations::expr::Node;

/// The conductance with which a way begins, over a usual one, and the largest one that is tried.
const FIRST_CONDUCTANCE: f64 = 1e-2;
const MOST_CONDUCTANCE: f64 = 1e8;
/// A conductance that carries nothing that counts.
const NO_CONDUCTANCE: f64 = 1e-13;
/// First factor between conductances, its limits, and the one at which a way is given up.
const FACTOR: f64 = 10.0;
const MOST_FACTOR: f64 = 100.0;
const LEAST_FACTOR: f64 = 1.001;
/// First part of the sources, and the step at which the way is given up.
const FIRST_SHARE: f64 = 1e-3;
const LEAST_SHARE: f64 = 1e-7;
/// Points of one way.
const MOST_POINTS: usize = 400;

/// Storages, the length of a step, and what holds for them.
#[derive(Clone, Copy)]
pub(super) struct Goal<'a> {
    pub t: f64,
    /// Storages before the step.
    pub old: &'a [f64],
    /// Length of the step, s.
    pub length: f64,
    pub rule: Rule,
}

/// Leads the variables to a solution of the static form and puts that in force.
pub(super) fn solve(run: &mut NetworkRun<'_>, goal: Goal<'_>) -> Result<(), Unsettled> {
    let was_patient = std::mem::replace(&mut run.now.events.is_patient, false);
    let solved = Course::begin(run, goal).and_then(|mut course| course.follow());
    run.now.events.is_patient = was_patient;
    solved
}

/// Where the present modes have no solution near the last values: the solution of the same storages.
pub(super) fn rescue(run: &mut NetworkRun<'_>, t: f64, y: &[f64]) -> Result<(), Unsettled> {
    let modes = run.modes().to_vec();
    let length = run.now.events.instant;
    let led = solve(run, Goal { t, old: y, length, rule: Rule::Jump });
    let was_patient = std::mem::replace(&mut run.now.events.is_patient, false);
    let back = run.now.combinations.enter_modes(run.network, &modes, Valves::Ideal);
    let solved = run.update_all(t, y);
    run.now.events.is_patient = was_patient;
    led?;
    back?;
    Ok(solved?)
}

struct Course<'r, 'n, 'a> {
    run: &'r mut NetworkRun<'n>,
    goal: Goal<'a>,
    inputs: StaticInputs,
    /// All numbers at the last point that was reached.
    reached: Vec<f64>,
}

impl<'r, 'n, 'a> Course<'r, 'n, 'a> {
    /// Puts the form in force that can be led.
    fn begin(run: &'r mut NetworkRun<'n>, goal: Goal<'a>) -> Result<Self, Unsettled> {
        let modes = run.modes().to_vec();
        let kind = Valves::Led(goal.rule);
        run.now.combinations.enter_modes(run.network, &modes, kind)?;
        static_step::set(run, goal.old, goal.length);
        let inputs = kind.inputs(goal.old.len(), run.network.flat.balances.len());
        Ok(Self { run, goal, inputs, reached: Vec::new() })
    }

    fn follow(&mut self) -> Result<(), Unsettled> {
        let mut last = None;
        for way in [Self::shrink_conductance, Self::grow_sources, Self::follow_potentials] {
            self.start_anew();
            if way(self) {
                match self.arrive() {
                    Ok(()) => return Ok(()),
                    Err(unsettled) => last = Some(unsettled),
                }
                self.return_to_course()?;
            }
        }
        // The mistake is that of the form itself.
        last.map_or_else(|| self.arrive(), Err)
    }

    /// The form itself, from the values that were reached.
    fn arrive(&mut self) -> Result<(), Unsettled> {
        let Goal { t, old, length, rule } = self.goal;
        static_step::enter(self.run, rule)?;
        static_step::set(self.run, old, length);
        Ok(self.run.update_all(t, old)?)
    }

    /// The form that can be led again.
    fn return_to_course(&mut self) -> Result<(), Unsettled> {
        let modes = self.run.modes().to_vec();
        let kind = Valves::Led(self.goal.rule);
        self.run.now.combinations.enter_modes(self.run.network, &modes, kind)?;
        static_step::set(self.run, self.goal.old, self.goal.length);
        Ok(())
    }

    /// Every variable at its first guess, every node held at zero.
    fn start_anew(&mut self) {
        let present = self.run.now.combinations.present_mut();
        let variables = &present.fixed.variables;
        for (number, variable) in present.now.values.numbers.iter_mut().zip(variables) {
            *number = variable.guess;
        }
        let (first, n) = (self.inputs.anchor(0), self.inputs.len());
        static_step::inputs(self.run)[first..n].fill(0.0);
        self.keep();
    }

    fn keep(&mut self) {
        self.reached.clone_from(&self.run.present().now.values.numbers);
    }

    /// Solves for a share of the sources and a conductance; else all stays at the last point.
    fn reach(&mut self, share: f64, conductance: f64) -> Result<(), Unsolved> {
        let inputs = static_step::inputs(self.run);
        inputs[self.inputs.share()] = share;
        inputs[self.inputs.conductance()] = conductance;
        let solved = self.run.update_all(self.goal.t, self.goal.old);
        match solved {
            Ok(()) => self.keep(),
            Err(_) => {
                let numbers = &mut self.run.now.combinations.present_mut().now.values.numbers;
                numbers.copy_from_slice(&self.reached);
            }
        }
        solved
    }

    /// The first point: a conductance that is large enough. None if there is no such.
    fn first_conductance(&mut self) -> Option<f64> {
        let mut conductance = FIRST_CONDUCTANCE;
        while self.reach(1.0, conductance).is_err() {
            conductance *= FACTOR * FACTOR;
            if conductance > MOST_CONDUCTANCE {
                return None;
            }
        }
        Some(conductance)
    }

    /// Gmin stepping: true if the way ends at a conductance that does not count.
    fn shrink_conductance(&mut self) -> bool {
        let Some(first) = self.first_conductance() else { return false };
        let (mut conductance, mut factor) = (first, FACTOR);
        for _ in 0..MOST_POINTS {
            if conductance <= NO_CONDUCTANCE {
                return true;
            }
            let next = conductance / factor;
            if self.reach(1.0, next).is_ok() {
                conductance = next;
                factor = (factor * factor.sqrt()).min(MOST_FACTOR);
            } else {
                factor = factor.sqrt().sqrt();
                if factor < LEAST_FACTOR {
                    return false;
                }
            }
        }
        false
    }

    /// Source stepping: true if all sources are whole.
    fn grow_sources(&mut self) -> bool {
        let (mut share, mut step) = (0.0, FIRST_SHARE);
        if self.reach(0.0, NO_CONDUCTANCE).is_err() {
            return false;
        }
        for _ in 0..MOST_POINTS {
            if share >= 1.0 {
                return true;
            }
            let next = f64::min(share + step, 1.0);
            if self.reach(next, NO_CONDUCTANCE).is_ok() {
                share = next;
                step *= 2.0;
            } else {
                step *= 0.25;
                if step < LEAST_SHARE {
                    return false;
                }
            }
        }
        false
    }

    /// Pseudo-transient continuation: true if the way comes to rest.
    fn follow_potentials(&mut self) -> bool {
        let Some(first) = self.first_conductance() else { return false };
        let mut conductance = first;
        for _ in 0..MOST_POINTS {
            self.hold_potentials();
            if conductance <= NO_CONDUCTANCE {
                return true;
            }
            if self.reach(1.0, conductance).is_ok() {
                conductance *= 0.5;
            } else {
                conductance *= 4.0;
                if conductance > MOST_CONDUCTANCE {
                    return false;
                }
            }
        }
        false
    }

    /// Holds every node at its present potential.
    fn hold_potentials(&mut self) {
        let (flat, first) = (&self.run.network.flat, self.inputs.anchor(0));
        let present = self.run.present();
        let arena = &self.run.network.arena;
        let potentials: Vec<f64> = flat
            .potentials
            .iter()
            .map(|&potential| match arena.node(potential) {
                Node::Variable(variable) => present.variable(variable),
                _ => 0.0,
            })
            .collect();
        static_step::inputs(self.run)[first..first + potentials.len()].copy_from_slice(&potentials);
        self.keep();
    }
}
