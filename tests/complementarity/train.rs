//! Trains of masses or shafts with springs, backlash, friction, clutches, brakes, stops and gears: as equations of the
//! reference and as the text of a model. The names are of translation; shafts follow the same laws.

use dysim_tests::random::Random;

use crate::circuit::{FLOOR, Signal};
use crate::conditions::{Conditions, Known, Rule, Scale, Var};
use crate::converters::decades;
use crate::course::Trouble;
use crate::reference::{Answer, compare};
use crate::stepping::{Accuracy, edges, follow};
use crate::waves::{Gate, Wave};

/// An element between two nodes; node 0 is the base.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Stiffness, damping, half of the play.
    Spring(f64, f64, f64),
    /// Limit at rest, force while sliding, and when it acts.
    Friction(f64, f64, Option<Gate>),
    /// Limits of the distance, stiffness, damping.
    Stop(f64, f64, f64, f64),
    /// Ratio of the speeds.
    Gear(f64),
}

/// A train.
#[derive(Clone, Debug)]
pub struct Train {
    /// Do its nodes turn?
    pub turns: bool,
    /// Mass and speed at the start, of each node from 1.
    pub masses: Vec<(f64, f64)>,
    /// Elements with their nodes a and b.
    pub parts: Vec<(usize, usize, Part)>,
    /// Forces on nodes.
    pub forces: Vec<(usize, Wave)>,
    /// Time between outputs, s.
    pub interval: f64,
    /// Number of outputs.
    pub outputs: usize,
}

fn wave(r: &mut Random) -> Wave {
    let (amplitude, frequency) = (decades(r, 3.0, 20.0), decades(r, 0.3, 2.0));
    Wave::Sine { amplitude, frequency, phase: 0.0, offset: 0.0 }
}

/// A random train; only one of the masses has a speed at the start, so that nothing contradicts a gear.
pub fn random_train(seed: u64) -> Train {
    let r = &mut Random::new(seed);
    let turns = r.below(2) == 0;
    let count = 2 + r.below(4);
    let has_gear = turns && r.below(3) == 0;
    let mut masses: Vec<(f64, f64)> = (0..count).map(|_| (decades(r, 0.5, 3.0), 0.0)).collect();
    if !has_gear {
        masses[0].1 = decades(r, 0.1, 2.0);
    }
    let mut parts = Vec::new();
    for k in 1..=count {
        if has_gear && k == 2 {
            parts.push((1, 2, Part::Gear(decades(r, 0.5, 3.0))));
            continue;
        }
        if r.below(4) > 0 {
            let play = if r.below(3) == 0 { decades(r, 0.01, 0.1) } else { 0.0 };
            let damping = if r.below(2) == 0 { 0.0 } else { decades(r, 0.1, 3.0) };
            parts.push((k - 1, k, Part::Spring(decades(r, 20.0, 500.0), damping, play)));
        }
    }
    for _ in 0..1 + r.below(6) {
        let b = 1 + r.below(count);
        let a = r.below(count + 1);
        let a = if a == b { 0 } else { a };
        let rest = decades(r, 0.5, 6.0);
        let sliding = if r.below(2) == 0 { rest } else { 0.7 * rest };
        let period = decades(r, 0.4, 1.5);
        let gate = Gate { period, on: 0.5 * period, shift: 0.3 * period, inverted: false };
        parts.push((
            a,
            b,
            Part::Friction(rest, sliding, (turns && r.below(3) == 0).then_some(gate)),
        ));
    }
    if !turns && r.below(2) == 0 {
        let (far, stiff) = (decades(r, 0.02, 0.2), decades(r, 500.0, 5000.0));
        parts.push((0, 1 + r.below(count), Part::Stop(-far, 0.8 * far, stiff, 2.0)));
    }
    let forces = vec![(1 + r.below(count), wave(r)), (count, wave(r))];
    Train { turns, masses, parts, forces, interval: 0.0503, outputs: 40 }
}

