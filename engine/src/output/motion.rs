//! `.pva`: position, orientation, velocity and acceleration of every body frame, in world coordinates.

use std::io;
use std::path::{Path, PathBuf};

use super::Rows;
use super::table::Table;
use crate::model::Model;
use crate::system::Run;

pub(super) struct MotionFile {
    table: Table,
    n_bodies: usize,
}

impl MotionFile {
    pub fn create(path: &Path, model: &Model) -> io::Result<Self> {
        let mut columns = vec!["t".to_string()];
        for body in &model.bodies {
            let name = model.block_name(body.block);
            let named = |part: &str| format!("{name}.{part}");
            columns.extend(["x", "y", "z"].map(named));
            columns.extend((1..=3).flat_map(|i| (1..=3).map(move |j| format!("{name}.D{i}{j}"))));
            let rest = ["vx", "vy", "vz", "wx", "wy", "wz", "ax", "ay", "az", "alx", "aly", "alz"];
            columns.extend(rest.map(named));
        }
        Ok(Self { table: Table::create(path, &columns)?, n_bodies: model.bodies.len() })
    }
}

impl Rows for MotionFile {
    fn row(&mut self, t: f64, run: &Run<'_, '_>) -> io::Result<()> {
        self.table.number(t);
        for body in 1..=self.n_bodies {
            let (pose, twist) = (run.body_pose(body), run.body_twist(body));
            let acceleration = run.body_acceleration(body);
            self.table.numbers(&pose.translation.to_array());
            pose.rotation.rows.iter().for_each(|row| self.table.numbers(&row.to_array()));
            for vector in [twist.lin, twist.ang, acceleration.lin, acceleration.ang] {
                self.table.numbers(&vector.to_array());
            }
        }
        self.table.end_row()
    }

    fn finish(self: Box<Self>, stopped: Option<f64>) -> io::Result<PathBuf> {
        self.table.finish(stopped)
    }
}
