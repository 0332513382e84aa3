//! Every block keyword of the language, in the order of the language reference.

use crate::element::BlockSchema;
use crate::graphics::PRIMITIVE;
use crate::mechanics::{constraints, forces};
use crate::network::elements;
use crate::plugin::block::PLUGIN;

use super::body::{BODY, TRIAD};
use super::general::{HEADER, INCLUDE, OUTPUT, PARAMETERS, SOLVER, SYSTEM};
use super::joint;

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
    Chapter { title: "Electrical circuits", blocks: &[elements::SCHEMAS] },
    Chapter { title: "Signal blocks", blocks: &[elements::signals::SCHEMAS] },
    Chapter { title: "Plugins", blocks: &[&[&PLUGIN]] },
    Chapter { title: "Graphics", blocks: &[&[&PRIMITIVE]] },
];

/// All blocks.
pub fn blocks() -> impl Iterator<Item = &'static BlockSchema> {
    CHAPTERS.iter().flat_map(|chapter| chapter.blocks).copied().flatten().copied()
}

/// Keywords of the language that are not read yet, by subject.
pub static NOT_YET_READ: &[(&str, &[&str])] =
    &[("drive trains on joints", &["JointAxis"]), ("rolling contact", &["Rolling"])];

/// The subject of a keyword that is not read yet.
pub fn not_yet_read(keyword: &str) -> Option<&'static str> {
    NOT_YET_READ
        .iter()
        .find(|(_, keywords)| keywords.contains(&keyword))
        .map(|(subject, _)| *subject)
}
