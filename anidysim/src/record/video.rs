//! A film that browsers play: AV1 pictures in an MP4 file.

use std::fs::File;
use std::io;
use std::path::Path;

use rav1e::prelude::*;

use super::{Picture, Size};

mod mp4;

/// Coarseness of the pictures, 0 to 255: fine enough that edges stay clean.
const QUANTIZER: usize = 70;

/// The fastest setting of the encoder, which is far from fast.
const SPEED: u8 = 10;

/// Pictures between two that can be jumped to.
const KEY_INTERVAL: u64 = 60;

/// Time units in a second: a multiple of the usual numbers of pictures per second.
const TIME_SCALE: f64 = 90_000.0;

/// A film that is being written.
pub(super) struct Mp4 {
    context: Context<u8>,
    file: mp4::Writer<File>,
}

impl Mp4 {
    pub(super) fn create(path: &Path, size: Size, fps: f64) -> io::Result<Self> {
        let duration = (TIME_SCALE / fps).round().clamp(1.0, f64::from(u32::MAX)) as u32;
        let mut encoder = EncoderConfig::with_speed_preset(SPEED);
        encoder.width = size.width as usize;
        encoder.height = size.height as usize;
        encoder.time_base = Rational::new(u64::from(duration), TIME_SCALE as u64);
        encoder.chroma_sampling = ChromaSampling::Cs420;
        encoder.pixel_range = PixelRange::Limited;
        encoder.color_description = Some(ColorDescription {
            color_primaries: ColorPrimaries::BT709,
            transfer_characteristics: TransferCharacteristics::BT709,
            matrix_coefficients: MatrixCoefficients::BT709,
        });
        // Pictures leave the encoder in the order in which they came.
        encoder.low_latency = true;
        encoder.quantizer = QUANTIZER;
        encoder.min_key_frame_interval = 1;
        encoder.max_key_frame_interval = KEY_INTERVAL;
        encoder.tiles = 4;
        let refused = |error| {
            io::Error::other(format!("the film encoder refuses this size or rate: {error}"))
        };
        let context = Config::new().with_encoder_config(encoder).new_context().map_err(refused)?;
        let header = context.container_sequence_header();
        let file =
            mp4::Writer::new(File::create(path)?, size, TIME_SCALE as u32, duration, header)?;
        Ok(Self { context, file })
    }

    pub(super) fn write(&mut self, picture: &Picture) -> io::Result<()> {
        let mut frame = self.context.new_frame();
        let planes = planes(picture);
        for (plane, (bytes, width)) in frame.planes.iter_mut().zip(&planes) {
            plane.copy_from_raw_u8(bytes, *width, 1);
        }
        self.context.send_frame(frame).map_err(io::Error::other)?;
        self.drain()
    }

    /// Takes what the encoder has finished.
    fn drain(&mut self) -> io::Result<()> {
        loop {
            match self.context.receive_packet() {
                Ok(packet) => self.file.write(&packet.data, packet.frame_type == FrameType::KEY)?,
                Err(EncoderStatus::Encoded) => {}
                Err(EncoderStatus::NeedMoreData | EncoderStatus::LimitReached) => return Ok(()),
                Err(status) => return Err(io::Error::other(status)),
            }
        }
    }

    pub(super) fn finish(mut self) -> io::Result<()> {
        self.context.flush();
        self.drain()?;
        self.file.finish()
    }
}

/// Brightness and two colour differences, the latter at half the resolution, each with its width.
///
/// `Y = 0.2126 R + 0.7152 G + 0.0722 B`, `Cb = (B - Y)/1.8556`, `Cr = (R - Y)/1.5748`, brightness in
/// 16 to 235 and differences in 16 to 240 (Rec. ITU-R BT.709).
fn planes(picture: &Picture) -> [(Vec<u8>, usize); 3] {
    let (width, height) = (picture.width as usize, picture.height as usize);
    let pixel = |x: usize, y: usize| {
        let at = 3 * (y.min(height - 1) * width + x.min(width - 1));
        [0, 1, 2].map(|k| f32::from(picture.rgb[at + k]) / 255.0)
    };
    let luma = |[r, g, b]: [f32; 3]| 0.2126 * r + 0.7152 * g + 0.0722 * b;
    let mut bright = Vec::with_capacity(width * height);
    for y in 0..height {
        bright.extend((0..width).map(|x| (16.0 + 219.0 * luma(pixel(x, y))).round() as u8));
    }
    let (half_width, half_height) = (width.div_ceil(2), height.div_ceil(2));
    let mut blue = Vec::with_capacity(half_width * half_height);
    let mut red = Vec::with_capacity(half_width * half_height);
    for y in 0..half_height {
        for x in 0..half_width {
            let four = [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(i, j)| pixel(2 * x + i, 2 * y + j));
            let mean = [0, 1, 2].map(|k| four.iter().map(|p| p[k]).sum::<f32>() / 4.0);
            let y = luma(mean);
            blue.push((128.0 + 224.0 * (mean[2] - y) / 1.8556).round() as u8);
            red.push((128.0 + 224.0 * (mean[0] - y) / 1.5748).round() as u8);
        }
    }
    [(bright, width), (blue, half_width), (red, half_width)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of Rec. 709 for white, black and the primaries.
    #[test]
    fn colours_become_those_of_the_standard() {
        let cases = [
            ([255, 255, 255], [235, 128, 128]),
            ([0, 0, 0], [16, 128, 128]),
            ([255, 0, 0], [63, 102, 240]),
            ([0, 255, 0], [173, 42, 26]),
            ([0, 0, 255], [32, 240, 118]),
        ];
        for (rgb, expected) in cases {
            let picture = Picture { width: 3, height: 3, rgb: rgb.repeat(9) };
            let [y, cb, cr] = planes(&picture);
            assert_eq!([y.0[0], cb.0[0], cr.0[0]], expected, "{rgb:?}");
            assert_eq!((y.0.len(), cb.0.len(), cr.1), (9, 4, 2));
        }
    }
}
