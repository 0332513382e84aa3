//! Places on a grid for graphs with rings, where layers would bend most of their lines: short lines that run sideways or
//! straight up, that cross each other rarely and no element.
//!
//! The places are found by simulated annealing (Kirkpatrick, Gelatt and Vecchi 1983; for drawings Davidson and Harel 1996)
//! with a sequence of numbers that is always the same, so that a graph always has the same drawing.

/// Larger graphs are not arranged in this way: the work grows with the square of the number.
pub(super) const MOST_ARRANGED: usize = 120;

/// Moves that are tried for each vertex.
const MOVES: usize = 1500;
/// What a line costs besides its length: askew, crossing another, over an element, against the reading direction.
const ASKEW: f64 = 1.2;
const CROSSING: f64 = 5.0;
const OVER: f64 = 12.0;
const BACKWARD: f64 = 0.15;

/// A place on the grid: column and row.
pub(super) type Cell = (i32, i32);

/// A line between two vertices, and how much its length counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub ends: [usize; 2],
    pub weight: f64,
}

/// Improves places on a grid.
pub(super) fn arrange(cells: &mut [Cell], lines: &[Line]) {
    let count = cells.len();
    if !(2..=MOST_ARRANGED).contains(&count) {
        return;
    }
    let mut at = vec![Vec::new(); count];
    for (index, line) in lines.iter().enumerate() {
        line.ends.iter().for_each(|&end| at[end].push(index));
    }
    let mut search = Search { cells, lines, at, state: 0x9e37_79b9_7f4a_7c15 };
    let moves = MOVES * count;
    let mut best = (search.cost(), search.cells.to_vec());
    let mut now = best.0;
    for step in 0..moves {
        let heat = 3.0 * (1.0 - step as f64 / moves as f64).powi(2) + 1e-3;
        now += search.try_move(heat);
        if now < best.0 - 1e-9 {
            best = (now, search.cells.to_vec());
        }
    }
    search.cells.copy_from_slice(&best.1);
}

struct Search<'s> {
    cells: &'s mut [Cell],
    lines: &'s [Line],
    /// The lines at each vertex.
    at: Vec<Vec<usize>>,
    state: u64,
}

