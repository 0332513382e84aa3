//! Rows of the system at the present state of a run.

use rustc_hash::FxHashMap;

use crate::complementarity::{Instant, Lineariser};
use crate::passes::alias::{self, Aliases, Meaning};
use crate::prepared::combination_equations::{self, Meanings};
use crate::prepared::network_model::Network;
use crate::prepared::prepare::{Remedy, Task, Wanted as Prepared};
use crate::prepared::valves::Valves;
use crate::run::NetworkRun;
use equations::expr::{Arena, ExprId, VarId};
use equations::flat::{Equation, Variable};
use equations::islands::islands;
use equations::walk::{Images, Walks};

/// Highest power of s.
pub(super) const DEGREE: usize = 2;

/// `c0 + c1 s + c2 s^2`, times `e^(-s delay)`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Factor {
    pub c: [f64; DEGREE + 1],
    /// A dead time, s.
    pub delay: f64,
}

impl Factor {
    /// A number times a power of s.
    pub fn power(number: f64, order: usize) -> Self {
        let mut c = [0.0; DEGREE + 1];
        c[order] = number;
        Self { c, delay: 0.0 }
    }

    /// The highest power; nothing if it is zero.
    pub fn degree(&self) -> Option<usize> {
        self.c.iter().rposition(|c| *c != 0.0)
    }

    /// The number, if it is none but a number.
    pub fn as_number(&self) -> Option<f64> {
        (self.degree() == Some(0) && self.delay == 0.0).then_some(self.c[0])
    }
}

/// Columns, ascending, with their factors: unknowns, then inputs. A column with a dead time may stand there twice.
pub(super) type Row = Vec<(u32, Factor)>;

/// The linear equations of the networks at a state.
#[derive(Clone, Debug)]
pub struct Descriptor {
    pub(super) n_unknowns: usize,
    pub(super) n_inputs: usize,
    /// One row for each unknown: its sum is zero.
    pub(super) rows: Vec<Row>,
    /// Outputs as sums.
    pub(super) outputs: Vec<Row>,
    /// The block of each unknown, for messages.
    pub(super) blocks: Vec<u32>,
}

/// What the response is asked for.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// Blocks of the registers that are inputs.
    pub inputs: &'a [u32],
    /// Places among the results that are outputs.
    pub outputs: &'a [usize],
}

/// Why there are no linear equations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Impossible {
    /// The networks have not begun.
    NotBegun,
    /// The equations do not determine their unknowns.
    Undetermined,
    /// A factor is not finite: the block of its equation.
    NotFinite(u32),
}

/// The linear equations at the present state of a run, whose results are computed.
///
/// # Errors
/// If there are none.
pub fn descriptor(
    run: &NetworkRun<'_>,
    t: f64,
    wanted: Wanted<'_>,
) -> Result<Descriptor, Impossible> {
    if !run.has_begun() {
        return Err(Impossible::NotBegun);
    }
    // Where valves say the same twice, with the remedies that the code in force may have needed too.
    let mut last = Impossible::Undetermined;
    for remedy in [Remedy::Plain, Remedy::Shares, Remedy::Leaks] {
        match Writing::new(run, remedy).and_then(|writing| writing.descriptor(t, wanted)) {
            Err(Impossible::Undetermined) => last = Impossible::Undetermined,
            other => return other,
        }
    }
    Err(last)
}

/// The equations of the modes in force, with one variable for all that are the same.
struct Writing<'a> {
    run: &'a NetworkRun<'a>,
    arena: Arena,
    variables: Vec<Variable>,
    equations: Vec<Equation>,
    aliases: Aliases,
    images: Images,
}

