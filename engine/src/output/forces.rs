//! `.frc`: state and force of every Contact, in T0 coordinates, force on T0's body.

use std::io;
use std::path::Path;

use super::Rows;
use super::background::Background;
use super::text_table::Table;
use crate::system::{Run, System};
use language::blocks::forces::ForceElement;
use language::model::Model;

/// Quantities written for each contact, with units.
pub(super) const PARTS: [(&str, &str); 16] = [
    ("rx", "m"),
    ("ry", "m"),
    ("rz", "m"),
    ("vx", "m/s"),
    ("vy", "m/s"),
    ("vz", "m/s"),
    ("contact", ""),
    ("stick", ""),
    ("ax", "m"),
    ("ay", "m"),
    ("fx", "N"),
    ("fy", "N"),
    ("fz", "N"),
    ("tx", "Nm"),
    ("ty", "Nm"),
    ("tz", "Nm"),
];

pub(super) struct ForceRows {
    /// Indices of the contacts among the elements of the system.
    contacts: Vec<usize>,
}

/// Whether the model has contacts to report.
pub(super) fn has_contacts(model: &Model) -> bool {
    model.forces.iter().any(|force| matches!(force.what, ForceElement::Contact(_)))
}

pub(super) fn create(path: &Path, system: &System) -> io::Result<(ForceRows, Background)> {
    let is_contact = |block: u32| system.model.blocks[block as usize].schema.keyword == "Contact";
    let elements = system.elements.iter().enumerate();
    let contacts: Vec<usize> =
        elements.filter(|(_, element)| is_contact(element.block)).map(|(at, _)| at).collect();
    let mut columns = vec!["t".to_string()];
    for &contact in &contacts {
        let name = system.model.block_name(system.elements[contact].block);
        columns.extend(PARTS.map(|(part, _)| format!("{name}.{part}")));
    }
    Ok((ForceRows { contacts }, Table::start(path, &columns)?))
}

impl Rows for ForceRows {
    fn fill(&mut self, t: f64, run: &Run<'_>, row: &mut Vec<f64>) {
        row.push(t);
        for &contact in &self.contacts {
            let report = run.contact_report(contact).unwrap_or_default();
            row.extend_from_slice(&report.position.to_array());
            row.extend_from_slice(&report.velocity.to_array());
            row.extend_from_slice(&[f64::from(report.contact), f64::from(report.stick)]);
            row.extend_from_slice(&report.anchor);
            row.extend_from_slice(&report.force.to_array());
            row.extend_from_slice(&report.torque.to_array());
        }
    }
}
