//! The extent of a motion, from which the first view follows: everything that is ever drawn lies in the picture.

use std::io;

use mechanics::{Vec3, vec3};

use crate::motion::Motion;
use crate::scene::Scene;
use crate::view::View;

/// Times at which the motion is looked at. Between them nothing goes far out of the picture, and a file of any size is
/// looked through at once.
const SAMPLES: u32 = 60;

/// More points than this are reduced to the points that lie farthest out in some direction.
const MANY: usize = 20_000;

/// Directions in which points may lie farthest out: about 10 degrees apart.
const DIRECTIONS: u32 = 400;

/// Standing things larger than this many times what moves, such as the ground, do not decide the view.
const BACKDROP: f64 = 2.0;

/// The data that the view of a motion depends on.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// Points around what is to be in the picture (world, m).
    pub points: Vec<Vec3>,
    /// Whether nothing is below the plane z = 0, so that it can be a floor.
    pub floor: bool,
}

impl Extent {
    /// The extent of a scene in motion.
    ///
    /// # Errors
    /// If the motion cannot be read.
    pub fn of(scene: &Scene, motion: &mut Motion) -> io::Result<Self> {
        let (first, last) = motion.span().unwrap_or((0.0, 0.0));
        let mut points = Vec::new();
        for k in 0..=SAMPLES {
            let time = first + (last - first) * f64::from(k) / f64::from(SAMPLES);
            points.extend(scene.corners(&motion.poses_at(time)?));
            if points.len() > MANY {
                points = outermost(&points);
            }
        }
        let standing = scene.standing_corners();
        let size = |points: &[Vec3]| {
            let reach = |n: Vec3| points.iter().map(|p| p.dot(n)).fold(f64::MIN, f64::max);
            [Vec3::X, Vec3::Y, Vec3::Z]
                .map(|n| reach(n) + reach(-n))
                .into_iter()
                .fold(0.0, f64::max)
        };
        let moving = size(&points);
        let lowest = points.iter().chain(&standing).map(|p| p.z).fold(0.0, f64::min);
        // Each part that stands has eight corners.
        let alone = points.is_empty();
        for part in standing.chunks(8).filter(|part| alone || size(part) <= BACKDROP * moving) {
            points.extend(part);
        }
        Ok(Self { floor: lowest > -1e-3 * size(&points), points })
    }

    /// The standard view of the motion, in a picture of the given aspect ratio (width / height).
    pub fn view(&self, aspect: f64) -> View {
        let mut view = View::framing(&self.points, aspect);
        view.options.floor = self.floor;
        view
    }
}

/// The points that lie farthest out in one of many directions.
fn outermost(points: &[Vec3]) -> Vec<Vec3> {
    let golden = std::f64::consts::PI * (3.0 - 5f64.sqrt());
    let direction = |k: u32| {
        let z = 1.0 - (2.0 * f64::from(k) + 1.0) / f64::from(DIRECTIONS);
        let (sin, cos) = (golden * f64::from(k)).sin_cos();
        let r = (1.0 - z * z).sqrt();
        vec3(r * cos, r * sin, z)
    };
    let axes = [Vec3::X, -Vec3::X, Vec3::Y, -Vec3::Y, Vec3::Z, -Vec3::Z];
    let directions = axes.into_iter().chain((0..DIRECTIONS).map(direction));
    let farthest = |n: Vec3| points.iter().copied().max_by(|a, b| a.dot(n).total_cmp(&b.dot(n)));
    directions.filter_map(farthest).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_stand_for_many() {
        let points: Vec<Vec3> = (0..50_000)
            .map(|k| {
                let k = f64::from(k);
                vec3((k * 0.7).sin(), 2.0 * (k * 1.3).cos(), (k * 0.1).sin() * (k * 0.03).cos())
            })
            .collect();
        let few = outermost(&points);
        assert!(few.len() <= 406);
        // In any direction they reach nearly as far: directions are 10 degrees apart, and the cosine of
        // that is 0.985.
        for n in [vec3(0.3, 0.5, 0.8), vec3(-0.9, 0.1, 0.4), vec3(0.6, -0.7, -0.1)] {
            let reach = |points: &[Vec3]| points.iter().map(|p| p.dot(n)).fold(f64::MIN, f64::max);
            assert!(reach(&few) > 0.985 * reach(&points));
        }
    }
}
