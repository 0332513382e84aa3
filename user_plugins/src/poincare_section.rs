//! A Poincare section: one row each time a signal passes a value, at the very instant.
//!
//! The side on which the signal lies is a discrete state, so that each passage is an event that the
//! integrator locates to rounding; the row shows the state at this event.

use std::io::{self, Write};
use std::path::PathBuf;

use engine::plugin::prelude::*;

plugin_words! {
    /// Passages that count.
    pub enum Direction {
        /// From below.
        Up = "up",
        /// From above.
        Down = "down",
        /// Any.
        Both = "both",
    }
}

plugin_parameters! {
    /// What a section is made of.
    pub struct SectionParameters {
        section: Signals = "Section", Unit::None, Required, Any, "the signal that passes the value";
        value: f64 = "Value", Unit::None, Number(0.0), Any, "the value that it passes";
        direction: Direction = "Direction", Unit::None, Word("up"), Any, "which passages count";
        columns: Signals = "Columns", Unit::None, Required, Any, "signals of positions and velocities that are written";
    }
}

/// A section through the motion.
pub struct PoincareSection {
    section: SignalHandle,
    value: f64,
    direction: Direction,
    names: Vec<String>,
    columns: Vec<SignalHandle>,
}

const VALUES: &[&str] = &["below", "above"];
const ABOVE: u8 = 1;

impl Plugin for PoincareSection {
    const TYPE: &'static str = "poincare_section";
    const ABOUT: &'static str =
        "Writes signals to <ModelName>.<name>.csv each time another signal passes a value.";
    const ROLES: Roles<Self> = Roles::none().states().output();
    type Parameters = SectionParameters;

    fn new(p: SectionParameters, setup: &Setup<'_>) -> Result<Self, Refusal> {
        let [section] = setup.signals(&p.section)?[..] else {
            return Err(Refusal::of("Section", "one signal makes the section, not several"));
        };
        let name = |(signal, _): &(_, _)| setup.model().signal_name(*signal);
        Ok(Self {
            section,
            value: p.value,
            direction: p.direction,
            names: p.columns.0.iter().map(name).collect(),
            columns: setup.signals(&p.columns)?,
        })
    }
}

impl DiscreteStates for PoincareSection {
    fn states(&self) -> Vec<DiscreteState> {
        vec![DiscreteState::new("", VALUES).with_scale(self.value.abs().max(1.0))]
    }

    fn switching_function(&self, _: usize, now: &State<'_>) -> f64 {
        let distance = now.signal(self.section) - self.value;
        if now.state(0) == ABOVE { distance } else { -distance }
    }

    fn switch(&self, _: usize, now: &State<'_>, _: &mut [f64]) -> u8 {
        1 - now.state(0)
    }
}

impl Output for PoincareSection {
    type Writer = SafeFile;

    fn create(&self, place: &Place<'_>) -> io::Result<SafeFile> {
        let mut file = place.file("csv")?;
        write!(file, "t,{}\r\n", self.names.join(","))?;
        Ok(file)
    }

    fn event(&self, file: &mut SafeFile, now: &State<'_>) -> io::Result<()> {
        let counts = match self.direction {
            Direction::Up => now.state(0) == ABOVE,
            Direction::Down => now.state(0) != ABOVE,
            Direction::Both => true,
        };
        if !(counts && now.switched(0)) {
            return Ok(());
        }
        write!(file, "{:.16e}", now.t())?;
        for &column in &self.columns {
            write!(file, ",{:.16e}", now.signal(column))?;
        }
        write!(file, "\r\n")
    }

    fn finish(&self, file: SafeFile, _: Ending) -> io::Result<Option<PathBuf>> {
        file.finish().map(Some)
    }
}
