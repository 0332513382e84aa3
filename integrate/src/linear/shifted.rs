//! Factors of several sparse matrices `mu - J` at once, which differ in the shift mu only.
//!
//! Implicit methods solve with one real shift and some complex shifts. All these matrices have the same entries, and with a
//! diagonal that the shift makes large they need no exchange of rows. The parts that do not depend on numbers are computed
//! once: the order of elimination (`elimination.rs`), the entries that appear on the way, and the place of every product.
//! The factorisation is then a walk through lists, in which each index serves all matrices.
//!
//! The factors are in Crout's form: pivots in L, ones on the diagonal of U. A pivot that is too small for one of the
//! matrices ends the factorisation; `sparse.rs` exchanges rows then. Entries of J from one block of the elimination to a
//! later block are links: they are real and equal in all matrices.

use super::complex::Complex;
use super::elimination::{Fill, Order};
use super::lanes::Lanes;

/// A pivot is at least this part of the largest scaled entry of its column, so that entries grow by a factor of a hundred
/// at most in one step of the elimination.
const KEEP: f64 = 1e-2;

/// `L` matrices with the J that was [taken](Self::take), and after [`factor`](Self::factor) their factors.
#[derive(Debug, educe::Educe)]
#[educe(Clone)]
pub struct Shifted<const L: usize> {
    runs: Vec<Run>,
    steps: Vec<EliminationStep>,
    ways_back: Vec<WayBack>,
    /// Pivots (their reciprocals), rows of U and columns of L, step by step.
    numbers: Vec<Lanes<L>>,
    /// For each number the row of L or the column of U that it is in.
    places: Vec<u32>,
    /// The numbers from which the products are subtracted, counted from the end of the step: for each entry of the row of
    /// U, one number per entry of the column of L.
    targets: Vec<u32>,
    links: Vec<Link>,
    /// Places of the links in J.
    origins: Vec<u32>,
    links_are_finite: bool,
    entries: Vec<MatrixEntry>,
    /// The numbers without shifts before the elimination.
    values: Vec<f64>,
    /// Unknowns from this one on have no shift, and the order of elimination is given.
    n_shifted: usize,
    /// Largest entry of each row of J inside its block, and the reciprocal of this entry plus the least shift.
    largest: Vec<f64>,
    weights: Vec<f64>,
}

/// Steps of the elimination up to the end of a block in which some states need back substitution; smaller blocks without
/// back substitution may stand before it.
#[derive(Clone, Copy, Debug)]
struct Run {
    /// One beyond the last step, and one beyond the last row of the back substitution.
    step: u32,
    way_back: u32,
}

/// One step of the elimination.
#[derive(Clone, Copy, Debug)]
struct EliminationStep {
    /// Row and column of the pivot.
    pivot: u32,
    /// First number; the row of U follows.
    start: u32,
    /// First number of the column of L, and one beyond its last.
    lower: u32,
    end: u32,
    /// Number of links to the row.
    links: u32,
}

/// Back substitution for one state: its row of U.
#[derive(Clone, Copy, Debug)]
struct WayBack {
    state: u32,
    /// First number of the row, and one beyond its last.
    start: u32,
    end: u32,
}

/// An entry of J between blocks.
#[derive(Clone, Copy, Debug)]
struct Link {
    value: f64,
    column: u32,
}

/// An entry of J inside of a block.
#[derive(Clone, Copy, Debug)]
struct MatrixEntry {
    /// Place of the entry in J.
    origin: u32,
    number: u32,
    row: u32,
}

impl<const L: usize> Shifted<L> {
    /// Room for the factors of matrices whose columns have these rows, with or without the diagonal. `None` if the elimination
    /// takes too many products.
    pub fn new(columns: &[&[usize]]) -> Option<Self> {
        let order = Order::new(columns);
        let fill = Fill::new(columns, &order)?;
        Some(Self::place_all(columns, &order, &fill, columns.len()))
    }

