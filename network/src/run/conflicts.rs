//! What contradicts each other where no modes are found: the loop or the cut (`complementarity/conflict.rs`).

use crate::complementarity::conflict::Conflict as Found;
use crate::run::settle::Settling;
use crate::run::together::Asked;
use crate::run::unsettled::{Conflict, Unsettled};

/// The same failure with the elements of the loop or cut, if there is one in these modes. `start` are the modes before the event.
pub(super) fn explained(
    settling: &Settling<'_, '_>,
    failure: Unsettled,
    modes: &[i8],
    start: &[i8],
) -> Unsettled {
    let storage = match &failure {
        Unsettled::Impulse { storage, .. } => Some(*storage),
        Unsettled::Impossible(_) | Unsettled::Cycle(_) | Unsettled::Unsolved(_) => None,
        _ => return failure,
    };
    // Laws that contradict each other whatever is stored come first.
    let conflict = conflict(settling, modes, start, |found| {
        let is_about = storage.is_none_or(|block| found.blocks.contains(&block));
        found.storages.is_empty() || is_about && !found.agrees
    });
    conflict.map_or(failure, |conflict| Unsettled::Conflict(Box::new(conflict)))
}

/// A crossing that leaves all modes as they are would come again at once. If what it asks for is a conflict of laws,
/// that is the reason.
pub(super) fn refuse_crossing(
    settling: &Settling<'_, '_>,
    crossed: &[usize],
    start: &[i8],
) -> Result<(), Unsettled> {
    if crossed.is_empty() {
        return Ok(());
    }
    let mut modes = start.to_vec();
    let watches = crossed.iter().map(|&number| settling.run.network.watches[number]);
    for watch in watches.filter(|watch| start[watch.mode] == watch.from) {
        modes[watch.mode] = watch.to;
    }
    if modes == start {
        return Ok(());
    }
    let conflict =
        conflict(settling, &modes, start, |found| found.storages.is_empty() && !found.agrees);
    conflict.map_or(Ok(()), |conflict| Err(Unsettled::Conflict(Box::new(conflict))))
}

/// Do currents of sources flow into a part that nothing but a token conductance holds? All valves together may find a way for
/// them. What only begins to flow is left to the valves that it opens. Each combination is asked once.
pub(super) fn refuse_cut_off(
    settling: &mut Settling<'_, '_>,
    asked: Asked<'_>,
) -> Result<(), Unsettled> {
    let has_islands = !settling.run.present().fixed.islands.is_empty();
    if !has_islands || settling.run.now.events.agreed.contains(settling.run.modes()) {
        return Ok(());
    }
    let modes = settling.run.modes().to_vec();
    let is_cut = |found: &Found| {
        let is_now = found.order == 0 && !found.agrees;
        is_now && found.storages.is_empty() && !found.nodes.is_empty()
    };
    let Some(conflict) = conflict(settling, &modes, asked.start, is_cut) else {
        settling.run.now.events.agreed.insert(modes.into());
        return Ok(());
    };
    if settling.settle_together(asked) != Some(true) || settling.run.modes() == modes {
        return Err(Unsettled::Conflict(Box::new(conflict)));
    }
    settling.run.follow(settling.y);
    Ok(())
}

/// The smallest conflict that counts, of those with an element that has just switched if there is one.
fn conflict(
    settling: &Settling<'_, '_>,
    modes: &[i8],
    start: &[i8],
    counts: impl Fn(&Found) -> bool,
) -> Option<Conflict> {
    let flat = &settling.run.network.flat;
    let laws = flat.modes.iter().zip(modes.iter().zip(start));
    let changed = laws.filter(|(_, (now, before))| now != before).map(|(law, _)| law.block);
    let changed: Vec<u32> = changed.collect();
    let switched = |found: &Found| -> Vec<u32> {
        changed.iter().copied().filter(|block| found.blocks.contains(block)).collect()
    };
    let all = settling.with_question(modes, |question| question.conflicts());
    let best = all
        .into_iter()
        .filter(|found| counts(found) && !found.blocks.is_empty())
        .min_by_key(|found| {
            let is_stored = !found.storages.is_empty();
            (found.agrees, is_stored, switched(found).is_empty(), found.blocks.len())
        })?;
    let storages = best.storages.iter().map(|s| flat.variables[s.index()].block).collect();
    let switched = switched(&best);
    let (node, agrees) = (best.nodes.first().copied(), best.agrees);
    Some(Conflict { blocks: best.blocks, storages, node, switched, agrees })
}
