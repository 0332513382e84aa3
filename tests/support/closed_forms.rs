//! Closed forms of mechanisms.

use crate::mechanism::{Mechanism, Parts, Pin, Solid};
use crate::taylor::{Point, Taylor, point};

/// Gravity along -z, 9.81 m/s^2.
pub const DOWN: [f64; 3] = [0.0, 0.0, -9.81];

/// A revolute joint.
fn pin(name: &str, bodies: [Option<usize>; 2], at: Point, axis: Point) -> Pin {
    Pin { name: name.into(), keyword: "Revolute", bodies, point: at, axis }
}

/// Section of a thin rod, across the plane of motion and in it.
const THIN: [f64; 2] = [0.01, 0.0];

/// A rod between two points; `side` is perpendicular to it, the section has its edges along and across it.
fn rod(name: &str, mass: f64, [from, to]: [Point; 2], side: Point, [b, h]: [f64; 2]) -> Solid {
    let along = to - from;
    let (length, direction) = (along.norm().0, along.unit());
    let axes = [direction, side, direction.cross(side)];
    let centre = (from + to) * 0.5;
    Solid { name: name.into(), mass, size: [length, b, h], centre, axes }
}

/// The point of the xz plane at the distances `p`, `q` from `a`, `b`, to the left of the way from `a` to `b`
/// (seen with x to the right and z up).
pub fn triangle([a, b]: [Point; 2], [p, q]: [f64; 2]) -> Point {
    let way = b - a;
    let square = way.dot(way);
    // Foot of the height, as a part of the way, and the height over the length of the way.
    let along = (square + (p * p - q * q).into()) / (square * 2.0);
    let height = (Taylor::from(p * p) / square - along * along).sqrt();
    let [x, _, z] = way.0;
    a + way * along + point(-z, 0.0, x) * height
}

/// Normal of the plane of motion, so that positive angles turn x to z.
fn normal() -> Point {
    point(0.0, -1.0, 0.0)
}

/// Four-bar linkage in the xz plane with rods of 1 kg/m; the variable is the angle of the crank.
/// Lengths of crank, coupler, rocker, and the distance of the bearings.
pub fn four_bar([crank, coupler, rocker, frame]: [f64; 4], gravity: [f64; 3]) -> Mechanism {
    let parts = move |s: Taylor| {
        let (a, d) = (Point::default(), point(frame, 0.0, 0.0));
        let b = point(s.cos() * crank, 0.0, s.sin() * crank);
        let c = triangle([b, d], [coupler, rocker]);
        let n = normal();
        let solids = vec![
            rod("crank", crank, [a, b], n, THIN),
            rod("coupler", coupler, [b, c], n, THIN),
            rod("rocker", rocker, [d, c], n, THIN),
        ];
        let pins = vec![
            pin("JA", [None, Some(0)], a, n),
            pin("JB", [Some(0), Some(1)], b, n),
            pin("JC", [Some(1), Some(2)], c, n),
            pin("JD", [Some(2), None], d, n),
        ];
        Parts { solids, pins }
    };
    Mechanism { gravity, parts: Box::new(parts) }
}

/// A crank of 0.1 m, a rod of 0.3 m and a piston on the x axis; the variable is the angle of the crank.
pub fn slider_crank() -> Mechanism {
    let parts = |s: Taylor| {
        let (o, n) = (Point::default(), normal());
        let b = point(s.cos() * 0.1, 0.0, s.sin() * 0.1);
        let [x, _, z] = b.0;
        let c = point(x + (Taylor::from(0.09) - z * z).sqrt(), 0.0, 0.0);
        let (e1, e3) = (point(1.0, 0.0, 0.0), point(0.0, 0.0, 1.0));
        let axes = [e1, point(0.0, 1.0, 0.0), e3];
        let piston =
            Solid { name: "piston".into(), mass: 0.8, size: [0.08, 0.1, 0.1], centre: c, axes };
        let solids =
            vec![rod("crank", 3.0, [o, b], n, [0.2; 2]), rod("rod", 0.5, [b, c], n, THIN), piston];
        let guide = Pin { keyword: "Prismatic", ..pin("guide", [None, Some(2)], c, e1) };
        let pins = vec![
            pin("main", [None, Some(0)], o, n),
            pin("big_end", [Some(0), Some(1)], b, n),
            pin("small_end", [Some(1), Some(2)], c, n),
            guide,
        ];
        Parts { solids, pins }
    };
    Mechanism { gravity: DOWN, parts: Box::new(parts) }
}

