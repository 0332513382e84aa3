//! Text in the picture: letters at the world's axes, names of bodies, the legend.

use kiss3d::glamx::Vec2;
use kiss3d::text::Font;
use kiss3d::window::Window;
use mechanics::Vec3;

use super::{Stage, paint};
use crate::scene::{AXIS_COLORS, Anchor, Color};
use crate::view::{Camera, Item, View};

/// Height of text as a part of the height of the picture, and the least height (pixels).
const TEXT: f32 = 1.0 / 24.0;
const SMALLEST: f32 = 15.0;

/// Colour of names.
const INK: Color = [0.12, 0.13, 0.15];

/// Bodies listed in the legend.
const MOST_ENTRIES: usize = 16;

/// Part of the height of the picture that is kept free at the bottom, for a window's own bars.
const FREE: f32 = 0.02;

pub(super) fn draw(window: &mut Window, stage: &Stage, camera: &Camera, view: &View) {
    let size = (f64::from(window.width()), f64::from(window.height()));
    let height = (window.height() as f32 * TEXT).max(SMALLEST);
    let mut write = |text: &str, place: Vec3, color: Color, shift: f32| {
        let Some(at) = camera.project(place, size) else { return };
        let inside = (0.0..size.0).contains(&at.x) && (0.0..size.1).contains(&at.y);
        if inside {
            let corner = Vec2::new(at.x as f32 + shift, at.y as f32 - height / 2.0);
            window.draw_text(text, corner, height, &Font::default(), paint::ink(color));
        }
    };
    if view.options.shows(Item::Axes) {
        let tip = view.options.axes_length * 1.05;
        for (k, axis) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().enumerate() {
            write(["x", "y", "z"][k], axis * tip, AXIS_COLORS[k], 0.0);
        }
    }
    if view.options.shows(Item::Labels) {
        for (index, body) in stage.scene.bodies.iter().enumerate() {
            let anchor = Anchor { body: Some(index), place: body.centre };
            if let Some(place) = anchor.at(&stage.poses) {
                write(&body.name, place, INK, height * 0.3);
            }
        }
    }
    if view.options.shows(Item::Legend) {
        legend(window, stage, height);
    }
}

/// Names with patches of their colours, from the lower left corner up.
fn legend(window: &mut Window, stage: &Stage, height: f32) {
    let (width, full) = (window.width() as f32, window.height() as f32);
    let bodies = &stage.scene.bodies;
    let shown = if bodies.len() > MOST_ENTRIES { MOST_ENTRIES - 1 } else { bodies.len() };
    let mut entries: Vec<(String, Option<Color>)> =
        bodies[..shown].iter().map(|body| (body.name.clone(), Some(body.color))).collect();
    if shown < bodies.len() {
        entries.push((format!("and {} more", bodies.len() - shown), None));
    }
    let line = height * 1.15;
    let top = full * (1.0 - FREE) - line * entries.len() as f32;
    for (k, (name, color)) in entries.iter().enumerate() {
        let y = top + line * k as f32;
        let middle = y + height * 0.5;
        if let Some(color) = color {
            // Plane coordinates start in the middle of the picture and grow upwards.
            let at = |x: f32| Vec2::new(x - width / 2.0, full / 2.0 - middle);
            let patch = (at(height * 0.5), at(height * 1.1));
            window.draw_line_2d(patch.0, patch.1, paint::light(*color), height * 0.6);
        }
        let corner = Vec2::new(height * 1.4, y);
        window.draw_text(name, corner, height, &Font::default(), paint::ink(INK));
    }
}
