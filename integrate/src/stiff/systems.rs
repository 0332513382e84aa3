//! The linear systems of a step: `(mu/h M - J) x = b`, one for each mode of the method.
//!
//! If J is sparse, all systems are solved together, in the lanes of one elimination. Where that takes an exchange of rows,
//! or J is dense, the systems are solved one after the other.
//!
//! An extended J ([`Pattern::extended`]) brings an order of elimination in which its pivots need no comparison. Whether they
//! did is seen afterwards: each factorisation solves a system whose right-hand side it is then held against.

use super::super::implicit::{Factors, Mass, Matrix, Pattern};
use super::tableau::{LANES, Tableau};
use crate::linear::Shifted;
use crate::linear::complex::{Complex, Scalar};
use crate::linear::lanes::Lanes;

/// Factors for one step size and one Jacobian.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Systems {
    /// All systems together, if J is sparse.
    together: Option<Box<Shifted<LANES>>>,
    /// The systems that are solved together have the entries of the present Jacobian.
    is_taken: bool,
    /// The present factors are in `together`, otherwise in `apart`.
    are_together: bool,
    /// Factors of each system by itself; allocated when they are needed first.
    apart: Option<Apart>,
    /// Pattern of the Jacobian, kept for allocating `apart`.
    pattern: Option<Pattern>,
    most_stages: usize,
    /// Right-hand side and solution for testing the factors of an extended J.
    trial: Option<Box<Trial>>,
    /// Step size and stages that the factors belong to; no stages if there are none.
    h: f64,
    s: usize,
}

/// Factors of each system.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
struct Apart {
    real: Factors<f64>,
    complex: Vec<Factors<Complex>>,
}

impl Apart {
    fn new(n: usize, most_stages: usize, pattern: Option<&Pattern>) -> Self {
        Self {
            real: Factors::new(n, pattern),
            complex: (0..most_stages / 2).map(|_| Factors::new(n, pattern)).collect(),
        }
    }
}

/// What is left of an equation, as a part of its terms, in factors that serve.
const SOUND: f64 = 1e-9;

/// A system solved to test the factors.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
struct Trial {
    x: Vec<Lanes<LANES>>,
    /// What is left of each equation, and the sum of the sizes of its terms.
    left: Vec<Lanes<LANES>>,
    size: Vec<[f64; LANES]>,
}

/// Room for the right-hand sides of systems with `n` unknowns.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct Room {
    real: RealRoom,
    complex: Vec<Complex>,
    complex_scratch: Vec<Complex>,
    lanes: Vec<Lanes<LANES>>,
}

/// Room for the right-hand side of the real system.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub(super) struct RealRoom {
    unknowns: Vec<f64>,
    scratch: Vec<f64>,
}

impl RealRoom {
    pub fn new(n: usize) -> Self {
        Self { unknowns: vec![0.0; n], scratch: vec![0.0; n] }
    }
}

impl Room {
    pub fn new(n: usize) -> Self {
        let complex = vec![Complex::ZERO; n];
        Self {
            real: RealRoom::new(n),
            complex_scratch: complex.clone(),
            complex,
            lanes: vec![Lanes::ZERO; n],
        }
    }
}

impl Systems {
    /// Room for the factors, which are sparse if there is a `pattern`.
    pub fn new(n: usize, most_stages: usize, pattern: Option<&Pattern>) -> Self {
        let together = pattern.and_then(|pattern| {
            let n = pattern.len();
            let columns: Vec<&[usize]> = (0..n).map(|column| pattern.rows(column)).collect();
            let factors = match pattern.order() {
                Some(order) => Shifted::in_order(&columns, order, pattern.n_states()),
                None => Shifted::new(&columns),
            };
            factors.map(Box::new)
        });
        let trial = pattern.filter(|pattern| pattern.order().is_some()).map(|pattern| Trial {
            x: vec![Lanes::ZERO; pattern.len()],
            left: vec![Lanes::ZERO; pattern.len()],
            size: vec![[0.0; LANES]; pattern.len()],
        });
        Self {
            apart: together.is_none().then(|| Apart::new(n, most_stages, pattern)),
            pattern: pattern.filter(|_| together.is_some()).cloned(),
            together,
            is_taken: false,
            are_together: false,
            most_stages,
            trial: trial.map(Box::new),
            h: 0.0,
            s: 0,
        }
    }

