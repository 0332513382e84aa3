//! `.epl`: energies, centre of gravity, momentum and angular momentum, of the system and of each body.

use std::io;
use std::path::Path;

use super::Rows;
use super::background::Background;
use super::text_table::Table;
use crate::system::Run;
use language::model::Model;
use mechanics::Vec3;
use mechanics::energy::Balance;

/// Quantities written for the system and for each body, with units.
pub(super) const PARTS: [(&str, &str); 11] = [
    ("epot", "J"),
    ("ekin", "J"),
    ("cx", "m"),
    ("cy", "m"),
    ("cz", "m"),
    ("px", "kg m/s"),
    ("py", "kg m/s"),
    ("pz", "kg m/s"),
    ("lx", "kg m^2/s"),
    ("ly", "kg m^2/s"),
    ("lz", "kg m^2/s"),
];

pub(super) struct EnergyRows {
    n_bodies: usize,
}

pub(super) fn create(path: &Path, model: &Model) -> io::Result<(EnergyRows, Background)> {
    let names = model.bodies.iter().map(|body| model.block_name(body.block));
    let mut columns = vec!["t".to_string()];
    for name in std::iter::once("system").chain(names) {
        columns.extend(PARTS.map(|(part, _)| format!("{name}.{part}")));
    }
    Ok((EnergyRows { n_bodies: model.bodies.len() }, Table::start(path, &columns)?))
}

impl Rows for EnergyRows {
    fn fill(&mut self, t: f64, run: &Run<'_>, row: &mut Vec<f64>) {
        row.push(t);
        // The system stands before its bodies, whose sum it is.
        let system = row.len();
        row.extend_from_slice(&[0.0; PARTS.len()]);
        let mut total = Balance::default();
        let (mut mass, mut moment) = (0.0, Vec3::ZERO);
        for body in 1..=self.n_bodies {
            let (balance, centre) = (run.body_balance(body), run.body_centre(body));
            row.extend_from_slice(&parts(&balance, centre));
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
        row[system..system + PARTS.len()].copy_from_slice(&parts(&total, centre));
    }
}

fn parts(balance: &Balance, centre: Vec3) -> [f64; PARTS.len()] {
    let [cx, cy, cz] = centre.to_array();
    let [px, py, pz] = balance.momentum.to_array();
    let [lx, ly, lz] = balance.angular_momentum.to_array();
    [balance.potential, balance.kinetic, cx, cy, cz, px, py, pz, lx, ly, lz]
}
