//! Points, boxes and segments of a drawing, and how far they are from each other. y points down.

/// A point, or a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct DrawnPoint {
    pub x: f64,
    pub y: f64,
}

impl DrawnPoint {
    pub fn new(x: f64, y: f64) -> Self {
        Self { x, y }
    }

    pub fn plus(self, other: Self, factor: f64) -> Self {
        Self::new(self.x + factor * other.x, self.y + factor * other.y)
    }

    pub fn to(self, other: Self) -> Self {
        Self::new(other.x - self.x, other.y - self.y)
    }

    pub fn length(self) -> f64 {
        self.x.hypot(self.y)
    }

    /// The vector with length 1; to the right for one without length.
    pub fn unit(self) -> Self {
        let length = self.length();
        if length > 0.0 { Self::new(self.x / length, self.y / length) } else { Self::new(1.0, 0.0) }
    }

    /// At a right angle: below a line that runs sideways, right of one that runs up or down.
    pub fn flow_side(self) -> Self {
        let normal = Self::new(-self.y, self.x);
        // A line at 45 degrees runs sideways, whatever its last digit.
        let sideways = 1.001 * self.x.abs() >= self.y.abs();
        let is_there = if sideways { normal.y > 0.0 } else { normal.x > 0.0 };
        if is_there { normal } else { Self::new(-normal.x, -normal.y) }
    }
}

/// A straight line between two points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Segment {
    pub a: DrawnPoint,
    pub b: DrawnPoint,
}

impl Segment {
    pub fn new(a: DrawnPoint, b: DrawnPoint) -> Self {
        Self { a, b }
    }

    fn distance_to_point(&self, p: DrawnPoint) -> f64 {
        let (d, to) = (self.a.to(self.b), self.a.to(p));
        let square = d.x * d.x + d.y * d.y;
        let along = if square > 0.0 { (d.x * to.x + d.y * to.y) / square } else { 0.0 };
        self.a.plus(d, along.clamp(0.0, 1.0)).to(p).length()
    }

    /// Whether the two segments cross.
    pub fn crosses(&self, other: &Self) -> bool {
        let side = |s: &Self, p: DrawnPoint| {
            let (d, to) = (s.a.to(s.b), s.a.to(p));
            d.x * to.y - d.y * to.x
        };
        side(self, other.a) * side(self, other.b) < 0.0
            && side(other, self.a) * side(other, self.b) < 0.0
    }

    pub fn distance(&self, other: &Self) -> f64 {
        if self.crosses(other) {
            return 0.0;
        }
        let ends = [
            self.distance_to_point(other.a),
            self.distance_to_point(other.b),
            other.distance_to_point(self.a),
            other.distance_to_point(self.b),
        ];
        ends.into_iter().fold(f64::INFINITY, f64::min)
    }
}

/// A box by its middle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Rect {
    pub middle: DrawnPoint,
    pub width: f64,
    pub height: f64,
}

impl Rect {
    pub fn new(middle: DrawnPoint, (width, height): (f64, f64)) -> Self {
        Self { middle, width, height }
    }

    fn corners(&self) -> [DrawnPoint; 4] {
        let (w, h) = (0.5 * self.width, 0.5 * self.height);
        let at = |x: f64, y: f64| DrawnPoint::new(self.middle.x + x, self.middle.y + y);
        [at(-w, -h), at(w, -h), at(w, h), at(-w, h)]
    }

    /// Are they at least this far apart, sideways or up and down?
    pub fn is_clear_of(&self, other: &Self, margin: f64) -> bool {
        let d = self.middle.to(other.middle);
        d.x.abs() >= 0.5 * (self.width + other.width) + margin
            || d.y.abs() >= 0.5 * (self.height + other.height) + margin
    }

    pub fn distance_to(&self, segment: &Segment) -> f64 {
        let inside = |p: DrawnPoint| {
            let d = self.middle.to(p);
            d.x.abs() <= 0.5 * self.width && d.y.abs() <= 0.5 * self.height
        };
        if inside(segment.a) || inside(segment.b) {
            return 0.0;
        }
        let corners = self.corners();
        let sides = (0..4).map(|k| Segment::new(corners[k], corners[(k + 1) % 4]));
        sides.map(|side| side.distance(segment)).fold(f64::INFINITY, f64::min)
    }

    /// Where a line from the middle to a point leaves the box, and this much beyond.
    pub fn leave(&self, towards: DrawnPoint, gap: f64) -> DrawnPoint {
        let d = self.middle.to(towards).unit();
        let (w, h) = (0.5 * self.width + gap, 0.5 * self.height + gap);
        let reach = (w / d.x.abs().max(1e-9)).min(h / d.y.abs().max(1e-9));
        self.middle.plus(d, reach)
    }
}
