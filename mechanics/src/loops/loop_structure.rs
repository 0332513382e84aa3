//! The symbolic phase: which multipliers pass which link, where each is eliminated, and which entries of
//! their matrix differ from zero.
//!
//! A row of the constraints touches a few links. On the way towards the root its multiplier is *open* on
//! every link between the touched links and their lowest common ancestor, the *base* of the row, where it is
//! eliminated: at a base everything that the row depends on has been eliminated already, except the
//! acceleration of the base itself. Rows with the same base are eliminated in an order of minimum degree.
//! So loops side by side cost as much as one after the other, and a chain of loops on the world, whose
//! matrix is block tridiagonal, has no fill.
//!
//! The phases, for m rows in the order of elimination (positions 0..m):
//!
//! ```text
//! base(row)          lowest common ancestor of the links that the row touches
//! order              bases far from the root first; within a base by minimum degree (Tinney, Walker 1967)
//! columns            one column K for each link on which a row is open, one on its base
//! pattern of L       below[j] = rows open together with j, and the fill: the first later row of j inherits
//!                    the others (the elimination tree; Liu 1990)
//! places             index of A_rs in the array of the matrix for each product of two columns
//! ```
//!
//! The numeric phase (`recursion.rs`) follows these lists and decides nothing.

use std::collections::BTreeMap;
use std::ops::Range;

use super::minimum_degree::minimum_degree;

/// One row as the symbolic phase sees it.
#[derive(Clone, Debug)]
pub(crate) struct RowShape {
    /// Number of the row among all rows of the constraints.
    pub row: u32,
    /// Rows of one element stay together.
    pub element: u32,
    /// Number and link of each load of the row.
    pub loads: Vec<(u32, u32)>,
    /// Number, link and place among the freedoms of the link of each coordinate of the row.
    pub directs: Vec<(u32, u32, u32)>,
}

/// The column of one multiplier on one link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    /// Position of the row in the order of elimination.
    pub position: u32,
    /// The column on the parent; of no meaning where the row is closed.
    pub parent: u32,
    /// First of the entries that the column has for each freedom of the link.
    pub freedoms: u32,
}

/// The columns of one link.
#[derive(Debug, Default, educe::Educe)]
#[educe(Clone)]
pub(crate) struct LinkPlan {
    /// Columns of the rows that are eliminated here, in order.
    pub closed: Range<usize>,
    /// Columns of the rows that go on to the parent.
    pub open: Range<usize>,
    /// First of the places of the products of open columns, by rows of the lower triangle.
    pub pairs: usize,
}

/// A later row that an eliminated one couples with.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Later {
    /// Position of the later row.
    pub position: u32,
    /// Column of the later row on the link where the eliminated row is closed.
    pub column: u32,
}

/// The plan of a factorisation.
#[derive(Debug, Default, educe::Educe)]
#[educe(Clone)]
pub(crate) struct LoopStructure {
    /// The rows in the order of elimination.
    pub rows: Vec<u32>,
    /// By link, the world first.
    pub links: Vec<LinkPlan>,
    pub columns: Vec<Column>,
    /// Loads of rows: number of the load, column.
    pub loads: Vec<(u32, u32)>,
    /// Coordinates of rows: number of the coordinate, its entry per freedom.
    pub directs: Vec<(u32, u32)>,
    /// Entries below the diagonal, column by column; the place of entry k is `n_rows + k`.
    pub later: Vec<Later>,
    /// Where the later rows of each position begin, and the end.
    pub later_start: Vec<u32>,
    /// Places of products of open columns.
    pub pairs: Vec<u32>,
    /// Places that the elimination of each position changes: the places of all pairs of its later rows.
    pub updates: Vec<u32>,
    /// First of the updates of each position.
    pub update_start: Vec<u32>,
    /// Entries per freedom of all columns.
    pub n_freedoms: usize,
}

impl LoopStructure {
    /// The later rows of a position.
    #[inline(always)]
    pub fn later_range(&self, position: usize) -> Range<usize> {
        self.later_start[position] as usize..self.later_start[position + 1] as usize
    }

