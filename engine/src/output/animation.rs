//! `.ani`: the poses of all bodies, for the animator.

use std::io;
use std::path::{Path, PathBuf};

use parser::animation::{AniWriter, columns_for};

use super::Rows;
use super::background::{Background, Text};
use crate::system::Run;
use language::model::Model;
use language::safe_file::SafeFile;
use mechanics::{Pose, Vec3};

pub(super) struct AnimationRows {
    n_bodies: usize,
}

pub(super) fn create(path: &Path, model: &Model) -> io::Result<(AnimationRows, Background)> {
    let text = AnimationText { writer: new_writer(path, model)? };
    let n_bodies = model.bodies.len();
    let background = Background::start(Box::new(text), columns_for(n_bodies))?;
    Ok((AnimationRows { n_bodies }, background))
}

fn new_writer(path: &Path, model: &Model) -> io::Result<AniWriter<SafeFile>> {
    let names: Vec<&str> = model.bodies.iter().map(|body| model.block_name(body.block)).collect();
    AniWriter::new(SafeFile::create(path)?, &model.name, &names)
}

impl Rows for AnimationRows {
    fn fill(&mut self, t: f64, run: &Run<'_>, row: &mut Vec<f64>) {
        row.push(t);
        for body in 1..=self.n_bodies {
            let Pose { rotation, translation: r } = run.body_pose(body);
            let [[a, b, c], [d, e, f], [g, h, i]] = rotation.rows.map(Vec3::to_array);
            row.extend_from_slice(&[a, b, c, r.x, d, e, f, r.y, g, h, i, r.z, 0.0, 0.0, 0.0, 1.0]);
        }
    }
}

struct AnimationText {
    writer: AniWriter<SafeFile>,
}

impl Text for AnimationText {
    fn row(&mut self, numbers: &[f64]) -> io::Result<()> {
        let Some((&t, poses)) = numbers.split_first() else { return Ok(()) };
        self.writer.write_row(t, poses.as_chunks().0.as_chunks().0)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer.flush()
    }

    fn finish(mut self: Box<Self>, stopped: Option<f64>) -> io::Result<PathBuf> {
        if let Some(t) = stopped {
            self.writer.write_comment(&format!("incomplete: the run stopped at t = {t}"))?;
        }
        self.writer.finish()?.finish()
    }
}

/// The animation of a mode shape: frames that follow no integration.
pub struct ModeAnimation {
    rows: AnimationRows,
    text: AnimationText,
    row: Vec<f64>,
}

impl ModeAnimation {
    /// Creates the file with a remark.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path, model: &Model, remark: &str) -> io::Result<Self> {
        let mut writer = new_writer(path, model)?;
        writer.write_comment(remark)?;
        let rows = AnimationRows { n_bodies: model.bodies.len() };
        Ok(Self { rows, text: AnimationText { writer }, row: Vec::new() })
    }

    /// Writes the poses of the bodies.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn frame(&mut self, t: f64, run: &Run<'_>) -> io::Result<()> {
        self.row.clear();
        self.rows.fill(t, run, &mut self.row);
        self.text.row(&self.row)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If what is left cannot be written.
    pub fn finish(self) -> io::Result<PathBuf> {
        Box::new(self.text).finish(None)
    }
}
