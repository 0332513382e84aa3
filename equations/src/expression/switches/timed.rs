//! Guards that are affine in time alone, and their roots.

use super::kind::Kind;
use super::{SwitchStates, Switches};
use crate::expression::{FUNCTIONS, Op, Program, is_true};
use parser::syntax::{BinaryOp, UnaryOp};
use problem::Side;

/// Instants closer than this many units of round-off are the same.
const SAME_INSTANT: f64 = 4.0 * f64::EPSILON;

/// `slope * t + offset`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine {
    slope: f64,
    offset: f64,
}

impl Affine {
    const fn constant(offset: f64) -> Self {
        Self { slope: 0.0, offset }
    }

    /// Where it is zero.
    fn root(self) -> Option<f64> {
        let root = -self.offset / self.slope;
        (self.slope != 0.0 && root.is_finite()).then_some(root)
    }

    /// Its side at `t`; at its root the side behind it, in the direction of integration.
    pub fn side(self, t: f64, direction: f64) -> Option<Side> {
        match self.root() {
            Some(root) if (t - root).abs() <= SAME_INSTANT * t.abs().max(root.abs()) => {
                Some(Side::of(self.slope * direction))
            }
            Some(root) => Some(Side::of(self.slope * (t - root))),
            None => (self.offset != 0.0).then(|| Side::of(self.offset)),
        }
    }
}

/// How an operand depends on time while all states are frozen, whichever they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    Constant,
    Affine,
    Other,
}

impl Switches {
    /// Tells which switches have guards that are affine in time alone.
    pub fn find_timed(&mut self, programs: &[Program]) {
        for (index, program) in programs.iter().enumerate() {
            if !self.has(index) {
                continue;
            }
            let mut stack: Vec<Shape> = Vec::new();
            for (at, op) in program.ops().iter().enumerate() {
                let operands = stack.split_off(stack.len().saturating_sub(op.operands()));
                let Some(found) = self.by_op[index][at] else {
                    stack.push(shape(*op, &operands));
                    continue;
                };
                let switch = &mut self.list[found as usize];
                let period = switch.kind != Kind::Mod || operands[1] == Shape::Constant;
                switch.timed = period && operands.iter().all(|shape| *shape != Shape::Other);
                stack.push(switch_shape(switch.kind, &operands));
            }
        }
        self.untimed = (0..self.list.len()).filter(|&index| !self.list[index].timed).collect();
        self.searched.clear();
        for (index, by_op) in self.by_op.iter().enumerate() {
            let is_untimed =
                |found: &Option<u32>| found.is_some_and(|found| !self.list[found as usize].timed);
            if let Some(last) = by_op.iter().rposition(is_untimed) {
                self.searched.push((index, last + 1));
            }
        }
    }
}

fn largest(shapes: &[Shape]) -> Shape {
    shapes.iter().copied().max().unwrap_or(Shape::Constant)
}

/// How a switch depends on time.
fn switch_shape(kind: Kind, x: &[Shape]) -> Shape {
    match kind {
        Kind::Relation(_) | Kind::Sign | Kind::Floor | Kind::Ceil => Shape::Constant,
        Kind::Truth => largest(&x[1..]),
        Kind::Mod if x[1] != Shape::Constant => Shape::Other,
        Kind::Mod | Kind::Abs | Kind::Least | Kind::Greatest | Kind::Clamp => largest(x),
    }
}

/// How an operation that does not switch depends on time.
fn shape(op: Op, x: &[Shape]) -> Shape {
    let constant = largest(x) == Shape::Constant;
    match op {
        Op::Constant(_) => Shape::Constant,
        Op::Time => Shape::Affine,
        Op::Argument | Op::Signal(_) => Shape::Other,
        _ if constant => Shape::Constant,
        Op::Unary(UnaryOp::Negate | UnaryOp::Plus)
        | Op::Binary(BinaryOp::Add | BinaryOp::Subtract) => largest(x),
        Op::Binary(BinaryOp::Multiply) if x.contains(&Shape::Constant) => largest(x),
        Op::Binary(BinaryOp::Divide) if x[1] == Shape::Constant => x[0],
        Op::Call(function, _) if name(function) == "smooth" => x[0],
        Op::Call(function, _) if name(function) == "if" && x[0] == Shape::Constant => {
            largest(&x[1..])
        }
        Op::Unary(_) | Op::Binary(_) | Op::Call(..) | Op::Rate => Shape::Other,
    }
}

fn name(function: u16) -> &'static str {
    FUNCTIONS.get(function as usize).map_or("", |function| function.name)
}

/// Slope and value at t = 0 of an expression that is affine in time and does not switch.
pub fn affine(program: &Program) -> Option<(f64, f64)> {
    if !super::find(program, |_| false).is_empty() {
        return None;
    }
    let mut stack: Vec<Option<Affine>> = Vec::new();
    for op in program.ops() {
        let operands = stack.split_off(stack.len().saturating_sub(op.operands()));
        stack.push(plain(*op, &operands));
    }
    let Affine { slope, offset } = (*stack.last()?)?;
    Some((slope, offset))
}

impl SwitchStates {
    /// The first root of a guard in time beyond `t`.
    pub fn next_instant(
        &mut self,
        switches: &Switches,
        programs: &[Program],
        t: f64,
        direction: f64,
    ) -> Option<f64> {
        self.direction = direction;
        self.update_roots(switches, programs);
        let timed = switches.list.iter().filter(|switch| switch.timed);
        let guards = timed.flat_map(|switch| &self.roots[switch.guards.clone()]);
        let roots = guards.filter_map(|guard| guard.and_then(Affine::root));
        let ahead =
            roots.filter(|root| direction * (root - t) > SAME_INSTANT * t.abs().max(root.abs()));
        ahead.min_by(|a, b| (direction * a).total_cmp(&(direction * b)))
    }

