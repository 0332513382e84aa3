//! The equations of the networks as elements have written them: unknowns, equations, modes, ties, signals.

use parser::diagnostic::Diagnostic;
use rustc_hash::FxHashMap;

use crate::actions::Actions;
use crate::coupling::Ports;
use crate::derive::derivative;
use crate::discrete::Discrete;
pub use crate::equation::{Equation, Source, Variable};
use crate::expr::{Arena, Contents, ExprId, Node, VarId};
use crate::expression::SignalRef;
use crate::ids::NodeId;
use crate::programs::Programs;
use crate::signal_values::SignalValues;
use crate::walk::Images;

/// A change of structure: from one value of a mode to another when the guard becomes positive.
#[derive(Clone, Copy, Debug)]
pub struct Transition {
    /// Value before.
    pub from: i8,
    /// Value after.
    pub to: i8,
    /// Positive where the change is due.
    pub guard: ExprId,
    /// Does the guard only take steps, so that its crossing is an event of something else?
    pub steps: bool,
}

/// A mode: the discrete state of an element that decides which form its equation has.
#[derive(Clone, Debug)]
pub struct ModeLaw {
    /// The element.
    pub block: u32,
    /// Value before the first event.
    pub first: i8,
    /// Its possible changes.
    pub transitions: Vec<Transition>,
    /// Its values in words, for the log.
    pub words: &'static [(i8, &'static str)],
    /// The equation whose form the mode chooses, if the element opens and closes.
    pub valve: Option<Valve>,
    /// Values that differ in numbers only: one structure serves them all.
    pub alike: &'static [i8],
}

impl ModeLaw {
    /// The value whose structure serves for this one.
    pub fn structural(&self, value: i8) -> i8 {
        if self.alike.contains(&value) { self.alike[0] } else { value }
    }

    /// Is it a matter of numbers whether the mode has a value, while it has another?
    pub fn is_number(&self, value: i8, other: i8) -> bool {
        self.alike.contains(&value) && self.alike.contains(&other)
    }
}

/// The equation of an element that opens and closes. Where the equation contradicts others, a soft form of it tells which
/// element gives way.
#[derive(Clone, Copy, Debug)]
pub struct Valve {
    /// The equation.
    pub equation: usize,
    /// Difference of potentials, or speed.
    pub v: ExprId,
    /// Flow, or force.
    pub i: ExprId,
    /// In which modes the valve is closed.
    pub kind: ValveKind,
    /// Usual size of v/i.
    pub scale: f64,
}

/// In which modes a valve is closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValveKind {
    /// Open in mode 0, closed in all others.
    Switch,
    /// Closed in one mode; in all others the force is known and nothing has to give way. A lock closes where the
    /// speed is zero, so that the acceleration tells in which direction it gives way.
    Lock {
        /// The mode.
        locked: i8,
        /// Rate of the speed.
        acceleration: ExprId,
        /// Pairs of modes: one in which the lock slides, and the one that stands for it while other locks hold the motion
        /// and the force stays at its limit.
        held: &'static [(i8, i8)],
    },
}

/// An element ties the potentials of two nodes to each other, perhaps only in some mode.
#[derive(Clone, Copy, Debug)]
pub struct Tie {
    /// The nodes.
    pub nodes: [NodeId; 2],
    /// The element.
    pub block: u32,
    /// Only while this mode has this value.
    pub only_in: Option<(u32, i8)>,
    /// Does it fix the difference of potentials, whatever flows?
    pub rigid: bool,
}

