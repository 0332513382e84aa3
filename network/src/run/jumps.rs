//! What storages do at an event that lets them jump, for the log: values before and after, and the energy that is lost.
//!
//! Where charge, flux or momentum is shared out through an impulse, the energy that storages lose is dissipated in the valves that
//! the impulse passes, whatever their resistance: of two capacitors C1 C2/(2 (C1 + C2)) (v1 - v2)^2. A source that steps may
//! add energy instead.

use crate::code::block_compiler::Level;
use crate::complementarity::linearise::Lineariser;
use crate::prepared::valves::Valves;
use crate::run::settle::Settling;

/// Jumps that wait to be told; the rest is left out.
const MOST_KEPT: usize = 10_000;

/// Storages that jumped at an instant.
#[derive(Clone, Debug)]
pub struct JumpNote {
    /// Time, s.
    pub t: f64,
    /// Storages by number, with the values before and after.
    pub changes: Vec<(usize, [f64; 2])>,
    /// Energy that all storages lost, J; nothing if that of one that jumped is not known.
    pub lost: Option<f64>,
}

/// Remembers that storages jumped, if they did. `before` are the modes before the pass.
pub(super) fn note_jump(settling: &mut Settling<'_, '_>, before: &[i8]) {
    let events = &settling.run.now.events;
    let changes: Vec<(usize, [f64; 2])> = {
        let is_jump = events.jump_test(&events.entry);
        let pairs = events.entry.iter().zip(&*settling.y).enumerate();
        let jumped = pairs.filter(|(k, (_, new))| is_jump(*k, **new));
        jumped.map(|(k, (&old, &new))| (k, [old, new])).collect()
    };
    if changes.is_empty() || settling.run.now.notes.jumps.len() >= MOST_KEPT {
        return;
    }
    let lost = energy_lost(settling, before, &changes);
    settling.run.now.notes.jumps.push(JumpNote { t: settling.t, changes, lost });
}

/// The energy that storages have lost since the modes `before`.
fn energy_lost(
    settling: &mut Settling<'_, '_>,
    before: &[i8],
    changes: &[(usize, [f64; 2])],
) -> Option<f64> {
    let (network, flat) = (settling.run.network, &settling.run.network.flat);
    let has_energy = |&(storage, _): &(usize, [f64; 2])| {
        let block = flat.variables[network.storages[storage].index()].block;
        flat.energies.iter().any(|(own, _)| *own == block)
    };
    if !changes.iter().all(has_energy) {
        return None;
    }
    let (modes, y) = (settling.run.modes().to_vec(), settling.y.to_vec());
    let entry = settling.run.now.events.entry.clone();
    let after = energy(settling, &modes, &y);
    let old = energy(settling, before, &entry);
    // Back to the values that hold.
    let present = energy(settling, &modes, &y);
    present.and_then(|_| Some(old? - after?))
}

/// The energy of all storages in some modes, which it puts in force with these values.
fn energy(settling: &mut Settling<'_, '_>, modes: &[i8], y: &[f64]) -> Option<f64> {
    let network = settling.run.network;
    settling.y.copy_from_slice(y);
    settling.run.now.combinations.enter_modes(network, modes, Valves::Ideal).ok()?;
    settling.run.update_events(settling.t, y).ok()?;
    settling.run.complete(Level::Results).ok()?;
    let energy = settling.with_question(modes, |question| {
        let mut forms = Lineariser::new(question.arena, &question.at, modes);
        let parts = network.flat.energies.iter();
        let of_part = |&(_, part)| forms.find(part).value(question.at.values);
        parts.map(of_part).sum::<f64>()
    });
    Some(energy).filter(|energy| energy.is_finite())
}