    /// Room for the factors of matrices of which the first `n_shifted` unknowns have the shift, in a given order of elimination.
    /// Pivots are not compared with other entries: the order has to be one in which they serve.
    pub fn in_order(columns: &[&[usize]], order: &[u32], n_shifted: usize) -> Option<Self> {
        let order = Order::given(order);
        let fill = Fill::in_order(columns, &order)?;
        Some(Self::place_all(columns, &order, &fill, n_shifted))
    }

    fn place_all(columns: &[&[usize]], order: &Order, fill: &Fill, n_shifted: usize) -> Self {
        let n = columns.len();
        // The numbers of each step: pivot, row of U, column of L.
        let (mut steps, mut places) = (Vec::with_capacity(n), Vec::new());
        for (k, &pivot) in order.states.iter().enumerate() {
            let start = places.len() as u32;
            places.push(pivot);
            places.extend(fill.rows[k].iter().map(|&step| order.states[step as usize]));
            let lower = places.len() as u32;
            places.extend(fill.columns[k].iter().map(|&step| order.states[step as usize]));
            steps.push(EliminationStep { pivot, start, lower, end: places.len() as u32, links: 0 });
        }
        // For each product l_i u_j of a step, the place of the entry (i, j) from which it is subtracted.
        let mut targets = Vec::with_capacity(fill.products);
        for (k, step) in steps.iter().enumerate() {
            let (lower, upper) = (&fill.columns[k], &fill.rows[k]);
            let products = upper.iter().flat_map(|&j| lower.iter().map(move |&i| (i, j)));
            targets.extend(products.map(|(i, j)| number(fill, &steps, i, j) - step.end));
        }
        let mut shifted = Self {
            runs: Vec::new(),
            steps,
            ways_back: Vec::new(),
            numbers: vec![Lanes::ZERO; places.len()],
            places,
            targets,
            links: Vec::new(),
            origins: Vec::new(),
            links_are_finite: true,
            entries: Vec::new(),
            values: Vec::new(),
            n_shifted,
            largest: vec![0.0; n],
            weights: vec![0.0; n],
        };
        shifted.place_entries(columns, order, fill);
        shifted.find_ways_back(order);
        shifted
    }

    fn place_entries(&mut self, columns: &[&[usize]], order: &Order, fill: &Fill) {
        let mut links = Vec::new();
        let places =
            columns.iter().enumerate().flat_map(|(j, rows)| rows.iter().map(move |&i| (i, j)));
        for ((row, column), origin) in places.zip(0..) {
            let (i, j) = (order.step_of[row], order.step_of[column]);
            if order.block_of[i as usize] == order.block_of[j as usize] {
                let number = number(fill, &self.steps, i, j);
                self.entries.push(MatrixEntry { origin, number, row: row as u32 });
            } else {
                self.steps[i as usize].links += 1;
                links.push((i, column as u32, origin));
            }
        }
        links.sort_unstable();
        self.links = links.iter().map(|&(_, column, _)| Link { value: 0.0, column }).collect();
        self.origins = links.into_iter().map(|(_, _, origin)| origin).collect();
        self.values = vec![0.0; self.numbers.len()];
    }

    /// Finds the states that need back substitution, because their row of U is not empty.
    fn find_ways_back(&mut self, order: &Order) {
        let mut first = 0;
        for &end in &order.ends {
            let waiting = self.steps[first..end as usize].iter().rev();
            let ways = waiting.filter(|step| step.start + 1 < step.lower).map(|step| WayBack {
                state: step.pivot,
                start: step.start + 1,
                end: step.lower,
            });
            let before = self.ways_back.len();
            self.ways_back.extend(ways);
            if self.ways_back.len() > before || end as usize == self.steps.len() {
                self.runs.push(Run { step: end, way_back: self.ways_back.len() as u32 });
            }
            first = end as usize;
        }
    }