    /// Forgets the factors because the Jacobian has changed.
    pub fn forget(&mut self) {
        self.s = 0;
        self.is_taken = false;
    }

    /// True if the present factors belong to this tableau and this step size.
    pub fn fit(&self, tableau: &Tableau, h: f64) -> bool {
        self.s == tableau.s && self.h == h
    }

    /// Factorises all systems; a changed Jacobian has been announced by `forget`. False if a matrix is singular.
    pub fn factor(&mut self, tableau: &Tableau, h: f64, mass: &Mass, jacobian: &Matrix) -> bool {
        self.s = 0;
        self.are_together = self.factor_together(tableau, h, jacobian);
        if !self.are_together && !self.factor_apart(tableau, h, mass, jacobian) {
            return false;
        }
        (self.h, self.s) = (h, tableau.s);
        true
    }

    fn factor_together(&mut self, tableau: &Tableau, h: f64, jacobian: &Matrix) -> bool {
        let Some(together) = &mut self.together else { return false };
        if !std::mem::replace(&mut self.is_taken, true) {
            together.take(jacobian.entries());
        }
        // Lanes without a mode repeat the shift of the first mode.
        let mut shifts = [tableau.modes[0].eigenvalue.scaled(1.0 / h); LANES];
        for (shift, mode) in shifts.iter_mut().zip(&tableau.modes) {
            *shift = mode.eigenvalue.scaled(1.0 / h);
        }
        together.factor(&shifts)
            && match &mut self.trial {
                Some(trial) => trial.succeeds(together, jacobian, &shifts),
                None => true,
            }
    }

    fn factor_apart(&mut self, tableau: &Tableau, h: f64, mass: &Mass, jacobian: &Matrix) -> bool {
        let room = || Apart::new(jacobian.len(), self.most_stages, self.pattern.as_ref());
        let Apart { real, complex } = self.apart.get_or_insert_with(room);
        // The real eigenvalue gives a real system, each pair of complex eigenvalues one complex system.
        let gamma = tableau.modes[0].eigenvalue.re / h;
        if !real.factor(mass, jacobian, gamma, |x| x) {
            return false;
        }
        complex.iter_mut().zip(&tableau.modes[1..]).all(|(lu, mode)| {
            let shift = mode.eigenvalue.scaled(1.0 / h);
            lu.factor(mass, jacobian, shift, |x| Complex::new(x, 0.0))
        })
    }

    /// Replaces the right-hand sides of all systems by their solutions.
    pub fn solve(&self, b: &mut [Lanes<LANES>], room: &mut Room) {
        if let Some(together) = self.together.as_ref().filter(|_| self.are_together) {
            if b.len() == room.lanes.len() {
                return together.solve(b);
            }
            // Equations of further unknowns have nothing on their right-hand sides.
            let (states, others) = room.lanes.split_at_mut(b.len());
            states.copy_from_slice(b);
            others.fill(Lanes::ZERO);
            together.solve(&mut room.lanes);
            return b.copy_from_slice(&room.lanes[..b.len()]);
        }
        let Some(apart) = &self.apart else { return };
        let Room { real: RealRoom { unknowns, scratch }, complex, complex_scratch, .. } = room;
        // Lane 0 is the real system; lanes from 1 on are the complex systems.
        unknowns[b.len()..].fill(0.0);
        unknowns.iter_mut().zip(&*b).for_each(|(x, b)| *x = b.re[0]);
        apart.real.solve(unknowns, scratch);
        unknowns.iter().zip(&mut *b).for_each(|(x, b)| b.re[0] = *x);
        for (lu, lane) in apart.complex[..self.s / 2].iter().zip(1..) {
            complex[b.len()..].fill(Complex::ZERO);
            complex.iter_mut().zip(&*b).for_each(|(x, b)| *x = b.lane(lane));
            lu.solve(complex, complex_scratch);
            complex.iter().zip(&mut *b).for_each(|(x, b)| b.set_lane(lane, *x));
        }
    }

