//! Frequency responses: Bode, Nyquist and Nichols plots, with the margins of a loop.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use parser::exit::Exit;
use plots::choice;
use plots::table::TableFile;
use plots::{Curve, Figure, Mark, Panel, Shape};

use super::{Trouble, notes, picture, stem, unknown, unreadable};
use crate::arguments::PlotOptions;

/// What stands before `.csv` in the name of such a table.
const SUFFIX: &str = "_frequency";
/// The name of the first column.
const FREQUENCY: &str = "f_Hz";
/// Curves of a plot that nobody has chosen.
const CURVES: usize = 8;
/// What is further from the origin than this is not shown in a Nyquist plot: a loop with an integrator comes from infinity.
const FAR: f64 = 4.0;

/// Is a response to be drawn?
pub fn is_asked(options: &PlotOptions) -> bool {
    let is_chosen = options.bode || options.nyquist || options.nichols;
    is_chosen || first_column(&options.table).is_some_and(|name| name == FREQUENCY)
}

fn first_column(path: &Path) -> Option<String> {
    TableFile::open(path).ok()?.names().first().cloned()
}

/// Draws the response of a table.
pub fn plot(options: &PlotOptions) -> Result<(), Trouble> {
    let path = find(&options.table);
    let file = TableFile::open(&path).map_err(|error| unreadable(&path, &error))?;
    let names = file.names().to_vec();
    if names.first().is_none_or(|name| name != FREQUENCY) {
        let message = format!(
            "`{}` is no frequency response; `dysim --analysis frequency model.dys` writes one",
            path.display()
        );
        return Err((message, Exit::Usage));
    }
    // Four columns for each pair: re, im, dB, deg.
    let pairs: Vec<String> =
        names.iter().filter_map(|name| name.strip_suffix(" re").map(str::to_string)).collect();
    let (chosen, left_out) = chosen(&pairs, options, &path)?;
    let mut wanted = vec![0];
    wanted.extend(chosen.iter().flat_map(|pair| (1..5).map(move |part| 4 * pair + part)));
    let columns = file.read(&wanted).map_err(|error| unreadable(&path, &error))?.columns;
    let pairs = chosen.iter().map(|&pair| pairs[pair].clone());
    let parts = columns[1..].chunks_exact(4);
    let responses: Vec<Response> =
        pairs.zip(parts).map(|(name, c)| Response::of(name, c)).collect();
    let margins = Margins::beside(&path);
    let decades: Vec<f64> = columns[0].iter().map(|f| f.log10()).collect();
    let mut figure = match (options.nyquist, options.nichols) {
        (true, _) => nyquist(&responses, &margins),
        (_, true) => nichols(&responses, &margins),
        _ => bode(&responses, &decades, &margins),
    };
    figure.size = options.size;
    let stem = stem(&path);
    let model = stem.strip_suffix(SUFFIX).unwrap_or(&stem).to_string();
    figure.title = options.title.clone().unwrap_or(model);
    // A gap of a Nyquist plot is wanted.
    let notes = if options.nyquist { Vec::new() } else { notes(&figure, left_out, false) };
    picture::write(&figure, options, &stem, &notes)
}

/// The table; the name of the model is enough.
fn find(path: &Path) -> PathBuf {
    let with = |suffix: &str| {
        let mut name = path.as_os_str().to_os_string();
        name.push(suffix);
        PathBuf::from(name)
    };
    let candidates = [with(&format!("{SUFFIX}.csv")), with(".csv")];
    match path.exists() {
        true => path.to_path_buf(),
        false => candidates.into_iter().find(|path| path.exists()).unwrap_or(path.to_path_buf()),
    }
}