    /// The guards as functions of time in the present states. Nothing else changes them.
    pub(super) fn update_roots(&mut self, switches: &Switches, programs: &[Program]) {
        for (index, (program, own)) in programs.iter().zip(&switches.of_program).enumerate() {
            let is_known = self.rooted[own.clone()] == self.states[own.clone()];
            if is_known || switches.list[own.clone()].iter().all(|switch| !switch.timed) {
                continue;
            }
            self.rooted[own.clone()].copy_from_slice(&self.states[own.clone()]);
            let mut top = 0;
            for (at, op) in program.ops().iter().enumerate() {
                let count = op.operands();
                top -= count;
                let result = match switches.by_op[index][at] {
                    Some(found) => self.switch(switches, found as usize, top),
                    None => plain(*op, &self.stack[top..top + count]),
                };
                self.stack[top] = result;
                top += 1;
            }
        }
    }

    /// Guards and value of a switch.
    fn switch(&mut self, switches: &Switches, found: usize, top: usize) -> Option<Affine> {
        let (switch, state) = (&switches.list[found], self.states[found]);
        let operands = &self.stack[top..top + switch.operands];
        let mut slopes = [0.0; super::MAX_GUARDS];
        let mut offsets = [0.0; super::MAX_GUARDS];
        let mut known = operands.iter().all(Option::is_some);
        for (k, operand) in operands.iter().enumerate() {
            let Affine { slope, offset } = operand.unwrap_or(Affine::constant(0.0));
            (slopes[k], offsets[k]) = (slope, offset);
        }
        let (mut x, mut dx) = (offsets, slopes);
        if switch.kind == Kind::Mod {
            // A period that changes has no known instants.
            known &= slopes[1] == 0.0;
            (x[0], dx[0]) = (offsets[0] / offsets[1], slopes[0] / offsets[1]);
        }
        let count = switch.operands;
        let (mut g, mut dg) = ([0.0; super::MAX_GUARDS], [0.0; super::MAX_GUARDS]);
        let n = switch.guards.len();
        switch.kind.guards(state, &x[..count], 1.0, &mut g[..n]);
        switch.kind.guards(state, &dx[..count], 0.0, &mut dg[..n]);
        for (place, guard) in self.roots[switch.guards.clone()].iter_mut().enumerate() {
            *guard = known.then_some(Affine { slope: dg[place], offset: g[place] });
        }
        let steps =
            matches!(switch.kind, Kind::Relation(_) | Kind::Sign | Kind::Floor | Kind::Ceil);
        let chosen = switch.kind == Kind::Truth && operands[1..].iter().all(Option::is_some);
        (known || steps || chosen).then(|| Affine {
            slope: switch.kind.value(state, &slopes[..count], 0.0),
            offset: switch.kind.value(state, &offsets[..count], 1.0),
        })
    }
}

/// An operation that does not switch, on affine functions of time; `None` where it is none.
fn plain(op: Op, x: &[Option<Affine>]) -> Option<Affine> {
    let scale =
        |a: Affine, factor: f64| Affine { slope: a.slope * factor, offset: a.offset * factor };
    match op {
        Op::Constant(number) => Some(Affine::constant(number)),
        Op::Time => Some(Affine { slope: 1.0, offset: 0.0 }),
        Op::Argument | Op::Signal(_) | Op::Rate => None,
        Op::Unary(UnaryOp::Plus) => x[0],
        Op::Unary(UnaryOp::Negate) => x[0].map(|a| scale(a, -1.0)),
        Op::Binary(operator) => {
            let (a, b) = (x[0]?, x[1]?);
            match operator {
                BinaryOp::Add => {
                    Some(Affine { slope: a.slope + b.slope, offset: a.offset + b.offset })
                }
                BinaryOp::Subtract => {
                    Some(Affine { slope: a.slope - b.slope, offset: a.offset - b.offset })
                }
                BinaryOp::Multiply if b.slope == 0.0 => Some(scale(a, b.offset)),
                BinaryOp::Multiply if a.slope == 0.0 => Some(scale(b, a.offset)),
                BinaryOp::Divide if b.slope == 0.0 => {
                    Some(Affine { slope: a.slope / b.offset, offset: a.offset / b.offset })
                }
                _ => steady(op, x),
            }
        }
        Op::Call(function, _) if name(function) == "smooth" => x[0],
        Op::Call(function, _) if name(function) == "if" => {
            let (condition, yes, no) = (x[0]?, x[1]?, x[2]?);
            let chosen = if is_true(condition.offset) { yes } else { no };
            (condition.slope == 0.0).then_some(chosen)
        }
        Op::Unary(UnaryOp::Not) | Op::Call(..) => steady(op, x),
    }
}

/// An operation on constants.
fn steady(op: Op, x: &[Option<Affine>]) -> Option<Affine> {
    let mut stack = [0.0; super::MAX_GUARDS];
    let room = stack.get_mut(..x.len())?;
    for (place, operand) in room.iter_mut().zip(x) {
        let operand = (*operand)?;
        if operand.slope != 0.0 {
            return None;
        }
        *place = operand.offset;
    }
    op.apply(0.0, 0.0, |_| 0.0, &mut stack, x.len());
    Some(Affine::constant(stack[0]))
}
