//! Results that plugins write themselves.

use std::io;
use std::path::{Path, PathBuf};

use parser::diagnostic::Diagnostic;

use crate::codes;
use crate::system::{Run, System};
use language::blocks::general::OutputType;
use language::plugin::instance::{Writing, guarded};
use language::plugin::{Ending, Observed, Place, State};

/// The outputs of all plugins of a run.
#[derive(Default)]
pub struct PluginOutputs {
    /// Index of the plugin, and what it keeps open.
    open: Vec<(usize, Box<dyn Writing>)>,
}

impl PluginOutputs {
    /// Opens them, unless the model wants no results.
    ///
    /// # Errors
    /// If an output cannot be opened; the outputs opened before are finished.
    pub fn create(system: &System, directory: &Path) -> Result<Self, Box<Diagnostic>> {
        let model = &system.model;
        let mut all = Self::default();
        if model.output.is_none() && model.header.output_type == OutputType::None {
            return Ok(all);
        }
        let t = model.solver.start;
        for (index, plugin) in system.plugins.list.iter().enumerate() {
            let place = Place::new(directory, model, plugin.block);
            let opened = guarded(|| plugin.instance.open(&place).transpose());
            match judged(system, index, t, opened) {
                Ok(writer) => all.open.extend(writer.map(|writer| (index, writer))),
                Err(mistake) => {
                    // The first failure is the one to report.
                    let _ = all.finish(system, Ending { t, complete: false });
                    return Err(mistake);
                }
            }
        }
        Ok(all)
    }

    /// Whether no plugin writes output.
    pub fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Lets them write at an output time.
    ///
    /// # Errors
    /// If one fails.
    pub fn write(&mut self, run: &Run<'_>) -> Result<(), Box<Diagnostic>> {
        self.each(run, |writer, now| writer.write(now))
    }

    /// Lets them write at an event.
    ///
    /// # Errors
    /// If one fails.
    pub fn event(&mut self, run: &Run<'_>) -> Result<(), Box<Diagnostic>> {
        self.each(run, |writer, now| writer.event(now))
    }

    fn each(
        &mut self,
        run: &Run<'_>,
        write: impl Fn(&mut dyn Writing, &State<'_>) -> io::Result<()>,
    ) -> Result<(), Box<Diagnostic>> {
        for (index, writer) in &mut self.open {
            let now = State::new(run, *index);
            let written = guarded(|| write(&mut **writer, &now));
            judged(run.system, *index, run.time(), written)?;
        }
        Ok(())
    }

    /// Finishes all outputs; gives the files that they name, and the first failure if there is one.
    pub fn finish(
        self,
        system: &System,
        ending: Ending,
    ) -> (Vec<PathBuf>, Option<Box<Diagnostic>>) {
        let (mut files, mut failure) = (Vec::new(), None);
        for (index, writer) in self.open {
            match judged(system, index, ending.t, guarded(|| writer.finish(ending))) {
                Ok(path) => files.extend(path),
                Err(mistake) => failure = failure.or(Some(mistake)),
            }
        }
        (files, failure)
    }
}

/// The result of a call of a plugin; a failure gets the place of the plugin's block.
fn judged<T>(
    system: &System,
    plugin: usize,
    t: f64,
    outcome: Result<io::Result<T>, String>,
) -> Result<T, Box<Diagnostic>> {
    let reason = match outcome {
        Ok(Ok(value)) => return Ok(value),
        Ok(Err(error)) => format!("it cannot write its results: {error}"),
        Err(message) => format!("it panicked: {message}"),
    };
    let (model, block) = (&system.model, system.plugins.list[plugin].block);
    let name = model.block_name(block);
    let message = format!("the simulation stops at t = {t} s: Plugin `{name}`: {reason}");
    Err(Box::new(Diagnostic::new(codes::OUTPUT_FAILED, model.name_span(block), message)))
}
