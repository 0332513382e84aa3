//! Names, units and typical sizes of the freedoms of a system.

use crate::system::{Run, System};
use language::element::Coordinate;

/// One freedom: the joint that it belongs to and what it is called.
#[derive(Clone, Debug)]
pub struct Freedom {
    /// Index of the model's joint.
    pub joint: usize,
    /// Name of the displacement: `arm.q`, `ball.rot_x`.
    pub name: String,
    /// Name of the speed: `arm.qd`, `ball.rotd_x`.
    pub rate_name: String,
    /// The displacement is an angle.
    pub is_angle: bool,
}

impl Freedom {
    /// Unit of its force.
    pub fn force_unit(&self) -> &'static str {
        if self.is_angle { "Nm" } else { "N" }
    }

    /// Unit of its displacement.
    pub fn unit(&self) -> &'static str {
        if self.is_angle { "rad" } else { "m" }
    }

    /// All freedoms of a system, in the order of its speeds.
    pub fn all(system: &System) -> Vec<Freedom> {
        let model = &system.model;
        let mut all: Vec<(usize, Freedom)> = Vec::with_capacity(system.tree.n_v());
        for (joint, coordinates) in system.coordinates.iter().enumerate() {
            // Coordinates of joints that close loops follow from the others.
            let Some(coordinates) = coordinates.filter(|of| of.v < system.tree.n_v()) else {
                continue;
            };
            let block = model.joints[joint].block;
            let kinds = model.blocks[block as usize].schema.coordinates;
            let name = model.block_name(block);
            let count = coordinates.count();
            let plain = coordinates.n_plain();
            for k in 0..count {
                let index = if count == 1 { String::new() } else { format!("[{}]", k + 1) };
                let axis = ["x", "y", "z"][k.saturating_sub(plain) % 3];
                let (name, rate_name) = match k < plain {
                    true => (format!("{name}.q{index}"), format!("{name}.qd{index}")),
                    // The coordinates are angles of the user's choice; small rotations are vectors.
                    false => (format!("{name}.rot_{axis}"), format!("{name}.rotd_{axis}")),
                };
                let is_angle = kinds.get(k) == Some(&Coordinate::Angle);
                all.push((coordinates.v + k, Freedom { joint, name, rate_name, is_angle }));
            }
        }
        all.sort_by_key(|(place, _)| *place);
        all.into_iter().map(|(_, freedom)| freedom).collect()
    }
}

/// The diagonal of the box around all triads and centres of gravity as last observed, m; 1 for a point.
pub fn model_size(run: &Run<'_>) -> f64 {
    let model = &run.system.model;
    let centres = (1..=model.bodies.len()).map(|body| run.body_centre(body));
    let triads = (0..model.triads.len()).map(|triad| run.triad_position(triad));
    let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
    for point in centres.chain(triads) {
        for (k, x) in point.to_array().into_iter().enumerate() {
            low[k] = low[k].min(x);
            high[k] = high[k].max(x);
        }
    }
    let size = (0..3).map(|k| (high[k] - low[k]).powi(2)).sum::<f64>().sqrt();
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}
