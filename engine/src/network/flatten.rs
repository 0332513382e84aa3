//! Pass 1: from elements to equations. Every element adds its own; every node adds one, the sum of its flows.

use std::cell::{Cell, RefCell};

use parser::diagnostic::{Code, Diagnostic};
use rustc_hash::FxHashMap;

use super::derive::derivative;
use super::elements::NetworkElement;
use super::expr::{Arena, Ex, ExprId, Node, VarId};
use super::programs::Programs;
use crate::expression::{Program, SignalRef};
use crate::model::fields::{Condition, ElectricalNode, ThermalNode};
use crate::model::ids::{ElementId, NodeId};
use crate::model::{Model, codes};

/// An unknown of the equations.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The block or node it belongs to.
    pub block: u32,
    /// Its name in that block.
    pub label: &'static str,
    /// The variable whose derivative it is.
    pub of: Option<VarId>,
    /// Its own derivative, if that occurs.
    pub rate: Option<VarId>,
    /// Value at the start that the text gives.
    pub initial: Option<f64>,
    /// A first guess for iterations.
    pub guess: f64,
}

/// Where an equation comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The law of an element.
    Law,
    /// The sum of flows at a node.
    Balance,
    /// What an expression calls a signal.
    Definition,
}

/// `0 = sum of terms`.
#[derive(Clone, Debug)]
pub struct Equation {
    /// The terms.
    pub terms: Vec<ExprId>,
    /// The block or node that it belongs to.
    pub block: u32,
    /// Why it holds.
    pub source: Source,
    /// How often it was differentiated.
    pub level: u8,
}

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

/// What decides about the structure of an element.
#[derive(Clone, Debug)]
pub struct ModeLaw {
    /// The element.
    pub block: u32,
    /// Value before the first event.
    pub first: i8,
    /// Its changes.
    pub transitions: Vec<Transition>,
    /// Its values in words, for the log.
    pub words: &'static [(i8, &'static str)],
    /// The equation that it changes, with voltage and current of the element.
    pub valve: Option<(usize, ExprId, ExprId)>,
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
    /// What switches the structure.
    pub modes: Vec<ModeLaw>,
    /// What holds potentials together.
    pub ties: Vec<Tie>,
    /// Values of signals.
    pub signals: FxHashMap<SignalRef, ExprId>,
    /// Potential of each node.
    pub potentials: Vec<ExprId>,
    /// The equation of the sum of flows at each node; none for a reference.
    pub balances: Vec<Option<usize>>,
    /// Terminals at each node: blocks.
    pub terminals: Vec<Vec<u32>>,
    /// Storages that start at the value of an expression.
    pub starts: Vec<(VarId, ExprId)>,
    /// Signals that expressions use: their variables.
    pub used: FxHashMap<SignalRef, VarId>,
    /// Time expressions.
    pub programs: Programs,
    /// What is wrong.
    pub mistakes: Vec<Diagnostic>,
}

/// What elements write their equations with.
pub struct Writer<'a> {
    pub(crate) arena: &'a RefCell<Arena>,
    pub(crate) flat: RefCell<Flat>,
    pub(crate) model: &'a Model,
    block: Cell<u32>,
    /// Couplings of inductors: the other inductor and the mutual inductance.
    pub(crate) couplings: FxHashMap<ElementId, Vec<(ElementId, f64)>>,
}

/// Two inductors with one flux: the second sees `ratio` times the voltage of the first.
#[derive(Clone, Copy, Debug)]
pub struct Rigid {
    /// The other inductor.
    pub other: ElementId,
    /// M/L1.
    pub ratio: f64,
    /// Is this the first?
    pub is_first: bool,
}

/// Voltage and current of an element with two terminals.
#[derive(Clone, Copy)]
pub struct TwoPin<'a> {
    /// v_p - v_n.
    pub v: Ex<'a>,
    /// Current into p.
    pub i: Ex<'a>,
}

/// A mode of the element that is being written.
#[derive(Clone, Copy, Debug)]
pub struct Mode(pub(crate) u32);

/// Writes the equations of all elements and nodes.
pub(crate) fn flatten(model: &Model, arena: &RefCell<Arena>) -> Flat {
    let couplings = super::elements::electrical::mutual_inductor::couplings(model);
    let writer = Writer {
        arena,
        flat: RefCell::new(Flat::default()),
        model,
        block: Cell::new(0),
        couplings,
    };
    writer.nodes();
    for element in &model.elements {
        writer.block.set(element.block);
        element.what.equations(&writer);
    }
    writer.define_used();
    writer.flat.into_inner()
}

