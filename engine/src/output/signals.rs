//! `.csv`: chosen signals, as RFC 4180 has it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Rows, SafeFile};
use crate::system::{Run, SignalSource, System, source};

pub(super) struct SignalFile {
    file: SafeFile,
    sources: Vec<SignalSource>,
    line: Vec<u8>,
}

impl SignalFile {
    pub fn create(path: &Path, system: &System<'_>) -> io::Result<Self> {
        let columns = super::columns(system.model);
        let mut file = SafeFile::create(path)?;
        let names = columns.iter().map(|&signal| system.model.signal_name(signal));
        let header: Vec<String> = std::iter::once("t".to_string()).chain(names).collect();
        write!(file, "{}\r\n", header.join(","))?;
        let sources = columns.into_iter().map(|signal| source(system, signal)).collect();
        Ok(Self { file, sources, line: Vec::new() })
    }
}

impl Rows for SignalFile {
    fn row(&mut self, t: f64, run: &Run<'_, '_>) -> io::Result<()> {
        self.line.clear();
        write!(self.line, "{t:.16e}")?;
        for &source in &self.sources {
            let value = run.signal(source);
            // Forces that do not act are common, and need no conversion.
            match value.to_bits() {
                0 => self.line.extend_from_slice(b",0.0000000000000000e0"),
                _ => write!(self.line, ",{value:.16e}")?,
            }
        }
        self.line.extend_from_slice(b"\r\n");
        self.file.write_all(&self.line)
    }

    fn finish(self: Box<Self>, _: Option<f64>) -> io::Result<PathBuf> {
        self.file.finish()
    }
}
