//! What elements write their equations with.

use std::cell::{Cell, RefCell};

use parser::diagnostic::{Code, Diagnostic};
use parser::syntax::BinaryOp;
use rustc_hash::FxHashMap;

use super::actions::Actions;
use super::sampled::Registers;
use super::shared_flux::{Rigid, Windings};
use super::surroundings::Surroundings;
use super::terminals::{Flange, Late};
use super::time_programs;
use crate::codes;
use crate::element::SignalShape;
use crate::reading::fields::Condition;
use crate::reading::ids::ElementId;
use equations::derive::partial;
use equations::expr::{Arena, Ex, ExprId, Node, VarId};
use equations::expression::{Op, Program, SignalRef};
use equations::flat::{
    Equation, Flat, ModeLaw, Source, Transition, Variable, split_terms, time_derivative,
};
use equations::walk::Images;

/// Where an element of a bond graph touches a bond.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct BondPort {
    /// The bond.
    pub bond: ElementId,
    /// The half arrow of the bond points at the element.
    pub enters: bool,
}

/// The interface with which elements write their equations.
pub struct Writer<'a> {
    pub(crate) arena: &'a RefCell<Arena>,
    pub(crate) flat: RefCell<Flat>,
    pub(crate) model: &'a dyn Surroundings,
    pub(crate) block: Cell<u32>,
    /// Signals with rates, which are written last.
    pub(crate) late: RefCell<Vec<Late>>,
    /// Room for derivatives.
    pub(crate) images: RefCell<Images>,
    /// Inductors that share flux.
    pub(crate) windings: Windings,
    /// Bonds of each element of a bond graph.
    pub(crate) bonds: FxHashMap<ElementId, Vec<BondPort>>,
    /// Coordinates of joints, their rates and accelerations as unknowns of ports, for the lines of equations.
    pub(crate) axes: RefCell<FxHashMap<SignalRef, VarId>>,
}

/// A mode of the element that is being written.
#[derive(Clone, Copy, Debug)]
pub struct Mode(pub(crate) u32);

impl<'a> Writer<'a> {
    /// The block of the element.
    pub(crate) fn owner(&self) -> u32 {
        self.block.get()
    }