impl<'a> Writer<'a> {
    fn nodes(&self) {
        for (index, node) in self.model.nodes.iter().enumerate() {
            self.block.set(node.block);
            let potential = if node.is_reference {
                self.number(node.domain.reference_potential(&self.model.system))
            } else {
                self.unknown(node.domain.potential())
            };
            let mut flat = self.flat.borrow_mut();
            flat.potentials.push(potential.id);
            flat.terminals.push(Vec::new());
            flat.signals
                .insert(SignalRef { block: node.block, signal: 0, component: 0 }, potential.id);
            let balance = (!node.is_reference).then_some(flat.equations.len());
            flat.balances.push(balance);
            debug_assert_eq!(flat.potentials.len(), index + 1);
            if balance.is_some() {
                let terms = Vec::new();
                let (block, source) = (node.block, Source::Balance);
                flat.equations.push(Equation { terms, block, source, level: 0 });
            }
        }
    }

    /// The keyword of the element.
    pub fn keyword(&self) -> &'static str {
        self.model.blocks[self.block.get() as usize].schema.keyword
    }

    fn ex(&self, id: ExprId) -> Ex<'a> {
        Ex { arena: self.arena, id }
    }

    /// A number.
    pub fn number(&self, number: f64) -> Ex<'a> {
        self.ex(self.arena.borrow_mut().constant(number))
    }

    /// A new unknown.
    pub fn unknown(&self, label: &'static str) -> Ex<'a> {
        self.state(label, None)
    }

    /// A new unknown with a value at the start, if that is given.
    pub fn state(&self, label: &'static str, initial: Option<f64>) -> Ex<'a> {
        let id = add_variable(&mut self.flat.borrow_mut(), self.block.get(), label, initial);
        self.ex(self.arena.borrow_mut().variable(id))
    }

    /// A new unknown that starts at the value of an expression.
    pub fn state_from(&self, label: &'static str, value: Ex<'a>) -> Ex<'a> {
        let mut flat = self.flat.borrow_mut();
        let id = add_variable(&mut flat, self.block.get(), label, None);
        flat.starts.push((id, value.id));
        self.ex(self.arena.borrow_mut().variable(id))
    }

    /// The potential of a node.
    pub fn potential(&self, node: NodeId) -> Ex<'a> {
        self.ex(self.flat.borrow().potentials[node.index()])
    }

    /// A flow into the element at a node.
    pub fn flow(&self, node: NodeId, flow: Ex<'a>) {
        let mut flat = self.flat.borrow_mut();
        flat.terminals[node.index()].push(self.block.get());
        if let Some(balance) = flat.balances[node.index()] {
            flat.equations[balance].terms.push(flow.id);
        }
    }

    /// A terminal that nothing flows through.
    pub fn sense(&self, node: NodeId) -> Ex<'a> {
        self.flat.borrow_mut().terminals[node.index()].push(self.block.get());
        self.potential(node)
    }

    /// The element ties two potentials to each other.
    pub fn tie(&self, a: ElectricalNode, b: ElectricalNode) {
        self.add_tie(a, b, None, false);
    }

    /// It fixes their difference.
    pub fn rigid_tie(&self, a: ElectricalNode, b: ElectricalNode) {
        self.add_tie(a, b, None, true);
    }

    /// It ties them only while a mode has this value.
    pub fn tie_in(&self, mode: Mode, value: i8, a: ElectricalNode, b: ElectricalNode) {
        self.add_tie(a, b, Some((mode.0, value)), false);
    }

    fn add_tie(
        &self,
        a: ElectricalNode,
        b: ElectricalNode,
        only_in: Option<(u32, i8)>,
        rigid: bool,
    ) {
        let (nodes, block) = ([a.0, b.0], self.block.get());
        self.flat.borrow_mut().ties.push(Tie { nodes, block, only_in, rigid });
    }

    /// Voltage and current of an element with two terminals, as signals too.
    pub fn two_pin(&self, p: ElectricalNode, n: ElectricalNode) -> TwoPin<'a> {
        let i = self.unknown("i");
        let v = self.potential(p.0) - self.potential(n.0);
        self.flow(p.0, i);
        self.flow(n.0, -i);
        self.signal("v", v);
        self.signal("i", i);
        self.signal("power", v * i);
        TwoPin { v, i }
    }

    /// `left = right`.
    pub fn equal(&self, left: Ex<'a>, right: Ex<'a>) {
        self.equation(left - right, Source::Law);
    }

    fn equation(&self, residual: Ex<'a>, source: Source) {
        let terms = split_terms(&mut self.arena.borrow_mut(), residual.id);
        let block = self.block.get();
        self.flat.borrow_mut().equations.push(Equation { terms, block, source, level: 0 });
    }

    /// The derivative with respect to time.
    pub fn rate(&self, of: Ex<'a>) -> Ex<'a> {
        let mut flat = self.flat.borrow_mut();
        let mut arena = self.arena.borrow_mut();
        let mut done = FxHashMap::default();
        self.ex(time_derivative(&mut arena, &mut flat.variables, of.id, &mut done))
    }

    /// The value of a signal of this element.
    pub fn signal(&self, name: &str, value: Ex<'a>) {
        self.component(name, 0, value);
    }

    /// The value of a component, from 0, of a signal of this element.
    pub fn component(&self, name: &str, component: usize, value: Ex<'a>) {
        let block = self.block.get();
        let schema = self.model.blocks[block as usize].schema;
        if let Some(index) = schema.all_signals().position(|signal| signal.name == name) {
            let (signal, component) = (index as u16, component as u16);
            let reference = SignalRef { block, signal, component };
            self.flat.borrow_mut().signals.insert(reference, value.id);
        }
    }

    /// A signal of another element, which may be written later.
    pub fn signal_of(&self, element: ElementId, name: &str) -> Ex<'a> {
        let block = self.model.elements[element.index()].block;
        let schema = self.model.blocks[block as usize].schema;
        let index = schema.all_signals().position(|signal| signal.name == name).unwrap_or(0);
        self.used(SignalRef { block, signal: index as u16, component: 0 })
    }

    fn used(&self, signal: SignalRef) -> Ex<'a> {
        let variable = self.used_variable(signal);
        self.ex(self.arena.borrow_mut().variable(variable))
    }

    /// The variable that stands for a signal of the networks.
    pub(crate) fn used_variable(&self, signal: SignalRef) -> VarId {
        let mut flat = self.flat.borrow_mut();
        let known = flat.used.get(&signal).copied();
        known.unwrap_or_else(|| {
            let entry = &self.model.blocks[signal.block as usize];
            let schema = entry.schema.all_signals().nth(usize::from(signal.signal));
            let label = schema.map_or("", |schema| schema.name);
            let id = add_variable(&mut flat, signal.block, label, None);
            flat.used.insert(signal, id);
            id
        })
    }

    /// Equations for the signals that expressions use.
    fn define_used(&self) {
        let mut used: Vec<(SignalRef, VarId)> =
            self.flat.borrow().used.iter().map(|(signal, variable)| (*signal, *variable)).collect();
        used.sort_unstable_by_key(|(_, variable)| *variable);
        for (signal, variable) in used {
            let known = self.flat.borrow().signals.get(&signal).copied();
            let value = known.map_or_else(|| self.number(0.0), |id| self.ex(id));
            let variable = self.ex(self.arena.borrow_mut().variable(variable));
            self.block.set(signal.block);
            self.equation(variable - value, Source::Definition);
        }
    }

    /// A time expression.
    pub fn time(&self, program: &Program) -> Ex<'a> {
        super::programs::write(self, program, self.block.get())
    }

    /// A time expression whose signals have numbers.
    pub(crate) fn numbered(&self, program: &Program) -> Ex<'a> {
        super::programs::add(self, program, self.block.get())
    }

    /// A new variable that has this value.
    pub(crate) fn defined(&self, label: &'static str, value: Ex<'a>) -> VarId {
        let id = add_variable(&mut self.flat.borrow_mut(), self.block.get(), label, None);
        let variable = self.ex(self.arena.borrow_mut().variable(id));
        self.equation(variable - value, Source::Definition);
        id
    }

    /// A condition, 0 or 1.
    pub fn condition(&self, condition: &Condition) -> Ex<'a> {
        self.time(&condition.0)
    }

    /// A mode with its changes.
    pub fn mode(&self, first: i8, words: &'static [(i8, &'static str)]) -> Mode {
        let mut flat = self.flat.borrow_mut();
        let (block, transitions) = (self.block.get(), Vec::new());
        flat.modes.push(ModeLaw { block, first, transitions, words, valve: None });
        Mode(flat.modes.len() as u32 - 1)
    }

    /// The mode changes when the guard becomes positive.
    pub fn change(&self, mode: Mode, from: i8, to: i8, guard: Ex<'a>) {
        let transition = Transition { from, to, guard: guard.id, steps: false };
        self.flat.borrow_mut().modes[mode.0 as usize].transitions.push(transition);
    }

    /// The same for a guard that only takes steps.
    pub fn change_at_step(&self, mode: Mode, from: i8, to: i8, guard: Ex<'a>) {
        let transition = Transition { from, to, guard: guard.id, steps: true };
        self.flat.borrow_mut().modes[mode.0 as usize].transitions.push(transition);
    }

    /// The law of a valve: this is zero, in a form that depends on the mode; 0 is open, all else conducts.
    pub fn valve(&self, mode: Mode, law: Ex<'a>, TwoPin { v, i }: TwoPin<'a>) {
        let equation = self.flat.borrow().equations.len();
        self.flat.borrow_mut().modes[mode.0 as usize].valve = Some((equation, v.id, i.id));
        self.equation(law, Source::Law);
    }

    /// `yes` while the mode has this value, else `no`.
    pub fn if_mode(&self, mode: Mode, value: i8, yes: Ex<'a>, no: Ex<'a>) -> Ex<'a> {
        yes.make(Node::IfMode(mode.0, value, yes.id, no.id))
    }

    /// Lets a loss flow into a thermal node.
    pub fn heat(&self, node: Option<ThermalNode>, loss: Ex<'a>) {
        if let Some(node) = node {
            self.flow(node.0, -loss);
        }
    }

    /// The flux of an inductor with the shares of those that it is coupled with.
    pub fn coupled(&self, own: Ex<'a>) -> Ex<'a> {
        let handle = self.model.blocks[self.block.get() as usize].handle;
        let all = self.couplings.get(&ElementId(handle)).map_or(&[][..], |all| all);
        all.iter().fold(own, |sum, &(other, mutual)| sum + mutual * self.signal_of(other, "i"))
    }

    /// The other inductor, if this one is coupled with it alone, and so that they have one flux.
    pub fn rigidly_coupled(&self) -> Option<Rigid> {
        let own = ElementId(self.model.blocks[self.block.get() as usize].handle);
        let [(other, mutual)] = self.couplings.get(&own)?[..] else { return None };
        let alone = self.couplings.get(&other)?.len() == 1;
        let inductance = |id: ElementId| match &self.model.elements[id.index()].what {
            NetworkElement::Inductor(inductor) => inductor.inductance.as_constant(),
            _ => None,
        };
        let product = inductance(own)? * inductance(other)?;
        let first = own.min(other);
        let rigid = alone && mutual * mutual >= product * (1.0 - 8.0 * f64::EPSILON);
        let ratio = mutual / inductance(first)?;
        rigid.then_some(Rigid { other, ratio, is_first: own == first })
    }

    /// Reports a mistake of this element.
    pub fn mistake(&self, code: Code, words: &str, help: &str) {
        let block = self.block.get();
        let name = self.model.block_name(block);
        let message = format!("{} `{name}` {words}", self.keyword());
        let diagnostic = Diagnostic::new(code, self.model.name_span(block), message).help(help);
        self.flat.borrow_mut().mistakes.push(diagnostic);
    }

    /// Reports that a parameter is missing.
    pub fn missing(&self, parameter: &str, what: &str) {
        let words = format!("needs the parameter `{parameter}`");
        self.mistake(codes::REQUIRED, &words, &format!("add `{parameter} = ...;`: {what}"));
    }
}

