//! Pictures as PNG.

use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};
use ttf_parser::OutlineBuilder;

use crate::canvas::{Anchor, Canvas, Colour, Pen, rounded};
use crate::font;

/// A bitmap that is drawn on.
pub struct Bitmap {
    pixels: Pixmap,
    /// Pixels per point.
    scale: f32,
}

impl Bitmap {
    /// A white picture of this size in points; `None` if it has too many pixels or none.
    pub fn new(width: f64, height: f64, scale: f64) -> Option<Self> {
        let mut pixels = Pixmap::new((width * scale) as u32, (height * scale) as u32)?;
        pixels.fill(Color::WHITE);
        Some(Self { pixels, scale: scale as f32 })
    }

    /// The complete file.
    ///
    /// # Errors
    /// If the encoder refuses the picture.
    pub fn finish(self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.pixels.width(), self.pixels.height());
        encoder.set_color(png::ColorType::Rgb);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::High);
        // The background is opaque, so that no pixel is transparent.
        let data = self.pixels.data();
        let opaque: Vec<u8> =
            data.chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect();
        encoder.write_header()?.write_image_data(&opaque)?;
        Ok(file)
    }

    fn stroke(&mut self, path: &Path, pen: Pen) {
        let dash =
            pen.dash.and_then(|(dash, gap)| StrokeDash::new(vec![dash as f32, gap as f32], 0.0));
        let stroke = Stroke {
            width: pen.width as f32,
            line_cap: LineCap::Butt,
            line_join: LineJoin::Round,
            dash,
            ..Stroke::default()
        };
        let transform = self.transform();
        self.pixels.stroke_path(path, &paint(pen.colour), &stroke, transform, None);
    }

    fn transform(&self) -> Transform {
        Transform::from_scale(self.scale, self.scale)
    }
}

fn paint(colour: Colour) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color_rgba8(colour[0], colour[1], colour[2], 255);
    paint.anti_alias = true;
    paint
}

/// Builds the outline of a text.
struct Outline(PathBuilder);

impl OutlineBuilder for Outline {
    fn move_to(&mut self, x: f32, y: f32) {
        self.0.move_to(x, y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.0.line_to(x, y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.0.quad_to(x1, y1, x, y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.0.cubic_to(x1, y1, x2, y2, x, y);
    }
    fn close(&mut self) {
        self.0.close();
    }
}

impl Canvas for Bitmap {
    fn line(&mut self, points: &[(f64, f64)], pen: Pen) {
        let mut path = PathBuilder::new();
        for (k, &(x, y)) in points.iter().enumerate() {
            match k {
                0 => path.move_to(x as f32, y as f32),
                _ => path.line_to(x as f32, y as f32),
            }
        }
        if let Some(path) = path.finish() {
            self.stroke(&path, pen);
        }
    }

    fn area(&mut self, points: &[(f64, f64)], rounding: f64, fill: Colour, rim: Pen) {
        let mut path = PathBuilder::new();
        for (k, [before, corner, behind]) in rounded(points, rounding).into_iter().enumerate() {
            let [(x, y), (cx, cy), (bx, by)] =
                [before, corner, behind].map(|(x, y)| (x as f32, y as f32));
            match k {
                0 => path.move_to(x, y),
                _ => path.line_to(x, y),
            }
            path.quad_to(cx, cy, bx, by);
        }
        path.close();
        let Some(path) = path.finish() else { return };
        let transform = self.transform();
        self.pixels.fill_path(&path, &paint(fill), FillRule::Winding, transform, None);
        self.stroke(&path, rim);
    }

    fn dot(&mut self, (x, y): (f64, f64), radius: f64, colour: Colour) {
        let Some(path) = PathBuilder::from_circle(x as f32, y as f32, radius as f32) else {
            return;
        };
        let transform = self.transform();
        self.pixels.fill_path(&path, &paint(colour), FillRule::Winding, transform, None);
    }

    fn text(&mut self, at: (f64, f64), text: &str, size: f64, anchor: Anchor, colour: Colour) {
        let shift = match anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => 0.5,
            Anchor::End => 1.0,
        };
        let left = at.0 - shift * font::advance(text, size);
        let mut outline = Outline(PathBuilder::new());
        font::outline(text, size, &mut outline);
        let Some(path) = outline.0.finish() else { return };
        let transform = self.transform().pre_translate(left as f32, at.1 as f32);
        // The typeface is a light one: a thin rim makes it readable in small sizes.
        let stroke = Stroke { width: 0.025 * size as f32, ..Stroke::default() };
        self.pixels.fill_path(&path, &paint(colour), FillRule::Winding, transform, None);
        self.pixels.stroke_path(&path, &paint(colour), &stroke, transform, None);
    }
}
