//! What is to be recorded, and how the scene is looked at.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};

use crate::record::{Compression, Format, Plan, Size};

/// Recording without a window.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Recording without a window")]
pub struct Recording {
    /// Write pictures or a film instead of opening a window; the ending tells the format: .png or .tif
    /// (one file per picture, numbered), .gif, .apng, .mp4
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,

    /// Size of the pictures in pixels
    #[arg(long, value_name = "WxH", default_value = "1280x720", requires = "record")]
    pub size: Size,

    /// Pictures per second
    #[arg(long, value_name = "N", default_value_t = 30.0, value_parser = positive, requires = "record")]
    pub fps: f64,

    /// Seconds of motion in each second of film
    #[arg(long, value_name = "FACTOR", default_value_t = 1.0, value_parser = positive, requires = "record")]
    pub speed: f64,

    /// First time, in seconds [default: that of the motion]
    #[arg(long, value_name = "T", value_parser = finite, allow_negative_numbers = true, requires = "record")]
    pub from: Option<f64>,

    /// Last time, in seconds [default: that of the motion]
    #[arg(long, value_name = "T", value_parser = finite, allow_negative_numbers = true, requires = "record")]
    pub to: Option<f64>,

    /// Compression of TIFF files
    #[arg(long, value_enum, default_value_t = Packing::Packbits, requires = "record")]
    pub compression: Packing,
}

/// The compressions of TIFF files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Packing {
    /// Not at all.
    None,
    /// By repeated patterns.
    Lzw,
    /// By runs of equal bytes.
    Packbits,
}

impl Recording {
    /// What to record, if anything; an error tells what is wrong with the command line.
    ///
    /// # Errors
    /// If the ending of the file's name tells no format, or the times are in the wrong order.
    pub fn plan(&self) -> Option<Result<Plan, String>> {
        self.record.as_deref().map(|path| self.plan_of(path))
    }

    fn plan_of(&self, path: &Path) -> Result<Plan, String> {
        let format = Format::of(path)?;
        if let (Some(from), Some(to)) = (self.from, self.to)
            && from > to
        {
            return Err(format!("--from {from} is after --to {to}"));
        }
        let compression = match self.compression {
            Packing::None => Compression::None,
            Packing::Lzw => Compression::Lzw,
            Packing::Packbits => Compression::PackBits,
        };
        Ok(Plan {
            path: path.to_path_buf(),
            format,
            size: self.size,
            fps: self.fps,
            speed: self.speed,
            from: self.from,
            to: self.to,
            compression,
        })
    }
}

/// A number above zero.
fn positive(text: &str) -> Result<f64, String> {
    match finite(text)? {
        value if value > 0.0 => Ok(value),
        _ => Err("expected a number above 0".to_owned()),
    }
}

/// A number.
fn finite(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err("expected a number".to_owned()),
    }
}