/// A part as an element of a network between two nodes.
pub fn element(turns: bool, number: usize, (a, b): (usize, usize), part: Part) -> String {
    let node = |k: usize| if k == 0 { "base".to_string() } else { format!("n{k}") };
    let (keyword, rest) = match part {
        Part::Spring(c, d, play) => {
            let keyword = if turns { "TorsionSpring" } else { "LinearSpring" };
            (keyword, format!("c = {c:?}; d = {d:?}; Backlash = {play:?};"))
        }
        Part::Friction(rest, sliding, gate) => {
            let limits = format!("Rmax = {rest:?}; Rv = {sliding:?};");
            match gate {
                Some(gate) if a == 0 => ("Brake", format!("{limits} Active = {};", gate.text())),
                Some(gate) => ("Clutch", format!("{limits} Engaged = {};", gate.text())),
                None if turns => ("Friction", limits),
                None => ("LinearFriction", limits),
            }
        }
        Part::Stop(low, high, c, d) => {
            ("Stop", format!("smin = {low:?}; smax = {high:?}; c = {c:?}; d = {d:?};"))
        }
        Part::Gear(ratio) => ("Gear", format!("Ratio = {ratio:?};")),
    };
    format!("{keyword} \"p{number}\" {{ a = {}; b = {}; {rest} }}\n", node(a), node(b))
}

impl Train {
    /// The model with a method.
    pub fn text(&self, solver: &str, tolerance: f64) -> String {
        let frame = crate::circuit::Circuit::new(self.interval, self.outputs);
        let mut text = frame.text(solver, tolerance);
        for (k, (mass, speed)) in (1..).zip(&self.masses) {
            let (keyword, m, v) =
                if self.turns { ("Inertia", "J", "Winit") } else { ("Mass", "m", "Vinit") };
            text +=
                &format!("{keyword} \"m{k}\" {{ a = n{k}; {m} = {mass:?}; {v} = {speed:?}; }}\n");
        }
        for (k, (a, b, part)) in (1..).zip(&self.parts) {
            text += &element(self.turns, k, (*a, *b), *part);
        }
        for (k, (at, wave)) in (1..).zip(&self.forces) {
            let (keyword, f) =
                if self.turns { ("TorqueSource", "Tau") } else { ("ForceSource", "F") };
            text += &format!("{keyword} \"f{k}\" {{ a = n{at}; {f} = {}; }}\n", wave.text());
        }
        text
    }

