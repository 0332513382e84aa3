//! What an analysis adds to time expressions and signals of networks while they are read.
//!
//! A time expression, or every use of a signal, gets a small polynomial added,
//!
//! ```text
//! u(t) = u0 + u1 (t - t0) + u2 (t - t0)^2/2
//! ```
//!
//! whose coefficients are registers, zero at first: hidden Input blocks. At the instant t0 they are the input, its first and
//! its second derivative, which an output may follow as well: the current of a capacitor that a source charges, the torque that
//! a prescribed angle takes.

use parser::syntax::BinaryOp;
use rustc_hash::FxHashMap;

use equations::expression::{Op, Program, SignalRef};

/// Coefficients of the polynomial.
pub const ORDERS: usize = 3;

/// Where a register acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Place {
    /// In a time expression: the block and its parameter.
    Parameter(u32, &'static str),
    /// Wherever a signal is used.
    Signal(SignalRef),
}

/// The places of the text where registers are added while the blocks are read.
#[derive(Debug, Default)]
pub(crate) struct Additions {
    /// The hidden blocks of each place: of the input, its first and its second derivative.
    pub hidden: FxHashMap<Place, [u32; ORDERS]>,
    /// Constants in whose place there is a sum now.
    pub bases: FxHashMap<Place, f64>,
    /// The instant t0, s.
    pub start: f64,
}

impl Additions {
    /// A time expression that is read as the value of a parameter.
    pub(crate) fn add_to_parameter(
        &mut self,
        block: u32,
        parameter: &'static str,
        program: Program,
    ) -> Program {
        let place = Place::Parameter(block, parameter);
        let Some(hidden) = self.hidden.get(&place) else { return program };
        if let Some(number) = program.as_constant() {
            self.bases.insert(place, number);
        }
        self.sum(&program, *hidden)
    }

    /// An expression in which signals have something added.
    pub(crate) fn add_to_signals(&self, program: Program) -> Program {
        if self.hidden.is_empty() {
            return program;
        }
        program.with_programs(|signal| {
            let hidden = self.hidden.get(&Place::Signal(signal))?;
            Some(self.sum(&Program::signal(signal), *hidden))
        })
    }

    /// `program + u0 + (t - t0) (u1 + (t - t0) u2/2)`.
    fn sum(&self, program: &Program, hidden: [u32; ORDERS]) -> Program {
        let [u, du, ddu] =
            hidden.map(|block| Op::Signal(SignalRef { block, signal: 0, component: 0 }));
        let since = [Op::Time, Op::Constant(self.start), Op::Binary(BinaryOp::Subtract)];
        let [add, multiply] = [BinaryOp::Add, BinaryOp::Multiply].map(Op::Binary);
        let mut ops = vec![u, add];
        ops.extend(since);
        ops.push(du);
        ops.extend(since);
        ops.extend([ddu, multiply, Op::Constant(0.5), multiply, add, multiply, add]);
        program.followed_by(&ops)
    }
}
