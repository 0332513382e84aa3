//! Reduction of the index: which equations have to be differentiated so that all highest derivatives can be determined.
//!
//! Pantelides (SIAM J. Sci. Stat. Comput. 9 (1988) 213): equations are matched with highest derivatives one after the other.
//! Where an equation finds none, the equations that its search met are a structural constraint on lower derivatives. They are
//! differentiated, their variables get derivatives of one order more, and the search goes on with the derivative of the
//! equation.
//!
//! The algorithm sees a plain graph ([`EquationGraph`]); how an equation is differentiated is the affair of the graph.

use crate::passes::matching::{Matching, Met};
use equations::expr::VarId;

/// Equations, their variables, and how both are differentiated.
pub(crate) trait EquationGraph {
    /// Why equations must not be differentiated.
    type Refusal;

    /// The variables of each equation.
    fn incidence(&self) -> &[Vec<VarId>];

    /// Number of variables, derivatives included.
    fn n_variables(&self) -> usize;

    /// The derivative of a variable, if it has one.
    fn rate(&self, variable: VarId) -> Option<VarId>;

    /// The derivative of a variable, or the variable that stands for the derivative.
    fn own_rate(&self, variable: VarId) -> Option<VarId> {
        self.rate(variable)
    }

    /// Must equations be differentiated? `origins` has for each equation the one that it is the derivative of.
    fn check(&mut self, met: &Met, origins: &[Option<usize>]) -> Result<(), Self::Refusal>;

    /// Gives each of the variables a derivative, and adds the derivatives of the equations behind all others, in order.
    fn differentiate(&mut self, met: &Met);

    /// Is a variable no derivative's origin, so that an equation may determine it?
    fn is_highest(&self, variable: VarId) -> bool {
        self.rate(variable).is_none()
    }

    /// How often a variable can be differentiated until its derivative has none any more.
    fn order(&self, variable: VarId) -> usize {
        let rates = std::iter::successors(self.own_rate(variable), |&rate| self.own_rate(rate));
        rates.count()
    }
}

/// Equations of index one.
#[derive(Clone, Debug)]
pub(crate) struct Reduction {
    /// The highest derivatives with the equations that determine them.
    pub matching: Matching,
    /// The derivative of each equation that was differentiated.
    pub derivative: Vec<Option<usize>>,
    /// For each equation the one that it is the derivative of.
    pub derivative_of: Vec<Option<usize>>,
}

impl Reduction {
    /// Notes the derivatives of some equations, and lets them determine the derivatives of the variables that the equations
    /// determined.
    fn follow_derivatives<G: EquationGraph>(&mut self, graph: &G, met: &Met) {
        // The new equations stand behind all others, in the order of their origins.
        for &equation in &met.equations {
            self.derivative[equation] = Some(self.derivative.len());
            self.derivative.push(None);
            self.derivative_of.push(Some(equation));
        }
        // The matching needs room for the new equations and the new derivatives of variables.
        self.matching.grow(graph.incidence().len(), graph.n_variables());
        for &variable in &met.variables {
            // A variable with a derivative is no highest derivative any more and may not be determined by its equation.
            let (Some(owner), Some(rate)) = (self.matching.release(variable), graph.rate(variable))
            else {
                continue;
            };
            // As the equation determined the variable, its derivative determines the derivative of the variable: this
            // part of the matching need not be sought again.
            if let Some(new) = self.derivative[owner] {
                self.matching.assign(new, rate);
            }
        }
    }
}

/// How often an equation was differentiated; `derivative` has the derivatives of all equations.
pub(crate) fn differentiations(derivative: &[Option<usize>], equation: usize) -> usize {
    std::iter::successors(derivative[equation], |&e| derivative[e]).count()
}

