//! A run that writes the result files of a model, and the information about a model that needs no run.

use std::cell::RefCell;

use language::bondgraph::{self, Exported};

use super::{Error, Model};
use crate::simulation::{self, Options, Progress, Summary};
use crate::system::Run;

/// The result of a run that wrote files.
#[derive(Debug)]
pub struct Outcome {
    /// Summary of the run, with the files that were written.
    pub summary: Summary,
    /// Why the run ended early; the files keep the rows that were finished.
    pub error: Option<Error>,
}

impl Model {
    /// Runs the model from `Tstart` to `Tend`, or makes the analysis that its Solver block asks for, and writes the
    /// result files, as the command line does.
    ///
    /// # Errors
    /// If the model cannot be simulated, or if a file cannot be created.
    pub fn simulate(
        &self,
        options: Options<'_>,
        progress: &mut dyn Progress,
    ) -> Result<Outcome, Error> {
        let sources = &self.checked().sources;
        let outcome = simulation::simulate(self.system()?, self.varied()?, options, progress);
        let (summary, error) = outcome.map_err(|error| Error::of_run(error, sources))?;
        let error = error.map(|error| Error::of_run(error, sources));
        Ok(Outcome { summary, error })
    }

    /// The equations of the networks as they are sorted at the start; `None` if there are no networks.
    ///
    /// # Errors
    /// If the model has no initial values.
    pub fn equations(&self) -> Result<Option<String>, Error> {
        let system = self.system()?;
        let sources = &system.model.sources;
        let mut run = Run::new(system);
        let mut y = system.initial_state();
        let assembled = run.assemble(system.model.solver.start, &mut y);
        assembled.map_err(|mistake| Error::of_simulation([*mistake], sources))?;
        run.begin(&mut y).map_err(|failure| {
            Error::of_simulation([simulation::no_start(system, failure)], sources)
        })?;
        Ok(system.network.is_some().then(|| run.equations()))
    }

    /// A model in which the networks are a bond graph, simplified if wanted. Storages hold at its start what
    /// they hold at the start of this model. What has no kind in bond graphs stays in its network.
    ///
    /// # Errors
    /// If the model has no initial values.
    pub fn bond_graph(&self, simplified: bool) -> Result<Exported, Error> {
        let session = RefCell::new(self.session()?);
        let at_start = |path: &str| Some(session.borrow_mut().signal(path).ok()?.value());
        Ok(bondgraph::export(self.checked(), simplified, &at_start))
    }
}
