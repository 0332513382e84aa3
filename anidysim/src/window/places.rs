//! Where the parts of the panels are, so that tests can click on them.

use egui::Rect;

/// Names and places, in points, of what was drawn in the last two pictures.
#[derive(Default)]
pub(super) struct Places {
    now: Vec<(String, Rect)>,
    before: Vec<(String, Rect)>,
}

impl Places {
    /// Begins a new picture.
    pub fn begin(&mut self) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
    }

    /// Notes where something is.
    pub fn note(&mut self, name: &str, rect: Rect) {
        self.now.push((name.to_owned(), rect));
    }

    /// Names, left and right edges and middle heights in pixels, of what stays where it is: menus and dialogs
    /// find their places only while they are drawn.
    pub fn text(&self, scale: f64) -> String {
        let pixels = |points: f32| f64::from(points) * scale;
        let settled = self.now.iter().filter(|place| self.before.contains(place));
        let places = settled.map(|(name, rect)| {
            let (left, right) = (pixels(rect.left()), pixels(rect.right()));
            format!("{name}@{left:.0},{right:.0},{:.0}", pixels(rect.center().y))
        });
        places.collect::<Vec<String>>().join(";")
    }
}
