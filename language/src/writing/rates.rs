//! Lines of equations as expressions: what `der(x)` means in them.
//!
//! The argument of `der` becomes an expression of its own, whose derivative is a variable; this variable stands in its
//! place, so that what switches around it is found as in every other expression.

use equations::expr::{Contents, Ex, ExprId, Node, VarId};
use equations::expression::{Op, Program, SignalRef};
use equations::programs::UsedSignal;
use parser::diagnostic::Diagnostic;
use rustc_hash::FxHashMap;

use super::time_programs::{add, by_number, number_of, numbered, use_signal};
use super::writer::Writer;
use crate::codes;
use crate::element::{Family, Quantity};

/// The value of one side of an equation.
pub(super) fn write<'a>(writer: &Writer<'a>, program: &Program, block: u32) -> Ex<'a> {
    let plain = without_rates(writer, program, block);
    match plain.as_constant() {
        Some(number) => writer.number(number),
        None => add(writer, &plain, block),
    }
}

/// The program with numbers for its signals, and signals in the place of rates.
fn without_rates(writer: &Writer<'_>, program: &Program, block: u32) -> Program {
    let program = numbered(writer, program);
    if !program.ops().contains(&Op::Rate) {
        return program;
    }
    let mut ops: Vec<Op> = Vec::with_capacity(program.ops().len());
    // Where each operand on the stack begins.
    let mut starts: Vec<usize> = Vec::new();
    // What the variables are that stand for rates in this line.
    let mut named: FxHashMap<VarId, ExprId> = FxHashMap::default();
    for &op in program.ops() {
        let first = starts.len().saturating_sub(op.operands());
        let start = starts.get(first).copied().unwrap_or(ops.len());
        starts.truncate(first);
        starts.push(start);
        if op != Op::Rate {
            ops.push(op);
            continue;
        }
        let argument = Program::new(ops.split_off(start));
        let value = match argument.as_constant() {
            Some(number) => writer.number(number),
            None => add(writer, &argument, block),
        };
        let rate = rate(writer, with_meanings(writer, value, &named));
        let node = writer.arena.borrow().node(rate.id);
        ops.push(match node {
            Node::Constant(bits) => Op::Constant(f64::from_bits(bits)),
            // Numbers from outside have the numbers of their signals.
            Node::Input(input) => Op::Signal(by_number(input)),
            _ => {
                let variable = writer.named(rate);
                if node != Node::Variable(variable) {
                    named.insert(variable, rate.id);
                }
                Op::Signal(by_number(number_of(writer, UsedSignal::Network(variable))))
            }
        });
    }
    Program::new(ops)
}

/// An expression with the meanings of the variables that stand for rates.
fn with_meanings<'a>(writer: &Writer<'a>, of: Ex<'a>, named: &FxHashMap<VarId, ExprId>) -> Ex<'a> {
    let mut images = writer.images.borrow_mut();
    let mut arena = writer.arena.borrow_mut();
    let id = arena.rewrite(of.id, Contents::VARIABLES, images.start(), |arena, id| {
        let Node::Variable(variable) = arena.node(id) else { return None };
        Some(named.get(&variable).copied().unwrap_or(id))
    });
    writer.ex(id)
}

/// The derivative with respect to time, also of positions and velocities that the mechanics tells.
fn rate<'a>(writer: &Writer<'a>, of: Ex<'a>) -> Ex<'a> {
    for input in inputs_of(writer, of.id) {
        let is_known = writer.arena.borrow().input_rates.contains_key(&input);
        if !is_known {
            let rate = input_rate(writer, input);
            writer.arena.borrow_mut().input_rates.insert(input, rate);
        }
    }
    writer.rate(of)
}

