//! `dysim plot`: columns of a result file as a picture.

mod log;
mod picture;
mod poles;
mod response;

use std::path::{Path, PathBuf};

use parser::exit::Exit;
use parser::suggest::nearest;
use plots::choice::{self, Group};
use plots::table::{TableError, TableFile};
use plots::{Curve, Figure, Panel};

use self::log::RunLog;
use crate::arguments::PlotOptions;
use crate::terminal;

/// Degrees in a radian.
const DEGREES: f64 = 180.0 / std::f64::consts::PI;

/// Reads the table, makes the figure, writes the pictures.
pub fn run(options: &PlotOptions) -> Exit {
    match plot(options) {
        Ok(()) => Exit::Done,
        Err((message, exit)) => {
            if !message.is_empty() {
                terminal::complain(&message);
            }
            exit
        }
    }
}

/// A message and the exit code of the program.
type Trouble = (String, Exit);

fn plot(options: &PlotOptions) -> Result<(), Trouble> {
    if options.poles {
        return poles::plot(options);
    }
    if response::is_asked(options) {
        return response::plot(options);
    }
    let path = find(&options.table)?;
    let log = RunLog::beside(&path);
    let file = TableFile::open(&path).map_err(|error| unreadable(&path, &error))?;
    let names = file.names().to_vec();
    let unit = |name: &str| log.unit(name);
    let (mut groups, left_out) = match options.columns.is_empty() {
        true => choice::usual(&names, &unit),
        false => chosen(&options.columns, &names, &unit, &path)?,
    };
    let x = match &options.over {
        None => 0,
        Some(name) => only_column(name, &names, &path)?,
    };
    if options.columns.is_empty() {
        groups.iter_mut().for_each(|group| group.columns.retain(|&column| column != x));
    }
    groups.retain(|group| !group.columns.is_empty());
    let energies = match options.columns.is_empty() && options.over.is_none() {
        true => Energies::beside(&path, options),
        false => None,
    };
    if groups.is_empty() && energies.is_none() {
        return Err((
            format!("`{}` has one column only: nothing to plot", path.display()),
            Exit::Machine,
        ));
    }
    // The time, the x axis, then the curves.
    let mut wanted = vec![0, x];
    wanted.extend(groups.iter().flat_map(|group| &group.columns));
    let table = file.read(&wanted).map_err(|error| unreadable(&path, &error))?;
    let units: Vec<String> = wanted.iter().map(|&column| log.unit(&names[column])).collect();
    let columns = shown_rows(table.columns, &units, options);
    if columns[0].is_empty() {
        return Err((
            format!("`{}` has no rows in this span of time", path.display()),
            Exit::Usage,
        ));
    }
    let mut figure = figure(&groups, &names, &columns, options);
    figure.x_name = names[x].clone();
    figure.x_unit = printed(&units[1], options.degrees);
    if let Some(energies) = &energies {
        figure.panels.push(energies.panel());
    }
    if !options.no_events {
        figure.events = log.events.clone();
    }
    figure.title = options.title.clone().unwrap_or_else(|| stem(&path));
    let notes = notes(&figure, left_out, table.torn);
    picture::write(&figure, options, &stem(&path), &notes)
}

/// The table; a result file may be named without its suffix.
fn find(path: &Path) -> Result<PathBuf, Trouble> {
    if path.extension().is_some_and(|extension| extension == "dys") {
        let shown = path.display();
        let message =
            format!("`{shown}` is a model; `dysim {shown} --plot` runs it and plots the results");
        return Err((message, Exit::Usage));
    }
    let mut suffixed = path.as_os_str().to_os_string();
    suffixed.push(".csv");
    let suffixed = PathBuf::from(suffixed);
    Ok(if !path.exists() && suffixed.exists() { suffixed } else { path.to_path_buf() })
}

fn unreadable(path: &Path, error: &TableError) -> Trouble {
    (format!("cannot plot `{}`: {error}", path.display()), Exit::Machine)
}

fn chosen(
    requests: &[String],
    names: &[String],
    unit: &dyn Fn(&str) -> String,
    path: &Path,
) -> Result<(Vec<Group>, usize), Trouble> {
    choice::requested(requests, names, unit).map_err(|name| match name.is_empty() {
        true => ("`-y` names no column".to_string(), Exit::Usage),
        false => unknown(&name, names, path),
    })
}

/// The column of the x axis.
fn only_column(name: &str, names: &[String], path: &Path) -> Result<usize, Trouble> {
    names.iter().position(|known| known == name).ok_or_else(|| unknown(name, names, path))
}