    /// Solves the real system alone.
    pub fn solve_real(&self, b: &mut [f64], room: &mut RealRoom) {
        let RealRoom { unknowns, scratch } = room;
        if b.len() == unknowns.len() {
            return self.solve_unknowns(b, scratch);
        }
        let (states, others) = unknowns.split_at_mut(b.len());
        states.copy_from_slice(b);
        others.fill(0.0);
        self.solve_unknowns(unknowns, scratch);
        b.copy_from_slice(&unknowns[..b.len()]);
    }

    fn solve_unknowns(&self, b: &mut [f64], scratch: &mut [f64]) {
        match (&self.together, &self.apart) {
            (Some(together), _) if self.are_together => together.solve_first(b),
            (_, Some(apart)) => apart.real.solve(b, scratch),
            _ => {}
        }
    }
}

impl Trial {
    /// Solves `(shift - J) x = b` with as many ones as minus ones in b and holds x against it.
    fn succeeds(
        &mut self,
        factors: &Shifted<LANES>,
        jacobian: &Matrix,
        shifts: &[Complex; LANES],
    ) -> bool {
        let n_states = jacobian.n_states();
        let right = |k: usize| match k {
            _ if k >= n_states => 0.0,
            _ if k.is_multiple_of(2) => 1.0,
            _ => -1.0,
        };
        let Self { x, left, size } = self;
        for (k, x) in x.iter_mut().enumerate() {
            *x = Lanes::real(right(k));
        }
        left.copy_from_slice(x);
        factors.solve(x);
        let shifts = Lanes::from_numbers(shifts);
        for (k, (left, size)) in left.iter_mut().zip(size.iter_mut()).enumerate() {
            *size = [right(k).abs(); LANES];
            if k < n_states {
                let term = shifts.product(&x[k]);
                left.subtract(&Lanes::real(1.0), &term);
                size.iter_mut().zip(term.sizes()).for_each(|(size, term)| *size += term);
            }
        }
        jacobian.for_each(|row, column, value| {
            left[row].add_multiple(&x[column], value);
            let terms = x[column].sizes();
            size[row].iter_mut().zip(terms).for_each(|(sum, term)| *sum += value.abs() * term);
        });
        left.iter().zip(size).all(|(left, size)| {
            left.sizes().iter().zip(size).all(|(left, size)| *left <= SOUND * *size)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stiff::tableau::FAMILY;

    /// `y' = z1`, with `0 = -2 y - z1 + 3 z2` and `0 = y + small z1 - z2`, whose pivots serve in one order and not in the other: all
    /// systems are solved in both.
    #[test]
    fn a_bad_order_is_noticed() {
        let entries = [(1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (1, 2), (2, 2)];
        let (tableau, h) = (&FAMILY[0], 0.1);
        for (small, order, is_good) in
            [(1.0, vec![2, 1, 0], true), (0.0, vec![1, 2, 0], true), (1e-14, vec![1, 2, 0], false)]
        {
            let pattern = Pattern::extended(1, order, entries);
            let mut jacobian = Matrix::sparse(&pattern);
            // z1 is the tiny pivot of the bad order.
            let pivot = if is_good { -1.0 } else { -small };
            let values = [-2.0, 1.0, 1.0, pivot, 1.0, 3.0, -1.0];
            for ((row, column), value) in entries.into_iter().zip(values) {
                jacobian.set(row, column, value);
            }
            // 0 = -2 y + pivot z1 + 3 z2 and z2 = y + z1: z1 (pivot + 3) = -y.
            let slope = -1.0 / (pivot + 3.0);
            let mut systems = Systems::new(1, 3, Some(&pattern));
            assert!(systems.factor(tableau, h, &Mass::Identity, &jacobian));
            assert_eq!(systems.are_together, is_good, "{small}");
            let mut b = [Lanes::real(1.0)];
            systems.solve(&mut b, &mut Room::new(3));
            for (lane, mode) in tableau.modes.iter().enumerate() {
                let shift = mode.eigenvalue.scaled(1.0 / h);
                let left = (shift - Complex::new(slope, 0.0)) * b[0].lane(lane) - Complex::ONE;
                assert!(left.size() < 1e-13, "{small} {lane}");
            }
            let mut real = [1.0];
            systems.solve_real(&mut real, &mut RealRoom::new(3));
            assert!((real[0] - b[0].re[0]).abs() < 1e-13 * real[0].abs(), "{small}");
        }
    }
}
