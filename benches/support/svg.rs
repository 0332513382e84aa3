//! Log-log charts as SVG text: panels side by side, one legend.

use std::fmt::Write;

/// One line of a chart.
#[derive(Clone, Debug)]
pub struct Series {
    /// Place in the legend.
    pub style: usize,
    /// Points (x, y), both positive.
    pub points: Vec<(f64, f64)>,
}

/// One pair of axes.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Words above it.
    pub title: String,
    /// Its lines.
    pub series: Vec<Series>,
}

/// Panels with common words.
#[derive(Clone, Debug)]
pub struct Chart {
    /// Words above all.
    pub title: String,
    /// What x is; it falls from left to right.
    pub x: String,
    /// What y is.
    pub y: String,
    /// Words and colours of the legend.
    pub legend: Vec<(String, &'static str)>,
    /// The panels.
    pub panels: Vec<Panel>,
}

const COLUMNS: usize = 3;
const WIDTH: f64 = 300.0;
const HEIGHT: f64 = 220.0;
const LEFT: f64 = 58.0;
const TOP: f64 = 72.0;
const GAP_X: f64 = 62.0;
const GAP_Y: f64 = 66.0;

impl Chart {
    /// The chart as the text of an SVG file.
    pub fn render(&self) -> String {
        let rows = self.panels.len().div_ceil(COLUMNS);
        let width = LEFT + COLUMNS as f64 * (WIDTH + GAP_X);
        let height = TOP + rows as f64 * (HEIGHT + GAP_Y);
        let mut text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"24\" font-size=\"16\" font-weight=\"bold\">{}</text>\n",
            self.title
        );
        self.legend(&mut text);
        for (index, panel) in self.panels.iter().enumerate() {
            let x = LEFT + (index % COLUMNS) as f64 * (WIDTH + GAP_X);
            let y = TOP + (index / COLUMNS) as f64 * (HEIGHT + GAP_Y);
            self.panel(&mut text, panel, x, y);
        }
        text += "</svg>\n";
        text
    }

    fn legend(&self, text: &mut String) {
        let mut x = LEFT;
        for (style, (name, colour)) in self.legend.iter().enumerate() {
            put(
                text,
                format_args!("<path d=\"M{x} 41h22\" stroke=\"{colour}\" stroke-width=\"2\"/>"),
            );
            marker(text, style, x + 11.0, 41.0, colour);
            put(text, format_args!("<text x=\"{}\" y=\"45\">{name}</text>", x + 28.0));
            x += 52.0 + 7.5 * name.len() as f64;
        }
    }

    fn panel(&self, text: &mut String, panel: &Panel, left: f64, top: f64) {
        let points = || panel.series.iter().flat_map(|series| &series.points);
        let axes = Axes {
            left,
            top,
            x: decades(points().map(|point| point.0)),
            y: decades(points().map(|point| point.1)),
        };
        let (title, above) = (&panel.title, top - 8.0);
        put(
            text,
            format_args!("<text x=\"{left}\" y=\"{above}\" font-weight=\"bold\">{title}</text>"),
        );
        axes.grid(text);
        let (x, y, name) = (left + WIDTH / 2.0, top + HEIGHT + 33.0, &self.x);
        put(text, format_args!("<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\">{name}</text>"));
        let (x, y, name) = (left - 44.0, top + HEIGHT / 2.0, &self.y);
        let turned = format!("text-anchor=\"middle\" transform=\"rotate(-90 {x} {y})\"");
        put(text, format_args!("<text x=\"{x}\" y=\"{y}\" {turned}>{name}</text>"));
        for series in &panel.series {
            axes.line(text, series, self.legend[series.style].1);
        }
    }
}

/// Lowest and highest power of ten that enclose all values.
fn decades(values: impl Iterator<Item = f64>) -> (i32, i32) {
    let enclose = |(low, high): (f64, f64), x: f64| (low.min(x.log10()), high.max(x.log10()));
    let (low, high) = values.fold((f64::MAX, f64::MIN), enclose);
    let low = low.floor() as i32;
    (low, (high.ceil() as i32).max(low + 1))
}

/// Where the numbers of a panel lie.
struct Axes {
    left: f64,
    top: f64,
    x: (i32, i32),
    y: (i32, i32),
}

impl Axes {
    /// Small values are on the right.
    fn x(&self, value: f64) -> f64 {
        let (low, high) = (f64::from(self.x.0), f64::from(self.x.1));
        self.left + WIDTH * (high - value.log10()) / (high - low)
    }

    fn y(&self, value: f64) -> f64 {
        let (low, high) = (f64::from(self.y.0), f64::from(self.y.1));
        self.top + HEIGHT * (high - value.log10()) / (high - low)
    }

    fn grid(&self, text: &mut String) {
        let Self { left, top, .. } = *self;
        // At most seven numbers on an axis.
        let ticks = |(low, high): (i32, i32)| (low..=high).step_by((high - low + 5) as usize / 6);
        for k in ticks(self.x) {
            let (x, below) = (self.x(10f64.powi(k)), top + HEIGHT + 16.0);
            put(text, format_args!("<path d=\"M{x:.1} {top}v{HEIGHT}\" stroke=\"#ddd\"/>"));
            let place = format!("x=\"{x:.1}\" y=\"{below}\" text-anchor=\"middle\"");
            put(text, format_args!("<text {place}>1e{k}</text>"));
        }
        for k in ticks(self.y) {
            let (y, beside) = (self.y(10f64.powi(k)), left - 6.0);
            put(text, format_args!("<path d=\"M{left} {y:.1}h{WIDTH}\" stroke=\"#ddd\"/>"));
            let place = format!("x=\"{beside}\" y=\"{:.1}\" text-anchor=\"end\"", y + 4.0);
            put(text, format_args!("<text {place}>1e{k}</text>"));
        }
        let size = format!("x=\"{left}\" y=\"{top}\" width=\"{WIDTH}\" height=\"{HEIGHT}\"");
        put(text, format_args!("<rect {size} fill=\"none\" stroke=\"#444\"/>"));
    }

    fn line(&self, text: &mut String, series: &Series, colour: &str) {
        let places = series.points.iter().map(|&(x, y)| (self.x(x), self.y(y)));
        let corners: Vec<String> = places.clone().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let (points, pen) = (corners.join(" "), "fill=\"none\" stroke-width=\"1.6\"");
        put(text, format_args!("<polyline points=\"{points}\" {pen} stroke=\"{colour}\"/>"));
        places.for_each(|(x, y)| marker(text, series.style, x, y, colour));
    }
}

/// A mark that tells the styles apart without colours.
fn marker(text: &mut String, style: usize, x: f64, y: f64, colour: &str) {
    let shape = match style % 3 {
        0 => format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{colour}\"/>"),
        1 => format!("<path d=\"M{:.1} {:.1}h6v6h-6z\" fill=\"{colour}\"/>", x - 3.0, y - 3.0),
        _ => format!("<path d=\"M{x:.1} {:.1}l4 7h-8z\" fill=\"{colour}\"/>", y - 4.0),
    };
    put(text, format_args!("{shape}"));
}

/// A line of text; writing to a string cannot fail.
fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    let _ = writeln!(text, "{line}");
}
