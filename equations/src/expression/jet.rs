//! Values with their first two derivatives in time: expressions that prescribe a motion.
//!
//! The chain rule, operation by operation: `(f(a))' = f'(a) a'`, `(f(a))'' = f''(a) a'^2 + f'(a) a''`.

use super::program::SignalRef;
use parser::syntax::{BinaryOp, UnaryOp};

use super::functions::{FUNCTIONS, is_true};
use super::program::{Op, binary, unary};

/// A value and its first two derivatives in time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// The value.
    pub value: f64,
    /// First derivative.
    pub first: f64,
    /// Second derivative.
    pub second: f64,
}

impl Jet {
    /// A number that does not change.
    pub const fn constant(value: f64) -> Self {
        Self { value, first: 0.0, second: 0.0 }
    }

    /// The time itself.
    pub const fn time(t: f64) -> Self {
        Self { value: t, first: 1.0, second: 0.0 }
    }

    /// A function of this from its value and derivatives here.
    fn chain(self, value: f64, d1: f64, d2: f64) -> Self {
        // A factor of zero stays zero where the derivative has no value: sqrt(0) of a constant.
        let times = |d: f64, x: f64| if x == 0.0 { 0.0 } else { d * x };
        Self {
            value,
            first: times(d1, self.first),
            second: times(d2, self.first * self.first) + times(d1, self.second),
        }
    }

    fn linear(self, a: f64, b: Jet, c: f64) -> Self {
        Self {
            value: a * self.value + c * b.value,
            first: a * self.first + c * b.first,
            second: a * self.second + c * b.second,
        }
    }

    fn times(self, b: Jet) -> Self {
        Self {
            value: self.value * b.value,
            first: self.first * b.value + self.value * b.first,
            second: self.second * b.value + 2.0 * self.first * b.first + self.value * b.second,
        }
    }

    fn inverse(self) -> Self {
        let i = 1.0 / self.value;
        self.chain(i, -i * i, 2.0 * i * i * i)
    }

    fn power(self, b: Jet) -> Self {
        let (x, n) = (self.value, b.value);
        if b.first == 0.0 && b.second == 0.0 {
            let down = |factor: f64, n: f64| if factor == 0.0 { 0.0 } else { factor * x.powf(n) };
            return self.chain(x.powf(n), down(n, n - 1.0), down(n * (n - 1.0), n - 2.0));
        }
        let e = b.times(self.chain(x.ln(), 1.0 / x, -1.0 / (x * x)));
        e.chain(x.powf(n), x.powf(n), x.powf(n))
    }

    /// The angle of the point (x, y): `(x y' - y x') / (x^2 + y^2)` and its derivative.
    fn angle(y: Jet, x: Jet) -> Self {
        let square = x.times(x).linear(1.0, y.times(y), 1.0);
        let (turn, d) = (x.value * y.first - y.value * x.first, square.value);
        let bend = x.value * y.second - y.value * x.second;
        let times = |a: f64, b: f64| if a == 0.0 { 0.0 } else { a / b };
        Self {
            value: y.value.atan2(x.value),
            first: times(turn, d),
            second: times(bend, d) - times(turn * square.first, d * d),
        }
    }
}

fn of_binary(operator: BinaryOp, a: Jet, b: Jet) -> Jet {
    match operator {
        BinaryOp::Add => a.linear(1.0, b, 1.0),
        BinaryOp::Subtract => a.linear(1.0, b, -1.0),
        BinaryOp::Multiply => a.times(b),
        BinaryOp::Divide => a.times(b.inverse()),
        BinaryOp::Power => a.power(b),
        relation => Jet::constant(binary(relation, a.value, b.value)),
    }
}

fn of_function(name: &str, x: &[Jet]) -> Jet {
    let (a, v) = (x[0], x[0].value);
    let pick = |better: fn(f64, f64) -> bool| {
        x.iter().fold(a, |best, x| if better(x.value, best.value) { *x } else { best })
    };
    match name {
        "sin" => a.chain(v.sin(), v.cos(), -v.sin()),
        "cos" => a.chain(v.cos(), -v.sin(), -v.cos()),
        "tan" => {
            let (t, d) = (v.tan(), 1.0 + v.tan() * v.tan());
            a.chain(t, d, 2.0 * t * d)
        }
        "asin" | "acos" => {
            let sign = if name == "asin" { 1.0 } else { -1.0 };
            let d = sign / (1.0 - v * v).sqrt();
            a.chain(if sign > 0.0 { v.asin() } else { v.acos() }, d, v * d / (1.0 - v * v))
        }
        "atan" => {
            let d = 1.0 / (1.0 + v * v);
            a.chain(v.atan(), d, -2.0 * v * d * d)
        }
        "atan2" => Jet::angle(a, x[1]),
        "sinh" => a.chain(v.sinh(), v.cosh(), v.sinh()),
        "cosh" => a.chain(v.cosh(), v.sinh(), v.cosh()),
        "tanh" => {
            let (t, d) = (v.tanh(), 1.0 - v.tanh() * v.tanh());
            a.chain(t, d, -2.0 * t * d)
        }
        "exp" => a.chain(v.exp(), v.exp(), v.exp()),
        "log" => a.chain(v.ln(), 1.0 / v, -1.0 / (v * v)),
        "log10" => {
            let d = std::f64::consts::LOG10_E / v;
            a.chain(v.log10(), d, -d / v)
        }
        "sqrt" => {
            let root = v.sqrt();
            a.chain(root, 0.5 / root, -0.25 / (root * v))
        }
        "abs" if v < 0.0 => a.linear(-1.0, a, 0.0),
        "abs" | "smooth" => a,
        "min" => pick(|x, best| x < best),
        "max" => pick(|x, best| x > best),
        "mod" => a.linear(1.0, x[1], -(v / x[1].value).floor()),
        "clamp" if v.max(x[1].value) > x[2].value => x[2],
        "clamp" if v < x[1].value => x[1],
        "clamp" => a,
        "if" => x[if is_true(v) { 1 } else { 2 }],
        // sign, floor, ceil: steps.
        _ => {
            Jet::constant(FUNCTIONS.iter().find(|f| f.name == name).map_or(v, |f| (f.value)(&[v])))
        }
    }
}

