//! The first view of a motion: everything that is ever drawn lies in the picture.

use std::io;

use crate::motion::Motion;
use crate::scene::Scene;
use crate::view::View;

/// Times at which the motion is looked at. Between them nothing goes far out of the picture, and a file of any size is
/// looked through at once.
const SAMPLES: u32 = 60;

/// The standard view of a scene in motion, in a picture of the given aspect ratio (width / height).
///
/// # Errors
/// If the motion cannot be read.
pub fn framed(scene: &Scene, motion: &mut Motion, aspect: f64) -> io::Result<View> {
    let (first, last) = motion.span().unwrap_or((0.0, 0.0));
    let mut points = Vec::new();
    for k in 0..=SAMPLES {
        let time = first + (last - first) * f64::from(k) / f64::from(SAMPLES);
        points.extend(scene.corners(&motion.poses_at(time)?));
    }
    Ok(View::framing(&points, aspect))
}
