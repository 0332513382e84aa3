//! The answer of the reference about a circuit: values with error bars, what nothing determines, or why there is none.

use crate::circuit::{Circuit, Kind, Signal, Written};
use crate::conditions::Scale;
use crate::course::{Course, Jump, Trouble};
use crate::stepping::{Accuracy, edges, follow};

/// The course that counts, and a coarser one from which its error follows.
const FINE: Accuracy = Accuracy { tolerance: 1e-8, shortest: 1.0 / (1_u64 << 27) as f64 };
const COARSE: Accuracy = Accuracy { tolerance: 1e-6, shortest: 1.0 / (1_u64 << 24) as f64 };

/// Whoever compares at an instant this near to a change, over the time of the run, compares two sides of a jump.
const NEAR: f64 = 1e-6;

/// A speed that two courses know to this only, over the largest one, has no sign that counts: the run of the engine has an error of
/// this order (`harness.rs`).
const UNRESOLVED: f64 = 1e-4;

/// Why a circuit has no answer. The names are those of elements.
#[derive(Clone, Debug, PartialEq)]
pub enum IllPosed {
    /// No state of the valves satisfies all laws, at a time.
    NoSolution(f64),
    /// Sources that contradict each other, at a time.
    Contradiction(f64, Vec<String>),
    /// A source gives an impulse of current to a capacitor of another voltage; the loop.
    SourceOnCapacitor(f64, Vec<String>),
    /// An inductor is cut off; the cut.
    InductorCut(f64, Vec<String>),
    /// Variables jump in a way about which the rules say nothing: at the start.
    OtherJump(f64, Vec<String>),
    /// The reference gives up.
    Unknown(f64),
}

/// A value of a signal.
#[derive(Clone, Copy, Debug)]
pub struct Value {
    /// The value.
    pub value: f64,
    /// How far it may be off.
    pub bar: f64,
    /// What all storages add up to in it, each with the largest value of its kind: the tolerance of a run is one for
    /// storages, and this is how far it goes in what follows from them.
    pub reach: f64,
}

/// What the reference says.
pub struct Answer {
    /// Names of the signals.
    pub signals: Vec<String>,
    /// Kinds of the signals.
    pub scales: Vec<Scale>,
    /// For each output and signal: the value, where it is determined.
    pub values: Vec<Vec<Option<Value>>>,
    /// Largest voltage and current.
    pub sizes: [f64; 3],
    /// Number of changes of valves.
    pub changes: usize,
    /// Number of instants at which charge or flux is shared.
    pub jumps: usize,
}

/// Solves a circuit.
pub fn answer(circuit: &Circuit) -> Result<Answer, IllPosed> {
    if let Some(names) = circuit.loop_of_sources() {
        return Err(IllPosed::Contradiction(0.0, names));
    }
    let written = circuit.write();
    let times = circuit.times();
    let run = |accuracy| {
        let course = follow(&written.conditions, &times, accuracy);
        course.map_err(|trouble| name_trouble(circuit, &written, &trouble))
    };
    let fine = run(FINE)?;
    if let Some(found) =
        fine.jumps.iter().find_map(|jump| name_jump(circuit, &written, jump, &fine))
    {
        return Err(found);
    }
    let coarse = run(COARSE)?;
    let mut changes = edges(&written.conditions, times.last().copied().unwrap_or(0.0));
    changes.extend(&fine.changes);
    let storages: Vec<usize> = written.conditions.memory.iter().map(|&(k, _)| k).collect();
    Ok(compare((&fine, &coarse), &storages, &written.signals, &times, &changes))
}

