//! Poles and zeros of a linear model in the complex plane.

use std::path::Path;

use plots::table::TableFile;
use plots::{Figure, Mark, Panel, Shape};

use super::{Trouble, picture, stem, unreadable};
use crate::arguments::PlotOptions;

/// What stands before `.csv` in the names of the tables.
const POLES: &str = "_eigenvalues";
const ZEROS: &str = "_zeros";

/// Draws crosses and circles.
pub fn plot(options: &PlotOptions) -> Result<(), Trouble> {
    let stem_of = |path: &Path| {
        let stem = stem(path);
        stem.strip_suffix(POLES).map_or(stem.clone(), str::to_string)
    };
    let model = match options.table.extension().is_some_and(|e| e == "csv") {
        true => stem_of(&options.table),
        false => options.table.file_name().unwrap_or_default().to_string_lossy().into_owned(),
    };
    let beside = |part: &str| options.table.with_file_name(format!("{model}{part}.csv"));
    let mut panel = Panel { unit: "1/s".into(), ..Panel::default() };
    panel.marks.extend(marks(&beside(POLES), Shape::Cross)?);
    // A table without rows is that of a model without zeros.
    panel.marks.extend(marks(&beside(ZEROS), Shape::Ring).unwrap_or_default());
    // The border of stability, and the real axis.
    let extent = |of: fn(&Mark) -> f64| {
        panel.marks.iter().map(of).fold([0.0_f64, 0.0], |[low, high], x| [low.min(x), high.max(x)])
    };
    let ([left, right], [low, high]) = (extent(|mark| mark.at.0), extent(|mark| mark.at.1));
    panel.guides.push(vec![(0.0, low), (0.0, high)]);
    panel.guides.push(vec![(left, 0.0), (right, 0.0)]);
    let figure = Figure {
        title: options
            .title
            .clone()
            .unwrap_or_else(|| format!("{model}: poles (crosses) and zeros (circles)")),
        panels: vec![panel],
        x_name: "real part".into(),
        x_unit: "1/s".into(),
        phase: true,
        size: options.size,
        ..Figure::default()
    };
    picture::write(&figure, options, &format!("{model}_poles"), &[])
}

/// The numbers of a table, each with its conjugate.
fn marks(path: &Path, shape: Shape) -> Result<Vec<Mark>, Trouble> {
    let file = TableFile::open(path).map_err(|error| unreadable(path, &error))?;
    let at = |name: &str| file.names().iter().position(|known| known == name).unwrap_or(0);
    let wanted = [at("real_1_per_s"), at("imaginary_1_per_s")];
    let columns = file.read(&wanted).map_err(|error| unreadable(path, &error))?.columns;
    let colour = if shape == Shape::Cross { 0 } else { 1 };
    let mark = |at: (f64, f64)| Mark { at, shape, colour, label: String::new() };
    let pairs = columns[0].iter().zip(&columns[1]);
    let all = pairs.flat_map(|(&re, &im)| {
        let conjugate = (im != 0.0).then_some((re, -im));
        [Some((re, im)), conjugate].into_iter().flatten()
    });
    Ok(all.map(mark).collect())
}
