//! Layouts on a grid, and how good a layout is.

use super::arrangement::{self, Line};
use super::geometry::{DrawnPoint, Rect, Segment};
use super::layout::{GraphLayout, LAYER, ROW};

impl GraphLayout<'_> {
    /// What a person would not draw: bends, crossings, names without a place.
    pub(super) fn faults(&self) -> usize {
        let bends: usize = self.routes.iter().map(|route| route.points.len() - 2).sum();
        let lines: Vec<(usize, Segment)> = self
            .routes
            .iter()
            .flat_map(|route| route.segments().map(|s| (route.bond, s)))
            .collect();
        let crosses = |&(bond, line): &(usize, Segment)| {
            lines.iter().filter(|(other, two)| *other > bond && line.crosses(two)).count()
        };
        let signals = self.signals.iter().map(|points| points.len() - 2).sum::<usize>();
        bends + 2 * lines.iter().map(crosses).sum::<usize>() + signals
    }

    /// Places on a grid instead of layers.
    pub(super) fn arrange(&mut self) {
        let vertices: Vec<usize> =
            (0..self.graph.elements.len()).filter(|&element| self.is_backbone(element)).collect();
        let number = |element: usize| vertices.binary_search(&element).ok();
        // What hangs on a junction pulls where that is.
        let anchor = |element: usize| {
            let bond = self.graph.elements[element].bonds.first();
            number(element).or_else(|| number(self.graph.bonds[*bond?].other(element)))
        };
        let bonds = self.graph.bonds.iter().map(|bond| ([bond.from, bond.to], 1.0));
        let signals = self.graph.information.iter().map(|ends| (*ends, 0.5));
        let lines: Vec<Line> = bonds
            .chain(signals)
            .filter_map(|([from, to], weight)| {
                Some(Line { ends: [anchor(from)?, anchor(to)?], weight })
            })
            .filter(|line| line.ends[0] != line.ends[1])
            .collect();
        let side = (vertices.len() as f64).sqrt().ceil() as i32;
        let mut cells: Vec<(i32, i32)> =
            (0..vertices.len() as i32).map(|k| (k % side, k / side)).collect();
        arrangement::arrange(&mut cells, &lines);
        let widest = |column: i32| {
            let own = cells.iter().zip(&vertices).filter(move |(cell, _)| cell.0 == column);
            own.map(|(_, &element)| self.size(element).0).fold(40.0, f64::max)
        };
        let columns = cells.iter().map(|cell| cell.0);
        let (first, last) = (columns.clone().min().unwrap_or(0), columns.max().unwrap_or(0));
        let mut places = Vec::new();
        let mut x = 0.0;
        for column in first..=last {
            let half = 0.5 * widest(column);
            x += half;
            places.push(x);
            x += half + LAYER + 20.0;
        }
        for (cell, &element) in cells.iter().zip(&vertices) {
            let middle =
                DrawnPoint::new(places[(cell.0 - first) as usize], 0.8 * ROW * f64::from(cell.1));
            self.boxes[element] = Some(Rect::new(middle, self.size(element)));
        }
    }
}