/// The pairs to show, and how many are left out. Of a loop nothing else is shown unless it is asked for.
fn chosen(
    pairs: &[String],
    options: &PlotOptions,
    path: &Path,
) -> Result<(Vec<usize>, usize), Trouble> {
    if options.columns.is_empty() {
        let loops: Vec<usize> =
            (0..pairs.len()).filter(|&pair| pairs[pair].starts_with("loop ")).collect();
        let is_of_loops = (options.nyquist || options.nichols) && !loops.is_empty();
        let mut all: Vec<usize> = if is_of_loops { loops } else { (0..pairs.len()).collect() };
        let left_out = all.len().saturating_sub(CURVES);
        // The loop is the last one.
        all.rotate_right(usize::from(left_out > 0));
        all.truncate(CURVES);
        all.sort_unstable();
        return Ok((all, left_out));
    }
    let found = choice::requested(&options.columns, pairs, &|_| String::new());
    let (groups, left_out) = found.map_err(|name| unknown(&name, pairs, path))?;
    Ok((groups.into_iter().flat_map(|group| group.columns).collect(), left_out))
}

/// The response of a pair.
struct Response {
    name: String,
    re: Vec<f64>,
    im: Vec<f64>,
    /// The same for negative frequencies.
    mirrored: Vec<f64>,
    decibels: Vec<f64>,
    degrees: Vec<f64>,
}

impl Response {
    fn of(name: String, columns: &[Vec<f64>]) -> Self {
        // What is far from the origin leaves a gap in a Nyquist plot.
        let far: Vec<bool> =
            columns[0].iter().zip(&columns[1]).map(|(re, im)| re.hypot(*im) > FAR).collect();
        let has_near = far.contains(&false);
        let shown = |values: &[f64], sign: f64| -> Vec<f64> {
            let pairs = values.iter().zip(&far);
            pairs.map(|(x, far)| if *far && has_near { f64::NAN } else { sign * x }).collect()
        };
        Self {
            name,
            re: shown(&columns[0], 1.0),
            im: shown(&columns[1], 1.0),
            mirrored: shown(&columns[1], -1.0),
            decibels: columns[2].clone(),
            degrees: columns[3].clone(),
        }
    }
}

/// What the log tells of a loop: frequency, Hz, and margin in dB or degrees.
#[derive(Default)]
struct Margins {
    gain: Option<(f64, f64)>,
    phase: Option<(f64, f64)>,
}

impl Margins {
    fn beside(table: &Path) -> Self {
        let mut margins = Self::default();
        let stem = stem(table);
        let model = stem.strip_suffix(SUFFIX).unwrap_or(&stem);
        let Ok(file) = File::open(table.with_file_name(format!("{model}.log"))) else {
            return margins;
        };
        // `gain margin of the loop at c1.y: 15.6 dB (factor 6.0) at 7.1e-1 Hz (4.5e0 rad/s)`
        let read = |line: &str, start: &str| -> Option<(f64, f64)> {
            let (_, rest) = line.strip_prefix(start)?.split_once(": ")?;
            let margin = rest.split(' ').next()?.parse().ok()?;
            let (before, _) = rest.split_once(" Hz")?;
            Some((before.rsplit(' ').next()?.parse().ok()?, margin))
        };
        for line in BufReader::new(file).lines().map_while(Result::ok) {
            margins.gain = margins.gain.or(read(&line, "gain margin of the loop at "));
            margins.phase = margins.phase.or(read(&line, "phase margin of the loop at "));
        }
        margins
    }
}

/// A line through the whole panel.
fn across(level: f64, from: f64, to: f64) -> Vec<(f64, f64)> {
    vec![(from, level), (to, level)]
}

