//! Which storages stand for which states.

use crate::passes::alias::{self, Aliases};
use equations::expr::VarId;
use equations::flat::Variable;

/// Variables that stand for a storage.
pub(crate) fn mark_storages(aliases: &Aliases, storages: &[VarId], count: usize) -> Vec<bool> {
    let mut marks = vec![false; count];
    for &storage in storages {
        if let alias::Meaning::Same(own, _) = aliases.find(storage) {
            marks[own.index()] = true;
        }
    }
    marks
}

/// The state that takes the value of a storage, times a sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lead {
    pub state: VarId,
    /// 1 or -1.
    pub sign: f64,
}

/// One storage of each state gives its value: the first with a given initial value, or with one that is
/// wished for, or the first.
pub(crate) fn leads(
    aliases: &Aliases,
    states: &[VarId],
    storages: &[VarId],
    variables: &[Variable],
) -> Vec<Option<Lead>> {
    let mut open: Vec<VarId> = states.to_vec();
    open.sort_unstable();
    let mut free = vec![true; open.len()];
    let mut leads = vec![None; storages.len()];
    let rank = |variable: &Variable| match (variable.initial, variable.wish) {
        (Some(_), _) => 0,
        (None, Some(_)) => 1,
        (None, None) => 2,
    };
    for wanted in 0..=2 {
        for (lead, &storage) in leads.iter_mut().zip(storages) {
            let alias::Meaning::Same(own, sign) = aliases.find(storage) else { continue };
            if rank(&variables[storage.index()]) != wanted {
                continue;
            }
            if let Ok(place) = open.binary_search(&own)
                && std::mem::replace(&mut free[place], false)
            {
                *lead = Some(Lead { state: own, sign });
            }
        }
    }
    leads
}