/// The N-four-bar mechanism of the IFToMM benchmarks: posts of 1 m and 1 kg, 1 m apart, joined by beams of
/// the same kind. The variable is the angle from the vertical.
pub fn windows(count: usize) -> Mechanism {
    let parts = move |s: Taylor| {
        let n = point(0.0, 1.0, 0.0);
        let foot = |i: usize| point(i as f64, 0.0, 0.0);
        let head = |i: usize| foot(i) + point(s.sin(), 0.0, s.cos());
        let mut parts = Parts::default();
        for i in 0..=count {
            let last = parts.solids.len();
            parts.solids.push(rod(&format!("post{i}"), 1.0, [foot(i), head(i)], n, THIN));
            parts.pins.push(pin(&format!("A{i}"), [None, Some(last)], foot(i), n));
            if i > 0 {
                parts.pins.push(pin(&format!("C{i}"), [Some(last - 1), Some(last)], head(i), n));
            }
            if i < count {
                parts.solids.push(rod(&format!("beam{i}"), 1.0, [head(i), head(i + 1)], n, THIN));
                parts.pins.push(pin(&format!("B{i}"), [Some(last), Some(last + 1)], head(i), n));
            }
        }
        parts
    };
    Mechanism { gravity: DOWN, parts: Box::new(parts) }
}

/// Spherical four-bar: the axes meet in the origin, the links are rods of 1 kg between points of the unit
/// sphere. The angles of crank, coupler, rocker and frame; the variable is the angle of the crank.
pub fn spherical_four_bar(angles: [f64; 4]) -> Mechanism {
    let parts = move |s: Taylor| {
        let [crank, coupler, rocker, frame] = angles;
        let a = point(0.0, 0.0, 1.0);
        let b = point(s.cos() * crank.sin(), s.sin() * crank.sin(), crank.cos());
        let d = point(frame.sin(), 0.0, frame.cos());
        // C with C.B = cos(coupler), C.D = cos(rocker) and length 1, as a sum of B, D and B x D.
        let (p, x, y) = (b.dot(d), coupler.cos(), rocker.cos());
        let rest = Taylor::from(1.0) - p * p;
        let (k, l) = ((Taylor::from(x) - p * y) / rest, (Taylor::from(y) - p * x) / rest);
        let m = ((Taylor::from(1.0) - k * x - l * y) / rest).sqrt();
        let c = b * k + d * l - b.cross(d) * m;
        let link = |name: &str, from: Point, to: Point| {
            rod(name, 1.0, [from, to], from.cross(to).unit(), [0.02; 2])
        };
        let solids = vec![link("crank", a, b), link("coupler", b, c), link("rocker", d, c)];
        let o = Point::default();
        let pins = vec![
            pin("JA", [None, Some(0)], o, a),
            pin("JB", [Some(0), Some(1)], o, b),
            pin("JC", [Some(1), Some(2)], o, c),
            pin("JD", [Some(2), None], o, d),
        ];
        Parts { solids, pins }
    };
    Mechanism { gravity: DOWN, parts: Box::new(parts) }
}

/// A frame of a chain in the notation of Denavit and Hartenberg: origin and axes.
#[derive(Clone, Copy)]
struct Frame {
    origin: Point,
    axes: [Point; 3],
}

impl Frame {
    /// Turned about z by an angle given by its cosine and sine.
    fn turned(self, [cos, sin]: [Taylor; 2]) -> Self {
        let [x, y, z] = self.axes;
        Self { axes: [x * cos + y * sin, y * cos - x * sin, z], ..self }
    }

    /// At the end of a link along x that twists the axis z about x.
    fn next(self, length: f64, twist: f64) -> Self {
        let [x, y, z] = self.axes;
        let (sin, cos) = twist.sin_cos();
        let axes = [x, y * cos + z * sin, z * cos - y * sin];
        Self { origin: self.origin + x * length, axes }
    }
}

/// A closed chain of links in the notation of Denavit and Hartenberg; the last link is the frame.
fn chain(
    mut frame: Frame,
    links: &[([Taylor; 2], f64, f64)],
    mass: impl Fn(f64) -> f64,
    width: f64,
) -> Parts {
    let mut parts = Parts::default();
    let last = links.len() - 1;
    for (i, (angle, length, twist)) in links.iter().enumerate() {
        let [before, after] = [i.checked_sub(1), (i < last).then_some(i)];
        parts.pins.push(pin(&format!("J{}", i + 1), [before, after], frame.origin, frame.axes[2]));
        frame = frame.turned(*angle);
        if i < last {
            let size = [*length, width, width];
            let centre = frame.origin + frame.axes[0] * (0.5 * length);
            let (name, mass) = (format!("link{}", i + 1), mass(*length));
            parts.solids.push(Solid { name, mass, size, centre, axes: frame.axes });
        }
        frame = frame.next(*length, *twist);
    }
    parts
}