fn bode<'a>(responses: &'a [Response], decades: &'a [f64], margins: &Margins) -> Figure<'a> {
    let curve = |name: &str, y: &'a [f64]| Curve { name: name.into(), x: decades, y };
    let mut gain = Panel { unit: "dB".into(), ..Panel::default() };
    let mut phase = Panel { unit: "\u{b0}".into(), ..Panel::default() };
    for response in responses {
        gain.curves.push(curve(&response.name, &response.decibels));
        phase.curves.push(curve(&response.name, &response.degrees));
    }
    let ends = (decades.first().copied(), decades.last().copied());
    if let (Some(own), (Some(from), Some(to))) =
        (responses.iter().position(|response| response.name.starts_with("loop ")), ends)
    {
        gain.guides.push(across(0.0, from, to));
        // The phase may have gone round before it crosses.
        let turn = margins.gain.map_or(0.0, |(frequency, _)| {
            let at = decades.partition_point(|d| *d < frequency.log10()).min(decades.len() - 1);
            360.0 * ((responses[own].degrees[at] + 180.0) / 360.0).round()
        });
        phase.guides.push(across(turn - 180.0, from, to));
        let dot =
            |at: (f64, f64), label: String| Mark { at, shape: Shape::Dot, colour: own, label };
        if let Some((frequency, margin)) = margins.gain {
            gain.marks
                .push(dot((frequency.log10(), -margin), format!("gain margin {margin:.1} dB")));
        }
        if let Some((frequency, margin)) = margins.phase {
            let place = decades.partition_point(|d| *d < frequency.log10()).min(decades.len() - 1);
            let near = responses[own].degrees[place];
            let angle = margin - 180.0;
            let angle = angle + 360.0 * ((near - angle) / 360.0).round();
            phase
                .marks
                .push(dot((frequency.log10(), angle), format!("phase margin {margin:.1}\u{b0}")));
        }
    }
    Figure {
        panels: vec![gain, phase],
        x_name: "frequency".into(),
        x_unit: "Hz".into(),
        decades: true,
        ..Figure::default()
    }
}

fn nyquist<'a>(responses: &'a [Response], margins: &Margins) -> Figure<'a> {
    let mut panel = Panel { unit: "imaginary part".into(), ..Panel::default() };
    for response in responses {
        let name = response.name.clone();
        panel.curves.push(Curve { name, x: &response.re, y: &response.im });
    }
    // Negative frequencies.
    let mirrored = |response: &Response| {
        let points = response.re.iter().zip(&response.mirrored);
        points.map(|(&x, &y)| (x, y)).collect()
    };
    panel.guides.extend(responses.iter().map(mirrored));
    if responses.iter().any(|response| response.name.starts_with("loop ")) {
        let corner = |k: i32| {
            let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 180.0).sin_cos();
            (cos, sin)
        };
        panel.guides.push((0..=180).map(corner).collect());
        let (at, label) = ((-1.0, 0.0), String::from("\u{2212}1"));
        panel.marks.push(Mark { at, shape: Shape::Cross, colour: 1, label });
        if let Some((_, margin)) = margins.gain {
            let (at, label) =
                ((-10f64.powf(-margin / 20.0), 0.0), format!("gain margin {margin:.1} dB"));
            panel.marks.push(Mark { at, shape: Shape::Dot, colour: 0, label });
        }
        if let Some((_, margin)) = margins.phase {
            let (sin, cos) = (margin - 180.0).to_radians().sin_cos();
            let label = format!("phase margin {margin:.1}\u{b0}");
            panel.marks.push(Mark { at: (cos, sin), shape: Shape::Dot, colour: 0, label });
        }
    }
    Figure {
        panels: vec![panel],
        x_name: "real part".into(),
        phase: true,
        equal: true,
        ..Figure::default()
    }
}

fn nichols<'a>(responses: &'a [Response], margins: &Margins) -> Figure<'a> {
    let mut panel = Panel { unit: "dB".into(), ..Panel::default() };
    for response in responses {
        let name = response.name.clone();
        panel.curves.push(Curve { name, x: &response.degrees, y: &response.decibels });
    }
    if responses.iter().any(|response| response.name.starts_with("loop ")) {
        let (at, label) = ((-180.0, 0.0), String::from("\u{2212}180\u{b0}, 0 dB"));
        panel.marks.push(Mark { at, shape: Shape::Cross, colour: 1, label });
        if let Some((_, margin)) = margins.gain {
            let (at, label) = ((-180.0, -margin), format!("gain margin {margin:.1} dB"));
            panel.marks.push(Mark { at, shape: Shape::Dot, colour: 0, label });
        }
        if let Some((_, margin)) = margins.phase {
            let (at, label) = ((margin - 180.0, 0.0), format!("phase margin {margin:.1}\u{b0}"));
            panel.marks.push(Mark { at, shape: Shape::Dot, colour: 0, label });
        }
    }
    Figure {
        panels: vec![panel],
        x_name: "phase".into(),
        x_unit: "\u{b0}".into(),
        phase: true,
        ..Figure::default()
    }
}
