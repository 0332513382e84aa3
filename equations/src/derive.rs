//! Derivatives of expressions: with respect to a variable, and with respect to time.

use parser::syntax::BinaryOp;

use crate::expr::{Arena, Contents, EXPONENT_LIMIT, ExprId, Node, VarId};
use crate::expression::{FUNCTIONS, function_index};
use crate::walk::Images;

/// The derivative of an expression. `leaf` gives the derivatives of leaves; a part that has none of the contents `what` has the
/// derivative zero. `done` remembers the derivatives of all nodes.
pub fn derivative(
    arena: &mut Arena,
    root: ExprId,
    what: Contents,
    done: &mut Images,
    mut leaf: impl FnMut(&mut Arena, Node) -> ExprId,
) -> ExprId {
    let zero = arena.constant(0.0);
    if !arena.has(root, what) {
        return zero;
    }
    let mut stack = std::mem::take(&mut done.stack);
    stack.push(root);
    while let Some(&id) = stack.last() {
        if done.get(id).is_some() {
            stack.pop();
            continue;
        }
        let (operands, count) = arena.operands(id);
        let waiting = stack.len();
        let is_open = |id: &&ExprId| arena.has(**id, what) && done.get(**id).is_none();
        stack.extend(operands[..count].iter().filter(is_open));
        if stack.len() > waiting {
            continue;
        }
        let d = operands.map(|operand| done.get(operand).unwrap_or(zero));
        let result = match arena.node(id) {
            node if count == 0 => leaf(arena, node),
            node => chain(arena, id, node, d),
        };
        done.insert(id, result);
        stack.pop();
    }
    done.stack = stack;
    done.get(root).unwrap_or(zero)
}

/// The derivative with respect to a variable.
pub fn partial(
    arena: &mut Arena,
    expression: ExprId,
    variable: VarId,
    images: &mut Images,
) -> ExprId {
    if arena.node(expression) == Node::Variable(variable) {
        return arena.constant(1.0);
    }
    derivative(arena, expression, Contents::VARIABLES, images.start(), |arena, node| {
        arena.constant(f64::from(node == Node::Variable(variable)))
    })
}

/// The chain rule for one operation; `d` are the derivatives of its operands.
fn chain(arena: &mut Arena, id: ExprId, node: Node, d: [ExprId; 3]) -> ExprId {
    let zero = arena.constant(0.0);
    match node {
        Node::Negate(_) => arena.make(Node::Negate(d[0])),
        Node::Function(function, x) => {
            if d[0] == zero {
                return zero;
            }
            let slope = slope(arena, function, id, x);
            arena.binary(BinaryOp::Multiply, slope, d[0])
        }
        Node::LimitedExp(x) => {
            let limit = arena.constant(EXPONENT_LIMIT);
            let beyond = arena.binary(BinaryOp::Subtract, x, limit);
            let steep = arena.constant(EXPONENT_LIMIT.exp());
            let slope = arena.make(Node::IfPositive(beyond, steep, id));
            arena.binary(BinaryOp::Multiply, slope, d[0])
        }
        Node::Binary(operator, a, b) => operator_derivative(arena, operator, id, [a, b], d),
        Node::Atan2(y, x) => {
            let (yx, xy) = (
                arena.binary(BinaryOp::Multiply, d[0], x),
                arena.binary(BinaryOp::Multiply, y, d[1]),
            );
            let above = arena.binary(BinaryOp::Subtract, yx, xy);
            let (xx, yy) =
                (arena.binary(BinaryOp::Multiply, x, x), arena.binary(BinaryOp::Multiply, y, y));
            let below = arena.binary(BinaryOp::Add, xx, yy);
            arena.binary(BinaryOp::Divide, above, below)
        }
        Node::IfPositive(condition, ..) => arena.make(Node::IfPositive(condition, d[1], d[2])),
        Node::IfState(switch, state, ..) => arena.make(Node::IfState(switch, state, d[0], d[1])),
        Node::IfMode(mode, value, ..) => arena.make(Node::IfMode(mode, value, d[0], d[1])),
        _ => zero,
    }
}

