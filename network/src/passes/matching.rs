//! Maximum matching of a bipartite graph: which equation determines which variable, and the order of solution.
//!
//! The graph is plain: for each equation the list of its variables. A matching gives each equation at most one variable of
//! its own, and each variable at most one equation. It grows along *alternating paths* (Berge 1957): from an equation without
//! variable to one of its variables, on to the equation that has this variable, to another of its variables, and so on to a
//! variable without equation; shifting all pairs of the path by one place matches one equation more.

use equations::expr::VarId;
use problem::graph::strong_components;

/// What a search met, in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Met {
    pub equations: Vec<usize>,
    pub variables: Vec<VarId>,
}

/// Pairs of equations and variables.
#[derive(Clone, Debug)]
pub(crate) struct Matching {
    /// The variable of each equation.
    solves: Vec<Option<VarId>>,
    /// The equation of each variable.
    solved_by: Vec<Option<u32>>,
    /// Round in which each variable was met last.
    met_variables: Vec<u32>,
    /// Round in which each equation was met last.
    met_equations: Vec<u32>,
    /// The present round; a new one forgets all that was met without touching the lists.
    round: u32,
    /// All that the last search met.
    last: Met,
}

/// An equation of an alternating path.
#[derive(Clone, Copy)]
struct Step {
    equation: usize,
    /// How many of its variables were tried.
    tried: usize,
}

impl Matching {
    /// No pair yet.
    pub fn new(n_equations: usize, n_variables: usize) -> Self {
        Self {
            solves: vec![None; n_equations],
            solved_by: vec![None; n_variables],
            met_variables: vec![0; n_variables],
            met_equations: vec![0; n_equations],
            round: 0,
            last: Met::default(),
        }
    }

    /// Makes room for equations and variables that came behind the others.
    pub fn grow(&mut self, n_equations: usize, n_variables: usize) {
        self.solves.resize(n_equations, None);
        self.met_equations.resize(n_equations, 0);
        self.solved_by.resize(n_variables, None);
        self.met_variables.resize(n_variables, 0);
    }

    /// The variable of an equation.
    pub fn variable_of(&self, equation: usize) -> Option<VarId> {
        self.solves[equation]
    }

    /// The equation of a variable.
    pub fn equation_of(&self, variable: VarId) -> Option<usize> {
        self.solved_by.get(variable.index()).copied().flatten().map(|equation| equation as usize)
    }

    /// The variables of all equations.
    pub fn into_variables(self) -> Vec<Option<VarId>> {
        self.solves
    }

    /// Makes a pair of an equation and a variable that have no others.
    pub fn assign(&mut self, equation: usize, variable: VarId) {
        self.solved_by[variable.index()] = Some(equation as u32);
        self.solves[equation] = Some(variable);
    }

    /// Parts a variable from its equation, which is given.
    pub fn release(&mut self, variable: VarId) -> Option<usize> {
        let owner = self.solved_by[variable.index()].take()? as usize;
        self.solves[owner] = None;
        Some(owner)
    }

