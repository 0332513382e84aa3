//! The typeface of bitmaps, which also tells how much space text takes in the other pictures.

use std::sync::OnceLock;

use ttf_parser::{Face, GlyphId, OutlineBuilder};

/// Typefaces for a text that the viewer draws, the nearest first.
pub(crate) const FAMILY: &str = "Ubuntu, 'DejaVu Sans', Verdana, Helvetica, Arial, sans-serif";

fn face() -> Option<&'static Face<'static>> {
    static FACE: OnceLock<Option<Face<'static>>> = OnceLock::new();
    FACE.get_or_init(|| Face::parse(epaint_default_fonts::UBUNTU_LIGHT, 0).ok()).as_ref()
}

/// The outline of a text whose baseline begins at the origin, y downwards.
pub(crate) fn outline(text: &str, size: f64, builder: &mut dyn OutlineBuilder) {
    let Some(face) = face() else { return };
    let scale = (size / f64::from(face.units_per_em())) as f32;
    let mut x = 0.0;
    for c in text.chars() {
        let Glyph { id, size, raise } = glyph(face, c);
        let scale = scale * size;
        face.outline_glyph(id, &mut PlacedGlyph { builder, x, y: raise, scale });
        x += scale * f32::from(face.glyph_hor_advance(id).unwrap_or(0));
    }
}

/// A letter of the typeface, its size and how far it is raised (units of the typeface).
struct Glyph {
    id: GlyphId,
    size: f32,
    raise: f32,
}

/// The typeface has no minus sign for exponents: the usual one is made smaller and raised.
fn glyph(face: &Face<'_>, c: char) -> Glyph {
    let (c, size, raise) = match c {
        '⁻' => ('\u{2212}', 0.6, 0.45 * f32::from(face.units_per_em())),
        c => (c, 1.0, 0.0),
    };
    Glyph { id: face.glyph_index(c).unwrap_or_default(), size, raise }
}

/// The width of a text, in any of the typefaces that may show it.
pub fn width(text: &str, size: f64) -> f64 {
    let Some(face) = face() else { return 0.6 * size * text.chars().count() as f64 };
    let advance = |c| {
        let Glyph { id, size, .. } = glyph(face, c);
        f64::from(size) * f64::from(face.glyph_hor_advance(id).unwrap_or(0))
    };
    // Other typefaces that a viewer may take are up to a tenth wider.
    1.1 * size / f64::from(face.units_per_em()) * text.chars().map(advance).sum::<f64>()
}

/// The exact width in this typeface.
pub(crate) fn advance(text: &str, size: f64) -> f64 {
    width(text, size) / 1.1
}

/// Scales and moves the outline of a glyph.
struct PlacedGlyph<'b> {
    builder: &'b mut dyn OutlineBuilder,
    x: f32,
    y: f32,
    scale: f32,
}

impl PlacedGlyph<'_> {
    fn at(&self, x: f32, y: f32) -> (f32, f32) {
        (self.x + self.scale * x, -self.scale * (y + self.y))
    }
}

impl OutlineBuilder for PlacedGlyph<'_> {
    fn move_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.move_to(x, y);
    }

    fn line_to(&mut self, x: f32, y: f32) {
        let (x, y) = self.at(x, y);
        self.builder.line_to(x, y);
    }

    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        let ((x1, y1), (x, y)) = (self.at(x1, y1), self.at(x, y));
        self.builder.quad_to(x1, y1, x, y);
    }

    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        let ((x1, y1), (x2, y2), (x, y)) = (self.at(x1, y1), self.at(x2, y2), self.at(x, y));
        self.builder.curve_to(x1, y1, x2, y2, x, y);
    }

    fn close(&mut self) {
        self.builder.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_typeface_has_every_character_that_plots_write() {
        let face = face().expect("a typeface");
        let written = "0123456789+-.,;:()[]/×_·µΩ°⁰¹²³⁴⁵⁶⁷⁸⁹⁻\u{2212}\u{2026}äöüßφω";
        let missing: Vec<char> =
            written.chars().filter(|&c| glyph(face, c).id == GlyphId(0)).collect();
        assert!(missing.is_empty(), "{missing:?}");
    }
}
