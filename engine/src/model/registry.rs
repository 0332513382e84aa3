//! Every block keyword of the language, in the order of the language reference.

use crate::element::BlockSchema;
use crate::graphics::PRIMITIVE;
use crate::mechanics::{constraints, forces};
use crate::network::elements;

use super::body::{BODY, TRIAD};
use super::general::{HEADER, INCLUDE, OUTPUT, PARAMETERS, SOLVER, SYSTEM};
use super::joint;
use super::plugins::PLUGIN;

/// A chapter of the language reference.
pub struct Chapter {
    /// Its title.
    pub title: &'static str,
    /// Its blocks.
    pub blocks: &'static [&'static [&'static BlockSchema]],
}

/// All blocks by chapter.
pub static CHAPTERS: &[Chapter] = &[
    Chapter { title: "General", blocks: &[&[&HEADER, &SYSTEM, &PARAMETERS, &INCLUDE, &OUTPUT]] },
    Chapter { title: "Solver", blocks: &[&[&SOLVER]] },
    Chapter { title: "Bodies and triads", blocks: &[&[&BODY, &TRIAD]] },
    Chapter { title: "Joints", blocks: &[joint::SCHEMAS] },
    Chapter { title: "Constraints", blocks: &[constraints::SCHEMAS] },
    Chapter { title: "Forces", blocks: &[forces::SCHEMAS] },
    Chapter { title: "Electrical circuits", blocks: &[elements::ELECTRICAL] },
    Chapter { title: "Drive trains", blocks: &[elements::ROTATIONAL, elements::TRANSLATIONAL] },
    Chapter {
        title: "Machines and joints",
        blocks: &[elements::ELECTROMECHANICAL, elements::COUPLING],
    },
    Chapter { title: "Heat", blocks: &[elements::THERMAL] },
    Chapter { title: "Hydraulics", blocks: &[elements::HYDRAULIC] },
    Chapter { title: "Bond graphs", blocks: &[elements::BONDS] },
    Chapter { title: "Signal blocks", blocks: &[elements::signals::SCHEMAS] },
    Chapter { title: "Plugins", blocks: &[&[&PLUGIN]] },
    Chapter { title: "Graphics", blocks: &[&[&PRIMITIVE]] },
];

/// All blocks.
pub fn blocks() -> impl Iterator<Item = &'static BlockSchema> {
    CHAPTERS.iter().flat_map(|chapter| chapter.blocks).copied().flatten().copied()
}
