//! The contact forces that belong to a motion, from the `.frc` table beside it.
//!
//! Each row has the time and 16 numbers for each Contact: as many as a pose has, so that the reader of poses
//! finds its rows, too, in files of any size. The numbers are r, v, indicators, anchor, force and torque, in the
//! coordinates of T0; the force is the one on the body of T0.

use std::fs::File;
use std::io;
use std::path::Path;

use language::blocks::forces::ForceElement;
use language::model::Model;
use language::reading::ids::BodyId;
use mechanics::{Pose, Vec3, vec3};
use parser::animation::{AniReader, FileState, Pose as Numbers, Progress};

use super::files::Opened;

/// Places in the 16 numbers of a contact: its position, whether there is contact, its force.
const POSITION: usize = 0;
const TOUCHES: usize = 6;
const FORCE: usize = 10;

/// A force at a point, in world coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// The contact point, m.
    pub point: Vec3,
    /// The force that the surface exerts on what touches it, N.
    pub force: Vec3,
}

/// The contact forces of a motion.
pub struct Forces {
    reader: AniReader<File>,
    /// For each Contact in the order of the file: the body of T0 and the pose of T0 in it.
    surfaces: Vec<(BodyId, Pose)>,
}

impl Forces {
    /// Opens the table beside an `.ani` file, if the model has contacts and the table fits them.
    ///
    /// # Errors
    /// If the file is there and cannot be read.
    pub fn beside(animation: &Path, model: &Model) -> io::Result<Option<Self>> {
        let surface = |force: &ForceElement| match force {
            ForceElement::Contact(contact) => {
                let triad = model.triad(contact.from);
                Some((triad.parent, triad.pose()))
            }
            _ => None,
        };
        let surfaces: Vec<_> = model.forces.iter().filter_map(|force| surface(force)).collect();
        if surfaces.is_empty() {
            return Ok(None);
        }
        let (opened, file) = match Opened::find(&animation.with_extension("frc")) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let state = if opened.growing { FileState::Growing } else { FileState::Finished };
        let reader = AniReader::open(file, state)?;
        let fits = |n_columns: usize| n_columns == 1 + 16 * surfaces.len();
        // A growing file may have no row yet.
        let usable = reader.header().map_or(opened.growing, |header| fits(header.n_columns()));
        Ok(usable.then_some(Self { reader, surfaces }))
    }

    /// The forces at `time` of all contacts that touch, given the poses of the model's bodies.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn arrows(&mut self, time: f64, poses: &[Option<Pose>]) -> io::Result<Vec<Arrow>> {
        // Only looks for new rows; bisection finds the rows ahead of the scan.
        if self.reader.scan(0)? == Progress::Replaced {
            return Ok(Vec::new());
        }
        let Some(rows) = self.reader.rows_around(time)? else { return Ok(Vec::new()) };
        let fraction = rows.fraction(time);
        let pairs = rows.before.poses.iter().zip(&rows.after.poses).zip(&self.surfaces);
        let arrow = |((before, after), (body, pose)): ((&Numbers, &Numbers), &(BodyId, Pose))| {
            let surface = match body.index().checked_sub(1) {
                None => *pose,
                Some(index) => (*poses.get(index)?)? * *pose,
            };
            arrow(before.as_flattened(), after.as_flattened(), fraction, &surface)
        };
        Ok(pairs.filter_map(arrow).collect())
    }
}

/// The arrow of one contact; `None` while it is apart.
fn arrow(before: &[f64], after: &[f64], fraction: f64, surface: &Pose) -> Option<Arrow> {
    if before[TOUCHES] == 0.0 {
        return None;
    }
    // A contact that opens before the next row must not fade out slowly: its force jumps or ends there.
    let fraction = if after[TOUCHES] == 0.0 { 0.0 } else { fraction };
    let vector = |at: usize| {
        let part = |k: usize| before[at + k] * (1.0 - fraction) + after[at + k] * fraction;
        vec3(part(0), part(1), part(2))
    };
    let point = surface.transform_point(vector(POSITION));
    let force = surface.rotation * -vector(FORCE);
    (point.is_finite() && force.is_finite()).then_some(Arrow { point, force })
}