    /// The plan for rows on a tree with these parents and numbers of freedoms per link.
    pub fn new(parents: &[u32], freedoms: &[u8], rows: &[RowShape]) -> Self {
        let bases: Vec<u32> = rows.iter().map(|row| base(parents, row)).collect();
        let order = elimination_order(parents, rows, &bases);
        let mut plan = Self {
            rows: order.iter().map(|&k| rows[k].row).collect(),
            links: vec![LinkPlan::default(); parents.len()],
            ..Self::default()
        };
        let open = plan.place_columns(parents, freedoms, rows, &bases, &order);
        plan.place_inputs(rows, &order);
        plan.find_pattern(&open);
        plan.place_products();
        plan
    }

    /// Gives every row its columns; returns the open positions of each link that has any.
    fn place_columns(
        &mut self,
        parents: &[u32],
        freedoms: &[u8],
        rows: &[RowShape],
        bases: &[u32],
        order: &[usize],
    ) -> BTreeMap<u32, Vec<u32>> {
        // On which links each row is open, and on which it is closed.
        let mut open: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        let mut closed: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (position, &k) in order.iter().enumerate() {
            for link in open_links(parents, &rows[k], bases[k]) {
                open.entry(link).or_default().push(position as u32);
            }
            closed.entry(bases[k]).or_default().push(position as u32);
        }
        // Columns link by link: the closed ones, which have no freedoms left, and then the open ones.
        for (link, plan) in self.links.iter_mut().enumerate() {
            let at = link as u32;
            let mut push = |list: Option<&Vec<u32>>, nv: usize| {
                let first = self.columns.len();
                for &position in list.map_or(&[] as &[u32], |list| list) {
                    let freedoms = self.n_freedoms as u32;
                    self.columns.push(Column { position, parent: 0, freedoms });
                    self.n_freedoms += nv;
                }
                first..self.columns.len()
            };
            plan.closed = push(closed.get(&at), 0);
            plan.open = push(open.get(&at), usize::from(freedoms[link]));
        }
        // Every open column goes on to the column of the same row on the parent.
        for (link, &parent) in parents.iter().enumerate().skip(1) {
            for column in self.links[link].open.clone() {
                let position = self.columns[column].position;
                let found = self.column(parent as usize, position);
                self.columns[column].parent = found as u32;
            }
        }
        open
    }

    /// The column of a row on a link.
    fn column(&self, link: usize, position: u32) -> usize {
        let LinkPlan { closed, open, .. } = &self.links[link];
        for range in [closed, open] {
            let columns = &self.columns[range.clone()];
            if let Ok(found) = columns.binary_search_by_key(&position, |column| column.position) {
                return range.start + found;
            }
        }
        0
    }

    /// Where the loads and the coordinates of the rows enter the columns.
    fn place_inputs(&mut self, rows: &[RowShape], order: &[usize]) {
        for (position, &k) in order.iter().enumerate() {
            for &(load, link) in &rows[k].loads {
                let column = self.column(link as usize, position as u32);
                self.loads.push((load, column as u32));
            }
            for &(direct, link, freedom) in &rows[k].directs {
                let column = self.column(link as usize, position as u32);
                self.directs.push((direct, self.columns[column].freedoms + freedom));
            }
        }
    }

    /// The entries below the diagonal, including the entries that elimination fills (Liu 1990).
    fn find_pattern(&mut self, open: &BTreeMap<u32, Vec<u32>>) {
        let n = self.rows.len();
        let mut below: Vec<Vec<u32>> = vec![Vec::new(); n];
        // Rows that are open on the same link couple there.
        for positions in open.values() {
            for (k, &position) in positions.iter().enumerate() {
                below[position as usize].extend(&positions[k + 1..]);
            }
        }
        self.later_start.push(0);
        let closing: Vec<usize> = self.closing_links();
        for position in 0..n {
            let mut list = std::mem::take(&mut below[position]);
            list.sort_unstable();
            list.dedup();
            // Elimination couples all later rows of this row with each other, so the first of these later rows takes over the
            // others.
            if let Some(&next) = list.first() {
                below[next as usize].extend(&list[1..]);
            }
            for later in list {
                let column = self.column(closing[position], later) as u32;
                self.later.push(Later { position: later, column });
            }
            self.later_start.push(self.later.len() as u32);
        }
    }

    /// The link on which each position is closed.
    fn closing_links(&self) -> Vec<usize> {
        let mut closing = vec![0; self.rows.len()];
        for (link, plan) in self.links.iter().enumerate() {
            for column in &self.columns[plan.closed.clone()] {
                closing[column.position as usize] = link;
            }
        }
        closing
    }

