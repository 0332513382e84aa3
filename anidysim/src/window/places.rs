//! Where the parts of the panels are, so that tests can click on them.

use egui::Rect;

/// Names and places, in points, of what was drawn last.
#[derive(Default)]
pub(super) struct Places(Vec<(String, Rect)>);

impl Places {
    /// Forgets all, before they are drawn again.
    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Notes where something is.
    pub fn note(&mut self, name: &str, rect: Rect) {
        self.0.push((name.to_owned(), rect));
    }

    /// Names, left and right edges and middle heights in pixels.
    pub fn text(&self, scale: f64) -> String {
        let pixels = |points: f32| f64::from(points) * scale;
        let places = self.0.iter().map(|(name, rect)| {
            let (left, right) = (pixels(rect.left()), pixels(rect.right()));
            format!("{name}@{left:.0},{right:.0},{:.0}", pixels(rect.center().y))
        });
        places.collect::<Vec<String>>().join(";")
    }
}
