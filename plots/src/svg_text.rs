//! Pictures as SVG text.

use std::fmt::Write;

use crate::canvas::{Anchor, Canvas, Colour, Group, Pen, rounded};
use crate::font::FAMILY;

/// A picture that grows.
pub struct Svg {
    text: String,
    /// Which of the open groups are links.
    groups: Vec<bool>,
}

impl Svg {
    /// A white picture of this size in points.
    pub fn new(width: f64, height: f64) -> Self {
        let text = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" \
             font-family=\"{FAMILY}\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
            Short(width),
            Short(height)
        );
        Self { text, groups: Vec::new() }
    }

    /// The complete text.
    pub fn finish(mut self) -> String {
        self.text.push_str("</svg>\n");
        self.text
    }

    fn write(&mut self, text: std::fmt::Arguments<'_>) {
        // A string takes whatever is written to it.
        let _ = self.text.write_fmt(text);
    }
}

/// A coordinate with two decimals at most.
struct Short(f64);

impl std::fmt::Display for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = format!("{:.2}", self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

fn hex(colour: Colour) -> String {
    format!("#{:02x}{:02x}{:02x}", colour[0], colour[1], colour[2])
}

fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

impl Canvas for Svg {
    fn line(&mut self, points: &[(f64, f64)], pen: Pen) {
        self.text.push_str("<path d=\"");
        for (k, (x, y)) in points.iter().enumerate() {
            let letter = if k == 0 { "M" } else { "L" };
            self.write(format_args!("{letter}{} {}", Short(*x), Short(*y)));
        }
        let Pen { colour, width, dash } = pen;
        self.write(format_args!(
            "\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"",
            hex(colour),
            Short(width)
        ));
        if let Some((dash, gap)) = dash {
            self.write(format_args!(" stroke-dasharray=\"{} {}\"", Short(dash), Short(gap)));
        }
        self.text.push_str(" stroke-linejoin=\"round\"/>\n");
    }

    fn area(&mut self, points: &[(f64, f64)], rounding: f64, fill: Colour, rim: Pen) {
        self.text.push_str("<path d=\"");
        for (k, [before, corner, behind]) in rounded(points, rounding).into_iter().enumerate() {
            let letter = if k == 0 { "M" } else { "L" };
            self.write(format_args!("{letter}{} {}", Short(before.0), Short(before.1)));
            if before != behind {
                let (corner, behind) = [corner, behind].map(|(x, y)| (Short(x), Short(y))).into();
                self.write(format_args!("Q{} {} {} {}", corner.0, corner.1, behind.0, behind.1));
            }
        }
        self.write(format_args!(
            "Z\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{}\"",
            hex(fill),
            hex(rim.colour),
            Short(rim.width)
        ));
        if let Some((dash, gap)) = rim.dash {
            self.write(format_args!(" stroke-dasharray=\"{} {}\"", Short(dash), Short(gap)));
        }
        self.text.push_str("/>\n");
    }

    fn begin_group(&mut self, group: Group<'_>) {
        if let Some(link) = group.link {
            self.write(format_args!("<a href=\"{}\">\n", escaped(link)));
        }
        self.groups.push(group.link.is_some());
        self.write(format_args!("<g class=\"{}\">\n", escaped(group.class)));
        if !group.title.is_empty() {
            self.write(format_args!("<title>{}</title>\n", escaped(group.title)));
        }
    }

    fn end_group(&mut self) {
        self.text.push_str("</g>\n");
        if self.groups.pop() == Some(true) {
            self.text.push_str("</a>\n");
        }
    }

    fn dot(&mut self, (x, y): (f64, f64), radius: f64, colour: Colour) {
        let (x, y, r) = (Short(x), Short(y), Short(radius));
        self.write(format_args!(
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"{}\"/>\n",
            hex(colour)
        ));
    }

    fn text(&mut self, at: (f64, f64), text: &str, size: f64, anchor: Anchor, colour: Colour) {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.write(format_args!(
            "<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{anchor}\" fill=\"{}\">{}</text>\n",
            Short(at.0),
            Short(at.1),
            Short(size),
            hex(colour),
            escaped(text)
        ));
    }
}
