//! Inductors that share flux. Groups in which some winding links no flux of its own have fewer fluxes than windings.
//!
//! With the matrix L of all inductances of a group the fluxes are L i. If L has the rank r, r windings b have
//! independent fluxes, the rows of the others are L_k = sum W_kb L_b, and so are their voltages: v_k = sum W_kb v_b. For two
//! windings with |K| = 1 this is the ideal transformer with a magnetising inductance.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::reading::ids::ElementId;

/// A winding whose own flux is below this part of its flux has none: K is known to rounding.
const NO_FLUX: f64 = 1e-14;

/// Windings without flux of their own have less than this in common, over their inductances.
const NOTHING_IN_COMMON: f64 = 1e-10;

/// Another inductor and its factor.
pub(crate) type Share = (ElementId, f64);

/// All couplings of a model.
#[derive(Debug, Default)]
pub(crate) struct Windings {
    /// The inductors that an inductor is coupled with, by mutual inductances.
    coupled: FxHashMap<ElementId, Vec<Share>>,
    /// The windings of groups with fewer fluxes than windings.
    rigid: FxHashMap<ElementId, Rigid>,
    /// The first two windings that are coupled, of each group that no magnetic circuit can have.
    impossible: Vec<(ElementId, ElementId)>,
}

/// The equation of a winding in a group with fewer fluxes than windings.
#[derive(Clone, Debug)]
pub(crate) enum Rigid {
    /// A flux of its own, with this value at the start if a current of the group is given.
    Flux(Option<f64>),
    /// The voltages of others.
    Voltage(Vec<Share>),
}

impl Windings {
    /// Finds the groups of inductors that are coupled with each other. `inductor` gives the inductance of an
    /// inductor, if it is constant, and its current at the start, if that is given.
    pub fn new(
        coupled: FxHashMap<ElementId, Vec<Share>>,
        inductor: impl Fn(ElementId) -> [Option<f64>; 2],
    ) -> Self {
        let mut all = Self { coupled, ..Self::default() };
        let mut first: Vec<ElementId> = all.coupled.keys().copied().collect();
        first.sort_unstable();
        let mut seen = FxHashSet::default();
        for start in first {
            if !seen.insert(start) {
                continue;
            }
            let (mut group, mut next) = (vec![start], 0);
            while let Some(winding) = group.get(next) {
                next += 1;
                let others = &all.coupled[winding];
                group
                    .extend(others.iter().map(|share| share.0).filter(|other| seen.insert(*other)));
            }
            group.sort_unstable();
            all.sort_out(&inductor, &group);
        }
        all
    }

    /// The inductors that an inductor is coupled with.
    pub fn coupled(&self, inductor: ElementId) -> &[Share] {
        self.coupled.get(&inductor).map_or(&[], |all| all)
    }

    /// The equation of an inductor whose group has fewer fluxes than windings.
    pub fn rigid(&self, inductor: ElementId) -> Option<&Rigid> {
        self.rigid.get(&inductor)
    }

    /// Can no magnetic circuit have such inductances? Said once for each group, of the coupling with its first winding.
    pub fn is_impossible(&self, a: ElementId, b: ElementId) -> bool {
        self.impossible.iter().any(|&(first, second)| (first, second) == (a.min(b), a.max(b)))
    }

    /// Gauss-Jordan elimination of the matrix of a group, each time with the winding that has most flux of its own.
    fn sort_out(&mut self, inductor: impl Fn(ElementId) -> [Option<f64>; 2], group: &[ElementId]) {
        let own: Option<Vec<f64>> = group.iter().map(|&id| inductor(id)[0]).collect();
        let Some(own) = own.filter(|own| own.iter().all(|l| *l > 0.0)) else { return };
        let n = group.len();
        let mut matrix = vec![vec![0.0; n]; n];
        for (row, &id) in group.iter().enumerate() {
            matrix[row][row] = own[row];
            for &(other, mutual) in self.coupled(id) {
                if let Ok(column) = group.binary_search(&other) {
                    matrix[row][column] += mutual;
                }
            }
        }
        let given = matrix.clone();
        let (leaders, least) = eliminate(&mut matrix, &own);
        let mut most: f64 = 0.0;
        for a in (0..n).filter(|&k| !leaders[k]) {
            for b in (0..n).filter(|&k| !leaders[k]) {
                most = most.max(matrix[a][b].abs() / own[a].max(own[b]));
            }
        }
        // Windings without flux of their own have none in common either.
        if least < -NO_FLUX * n as f64 || most > NOTHING_IN_COMMON {
            let second = self.coupled(group[0]).iter().map(|share| share.0).min();
            self.impossible.extend(second.map(|second| (group[0], second)));
            return;
        }
        if leaders.iter().all(|leads| *leads) {
            return;
        }
        let initial: Vec<Option<f64>> = group.iter().map(|&id| inductor(id)[1]).collect();
        for (row, &id) in group.iter().enumerate() {
            let rigid = if leaders[row] {
                let any = initial.iter().any(Option::is_some);
                let pairs = given[row].iter().zip(&initial);
                let flux = pairs.map(|(l, i)| l * i.unwrap_or(0.0)).sum::<f64>();
                Rigid::Flux(any.then_some(flux))
            } else {
                let leading = (0..n).filter(|&b| leaders[b] && matrix[b][row] != 0.0);
                Rigid::Voltage(leading.map(|b| (group[b], matrix[b][row])).collect())
            };
            self.rigid.insert(id, rigid);
        }
    }
}

/// Eliminates windings while one has a flux of its own. Gives the eliminated windings, and the least flux that is left in
/// any winding, over the winding's own flux.
fn eliminate(matrix: &mut [Vec<f64>], own: &[f64]) -> (Vec<bool>, f64) {
    let n = own.len();
    let mut leads = vec![false; n];
    loop {
        let left = (0..n).filter(|&k| !leads[k]).map(|k| (k, matrix[k][k] / own[k]));
        let (mut best, mut least) = (None, 0.0f64);
        for (k, flux) in left {
            least = least.min(flux);
            // Of windings with equal flux the first is taken.
            if flux > NO_FLUX * n as f64 && best.is_none_or(|(_, most)| flux > most) {
                best = Some((k, flux));
            }
        }
        let Some((pivot, _)) = best else { return (leads, least) };
        leads[pivot] = true;
        let by = matrix[pivot][pivot];
        matrix[pivot].iter_mut().for_each(|x| *x /= by);
        let row = matrix[pivot].clone();
        for (_, other) in matrix.iter_mut().enumerate().filter(|(k, _)| *k != pivot) {
            let factor = other[pivot];
            other.iter_mut().zip(&row).for_each(|(x, y)| *x -= factor * y);
        }
    }
}