impl Search<'_> {
    /// A number of `0..n` (xorshift, Marsaglia 2003).
    fn below(&mut self, n: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        (self.state % n as u64) as usize
    }

    /// Moves a vertex near one of its neighbours, or lets two vertices change places; takes it back if that is worse and
    /// too cold for it. Gives the change of the cost.
    fn try_move(&mut self, heat: f64) -> f64 {
        let one = self.below(self.cells.len());
        let old = self.cells[one];
        let near = match self.at[one].len() {
            0 => old,
            n => {
                let any = self.below(n);
                let line = self.lines[self.at[one][any]];
                self.cells[line.ends[usize::from(line.ends[0] == one)]]
            }
        };
        let new = (near.0 + self.below(5) as i32 - 2, near.1 + self.below(5) as i32 - 2);
        let other = self.cells.iter().position(|&cell| cell == new);
        if new == old {
            return 0.0;
        }
        let touched = |search: &Self| {
            let own = search.cost_at(one, other);
            own + other.map_or(0.0, |other| search.cost_at(other, Some(one)))
        };
        let before = touched(self);
        self.cells[one] = new;
        if let Some(other) = other {
            self.cells[other] = old;
        }
        let change = touched(self) - before;
        let luck = self.below(1 << 20) as f64 / f64::from(1 << 20);
        if change <= 0.0 || luck < (-change / heat).exp() {
            return change;
        }
        self.cells[one] = old;
        if let Some(other) = other {
            self.cells[other] = new;
        }
        0.0
    }

    fn cost(&self) -> f64 {
        let lines = self.lines.iter().enumerate().map(|(index, line)| {
            let later = self.lines[index + 1..].iter().filter(|other| self.cross(line, other));
            let over = (0..self.cells.len()).filter(|&vertex| self.is_over(line, vertex));
            self.length(line) + CROSSING * later.count() as f64 + OVER * over.count() as f64
        });
        lines.sum()
    }

    /// The cost of what a vertex takes part in; of lines that end at `without` too, only their length is left to it.
    fn cost_at(&self, vertex: usize, without: Option<usize>) -> f64 {
        let mut cost = 0.0;
        for &index in &self.at[vertex] {
            let line = &self.lines[index];
            if line.ends.iter().any(|&end| Some(end) == without && end != vertex)
                && Some(vertex) > without
            {
                continue;
            }
            cost += self.length(line);
            for other in self.lines {
                let shared =
                    without.is_some_and(|w| other.ends.contains(&w)) && Some(vertex) > without;
                if !shared && self.cross(line, other) {
                    cost += CROSSING;
                }
            }
            let over = (0..self.cells.len()).filter(|&other| self.is_over(line, other));
            cost += OVER * over.count() as f64;
        }
        let over = self.lines.iter().filter(|line| self.is_over(line, vertex));
        cost + OVER * over.count() as f64
    }

    fn length(&self, line: &Line) -> f64 {
        let [a, b] = line.ends.map(|end| self.cells[end]);
        let (dx, dy) = (f64::from(b.0 - a.0), f64::from(b.1 - a.1));
        let askew = if dx != 0.0 && dy != 0.0 { ASKEW } else { 0.0 };
        let backward = if dx < 0.0 { BACKWARD } else { 0.0 };
        line.weight * (dx.abs() + dy.abs() + 0.2 * (dx * dx + dy * dy).sqrt() + askew + backward)
    }

    fn cross(&self, one: &Line, two: &Line) -> bool {
        if one.ends.iter().any(|end| two.ends.contains(end)) {
            return false;
        }
        let [a, b] = one.ends.map(|end| self.cells[end]);
        let [c, d] = two.ends.map(|end| self.cells[end]);
        let side = |p: Cell, q: Cell, r: Cell| {
            (i64::from(q.0 - p.0) * i64::from(r.1 - p.1)
                - i64::from(q.1 - p.1) * i64::from(r.0 - p.0))
            .signum()
        };
        side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
    }

    /// Whether a line passes a vertex that is none of its ends at less than half a cell.
    fn is_over(&self, line: &Line, vertex: usize) -> bool {
        if line.ends.contains(&vertex) {
            return false;
        }
        let [a, b] = line.ends.map(|end| self.cells[end]);
        let p = self.cells[vertex];
        let (dx, dy) = (f64::from(b.0 - a.0), f64::from(b.1 - a.1));
        let (px, py) = (f64::from(p.0 - a.0), f64::from(p.1 - a.1));
        let square = dx * dx + dy * dy;
        if square == 0.0 {
            return false;
        }
        let along = ((px * dx + py * dy) / square).clamp(0.0, 1.0);
        (px - along * dx).hypot(py - along * dy) < 0.45
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A ring of six around a middle has no crossing, whatever it begins with.
    #[test]
    fn a_wheel_is_untangled() {
        let mut lines: Vec<Line> =
            (0..6).map(|k| Line { ends: [k, (k + 1) % 6], weight: 1.0 }).collect();
        lines.extend([0, 2, 4].map(|k| Line { ends: [k, 6], weight: 1.0 }));
        let mut cells: Vec<Cell> = [3, 0, 5, 1, 4, 2, 6].iter().map(|&k| (k, 0)).collect();
        arrange(&mut cells, &lines);
        let at = vec![Vec::new(); 7];
        let search = Search { cells: &mut cells, lines: &lines, at, state: 1 };
        let crossings = lines.iter().flat_map(|a| lines.iter().map(move |b| (a, b)));
        assert_eq!(crossings.filter(|(a, b)| search.cross(a, b)).count(), 0);
        assert!((0..7).all(|vertex| lines.iter().all(|line| !search.is_over(line, vertex))));
    }
}
