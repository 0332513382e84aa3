//! Line plots of result tables: read a table, choose columns, draw panels.
//!
//! A [`Figure`] is plain data: panels of curves over one x axis. It is drawn as a text ([`svg()`]), as a bitmap ([`png()`]) or with the
//! characters of a terminal ([`text`]). Nothing here knows a model: units come with the request.

pub mod bitmap;
pub mod canvas;
pub mod choice;
mod decimate;
mod draw;
mod figure;
pub mod font;
mod layout;
mod scale;
pub mod svg_text;
pub mod table;
mod terminal;

use std::fmt;

pub use figure::{Curve, Figure, Mark, Panel, Shape};
pub use terminal::text;

/// A picture that cannot be made.
#[derive(Debug)]
pub enum PictureError {
    /// It has no pixels, or too many.
    Size,
    /// The encoder failed.
    Png(png::EncodingError),
}

impl fmt::Display for PictureError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Size => f.write_str("the picture has no pixels, or too many"),
            Self::Png(error) => error.fmt(f),
        }
    }
}

/// The figure as SVG.
pub fn svg(figure: &Figure<'_>) -> String {
    let layout = layout::Layout::of(figure);
    let mut canvas = svg_text::Svg::new(layout.width, layout.height);
    draw::draw(figure, &layout, &mut canvas);
    canvas.finish()
}

/// The figure as PNG, with so many pixels per point.
///
/// # Errors
/// If the picture has too many pixels for the memory.
pub fn png(figure: &Figure<'_>, scale: f64) -> Result<Vec<u8>, PictureError> {
    let layout = layout::Layout::of(figure);
    let canvas = bitmap::Bitmap::new(layout.width, layout.height, scale);
    let mut canvas = canvas.ok_or(PictureError::Size)?;
    draw::draw(figure, &layout, &mut canvas);
    canvas.finish().map_err(PictureError::Png)
}
