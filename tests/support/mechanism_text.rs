//! A mechanism as a `.dys` text, with any choice of the joints that close its loops, and what its runs
//! give.
//!
//! All body frames coincide with the world frame at the start, so that every joint coordinate begins
//! with zero and both triads of a joint have the same position, that of the joint in the world.

use std::fmt::Write;

use crate::blocks::{Run, list};
use crate::mechanism::{Mechanism, Parts, Pin, Solid, cross, dot};
use crate::simulate::Table;
use crate::taylor::Taylor;

/// How a mechanism is written down.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// Value of the variable at the start.
    pub at: f64,
    /// Its speed.
    pub speed: f64,
    /// Joints with `Role = loop`. Bodies that no other joint reaches are free.
    pub cuts: &'a [usize],
    /// Further blocks.
    pub more: &'a str,
}

/// The joint through which each body hangs on its mother.
struct Forest {
    /// By body: joint and mother; `None` for a body without tree joint.
    mothers: Vec<Option<(usize, Option<usize>)>>,
}

impl Forest {
    /// Goes from the world outwards, as long as a joint that is not cut leads to a new body.
    fn of(parts: &Parts, cuts: &[usize]) -> Self {
        let mut mothers = vec![None; parts.solids.len()];
        let mut open = vec![None];
        while let Some(from) = open.pop() {
            for (k, pin) in parts.pins.iter().enumerate() {
                let other = match pin.bodies {
                    [a, Some(b)] if a == from => b,
                    [Some(a), b] if b == from => a,
                    _ => continue,
                };
                if !cuts.contains(&k) && mothers[other].is_none() {
                    mothers[other] = Some((k, from));
                    open.push(Some(other));
                }
            }
        }
        Self { mothers }
    }
}

impl Mechanism {
    /// The text of a run from the given start.
    pub fn text(&self, how: Run, start: Start<'_>) -> String {
        let parts = (self.parts)(Taylor::variable(start.at));
        let forest = Forest::of(&parts, start.cuts);
        let mut text = crate::blocks::Text::new(self.gravity, how).text().to_string();
        text += &output(&parts);
        text += start.more;
        for (body, solid) in parts.solids.iter().enumerate() {
            let (joint, mother) = match forest.mothers[body] {
                Some((joint, mother)) => (parts.pins[joint].name.clone(), mother),
                None => (format!("free_{}", solid.name), None),
            };
            text += &solid_text(solid, &joint, name(&parts, mother));
            if forest.mothers[body].is_none() {
                text += &free_text(solid, &joint, start.speed);
            }
        }
        for (k, pin) in parts.pins.iter().enumerate() {
            let child = forest.mothers.iter().position(|m| m.is_some_and(|(joint, _)| joint == k));
            text += &pin_text(&parts, pin, child, start.speed);
        }
        text
    }
}

/// Coordinate, rate, acceleration and reaction of all joints with one freedom.
fn output(parts: &Parts) -> String {
    let single = parts.pins.iter().filter(|pin| pin.keyword != "Spherical");
    let signals = single.flat_map(|pin| {
        ["q", "qd", "qdd", "fx", "fy", "fz"].map(|signal| format!("{}.{signal}", pin.name))
    });
    let signals: Vec<String> = signals.collect();
    format!("Output \"o\" {{ Files = pva, epl, csv; Signals = {}; }}\n", signals.join(", "))
}

fn name(parts: &Parts, body: Option<usize>) -> &str {
    body.map_or("world", |body| &parts.solids[body].name)
}

fn triad(name: &str, parent: &str, position: [f64; 3]) -> String {
    let position = list(&position);
    format!(
        "Triad \"{name}\" {{ Parent = {parent}; Position = {position}; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}\n"
    )
}

fn solid_text(solid: &Solid, joint: &str, mother: &str) -> String {
    let (name, mass) = (&solid.name, solid.mass);
    let (inertia, centre) = (list(&solid.inertia()), list(&solid.centre.value()));
    format!(
        "Body \"{name}\" {{ Parent = {mother}; Joint = {joint}; Mass = {mass:?}; Inertia = {inertia}; \
         CGFramePosition = {centre}; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }}\n"
    )
}

/// Velocity of the material point of a body that is at `place` now.
fn velocity(solid: Option<&Solid>, place: [f64; 3]) -> [f64; 3] {
    let Some(solid) = solid else { return [0.0; 3] };
    let centre = solid.centre.value();
    let arm = [0, 1, 2].map(|i| place[i] - centre[i]);
    let turned = cross(solid.spin(), arm);
    [0, 1, 2].map(|i| solid.centre.first()[i] + turned[i])
}

fn free_text(solid: &Solid, joint: &str, speed: f64) -> String {
    let mut rates = velocity(Some(solid), [0.0; 3]).to_vec();
    rates.extend(solid.spin());
    rates.iter_mut().for_each(|rate| *rate *= speed);
    let name = &solid.name;
    let mut text = triad(&format!("{joint}_0"), "world", [0.0; 3]);
    text += &triad(&format!("{joint}_1"), name, [0.0; 3]);
    let _ = writeln!(
        text,
        "Free \"{joint}\" {{ Parent = {name}; TriadFrom = {joint}_0; TriadTo = {joint}_1; Qinit = 0, 0, 0, 0, 0, 0; \
         QDinit = {}; AngleType = cardan; Degrees = rad; }}",
        list(&rates)
    );
    text
}

