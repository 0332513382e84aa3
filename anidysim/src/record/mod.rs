//! Pictures and films without a window: the poses of a motion at equal distances in time, drawn and
//! written in the format that the name of the file asks for.

mod animated;
mod plan;
mod progress;
mod sequence;
mod sink;
mod video;

pub use plan::{Format, Plan, Size, frame_times};
pub use sequence::{Compression, Pictures, write_tiff};

use std::fmt;
use std::io;
use std::path::PathBuf;

use kiss3d::window::Window;

use crate::motion::Motion;
use crate::motion::forces::Forces;
use crate::render::{self, DeviceError, Stage};
use crate::scene::paths::Paths;
use crate::view::{Item, View};
use progress::Progress;
use sink::Sink;

/// A picture: rows from the top, three bytes for each pixel.
pub struct Picture {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Red, green, blue of each pixel.
    pub rgb: Vec<u8>,
}

/// Why a recording ended early.
#[derive(Debug)]
pub enum RecordError {
    /// There is no motion to record in the time asked for.
    Nothing(String),
    /// There is no driver.
    Device(DeviceError),
    /// A file failed, after so many finished pictures.
    File(PathBuf, io::Error, u64),
    /// The motion could not be read, after so many finished pictures.
    Motion(io::Error, u64),
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kept = |n: &u64| match n {
            0 => "no picture was written".to_owned(),
            1 => "the first picture is kept".to_owned(),
            n => format!("the first {n} pictures are kept"),
        };
        match self {
            RecordError::Nothing(reason) => f.write_str(reason),
            RecordError::Device(error) => write!(f, "{error}"),
            RecordError::File(path, error, n) => {
                write!(f, "cannot write `{}`: {error}; {}", path.display(), kept(n))
            }
            RecordError::Motion(error, n) => {
                write!(f, "cannot read the motion: {error}; {}", kept(n))
            }
        }
    }
}

impl std::error::Error for RecordError {}

/// The result of a recording.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recorded {
    /// Number of pictures.
    pub pictures: u64,
    /// The file, or the first of several files.
    pub file: PathBuf,
    /// A note for the user, such as a driver that is missing.
    pub note: Option<String>,
}

/// Draws and writes all pictures of a plan.
///
/// # Errors
/// See [`RecordError`]; pictures that are finished stay.
pub async fn record(
    plan: &Plan,
    view: &View,
    scene: crate::scene::Scene,
    motion: &mut Motion,
    forces: Option<Forces>,
) -> Result<Recorded, RecordError> {
    let span = motion
        .span()
        .ok_or_else(|| RecordError::Nothing("there is no motion to record".to_owned()))?;
    let times = frame_times(plan, span).map_err(RecordError::Nothing)?;
    let Size { width, height } = plan.size;
    let (window, note) = render::headless(width, height).await.map_err(RecordError::Device)?;
    let paths = Paths::sampled(&scene, span, |time| motion.poses_at(time))
        .map_err(|error| RecordError::Motion(error, 0))?;
    let mut recorder =
        Recorder { window, stage: Stage::new(scene), view: view.clone(), forces, paths };
    let mut sink = Sink::create(plan, times.len() as u64)
        .map_err(|(path, error)| RecordError::File(path, error, 0))?;
    let mut progress = Progress::new(times.len() as u64);
    for (done, &time) in (0u64..).zip(&times) {
        let picture =
            recorder.picture(motion, time).await.map_err(|e| RecordError::Motion(e, done))?;
        sink.write(&picture).map_err(|(path, error)| RecordError::File(path, error, done))?;
        progress.step(done + 1);
    }
    progress.finish();
    let pictures = times.len() as u64;
    let file = sink.finish().map_err(|(path, error)| RecordError::File(path, error, pictures))?;
    Ok(Recorded { pictures, file, note })
}

/// Draws single pictures of a motion.
struct Recorder {
    window: Window,
    stage: Stage,
    view: View,
    forces: Option<Forces>,
    paths: Paths,
}

impl Recorder {
    async fn picture(&mut self, motion: &mut Motion, time: f64) -> io::Result<Picture> {
        let poses = motion.poses_at(time)?;
        if let (true, Some(forces)) = (self.view.options.shows(Item::Forces), &mut self.forces) {
            self.stage.set_forces(&forces.arrows(time, &poses)?);
        }
        self.stage.set_paths(self.paths.until(time, self.stage.scene(), &poses));
        self.stage.set_poses(&poses);
        self.stage.draw(&mut self.window, &self.view).await;
        Ok(snap(&self.window))
    }
}

/// A picture of the contents of a window.
pub fn snap(window: &Window) -> Picture {
    let image = window.snap_image();
    let (width, height) = image.dimensions();
    Picture { width, height, rgb: image.into_raw() }
}
