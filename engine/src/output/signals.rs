//! `.csv`: chosen signals, as RFC 4180 has it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parser::digits::push_seventeen;

use super::Rows;
use super::background::{Background, Text};
use super::matrix::quoted;
use crate::sensitivity::Bundle;
use crate::system::{Run, SignalSource, System, source};
use language::safe_file::SafeFile;

pub(super) struct SignalRows {
    sources: Vec<SignalSource>,
}

pub(super) fn create(path: &Path, system: &System) -> io::Result<(SignalRows, Background)> {
    let columns = super::columns(&system.model);
    let mut file = SafeFile::create(path)?;
    write!(file, "t")?;
    for &signal in &columns {
        write!(file, ",{}", quoted(&system.model.signal_name(signal)))?;
    }
    let parameters = super::sensitivity_parameters(&system.model);
    for parameter in &parameters {
        for &signal in &columns {
            let name = format!("{}/{parameter}", system.model.signal_name(signal));
            write!(file, ",{}", quoted(&name))?;
        }
    }
    write!(file, "\r\n")?;
    let n_columns = 1 + columns.len() * (1 + parameters.len());
    let sources = columns.into_iter().map(|signal| source(system, signal)).collect();
    let background = Background::start(Box::new(SignalText { file }), n_columns)?;
    Ok((SignalRows { sources }, background))
}

impl Rows for SignalRows {
    fn fill(&mut self, t: f64, run: &Run<'_>, row: &mut Vec<f64>) {
        row.push(t);
        row.extend(self.sources.iter().map(|&source| run.signal(source)));
    }

    fn fill_sensitivities(&mut self, bundle: &Bundle<'_>, row: &mut Vec<f64>) {
        row.extend(bundle.sensitivities(&self.sources));
    }
}

struct SignalText {
    file: SafeFile,
}

impl Text for SignalText {
    fn row(&mut self, numbers: &[f64]) -> io::Result<()> {
        self.file.append(|text| {
            for (column, &number) in numbers.iter().enumerate() {
                if column > 0 {
                    text.push(b',');
                }
                push_seventeen(text, number);
            }
            text.extend_from_slice(b"\r\n");
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn finish(self: Box<Self>, _: Option<f64>) -> io::Result<PathBuf> {
        self.file.finish()
    }
}
