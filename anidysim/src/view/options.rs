//! What is shown besides the shapes, and how.

/// Where the grid in the plane z = 0 reaches (m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Smallest x.
    pub x_min: f64,
    /// Largest x.
    pub x_max: f64,
    /// Smallest y.
    pub y_min: f64,
    /// Largest y.
    pub y_max: f64,
}

impl Extent {
    /// The extent, if the four values make sense: finite, and each largest above its smallest.
    pub fn new(x_min: f64, x_max: f64, y_min: f64, y_max: f64) -> Option<Self> {
        let finite = [x_min, x_max, y_min, y_max].iter().all(|value| value.is_finite());
        (finite && x_min < x_max && y_min < y_max).then_some(Self { x_min, x_max, y_min, y_max })
    }
}

/// Something that can be shown or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item {
    /// The grid in the plane z = 0.
    Grid,
    /// The world's axes.
    Axes,
    /// Curved surfaces look curved.
    Smooth,
    /// Edges of the faces instead of surfaces.
    Wireframe,
    /// Names at the bodies.
    Labels,
    /// The frames of all triads.
    Triads,
    /// Arrows for the contact forces.
    Forces,
    /// The paths of the Trail primitives.
    Trails,
    /// Shadows.
    Shadows,
    /// A list of the bodies and their colours.
    Legend,
}

impl Item {
    /// All items, with their words on the command line and their meanings.
    pub const ALL: &'static [(Item, &'static str, &'static str)] = &[
        (Item::Grid, "grid", "grid in the plane z = 0"),
        (Item::Axes, "axes", "axes of the world"),
        (Item::Smooth, "smooth", "smooth shading of curved surfaces"),
        (Item::Wireframe, "wireframe", "edges instead of surfaces"),
        (Item::Labels, "labels", "names of the bodies"),
        (Item::Triads, "triads", "frames of all triads"),
        (Item::Forces, "forces", "arrows for the contact forces"),
        (Item::Trails, "trails", "paths of Trail primitives"),
        (Item::Shadows, "shadows", "shadows"),
        (Item::Legend, "legend", "list of the bodies and their colours"),
    ];
}

/// The items that are shown, and their sizes.
#[derive(Clone, Debug, PartialEq)]
pub struct Options {
    pub(super) shown: u16,
    /// Where the grid reaches (m).
    pub extent: Extent,
    /// Distance of grid lines (m).
    pub grid_step: f64,
    /// Whether the grid is a floor that catches shadows; it hides what is below.
    pub floor: bool,
    /// Length of the world's axes (m).
    pub axes_length: f64,
    /// Length of the axes of triads (m).
    pub triad_length: f64,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            shown: 0,
            extent: Extent { x_min: -1.0, x_max: 1.0, y_min: -1.0, y_max: 1.0 },
            grid_step: 0.1,
            floor: false,
            axes_length: 0.5,
            triad_length: 0.1,
        };
        for item in [Item::Grid, Item::Axes, Item::Smooth, Item::Trails, Item::Shadows] {
            options.set(item, true);
        }
        options
    }
}

impl Options {
    /// Whether something is shown.
    pub fn shows(&self, item: Item) -> bool {
        self.shown & (1 << item as u16) != 0
    }

    /// Shows something or not.
    pub fn set(&mut self, item: Item, shown: bool) {
        let bit = 1 << item as u16;
        self.shown = if shown { self.shown | bit } else { self.shown & !bit };
    }

    /// Shows what is hidden, hides what is shown.
    pub fn toggle(&mut self, item: Item) {
        self.shown ^= 1 << item as u16;
    }

    /// Makes the world's axes longer (`factor` above 1) or shorter.
    pub fn scale_axes(&mut self, factor: f64) {
        let length = self.axes_length * factor;
        if length.is_finite() && length > 0.0 {
            self.axes_length = length.clamp(1e-6, 1e9);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_are_independent_of_each_other() {
        for &(item, word, _) in Item::ALL {
            let before = Options::default();
            let mut after = before.clone();
            after.toggle(item);
            for &(other, ..) in Item::ALL {
                assert_eq!(before.shows(other) != after.shows(other), other == item, "{word}");
            }
            after.set(item, before.shows(item));
            assert_eq!(before, after);
        }
    }

    #[test]
    fn an_extent_needs_four_sensible_numbers() {
        assert!(Extent::new(-1.0, 1.0, -2.0, 2.0).is_some());
        assert!(Extent::new(1.0, -1.0, -2.0, 2.0).is_none());
        assert!(Extent::new(0.0, 0.0, -2.0, 2.0).is_none());
        assert!(Extent::new(f64::NAN, 1.0, -2.0, 2.0).is_none());
    }
}
