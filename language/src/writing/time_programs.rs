//! How time expressions become expressions of the equations.

use parser::syntax::{BinaryOp, UnaryOp};

use super::writer::Writer;
use crate::element::Family;
use crate::reading::scope::can_sense;
use equations::expr::{Ex, Node};
use equations::expression::switches::Kind;
use equations::expression::{FUNCTIONS, Op, Program, SignalRef, TRUE_ABOVE};
use equations::programs::{Programs, UsedSignal};

/// Adds a program and gives its value as an expression.
pub(crate) fn write<'a>(writer: &Writer<'a>, program: &Program, block: u32) -> Ex<'a> {
    match program.as_constant() {
        Some(number) => writer.number(number),
        None => add(writer, &numbered(writer, program), block),
    }
}

/// The program with numbers in the place of its signals.
pub(crate) fn numbered(writer: &Writer<'_>, program: &Program) -> Program {
    let mut numbers: Vec<(SignalRef, u32)> = Vec::new();
    for op in program.ops() {
        if let Op::Signal(signal) = *op
            && numbers.iter().all(|(known, _)| *known != signal)
        {
            numbers.push((signal, use_signal(writer, signal)));
        }
    }
    let number = |signal: SignalRef| {
        numbers.iter().find(|(known, _)| *known == signal).map_or(0, |(_, index)| *index)
    };
    program.map_signals(|s| by_number(number(s)))
}

/// A signal by its number.
pub(crate) fn by_number(number: u32) -> SignalRef {
    SignalRef { block: number, signal: 0, component: 0 }
}

/// Adds a program whose signals have numbers, and gives its value as an expression.
pub(crate) fn add<'a>(writer: &Writer<'a>, program: &Program, block: u32) -> Ex<'a> {
    let index = writer.flat.borrow_mut().programs.push(program, block);
    convert(writer, program, index)
}

/// An operation of the language that switches, behind an expression of the equations: its value, and the state of
/// the switch. Unlike a mode, the state does not change the structure of the equations.
pub(crate) fn switching<'a>(writer: &Writer<'a>, x: Ex<'a>, ops: &[Op]) -> (Ex<'a>, Ex<'a>) {
    let signal = number_of(writer, UsedSignal::Network(writer.named(x)));
    let (index, program) = {
        let programs = &mut writer.flat.borrow_mut().programs;
        let first = Op::Signal(by_number(signal));
        let program = Program::default().followed_by(&[first]).followed_by(ops);
        (programs.push(&program, writer.block.get()), program)
    };
    let switch = writer.flat.borrow().programs.switches.at(index, ops.len());
    let state = switch.map_or_else(|| writer.number(0.0), |(k, _)| x.make(Node::State(k)));
    (convert(writer, &program, index), state)
}

/// The number of a signal among the signals that the programs use.
pub(super) fn use_signal(writer: &Writer<'_>, signal: SignalRef) -> u32 {
    let schema = writer.model.schema(signal.block);
    let known = schema.all_signals().nth(usize::from(signal.signal));
    let is_sensed = known.is_some_and(|known| can_sense(schema, known));
    let of_port = writer.axes.borrow().get(&signal).copied();
    let used = match schema.family {
        _ if let Some(variable) = of_port => UsedSignal::Network(variable),
        Family::Network | Family::Node => UsedSignal::Network(writer.used_variable(signal)),
        Family::Joint | Family::Body | Family::Triad | Family::Sensor if is_sensed => {
            UsedSignal::Network(writer.sensed(signal))
        }
        _ => UsedSignal::Other(signal),
    };
    let number = number_of(writer, used);
    if writer.model.takes_steps(signal) {
        writer.flat.borrow_mut().programs.stepping.insert(number);
    }
    number
}

/// The number of what a program uses.
pub(crate) fn number_of(writer: &Writer<'_>, used: UsedSignal) -> u32 {
    let Programs { signals, known, .. } = &mut writer.flat.borrow_mut().programs;
    *known.entry(used).or_insert_with(|| {
        signals.push(used);
        signals.len() as u32 - 1
    })
}

/// A part of a program as an expression.
#[derive(Clone, Copy)]
struct Part<'a> {
    /// With what switches in its frozen state.
    frozen: Ex<'a>,
    /// As it is written: what switches follows its operands.
    followed: Ex<'a>,
    /// Does it call a function that has no value for some numbers?
    is_limited: bool,
}

/// The postfix program as an expression.
///
/// A frozen branch goes on beyond its border, because a step passes an event before it is found. There a function such as `sqrt`
/// may have no value: in `sqrt(abs(x))` it gets a negative number, and in `if(x > 0, sqrt(x), 0)` too. Such a part
/// is what the model says, with nothing frozen, wherever its frozen branch has no value. Both agree at the border if
/// the part is continuous; if not, the step that meets the jump is too long and is repeated.
fn convert<'a>(writer: &Writer<'a>, program: &Program, index: usize) -> Ex<'a> {
    let mut stack: Vec<Part<'a>> = Vec::new();
    for (at, op) in program.ops().iter().enumerate() {
        let operands = stack.split_off(stack.len().saturating_sub(op.operands()));
        let frozen: Vec<Ex<'a>> = operands.iter().map(|part| part.frozen).collect();
        let limits = is_limited(*op, &frozen);
        let is_limited = limits || operands.iter().any(|part| part.is_limited);
        let switch = writer.flat.borrow().programs.switches.at(index, at);
        let value = match switch {
            Some((number, kind)) => {
                keep_operands(writer, number, &frozen);
                switched(writer, number, kind, &frozen)
            }
            None => plain(writer, *op, &frozen),
        };
        let followed: Vec<Ex<'a>> = operands.iter().map(|part| part.followed).collect();
        let is_frozen =
            switch.is_some() || operands.iter().any(|part| part.frozen.id != part.followed.id);
        let followed = if is_frozen { plain(writer, *op, &followed) } else { value };
        let chooses = switch.is_some() || is_choice(*op);
        let may_fail = is_frozen && (limits || (chooses && is_limited));
        let frozen = if may_fail { value.or_where_undefined(followed) } else { value };
        stack.push(Part { frozen, followed, is_limited });
    }
    stack.pop().map_or_else(|| writer.number(0.0), |part| part.frozen)
}