    /// Equations with a single variable, and variables with a single equation, have no choice (Karp and
    /// Sipser 1981). In most networks this settles nearly everything, in time proportional to size.
    pub fn match_singletons(
        &mut self,
        incidence: &[Vec<VarId>],
        is_allowed: impl Fn(VarId) -> bool,
    ) {
        // The graph of allowed variables, seen from both sides.
        let mut users: Vec<Vec<u32>> = vec![Vec::new(); self.solved_by.len()];
        let mut degree = vec![0u32; incidence.len()];
        for (index, variables) in incidence.iter().enumerate() {
            for &variable in variables.iter().filter(|variable| is_allowed(**variable)) {
                users[variable.index()].push(index as u32);
                degree[index] += 1;
            }
        }
        // The degree of an equation is the number of its variables that have no equation yet; the uses of a variable
        // are its equations that have no variable yet.
        let mut uses: Vec<u32> = users.iter().map(|users| users.len() as u32).collect();
        // Equations and variables with one neighbour left; the lowest number comes first.
        let mut equations: Vec<u32> =
            (0..degree.len() as u32).rev().filter(|&e| degree[e as usize] == 1).collect();
        let mut lonely: Vec<u32> =
            (0..uses.len() as u32).rev().filter(|&v| uses[v as usize] == 1).collect();
        loop {
            let pair = if let Some(equation) = equations.pop() {
                // An equation with a single variable left must determine this variable, whatever the others do.
                let equation = equation as usize;
                let free = |v: &&VarId| is_allowed(**v) && self.solved_by[v.index()].is_none();
                let found = incidence[equation].iter().find(free).copied();
                found.filter(|_| self.solves[equation].is_none()).map(|v| (equation, v))
            } else if let Some(variable) = lonely.pop() {
                // A variable with a single equation left is best determined there: no other equation loses a choice.
                let free = |e: &&u32| self.solves[**e as usize].is_none();
                let found = users[variable as usize].iter().find(free).copied();
                let open = self.solved_by[variable as usize].is_none();
                found.filter(|_| open).map(|e| (e as usize, VarId(variable)))
            } else {
                return;
            };
            // The last choice may have been taken since the entry was put on its list.
            let Some((equation, variable)) = pair else { continue };
            self.assign(equation, variable);
            // The pair leaves the graph, which may leave neighbours with a single choice.
            for &user in &users[variable.index()] {
                degree[user as usize] -= 1;
                if degree[user as usize] == 1 && self.solves[user as usize].is_none() {
                    equations.push(user);
                }
            }
            for &other in &incidence[equation] {
                let left = &mut uses[other.index()];
                *left = left.saturating_sub(1);
                if *left == 1 && self.solved_by[other.index()].is_none() && other != variable {
                    lonely.push(other.0);
                }
            }
        }
    }

    /// Looks for an alternating path from an equation to a free variable, through variables that `allowed` admits for their
    /// equation, and shifts the matching along it. False if there is none; [`take_met`](Self::take_met) then gives the
    /// equations that compete for too few variables.
    pub fn augment(
        &mut self,
        incidence: &[Vec<VarId>],
        start: usize,
        allowed: impl Fn(usize, VarId) -> bool,
    ) -> bool {
        // A new round forgets what former searches met.
        self.round += 1;
        let round = self.round;
        self.met_equations[start] = round;
        self.last.equations.clear();
        self.last.variables.clear();
        self.last.equations.push(start);
        // Depth first, without recursion: paths may be as long as the system.
        let mut path = vec![Step { equation: start, tried: 0 }];
        while let Some(&Step { equation, tried }) = path.last() {
            // A free variable next to the equation ends the search at once.
            if tried == 0 {
                let is_free =
                    |v: &&VarId| self.solved_by[v.index()].is_none() && allowed(equation, **v);
                if let Some(&variable) = incidence[equation].iter().find(is_free) {
                    self.shift(&path, variable);
                    return true;
                }
            }
            // All variables of the equation were tried in vain: back to the equation before it.
            let Some(&variable) = incidence[equation].get(tried) else {
                path.pop();
                continue;
            };
            // The next visit of this equation tries the variable behind this one.
            if let Some(last) = path.last_mut() {
                last.tried += 1;
            }
            // No variable is met twice, so the search takes no more steps than the graph has edges.
            if self.met_variables[variable.index()] == round || !allowed(equation, variable) {
                continue;
            }
            // What the search meets is the proof if it fails: these equations have no other variables than the
            // variables met.
            self.met_variables[variable.index()] = round;
            self.last.variables.push(variable);
            // On to the equation that has the variable.
            if let Some(owner) = self.solved_by[variable.index()] {
                let owner = owner as usize;
                if self.met_equations[owner] != round {
                    self.met_equations[owner] = round;
                    self.last.equations.push(owner);
                }
                path.push(Step { equation: owner, tried: 0 });
            }
        }
        false
    }

