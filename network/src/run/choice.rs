//! Other states where those of now become singular.

use super::NetworkRun;
use crate::code::compile::Level;
use crate::code::evaluate::Unsolved;
use crate::passes::selection::{Determined, MOST_TOLD, Rechosen};

impl NetworkRun<'_> {
    /// May other variables become states than those of now?
    pub fn has_choices(&self) -> bool {
        self.now.kept.get(self.now.current).is_some_and(|prepared| !prepared.groups.is_empty())
    }

    /// Do the present states call for others? After guards are computed.
    pub fn review_choice(&mut self, y: &[f64]) -> bool {
        self.now.sizes.resize(y.len(), 0.0);
        for (k, y) in y.iter().enumerate() {
            // What follows from others may not have been given, and has no value where it is singular.
            let value = Some(self.storage(k).abs()).filter(|value| value.is_finite());
            self.now.sizes[k] = self.now.sizes[k].max(y.abs()).max(value.unwrap_or(0.0));
        }
        self.better_choice().is_some()
    }

    fn better_choice(&self) -> Option<Determined> {
        let prepared = self.present();
        let first = self.network.n_states() + self.network.at_events.len();
        let places = &prepared.code.asked(Level::Events)[first..];
        let entry = |place: usize| prepared.values.numbers[places[place] as usize];
        let size = |storage: usize| self.now.sizes.get(storage).copied().unwrap_or(0.0);
        let mut choice = Determined::default();
        let mut is_other = false;
        for group in &prepared.groups {
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

    /// Chooses other states where those of now are nearly singular. True if there are others now; their values are
    /// those that the integrator has, and the others follow.
    pub(crate) fn choose_again(&mut self, t: f64, y: &[f64]) -> bool {
        if !self.has_choices() || !self.review_choice(y) {
            return false;
        }
        let Some(choice) = self.better_choice() else { return false };
        let before = self.lead_storages();
        let Ok(place) = self.find_choice(&choice) else { return false };
        self.enter(place);
        let after = self.lead_storages();
        let only =
            |a: &[usize], b: &[usize]| a.iter().copied().filter(|s| !b.contains(s)).collect();
        if self.now.rechosen.1.len() < MOST_TOLD {
            let (states, others) = (only(&after, &before), only(&before, &after));
            self.now.rechosen.1.push(Rechosen { t, states, others });
        }
        self.now.rechosen.0 += 1;
        true
    }

    /// Computes what events need, with other states where those of now do not give it.
    pub(crate) fn solve_anyway(&mut self, t: f64, y: &[f64]) -> Result<(), Unsolved> {
        let solved = self.renew(t, y);
        if !self.has_choices() {
            return solved;
        }
        if solved.is_err() {
            // What the derivatives of constraints depend on is known before these are solved.
            let prepared = &mut self.now.kept[self.now.current];
            prepared.values.finish(&prepared.code, Level::Guards);
            prepared.values.finish(&prepared.code, Level::Events);
        }
        if self.choose_again(t, y) {
            return self.update(t, y).and_then(|()| self.complete(Level::Events));
        }
        solved
    }

    /// Storages that give states their values.
    fn lead_storages(&self) -> Vec<usize> {
        let leads = self.present().leads.iter().enumerate();
        leads.filter(|(_, lead)| lead.is_some()).map(|(storage, _)| storage).collect()
    }
}