    /// Takes over J, whose entries come column by column.
    pub fn take(&mut self, jacobian: &[f64]) {
        self.largest.fill(0.0);
        for entry in &self.entries {
            let value = jacobian[entry.origin as usize];
            self.values[entry.number as usize] = -value;
            let largest = &mut self.largest[entry.row as usize];
            *largest = if value.abs() > *largest { value.abs() } else { *largest };
        }
        for (link, &origin) in self.links.iter_mut().zip(&self.origins) {
            link.value = jacobian[origin as usize];
        }
        self.links_are_finite = self.links.iter().all(|link| link.value.is_finite());
    }

    /// Factorises `mu - J` for all shifts. False if a pivot is too small.
    pub fn factor(&mut self, shifts: &[Complex; L]) -> bool {
        if !self.links_are_finite {
            return false;
        }
        let shifts = Lanes::from_numbers(shifts);
        let sizes = shifts.sizes();
        let least = sizes.into_iter().fold(f64::INFINITY, f64::min);
        for (weight, largest) in self.weights.iter_mut().zip(&self.largest) {
            *weight = 1.0 / (largest + least);
        }
        // All lanes begin with -J; the shift is added to the diagonal when its step comes.
        for (number, &value) in self.numbers.iter_mut().zip(&self.values) {
            *number = Lanes::real(value);
        }
        let mut targets = &self.targets[..];
        let is_ordered = self.n_shifted < self.steps.len();
        for step in &self.steps {
            let (own, later) = self.numbers.split_at_mut(step.end as usize);
            let (row, lower) =
                own[step.start as usize..].split_at_mut((step.lower - step.start) as usize);
            let Some((pivot, upper)) = row.split_first_mut() else { return false };
            if (step.pivot as usize) < self.n_shifted {
                pivot.add(&shifts);
            }
            let Some(reciprocal) = pivot.reciprocal() else { return false };
            let size = std::mem::replace(pivot, reciprocal).sizes();
            if lower.is_empty() && upper.is_empty() {
                continue;
            }
            // The largest scaled entry below the pivot is at most the sum of these entries, which is the cheaper test.
            let rows = &self.places[step.lower as usize..step.end as usize];
            if is_ordered {
                targets = eliminate(lower, upper, &reciprocal, targets, later);
                continue;
            }
            let mut sums = [0.0; L];
            for (l, &row) in lower.iter().zip(rows) {
                let weight = self.weights[row as usize];
                for ((sum, re), im) in sums.iter_mut().zip(&l.re).zip(&l.im) {
                    *sum += (re.abs() + im.abs()) * weight;
                }
            }
            let scale = self.largest[step.pivot as usize];
            let is_large = (0..L).fold(true, |is_large, k| {
                is_large & (KEEP * sums[k] * (scale + sizes[k]) <= size[k])
            });
            if !is_large {
                let pivot = Pivot { sizes: &size, scale, lower, rows };
                if !pivot.is_sound(&self.largest, &sizes) {
                    return false;
                }
            }
            targets = eliminate(lower, upper, &reciprocal, targets, later);
        }
        true
    }

    /// Replaces the right-hand sides by the solutions.
    pub fn solve(&self, b: &mut [Lanes<L>]) {
        let (mut step, mut way_back, mut links) = (0, 0, &self.links[..]);
        for run in &self.runs {
            // Forward substitution through the steps of the run; links bring in the solutions of earlier blocks.
            for step in &self.steps[step..run.step as usize] {
                let (own, rest) = links.split_at(step.links as usize);
                links = rest;
                let mut x = b[step.pivot as usize];
                for link in own {
                    x.add_multiple(&b[link.column as usize], link.value);
                }
                let x = x.product(&self.numbers[step.start as usize]);
                b[step.pivot as usize] = x;
                let range = step.lower as usize..step.end as usize;
                for (l, &row) in self.numbers[range.clone()].iter().zip(&self.places[range]) {
                    b[row as usize].subtract(l, &x);
                }
            }
            // Back substitution, for the states that have a row of U.
            for way in &self.ways_back[way_back..run.way_back as usize] {
                let range = way.start as usize..way.end as usize;
                let mut x = b[way.state as usize];
                for (u, &column) in self.numbers[range.clone()].iter().zip(&self.places[range]) {
                    x.subtract(u, &b[column as usize]);
                }
                b[way.state as usize] = x;
            }
            (step, way_back) = (run.step as usize, run.way_back as usize);
        }
    }