    /// Gives each equation of a path the variable through which it was left; `last` ends the path.
    fn shift(&mut self, path: &[Step], last: VarId) {
        // From the end of the path to its start: each equation takes the variable behind it and passes its own to the
        // equation before it.
        let mut variable = last;
        for step in path.iter().rev() {
            let before = self.solves[step.equation];
            self.assign(step.equation, variable);
            match before {
                Some(before) => variable = before,
                None => return,
            }
        }
    }

    /// What the last search met, ascending.
    pub fn take_met(&mut self) -> Met {
        let mut met = std::mem::take(&mut self.last);
        met.equations.sort_unstable();
        met.variables.sort_unstable();
        met
    }
}

/// The equations in blocks that can be solved one after the other, the first first: the strongly connected components of the
/// graph in which each equation needs the equations of its other variables (Tarjan, SIAM J. Comput. 1 (1972) 146).
pub(crate) fn blocks(
    incidence: &[Vec<VarId>],
    solves: &[Option<VarId>],
    n_variables: usize,
) -> Vec<Vec<usize>> {
    // The equation that determines each variable.
    let mut owner: Vec<Option<usize>> = vec![None; n_variables];
    for (equation, solved) in solves.iter().enumerate() {
        if let Some(variable) = solved {
            owner[variable.index()] = Some(equation);
        }
    }
    // The edges of the graph: an equation needs the values of its other variables, and so the equations of these.
    let mut needs: Vec<Vec<u32>> = Vec::with_capacity(incidence.len());
    for (equation, variables) in incidence.iter().enumerate() {
        let others = variables.iter().filter_map(|variable| owner[variable.index()]);
        needs.push(others.filter(|&other| other != equation).map(|other| other as u32).collect());
    }
    // Equations that need each other form one block; Tarjan finds the blocks in the order of solution.
    strong_components(&needs)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers below a limit that look random and are the same in each run (Knuth's linear congruence).
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self, limit: usize) -> usize {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.0 >> 33) as usize % limit
        }

        /// A graph in which each variable is in an equation with a chance of one in `sparse`.
        fn graph(&mut self, equations: usize, variables: usize, sparse: usize) -> Vec<Vec<VarId>> {
            let mut row = || {
                let all = (0..variables as u32).map(VarId);
                all.filter(|_| self.roll(sparse) == 0).collect()
            };
            (0..equations).map(|_| row()).collect()
        }
    }

    /// The most pairs, by trying everything.
    fn brute_force(incidence: &[Vec<VarId>], taken: u32) -> usize {
        let Some((first, rest)) = incidence.split_first() else { return 0 };
        let free = first.iter().filter(|v| taken & (1 << v.0) == 0);
        let with = free.map(|v| 1 + brute_force(rest, taken | 1 << v.0)).max();
        with.unwrap_or(0).max(brute_force(rest, taken))
    }

    fn matched(incidence: &[Vec<VarId>], n_variables: usize, singletons: bool) -> Matching {
        let mut matching = Matching::new(incidence.len(), n_variables);
        if singletons {
            matching.match_singletons(incidence, |_| true);
        }
        for equation in 0..incidence.len() {
            if matching.variable_of(equation).is_none() {
                matching.augment(incidence, equation, |_, _| true);
            }
        }
        matching
    }

    #[test]
    fn matchings_of_random_graphs_are_as_large_as_by_trying_everything() {
        let mut dice = Dice(1);
        let mut deficient = 0;
        for round in 0..400 {
            let (rows, columns) = (1 + dice.roll(6), 1 + dice.roll(6));
            let incidence = dice.graph(rows, columns, 2 + round % 3);
            let most = brute_force(&incidence, 0);
            deficient += usize::from(most < rows.min(columns));
            for singletons in [false, true] {
                let matching = matched(&incidence, columns, singletons);
                let pairs: Vec<(usize, VarId)> = (0..rows)
                    .filter_map(|equation| Some((equation, matching.variable_of(equation)?)))
                    .collect();
                assert_eq!(pairs.len(), most, "{incidence:?}");
                // Pairs are edges, and both sides agree about them.
                for &(equation, variable) in &pairs {
                    assert!(incidence[equation].contains(&variable));
                    assert_eq!(matching.equation_of(variable), Some(equation));
                }
            }
        }
        // The graphs are not all easy.
        assert!(deficient > 100, "{deficient}");
    }

    #[test]
    fn a_search_that_fails_meets_the_equations_that_compete() {
        // Three equations for two variables; the fourth has nothing to do with them.
        let v = |numbers: &[u32]| numbers.iter().map(|&n| VarId(n)).collect::<Vec<_>>();
        let incidence = [v(&[0, 1]), v(&[0, 1]), v(&[2]), v(&[0, 1])];
        let mut matching = Matching::new(4, 3);
        assert!((0..3).all(|equation| matching.augment(&incidence, equation, |_, _| true)));
        assert!(!matching.augment(&incidence, 3, |_, _| true));
        let met = Met { equations: vec![0, 1, 3], variables: v(&[0, 1]) };
        assert_eq!(matching.take_met(), met);
    }

    #[test]
    fn paths_keep_to_the_variables_that_are_allowed() {
        let v = |numbers: &[u32]| numbers.iter().map(|&n| VarId(n)).collect::<Vec<_>>();
        let incidence = [v(&[0, 1]), v(&[0])];
        let mut matching = Matching::new(2, 2);
        matching.assign(0, VarId(0));
        // The first equation could move on to variable 1, but must not.
        assert!(!matching.augment(&incidence, 1, |_, variable| variable == VarId(0)));
        assert!(matching.augment(&incidence, 1, |_, _| true));
        assert_eq!(matching.into_variables(), [Some(VarId(1)), Some(VarId(0))]);
    }

    /// Which equations each one needs, in one step or more.
    fn reachable(incidence: &[Vec<VarId>], owner: &[Option<usize>]) -> Vec<Vec<bool>> {
        let n = incidence.len();
        let mut reaches = vec![vec![false; n]; n];
        for (from, variables) in incidence.iter().enumerate() {
            for to in variables.iter().filter_map(|v| owner[v.index()]) {
                reaches[from][to] = true;
            }
        }
        for middle in 0..n {
            for from in 0..n {
                for to in 0..n {
                    reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
                }
            }
        }
        reaches
    }

    #[test]
    fn blocks_are_the_equations_that_need_each_other() {
        let mut dice = Dice(7);
        let (mut loops, mut chains) = (0, 0);
        for _ in 0..300 {
            let n = 2 + dice.roll(7);
            let incidence = dice.graph(n, n, 3);
            let matching = matched(&incidence, n, true);
            let owner: Vec<Option<usize>> =
                (0..n as u32).map(|v| matching.equation_of(VarId(v))).collect();
            let reaches = reachable(&incidence, &owner);
            let found = blocks(&incidence, &matching.into_variables(), n);
            let mut place = vec![usize::MAX; n];
            for (number, block) in found.iter().enumerate() {
                loops += usize::from(block.len() > 1);
                block.iter().for_each(|&equation| place[equation] = number);
            }
            for a in 0..n {
                for b in (0..n).filter(|&b| b != a) {
                    let both = reaches[a][b] && reaches[b][a];
                    assert_eq!(place[a] == place[b], both, "{incidence:?}");
                    // What is needed is solved before.
                    if reaches[a][b] && !both {
                        chains += 1;
                        assert!(place[b] < place[a], "{incidence:?}");
                    }
                }
            }
        }
        assert!(loops > 50 && chains > 50, "{loops} {chains}");
    }
}
