//! What is to be recorded: file, size and times.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::Compression;

/// Most pixels in one direction; drivers draw no more.
const LARGEST: u32 = 8192;

/// More pictures than these are taken for a mistake.
const MOST_PICTURES: f64 = 1e7;

/// Width and height of pictures (pixels).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text
            .split_once(['x', 'X'])
            .map(|(width, height)| [width, height].map(str::parse::<u32>));
        let Some([Ok(width), Ok(height)]) = sides else {
            return Err("expected width x height in pixels, such as 1280x720".to_owned());
        };
        let fits = |side: u32| (2..=LARGEST).contains(&side);
        if !(fits(width) && fits(height)) {
            return Err(format!("expected 2 to {LARGEST} pixels in each direction"));
        }
        Ok(Self { width, height })
    }
}

/// The formats of recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// One TIFF file for each picture.
    Tiff,
    /// One PNG file for each picture.
    Png,
    /// An animated GIF.
    Gif,
    /// An animated PNG.
    Apng,
    /// A film: AV1 in MP4.
    Mp4,
}

impl Format {
    /// The format that the end of a file's name asks for.
    pub fn of(path: &Path) -> Result<Self, String> {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or_default();
        match extension.to_ascii_lowercase().as_str() {
            "tif" | "tiff" => Ok(Format::Tiff),
            "png" => Ok(Format::Png),
            "gif" => Ok(Format::Gif),
            "apng" => Ok(Format::Apng),
            "mp4" => Ok(Format::Mp4),
            "" => Err("the name needs an ending that tells the format: .png .tif .gif .apng .mp4"
                .to_owned()),
            other => {
                Err(format!("`.{other}` cannot be recorded; expected .png .tif .gif .apng .mp4"))
            }
        }
    }
}

/// The plan of a recording.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The file, or the name from which the names of the pictures are made.
    pub path: PathBuf,
    /// Format of the file.
    pub format: Format,
    /// Size of the pictures.
    pub size: Size,
    /// Pictures per second of film.
    pub fps: f64,
    /// Seconds of motion in each second of film.
    pub speed: f64,
    /// First and last time (s); the whole motion where they are absent.
    pub from: Option<f64>,
    /// The last time (s).
    pub to: Option<f64>,
    /// Compression of TIFF files.
    pub compression: Compression,
}

/// The times of all pictures of a plan, for a motion from `span.0` to `span.1`.
pub fn frame_times(plan: &Plan, span: (f64, f64)) -> Result<Vec<f64>, String> {
    let (from, to) = (plan.from.unwrap_or(span.0), plan.to.unwrap_or(span.1));
    let sensible = |x: f64| x.is_finite() && x > 0.0;
    if !(sensible(plan.fps) && sensible(plan.speed)) {
        return Err("pictures per second and speed have to be above 0".to_owned());
    }
    if !(from.is_finite() && to.is_finite() && from <= to) {
        return Err(format!(
            "there is nothing from {from} s to {to} s: the end is before the beginning"
        ));
    }
    if to < span.0 || from > span.1 {
        return Err(format!(
            "there is nothing from {from} s to {to} s: the motion is from {} s to {} s",
            span.0, span.1
        ));
    }
    let (from, to) = (from.max(span.0), to.min(span.1));
    let step = plan.speed / plan.fps;
    // Room for rounding: the last picture belongs to the film if it is late by a thousandth of a step.
    let steps = ((to - from) / step + 1e-3).floor();
    if steps >= MOST_PICTURES {
        return Err(format!(
            "these would be {steps:.0} pictures; choose fewer per second or a shorter time"
        ));
    }
    Ok((0..=steps as u64).map(|k| (from + k as f64 * step).min(to)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(fps: f64, from: Option<f64>, to: Option<f64>) -> Plan {
        Plan {
            path: "out.gif".into(),
            format: Format::Gif,
            size: Size { width: 320, height: 240 },
            fps,
            speed: 1.0,
            from,
            to,
            compression: Compression::PackBits,
        }
    }

    #[test]
    fn pictures_are_at_equal_distances_from_end_to_end() {
        let times = frame_times(&plan(10.0, None, None), (0.0, 1.0)).unwrap();
        assert_eq!(times.len(), 11);
        assert_eq!((times[0], times[3], times[10]), (0.0, 3.0 * 0.1, 1.0));
        let slow = Plan { speed: 0.5, ..plan(10.0, None, None) };
        assert_eq!(frame_times(&slow, (0.0, 1.0)).unwrap().len(), 21);
        assert_eq!(frame_times(&plan(10.0, Some(0.5), Some(0.5)), (0.0, 1.0)), Ok(vec![0.5]));
    }

    #[test]
    fn times_outside_of_the_motion_are_cut_off_or_refused() {
        assert_eq!(frame_times(&plan(10.0, Some(-5.0), Some(0.2)), (0.0, 1.0)).unwrap().len(), 3);
        let message = |fps, from, to| frame_times(&plan(fps, from, to), (0.0, 1.0)).unwrap_err();
        assert!(message(10.0, Some(2.0), Some(3.0)).contains("the motion is from 0 s to 1 s"));
        assert!(message(10.0, Some(0.8), Some(0.2)).contains("the end is before the beginning"));
        assert!(message(10.0, Some(f64::NAN), None).contains("nothing"));
        assert!(message(0.0, None, None).contains("above 0"));
        assert!(message(f64::INFINITY, None, None).contains("above 0"));
        assert!(message(1e9, None, None).contains("pictures"));
    }

    #[test]
    fn sizes_are_read_and_checked() {
        assert_eq!("1280x720".parse(), Ok(Size { width: 1280, height: 720 }));
        for wrong in ["1280", "x", "0x100", "100x-3", "1e3x100", "100000x100", "1x1"] {
            assert!(wrong.parse::<Size>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_ending_tells_the_format() {
        assert_eq!(Format::of(Path::new("a/b.TIF")), Ok(Format::Tiff));
        assert_eq!(Format::of(Path::new("b.gif")), Ok(Format::Gif));
        assert!(Format::of(Path::new("b.avi")).unwrap_err().contains(".avi"));
        assert!(Format::of(Path::new("b")).unwrap_err().contains("ending"));
    }
}