impl<'a> Writing<'a> {
    fn new(run: &'a NetworkRun<'_>, remedy: Remedy) -> Result<Self, Impossible> {
        let (network, modes) = (run.network, run.modes());
        let mut arena = network.arena.clone();
        let mut walks = Walks::default();
        let asked = Prepared {
            storages: &network.storages,
            used: &network.used,
            at_events: &[],
            searched: &[],
            watches: &[],
            results: &[],
            n_inputs: network.n_inputs(),
            n_states: network.flat.programs.switches.n_states(),
            tears: network.tears,
        };
        let determined = &run.present().fixed.determined;
        let task = Task {
            flat: &network.flat,
            modes,
            kind: Valves::Ideal,
            wanted: &asked,
            determined,
            held: &[],
            remedy,
        };
        let islands = islands(&network.flat, modes);
        let written = combination_equations::write(&mut arena, &task, &islands, &mut walks.images);
        let mut variables = written.variables;
        let (equations, aliases) =
            alias::eliminate(&mut arena, &mut variables, written.equations, &mut walks.images)
                .map_err(|_| Impossible::Undetermined)?;
        Ok(Self { run, arena, variables, equations, aliases, images: walks.images })
    }

    fn descriptor(mut self, t: f64, wanted: Wanted<'_>) -> Result<Descriptor, Impossible> {
        let network = self.run.network;
        let outputs: Vec<ExprId> =
            wanted.outputs.iter().map(|&place| self.meaning(network.results[place])).collect();
        let lines = &network.flat.discrete.delays;
        let delayed: Vec<ExprId> = lines.iter().map(|line| self.meaning(line.input)).collect();
        let columns = Columns::new(&self.variables, &self.aliases, lines.len());
        let n_variables = self.variables.len() as u32;
        // Registers that count as variables: those of the inputs, and the outputs of delay lines.
        let register = |block: &u32| {
            let mut given = network.flat.discrete.given.iter();
            given.find(|(owner, _)| owner == block).map(|(_, register)| *register as u32)
        };
        let inputs = wanted.inputs.iter().map(register);
        let registers = inputs.chain(lines.iter().map(|line| Some(line.register as u32)));
        let numbered = registers.zip(n_variables..).filter_map(|(k, own)| Some((k?, VarId(own))));
        let excited: FxHashMap<u32, VarId> = numbered.collect();
        let columns = Columns { n_inputs: wanted.inputs.len(), n_variables, ..columns };
        let values = self.values(wanted.inputs.len() + lines.len());
        let (code, numbers) = (&self.run.present().fixed.code, self.run.present().numbers());
        let n_states = network.flat.programs.switches.n_states() + self.run.modes().len();
        let at = Instant {
            t,
            t_error: 0.0,
            values: &values,
            inputs: &numbers[code.inputs as usize..][..network.n_inputs()],
            states: &numbers[code.states as usize..][..n_states],
            memory: &self.run.now.discrete.memory,
        };
        let mut forms = Lineariser::new(&self.arena, &at, self.run.modes()).excited(excited);
        let mut rows = Vec::with_capacity(columns.n_unknowns);
        for equation in &self.equations {
            let row = columns.row(&forms.sum(&equation.terms).terms, &self.aliases);
            check(&row, equation.block)?;
            rows.push(row);
        }
        // A delay line says that its output is its input of a while ago.
        for (k, (line, input)) in lines.iter().zip(&delayed).enumerate() {
            let mut row = columns.row(&forms.find(*input).terms, &self.aliases);
            row.iter_mut().for_each(|(_, factor)| factor.delay = line.delay);
            row.push((columns.delay(k), Factor::power(-1.0, 0)));
            row.sort_by_key(|(column, _)| *column);
            check(&row, line.block)?;
            rows.push(row);
        }
        let outputs: Vec<Row> = outputs
            .iter()
            .map(|output| columns.row(&forms.find(*output).terms, &self.aliases))
            .collect();
        if rows.len() != columns.n_unknowns {
            return Err(Impossible::Undetermined);
        }
        Ok(Descriptor {
            n_unknowns: columns.n_unknowns,
            n_inputs: wanted.inputs.len(),
            rows,
            outputs,
            blocks: columns.blocks(&self.variables, lines.iter().map(|line| line.block)),
        })
    }

    /// An expression of the model in the variables that are left.
    fn meaning(&mut self, id: ExprId) -> ExprId {
        let network: &Network = self.run.network;
        let modes = self.run.modes();
        let meanings = Meanings { flat: &network.flat, aliases: &self.aliases, modes };
        meanings.rewrite(&mut self.arena, id, self.images.start())
    }

