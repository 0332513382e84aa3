//! `.ani`: the poses of all bodies, for the animator.

use std::io;
use std::path::{Path, PathBuf};

use parser::animation::{AniWriter, Pose};

use super::{Rows, SafeFile};
use crate::model::Model;
use crate::system::Run;

pub(super) struct AnimationFile {
    writer: AniWriter<SafeFile>,
    poses: Vec<Pose>,
}

impl AnimationFile {
    pub fn create(path: &Path, model: &Model) -> io::Result<Self> {
        let names: Vec<&str> =
            model.bodies.iter().map(|body| model.block_name(body.block)).collect();
        let writer = AniWriter::new(SafeFile::create(path)?, &model.name, &names)?;
        Ok(Self { writer, poses: vec![[[0.0; 4]; 4]; names.len()] })
    }
}

/// The animation of a mode shape: frames that follow no integration.
pub struct ModeAnimation(AnimationFile);

impl ModeAnimation {
    /// Creates the file with a remark.
    ///
    /// # Errors
    /// If it cannot be created.
    pub fn create(path: &Path, model: &Model, remark: &str) -> io::Result<Self> {
        let mut file = AnimationFile::create(path, model)?;
        file.writer.write_comment(remark)?;
        Ok(Self(file))
    }

    /// Writes the poses of the bodies.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn frame(&mut self, t: f64, run: &Run<'_, '_>) -> io::Result<()> {
        self.0.row(t, run)
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If what is left cannot be written.
    pub fn finish(self) -> io::Result<PathBuf> {
        Box::new(self.0).finish(None)
    }
}

impl Rows for AnimationFile {
    fn row(&mut self, t: f64, run: &Run<'_, '_>) -> io::Result<()> {
        for (index, out) in self.poses.iter_mut().enumerate() {
            let pose = run.body_pose(index + 1);
            let translation = pose.translation.to_array();
            for (row, line) in out.iter_mut().take(3).enumerate() {
                let [x, y, z] = pose.rotation.rows[row].to_array();
                *line = [x, y, z, translation[row]];
            }
            out[3] = [0.0, 0.0, 0.0, 1.0];
        }
        self.writer.write_row(t, &self.poses)
    }

    fn finish(mut self: Box<Self>, stopped: Option<f64>) -> io::Result<PathBuf> {
        if let Some(t) = stopped {
            self.writer.write_comment(&format!("incomplete: the run stopped at t = {t}"))?;
        }
        self.writer.finish()?.finish()
    }
}
