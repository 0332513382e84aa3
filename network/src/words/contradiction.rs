//! Words about a loop or a cut whose laws contradict each other.

use crate::run::unsettled::Conflict;
use crate::words::explain::list;
use equations::domain::Domain;
use equations::flat::{Flat, Valve, ValveKind};
use equations::names::Names;

/// What is said about a conflict.
pub(super) struct Words<'a> {
    pub called: &'a dyn Names,
    pub flat: &'a Flat,
    pub conflict: &'a Conflict,
}

impl Words<'_> {
    /// A place to point at, words, and a remedy.
    pub fn all(&self) -> (u32, String, Option<String>) {
        let Conflict { blocks, storages, .. } = self.conflict;
        // What would have to jump, or what has switched, is where to look first.
        let first = storages.first().or(self.conflict.switched.first()).or(blocks.first());
        let first = first.copied().unwrap_or(0);
        (first, format!("{}{}", self.trouble(first), self.way()), Some(self.remedy()))
    }

    fn names(&self, blocks: &[u32]) -> String {
        let names: Vec<String> = blocks.iter().map(|&block| self.called.element(block)).collect();
        list(&names)
    }

    fn domain(&self, block: u32) -> Option<Domain> {
        domain(self.called, self.flat, block)
    }

    fn is_cut(&self) -> bool {
        self.conflict.node.is_some()
    }

    /// What is equal at a node, or what flows, around the first element.
    fn quantity(&self, block: u32) -> &'static str {
        match (self.domain(block), self.is_cut()) {
            (Some(Domain::Electrical), true) => "currents",
            (Some(Domain::Electrical), false) => "voltages",
            (Some(Domain::Rotational), true) => "torques",
            (Some(Domain::Translational), true) => "forces",
            (Some(Domain::Rotational | Domain::Translational), false) => "motions",
            (Some(Domain::Thermal), true) => "heat flows",
            (Some(Domain::Thermal), false) => "temperatures",
            (Some(Domain::Hydraulic), true) => "flows",
            (Some(Domain::Hydraulic), false) => "pressures",
            (None, _) => "laws",
        }
    }

    /// What cannot be.
    fn trouble(&self, first: u32) -> String {
        let Conflict { storages, switched, .. } = self.conflict;
        let by = match switched.is_empty() {
            true => String::new(),
            false => {
                let verb = if switched.len() == 1 { "switches" } else { "switch" };
                format!(", as {} {verb}", self.names(switched))
            }
        };
        match storages.is_empty() || self.conflict.agrees {
            true if self.conflict.agrees => {
                format!("these say the same, so that nothing determines their share{by}")
            }
            true => format!("the {} contradict each other{by}", self.quantity(first)),
            false => {
                let stored = stored(self.called, first);
                format!("the {stored} of {} would have to jump{by}", self.called.element(first))
            }
        }
    }

    /// Where.
    fn way(&self) -> String {
        let names = self.names(&self.conflict.blocks);
        match self.is_cut() {
            true => format!(": no way is left in the cut of {names}"),
            false => format!(": nothing gives way in the loop of {names}"),
        }
    }

    /// A valve of the conflict that has resistances.
    fn valve(&self) -> Option<String> {
        let Conflict { blocks, switched, .. } = self.conflict;
        let is_switch = |block: &&u32| {
            let of_block = self.flat.modes.iter().filter(|law| law.block == **block);
            let mut valves = of_block.filter_map(|law| law.valve);
            valves.any(|valve| matches!(valve, Valve { kind: ValveKind::Switch, .. }))
        };
        let with_resistance = |block: &&u32| self.called.has_parameter(**block, "Ron");
        let all = switched.iter().chain(blocks);
        all.filter(is_switch).find(with_resistance).map(|&block| self.called.element(block))
    }

    /// The smallest change that helps.
    fn remedy(&self) -> String {
        let Conflict { blocks, storages, .. } = self.conflict;
        let domain = blocks.iter().find_map(|&block| self.domain(block));
        let (on, off) = match domain {
            Some(Domain::Hydraulic) => ("Ron = 1e6;", "Roff = 1e12;"),
            _ => ("Ron = 1e-3;", "Roff = 1e6;"),
        };
        match (self.valve(), self.is_cut()) {
            (Some(valve), false) => format!("give {valve} a resistance: `{on}`"),
            (Some(valve), true) => {
                let by = match (storages.first(), domain) {
                    (Some(_), Some(Domain::Hydraulic)) => "CheckValve",
                    (Some(_), _) => "diode",
                    (None, Some(Domain::Hydraulic)) => "HydraulicResistor",
                    (None, _) => "resistor",
                };
                let across = storages.first().or(blocks.first()).copied().unwrap_or(0);
                let across = self.called.element(across);
                format!("give it another way: a {by} across {across}, or `{off}` at {valve}")
            }
            (None, _) if storages.iter().any(|&block| stored(self.called, block) == "speed") => {
                "put a spring with a damper between what meets there".into()
            }
            (None, is_cut) => advice(domain, is_cut).into(),
        }
    }
}

/// The domain of an element: that of a node where it ends.
pub(super) fn domain(called: &dyn Names, flat: &Flat, block: u32) -> Option<Domain> {
    let node = flat.terminals.iter().position(|blocks| blocks.contains(&block));
    node.map(|node| called.domain(node))
}

/// What an element stores, in words.
pub(super) fn stored(called: &dyn Names, storage: u32) -> &'static str {
    let moves = |name: &str| called.has_signal(storage, name);
    match called.keyword(storage) {
        "Capacitor" => "charge",
        "Compliance" => "volume",
        "Inertance" => "flow",
        "HeatCapacity" => "heat",
        _ if moves("phi") || moves("s") => "speed",
        _ => "current",
    }
}

/// What to do about laws that contradict each other in a domain.
pub(super) fn advice(domain: Option<Domain>, is_cut: bool) -> &'static str {
    match (domain, is_cut) {
        (Some(Domain::Rotational), _) => {
            "two sources may fix the same motion, or a torque acts where nothing has inertia: put a TorsionSpring \
             or an Inertia there"
        }
        (Some(Domain::Translational), _) => {
            "two sources may fix the same motion, or a force acts where nothing has mass: put a LinearSpring or a \
             Mass there"
        }
        (Some(Domain::Thermal), _) => {
            "two sources may fix the same temperature: put a ThermalResistor between them"
        }
        (Some(Domain::Hydraulic), true) => {
            "two sources may fix the same flow: put a HydraulicResistor or a Compliance where it may go"
        }
        (Some(Domain::Hydraulic), false) => {
            "two sources may fix the same pressure or flow: put a HydraulicResistor or a Compliance between them"
        }
        (_, true) => "give the current another way: a resistor across one of them",
        (_, false) => {
            "two sources may fix the same voltage or current: put a resistor between them"
        }
    }
}
