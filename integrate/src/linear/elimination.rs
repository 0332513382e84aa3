//! The steps of an elimination with pivots on the diagonal: their order, and the entries that appear on the way.
//!
//! States that depend on each other form a block, and blocks follow each other so that each depends on earlier ones only
//! (Duff and Reid, ACM Trans. Math. Softw. 4 (1978) 137). Only the blocks are eliminated; the entries below them enter the
//! right-hand sides unchanged. In a small block the next pivot is the one with the fewest products (Markowitz, Management
//! Science 3 (1957) 255), in a large block the one of minimum degree.

use std::collections::BTreeSet;

use super::ordering::minimum_degree;
use problem::graph::strong_components;

/// Most products of an elimination whose places are listed; longer lists take more room than they save time.
const MOST_PRODUCTS: usize = 1 << 20;
/// Most products where the order is given: it is known to fit the equations.
const MOST_PRODUCTS_IN_ORDER: usize = 1 << 25;
/// Largest block whose products are counted: a set of its states fits in one number.
const SMALL: usize = u128::BITS as usize;

/// An order of elimination.
pub(super) struct Order {
    /// The state of each step, and the step of each state.
    pub states: Vec<u32>,
    pub step_of: Vec<u32>,
    /// The block of each step.
    pub block_of: Vec<u32>,
    /// One beyond the last step of each block.
    pub ends: Vec<u32>,
}

impl Order {
    /// The order for a matrix whose columns have these rows, with or without the diagonal.
    pub fn new(columns: &[&[usize]]) -> Self {
        let n = columns.len();
        // The states that each state depends on: the columns of its row.
        let mut needs = vec![Vec::new(); n];
        for (column, rows) in columns.iter().enumerate() {
            rows.iter().for_each(|&row| needs[row].push(column as u32));
        }
        let mut order = Self {
            states: Vec::with_capacity(n),
            step_of: vec![0; n],
            block_of: Vec::with_capacity(n),
            ends: Vec::new(),
        };
        let mut local = vec![u32::MAX; n];
        // Within each block, numbered locally, the order with little fill.
        for (number, block) in (0..).zip(strong_components(&needs)) {
            block.iter().zip(0..).for_each(|(&state, k)| local[state] = k);
            let inner = |&row: &usize| block.get(local[row] as usize).is_some_and(|&k| k == row);
            let inside = |state: usize| {
                columns[state].iter().filter(|row| inner(row)).map(|&row| local[row])
            };
            let chosen = match block.len() {
                1 => vec![0],
                2..=SMALL => fewest_products(block.iter().map(|&state| inside(state))),
                _ => {
                    let (mut starts, mut rows) = (vec![0], Vec::new());
                    for &state in &block {
                        rows.extend(inside(state));
                        starts.push(rows.len() as u32);
                    }
                    minimum_degree(&starts, &rows)
                }
            };
            for state in chosen.into_iter().map(|k| block[k as usize]) {
                order.step_of[state] = order.states.len() as u32;
                order.states.push(state as u32);
                order.block_of.push(number);
            }
            order.ends.push(order.states.len() as u32);
        }
        order
    }
}

impl Order {
    /// A given order, in one block.
    pub fn given(states: &[u32]) -> Self {
        let mut step_of = vec![0; states.len()];
        (0..).zip(states).for_each(|(step, &state)| step_of[state as usize] = step);
        let ends = vec![states.len() as u32];
        Self { states: states.to_vec(), step_of, block_of: vec![0; states.len()], ends }
    }
}

/// Takes the pivot with the fewest products at each step; of several such pivots, the one with the lowest number.
fn fewest_products(columns: impl Iterator<Item = impl Iterator<Item = u32>>) -> Vec<u32> {
    // Rows and columns as sets of bits, without the diagonal.
    let mut columns: Vec<u128> =
        columns.map(|rows| rows.fold(0, |set, row| set | 1 << row)).collect();
    let n = columns.len();
    let mut rows = vec![0u128; n];
    for (k, column) in columns.iter_mut().enumerate() {
        *column &= !(1 << k);
        members(*column).for_each(|row| rows[row] |= 1 << k);
    }
    let count = |row: u128, column: u128| row.count_ones() * column.count_ones();
    let mut products: Vec<u32> =
        rows.iter().zip(&columns).map(|(&row, &column)| count(row, column)).collect();
    let mut left: Vec<u32> = (0..n as u32).collect();
    let mut order = Vec::with_capacity(n);
    while let Some(place) = (0..left.len()).min_by_key(|&k| products[left[k] as usize]) {
        let pivot = left.remove(place);
        order.push(pivot);
        let k = pivot as usize;
        // Elimination of the pivot joins its row to all rows below and its column to all columns beside.
        let (row, column) = (rows[k], columns[k]);
        members(column).for_each(|i| rows[i] = (rows[i] | row) & !(1 << k | 1 << i));
        members(row).for_each(|j| columns[j] = (columns[j] | column) & !(1 << k | 1 << j));
        members(row | column).for_each(|i| products[i] = count(rows[i], columns[i]));
    }
    order
}

