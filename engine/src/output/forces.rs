//! `.frc`: state and force of every Contact, in T0 coordinates, force on T0's body.

use std::io;
use std::path::{Path, PathBuf};

use super::Rows;
use super::table::Table;
use crate::mechanics::forces::ForceElement;
use crate::model::Model;
use crate::system::{Run, System};

pub(super) struct ForceFile {
    table: Table,
    /// Indices of the contacts among the elements of the system.
    contacts: Vec<usize>,
}

/// Has the model anything to report here?
pub(super) fn has_contacts(model: &Model) -> bool {
    model.forces.iter().any(|force| matches!(force.what, ForceElement::Contact(_)))
}

impl ForceFile {
    pub fn create(path: &Path, system: &System<'_>) -> io::Result<Self> {
        let is_contact =
            |block: u32| system.model.blocks[block as usize].schema.keyword == "Contact";
        let elements = system.elements.iter().enumerate();
        let contacts: Vec<usize> =
            elements.filter(|(_, element)| is_contact(element.block)).map(|(at, _)| at).collect();
        let mut columns = vec!["t".to_string()];
        let parts = "rx ry rz vx vy vz contact stick ax ay fx fy fz tx ty tz";
        for &contact in &contacts {
            let name = system.model.block_name(system.elements[contact].block);
            columns.extend(parts.split(' ').map(|part| format!("{name}.{part}")));
        }
        Ok(Self { table: Table::create(path, &columns)?, contacts })
    }
}

impl Rows for ForceFile {
    fn row(&mut self, t: f64, run: &Run<'_, '_>) -> io::Result<()> {
        self.table.number(t);
        for &contact in &self.contacts {
            let report = run.contact_report(contact).unwrap_or_default();
            self.table.numbers(&report.position.to_array());
            self.table.numbers(&report.velocity.to_array());
            self.table.numbers(&[f64::from(report.contact), f64::from(report.stick)]);
            self.table.numbers(&report.anchor);
            self.table.numbers(&report.force.to_array());
            self.table.numbers(&report.torque.to_array());
        }
        self.table.end_row()
    }

    fn finish(self: Box<Self>, stopped: Option<f64>) -> io::Result<PathBuf> {
        self.table.finish(stopped)
    }
}