fn pin_text(parts: &Parts, pin: &Pin, child: Option<usize>, speed: f64) -> String {
    let [mut from, mut to] = pin.bodies;
    if child.is_some() && child == from {
        (from, to) = (to, from);
    }
    let (place, axis, joint) = (pin.point.value(), pin.axis.value(), &pin.name);
    let mut text = triad(&format!("{joint}_0"), name(parts, from), place);
    text += &triad(&format!("{joint}_1"), name(parts, to), place);
    let solid = |body: Option<usize>| body.map(|body| &parts.solids[body]);
    let spin = |body| solid(body).map_or([0.0; 3], Solid::spin);
    let turning = [0, 1, 2].map(|i| spin(to)[i] - spin(from)[i]);
    let (there, here) = (velocity(solid(to), place), velocity(solid(from), place));
    let moving = [0, 1, 2].map(|i| there[i] - here[i]);
    let role = match child {
        Some(child) => format!("Parent = {};", parts.solids[child].name),
        None => "Role = loop;".to_string(),
    };
    let own = match pin.keyword {
        "Spherical" => {
            let rates = list(&turning.map(|rate| speed * rate));
            format!("Qinit = 0, 0, 0; QDinit = {rates}; AngleType = cardan; Degrees = rad;")
        }
        keyword => {
            let prismatic = keyword == "Prismatic";
            let rate = speed * dot(axis, if prismatic { moving } else { turning });
            let degrees = if prismatic { "" } else { "Degrees = rad;" };
            let axis = list(&axis);
            format!(
                "JointAxis = {axis}; JointPoint = 0, 0, 0; Qinit = 0; QDinit = {rate:?}; {degrees}"
            )
        }
    };
    let _ = writeln!(
        text,
        "{} \"{joint}\" {{ {role} TriadFrom = {joint}_0; TriadTo = {joint}_1; {own} }}",
        pin.keyword
    );
    text
}

/// A body in one row of a `.pva` table: where its frame is and how it moves.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    position: [f64; 3],
    rotation: [[f64; 3]; 3],
    velocity: [f64; 3],
    spin: [f64; 3],
}

impl Moved {
    /// The body in columns `24 body + 1` and on; `None` is the world.
    pub fn read(row: &[f64], body: Option<usize>) -> Self {
        let Some(body) = body else {
            let rotation = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
            return Self { position: [0.0; 3], rotation, velocity: [0.0; 3], spin: [0.0; 3] };
        };
        let at = |k: usize| row[24 * body + 1 + k];
        let triple = |k: usize| [at(k), at(k + 1), at(k + 2)];
        Self {
            position: triple(0),
            rotation: [triple(3), triple(6), triple(9)],
            velocity: triple(12),
            spin: triple(15),
        }
    }

    /// A vector that was `v` at the start.
    pub fn turned(&self, v: [f64; 3]) -> [f64; 3] {
        self.rotation.map(|row| dot(row, v))
    }

    /// The material point that was at `p` at the start.
    pub fn place(&self, p: [f64; 3]) -> [f64; 3] {
        let arm = self.turned(p);
        [0, 1, 2].map(|i| self.position[i] + arm[i])
    }

    /// Velocity of that point.
    pub fn speed(&self, p: [f64; 3]) -> [f64; 3] {
        let turned = cross(self.spin, self.turned(p));
        [0, 1, 2].map(|i| self.velocity[i] + turned[i])
    }
}

/// Distance of two points.
pub fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let d = [0, 1, 2].map(|i| a[i] - b[i]);
    dot(d, d).sqrt()
}

/// How well the joints of a run hold, worked out from the poses in its `.pva` file alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct Residual {
    /// Largest distance of the two points of a joint, m.
    pub position: f64,
    /// Largest angle between its two axes, rad.
    pub axis: f64,
    /// Largest difference of the velocities of the two points, m/s.
    pub velocity: f64,
}

/// The largest residuals of revolute and spherical joints over all rows.
pub fn residual(parts: &Parts, pva: &Table) -> Residual {
    let mut worst = Residual::default();
    for row in &pva.rows {
        for pin in parts.pins.iter().filter(|pin| pin.keyword != "Prismatic") {
            let [a, b] = pin.bodies.map(|body| Moved::read(row, body));
            let (place, axis) = (pin.point.value(), pin.axis.value());
            worst.position = worst.position.max(distance(a.place(place), b.place(place)));
            worst.velocity = worst.velocity.max(distance(a.speed(place), b.speed(place)));
            if pin.keyword == "Revolute" {
                worst.axis = worst.axis.max(distance(a.turned(axis), b.turned(axis)));
            }
        }
    }
    worst
}

/// How far the bodies of a run are from a closed form, at the variables of its rows: the largest
/// distance over the centres and the ends of the axes of all bodies.
pub fn deviation(mechanism: &Mechanism, start: f64, pva: &Table, path: &[[f64; 2]]) -> f64 {
    let first = (mechanism.parts)(start.into());
    let mut worst: f64 = 0.0;
    for (row, [s, _]) in pva.rows.iter().zip(path) {
        let now = (mechanism.parts)((*s).into());
        for (body, (then, now)) in first.solids.iter().zip(&now.solids).enumerate() {
            let moved = Moved::read(row, Some(body));
            let centre = then.centre.value();
            worst = worst.max(distance(moved.place(centre), now.centre.value()));
            for (a, b) in then.axes.iter().zip(&now.axes) {
                worst = worst.max(distance(moved.turned(a.value()), b.value()));
            }
        }
    }
    worst
}
