//! `.epl`: energies, centre of gravity, momentum and angular momentum, of the system and of each body.

use std::io;
use std::path::{Path, PathBuf};

use super::Rows;
use super::table::Table;
use crate::mechanics::Vec3;
use crate::mechanics::energy::Balance;
use crate::model::Model;
use crate::system::Run;

const PARTS: [&str; 11] = ["epot", "ekin", "cx", "cy", "cz", "px", "py", "pz", "lx", "ly", "lz"];

pub(super) struct EnergyFile {
    table: Table,
    n_bodies: usize,
    /// Energies, momenta and centre of each body in the present row.
    bodies: Vec<(Balance, Vec3)>,
}

impl EnergyFile {
    pub fn create(path: &Path, model: &Model) -> io::Result<Self> {
        let names = model.bodies.iter().map(|body| model.block_name(body.block));
        let mut columns = vec!["t".to_string()];
        for name in std::iter::once("system").chain(names) {
            columns.extend(PARTS.map(|part| format!("{name}.{part}")));
        }
        Ok(Self {
            table: Table::create(path, &columns)?,
            n_bodies: model.bodies.len(),
            bodies: Vec::new(),
        })
    }

    fn write(&mut self, balance: &Balance, centre: Vec3) {
        self.table.numbers(&[balance.potential, balance.kinetic]);
        for vector in [centre, balance.momentum, balance.angular_momentum] {
            self.table.numbers(&vector.to_array());
        }
    }
}

impl Rows for EnergyFile {
    fn row(&mut self, t: f64, run: &Run<'_, '_>) -> io::Result<()> {
        let mut total = Balance::default();
        let (mut mass, mut moment) = (0.0, Vec3::ZERO);
        self.bodies.clear();
        for body in 1..=self.n_bodies {
            let (balance, centre) = (run.body_balance(body), run.body_centre(body));
            self.bodies.push((balance, centre));
            let m = run.body_mass(body);
            total.kinetic += balance.kinetic;
            total.potential += balance.potential;
            total.momentum += balance.momentum;
            total.angular_momentum += balance.angular_momentum;
            mass += m;
            moment += centre * m;
        }
        // A massless system has no centre; its origin stands for it.
        let centre = if mass == 0.0 { Vec3::ZERO } else { moment * (1.0 / mass) };
        self.table.number(t);
        self.write(&total, centre);
        for body in 0..self.n_bodies {
            let (balance, centre) = self.bodies[body];
            self.write(&balance, centre);
        }
        self.table.end_row()
    }

    fn finish(self: Box<Self>, stopped: Option<f64>) -> io::Result<PathBuf> {
        self.table.finish(stopped)
    }
}
