//! What is drawn as lines: the grid, wireframes and the paths of points.

use kiss3d::renderer::Polyline3d;
use kiss3d::window::Window;
use mechanics::{Vec3, vec3};

use super::space::Space;
use super::{Stage, paint};
use crate::scene::{Color, placed};
use crate::view::{Extent, Item, View};

/// Most lines of the grid in one direction; a wider grid has wider fields.
const MOST_LINES: f64 = 40.0;

/// Colours of the grid: every line, and every fifth one.
const THIN: Color = [0.80, 0.81, 0.83];
const THICK: Color = [0.62, 0.64, 0.67];

/// Lines are a part of the height of the picture wide, so that large pictures look like small ones.
const LINE: f32 = 1.0 / 600.0;

pub(super) fn draw(window: &mut Window, stage: &Stage, space: &Space, view: &View) {
    let unit = (window.height() as f32 * LINE).max(1.0);
    if view.options.shows(Item::Grid) {
        grid(window, space, &view.options.extent, view.options.grid_step, unit);
    }
    if view.options.shows(Item::Wireframe) {
        wireframe(window, stage, space, unit);
    }
    if view.options.shows(Item::Trails) {
        for (path, trail) in stage.paths.iter().zip(&stage.scene.trails) {
            // A gap in the data ends a piece of the path.
            for piece in path.split(|point| !point.is_finite()).filter(|piece| piece.len() > 1) {
                let vertices = piece.iter().map(|&point| space.point(point)).collect();
                let color = paint::light(trail.color);
                let line = Polyline3d::new(vertices).with_color(color).with_width(2.0 * unit);
                window.draw_polyline(&line);
            }
        }
    }
}

/// Lines at whole multiples of `step`, and around the extent.
fn grid(window: &mut Window, space: &Space, extent: &Extent, step: f64, unit: f32) {
    let longest = (extent.x_max - extent.x_min).max(extent.y_max - extent.y_min);
    let step = if step > 0.0 { step.max(longest / MOST_LINES) } else { longest / 10.0 };
    let mut line = |a: Vec3, b: Vec3, strong: bool| {
        let (color, width) = if strong { (THICK, 1.3 * unit) } else { (THIN, unit) };
        window.draw_line(space.point(a), space.point(b), paint::light(color), width, false);
    };
    for (x, strong) in positions(extent.x_min, extent.x_max, step) {
        line(vec3(x, extent.y_min, 0.0), vec3(x, extent.y_max, 0.0), strong);
    }
    for (y, strong) in positions(extent.y_min, extent.y_max, step) {
        line(vec3(extent.x_min, y, 0.0), vec3(extent.x_max, y, 0.0), strong);
    }
}

/// Places of lines between two ends, and whether they are strong.
fn positions(low: f64, high: f64, step: f64) -> Vec<(f64, bool)> {
    let (first, last) = ((low / step).ceil(), (high / step).floor());
    let mut places: Vec<(f64, bool)> = Vec::new();
    let mut k = first;
    while k <= last && places.len() < 2 * MOST_LINES as usize {
        places.push((k * step, k.rem_euclid(5.0) == 0.0));
        k += 1.0;
    }
    // The ends, unless a line is there already.
    for end in [low, high] {
        if places.iter().all(|(place, _)| (place - end).abs() > 1e-9 * step) {
            places.push((end, false));
        }
    }
    places
}

fn wireframe(window: &mut Window, stage: &Stage, space: &Space, unit: f32) {
    for part in &stage.scene.parts {
        let Some(pose) = placed(part.body, part.pose, &stage.poses) else { continue };
        let color = paint::light(part.color);
        for edge in &stage.edges[part.mesh] {
            let [a, b] = edge.map(|end| space.point(pose.transform_point(end)));
            if a.is_finite() && b.is_finite() {
                window.draw_line(a, b, color, 1.3 * unit, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_lines_lie_at_whole_multiples_and_at_the_ends() {
        let places: Vec<f64> = positions(-0.25, 1.0, 0.5).iter().map(|place| place.0).collect();
        assert_eq!(places, [-0.0, 0.5, 1.0, -0.25]);
        let strong: Vec<f64> = positions(-10.0, 10.0, 1.0)
            .iter()
            .filter(|place| place.1)
            .map(|place| place.0)
            .collect();
        assert_eq!(strong, [-10.0, -5.0, 0.0, 5.0, 10.0]);
        assert!(positions(-1e9, 1e9, 1e-3).len() < 100);
    }
}