    /// The equations and the signals that may be compared.
    fn write(&self) -> (Conditions, Vec<Signal>) {
        let mut c = Conditions::default();
        let force = self.forces.iter().map(|(_, wave)| wave.size()).fold(0.0, f64::max);
        let time = self.interval * self.outputs as f64;
        let lightest = self.masses.iter().map(|(m, _)| *m).fold(f64::MAX, f64::min);
        let speed = force * time / lightest;
        c.floors = [FLOOR * speed, FLOOR * force, FLOOR * speed * time];
        let (s, v) = if self.turns { ("phi", "w") } else { ("s", "v") };
        let mut signals = Vec::new();
        let speeds: Vec<usize> = self.masses.iter().map(|_| c.variable(Scale::Across)).collect();
        let sums: Vec<usize> = self.masses.iter().map(|_| c.variable(Scale::Through)).collect();
        for (k, (mass, initial)) in self.masses.iter().enumerate() {
            // v - (h/m) f = v_old, s - h v = s_old.
            let old = c.remember(speeds[k], *initial);
            c.remembering(
                &[(Var::X(speeds[k]), 1.0)],
                &[(Var::X(sums[k]), -1.0 / mass)],
                &[(old, 1.0)],
            );
            let position = c.variable(Scale::Position);
            let old = c.remember(position, 0.0);
            c.remembering(&[(Var::X(position), 1.0)], &[(Var::X(speeds[k]), -1.0)], &[(old, 1.0)]);
            signals.push(Signal {
                name: format!("m{}.{v}", k + 1),
                terms: vec![(speeds[k], 1.0)],
                scale: Scale::Across,
                turns_with: None,
            });
            signals.push(Signal {
                name: format!("m{}.{s}", k + 1),
                terms: vec![(position, 1.0)],
                scale: Scale::Position,
                turns_with: None,
            });
        }
        // Forces into the elements at b, and what acts at a instead of -1 times them.
        let mut balances: Vec<Vec<(Var, f64)>> =
            sums.iter().map(|&f| vec![(Var::X(f), 1.0)]).collect();
        for (k, &(a, b, part)) in self.parts.iter().enumerate() {
            let f = c.variable(Scale::Through);
            let at =
                |node: usize, sign: f64| node.checked_sub(1).map(|k| (Var::X(speeds[k]), sign));
            let relative: Vec<(Var, f64)> =
                [at(b, 1.0), at(a, -1.0)].into_iter().flatten().collect();
            let speed = |&(v, sign): &(Var, f64)| match v {
                Var::X(k) => (k, sign),
                Var::W(_) | Var::Z(_) => unreachable!("speeds are free variables"),
            };
            let turns_with = Some(relative.iter().map(speed).collect());
            let mut back = -1.0;
            match part {
                Part::Gear(ratio) => {
                    // w_a = i w_b, i tau_a + tau_b = 0.
                    let terms: Vec<(Var, f64)> =
                        [at(a, 1.0), at(b, -ratio)].into_iter().flatten().collect();
                    c.equate(&terms, &[]);
                    back = -1.0 / ratio;
                }
                _ => part_law(&mut c, part, f, &relative),
            }
            if matches!(part, Part::Friction(..)) {
                let name = if self.turns { "tau" } else { "f" };
                signals.push(Signal {
                    name: format!("p{}.{name}", k + 1),
                    terms: vec![(f, 1.0)],
                    scale: Scale::Through,
                    turns_with,
                });
            }
            for (node, factor) in [(b, 1.0), (a, back)] {
                if node > 0 {
                    balances[node - 1].push((Var::X(f), factor));
                }
            }
        }
        let mut acting: Vec<Vec<(Known, f64)>> = vec![Vec::new(); self.masses.len()];
        for (at, wave) in &self.forces {
            acting[at - 1].push((c.source(*wave, Scale::Through), 1.0));
        }
        for (terms, known) in balances.iter().zip(&acting) {
            c.equate(terms, known);
        }
        (c, signals)
    }

    /// Times of the outputs.
    fn times(&self) -> Vec<f64> {
        (1..=self.outputs).map(|k| k as f64 * self.interval).collect()
    }

    /// Solves it.
    pub fn answer(&self) -> Result<Answer, Trouble> {
        let (conditions, signals) = self.write();
        let times = self.times();
        let accuracy =
            |tolerance, bits: u32| Accuracy { tolerance, shortest: 0.5_f64.powi(bits as i32) };
        let fine = follow(&conditions, &times, accuracy(1e-8, 27))?;
        let coarse = follow(&conditions, &times, accuracy(1e-6, 24))?;
        let mut changes = edges(&conditions, times.last().copied().unwrap_or(0.0));
        changes.extend(&fine.changes);
        let storages: Vec<usize> = conditions.memory.iter().map(|&(k, _)| k).collect();
        Ok(compare((&fine, &coarse), &storages, &signals, &times, &changes))
    }
}

