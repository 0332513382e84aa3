//! The paths of Trail primitives, sampled once over a motion.

use std::io;

use mechanics::{Pose, Vec3};

use super::Scene;

/// Places of each path that are kept: as many as a picture can show.
const SAMPLES: u32 = 1500;

/// Where the points of all trails were, at equal distances in time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paths {
    times: Vec<f64>,
    /// One path for each trail, one place for each time; not a number where the place is not known.
    places: Vec<Vec<Vec3>>,
}

impl Paths {
    /// Samples a motion that lasts from `span.0` to `span.1` (s). Nothing is asked for where there are
    /// no trails.
    ///
    /// # Errors
    /// The errors of `poses`.
    pub fn sampled(
        scene: &Scene,
        span: (f64, f64),
        mut poses: impl FnMut(f64) -> io::Result<Vec<Option<Pose>>>,
    ) -> io::Result<Self> {
        let mut paths = Self { times: Vec::new(), places: vec![Vec::new(); scene.trails.len()] };
        if scene.trails.is_empty() {
            return Ok(paths);
        }
        for k in 0..=SAMPLES {
            let time = span.0 + (span.1 - span.0) * f64::from(k) / f64::from(SAMPLES);
            let poses = poses(time)?;
            paths.times.push(time);
            for (path, trail) in paths.places.iter_mut().zip(&scene.trails) {
                path.push(trail.anchor.at(&poses).unwrap_or(Vec3 { x: f64::NAN, ..Vec3::ZERO }));
            }
        }
        Ok(paths)
    }

    /// The paths as they are at `time`, with the bodies at `poses`: they end at the points themselves.
    pub fn until(&self, time: f64, scene: &Scene, poses: &[Option<Pose>]) -> Vec<Vec<Vec3>> {
        let path = |(places, trail): (&Vec<Vec3>, &super::Trail)| {
            let begin = trail.length.map_or(f64::NEG_INFINITY, |length| time - length);
            let first = self.times.partition_point(|&t| t < begin);
            let last = self.times.partition_point(|&t| t < time);
            let mut path = places.get(first..last).unwrap_or_default().to_vec();
            path.extend(trail.anchor.at(poses));
            path
        };
        self.places.iter().zip(&scene.trails).map(path).collect()
    }
}

#[cfg(test)]
mod tests {
    use mechanics::vec3;

    use super::*;
    use crate::scene::{Anchor, Trail};

    fn scene(length: Option<f64>) -> Scene {
        let anchor = Anchor { body: Some(0), place: vec3(0.0, 0.0, 1.0) };
        Scene { trails: vec![Trail { anchor, length, color: [0.0; 3] }], ..Scene::default() }
    }

    fn moving(time: f64) -> io::Result<Vec<Option<Pose>>> {
        Ok(vec![Some(Pose::from_translation(vec3(2.0 * time, 0.0, 0.0)))])
    }

    #[test]
    fn a_path_ends_at_its_point_and_reaches_back_as_asked() {
        for (length, begin) in [(None, 0.0), (Some(0.5), 1.0)] {
            let scene = scene(length);
            let paths = Paths::sampled(&scene, (0.0, 3.0), moving).unwrap();
            let path = &paths.until(1.0, &scene, &moving(1.0).unwrap())[0];
            assert_eq!(path.last(), Some(&vec3(2.0, 0.0, 1.0)));
            // One sample apart from what was asked for.
            assert!((path[0].x - begin).abs() <= 6.0 / f64::from(SAMPLES));
            assert!(path.windows(2).all(|pair| pair[0].x < pair[1].x));
        }
    }

    #[test]
    fn what_is_not_known_is_left_out() {
        let scene = scene(None);
        let unknown = |_| Ok(vec![None]);
        let paths = Paths::sampled(&scene, (0.0, 1.0), unknown).unwrap();
        assert!(paths.until(1.0, &scene, &[None])[0].iter().all(|point| !point.is_finite()));
    }
}
