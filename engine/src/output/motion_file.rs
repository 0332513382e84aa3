//! `.pva`: position, orientation, velocity and acceleration of every body frame, in world coordinates.

use std::io;
use std::path::Path;

use super::Rows;
use super::background::Background;
use super::text_table::Table;
use crate::system::Run;
use language::model::Model;
use mechanics::Vec3;

/// Quantities written for each body, with units.
pub(super) const PARTS: [(&str, &str); 24] = [
    ("x", "m"),
    ("y", "m"),
    ("z", "m"),
    ("D11", ""),
    ("D12", ""),
    ("D13", ""),
    ("D21", ""),
    ("D22", ""),
    ("D23", ""),
    ("D31", ""),
    ("D32", ""),
    ("D33", ""),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("wx", "rad/s"),
    ("wy", "rad/s"),
    ("wz", "rad/s"),
    ("ax", "m/s^2"),
    ("ay", "m/s^2"),
    ("az", "m/s^2"),
    ("alx", "rad/s^2"),
    ("aly", "rad/s^2"),
    ("alz", "rad/s^2"),
];

pub(super) struct MotionRows {
    n_bodies: usize,
}

pub(super) fn create(path: &Path, model: &Model) -> io::Result<(MotionRows, Background)> {
    let mut columns = vec!["t".to_string()];
    for body in &model.bodies {
        let name = model.block_name(body.block);
        columns.extend(PARTS.map(|(part, _)| format!("{name}.{part}")));
    }
    Ok((MotionRows { n_bodies: model.bodies.len() }, Table::start(path, &columns)?))
}

impl Rows for MotionRows {
    fn fill(&mut self, t: f64, run: &Run<'_>, row: &mut Vec<f64>) {
        row.push(t);
        for body in 1..=self.n_bodies {
            let (pose, twist) = (run.body_pose(body), run.body_twist(body));
            let acceleration = run.body_acceleration(body);
            let [d1, d2, d3] = pose.rotation.rows;
            let vectors = [
                [pose.translation, d1, d2, d3],
                [twist.lin, twist.ang, acceleration.lin, acceleration.ang],
            ];
            row.extend_from_slice(
                vectors.map(|four| four.map(Vec3::to_array)).as_flattened().as_flattened(),
            );
        }
    }
}