    /// Solves with the first matrix alone, if its shift is real.
    pub fn solve_first(&self, b: &mut [f64]) {
        let (mut step, mut way_back, mut links) = (0, 0, &self.links[..]);
        for run in &self.runs {
            for step in &self.steps[step..run.step as usize] {
                let (own, rest) = links.split_at(step.links as usize);
                links = rest;
                let mut x = b[step.pivot as usize];
                for link in own {
                    x += link.value * b[link.column as usize];
                }
                x *= self.numbers[step.start as usize].re[0];
                b[step.pivot as usize] = x;
                let range = step.lower as usize..step.end as usize;
                for (l, &row) in self.numbers[range.clone()].iter().zip(&self.places[range]) {
                    b[row as usize] -= l.re[0] * x;
                }
            }
            for way in &self.ways_back[way_back..run.way_back as usize] {
                let range = way.start as usize..way.end as usize;
                let mut x = b[way.state as usize];
                for (u, &column) in self.numbers[range.clone()].iter().zip(&self.places[range]) {
                    x -= u.re[0] * b[column as usize];
                }
                b[way.state as usize] = x;
            }
            (step, way_back) = (run.step as usize, run.way_back as usize);
        }
    }
}

/// `u = (row entry) / pivot`, then the update of the rest: `a_ij -= l_i u_j`. Gives the targets of later steps.
#[inline(always)]
fn eliminate<'a, const L: usize>(
    lower: &[Lanes<L>],
    upper: &mut [Lanes<L>],
    reciprocal: &Lanes<L>,
    mut targets: &'a [u32],
    later: &mut [Lanes<L>],
) -> &'a [u32] {
    for u in upper {
        let x = u.product(reciprocal);
        *u = x;
        let (own, rest) = targets.split_at(lower.len());
        targets = rest;
        for (l, &target) in lower.iter().zip(own) {
            later[target as usize].subtract(l, &x);
        }
    }
    targets
}

/// A pivot with the entries below it.
struct Pivot<'a, const L: usize> {
    /// Its size in each lane.
    sizes: &'a [f64; L],
    /// The largest entry of its row.
    scale: f64,
    /// The entries below it, and their rows.
    lower: &'a [Lanes<L>],
    rows: &'a [u32],
}

impl<const L: usize> Pivot<'_, L> {
    /// Whether it is large enough for the entries below it; `largest` are the largest entries of all rows.
    #[cold]
    fn is_sound(&self, largest: &[f64], shifts: &[f64; L]) -> bool {
        self.lower.iter().zip(self.rows).all(|(l, &row)| {
            let found = l.sizes();
            (0..L).all(|k| {
                let most = self.sizes[k] / (KEEP * (self.scale + shifts[k]));
                found[k] <= most * (largest[row as usize] + shifts[k])
            })
        })
    }
}

/// The number of an entry, given by the steps of its row and column.
fn number(fill: &Fill, steps: &[EliminationStep], row: u32, column: u32) -> u32 {
    let step = &steps[row.min(column) as usize];
    let among = |list: &[u32], wanted: u32| list.partition_point(|&k| k < wanted) as u32;
    match row.cmp(&column) {
        std::cmp::Ordering::Equal => step.start,
        std::cmp::Ordering::Less => step.start + 1 + among(&fill.rows[row as usize], column),
        std::cmp::Ordering::Greater => step.lower + among(&fill.columns[column as usize], row),
    }
}

#[cfg(test)]
mod tests;