fn operator_derivative(
    arena: &mut Arena,
    operator: BinaryOp,
    id: ExprId,
    [a, b]: [ExprId; 2],
    d: [ExprId; 3],
) -> ExprId {
    let zero = arena.constant(0.0);
    match operator {
        BinaryOp::Add | BinaryOp::Subtract => arena.binary(operator, d[0], d[1]),
        BinaryOp::Multiply => {
            let left = arena.binary(BinaryOp::Multiply, d[0], b);
            let right = arena.binary(BinaryOp::Multiply, a, d[1]);
            arena.binary(BinaryOp::Add, left, right)
        }
        BinaryOp::Divide => {
            // (a' - (a/b) b')/b
            let quotient = arena.binary(BinaryOp::Multiply, id, d[1]);
            let above = arena.binary(BinaryOp::Subtract, d[0], quotient);
            arena.binary(BinaryOp::Divide, above, b)
        }
        BinaryOp::Power if d[1] == zero => {
            // b a^(b-1) a'
            let one = arena.constant(1.0);
            let less = arena.binary(BinaryOp::Subtract, b, one);
            let power = arena.binary(BinaryOp::Power, a, less);
            let slope = arena.binary(BinaryOp::Multiply, b, power);
            arena.binary(BinaryOp::Multiply, slope, d[0])
        }
        BinaryOp::Power => {
            // a^b (b' log a + b a'/a)
            let log = function(arena, "log", a);
            let left = arena.binary(BinaryOp::Multiply, d[1], log);
            let ratio = arena.binary(BinaryOp::Divide, d[0], a);
            let right = arena.binary(BinaryOp::Multiply, b, ratio);
            let sum = arena.binary(BinaryOp::Add, left, right);
            arena.binary(BinaryOp::Multiply, id, sum)
        }
        _ => zero,
    }
}

fn function(arena: &mut Arena, name: &str, x: ExprId) -> ExprId {
    match function_index(name) {
        Some(index) => arena.make(Node::Function(index as u16, x)),
        None => x,
    }
}

/// The slope of a function of one argument; `id` is its value at `x`.
fn slope(arena: &mut Arena, index: u16, id: ExprId, x: ExprId) -> ExprId {
    let one = arena.constant(1.0);
    let square = |arena: &mut Arena, x| arena.binary(BinaryOp::Multiply, x, x);
    match FUNCTIONS.get(usize::from(index)).map_or("", |function| function.name) {
        "sin" => function(arena, "cos", x),
        "cos" => {
            let sine = function(arena, "sin", x);
            arena.make(Node::Negate(sine))
        }
        "tan" => {
            let square = square(arena, id);
            arena.binary(BinaryOp::Add, one, square)
        }
        name @ ("asin" | "acos") => {
            let square = square(arena, x);
            let rest = arena.binary(BinaryOp::Subtract, one, square);
            let root = function(arena, "sqrt", rest);
            let slope = arena.binary(BinaryOp::Divide, one, root);
            if name == "asin" { slope } else { arena.make(Node::Negate(slope)) }
        }
        "atan" => {
            let square = square(arena, x);
            let below = arena.binary(BinaryOp::Add, one, square);
            arena.binary(BinaryOp::Divide, one, below)
        }
        "sinh" => function(arena, "cosh", x),
        "cosh" => function(arena, "sinh", x),
        "tanh" => {
            let square = square(arena, id);
            arena.binary(BinaryOp::Subtract, one, square)
        }
        "exp" => id,
        "log" => arena.binary(BinaryOp::Divide, one, x),
        "log10" => {
            let ten = arena.constant(std::f64::consts::LN_10);
            let below = arena.binary(BinaryOp::Multiply, ten, x);
            arena.binary(BinaryOp::Divide, one, below)
        }
        "sqrt" => {
            let half = arena.constant(0.5);
            arena.binary(BinaryOp::Divide, half, id)
        }
        "abs" => {
            let minus = arena.constant(-1.0);
            arena.make(Node::IfPositive(x, one, minus))
        }
        // Steps have no slope.
        _ => arena.constant(0.0),
    }
}
