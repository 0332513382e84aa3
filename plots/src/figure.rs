//! What is drawn, as plain data.

/// A line.
#[derive(Clone, Debug)]
pub struct Curve<'a> {
    /// Name in the legend.
    pub name: String,
    /// One value per row; not finite where there is none.
    pub x: &'a [f64],
    /// As many values.
    pub y: &'a [f64],
}

impl Curve<'_> {
    /// The points where both values exist, and `None` for the others.
    pub(crate) fn points(&self) -> impl Iterator<Item = Option<(f64, f64)>> {
        // Within these bounds no difference overflows.
        let bounded = |value: f64| value.clamp(-1e300, 1e300);
        self.x
            .iter()
            .zip(self.y)
            .map(move |(&x, &y)| (x.is_finite() && y.is_finite()).then(|| (bounded(x), bounded(y))))
    }
}

/// The form of a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Two crossing lines: poles.
    Cross,
    /// A circle: zeros.
    Ring,
    /// A disc.
    Dot,
}

/// A point of its own.
#[derive(Clone, Debug)]
pub struct Mark {
    /// Where it is.
    pub at: (f64, f64),
    /// How it looks.
    pub shape: Shape,
    /// Number of the colour.
    pub colour: usize,
    /// Stands beside it; may be empty.
    pub label: String,
}

/// Curves that share a y axis.
#[derive(Clone, Debug, Default)]
pub struct Panel<'a> {
    /// The unit of the y axis; empty if there is none.
    pub unit: String,
    /// The lines.
    pub curves: Vec<Curve<'a>>,
    /// Points of their own.
    pub marks: Vec<Mark>,
    /// Thin lines behind the curves.
    pub guides: Vec<Vec<(f64, f64)>>,
}

/// Panels, one above the other, that share an x axis.
#[derive(Clone, Debug, Default)]
pub struct Figure<'a> {
    /// Stands above everything; may be empty.
    pub title: String,
    /// Name of the quantity on the x axis.
    pub x_name: String,
    /// Unit of the x axis; empty if there is none.
    pub x_unit: String,
    /// The curves are over another quantity than the time.
    pub phase: bool,
    /// The numbers on the x axis are logarithms to base ten.
    pub decades: bool,
    /// Both axes have one scale.
    pub equal: bool,
    /// From top to bottom.
    pub panels: Vec<Panel<'a>>,
    /// Times to mark, if the x axis is the time.
    pub events: Vec<f64>,
    /// Width and height in points; chosen by the number of panels if absent.
    pub size: Option<(f64, f64)>,
}

/// The smallest interval that holds all numbers; `None` if there is none.
pub(crate) fn extent(values: impl Iterator<Item = f64>) -> Option<(f64, f64)> {
    values.fold(None, |extent, value| match extent {
        None => Some((value, value)),
        Some((low, high)) => Some((value.min(low), value.max(high))),
    })
}

impl Figure<'_> {
    /// Smallest and largest x of all curves.
    pub(crate) fn x_extent(&self) -> Option<(f64, f64)> {
        let curves = self.panels.iter().flat_map(|panel| &panel.curves);
        let curves = curves.flat_map(|curve| curve.points().flatten().map(|point| point.0));
        let marks = self.panels.iter().flat_map(|panel| &panel.marks).map(|mark| mark.at.0);
        let guides = self.panels.iter().flat_map(|panel| &panel.guides).flatten();
        extent(curves.chain(marks).chain(guides.map(|point| point.0).filter(|x| x.is_finite())))
    }
}

impl Panel<'_> {
    /// Smallest and largest y of all curves of the panel.
    pub(crate) fn y_extent(&self) -> Option<(f64, f64)> {
        let curves = self.curves.iter();
        let curves = curves.flat_map(|curve| curve.points().flatten().map(|point| point.1));
        let marks = self.marks.iter().map(|mark| mark.at.1);
        let guides = self.guides.iter().flatten().map(|point| point.1);
        extent(curves.chain(marks).chain(guides.filter(|y| y.is_finite())))
    }
}
