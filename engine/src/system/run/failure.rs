//! Why the right-hand side has no value.

use std::borrow::Cow;

use mechanics::EvalError;

/// Why the right-hand side has no value.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// A force element has no value: block and reason.
    Element(u32, &'static str),
    /// A time expression is not finite: block that uses it is not known here, index of the expression.
    Expression(usize),
    /// The accelerations cannot be computed.
    Dynamics(EvalError),
    /// The networks have no solution: block, words, remedy.
    Network(u32, String, Option<String>),
    /// What `When` blocks or automata do at an event cannot be done: block, words, remedy.
    Action(u32, String, Option<String>),
    /// A signal that time expressions use depends on itself and has no value: which one.
    Late(usize),
    /// A row of the constraints cannot be kept.
    Constraint(usize),
    /// A plugin failed.
    Plugin {
        /// Which one.
        plugin: usize,
        /// Time at which it was called, s.
        t: f64,
        /// Why.
        reason: Cow<'static, str>,
    },
}
