//! Other states where the present ones become singular.

use crate::passes::state_selection::{Determined, Group, MOST_TOLD, Rechosen};
use crate::prepared::combination::Prepared;
use crate::prepared::event_values::EventValues;

/// What the choice of states goes by, and what was chosen.
#[derive(Default, educe::Educe)]
#[educe(Clone)]
pub struct Choices {
    /// Largest value of each storage so far, where constraints may come to determine others.
    sizes: Vec<f64>,
    /// How often states were chosen anew.
    pub count: usize,
    /// The first times.
    pub told: Vec<Rechosen>,
}

impl Choices {
    /// Takes the sizes of the storages at the end of a step into account.
    pub(crate) fn measure(&mut self, values: EventValues<'_>, y: &[f64]) {
        self.sizes.resize(y.len(), 0.0);
        for (k, y) in y.iter().enumerate() {
            // A storage that follows from others may not have been given, and has no value where it is singular.
            let value = Some(values.storage(k).abs()).filter(|value| value.is_finite());
            self.sizes[k] = self.sizes[k].max(y.abs()).max(value.unwrap_or(0.0));
        }
    }

    /// What constraints had best determine, if that is anything else than now. Groups that stay keep their variables.
    pub(crate) fn better(&self, groups: &[Group], values: EventValues<'_>) -> Option<Determined> {
        let entry = |place: usize| values.slope(place);
        let size = |storage: usize| self.sizes.get(storage).copied().unwrap_or(0.0);
        let mut choice = Determined::default();
        let mut is_other = false;
        for group in groups {
            let better = group.better(entry, size);
            is_other |= better.is_some();
            let now =
                || (0..group.columns.len()).filter(|&c| group.columns[c].is_determined).collect();
            let basis: Vec<usize> = better.unwrap_or_else(now);
            choice.equations.extend(&group.equations);
            choice.variables.extend(basis.iter().map(|&column| group.columns[column].variable));
        }
        is_other.then_some(choice)
    }

    /// Remembers that states were chosen anew, for the report.
    pub(crate) fn note(&mut self, t: f64, before: &Prepared, after: &Prepared) {
        let (before, after) = (lead_storages(before), lead_storages(after));
        let only =
            |a: &[usize], b: &[usize]| a.iter().copied().filter(|s| !b.contains(s)).collect();
        if self.told.len() < MOST_TOLD {
            let (states, others) = (only(&after, &before), only(&before, &after));
            self.told.push(Rechosen { t, states, others });
        }
        self.count += 1;
    }
}

/// Storages that give states their values.
fn lead_storages(prepared: &Prepared) -> Vec<usize> {
    let leads = prepared.leads.iter().enumerate();
    leads.filter(|(_, lead)| lead.is_some()).map(|(storage, _)| storage).collect()
}
