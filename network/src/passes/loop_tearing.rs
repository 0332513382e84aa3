//! Pass 6: which unknowns of a loop have to be guessed so that all others follow one after the other.
//!
//! Finding the fewest is NP-complete; the greedy choice of the unknown that occurs in most of the equations
//! that are left comes near (Elmqvist and Otter 1994; Cellier and Kofman, *Continuous System Simulation*, 7.9).
//! Unknowns whose factors change come first: a nonlinear law then begins its iteration where the last one ended, and
//! does not meet the whole change of a source at once. Next are the others of equations from which nothing follows.
//!
//! An unknown follows only from an equation that is linear with constant factors, in which its own factor is
//! not small beside the others, and not at the end of a long chain: errors grow along a chain, in a ladder
//! of resistors by 2.6 per section. So what is left is as well conditioned as the loop was, but for a
//! known factor, and is smaller.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The factor of an unknown that follows, over the largest of its equation, as for pivots of sparse factors.
const THRESHOLD: f64 = 0.1;
/// Longest chain of unknowns that follow from each other. The largest growth along it, 2.6^8, costs three of
/// sixteen digits.
const LONGEST_CHAIN: u32 = 8;

/// An unknown that follows from an equation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Follower {
    pub row: usize,
    pub column: usize,
    /// What it depends on: it is the sum of these multiples of guessed unknowns (by their number), and
    /// of what does not depend on any.
    pub slopes: Vec<(usize, f64)>,
}

/// A loop that is torn. Equations and unknowns by their place in the block.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Tearing {
    /// Unknowns that are guessed.
    pub guessed: Vec<usize>,
    /// Equations that determine them in the end.
    pub residuals: Vec<usize>,
    /// The others, in the order in which they follow.
    pub followers: Vec<Follower>,
}

/// An equation of the block: its unknowns, with their factors where those are numbers.
pub(crate) type Row = Vec<(usize, Option<f64>)>;

/// How urgently an unknown is guessed: factors of its own that change, equations with such factors, all equations.
type Rank = ((usize, usize), usize);

/// An unknown and the equation that it follows from.
#[derive(Clone, Copy)]
struct Step {
    row: usize,
    column: usize,
}

/// What is known while a block is torn.
struct Search<'a> {
    rows: &'a [Row],
    /// Equations of each unknown.
    users: Vec<Vec<usize>>,
    /// How many unknowns of each equation are not known yet.
    left: Vec<usize>,
    /// How many equations of each unknown are not used yet.
    uses: Vec<usize>,
    /// Length of the chain that leads to each known unknown.
    depth: Vec<Option<u32>>,
    /// Does an unknown follow from the equation?
    used: Vec<bool>,
    /// Equations with one unknown that is not known, which are to be looked at.
    ready: Vec<usize>,
    /// Unknowns that follow, in order.
    steps: Vec<Step>,
}

/// Tears a block.
pub(crate) fn tear(rows: &[Row]) -> Tearing {
    let n = rows.len();
    // The equations of each unknown.
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); n];
    for (row, columns) in rows.iter().enumerate() {
        columns.iter().for_each(|&(column, _)| users[column].push(row));
    }
    // Nothing is known yet; an equation with a single unknown can be solved at once.
    let mut search = Search {
        rows,
        left: rows.iter().map(Vec::len).collect(),
        uses: users.iter().map(Vec::len).collect(),
        users,
        depth: vec![None; n],
        used: vec![false; n],
        ready: (0..n).rev().filter(|&row| rows[row].len() == 1).collect(),
        steps: Vec::new(),
    };
    // Nonlinear equations decide first: factors of an unknown that change, and equations with such factors.
    let mut guessed = Vec::new();
    let mut fixed = vec![(0, 0); n];
    for row in rows.iter().filter(|row| row.iter().any(|(_, factor)| factor.is_none())) {
        for &(column, factor) in row {
            fixed[column].0 += usize::from(factor.is_none());
            fixed[column].1 += 1;
        }
    }
    // All unknowns, the most urgent first; of two that are alike the one with the lower number, so that the result is
    // always the same.
    let mut heap: BinaryHeap<(Rank, Reverse<usize>)> =
        (0..n).map(|column| ((fixed[column], search.uses[column]), Reverse(column))).collect();
    // In turn: all that follows from what is known, then a guess of the unknown with the highest rank.
    loop {
        search.follow();
        // The place of an unknown in the heap may be out of date; uses only become fewer.
        let Some((uses, Reverse(column))) = heap.pop() else { break };
        // What has followed meanwhile needs no guess.
        if search.depth[column].is_some() {
            continue;
        }
        // An entry that has become less urgent goes back to its new place.
        let now = (fixed[column], search.uses[column]);
        if now < uses {
            heap.push((now, Reverse(column)));
            continue;
        }
        // The most urgent unknown is guessed; it begins a chain.
        guessed.push(column);
        search.set_known(column, 0);
    }
    // Equations from which nothing followed are left to determine the guesses: as many as there are guesses.
    let residuals = (0..n).filter(|&row| !search.used[row]).collect();
    let followers = followers(rows, &guessed, &search.steps);
    Tearing { guessed, residuals, followers }
}

