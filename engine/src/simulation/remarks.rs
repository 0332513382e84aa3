//! What a user should know of a run, in words.

use integrate::Notice;

use crate::system::{System, words};

/// Remarks that are kept; what nobody takes must not pile up.
const KEPT: usize = 1000;

/// Remarks since they were last taken.
#[derive(Default, educe::Educe)]
#[educe(Clone)]
pub(crate) struct Remarks {
    list: Vec<String>,
    /// Stiff equations have been reported.
    is_stiff: bool,
    /// Guards whose chattering has been reported.
    reported: Vec<usize>,
}

impl Remarks {
    /// Adds a remark.
    pub fn add(&mut self, words: String) {
        if self.list.len() < KEPT {
            self.list.push(words);
        }
    }

    /// Takes all remarks away.
    pub fn take(&mut self) -> Vec<String> {
        std::mem::take(&mut self.list)
    }

    /// Makes a remark of what the integration notices, if it is one; gives it for the log.
    pub fn hear(&mut self, system: &System, notice: &Notice<'_>) -> Option<String> {
        let words = match *notice {
            Notice::Switched { .. } | Notice::MuchWork { .. } => return None,
            Notice::ToleranceRaised { t, tolerance } => format!(
                "at t = {t} s the tolerance was below what the arithmetic resolves; raised to RelErr = {:e}, AbsErr = {:e}",
                tolerance.relative, tolerance.absolute
            ),
            Notice::Stiff { t, h, .. } => {
                if std::mem::replace(&mut self.is_stiff, true) {
                    return None;
                }
                format!(
                    "the equations are stiff from t = {t} s on (steps of {h:.1e} s); `Solver = stiff` is made for this"
                )
            }
            Notice::Chattering { t_first, t, events, guard } => {
                // A guard may chatter for the rest of the run: once is enough.
                if self.reported.contains(&guard.0) {
                    return None;
                }
                self.reported.push(guard.0);
                let name = words::element(system, guard.0);
                format!("{name} chatters: {events} events between t = {t_first} s and {t} s")
            }
            Notice::Zeno { t, events, guard, .. } => {
                let name = words::element(system, guard.0);
                format!("{name}: {events} events accumulate at t = {t} s")
            }
        };
        self.add(words.clone());
        Some(words)
    }
}