/// Reports an unknown column with the nearest name, or with some of the names there are.
fn unknown(name: &str, names: &[String], path: &Path) -> Trouble {
    let help = match nearest(name, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let more = if names.len() > 12 {
                format!(", ... ({} in all)", names.len())
            } else {
                String::new()
            };
            format!("its columns are {}{more}", names[..names.len().min(12)].join(", "))
        }
    };
    (format!("`{}` has no column `{name}`; {help}", path.display()), Exit::Usage)
}

/// The rows within the wanted span of time, angles converted if that is wanted.
fn shown_rows(columns: Vec<Vec<f64>>, units: &[String], options: &PlotOptions) -> Vec<Vec<f64>> {
    let from = options.from.unwrap_or(f64::NEG_INFINITY);
    let to = options.to.unwrap_or(f64::INFINITY);
    // Without a span, rows whose time is missing stay.
    let whole = options.from.is_none() && options.to.is_none();
    let keep: Vec<bool> = columns[0].iter().map(|&t| whole || (t >= from && t <= to)).collect();
    let converted = |column: Vec<f64>, unit: &String| {
        let factor = if options.degrees && unit.starts_with("rad") { DEGREES } else { 1.0 };
        column.into_iter().zip(&keep).filter(|(_, keep)| **keep).map(|(v, _)| v * factor).collect()
    };
    columns.into_iter().zip(units).map(|(column, unit)| converted(column, unit)).collect()
}

/// The unit of what is shown.
fn printed(unit: &str, degrees: bool) -> String {
    match unit.strip_prefix("rad") {
        Some(rest) if degrees => format!("\u{b0}{rest}"),
        _ => unit.to_string(),
    }
}

fn figure<'a>(
    groups: &[Group],
    names: &[String],
    columns: &'a [Vec<f64>],
    options: &PlotOptions,
) -> Figure<'a> {
    let mut next = columns.iter().skip(2);
    let panels = groups.iter().map(|group| {
        let curves = group.columns.iter().zip(&mut next);
        let curves =
            curves.map(|(&column, y)| Curve { name: names[column].clone(), x: &columns[1], y });
        let (unit, curves) = (printed(&group.unit, options.degrees), curves.collect());
        Panel { unit, curves, ..Panel::default() }
    });
    Figure {
        panels: panels.collect(),
        phase: options.over.is_some(),
        size: options.size,
        ..Figure::default()
    }
}

/// The energies of the system, from the table beside the signals.
struct Energies {
    t: Vec<f64>,
    potential: Vec<f64>,
    kinetic: Vec<f64>,
    total: Vec<f64>,
}

impl Energies {
    fn beside(path: &Path, options: &PlotOptions) -> Option<Self> {
        if path.extension().is_none_or(|extension| extension != "csv") {
            return None;
        }
        // A run without this file has no such panel.
        let file = TableFile::open(&path.with_extension("epl")).ok()?;
        let at = |name: &str| file.names().iter().position(|known| known == name);
        let wanted = [at("t")?, at("system.epot")?, at("system.ekin")?];
        let columns = file.read(&wanted).ok()?.columns;
        let units = [String::new(), String::new(), String::new()];
        let [t, potential, kinetic] =
            <[_; 3]>::try_from(shown_rows(columns, &units, options)).ok()?;
        let total = potential.iter().zip(&kinetic).map(|(a, b)| a + b).collect();
        Some(Self { t, potential, kinetic, total })
    }

    fn panel(&self) -> Panel<'_> {
        let curve = |name: &str, y| Curve { name: name.to_string(), x: &self.t, y };
        let curves = vec![
            curve("potential energy", self.potential.as_slice()),
            curve("kinetic energy", &self.kinetic),
            curve("sum", &self.total),
        ];
        Panel { unit: "J".into(), curves, ..Panel::default() }
    }
}

/// Remarks for the user about the figure.
fn notes(figure: &Figure<'_>, left_out: usize, torn: bool) -> Vec<String> {
    let mut notes = Vec::new();
    if left_out > 0 {
        notes.push(format!("{left_out} more columns are not shown; choose them with -y"));
    }
    if torn {
        notes.push("the last row is not complete and left out".to_string());
    }
    for curve in figure.panels.iter().flat_map(|panel| &panel.curves) {
        let missing = curve.y.iter().filter(|value| !value.is_finite()).count();
        if missing > 0 {
            let (name, rows) = (&curve.name, curve.y.len());
            notes.push(format!("`{name}` has no finite value in {missing} of {rows} rows"));
        }
    }
    notes
}

/// The name of a file without folder and suffix.
fn stem(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}