impl Search<'_> {
    /// Takes all unknowns that follow from what is known.
    fn follow(&mut self) {
        while let Some(row) = self.ready.pop() {
            if self.used[row] {
                continue;
            }
            // The equation is used up by its last unknown, so it no longer counts for its other unknowns.
            if let Some((column, depth)) = self.candidate(row) {
                self.used[row] = true;
                for &(other, _) in &self.rows[row] {
                    self.uses[other] -= 1;
                }
                self.steps.push(Step { row, column });
                self.set_known(column, depth);
            }
        }
    }

    /// The last unknown of an equation and the length of its chain, if it may follow.
    fn candidate(&self, row: usize) -> Option<(usize, u32)> {
        // The largest factor of the equation, the longest chain that leads to it, and its open unknown.
        let mut largest: f64 = 0.0;
        let mut deepest = 0;
        let mut open = None;
        for &(column, factor) in &self.rows[row] {
            // A factor that changes could vanish, so that nothing follows from this equation.
            let factor = factor?.abs();
            largest = largest.max(factor);
            match self.depth[column] {
                Some(depth) => deepest = deepest.max(depth + 1),
                None => open = Some((column, factor)),
            }
        }
        let (column, factor) = open?;
        // Dividing by a small factor, or a long chain, would magnify errors.
        let sound = factor >= THRESHOLD * largest && deepest <= LONGEST_CHAIN;
        (sound && factor > 0.0).then_some((column, deepest))
    }

    /// An unknown is guessed or follows: equations in which it was the last but one are ready.
    fn set_known(&mut self, column: usize, depth: u32) {
        self.depth[column] = Some(depth);
        for &row in &self.users[column] {
            self.left[row] -= 1;
            if self.left[row] == 1 && !self.used[row] {
                self.ready.push(row);
            }
        }
    }
}

/// Puts the dependence on the guessed unknowns into each step. An equation `a x + sum of b_j y_j + ... = 0` gives
/// `dx/dg = -sum of (b_j/a) dy_j/dg` for each guess g.
fn followers(rows: &[Row], guessed: &[usize], steps: &[Step]) -> Vec<Follower> {
    // Each guess depends on itself alone.
    let mut slopes: Vec<Vec<(usize, f64)>> = vec![Vec::new(); rows.len()];
    for (number, &column) in guessed.iter().enumerate() {
        slopes[column] = vec![(number, 1.0)];
    }
    let mut followers = Vec::with_capacity(steps.len());
    for &Step { row, column } in steps {
        // The factor a of the unknown that follows.
        let own = rows[row].iter().find(|(c, _)| *c == column).and_then(|(_, factor)| *factor);
        let own = own.unwrap_or(1.0);
        // All products of factors and slopes, then added up for each guess.
        let mut sum: Vec<(usize, f64)> = Vec::new();
        for &(other, factor) in rows[row].iter().filter(|(c, _)| *c != column) {
            let factor = -factor.unwrap_or(0.0) / own;
            sum.extend(slopes[other].iter().map(|&(number, slope)| (number, factor * slope)));
        }
        sum.sort_unstable_by_key(|(number, _)| *number);
        sum.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        sum.retain(|(_, slope)| *slope != 0.0);
        slopes[column].clone_from(&sum);
        followers.push(Follower { row, column, slopes: sum });
    }
    followers
}

#[cfg(test)]
mod tests {
    use super::*;

    /// x_k - x_(k-1) - x_(k+1) = 0 in a ring: one guess leaves two neighbours open, two guesses none.
    #[test]
    fn a_ring_is_torn_at_two_places_while_chains_are_short() {
        let ring = |n: usize| -> Vec<Row> {
            (0..n)
                .map(|k| {
                    vec![(k, Some(3.0)), ((k + 1) % n, Some(-1.0)), ((k + n - 1) % n, Some(-1.0))]
                })
                .collect()
        };
        let torn = tear(&ring(6));
        assert_eq!(torn.guessed.len(), 2);
        assert_eq!(torn.followers.len() + torn.residuals.len(), 6);
        // Chains end after eight unknowns, so long rings are torn in proportion to their length.
        let torn = tear(&ring(1000));
        assert!(
            torn.guessed.len() > 1000 / (2 * LONGEST_CHAIN as usize + 2),
            "{}",
            torn.guessed.len()
        );
        assert!(torn.guessed.len() < 500);
    }

    #[test]
    fn small_factors_and_factors_that_change_are_not_divided_by() {
        // x1 follows from the second equation only: its factor in the first is small.
        let rows: Vec<Row> =
            vec![vec![(0, Some(1.0)), (1, Some(1e-3))], vec![(0, None), (1, Some(1.0))]];
        let torn = tear(&rows);
        // Guessing x0 leaves nothing that may follow; both equations stay.
        assert_eq!((torn.guessed.len(), torn.followers.len()), (2, 0));
        let rows: Vec<Row> =
            vec![vec![(0, Some(1.0)), (1, Some(0.5))], vec![(0, None), (1, Some(1.0))]];
        let torn = tear(&rows);
        let follower = Follower { row: 0, column: 1, slopes: vec![(0, -2.0)] };
        assert_eq!((torn.guessed, torn.residuals), (vec![0], vec![1]));
        assert_eq!(torn.followers, vec![follower]);
    }
}