/// f as a function of the relative speed v.
fn part_law(c: &mut Conditions, part: Part, f: usize, relative: &[(Var, f64)]) {
    let force = Var::X(f);
    let times = |factor: f64| -> Vec<(Var, f64)> {
        relative.iter().map(|&(v, x)| (v, factor * x)).collect()
    };
    let distance = |c: &mut Conditions| {
        let x = c.variable(Scale::Position);
        let old = c.remember(x, 0.0);
        c.remembering(&[(Var::X(x), 1.0)], &times(-1.0), &[(old, 1.0)]);
        x
    };
    match part {
        Part::Spring(stiffness, damping, play) => {
            let x = distance(c);
            let mut terms = times(-damping);
            terms.push((force, 1.0));
            if play == 0.0 {
                terms.push((Var::X(x), -stiffness));
                c.equate(&terms, &[]);
                return;
            }
            // f = d v + c (z1 - z2), w1 = z1 - (x - B), w2 = z2 + (x + B).
            let edge = c.source(Wave::Constant(play), Scale::Position);
            for sign in [1.0, -1.0] {
                let k = c.pair(Scale::Position, Scale::Position, Rule::Free);
                terms.push((Var::Z(k), -sign * stiffness));
                c.equate(&[(Var::W(k), 1.0), (Var::Z(k), -1.0), (Var::X(x), sign)], &[(edge, 1.0)]);
            }
            c.equate(&terms, &[]);
        }
        Part::Friction(rest, sliding, gate) => {
            // v = z1 - z2, w1 = R - f, w2 = R + f.
            let one = c.pair(Scale::Through, Scale::Across, Rule::Free);
            let two = c.pair(Scale::Through, Scale::Across, Rule::Free);
            let limit = c.source(Wave::Constant(sliding), Scale::Through);
            if let Some(source) = c.sources.last_mut() {
                (source.gate, source.at_rest) = (gate, Some((rest, one, two)));
            }
            let mut terms = times(1.0);
            terms.extend([(Var::Z(one), -1.0), (Var::Z(two), 1.0)]);
            c.equate(&terms, &[]);
            c.equate(&[(Var::W(one), 1.0), (force, 1.0)], &[(limit, 1.0)]);
            c.equate(&[(Var::W(two), 1.0), (force, -1.0)], &[(limit, 1.0)]);
        }
        Part::Stop(low, high, stiffness, damping) => {
            let x = distance(c);
            let mut terms = vec![(force, 1.0)];
            for (sign, edge) in [(1.0, high), (-1.0, -low)] {
                // g = sign x - edge; touching, z = max(0, c g + sign d v).
                let g = c.variable(Scale::Position);
                let known = c.source(Wave::Constant(-edge), Scale::Position);
                c.equate(&[(Var::X(g), 1.0), (Var::X(x), -sign)], &[(known, 1.0)]);
                let k = c.pair(Scale::Through, Scale::Through, Rule::Positive(g));
                let mut law = times(sign * damping);
                law.extend([(Var::W(k), 1.0), (Var::Z(k), -1.0), (Var::X(g), stiffness)]);
                c.equate(&law, &[]);
                terms.push((Var::Z(k), -sign));
            }
            c.equate(&terms, &[]);
        }
        Part::Gear(_) => unreachable!("a gear is no law of the relative speed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A block with friction on a spring: it swings with shifted centres and sticks where the spring cannot move it.
    #[test]
    fn block_on_a_spring_loses_two_shifts_per_half_swing() {
        // m = 1, c = 100, R = 2: shifts of 0.02; from 0 with v = 1: amplitude around -0.02 is hypot(0.1, 0.02).
        let train = Train {
            turns: false,
            masses: vec![(1.0, 1.0)],
            parts: vec![
                (0, 1, Part::Spring(100.0, 0.0, 0.0)),
                (0, 1, Part::Friction(2.0, 2.0, None)),
            ],
            forces: Vec::new(),
            interval: 0.0503,
            outputs: 40,
        };
        let answer = train.answer().expect("an answer");
        let last = answer.values.last().expect("rows")[1].expect("a position");
        // Turning points: 0.1020 - 0.02 = 0.0820, then -(0.0820 - 0.04) = -0.0420, then 0.0020, which is within 0.02.
        let turn = (0.1_f64.powi(2) + 0.02_f64.powi(2)).sqrt() - 0.02;
        assert!((last.value - (turn - 0.08)).abs() < 1e-6, "{last:?}");
    }

    /// Parallel frictions: the share is undetermined while both stick.
    #[test]
    fn two_frictions_hold_a_mass_together() {
        let friction = Part::Friction(2.0, 2.0, None);
        let train = Train {
            turns: false,
            masses: vec![(1.0, 0.0)],
            parts: vec![(0, 1, friction), (0, 1, friction)],
            forces: vec![(1, Wave::Constant(3.0))],
            interval: 0.1,
            outputs: 3,
        };
        let answer = train.answer().expect("an answer");
        let row = &answer.values[1];
        assert!(row[0].expect("a speed").value.abs() < 1e-12);
        assert!(row[2].is_none() && row[3].is_none());
    }
}
