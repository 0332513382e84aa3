//! Where everything stands: sizes come from the text that must fit, so that nothing overlaps.

use crate::figure::Figure;
use crate::font;
use crate::scale::{Scale, printed_unit};

/// Letters at ticks, in legends and of units.
pub(crate) const SMALL: f64 = 13.0;
/// Letters of the title.
pub(crate) const LARGE: f64 = 17.0;
/// Height of a line of small text.
pub(crate) const LINE: f64 = 20.0;
/// Length of the sample of a line in a legend.
pub(crate) const SAMPLE: f64 = 24.0;
/// Width of a picture whose size is not given.
const WIDTH: f64 = 900.0;
/// Free space at the edges.
const EDGE: f64 = 14.0;
/// Free space above a panel's legend.
const GAP: f64 = 12.0;
/// Ticks of an x axis are at least so far apart.
const X_TICKS: f64 = 70.0;
/// Ticks of a y axis are at least so far apart.
const Y_TICKS: f64 = 30.0;
/// No panel is lower.
const LOWEST_PANEL: f64 = 60.0;

/// A rectangle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Area {
    pub left: f64,
    pub top: f64,
    pub right: f64,
    pub bottom: f64,
}

/// One panel with its axis and its legend.
pub(crate) struct PanelLayout {
    pub area: Area,
    pub y: Scale,
    /// Text above the y axis.
    pub unit: String,
    /// Where each entry of the legend begins: left end of the sample, middle of the line of text.
    pub legend: Vec<(f64, f64)>,
}

/// The whole picture.
pub(crate) struct Layout {
    pub width: f64,
    pub height: f64,
    pub x: Scale,
    /// Text below the x axis.
    pub x_label: String,
    pub panels: Vec<PanelLayout>,
}

impl Layout {
    pub fn of(figure: &Figure<'_>) -> Self {
        let count = figure.panels.len().max(1);
        let title = if figure.title.is_empty() { 0.0 } else { LARGE + 10.0 };
        let below = 2.0 * LINE + EDGE;
        let width = figure.size.map_or(if figure.phase { 620.0 } else { WIDTH }, |size| size.0);
        let left = EDGE + left_margin(figure) + 8.0;
        let right = (width - EDGE - 14.0).max(left + LOWEST_PANEL);
        // Legends need the width, heights need the legends.
        let units = figure.panels.iter().map(|panel| unit_text(panel, &y_scale(panel, 5).common));
        let legends: Vec<Legend> = figure
            .panels
            .iter()
            .zip(units)
            .map(|(panel, unit)| {
                Legend::of(panel.curves.iter().map(|curve| curve.name.as_str()), &unit, left, right)
            })
            .collect();
        let headers: f64 = legends.iter().map(|legend| legend.lines * LINE + GAP).sum();
        let fixed = EDGE + title + headers + below;
        let height =
            figure.size.map_or(fixed + count as f64 * default_height(figure), |size| size.1);
        let panel_height = ((height - fixed) / count as f64).max(LOWEST_PANEL);
        let height = height.max(fixed + count as f64 * panel_height);
        let margin = if figure.phase { 0.04 } else { 0.0 };
        let (low, high) = figure.x_extent().unwrap_or((0.0, 1.0));
        let count = ((right - left) / X_TICKS) as usize;
        let x = match figure.decades {
            true => Scale::decades(low, high, count),
            false => Scale::new(low, high, margin, count),
        };
        let mut top = EDGE + title;
        let mut panels = Vec::new();
        for (panel, legend) in figure.panels.iter().zip(legends) {
            let header = top + GAP;
            top = header + legend.lines * LINE;
            let area = Area { left, top, right, bottom: top + panel_height };
            let y = y_scale(panel, (panel_height / Y_TICKS) as usize);
            let unit = unit_text(panel, &y.common);
            let entries = legend.entries.iter();
            let legend = entries.map(|(x, line)| (*x, header + (line + 0.5) * LINE)).collect();
            panels.push(PanelLayout { area, y, unit, legend });
            top = area.bottom;
        }
        let mut layout = Self { width, height, x, x_label: String::new(), panels };
        layout.keep_proportions(figure);
        let unit = joined(&layout.x.common, &printed_unit(&figure.x_unit));
        layout.x_label = match unit.is_empty() {
            true => figure.x_name.clone(),
            false => format!("{} [{unit}]", figure.x_name),
        };
        layout
    }

    /// A path in a plane is drawn with equal scales, so that a circle is round.
    fn keep_proportions(&mut self, figure: &Figure<'_>) {
        let is_single = figure.panels.len() == 1;
        let has_one_unit = is_single && figure.panels[0].unit == figure.x_unit;
        let is_path = figure.phase && has_one_unit && !figure.x_unit.is_empty();
        if !(is_path || figure.equal && is_single) {
            return;
        }
        let panel = &mut self.panels[0];
        let (wide, tall) = (panel.area.right - panel.area.left, panel.area.bottom - panel.area.top);
        let per_point = |scale: &Scale, points: f64| (scale.high - scale.low) / points;
        let (x, y) = (per_point(&self.x, wide), per_point(&panel.y, tall));
        let widened = |scale: &Scale, factor: f64, count: f64| {
            let more = 0.5 * (factor - 1.0) * (scale.high - scale.low);
            Scale::new(scale.low - more, scale.high + more, 0.0, count as usize)
        };
        // A straight path stays visible rather than exact.
        if x < y && y / x < 50.0 {
            self.x = widened(&self.x, y / x, wide / X_TICKS);
        } else if y < x && x / y < 50.0 {
            panel.y = widened(&panel.y, x / y, tall / Y_TICKS);
            panel.unit = joined(&panel.y.common, &printed_unit(&figure.panels[0].unit));
        }
    }
}

fn default_height(figure: &Figure<'_>) -> f64 {
    match figure.panels.len() {
        1 if figure.phase => 480.0,
        0 | 1 => 320.0,
        2 => 220.0,
        3 => 175.0,
        _ => 150.0,
    }
}

fn y_scale(panel: &crate::Panel<'_>, ticks: usize) -> Scale {
    let (low, high) = panel.y_extent().unwrap_or((0.0, 1.0));
    Scale::new(low, high, 0.05, ticks)
}

/// The widest label at a y axis.
fn left_margin(figure: &Figure<'_>) -> f64 {
    let labels = figure.panels.iter().flat_map(|panel| y_scale(panel, 8).ticks);
    labels.map(|(_, label)| font::width(&label, SMALL)).fold(30.0, f64::max) + 12.0
}

fn unit_text(panel: &crate::Panel<'_>, common: &str) -> String {
    joined(common, &printed_unit(&panel.unit))
}

fn joined(common: &str, unit: &str) -> String {
    [common, unit].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// Entries that flow into as many lines as they need.
struct Legend {
    entries: Vec<(f64, f64)>,
    lines: f64,
}

impl Legend {
    fn of<'n>(names: impl Iterator<Item = &'n str>, unit: &str, left: f64, right: f64) -> Self {
        let space = if unit.is_empty() { 0.0 } else { font::width(unit, SMALL) + 28.0 };
        let (mut x, mut line) = (left + space, 0.0);
        let mut entries = Vec::new();
        for name in names {
            let wide = SAMPLE + 6.0 + font::width(name, SMALL) + 22.0;
            if x + wide - 22.0 > right && x > left + space {
                (x, line) = (left + space, line + 1.0);
            }
            entries.push((x, line));
            x += wide;
        }
        Self { entries, lines: line + 1.0 }
    }
}