/// All equations of the networks of a model.
#[derive(Clone, Debug, Default)]
pub struct Flat {
    /// The unknowns.
    pub variables: Vec<Variable>,
    /// The equations.
    pub equations: Vec<Equation>,
    /// The modes of all elements.
    pub modes: Vec<ModeLaw>,
    /// Elements that hold the potentials of two nodes together.
    pub ties: Vec<Tie>,
    /// Values of signals.
    pub signals: SignalValues,
    /// Potential of each node.
    pub potentials: Vec<ExprId>,
    /// The equation of the sum of flows at each node; none for a reference.
    pub balances: Vec<Option<usize>>,
    /// Terminals at each node: blocks.
    pub terminals: Vec<Vec<u32>>,
    /// The variables of the signals that expressions use.
    pub used: FxHashMap<SignalRef, VarId>,
    /// Elements whose equations hold up to a limit only, each with the name of the limited quantity.
    pub limits: Vec<(u32, &'static str)>,
    /// Time expressions.
    pub programs: Programs,
    /// Where the networks touch the mechanics.
    pub ports: Ports,
    /// Usual size of potential over flow at each node.
    pub resistances: Vec<f64>,
    /// Nodes that get a potential from an element of their own.
    pub held: Vec<NodeId>,
    /// Variables whose rate occurs in a law: the states that an integrator sees.
    pub storages: Vec<VarId>,
    /// Storages that start at the value of an expression.
    pub starts: Vec<(VarId, ExprId)>,
    /// Blocks of forces in joints that act through ports.
    pub joint_forces: Vec<u32>,
    /// Energies that elements store, by their blocks.
    pub energies: Vec<(u32, ExprId)>,
    /// Registers, clocks and delay lines, which change at events only.
    pub discrete: Discrete,
    /// The `When` blocks and automata of the model.
    pub actions: Actions,
    /// Mistakes in the model.
    pub mistakes: Vec<Diagnostic>,
}

/// The variable that is the derivative of another.
pub fn rate_of(variables: &mut Vec<Variable>, of: VarId) -> VarId {
    let Variable { block, label, rate, of: before, .. } = variables[of.index()];
    // The rates of positions have names of their own.
    let label = match (label, before) {
        ("phi", None) => "w",
        ("s", None) => "v",
        ("w" | "v", Some(_)) => "a",
        _ => label,
    };
    rate.unwrap_or_else(|| {
        let id = VarId(variables.len() as u32);
        variables[of.index()].rate = Some(id);
        let of = Some(of);
        variables.push(Variable { of, ..Variable::new(block, label) });
        id
    })
}

/// d/dt of an expression. Variables get derivatives as needed; `meaning` gives the expression that stands for a derivative.
pub fn time_derivative(
    arena: &mut Arena,
    variables: &mut Vec<Variable>,
    expression: ExprId,
    done: &mut Images,
    meaning: impl Fn(&mut Arena, VarId) -> ExprId,
) -> ExprId {
    let mut what = Contents::VARIABLES.and(Contents::TIME);
    if !arena.input_rates.is_empty() {
        what = what.and(Contents::INPUTS);
    }
    derivative(arena, expression, what, done, |arena, node| match node {
        Node::Time => arena.constant(1.0),
        Node::Input(input) => match arena.input_rates.get(&input) {
            Some(&rate) => rate,
            None => arena.constant(0.0),
        },
        Node::Variable(variable) => {
            let rate = rate_of(variables, variable);
            meaning(arena, rate)
        }
        _ => arena.constant(0.0),
    })
}

/// The terms of a sum.
pub fn split_terms(arena: &mut Arena, sum: ExprId) -> Vec<ExprId> {
    let mut terms = Vec::new();
    split_into(arena, sum, &mut terms);
    terms
}

/// Adds the terms of a sum to a list.
pub fn split_into(arena: &mut Arena, sum: ExprId, terms: &mut Vec<ExprId>) {
    use parser::syntax::BinaryOp::{Add, Subtract};
    let is_single =
        |id: ExprId| !matches!(arena.node(id), Node::Binary(Add | Subtract, ..) | Node::Negate(_));
    // Most have one.
    if is_single(sum) || matches!(arena.node(sum), Node::Negate(a) if is_single(a)) {
        return terms.push(sum);
    }
    let mut stack = std::mem::take(&mut arena.signed_terms);
    stack.push((sum, false));
    while let Some((id, negative)) = stack.pop() {
        match arena.node(id) {
            Node::Binary(Add, a, b) => stack.extend([(b, negative), (a, negative)]),
            Node::Binary(Subtract, a, b) => stack.extend([(b, !negative), (a, negative)]),
            Node::Negate(a) => stack.push((a, !negative)),
            _ if negative => terms.push(arena.make(Node::Negate(id))),
            _ => terms.push(id),
        }
    }
    arena.signed_terms = stack;
}
