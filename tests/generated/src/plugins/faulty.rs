//! Fails when and how its parameters say; writes a row of its own at every output time until then.

#![allow(clippy::panic, reason = "that is what it is for")]

use std::io::{self, Write};
use std::path::PathBuf;

use engine::plugin::prelude::*;

plugin_words! {
    /// Where it fails.
    pub enum Where {
        /// Nowhere.
        Nowhere = "nowhere",
        /// When it is made.
        New = "new",
        /// In the right-hand side.
        Apply = "apply",
        /// In the right-hand side, on a coordinate.
        Generalised = "generalised",
        /// In its switching function.
        Guard = "guard",
        /// When it switches.
        Switch = "switch",
        /// In its signals.
        Signals = "signals",
        /// In its energy.
        Energy = "energy",
        /// When its output is opened.
        Create = "create",
        /// At an output time.
        Write = "write",
        /// At an event.
        Event = "event",
        /// When its output is closed.
        Finish = "finish",
    }
}

plugin_words! {
    /// How it fails.
    pub enum How {
        /// It panics.
        Panics = "panic",
        /// It gives a number that is not finite.
        NotANumber = "nan",
        /// It reports an error, or a value that does not exist.
        Refuses = "error",
    }
}

plugin_parameters! {
    /// When and how.
    pub struct FaultyParameters {
        place: Where = "Where", Unit::None, Word("nowhere"), Any, "where it fails";
        how: How = "How", Unit::None, Word("panic"), Any, "how it fails";
        at: f64 = "At", Unit::Is("s"), Number(0.25), Any, "when it begins to fail";
        body: BodyHandle = "Body", Unit::None, Required, Any, "the body on which it acts";
        joint: JointHandle = "Joint", Unit::None, Required, Any, "the joint on which it acts";
    }
}

pub struct Faulty(FaultyParameters);

impl Faulty {
    /// The number, unless it is time to fail here.
    fn fail(&self, place: Where, t: f64, number: f64) -> f64 {
        if self.0.place != place || t <= self.0.at {
            return number;
        }
        match self.0.how {
            How::Panics => panic!("this was\n  to be expected"),
            How::NotANumber => f64::NAN,
            How::Refuses => number,
        }
    }

    fn result(&self, place: Where, t: f64) -> io::Result<()> {
        self.fail(place, t, 0.0);
        match self.0.place == place && self.0.how == How::Refuses && t > self.0.at {
            true => Err(io::Error::other("the pen is dry")),
            false => Ok(()),
        }
    }
}

impl Plugin for Faulty {
    const TYPE: &'static str = "faulty";
    const ABOUT: &'static str = "Fails.";
    const ROLES: Roles<Self> = Roles::none().force().states().output();
    const SIGNALS: &'static [SignalSchema] = &[signal("one", "", "always 1")];
    type Parameters = FaultyParameters;

    fn new(parameters: FaultyParameters, _: &Setup<'_>) -> Result<Self, Refusal> {
        let plugin = Self(parameters);
        plugin
            .result(Where::New, f64::INFINITY)
            .map_err(|error| Refusal::new(error.to_string()))?;
        Ok(plugin)
    }

    fn signals(&self, now: &State<'_>, values: &mut [f64]) {
        values[0] = self.fail(Where::Signals, now.t(), 1.0);
    }
}

impl Force for Faulty {
    fn apply(&self, now: &State<'_>, forces: &mut Forces) -> Result<(), Undefined> {
        let force = self.fail(Where::Apply, now.t(), 0.0);
        self.result(Where::Apply, now.t()).map_err(|error| Undefined::from(error.to_string()))?;
        forces.force(self.0.body, now.body(self.0.body).position(), vec3(force, 0.0, 0.0));
        let refused = self.result(Where::Generalised, now.t()).is_err();
        let force = self.fail(Where::Generalised, now.t(), 0.0);
        forces.generalised(self.0.joint, if refused { 9 } else { 0 }, force);
        Ok(())
    }

    fn is_conservative(&self) -> bool {
        self.0.place == Where::Energy
    }

    fn energy(&self, now: &State<'_>) -> f64 {
        self.fail(Where::Energy, now.t(), 0.0)
    }
}

impl DiscreteStates for Faulty {
    fn states(&self) -> Vec<DiscreteState> {
        vec![DiscreteState::new("half", &["first", "second"])]
    }

    /// Switches at t = 0.3 s.
    fn switching_function(&self, _: usize, now: &State<'_>) -> f64 {
        let g = if now.state(0) == 0 { 0.3 - now.t() } else { 1.0 };
        self.fail(Where::Guard, now.t(), g)
    }

    fn switch(&self, _: usize, now: &State<'_>, _: &mut [f64]) -> u8 {
        self.fail(Where::Switch, now.t(), 0.0);
        if self.result(Where::Switch, now.t()).is_err() { 7 } else { 1 }
    }
}

impl Output for Faulty {
    type Writer = SafeFile;

    fn create(&self, place: &Place<'_>) -> io::Result<SafeFile> {
        self.result(Where::Create, f64::INFINITY)?;
        place.file("rows")
    }

    fn write(&self, file: &mut SafeFile, now: &State<'_>) -> io::Result<()> {
        self.result(Where::Write, now.t())?;
        writeln!(file, "{}", now.t())
    }

    fn event(&self, file: &mut SafeFile, now: &State<'_>) -> io::Result<()> {
        self.result(Where::Event, now.t())?;
        writeln!(file, "{} event", now.t())
    }

    fn finish(&self, mut file: SafeFile, ending: Ending) -> io::Result<Option<PathBuf>> {
        self.result(Where::Finish, f64::INFINITY)?;
        writeln!(file, "{}", if ending.complete { "complete" } else { "incomplete" })?;
        file.finish().map(Some)
    }
}
