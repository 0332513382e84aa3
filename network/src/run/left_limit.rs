//! The value of an expression just before an instant.
//!
//! Signals are given as they are before the instant. Where the expression itself switches with time, such as
//! `t >= 0.1`, the side just before counts; everything else is evaluated at the instant.

use parser::syntax::BinaryOp;

use equations::expression::{FUNCTIONS, Op, Program, is_true};

/// The value before `t`; `left` is a time just before. `stack` grows to what the program needs.
pub(crate) fn evaluate(
    program: &Program,
    [t, left]: [f64; 2],
    signal: &dyn Fn(u32) -> f64,
    stack: &mut Vec<[f64; 2]>,
) -> f64 {
    stack.clear();
    let mut columns = [Vec::new(), Vec::new()];
    for op in program.ops() {
        let first = stack.len().saturating_sub(op.operands());
        let value = match *op {
            Op::Time => [t, left],
            op => {
                for (k, column) in columns.iter_mut().enumerate() {
                    column.clear();
                    column.extend(stack[first..].iter().map(|pair| pair[k]));
                }
                apply(op, &mut columns, signal)
            }
        };
        stack.truncate(first);
        stack.push(value);
    }
    stack.last().map_or(0.0, |pair| pair[0])
}

/// An operation on values at and before the instant.
fn apply(op: Op, columns: &mut [Vec<f64>; 2], signal: &dyn Fn(u32) -> f64) -> [f64; 2] {
    let name = match op {
        Op::Call(function, _) => FUNCTIONS.get(usize::from(function)).map_or("", |f| f.name),
        _ => "",
    };
    match name {
        "if" => {
            let branch = if is_true(columns[1][0]) { 1 } else { 2 };
            return [columns[0][branch], columns[1][branch]];
        }
        "mod" => {
            let periods = (columns[1][0] / columns[1][1]).floor();
            return [0, 1].map(|k| columns[k][0] - columns[k][1] * periods);
        }
        _ => {}
    }
    let mut value = |k: usize| {
        let column = &mut columns[k];
        let count = column.len();
        column.resize(count.max(1), 0.0);
        op.apply(0.0, 0.0, |reference| signal(reference.block), column, count);
        column[0]
    };
    let steps = matches!(name, "floor" | "ceil" | "sign")
        || matches!(op, Op::Binary(operator) if is_relation(operator));
    if steps {
        let before = value(1);
        [before; 2]
    } else {
        [value(0), value(1)]
    }
}

fn is_relation(operator: BinaryOp) -> bool {
    use BinaryOp::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(operator, Less | LessEqual | Greater | GreaterEqual | Equal | NotEqual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use equations::clock::just_before;
    use equations::expression::Formula;

    #[test]
    fn steps_have_not_happened_yet_and_the_rest_is_at_the_instant() {
        let t = 3.0 * 0.1;
        let mut stack = Vec::new();
        let mut at = |formula: Formula| {
            evaluate(&formula.program(), [t, just_before(t)], &|_| 0.0, &mut stack)
        };
        assert_eq!(at(Formula::time()), t);
        assert_eq!(at(Formula::time().at_least(0.3)), 0.0);
        assert_eq!(at(Formula::time().call("mod", &[0.1])), t - 0.1 * 2.0);
        assert_eq!(at((Formula::time() * 10.0).call("floor", &[])), 2.0);
        assert_eq!(at(2.0 * Formula::time() + 1.0), 2.0 * t + 1.0);
    }
}
