//! Which derivatives depend on which states, and which states can be varied together.
//!
//! Two columns of a Jacobian that share no row can be differenced by one evaluation (Curtis, Powell
//! and Reid 1974). A column without rows costs none.

/// The entries of a Jacobian that may differ from zero in some mode.
///
/// An [extended](Self::extended) one has the states first and further unknowns behind them, from which the derivatives follow:
///
/// ```text
/// y' = F y + G z,    0 = H y + K z,    J = F - G K^-1 H
/// ```
///
/// J may be full where F, G, H and K have few entries; `mu - J` is then factorised by eliminating the unknowns z too.
#[derive(Debug, PartialEq, Eq, educe::Educe)]
#[educe(Clone)]
pub struct Pattern {
    /// Rows of each column, ascending, without repetition.
    columns: Vec<Vec<usize>>,
    extension: Option<Extension>,
}

/// What an extended pattern has beside its entries.
#[derive(Debug, PartialEq, Eq, educe::Educe)]
#[educe(Clone)]
struct Extension {
    n_states: usize,
    /// An order of elimination in which pivots on the diagonal serve.
    order: Vec<u32>,
}

impl Pattern {
    /// No entry in a matrix of this size.
    pub fn empty(n: usize) -> Self {
        Self { columns: vec![Vec::new(); n], extension: None }
    }

    /// A pattern of states and further unknowns, as rows and columns of its entries, with an order of elimination in which no
    /// row needs an exchange.
    pub fn extended(
        n_states: usize,
        order: Vec<u32>,
        entries: impl IntoIterator<Item = (usize, usize)>,
    ) -> Self {
        let mut columns = vec![Vec::new(); order.len()];
        entries.into_iter().for_each(|(row, column)| columns[column].push(row));
        for rows in &mut columns {
            rows.sort_unstable();
            rows.dedup();
        }
        Self { columns, extension: Some(Extension { n_states, order }) }
    }

    /// The order of elimination of an extended pattern.
    pub fn order(&self) -> Option<&[u32]> {
        self.extension.as_ref().map(|extension| &extension.order[..])
    }

    /// Number of states: all unknowns unless the pattern is extended.
    pub fn n_states(&self) -> usize {
        self.extension.as_ref().map_or(self.len(), |extension| extension.n_states)
    }

    /// Every entry.
    pub fn full(n: usize) -> Self {
        Self { columns: vec![(0..n).collect(); n], extension: None }
    }

    /// Number of columns, those of further unknowns included.
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// True if there is no column.
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// The derivative of state `row` may depend on state `column`.
    pub fn add(&mut self, row: usize, column: usize) {
        let rows = &mut self.columns[column];
        if let Err(place) = rows.binary_search(&row) {
            rows.insert(place, row);
        }
    }

    /// Rows of a column.
    pub fn rows(&self, column: usize) -> &[usize] {
        &self.columns[column]
    }

    /// Adds all entries of another one; true if there was any that is new.
    pub fn unite(&mut self, other: &Self) -> bool {
        let mut has_grown = false;
        for (rows, more) in self.columns.iter_mut().zip(&other.columns) {
            let before = rows.len();
            rows.extend(more);
            rows.sort_unstable();
            rows.dedup();
            has_grown |= rows.len() > before;
        }
        has_grown
    }

    /// The block of some states, ascending: rows and columns are counted among them.
    pub fn of_part(&self, part: &[usize]) -> Self {
        let place = |row: &usize| part.binary_search(row).ok();
        let rows = |&column: &usize| self.columns[column].iter().filter_map(place).collect();
        Self { columns: part.iter().map(rows).collect(), extension: None }
    }

    /// Columns in groups that share no row, each column in the first group where it fits; columns
    /// without rows are in none.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = Vec::new();
        let mut taken: Vec<Vec<bool>> = Vec::new();
        for (column, rows) in self.columns.iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
            let fits = |taken: &Vec<bool>| rows.iter().all(|&row| !taken[row]);
            let group = taken.iter().position(fits).unwrap_or_else(|| {
                groups.push(Vec::new());
                taken.push(vec![false; self.len()]);
                groups.len() - 1
            });
            groups[group].push(column);
            rows.iter().for_each(|&row| taken[group][row] = true);
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tridiagonal_pattern_needs_three_groups() {
        let n = 10;
        let mut pattern = Pattern::empty(n);
        for i in 0..n {
            for j in i.saturating_sub(1)..(i + 2).min(n) {
                pattern.add(i, j);
            }
        }
        let groups = pattern.groups();
        assert_eq!(groups.len(), 3);
        assert_eq!(groups.iter().map(Vec::len).sum::<usize>(), n);
        assert_eq!(Pattern::full(4).groups().len(), 4);
        assert!(Pattern::empty(4).groups().is_empty());
    }
}