/// Differentiates equations until each, or its last derivative, determines a highest derivative of a variable.
///
/// # Errors
/// If the graph refuses to differentiate.
pub(crate) fn reduce_index<G: EquationGraph>(graph: &mut G) -> Result<Reduction, G::Refusal> {
    let count = graph.incidence().len();
    let mut reduction = Reduction {
        matching: Matching::new(count, graph.n_variables()),
        derivative: vec![None; count],
        derivative_of: vec![None; count],
    };
    // Most equations have no choice; the search for paths begins with what is left.
    reduction.matching.match_singletons(graph.incidence(), |variable| graph.is_highest(variable));
    for start in 0..count {
        // An equation that was differentiated on the way is a constraint; its last derivative has to be matched.
        let mut equation = start;
        while let Some(next) = reduction.derivative[equation] {
            equation = next;
        }
        // Until the equation, or the last of its derivatives, determines a highest derivative.
        while reduction.matching.variable_of(equation).is_none() {
            // A path leads through highest derivatives only: lower ones follow by integration.
            let is_highest = |_: usize, variable: VarId| graph.is_highest(variable);
            if reduction.matching.augment(graph.incidence(), equation, is_highest) {
                break;
            }
            // The equations that the search met have too few highest derivatives.
            let met = reduction.matching.take_met();
            // Too few variables for these equations whatever is differentiated: the graph recognises it, and the search
            // ends.
            graph.check(&met, &reduction.derivative_of)?;
            // The constraint is differentiated, and so are its variables: as many new equations, and new unknowns.
            graph.differentiate(&met);
            reduction.follow_derivatives(graph, &met);
            // The search goes on with the derivative in place of the equation (step 3b of Pantelides).
            let Some(next) = reduction.derivative[equation] else { break };
            equation = next;
        }
    }
    Ok(reduction)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Equations without any law: the derivative of f(x, y) has x, y and their derivatives.
    pub(in crate::passes) struct Plain {
        pub incidence: Vec<Vec<VarId>>,
        pub rates: Vec<Option<VarId>>,
        levels: Vec<u8>,
    }

    impl Plain {
        /// `rates` has pairs of a variable and its derivative.
        pub fn new(n_variables: usize, rates: &[(u32, u32)], incidence: &[&[u32]]) -> Self {
            let mut of = vec![None; n_variables];
            rates.iter().for_each(|&(variable, rate)| of[variable as usize] = Some(VarId(rate)));
            let row = |row: &&[u32]| row.iter().map(|&v| VarId(v)).collect();
            let incidence: Vec<Vec<VarId>> = incidence.iter().map(row).collect();
            Self { levels: vec![0; incidence.len()], incidence, rates: of }
        }
    }

    impl EquationGraph for Plain {
        /// The equations that were to be differentiated too often.
        type Refusal = Vec<usize>;

        fn incidence(&self) -> &[Vec<VarId>] {
            &self.incidence
        }

        fn n_variables(&self) -> usize {
            self.rates.len()
        }

        fn rate(&self, variable: VarId) -> Option<VarId> {
            self.rates[variable.index()]
        }

        fn check(&mut self, met: &Met, _: &[Option<usize>]) -> Result<(), Vec<usize>> {
            let is_deep = met.equations.iter().any(|&e| self.levels[e] >= 5);
            if is_deep { Err(met.equations.clone()) } else { Ok(()) }
        }

        fn differentiate(&mut self, met: &Met) {
            for variable in &met.variables {
                if self.rates[variable.index()].is_none() {
                    self.rates[variable.index()] = Some(VarId(self.rates.len() as u32));
                    self.rates.push(None);
                }
            }
            for &equation in &met.equations {
                let old = self.incidence[equation].clone();
                let rates = old.iter().filter_map(|v| self.rates[v.index()]);
                let mut new: Vec<VarId> = old.iter().copied().chain(rates).collect();
                new.sort_unstable();
                new.dedup();
                self.incidence.push(new);
                self.levels.push(self.levels[equation] + 1);
            }
        }
    }

    /// A pendulum in Cartesian coordinates, the example of Pantelides (1988):
    ///
    /// ```text
    /// dx/dt = u,  dy/dt = v,  du/dt = T x,  dv/dt = T y - g,  x^2 + y^2 = L^2
    /// x 0, y 1, u 2, v 3, T 4, dx 5, dy 6, du 7, dv 8
    /// ```
    pub(in crate::passes) fn pendulum() -> Plain {
        let rates = [(0, 5), (1, 6), (2, 7), (3, 8)];
        Plain::new(9, &rates, &[&[5, 2], &[6, 3], &[7, 4, 0], &[8, 4, 1], &[0, 1]])
    }

    #[test]
    fn the_rod_of_a_pendulum_is_differentiated_twice_and_its_speeds_once() {
        let mut graph = pendulum();
        let reduction = reduce_index(&mut graph).unwrap();
        let counts: Vec<usize> =
            (0..5).map(|e| differentiations(&reduction.derivative, e)).collect();
        assert_eq!(counts, [1, 1, 0, 0, 2]);
        // All highest derivatives, and nothing else, are determined: d2x/dt2, d2y/dt2, du/dt, dv/dt, T.
        let solved: Vec<VarId> =
            (0..graph.incidence.len()).filter_map(|e| reduction.matching.variable_of(e)).collect();
        assert_eq!(solved.len(), 5);
        assert!(solved.iter().all(|&v| graph.is_highest(v)));
        assert!(solved.contains(&VarId(4)));
    }

    #[test]
    fn equations_of_index_one_are_left_alone() {
        // C dv/dt = i, R i = e - v: v 0, i 1, dv 2.
        let mut graph = Plain::new(3, &[(0, 2)], &[&[2, 1], &[0, 1]]);
        let reduction = reduce_index(&mut graph).unwrap();
        assert_eq!(graph.incidence.len(), 2);
        assert_eq!(reduction.matching.variable_of(0), Some(VarId(2)));
        assert_eq!(reduction.matching.variable_of(1), Some(VarId(1)));
    }

    #[test]
    fn two_equations_for_one_variable_are_refused() {
        let mut graph = Plain::new(1, &[], &[&[0], &[0]]);
        assert!(reduce_index(&mut graph).is_err());
    }
}