/// Bennett's linkage with links of 1 m and 1.5 m, 1 kg/m, and a twist of the first of 30 degrees; the
/// variable is the first angle. The product of the tangents of neighbouring half angles is constant:
/// tan(a/2) tan(b/2) = sin((alpha + beta)/2)/sin((beta - alpha)/2) (Bennett 1903).
pub fn bennett() -> Mechanism {
    let parts = |s: Taylor| {
        let alpha = std::f64::consts::FRAC_PI_6;
        let beta = (1.5 * alpha.sin()).asin();
        let ratio = (0.5 * (alpha + beta)).sin() / (0.5 * (beta - alpha)).sin();
        let (half_cos, half_sin) = ((s * 0.5).cos() * ratio, (s * 0.5).sin());
        let sum = half_sin * half_sin + half_cos * half_cos;
        let first = [s.cos(), s.sin()];
        let second =
            [(half_sin * half_sin - half_cos * half_cos) / sum, half_sin * half_cos * 2.0 / sum];
        let back = |[cos, sin]: [Taylor; 2]| [cos, -sin];
        let links = [
            (first, 1.0, alpha),
            (second, 1.5, beta),
            (back(first), 1.0, alpha),
            (back(second), 1.5, beta),
        ];
        chain(world(), &links, |length| length, 0.05)
    };
    Mechanism { gravity: DOWN, parts: Box::new(parts) }
}

/// The frame of the world.
fn world() -> Frame {
    let axes = [point(1.0, 0.0, 0.0), point(0.0, 1.0, 0.0), point(0.0, 0.0, 1.0)];
    Frame { origin: Point::default(), axes }
}

/// Bricard's mechanism of the IFToMM benchmarks: five rods of 1 m, 1 kg and a square section of 0.1 m; six joints
/// with twists of 90 degrees to either side in turn. Odd joints have one angle a, even joints another b, with
/// (1 + cos a)(1 + cos b) = 1, that is cos(a/2) cos(b/2) = 1/2. In the plane of a/2 and b/2 this is a closed
/// curve around zero; the variable is its polar angle. At pi/4 the rods are edges of a cube.
pub fn bricard() -> Mechanism {
    let parts = |s: Taylor| {
        let (cos, sin) = (s.cos(), s.sin());
        // Newton's method for the radius; a correct value makes the derivatives correct one step later.
        let mut radius = Taylor::from(1.1);
        for _ in 0..12 {
            let (a, b) = (cos * radius, sin * radius);
            let gap = a.cos() * b.cos() - Taylor::from(0.5);
            let slope = -(a.sin() * b.cos() * cos + a.cos() * b.sin() * sin);
            radius = radius - gap / slope;
        }
        let angle = |half: Taylor| [(half * 2.0).cos(), (half * 2.0).sin()];
        let (odd, even) = (angle(cos * radius), angle(sin * radius));
        let quarter = std::f64::consts::FRAC_PI_2;
        let links: Vec<_> = (0..6)
            .map(|i| if i % 2 == 0 { (odd, 1.0, quarter) } else { (even, 1.0, -quarter) })
            .collect();
        let down = point(0.0, 0.0, -1.0);
        let axes = [point(0.0, 1.0, 0.0), point(1.0, 0.0, 0.0), down];
        chain(Frame { axes, ..world() }, &links, |_| 1.0, 0.1)
    };
    Mechanism { gravity: DOWN, parts: Box::new(parts) }
}

/// Points of the flyball governor whose rods are rigid, in the plane that turns with the shaft. The variable
/// is the angle of the arms below the horizontal.
pub fn governor(s: Taylor) -> Vec<(f64, Point)> {
    let mut all = Vec::new();
    let (cos, sin, n) = (s.cos(), s.sin(), point(0.0, 1.0, 0.0));
    for side in [-1.0, 1.0] {
        let hinge = point(0.05 * side, 0.0, 1.0);
        let tip = hinge + point(cos * side, 0.0, -sin);
        all.extend(rod("arm", 0.3, [hinge, tip], n, [0.01; 2]).points());
        all.push((5.0, tip));
    }
    // The rods of 0.5 m lead from the middles of the arms to points of the slider right below the hinges.
    let slider = Solid {
        name: "slider".into(),
        mass: 3.0,
        size: [0.1; 3],
        centre: point(0.0, 0.0, Taylor::from(1.0) - sin),
        axes: world().axes,
    };
    all.extend(slider.points());
    let shaft = point(0.0, 0.0, 0.0);
    all.extend(rod("shaft", 0.3, [shaft, point(0.0, 0.0, 1.0)], n, [0.01; 2]).points());
    all
}