    /// The keyword of the element.
    pub fn keyword(&self) -> &'static str {
        self.model.keyword(self.block.get())
    }

    /// The element.
    pub(crate) fn element(&self) -> ElementId {
        ElementId(self.model.handle(self.block.get()))
    }

    pub(crate) fn ex(&self, id: ExprId) -> Ex<'a> {
        Ex { arena: self.arena, id }
    }

    /// Registers of the element: the numbers that it remembers between events.
    pub(crate) fn registers(&self) -> Registers<'_, 'a> {
        Registers { writer: self }
    }

    /// What the element does at events.
    pub(crate) fn actions(&self) -> Actions<'_, 'a> {
        Actions { writer: self }
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
        self.state_near(label, initial, 0.0)
    }

    /// A new unknown with a value at the start that is given, or wished for.
    pub fn state_near(&self, label: &'static str, given: Option<f64>, wished: f64) -> Ex<'a> {
        let id = add_variable(&mut self.flat.borrow_mut(), self.block.get(), label, given);
        self.flat.borrow_mut().variables[id.index()].guess = given.unwrap_or(wished);
        self.ex(self.arena.borrow_mut().variable(id))
    }

    /// A new unknown that starts at the value of an expression.
    pub fn state_from(&self, label: &'static str, value: Ex<'a>) -> Ex<'a> {
        let mut flat = self.flat.borrow_mut();
        let id = add_variable(&mut flat, self.block.get(), label, None);
        flat.starts.push((id, value.id));
        self.ex(self.arena.borrow_mut().variable(id))
    }

    /// May this unknown have this value at the start, as far as its other elements go?
    fn may_begin(&self, x: Ex<'a>, given: Option<f64>) -> bool {
        let Some(given) = given else { return true };
        match self.arena.borrow().node(x.id) {
            Node::Variable(variable) => {
                let known = self.flat.borrow().variables[variable.index()].initial;
                known.is_none_or(|known| known == given)
            }
            _ => false,
        }
    }

    /// Gives an unknown a value at the start.
    pub(crate) fn begin(&self, x: Ex<'a>, given: Option<f64>) {
        if let (Node::Variable(variable), Some(given)) = (self.arena.borrow().node(x.id), given) {
            let own = &mut self.flat.borrow_mut().variables[variable.index()];
            (own.initial, own.guess) = (Some(given), given);
            // Messages about it name who asks for it.
            own.block = self.block.get();
        }
    }

    /// The position of something with inertia at a flange, which begins there and with this speed. Where a
    /// neighbour begins otherwise it has a position of its own, so that momentum can be shared out.
    pub fn motion<F: Flange>(&self, flange: F, there: Option<f64>, speed: Option<f64>) -> Ex<'a> {
        let shared = self.potential(flange.node());
        let fits = self.may_begin(shared, there) && self.may_begin(self.rate(shared), speed);
        let own = if fits { shared } else { self.unknown(F::SIGNALS[0]) };
        if !fits {
            self.equal(own, shared);
        }
        self.begin(own, there);
        self.begin(self.rate(own), speed);
        own
    }

    /// A quantity that has to be inside of these limits; else the element has no equations.
    pub fn confined(&self, x: Ex<'a>, [low, high]: [f64; 2], what: &'static str) -> Ex<'a> {
        let off = self.number(f64::NAN);
        let inside = (high - x).if_positive(x, off);
        self.flat.borrow_mut().limits.push((self.block.get(), what));
        (x - low).if_positive(inside, off)
    }

    /// Gives a state a value at the start that is known only then.
    pub fn starts_at(&self, state: Ex<'a>, value: Ex<'a>) {
        if let Node::Variable(variable) = self.arena.borrow().node(state.id) {
            self.flat.borrow_mut().starts.push((variable, value.id));
        }
    }

    /// `left = right`.
    pub fn equal(&self, left: Ex<'a>, right: Ex<'a>) {
        self.equation(left - right, Source::Law);
    }

    pub(crate) fn equation(&self, residual: Ex<'a>, source: Source) {
        let terms = split_terms(&mut self.arena.borrow_mut(), residual.id);
        let block = self.block.get();
        self.flat.borrow_mut().equations.push(Equation { terms, block, source, level: 0 });
    }

    /// The derivative with respect to time.
    pub fn rate(&self, of: Ex<'a>) -> Ex<'a> {
        let mut flat = self.flat.borrow_mut();
        let mut arena = self.arena.borrow_mut();
        let mut images = self.images.borrow_mut();
        let done = images.start();
        self.ex(time_derivative(&mut arena, &mut flat.variables, of.id, done, Arena::variable))
    }

    /// The value of a signal of this element.
    pub fn signal(&self, name: &str, value: Ex<'a>) {
        self.component(name, 0, value);
    }

    /// Energy that this element stores.
    pub fn stores(&self, energy: Ex<'a>) {
        self.flat.borrow_mut().energies.push((self.block.get(), energy.id));
    }

    /// The value of a component, from 0, of a signal of this element.
    pub fn component(&self, name: &str, component: usize, value: Ex<'a>) {
        if let Some(key) = self.signal_key(name) {
            let key = SignalRef { component: component as u16, ..key };
            self.flat.borrow_mut().signals.insert(key, value.id);
        }
    }

    /// The first component of a signal of this element.
    pub(crate) fn signal_key(&self, name: &str) -> Option<SignalRef> {
        let block = self.block.get();
        let schema = self.model.schema(block);
        let index = schema.all_signals().position(|signal| signal.name == name)?;
        Some(SignalRef { block, signal: index as u16, component: 0 })
    }

    /// A signal of this element that is written already.
    pub(crate) fn own_signal(&self, name: &str) -> Ex<'a> {
        let key = self.signal_key(name);
        let known = key.and_then(|key| self.flat.borrow().signals.get(key));
        known.map_or_else(|| self.number(0.0), |id| self.ex(id))
    }

    /// Whether an expression uses this signal.
    pub(crate) fn is_used(&self, signal: SignalRef) -> bool {
        self.flat.borrow().used.contains_key(&signal)
    }

    /// The derivative of an expression with respect to a signal of this element that it uses.
    pub fn slope_of_own(&self, x: Ex<'a>, name: &str) -> Ex<'a> {
        let Some(signal) = self.signal_key(name) else { return self.number(0.0) };
        let own = self.used_variable(signal);
        let images = &mut self.images.borrow_mut();
        self.ex(partial(&mut self.arena.borrow_mut(), x.id, own, images))
    }

    /// The variable of a signal of this element, if an expression uses it.
    pub(crate) fn used_variable_of_own(&self, name: &str) -> Option<VarId> {
        let signal = self.signal_key(name)?;
        let flat = self.flat.borrow();
        flat.used.get(&signal).copied().or_else(|| self.own_unknown(&flat, signal))
    }

    /// A signal of another element, which may be written later.
    pub fn signal_of(&self, element: ElementId, name: &str) -> Ex<'a> {
        let block = self.model.block_of_element(element);
        let schema = self.model.schema(block);
        let index = schema.all_signals().position(|signal| signal.name == name).unwrap_or(0);
        self.used(SignalRef { block, signal: index as u16, component: 0 })
    }

    fn used(&self, signal: SignalRef) -> Ex<'a> {
        let variable = self.used_variable(signal);
        self.ex(self.arena.borrow_mut().variable(variable))
    }

    /// The unknown that a value or a signal of a port is, where its block is written already.
    fn own_unknown(&self, flat: &Flat, signal: SignalRef) -> Option<VarId> {
        let schema = self.model.schema(signal.block);
        if !schema.is_value() && schema.keyword != "Port" {
            return None;
        }
        match self.arena.borrow().node(flat.signals.get(signal)?) {
            Node::Variable(variable) => Some(variable),
            _ => None,
        }
    }

    /// The variable that stands for a signal of the networks.
    pub(crate) fn used_variable(&self, signal: SignalRef) -> VarId {
        let mut flat = self.flat.borrow_mut();
        let known = flat.used.get(&signal).copied().or_else(|| self.own_unknown(&flat, signal));
        known.unwrap_or_else(|| {
            let schema =
                self.model.schema(signal.block).all_signals().nth(usize::from(signal.signal));
            let label = schema.map_or("", |schema| schema.name);
            let id = add_variable(&mut flat, signal.block, label, None);
            flat.used.insert(signal, id);
            id
        })
    }

    /// A signal that its block does not have: a component too many.
    fn undefined(&self, signal: SignalRef) -> Ex<'a> {
        let schema = self.model.schema(signal.block).all_signals().nth(usize::from(signal.signal));
        if let Some(schema) = schema.filter(|schema| schema.shape == SignalShape::Vector) {
            self.block.set(signal.block);
            let words = format!("has no `{}[{}]`", schema.name, signal.component + 1);
            let count = self.model.width(signal.block, schema.name);
            let help = format!("components of `{}` count from 1 to {count}", schema.name);
            self.mistake(codes::UNKNOWN_SIGNAL, &words, &help);
        }
        self.number(0.0)
    }

    /// Makes every variable that has a rate by now a state.
    pub(crate) fn storages(&self) {
        let mut flat = self.flat.borrow_mut();
        let all = (0..flat.variables.len() as u32).map(VarId);
        flat.storages = all.filter(|v| flat.variables[v.index()].rate.is_some()).collect();
    }

    /// Equations for the signals that expressions use.
    pub(crate) fn define_used(&self) {
        let mut used: Vec<(SignalRef, VarId)> =
            self.flat.borrow().used.iter().map(|(signal, variable)| (*signal, *variable)).collect();
        used.sort_unstable_by_key(|(_, variable)| *variable);
        for (signal, variable) in used {
            let known = self.flat.borrow().signals.get(signal);
            let value = known.map_or_else(|| self.undefined(signal), |id| self.ex(id));
            self.registers().read_register(variable, value);
            let variable = self.ex(self.arena.borrow_mut().variable(variable));
            self.block.set(signal.block);
            self.equation(variable - value, Source::Definition);
        }
    }

    /// A time expression.
    pub fn time(&self, program: &Program) -> Ex<'a> {
        time_programs::write(self, program, self.block.get())
    }

    /// A time expression whose signals have numbers.
    pub(crate) fn numbered(&self, program: &Program) -> Ex<'a> {
        time_programs::add(self, program, self.block.get())
    }

    /// The expression within limits, and 1, 0 or -1: above, inside, below them. Switches at events.
    pub fn clamp(&self, x: Ex<'a>, limits: [f64; 2]) -> (Ex<'a>, Ex<'a>) {
        let clamp = equations::expression::function_index("clamp").unwrap_or(0) as u16;
        let [low, high] = limits.map(Op::Constant);
        time_programs::switching(self, x, &[low, high, Op::Call(clamp, 3)])
    }

    /// 1 where the expression is positive, else 0. Switches at events.
    pub fn positive(&self, x: Ex<'a>) -> Ex<'a> {
        match x.value() {
            Some(number) => self.number(f64::from(number > 0.0)),
            None => {
                let compare = [Op::Constant(0.0), Op::Binary(BinaryOp::Greater)];
                time_programs::switching(self, x, &compare).0
            }
        }
    }

    /// The larger of the expression and zero. Switches at events.
    pub fn not_negative(&self, x: Ex<'a>) -> Ex<'a> {
        let max = equations::expression::function_index("max").unwrap_or(0) as u16;
        time_programs::switching(self, x, &[Op::Constant(0.0), Op::Call(max, 2)]).0
    }

    /// The variable that an expression is, or a new one that equals it.
    pub(crate) fn named(&self, x: Ex<'a>) -> VarId {
        let node = self.arena.borrow().node(x.id);
        if let Node::Variable(variable) = node {
            return variable;
        }
        let id = add_variable(&mut self.flat.borrow_mut(), self.block.get(), "x", None);
        let variable = self.ex(self.arena.borrow_mut().variable(id));
        self.equal(variable, x);
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
        let (valve, alike) = (None, &[][..]);
        flat.modes.push(ModeLaw { block, first, transitions, words, valve, alike });
        Mode(flat.modes.len() as u32 - 1)
    }

    /// Says that some values of a mode change numbers in the equations and not their structure.
    pub fn alike(&self, mode: Mode, values: &'static [i8]) {
        self.flat.borrow_mut().modes[mode.0 as usize].alike = values;
    }

    /// The mode changes when the guard becomes positive.
    pub fn change(&self, mode: Mode, from: i8, to: i8, guard: Ex<'a>) {
        let transition = Transition { from, to, guard: guard.id, steps: false };
        self.flat.borrow_mut().modes[mode.0 as usize].transitions.push(transition);
    }

    /// A change of mode by a guard that only takes steps.
    pub fn change_at_step(&self, mode: Mode, from: i8, to: i8, guard: Ex<'a>) {
        let transition = Transition { from, to, guard: guard.id, steps: true };
        self.flat.borrow_mut().modes[mode.0 as usize].transitions.push(transition);
    }

    /// `yes` while the mode has one of these values, else `no`.
    pub fn if_modes(&self, mode: Mode, values: &[i8], yes: Ex<'a>, no: Ex<'a>) -> Ex<'a> {
        values.iter().fold(no, |rest, &value| self.if_mode(mode, value, yes, rest))
    }

    /// `yes` while the mode has this value, else `no`.
    pub fn if_mode(&self, mode: Mode, value: i8, yes: Ex<'a>, no: Ex<'a>) -> Ex<'a> {
        yes.make(Node::IfMode(mode.0, value, yes.id, no.id))
    }

    /// The flux of an inductor, including the flux of the inductors that it is coupled with.
    pub fn coupled(&self, own: Ex<'a>) -> Ex<'a> {
        let all = self.windings.coupled(self.element());
        all.iter().fold(own, |sum, &(other, mutual)| sum + mutual * self.signal_of(other, "i"))
    }

    /// The equation of an inductor that has no flux of its own.
    pub(crate) fn rigid(&self) -> Option<&Rigid> {
        self.windings.rigid(self.element())
    }

    /// Reports a mistake of this element.
    pub fn mistake(&self, code: Code, words: &str, help: &str) {
        let block = self.block.get();
        let name = self.model.name(block);
        let message = format!("{} `{name}` {words}", self.keyword());
        let diagnostic = Diagnostic::new(code, self.model.span(block), message).help(help);
        self.flat.borrow_mut().mistakes.push(diagnostic);
    }

    /// A new unknown of the model's text, which expressions call by the name of its block. It begins at `start` if that
    /// is `fixed`, else if nothing asks for another value.
    pub fn wished_unknown(&self, start: Option<f64>, fixed: bool, nominal: f64) -> Ex<'a> {
        let given = fixed.then_some(start.unwrap_or(0.0));
        let id = add_variable(&mut self.flat.borrow_mut(), self.block.get(), "", given);
        let own = &mut self.flat.borrow_mut().variables[id.index()];
        own.wish = start.or(given);
        own.guess = own.wish.unwrap_or(0.0);
        own.nominal = nominal;
        self.ex(self.arena.borrow_mut().variable(id))
    }

    /// A line of the text: `left = right`.
    pub(crate) fn line(&self, number: usize, left: &Program, right: &Program) {
        let block = self.block.get();
        let [left, right] = [left, right].map(|side| super::rates::write(self, side, block));
        super::rates::tell_velocities(self, left - right);
        self.equation(left - right, Source::Line(number as u32));
    }

    /// Reports that a parameter is missing.
    pub fn missing(&self, parameter: &str, what: &str) {
        let words = format!("needs the parameter `{parameter}`");
        self.mistake(codes::REQUIRED, &words, &format!("add `{parameter} = ...;`: {what}"));
    }
}

pub(super) fn add_variable(
    flat: &mut Flat,
    block: u32,
    label: &'static str,
    initial: Option<f64>,
) -> VarId {
    let id = VarId(flat.variables.len() as u32);
    let guess = initial.unwrap_or(0.0);
    flat.variables.push(Variable { initial, guess, ..Variable::new(block, label) });
    id
}
