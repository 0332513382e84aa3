//! Animated pictures in one file: GIF and PNG. Both are written picture by picture, so that what was
//! written stays when the disk is full.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use super::{Picture, Size};

/// An animated GIF, with a palette for each picture.
pub(super) struct Gif {
    encoder: gif::Encoder<BufWriter<File>>,
    fps: f64,
    count: u64,
}

/// Effort in the choice of the palette, 1 (best) to 30 (fastest).
const PALETTE_SPEED: i32 = 10;

impl Gif {
    pub(super) fn create(path: &Path, size: Size, fps: f64) -> io::Result<Self> {
        let too_large = |_| io::Error::other("GIF has at most 65535 pixels in each direction");
        let width = u16::try_from(size.width).map_err(too_large)?;
        let height = u16::try_from(size.height).map_err(too_large)?;
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = gif::Encoder::new(file, width, height, &[]).map_err(failed)?;
        encoder.set_repeat(gif::Repeat::Infinite).map_err(failed)?;
        Ok(Self { encoder, fps, count: 0 })
    }

    pub(super) fn write(&mut self, picture: &Picture) -> io::Result<()> {
        let (width, height) = (picture.width as u16, picture.height as u16);
        let mut frame = gif::Frame::from_rgb_speed(width, height, &picture.rgb, PALETTE_SPEED);
        frame.delay = delay(self.count, self.fps);
        self.count += 1;
        self.encoder.write_frame(&frame).map_err(failed)
    }

    pub(super) fn finish(self) -> io::Result<()> {
        // The last byte of the file is written by `into_inner`.
        self.encoder.into_inner().map_err(failed)?.flush()
    }
}

/// Hundredths of a second for picture `k`. Rounded so that the sum stays right: at 30 pictures per
/// second they last 3, 4, 3, 3, 4 and so on.
fn delay(k: u64, fps: f64) -> u16 {
    let end = |k: u64| (k as f64 * 100.0 / fps).round();
    (end(k + 1) - end(k)).clamp(1.0, f64::from(u16::MAX)) as u16
}

fn failed(error: gif::EncodingError) -> io::Error {
    match error {
        gif::EncodingError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// An animated PNG: all colours, played by all browsers.
pub(super) struct Apng {
    writer: png::Writer<BufWriter<File>>,
}

impl Apng {
    pub(super) fn create(path: &Path, size: Size, fps: f64, count: u64) -> io::Result<Self> {
        let file = BufWriter::new(File::create(path)?);
        let mut encoder = png::Encoder::new(file, size.width, size.height);
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        let count = u32::try_from(count)
            .map_err(|_| io::Error::other("too many pictures for an animated PNG"))?;
        encoder.set_animated(count, 0)?;
        // A fraction of two 16 bit numbers.
        let (numerator, denominator) = fraction(fps);
        encoder.set_frame_delay(numerator, denominator)?;
        Ok(Self { writer: encoder.write_header()? })
    }

    pub(super) fn write(&mut self, picture: &Picture) -> io::Result<()> {
        Ok(self.writer.write_image_data(&picture.rgb)?)
    }

    pub(super) fn finish(self) -> io::Result<()> {
        Ok(self.writer.finish()?)
    }
}

/// 1/fps seconds as a fraction.
fn fraction(fps: f64) -> (u16, u16) {
    if fps.fract() == 0.0 && fps <= f64::from(u16::MAX) {
        return (1, fps as u16);
    }
    let denominator = if fps < 1.0 { 100.0 } else { 10_000.0 };
    ((denominator / fps).round().clamp(1.0, 65_535.0) as u16, denominator as u16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_add_up() {
        for fps in [12.5, 24.0, 25.0, 30.0, 60.0] {
            let total: u64 = (0..600).map(|k| u64::from(delay(k, fps))).sum();
            assert_eq!(total as f64, (60_000.0 / fps).round(), "{fps}");
        }
        assert_eq!(delay(3, 1e6), 1);
        assert_eq!(delay(0, 1e-9), u16::MAX);
    }

    #[test]
    fn fractions_are_near() {
        for fps in [0.01, 0.5, 1.0, 12.5, 29.97, 30.0, 1000.0] {
            let (numerator, denominator) = fraction(fps);
            let delay = f64::from(numerator) / f64::from(denominator);
            assert!((delay * fps - 1.0).abs() < 2e-3, "{fps}: {delay}");
        }
    }
}
