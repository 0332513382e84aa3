//! `.pva`: position, orientation, velocity and acceleration of every body frame, in world coordinates.

use std::io;
use std::path::Path;

use super::Rows;
use super::background::Background;
use super::table::Table;
use crate::mechanics::Vec3;
use crate::model::Model;
use crate::system::Run;

pub(super) struct MotionRows {
    n_bodies: usize,
}

pub(super) fn create(path: &Path, model: &Model) -> io::Result<(MotionRows, Background)> {
    let mut columns = vec!["t".to_string()];
    for body in &model.bodies {
        let name = model.block_name(body.block);
        let named = |part: &str| format!("{name}.{part}");
        columns.extend(["x", "y", "z"].map(named));
        columns.extend((1..=3).flat_map(|i| (1..=3).map(move |j| format!("{name}.D{i}{j}"))));
        let rest = ["vx", "vy", "vz", "wx", "wy", "wz", "ax", "ay", "az", "alx", "aly", "alz"];
        columns.extend(rest.map(named));
    }
    Ok((MotionRows { n_bodies: model.bodies.len() }, Table::start(path, &columns)?))
}

impl Rows for MotionRows {
    fn fill(&mut self, t: f64, run: &Run<'_, '_>, row: &mut Vec<f64>) {
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
