//! Signal arrows: from what is measured to what is changed, and short ones at what changes with time alone.

use super::geometry::{DrawnPoint, Segment};
use super::layout::{CLEAR, GraphLayout};

impl GraphLayout<'_> {
    /// A signal arrow between two elements, round others if need be; it may cross bonds, but no letters.
    pub(super) fn inform(&mut self, from: usize, to: usize) {
        let (Some(a), Some(b)) = (self.boxes[from], self.boxes[to]) else { return };
        let straight = a.middle.to(b.middle);
        let normal = straight.unit().flow_side();
        let at = |part: f64, aside: f64| a.middle.plus(straight, part).plus(normal, aside);
        let mut ways = vec![Vec::new()];
        // Round a corner.
        ways.push(vec![DrawnPoint::new(b.middle.x, a.middle.y)]);
        ways.push(vec![DrawnPoint::new(a.middle.x, b.middle.y)]);
        for step in [20.0, 35.0, 50.0, 70.0, 95.0, 125.0, 160.0, 200.0, 260.0] {
            for aside in [-step, step] {
                ways.push(vec![at(0.5, aside)]);
                ways.push(vec![at(0.1, aside), at(0.9, aside)]);
            }
        }
        let line = |way: &Vec<DrawnPoint>| {
            let first = way.first().copied().unwrap_or(b.middle);
            let last = way.last().copied().unwrap_or(a.middle);
            let mut points = vec![a.leave(first, 2.0)];
            points.extend_from_slice(way);
            points.push(b.leave(last, 2.0));
            points
        };
        let lines: Vec<Vec<DrawnPoint>> = ways.iter().map(line).collect();
        let trouble = |points: &Vec<DrawnPoint>| self.trouble([from, to], points);
        let best = lines.iter().min_by(|one, two| trouble(one).total_cmp(&trouble(two)));
        self.signals.extend(best.cloned());
    }

    /// How bad the way of a signal is: over letters, over marks, crossings, length and bends.
    fn trouble(&self, ends: [usize; 2], points: &[DrawnPoint]) -> f64 {
        let mut trouble = 20.0 * (points.len() - 2) as f64;
        for pair in points.windows(2) {
            let line = Segment::new(pair[0], pair[1]);
            trouble += 0.1 * line.a.to(line.b).length();
            for (own, rect) in self.boxes.iter().enumerate() {
                let near = rect.is_some_and(|rect| rect.distance_to(&line) < CLEAR);
                trouble += if near && !ends.contains(&own) { 1000.0 } else { 0.0 };
            }
            for route in &self.routes {
                let letters = route.label.is_some_and(|label| label.distance_to(&line) < CLEAR);
                let marks = route.marks().filter(|mark| mark.distance(&line) < CLEAR).count();
                let bonds = route.segments().filter(|own| own.crosses(&line)).count();
                trouble += if letters { 500.0 } else { 0.0 };
                trouble += 200.0 * marks as f64 + 30.0 * bonds as f64;
            }
            for other in &self.signals {
                let crossings = other.windows(2).filter(|pair| {
                    let other = Segment::new(pair[0], pair[1]);
                    other.distance(&line) < CLEAR
                });
                trouble += 40.0 * crossings.count() as f64;
            }
        }
        trouble
    }

    /// Whether an element changes with time alone, so that no arrow comes from another.
    fn needs_arrow(&self, element: usize) -> bool {
        self.graph.elements[element].modulated
            && self.graph.information.iter().all(|[_, to]| *to != element)
    }

    /// The signal arrow of a modulated element.
    pub(super) fn place_signal(&mut self, element: usize) {
        let Some(own) = self.boxes[element].filter(|_| self.needs_arrow(element)) else {
            return;
        };
        let ways =
            [90.0, 270.0, 135.0, 45.0, 225.0, 315.0, 180.0, 0.0, 112.0, 68.0, 248.0, 292.0f64];
        for angle in ways {
            let (y, x) = (-angle.to_radians()).sin_cos();
            let tip = own.leave(own.middle.plus(DrawnPoint::new(x, y), 1.0), 2.0);
            let arrow = Segment::new(tip.plus(DrawnPoint::new(x, y), 26.0), tip);
            let free = self.boxes.iter().enumerate().all(|(k, other)| {
                other.is_none_or(|other| k == element || other.distance_to(&arrow) >= CLEAR)
            }) && self.routes.iter().all(|route| {
                let mut lines = route.segments().chain(route.marks());
                route.label.is_none_or(|label| label.distance_to(&arrow) >= CLEAR)
                    && lines.all(|line| line.distance(&arrow) >= 2.0 * CLEAR)
            });
            if free {
                self.signals.push(vec![arrow.a, arrow.b]);
                return;
            }
        }
    }
}