/// Tells the rates of positions in a line, which the reduction of the index may need.
pub(super) fn tell_velocities<'a>(writer: &Writer<'a>, line: Ex<'a>) {
    for input in inputs_of(writer, line.id) {
        let used = writer.flat.borrow().programs.signals.get(input as usize).copied();
        let Some(UsedSignal::Other(signal)) = used else { continue };
        let table = writer.model.schema(signal.block);
        let own = table.all_signals().nth(usize::from(signal.signal));
        let is_position = own.is_some_and(|own| own.quantity == Quantity::Position);
        let is_known = writer.arena.borrow().input_rates.contains_key(&input);
        if is_position && !is_known && rate_signal(writer, signal).is_some() {
            let rate = input_rate(writer, input);
            writer.arena.borrow_mut().input_rates.insert(input, rate);
        }
    }
}

/// The numbers from outside in an expression.
fn inputs_of(writer: &Writer<'_>, root: ExprId) -> Vec<u32> {
    let arena = writer.arena.borrow();
    let mut found = Vec::new();
    let mut seen = rustc_hash::FxHashSet::default();
    let mut stack = vec![root];
    while let Some(id) = stack.pop() {
        if !arena.has(id, Contents::INPUTS) || !seen.insert(id) {
            continue;
        }
        if let Node::Input(input) = arena.node(id) {
            found.push(input);
        }
        let (operands, count) = arena.operands(id);
        stack.extend(&operands[..count]);
    }
    found.sort_unstable();
    found
}

/// The rate of a signal from outside: that of a position is a velocity, that of a velocity an acceleration.
fn input_rate(writer: &Writer<'_>, input: u32) -> ExprId {
    let used = writer.flat.borrow().programs.signals.get(input as usize).copied();
    let Some(UsedSignal::Other(signal)) = used else { return writer.number(0.0).id };
    let Some(rate) = rate_signal(writer, signal) else {
        refuse(writer, signal);
        return writer.number(0.0).id;
    };
    let number = use_signal(writer, rate);
    let used = writer.flat.borrow().programs.signals[number as usize];
    let node = match used {
        UsedSignal::Network(variable) => Node::Variable(variable),
        UsedSignal::Memory(register) => Node::Memory(register),
        UsedSignal::Other(_) => Node::Input(number),
    };
    writer.number(0.0).make(node).id
}

/// The signal that is the rate of another.
fn rate_signal(writer: &Writer<'_>, signal: SignalRef) -> Option<SignalRef> {
    let table = writer.model.schema(signal.block);
    let own = table.all_signals().nth(usize::from(signal.signal))?;
    let wanted = match own.quantity {
        Quantity::Position => Quantity::Velocity,
        Quantity::Velocity => Quantity::Acceleration,
        Quantity::Turning if table.family != Family::Joint => Quantity::TurningAcceleration,
        _ => return None,
    };
    // Angles of Free and Spherical joints are no freedoms: their rates are told, their accelerations are not.
    let has_axes = !matches!(table.keyword, "Free" | "Spherical") || wanted == Quantity::Velocity;
    let is_known =
        matches!(table.family, Family::Joint | Family::Body | Family::Triad | Family::Sensor);
    let mut all = table.all_signals();
    let index = all.position(|s| s.quantity == wanted && s.component == own.component)?;
    (is_known && has_axes).then_some(SignalRef { signal: index as u16, ..signal })
}

/// Reports a signal whose rate nobody knows.
fn refuse(writer: &Writer<'_>, signal: SignalRef) {
    let block = writer.block.get();
    let table = writer.model.schema(signal.block);
    let name = table.all_signals().nth(usize::from(signal.signal)).map_or("", |signal| signal.name);
    let name = format!("{}.{name}", writer.model.name(signal.block));
    let message = format!(
        "{} `{}` needs the derivative of `{name}`, which is not known",
        writer.keyword(),
        writer.model.name(block)
    );
    let help = "the mechanics tells the rates of positions and, for joints with axes, bodies, triads and sensors, of velocities; \
                take the derivative of a filtered value, such as a DT1 of it";
    let mistake = Diagnostic::new(codes::NO_RATE, writer.model.span(block), message).help(help);
    writer.flat.borrow_mut().mistakes.push(mistake);
}