/// Does an operation take one of its operands, so that others need no value?
fn is_choice(op: Op) -> bool {
    let Op::Call(function, _) = op else { return false };
    FUNCTIONS.get(usize::from(function)).is_some_and(|function| function.name == "if")
}

/// Has an operation no value for some of its operands, which are no constants?
fn is_limited(op: Op, x: &[Ex<'_>]) -> bool {
    match op {
        Op::Binary(BinaryOp::Power) => {
            let is_whole = x[1].value().is_some_and(|exponent| exponent.fract() == 0.0);
            !is_whole && x[0].value().is_none()
        }
        Op::Call(function, _) => {
            let name = FUNCTIONS.get(usize::from(function)).map_or("", |f| f.name);
            matches!(name, "sqrt" | "log" | "log10" | "asin" | "acos") && x[0].value().is_none()
        }
        _ => false,
    }
}

/// Keeps the operands of a switch, which come in the order of their numbers.
fn keep_operands(writer: &Writer<'_>, switch: u32, x: &[Ex<'_>]) {
    let kept = &mut writer.flat.borrow_mut().programs.operands;
    kept.resize(kept.len().max(switch as usize + 1), Vec::new());
    kept[switch as usize] = x.iter().map(|x| x.id).collect();
}

/// The value of an operation that switches, in its frozen state.
fn switched<'a>(writer: &Writer<'a>, switch: u32, kind: Kind, x: &[Ex<'a>]) -> Ex<'a> {
    let zero = writer.number(0.0);
    let state = zero.make(Node::State(switch));
    let choose =
        |value: i32, yes: Ex<'a>, no: Ex<'a>| yes.make(Node::IfState(switch, value, yes.id, no.id));
    match kind {
        Kind::Relation(_) | Kind::Sign | Kind::Floor | Kind::Ceil => state,
        Kind::Truth => choose(1, x[1], x[2]),
        Kind::Abs => state * x[0],
        Kind::Mod => x[0] - x[1] * state,
        Kind::Clamp => choose(1, x[2], choose(-1, x[1], x[0])),
        Kind::Least | Kind::Greatest => {
            let last = x.len() - 1;
            (0..last).rev().fold(x[last], |rest, k| choose(k as i32, x[k], rest))
        }
    }
}

/// The value of an operation that does not switch.
fn plain<'a>(writer: &Writer<'a>, op: Op, x: &[Ex<'a>]) -> Ex<'a> {
    let leaf = |node| writer.number(0.0).make(node);
    let name = |function: u16| FUNCTIONS.get(usize::from(function)).map_or("", |f| f.name);
    match op {
        Op::Constant(number) => writer.number(number),
        Op::Time => leaf(Node::Time),
        // Rates are variables here, and arguments belong to laws of friction.
        Op::Argument | Op::Rate => writer.number(0.0),
        Op::Signal(signal) => {
            let used = writer.flat.borrow().programs.signals[signal.block as usize];
            match used {
                UsedSignal::Network(variable) => leaf(Node::Variable(variable)),
                UsedSignal::Memory(register) => leaf(Node::Memory(register)),
                UsedSignal::Other(_) => leaf(Node::Input(signal.block)),
            }
        }
        Op::Unary(UnaryOp::Plus) => x[0],
        Op::Unary(UnaryOp::Negate) => -x[0],
        Op::Unary(UnaryOp::Not) => {
            (x[0] - TRUE_ABOVE).if_positive(writer.number(0.0), writer.number(1.0))
        }
        Op::Binary(operator) => x[0].make(Node::Binary(operator, x[0].id, x[1].id)),
        Op::Call(function, _) => match name(function) {
            "smooth" => x[0],
            "if" => (x[0] - TRUE_ABOVE).if_positive(x[1], x[2]),
            "atan2" => x[0].make(Node::Atan2(x[0].id, x[1].id)),
            // Inside `smooth` the following are evaluated as they are.
            "min" => x[1..].iter().fold(x[0], |a, &b| (b - a).if_positive(a, b)),
            "max" => x[1..].iter().fold(x[0], |a, &b| (a - b).if_positive(a, b)),
            "clamp" => {
                let above = (x[0] - x[1]).if_positive(x[0], x[1]);
                (x[2] - above).if_positive(above, x[2])
            }
            "mod" => {
                let quotient = x[0].make(Node::Binary(BinaryOp::Divide, x[0].id, x[1].id));
                x[0] - x[1] * quotient.floor()
            }
            _ => x[0].make(Node::Function(function, x[0].id)),
        },
    }
}
