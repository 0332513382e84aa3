//! Where the pictures go.

use std::io;
use std::path::PathBuf;

use super::animated::{Apng, Gif};
use super::sequence::Pictures;
use super::video::Mp4;
use super::{Format, Picture, Plan};

/// A file that failed.
pub(super) type Failure = (PathBuf, io::Error);

/// A recording that is being written.
pub(super) struct Sink {
    kind: SinkKind,
    path: PathBuf,
}

enum SinkKind {
    Pictures(Pictures),
    Gif(Gif),
    Apng(Apng),
    Mp4(Box<Mp4>),
}

impl Sink {
    /// Creates the file for `count` pictures.
    pub(super) fn create(plan: &Plan, count: u64) -> Result<Self, Failure> {
        let path = plan.path.clone();
        let fail = |error| (path.clone(), error);
        let kind = match plan.format {
            // A single picture has just the name asked for.
            Format::Png | Format::Tiff if count == 1 => {
                SinkKind::Pictures(Pictures::single(&path, plan.compression))
            }
            Format::Png | Format::Tiff => {
                SinkKind::Pictures(Pictures::numbered(&path, plan.compression))
            }
            Format::Gif => SinkKind::Gif(Gif::create(&path, plan.size, plan.fps).map_err(fail)?),
            Format::Apng => {
                SinkKind::Apng(Apng::create(&path, plan.size, plan.fps, count).map_err(fail)?)
            }
            Format::Mp4 => {
                SinkKind::Mp4(Box::new(Mp4::create(&path, plan.size, plan.fps).map_err(fail)?))
            }
        };
        Ok(Self { kind, path })
    }

    pub(super) fn write(&mut self, picture: &Picture) -> Result<(), Failure> {
        let fail = |error| (self.path.clone(), error);
        match &mut self.kind {
            SinkKind::Pictures(pictures) => pictures.write(picture).map(|_| ()),
            SinkKind::Gif(gif) => gif.write(picture).map_err(fail),
            SinkKind::Apng(apng) => apng.write(picture).map_err(fail),
            SinkKind::Mp4(film) => film.write(picture).map_err(fail),
        }
    }

    /// Ends the file and tells its name, or that of the first picture.
    pub(super) fn finish(self) -> Result<PathBuf, Failure> {
        let path = self.path.clone();
        let ended = match self.kind {
            SinkKind::Pictures(pictures) => return Ok(pictures.first()),
            SinkKind::Gif(gif) => gif.finish(),
            SinkKind::Apng(apng) => apng.finish(),
            SinkKind::Mp4(film) => film.finish(),
        };
        ended.map(|()| path.clone()).map_err(|error| (path, error))
    }
}
