//! Time expressions of the language as expressions of the equations.
//!
//! A switch in such an expression keeps its state between events; the state is a number from outside to the
//! equations. The compiled expressions themselves stay, because their guards and known instants are
//! found with them.

use std::ops::Range;

use parser::syntax::BinaryOp;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::expr::{Arena, ExprId, VarId};
use crate::expression::switches::{Kind, Switches};
use crate::expression::{Op, Program, SignalRef, TRUE_ABOVE};

/// A signal that a time expression uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UsedSignal {
    /// Of the networks: its variable.
    Network(VarId),
    /// A register.
    Memory(u32),
    /// Of something else.
    Other(SignalRef),
}

/// The time expressions of the networks.
#[derive(Clone, Debug, Default)]
pub struct Programs {
    /// The expressions; their signals are indices into `signals`.
    pub list: Vec<Program>,
    /// The block that each belongs to.
    pub owners: Vec<u32>,
    /// The signals that they use.
    pub signals: Vec<UsedSignal>,
    /// Their numbers.
    pub known: FxHashMap<UsedSignal, u32>,
    /// Numbers of signals that change at events only.
    pub stepping: FxHashSet<u32>,
    /// The switches in all expressions.
    pub switches: Switches,
    /// The operands of each switch.
    pub operands: Vec<Vec<ExprId>>,
}

/// A switch whose guards are expressions of the equations, which stand among the expressions that events need.
#[derive(Clone, Debug)]
pub struct CodedSwitch {
    /// Its number among all switches.
    pub switch: usize,
    /// Its guards among the guards of all switches.
    pub guards: Range<usize>,
    /// The first of its guards among the expressions that events need.
    pub first: usize,
}

impl Programs {
    /// Numbers of the signals that guards of time expressions need between events, ascending.
    pub fn searched_signals(&self) -> Vec<usize> {
        let mut numbers: Vec<usize> = Vec::new();
        for (index, program) in self.list.iter().enumerate() {
            let needed = &program.ops()[..self.switches.n_searched(index)];
            numbers.extend(needed.iter().filter_map(|op| match op {
                Op::Signal(signal) => Some(signal.block as usize),
                _ => None,
            }));
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }

    /// Lets guards that are searched for be expressions of the equations, whose code has their operands anyway: adds these to
    /// the expressions that events need.
    pub fn code_guards(
        &mut self,
        arena: &mut Arena,
        at_events: &mut Vec<ExprId>,
    ) -> Vec<CodedSwitch> {
        let mut coded = Vec::new();
        for switch in self.switches.take_coded() {
            let (kind, guards) = self.switches.guards_of(switch);
            let first = at_events.len();
            at_events.extend(guard_expressions(arena, kind, &self.operands[switch]));
            debug_assert_eq!(at_events.len() - first, guards.len());
            coded.push(CodedSwitch { switch, guards, first });
        }
        coded
    }

    /// Adds a program whose signals have numbers; gives its index.
    pub fn push(&mut self, program: &Program, owner: u32) -> usize {
        let Self { switches, stepping, .. } = self;
        switches.push(program, |signal| stepping.contains(&signal.block));
        self.list.push(program.clone());
        self.owners.push(owner);
        self.list.len() - 1
    }

    /// Lets the programs that use a signal read a register instead.
    pub fn read_register(&mut self, signal: VarId, register: u32) {
        if let Some(&number) = self.known.get(&UsedSignal::Network(signal)) {
            self.signals[number as usize] = UsedSignal::Memory(register);
        }
    }
}

/// The guards of a switch whose guards do not depend on its state (`Kind::guards`).
fn guard_expressions(arena: &mut Arena, kind: Kind, x: &[ExprId]) -> Vec<ExprId> {
    let mut less = |a: ExprId, b: ExprId| arena.binary(BinaryOp::Subtract, a, b);
    match kind {
        Kind::Relation(BinaryOp::Less | BinaryOp::LessEqual) => vec![less(x[1], x[0])],
        Kind::Relation(_) => vec![less(x[0], x[1])],
        Kind::Clamp => vec![less(x[0], x[1]), less(x[0], x[2])],
        Kind::Truth => {
            let bound = arena.constant(TRUE_ABOVE);
            vec![arena.binary(BinaryOp::Subtract, x[0], bound)]
        }
        Kind::Sign => vec![x[0]; 2],
        _ => vec![x[0]],
    }
}