    /// Values of all variables, and zeros for `more` of them.
    fn values(&self, more: usize) -> Vec<f64> {
        let present = self.run.present();
        let known = self.run.network.flat.variables.len();
        let variables = self.variables.iter().enumerate();
        let mut values: Vec<f64> = variables
            .map(|(index, variable)| {
                let value = match index < known {
                    true => present.variable(VarId(index as u32)),
                    false => variable.guess,
                };
                if value.is_finite() { value } else { variable.guess }
            })
            .collect();
        values.resize(values.len() + more, 0.0);
        values
    }
}

fn check(row: &Row, block: u32) -> Result<(), Impossible> {
    let is_finite = row.iter().all(|(_, factor)| factor.c.iter().all(|c| c.is_finite()));
    if is_finite { Ok(()) } else { Err(Impossible::NotFinite(block)) }
}

/// Which column each variable has: those that are no derivatives, then the outputs of delay lines, then the inputs.
struct Columns {
    /// The column of each variable that is no derivative and no other variable.
    of: Vec<Option<u32>>,
    /// The variable of which each is a derivative.
    bases: Vec<Option<VarId>>,
    n_unknowns: usize,
    n_delays: usize,
    n_inputs: usize,
    n_variables: u32,
}

impl Columns {
    fn new(variables: &[Variable], aliases: &Aliases, n_delays: usize) -> Self {
        let mut n_unknowns = 0;
        let of = variables.iter().enumerate().map(|(index, variable)| {
            let own = VarId(index as u32);
            let is_own = matches!(aliases.find(own), Meaning::Same(same, _) if same == own);
            (is_own && variable.of.is_none()).then(|| {
                n_unknowns += 1;
                n_unknowns as u32 - 1
            })
        });
        let of = of.collect();
        let bases = variables.iter().map(|variable| variable.of).collect();
        let n_unknowns = n_unknowns + n_delays;
        Self { of, bases, n_unknowns, n_delays, n_inputs: 0, n_variables: 0 }
    }

    fn delay(&self, line: usize) -> u32 {
        (self.n_unknowns - self.n_delays + line) as u32
    }

    /// Column of a variable, and the factor that makes it the variable; nothing for what does not change.
    fn find(&self, variable: VarId, aliases: &Aliases) -> Option<(u32, f64, usize)> {
        if let Some(behind) = variable.0.checked_sub(self.n_variables) {
            let behind = behind as usize;
            let column = match behind < self.n_inputs {
                true => (self.n_unknowns + behind) as u32,
                false => self.delay(behind - self.n_inputs),
            };
            return Some((column, 1.0, 0));
        }
        let (mut at, mut sign, mut order) = (variable, 1.0, 0);
        loop {
            match aliases.find(at) {
                Meaning::Constant(_) => return None,
                Meaning::Same(same, relative) => (at, sign) = (same, sign * relative),
            }
            match self.bases[at.index()] {
                Some(base) => (at, order) = (base, order + 1),
                None => return self.of[at.index()].map(|column| (column, sign, order)),
            }
        }
    }

    /// A sum of variables as a row.
    fn row(&self, terms: &[(VarId, f64)], aliases: &Aliases) -> Row {
        let mut row = Row::with_capacity(terms.len());
        for &(variable, factor) in terms {
            let Some((column, sign, order)) = self.find(variable, aliases) else { continue };
            // A higher derivative than the second occurs in no law.
            let order = order.min(DEGREE);
            match row.iter_mut().find(|(own, _)| *own == column) {
                Some((_, known)) => known.c[order] += sign * factor,
                None => row.push((column, Factor::power(sign * factor, order))),
            }
        }
        row.sort_by_key(|(column, _)| *column);
        row
    }

    /// The block of each unknown.
    fn blocks(&self, variables: &[Variable], lines: impl Iterator<Item = u32>) -> Vec<u32> {
        let own = self.of.iter().zip(variables);
        let own = own.filter_map(|(column, variable)| column.map(|_| variable.block));
        own.chain(lines).collect()
    }
}
