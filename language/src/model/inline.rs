//! Prescribed motions may name signal blocks that are functions of time alone: what these say takes their place,
//! because a motion is differentiated twice.

use super::Model;
use crate::blocks::constraints::Constraint;
use crate::element::Family;
use crate::reading::names::BlockEntry;
use equations::expression::{Program, SignalRef};

/// Puts sources into the motions that name them.
pub(crate) fn sources(model: &mut Model, blocks: &[BlockEntry]) {
    let Model { constraints, elements, .. } = model;
    let of_time = |signal: SignalRef| -> Option<Program> {
        let entry = blocks.get(signal.block as usize)?;
        let element = elements.get(entry.handle as usize)?;
        let name = entry.schema.all_signals().nth(usize::from(signal.signal))?.name;
        (entry.schema.family == Family::Network).then(|| element.what.of_time(name))?
    };
    for constraint in constraints {
        if let Constraint::Motion(motion) = &mut constraint.what {
            for program in &mut motion.q.0 {
                *program = program.with_programs(of_time);
            }
        }
    }
}