fn add_variable(flat: &mut Flat, block: u32, label: &'static str, initial: Option<f64>) -> VarId {
    let id = VarId(flat.variables.len() as u32);
    let guess = initial.unwrap_or(0.0);
    flat.variables.push(Variable { block, label, of: None, rate: None, initial, guess });
    id
}

/// The variable that is the derivative of another.
pub(crate) fn rate_of(variables: &mut Vec<Variable>, of: VarId) -> VarId {
    let Variable { block, label, rate, .. } = variables[of.index()];
    rate.unwrap_or_else(|| {
        let id = VarId(variables.len() as u32);
        variables[of.index()].rate = Some(id);
        let of = Some(of);
        variables.push(Variable { block, label, of, rate: None, initial: None, guess: 0.0 });
        id
    })
}

/// d/dt of an expression; variables get derivatives as needed.
pub(crate) fn time_derivative(
    arena: &mut Arena,
    variables: &mut Vec<Variable>,
    expression: ExprId,
    done: &mut FxHashMap<ExprId, ExprId>,
) -> ExprId {
    derivative(arena, expression, done, |arena, node| match node {
        Node::Time => arena.constant(1.0),
        Node::Variable(variable) => {
            let rate = rate_of(variables, variable);
            arena.variable(rate)
        }
        _ => arena.constant(0.0),
    })
}

/// The terms of a sum.
pub(crate) fn split_terms(arena: &mut Arena, sum: ExprId) -> Vec<ExprId> {
    use parser::syntax::BinaryOp::{Add, Subtract};
    let mut terms = Vec::new();
    let mut stack = vec![(sum, false)];
    while let Some((id, negative)) = stack.pop() {
        match arena.node(id) {
            Node::Binary(Add, a, b) => stack.extend([(b, negative), (a, negative)]),
            Node::Binary(Subtract, a, b) => stack.extend([(b, !negative), (a, negative)]),
            Node::Negate(a) => stack.push((a, !negative)),
            _ if negative => terms.push(arena.make(Node::Negate(id))),
            _ => terms.push(id),
        }
    }
    terms
}
