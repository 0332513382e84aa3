//! The energy balance of a run: energy now, minus energy at the start, minus all work done.

use crate::system::Run;
use integrate::Statistics;
use language::blocks::general::Solver;

/// Energies and works of a run; all in J.
#[derive(Clone, Debug, Default)]
pub struct EnergyBalance {
    /// Kinetic, potential and stored energy at the start.
    pub start: f64,
    /// Kinetic, potential and stored energy at the last output.
    pub end: f64,
    /// Work done by each element that converts energy: name and work.
    pub works: Vec<(String, f64)>,
    /// Largest difference that the balance left open at an output.
    pub largest_gap: f64,
    /// Largest energy that took part, to which the gap is compared.
    pub scale: f64,
    /// Networks: largest sum of the powers of all elements at an output, and largest power of any element, W.
    pub powers: Option<(f64, f64)>,
    /// Elements that cannot be a source of energy.
    passive: Vec<Passive>,
}

/// An element that cannot be a source of energy.
#[derive(Clone, Debug)]
struct Passive {
    /// Place of the element among the works.
    place: usize,
    /// Energy stored in the element at the start, J.
    stored: f64,
    /// Largest work delivered beyond the stored energy, J.
    excess: f64,
}

/// Part of the energy scale that is no error in a run of fixed steps: fixed steps have no tolerance, and a user who chooses
/// them by eye accepts one percent.
const FIXED_STEP_ERROR: f64 = 1e-2;

impl EnergyBalance {
    /// The balance at the start.
    pub(super) fn start(run: &Run<'_>) -> Self {
        let start = run.mechanical_energy() + run.stored_energy();
        let model = &run.system.model;
        let name = |element: &crate::system::Element| {
            let keyword = model.blocks[element.block as usize].schema.keyword;
            let part =
                if element.part.is_empty() { String::new() } else { format!(", {}", element.part) };
            format!("{keyword} {}{part}", model.block_name(element.block))
        };
        let elements = run.system.elements.iter().filter(|element| element.work.is_some());
        let drives = run.drive_works().map(|(block, _)| {
            let keyword = model.blocks[block as usize].schema.keyword;
            format!("{keyword} {}", model.block_name(block))
        });
        let plugins = run.system.plugins.list.iter().filter(|plugin| plugin.work.is_some());
        let plugins = plugins.map(|plugin| format!("Plugin {}", model.block_name(plugin.block)));
        let trains = run.port_work().map(|_| "drive trains".to_string());
        let actions = run.action_work().map(|_| "When blocks".to_string());
        let names = elements.map(name).chain(drives).chain(plugins).chain(trains).chain(actions);
        let works = names.map(|name| (name, 0.0)).collect();
        let powers = run.network_powers().map(|(sum, largest)| (sum.abs(), largest));
        let working =
            (0..run.system.elements.len()).filter(|&k| run.system.elements[k].work.is_some());
        let passive = working.enumerate().filter_map(|(place, element)| {
            let stored = run.deliverable(element)?;
            Some(Passive { place, stored, excess: 0.0 })
        });
        let passive = passive.collect();
        let scale = run.energy_scale();
        Self { start, end: start, works, largest_gap: 0.0, scale, powers, passive }
    }

    /// Messages about elements that cannot be a source of energy and yet delivered more work than they had stored.
    ///
    /// Works are states of the integrator. Each step may be wrong by its tolerance, and at worst all errors have one sign.
    pub(super) fn warnings(&self, solver: &Solver, statistics: &Statistics) -> Vec<String> {
        let allowed = if solver.method.has_fixed_step() {
            FIXED_STEP_ERROR * self.scale
        } else {
            let each = solver.absolute_error + solver.relative_error * self.scale;
            statistics.steps as f64 * each
        };
        let found = self.passive.iter().filter(|passive| passive.excess > allowed);
        let words = found.map(|passive| {
            format!(
                "{} cannot be a source of energy and delivered {:.3e} J more than it had: its parameters are not those of \
                 such an element, or the steps are too long for it",
                self.works[passive.place].0, passive.excess
            )
        });
        words.collect()
    }

    /// The balance at an output.
    pub(super) fn update(&mut self, run: &Run<'_>) {
        // Balance: energy now - energy at the start - all work = 0.
        self.end = run.mechanical_energy() + run.stored_energy();
        let all = (0..run.system.elements.len()).filter_map(|element| run.work(element));
        let all = all.chain(run.drive_works().map(|(_, work)| work));
        let plugins = (0..run.system.plugins.list.len()).filter_map(|at| run.plugin_work(at));
        let mut total = 0.0;
        let others = run.port_work().into_iter().chain(run.action_work());
        for ((_, work), now) in self.works.iter_mut().zip(all.chain(plugins).chain(others)) {
            *work = now;
            total += now;
        }
        for passive in &mut self.passive {
            passive.excess = passive.excess.max(self.works[passive.place].1 - passive.stored);
        }
        self.largest_gap = self.largest_gap.max((self.end - self.start - total).abs());
        let work = self.works.iter().map(|(_, work)| work.abs()).fold(0.0, f64::max);
        self.scale = self.scale.max(run.energy_scale()).max(work);
        if let (Some((gap, most)), Some((sum, largest))) = (&mut self.powers, run.network_powers())
        {
            *gap = gap.max(sum.abs());
            *most = most.max(largest);
        }
    }

    /// The largest sum of all powers of the networks as a fraction of the largest power.
    pub fn relative_power_gap(&self) -> Option<f64> {
        let (gap, largest) = self.powers.filter(|(_, largest)| *largest > 0.0)?;
        Some(gap / largest)
    }

    /// The largest gap as a fraction of the energy that took part.
    pub fn relative_gap(&self) -> f64 {
        if self.scale > 0.0 { self.largest_gap / self.scale } else { 0.0 }
    }
}