impl Op {
    /// Replaces the operands below `top` by the result with its derivatives; gives the new top. Arguments and
    /// signals count as zero: an expression that prescribes a motion has none.
    pub fn apply_jet(
        self,
        t: f64,
        signal: impl Fn(SignalRef) -> f64,
        stack: &mut [Jet],
        top: usize,
    ) -> usize {
        let first = top - self.operands();
        stack[first] = match self {
            Op::Constant(number) => Jet::constant(number),
            Op::Time => Jet::time(t),
            Op::Argument => Jet::constant(0.0),
            Op::Signal(reference) => Jet::constant(signal(reference)),
            Op::Unary(UnaryOp::Negate) => stack[first].linear(-1.0, stack[first], 0.0),
            Op::Unary(UnaryOp::Plus) => stack[first],
            Op::Rate => Jet::constant(f64::NAN),
            Op::Unary(operator) => Jet::constant(unary(operator, stack[first].value)),
            Op::Binary(operator) => of_binary(operator, stack[first], stack[first + 1]),
            Op::Call(function, _) => {
                of_function(FUNCTIONS[function as usize].name, &stack[first..top])
            }
        };
        first + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of the language or an operator on two expressions of t, and its differences.
    fn check(f: impl Fn(Jet) -> Jet, t: f64) {
        // Central differences: h^2/12 of fourth derivatives of size 100, round-off / h^2.
        let h = 1e-4;
        let at = |t: f64| f(Jet::time(t));
        let (low, mid, high) = (at(t - h), at(t), at(t + h));
        let first = (high.value - low.value) / (2.0 * h);
        let second = (high.first - low.first) / (2.0 * h);
        let size = 1.0 + mid.first.abs() + mid.second.abs();
        assert!((mid.first - first).abs() < 1e-5 * size, "{mid:?} {first}");
        assert!((mid.second - second).abs() < 1e-5 * size, "{mid:?} {second}");
    }

    #[test]
    fn derivatives_are_those_of_the_values() {
        let inner = |t: Jet| of_function("sin", &[t.times(t)]).linear(0.4, Jet::constant(0.5), 1.0);
        for function in FUNCTIONS {
            let jets = |t: Jet| -> Vec<Jet> {
                let arguments =
                    [inner(t), t.linear(0.3, Jet::constant(1.1), 1.0), Jet::constant(2.0)];
                arguments[..function.least].to_vec()
            };
            for t in [0.4, 0.9, 1.3] {
                check(|t| of_function(function.name, &jets(t)), t);
                let found = of_function(function.name, &jets(Jet::time(t))).value;
                let values: Vec<f64> = jets(Jet::time(t)).iter().map(|jet| jet.value).collect();
                assert!((found - (function.value)(&values)).abs() < 1e-15, "{}", function.name);
            }
        }
        for operator in [
            BinaryOp::Add,
            BinaryOp::Subtract,
            BinaryOp::Multiply,
            BinaryOp::Divide,
            BinaryOp::Power,
        ] {
            check(|t| of_binary(operator, inner(t), t.linear(0.3, Jet::constant(1.1), 1.0)), 0.7);
            check(|t| of_binary(operator, t, Jet::constant(3.0)), 0.7);
        }
    }

    #[test]
    fn powers_of_zero_have_derivatives() {
        let square = of_binary(BinaryOp::Power, Jet::time(0.0), Jet::constant(2.0));
        assert_eq!(square, Jet { value: 0.0, first: 0.0, second: 2.0 });
        let same = of_binary(BinaryOp::Power, Jet::time(0.0), Jet::constant(1.0));
        assert_eq!(same, Jet { value: 0.0, first: 1.0, second: 0.0 });
    }
}