    /// The place of an entry of the lower triangle.
    fn place(&self, a: u32, b: u32) -> u32 {
        let (early, late) = (a.min(b), a.max(b));
        if early == late {
            return early;
        }
        let range = self.later_range(early as usize);
        let found = self.later[range.clone()].binary_search_by_key(&late, |later| later.position);
        (self.rows.len() + range.start + found.unwrap_or(0)) as u32
    }

    /// The places of all products: of columns that are open on a link, and of later rows of a position.
    fn place_products(&mut self) {
        for link in 0..self.links.len() {
            self.links[link].pairs = self.pairs.len();
            let open = self.links[link].open.clone();
            for a in open.clone() {
                for b in open.start..=a {
                    let (a, b) = (self.columns[a].position, self.columns[b].position);
                    self.pairs.push(self.place(a, b));
                }
            }
        }
        self.update_start.push(0);
        for position in 0..self.rows.len() {
            let range = self.later_range(position);
            for a in range.clone() {
                for b in range.start..=a {
                    let (a, b) = (self.later[a].position, self.later[b].position);
                    self.updates.push(self.place(a, b));
                }
            }
            self.update_start.push(self.updates.len() as u32);
        }
    }
}

/// The lowest common ancestor; parents have smaller numbers.
fn common_ancestor(parents: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        if a > b {
            a = parents[a as usize];
        } else {
            b = parents[b as usize];
        }
    }
    a
}

/// The link on which a row is eliminated. A coordinate is eliminated with its joint, so that it counts for the
/// parent of its link.
fn base(parents: &[u32], row: &RowShape) -> u32 {
    let loads = row.loads.iter().map(|&(_, link)| link);
    let directs = row.directs.iter().map(|&(_, link, _)| parents[link as usize]);
    let mut links = loads.chain(directs);
    let first = links.next().unwrap_or(0);
    links.fold(first, |a, b| common_ancestor(parents, a, b))
}

/// The links below the base that a row touches or passes, in rising order.
fn open_links(parents: &[u32], row: &RowShape, base: u32) -> Vec<u32> {
    let loads = row.loads.iter().map(|&(_, link)| link);
    let starts = loads.chain(row.directs.iter().map(|&(_, link, _)| link));
    let mut passed = Vec::new();
    for mut link in starts {
        while link != base {
            passed.push(link);
            link = parents[link as usize];
        }
    }
    passed.sort_unstable();
    passed.dedup();
    passed
}

/// The rows base by base, bases far from the root first, within a base by minimum degree of the elements.
fn elimination_order(parents: &[u32], rows: &[RowShape], bases: &[u32]) -> Vec<usize> {
    // Elements of each base, and the open links on which they meet.
    let mut elements: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
    let mut meetings: BTreeMap<(u32, u32), Vec<u32>> = BTreeMap::new();
    for (row, &base) in rows.iter().zip(bases) {
        let list = elements.entry(base).or_default();
        if list.last() == Some(&row.element) {
            continue;
        }
        list.push(row.element);
        for link in open_links(parents, row, base) {
            meetings.entry((base, link)).or_default().push(row.element);
        }
    }
    // The place of each element within its base: elements that meet on a link are neighbours in the graph.
    let mut rank: BTreeMap<(u32, u32), usize> = BTreeMap::new();
    for (&base, list) in &elements {
        let number: BTreeMap<u32, usize> = list.iter().enumerate().map(|(k, &e)| (e, k)).collect();
        let met = meetings.range((base, 0)..=(base, u32::MAX));
        let edges = met.flat_map(|(_, list)| {
            let pairs = list.iter().enumerate();
            pairs.flat_map(move |(k, &a)| list[k + 1..].iter().map(move |&b| (a, b)))
        });
        let edges = edges.map(|(a, b)| (number[&a], number[&b]));
        for (place, node) in minimum_degree(list.len(), edges).into_iter().enumerate() {
            rank.insert((base, list[node]), place);
        }
    }
    // Links count upwards from the root: the largest base is eliminated first.
    let mut order: Vec<usize> = (0..rows.len()).collect();
    let key = |k: usize| {
        let (base, row) = (bases[k], &rows[k]);
        (std::cmp::Reverse(base), rank.get(&(base, row.element)).copied(), k)
    };
    order.sort_by_key(|&k| key(k));
    order
}
