//! The sparse index: where every k-th good row stands. Bounded in size, whatever the file.

/// Most entries kept. With 16 bytes each this is 1 MB; in a table of 8 million rows (2 GB with one
/// body) each 128th row has an entry, and reading 128 rows takes less than a millisecond.
const MAX_ENTRIES: usize = 1 << 16;

/// A good row: its time and where its line starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct IndexEntry {
    pub offset: u64,
    pub time: f64,
}

/// Entries of the rows 0, stride, 2 stride and so on; the times never fall.
#[derive(Debug)]
pub(super) struct RowIndex {
    stride: u64,
    entries: Vec<IndexEntry>,
    n_rows: u64,
}

impl RowIndex {
    /// No rows yet.
    pub fn new() -> Self {
        Self { stride: 1, entries: Vec::new(), n_rows: 0 }
    }

    /// How many rows were pushed.
    pub fn n_rows(&self) -> u64 {
        self.n_rows
    }

    /// Adds the next row; every second entry goes when there are too many.
    pub fn push(&mut self, entry: IndexEntry) {
        if self.n_rows.is_multiple_of(self.stride) {
            self.entries.push(entry);
        }
        self.n_rows += 1;
        if self.entries.len() > MAX_ENTRIES {
            let mut place = 0_u64;
            self.entries.retain(|_| {
                place += 1;
                !place.is_multiple_of(2)
            });
            self.stride *= 2;
        }
    }

    /// Takes the last row away again.
    pub fn pop(&mut self) {
        self.n_rows = self.n_rows.saturating_sub(1);
        if self.n_rows.is_multiple_of(self.stride) {
            self.entries.pop();
        }
    }

    /// The last entry at or before row `number`, and the number of its row.
    pub fn entry_for_row(&self, number: u64) -> Option<(u64, IndexEntry)> {
        if number >= self.n_rows {
            return None;
        }
        let place = number / self.stride;
        let entry = self.entries.get(usize::try_from(place).ok()?)?;
        Some((place * self.stride, *entry))
    }

    /// The last entry not later than `time`, and the number of its row.
    pub fn entry_for_time(&self, time: f64) -> Option<(u64, IndexEntry)> {
        let place = self.entries.partition_point(|entry| entry.time <= time).checked_sub(1)?;
        Some((place as u64 * self.stride, self.entries[place]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn index_stays_small_and_finds_every_row() {
        let mut index = RowIndex::new();
        let n_rows = 5 * MAX_ENTRIES as u64 + 3;
        for k in 0..n_rows {
            index.push(IndexEntry { offset: 10 * k, time: k as f64 });
        }
        assert!(index.entries.len() <= MAX_ENTRIES);
        for number in [0, 1, 7, 8, 9, n_rows / 2, n_rows - 1] {
            let (first, entry) = index.entry_for_row(number).unwrap();
            assert!(first <= number && number < first + index.stride);
            assert_eq!(entry.offset, 10 * first);
            let by_time = index.entry_for_time(number as f64 + 0.5).unwrap();
            assert_eq!(by_time.0, first);
        }
        assert!(index.entry_for_row(n_rows).is_none());
        assert!(index.entry_for_time(-1.0).is_none());
        for k in (0..n_rows).rev() {
            index.pop();
            assert!(index.entry_for_row(k).is_none());
            assert_eq!(index.entries.len() as u64, k.div_ceil(index.stride));
        }
    }
}