/// Values of signals from a fine and a coarse course.
pub fn compare(
    (fine, coarse): (&Course, &Course),
    storages: &[usize],
    signals: &[Signal],
    times: &[f64],
    changes: &[f64],
) -> Answer {
    let end = times.last().copied().unwrap_or(0.0);
    let mut sizes = [0.0_f64; 3];
    let largest = |k: &usize| fine.values.iter().map(|row| row[*k].abs()).fold(0.0, f64::max);
    let storages: Vec<f64> = storages.iter().map(largest).collect();
    let mut values = Vec::new();
    for (row, &t) in times.iter().enumerate() {
        let is_ambiguous =
            [fine, coarse].iter().any(|course| course.ambiguous_from.is_some_and(|from| t >= from));
        let is_near = changes.iter().any(|change| (change - t).abs() < NEAR * end);
        let value = |Signal { terms, scale, turns_with, .. }: &Signal| {
            let sum_of = |terms: &[(usize, f64)], course: &Course| -> f64 {
                terms.iter().map(|&(k, f)| f * course.values[row][k]).sum()
            };
            let sum = |course: &Course| sum_of(terms, course);
            // What moves so slowly may move the other way as well.
            let is_slow = turns_with.as_ref().is_some_and(|speed| {
                let speed = sum_of(speed, fine).abs();
                speed > 0.0 && speed < UNRESOLVED * fine.sizes[Scale::Across as usize]
            });
            let is_open = is_slow || fine.undetermined[row].is_open(terms);
            let (a, b) = (sum(fine), sum(coarse));
            if is_near || is_open || is_ambiguous {
                return (None, *scale);
            }
            let gain = &fine.gains[row].solved.gain;
            let sum = |j: usize| terms.iter().map(|&(k, f)| f * gain[k][j]).sum::<f64>();
            let reach =
                storages.iter().enumerate().map(|(j, size)| sum(j).abs() * size).sum::<f64>();
            (Some(Value { value: a, bar: 4.0 * (a - b).abs(), reach }), *scale)
        };
        let row: Vec<(Option<Value>, Scale)> = signals.iter().map(value).collect();
        for (value, scale) in &row {
            let size = &mut sizes[*scale as usize];
            *size = size.max(value.map_or(0.0, |value| value.value.abs()));
        }
        values.push(row.into_iter().map(|(value, _)| value).collect());
    }
    Answer {
        signals: signals.iter().map(|signal| signal.name.clone()).collect(),
        scales: signals.iter().map(|signal| signal.scale).collect(),
        values,
        sizes,
        changes: fine.changes.len(),
        jumps: fine.jumps.len(),
    }
}

fn name_trouble(circuit: &Circuit, written: &Written, trouble: &Trouble) -> IllPosed {
    match trouble {
        Trouble::NoSolution(t) => IllPosed::NoSolution(*t),
        Trouble::TooManySteps(t) => IllPosed::Unknown(*t),
        Trouble::Contradiction(t, inputs) => {
            let memory = written.owners_of_memory.len();
            let owner = |&input: &usize| match input.checked_sub(memory) {
                None => written.owners_of_memory[input],
                Some(source) => written.owners_of_sources[source],
            };
            let mut names: Vec<String> =
                inputs.iter().map(|input| circuit.elements[owner(input)].name.clone()).collect();
            names.dedup();
            IllPosed::Contradiction(*t, names)
        }
    }
}

/// Is a jump one that has no finite answer? Shared charge and shared flux are none.
fn name_jump(
    circuit: &Circuit,
    written: &Written,
    jump: &Jump,
    course: &Course,
) -> Option<IllPosed> {
    let carries: Vec<usize> = (0..circuit.elements.len())
        .filter(|&k| jump.impulses.iter().any(|(variable, _)| *variable == written.currents[k]))
        .collect();
    let names = |all: &[usize]| all.iter().map(|&k| circuit.elements[k].name.clone()).collect();
    if jump.t == 0.0 {
        return Some(IllPosed::OtherJump(jump.t, names(&carries)));
    }
    let is_source = |k: &usize| {
        matches!(
            circuit.elements[*k].kind,
            Kind::VoltageSource(_) | Kind::OpAmp(_) | Kind::Zener(..)
        )
    };
    if carries.iter().any(is_source) {
        return Some(IllPosed::SourceOnCapacitor(jump.t, names(&carries)));
    }
    let flux =
        written.owners_of_memory.iter().zip(&jump.memory).any(|(&owner, (before, after))| {
            let is_inductor = matches!(circuit.elements[owner].kind, Kind::Inductor(..));
            is_inductor && (after - before).abs() > 1e-5 * before.abs().max(after.abs())
        });
    let is_current = |e: &crate::circuit::Element| matches!(e.kind, Kind::CurrentSource(_));
    if flux && circuit.elements.iter().any(is_current) {
        return Some(IllPosed::OtherJump(jump.t, Vec::new()));
    }
    let mut cut = Vec::new();
    for (&owner, &(before, after)) in written.owners_of_memory.iter().zip(&jump.memory) {
        // To nothing but rounding, from something. What a closed switch takes from a capacitor is a jump with an end.
        let is_large = before.abs() > 1e-4 * course.sizes[Scale::Through as usize];
        let vanishes = is_large && after.abs() < 1e-5 * before.abs();
        if vanishes && matches!(circuit.elements[owner].kind, Kind::Inductor(..)) {
            cut.push(owner);
        }
    }
    (!cut.is_empty()).then(|| IllPosed::InductorCut(jump.t, names(&cut)))
}