/// The numbers in a set, ascending.
fn members(mut set: u128) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(first)
    })
}

/// The entries of the factors, by steps of the elimination.
pub(super) struct Fill {
    /// Rows of U and columns of L without their pivots.
    pub rows: Vec<Vec<u32>>,
    pub columns: Vec<Vec<u32>>,
    pub products: usize,
}

impl Fill {
    /// Follows the elimination; `None` if it takes too many products.
    pub fn new(columns: &[&[usize]], order: &Order) -> Option<Self> {
        Self::up_to(MOST_PRODUCTS, columns, order)
    }

    /// Follows an elimination whose order is given.
    pub fn in_order(columns: &[&[usize]], order: &Order) -> Option<Self> {
        Self::up_to(MOST_PRODUCTS_IN_ORDER, columns, order)
    }

    fn up_to(most: usize, columns: &[&[usize]], order: &Order) -> Option<Self> {
        let n = columns.len();
        let mut above = vec![BTreeSet::new(); n];
        let mut below = vec![BTreeSet::new(); n];
        for (column, rows) in columns.iter().enumerate() {
            let j = order.step_of[column];
            let steps = rows.iter().map(|&row| order.step_of[row]);
            let block = order.block_of[j as usize];
            for i in steps.filter(|&i| order.block_of[i as usize] == block) {
                if i < j {
                    above[i as usize].insert(j);
                } else if i > j {
                    below[j as usize].insert(i);
                }
            }
        }
        let mut fill =
            Self { rows: Vec::with_capacity(n), columns: Vec::with_capacity(n), products: 0 };
        for k in 0..n {
            let upper: Vec<u32> = std::mem::take(&mut above[k]).into_iter().collect();
            let lower: Vec<u32> = std::mem::take(&mut below[k]).into_iter().collect();
            fill.products += upper.len() * lower.len();
            if fill.products > most {
                return None;
            }
            for &i in &lower {
                above[i as usize].extend(upper.iter().filter(|&&j| j > i));
            }
            for &j in &upper {
                below[j as usize].extend(lower.iter().filter(|&&i| i > j));
            }
            fill.rows.push(upper);
            fill.columns.push(lower);
        }
        Some(fill)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two states that depend on each other, one that they depend on and one that depends on them.
    #[test]
    fn blocks_follow_what_they_depend_on() {
        let order = Order::new(&[&[0, 2], &[], &[0, 1], &[0, 2]]);
        assert_eq!(order.states, [3, 0, 2, 1]);
        assert_eq!(order.step_of, [1, 3, 2, 0]);
        assert_eq!(order.ends, [1, 3, 4]);
        assert_eq!(order.block_of, [0, 1, 1, 2]);
    }

    /// A chain whose members all feed the last one, and that one the first: from its end, each takes one product. Minimum
    /// degree would not see that rows and columns differ.
    #[test]
    fn few_products_come_first() {
        let ring = |k: usize| if k == 4 { vec![0] } else { vec![k + 1, 4] };
        let columns: Vec<Vec<usize>> = (0..5).map(ring).collect();
        let slices: Vec<&[usize]> = columns.iter().map(Vec::as_slice).collect();
        let order = Order::new(&slices);
        let fill = Fill::new(&slices, &order).map(|fill| fill.products);
        assert_eq!((order.states, fill), (vec![3, 2, 1, 0, 4], Some(4)));
    }

    /// Large blocks are ordered too, and in each case every state has its step.
    #[test]
    fn every_state_has_a_step() {
        for n in [1, 2, SMALL - 1, SMALL, SMALL + 1, 300] {
            let columns: Vec<[usize; 2]> = (0..n).map(|k| [(k + 1) % n, k * 7 % n]).collect();
            let slices: Vec<&[usize]> = columns.iter().map(|rows| &rows[..]).collect();
            let order = Order::new(&slices);
            let mut sorted = order.states.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..n as u32), "{n}");
            assert_eq!(order.ends, [n as u32]);
            assert!(Fill::new(&slices, &order).is_some());
        }
    }
}
