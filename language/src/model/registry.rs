//! Every block keyword of the language, in the order of the language reference.

use crate::blocks::graphics::PRIMITIVE;
use crate::blocks::network;
use crate::blocks::{constraints, forces, joints};
use crate::element::BlockSchema;

use super::plugins::PLUGIN;
use crate::blocks::body::{BODY, TRIAD};
use crate::blocks::derived::SIGNAL;
use crate::blocks::formula::FORMULA;
use crate::blocks::general::{HEADER, INCLUDE, OUTPUT, PARAMETERS, SOLVER, SYSTEM};
use crate::blocks::sensor::SENSOR;

/// A chapter of the language reference.
pub struct Chapter {
    /// Title of the chapter.
    pub title: &'static str,
    /// Tables of the blocks in the chapter.
    pub blocks: &'static [&'static [&'static BlockSchema]],
}

/// All blocks by chapter.
pub static CHAPTERS: &[Chapter] = &[
    Chapter { title: "General", blocks: &[&[&HEADER, &SYSTEM, &PARAMETERS, &INCLUDE, &OUTPUT]] },
    Chapter { title: "Solver", blocks: &[&[&SOLVER]] },
    Chapter { title: "Bodies and triads", blocks: &[&[&BODY, &TRIAD, &SENSOR]] },
    Chapter { title: "Joints", blocks: &[joints::SCHEMAS] },
    Chapter { title: "Constraints", blocks: &[constraints::SCHEMAS] },
    Chapter { title: "Forces", blocks: &[forces::SCHEMAS] },
    Chapter { title: "Electrical circuits", blocks: &[network::ELECTRICAL] },
    Chapter { title: "Drive trains", blocks: &[network::ROTATIONAL, network::TRANSLATIONAL] },
    Chapter {
        title: "Machines and joints",
        blocks: &[network::ELECTROMECHANICAL, network::COUPLING],
    },
    Chapter { title: "Heat", blocks: &[network::THERMAL] },
    Chapter { title: "Hydraulics", blocks: &[network::HYDRAULIC] },
    Chapter { title: "Bond graphs", blocks: &[network::BONDS] },
    Chapter {
        title: "Equations of one's own",
        blocks: &[network::EQUATIONS, &[&FORMULA, &SIGNAL]],
    },
    Chapter { title: "Signal blocks", blocks: &[network::signals::SCHEMAS] },
    Chapter { title: "Events and automata", blocks: &[network::ACTIONS] },
    Chapter { title: "Plugins", blocks: &[&[&PLUGIN]] },
    Chapter { title: "Graphics", blocks: &[&[&PRIMITIVE]] },
];

/// All blocks.
pub fn blocks() -> impl Iterator<Item = &'static BlockSchema> {
    CHAPTERS.iter().flat_map(|chapter| chapter.blocks).copied().flatten().copied()
}
