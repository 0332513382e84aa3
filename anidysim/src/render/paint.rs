//! Colours: the model gives them as a screen shows them, the graphics computes with light.

use kiss3d::color::Color as Light;

use crate::scene::Color;

/// Exponent that the graphics applies to light before it goes to the screen.
const GAMMA: f32 = 2.2;

/// The light of a colour.
pub(super) fn light(color: Color) -> Light {
    let [red, green, blue] = color.map(|part| part.clamp(0.0, 1.0).powf(GAMMA));
    Light::new(red, green, blue, 1.0)
}

/// A colour for text, which is drawn after light has become colour.
pub(super) fn ink(color: Color) -> Light {
    let [red, green, blue] = color;
    Light::new(red, green, blue, 1.0)
}
