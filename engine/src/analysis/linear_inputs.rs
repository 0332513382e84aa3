//! The inputs of a linear model: what an analysis changes from outside, and how.

use crate::system::{Run, System};
use equations::expression::SignalRef;
use language::model::Changed;
use language::model::excitations::ORDERS;

/// An input of a linear model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LinearInput {
    /// A time expression of a force on bodies, by its number.
    Expression(usize),
    /// Registers of the networks, by their hidden blocks: the input, its first and its second derivative; and the value that
    /// the text gives, if it is a number.
    Registers([u32; ORDERS], Option<f64>),
}

impl LinearInput {
    /// How many derivatives of the input something may follow, itself counted.
    pub fn orders(self) -> usize {
        match self {
            Self::Expression(_) => 1,
            Self::Registers(..) => ORDERS,
        }
    }

    /// Changes the input, or a derivative of it, from outside.
    pub fn put(self, run: &mut Run<'_>, order: usize, change: f64) {
        match self {
            Self::Expression(input) => run.probe().set_input_offset(input, change),
            Self::Registers(blocks, _) => {
                run.set_input(blocks[order], change);
            }
        }
    }

    /// Its unit; empty if it has none.
    pub fn unit(self, system: &System) -> String {
        let model = &system.model;
        match self {
            Self::Expression(input) => {
                let block = system.program_owners[input];
                let schema = model.blocks[block as usize].schema;
                let turns = match schema.keyword {
                    "JointForce" => {
                        // The force elements of a joint have its coordinates.
                        let owners = system.program_owners.iter();
                        let first = owners.clone().position(|own| *own == block).unwrap_or(input);
                        let signal =
                            SignalRef { block, signal: 0, component: (input - first) as u16 };
                        return model.signal_unit(signal).into();
                    }
                    keyword => keyword == "Torque",
                };
                if turns { "Nm".into() } else { "N".into() }
            }
            Self::Registers(blocks, _) => {
                let places = model.excitations.inputs.iter();
                let own = places
                    .clone()
                    .find(|e| matches!(e.what, Changed::Register(b, _) if b == blocks));
                own.map_or_else(String::new, |own| own.unit.clone())
            }
        }
    }

    /// The size of the value that the text gives.
    pub fn size(self) -> f64 {
        match self {
            Self::Registers(_, Some(base)) => base.abs(),
            _ => 0.0,
        }
    }
}

/// The inputs of the analysis, with their names.
pub fn inputs(system: &System) -> Vec<(LinearInput, String)> {
    let mut all = Vec::new();
    for excitation in &system.model.excitations.inputs {
        match excitation.what {
            Changed::Register(blocks, base) => {
                all.push((LinearInput::Registers(blocks, base), excitation.name.clone()));
            }
            Changed::Force(block, wanted) => of_force(system, block, wanted, &mut all),
        }
    }
    all
}

/// The signal at which a loop is opened.
pub fn opening(system: &System) -> Option<(LinearInput, String)> {
    let opening = system.model.excitations.opening.as_ref()?;
    let Changed::Register(blocks, base) = opening.what else { return None };
    Some((LinearInput::Registers(blocks, base), opening.name.clone()))
}

/// The components of a Force, Torque or JointForce block, which are time expressions.
fn of_force(
    system: &System,
    block: u32,
    wanted: Option<usize>,
    all: &mut Vec<(LinearInput, String)>,
) {
    let owners = system.program_owners.iter().enumerate();
    let own: Vec<usize> =
        owners.filter(|(_, owner)| **owner == block).map(|(input, _)| input).collect();
    let model = &system.model;
    let name = model.block_name(block);
    for (component, &input) in own.iter().enumerate() {
        if wanted.is_some_and(|wanted| wanted != component) {
            continue;
        }
        let axis = ["x", "y", "z"][component % 3];
        let part = match (model.blocks[block as usize].schema.keyword, own.len()) {
            ("JointForce", 1) => String::from("f"),
            ("JointForce", _) => format!("f[{}]", component + 1),
            ("Torque", _) => format!("t{axis}"),
            _ => format!("f{axis}"),
        };
        all.push((LinearInput::Expression(input), format!("{name}.{part}")));
    }
}
