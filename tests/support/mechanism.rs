//! Mechanisms with one freedom whose positions are known in closed form, and their equation of motion,
//! obtained without any joint, constraint or recursion.
//!
//! With the variable s of the closed form and the masses m at the points p(s) that stand for the
//! bodies, the kinetic energy is M(s) s'^2/2 with M = sum m p_s.p_s, and Lagrange's equation reads
//! `M s'' + M_s s'^2/2 + V_s = 0`.

use crate::extrapolation::integrate;
use crate::taylor::{Point, Taylor};

/// A box of uniform density.
#[derive(Clone, Debug)]
pub struct Solid {
    /// Its name.
    pub name: String,
    /// Its mass.
    pub mass: f64,
    /// Lengths of its edges.
    pub size: [f64; 3],
    /// Its centre.
    pub centre: Point,
    /// Directions of its edges, a right-handed orthonormal basis.
    pub axes: [Point; 3],
}

/// A joint between two bodies.
#[derive(Clone, Debug)]
pub struct Pin {
    /// Its name.
    pub name: String,
    /// The keyword of the joint.
    pub keyword: &'static str,
    /// The bodies; `None` is the world.
    pub bodies: [Option<usize>; 2],
    /// Where it is.
    pub point: Point,
    /// Its axis.
    pub axis: Point,
}

/// What a mechanism consists of, at one value of its variable.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The bodies.
    pub solids: Vec<Solid>,
    /// The joints.
    pub pins: Vec<Pin>,
}

/// A mechanism with one freedom.
pub struct Mechanism {
    /// Gravity.
    pub gravity: [f64; 3],
    /// All parts as functions of the variable.
    pub parts: Box<dyn Fn(Taylor) -> Parts>,
}

impl Solid {
    /// Mass points with the same mass, centre and inertia: a twenty-fourth of the mass in each corner
    /// and the other two thirds in the centre give m L^2/12 for the second moment along each edge.
    pub fn points(&self) -> impl Iterator<Item = (f64, Point)> + '_ {
        let corners = (0..8).map(|corner| {
            let mut at = self.centre;
            for (k, axis) in self.axes.iter().enumerate() {
                let side = if corner >> k & 1 == 0 { -0.5 } else { 0.5 };
                at = at + *axis * (side * self.size[k]);
            }
            (self.mass / 24.0, at)
        });
        std::iter::once((self.mass * 2.0 / 3.0, self.centre)).chain(corners)
    }

    /// The tensor of inertia about the centre in world axes: xx xy xz yy yz zz.
    pub fn inertia(&self) -> [f64; 6] {
        let square = self.size.map(|length| length * length);
        let sum: f64 = square.iter().sum();
        let element = |i: usize, j: usize| -> f64 {
            let along = |k: usize| self.axes[k].value()[i] * self.axes[k].value()[j];
            (0..3).map(|k| self.mass / 12.0 * (sum - square[k]) * along(k)).sum()
        };
        [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)].map(|(i, j)| element(i, j))
    }

    /// Angular velocity per speed of the variable: half the sum of e x e' over the axes e.
    pub fn spin(&self) -> [f64; 3] {
        let mut spin = [0.0; 3];
        for axis in &self.axes {
            let turned = cross(axis.value(), axis.first());
            (0..3).for_each(|i| spin[i] += 0.5 * turned[i]);
        }
        spin
    }
}

/// Vector product.
pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Scalar product.
pub fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Mass points whose places depend on one variable, perhaps while all turn about the z axis with a
/// constant angular momentum.
pub struct Points<'a> {
    /// Gravity.
    pub gravity: [f64; 3],
    /// Angular momentum about z; Routh's function then has l^2/2J as a further potential.
    pub momentum: f64,
    /// Masses and places.
    pub at: &'a dyn Fn(Taylor) -> Vec<(f64, Point)>,
}

impl Points<'_> {
    /// The second derivative of the variable.
    pub fn acceleration(&self, s: f64, speed: f64) -> f64 {
        let (mut inertia, mut change, mut slope) = (0.0, 0.0, 0.0);
        let mut about_z = Taylor::default();
        for (mass, p) in (self.at)(Taylor::variable(s)) {
            let (first, second) = (p.first(), p.second());
            inertia += mass * dot(first, first);
            change += 2.0 * mass * dot(first, second);
            slope -= mass * dot(self.gravity, first);
            about_z = about_z + (p.0[0] * p.0[0] + p.0[1] * p.0[1]) * mass;
        }
        if self.momentum != 0.0 {
            slope -= 0.5 * self.momentum.powi(2) * about_z.1 / about_z.0.powi(2);
        }
        -(0.5 * change * speed * speed + slope) / inertia
    }

    /// Variable and speed at the given times, which begin with the start.
    pub fn integrate(&self, start: [f64; 2], times: &[f64], step: f64) -> Vec<[f64; 2]> {
        integrate(|y| [y[1], self.acceleration(y[0], y[1])], start, times, step)
    }
}
