//! The functions that expressions may call.

/// One function of the language.
#[derive(Debug)]
pub struct Function {
    /// The name, as written.
    pub name: &'static str,
    /// Fewest arguments.
    pub least: usize,
    /// Most arguments.
    pub most: usize,
    /// What it computes, for the language reference.
    pub doc: &'static str,
    /// The value for given arguments.
    pub value: fn(&[f64]) -> f64,
}

/// Numbers above this count as true where a truth value is needed.
pub const TRUE_ABOVE: f64 = 0.5;

/// The truth value of a number.
pub fn is_true(number: f64) -> bool {
    number > TRUE_ABOVE
}

/// The remainder with the sign of the divisor, so that `mod(t, T)` is a sawtooth for all t.
fn floored_remainder(a: f64, b: f64) -> f64 {
    let remainder = a % b;
    if remainder != 0.0 && (remainder < 0.0) != (b < 0.0) { remainder + b } else { remainder }
}

/// -1, 0 or 1.
fn sign(x: f64) -> f64 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

macro_rules! functions {
    ($($name:literal $least:literal..=$most:expr, $doc:literal, $value:expr;)*) => {
        /// Every function, in the order of the language reference.
        pub const FUNCTIONS: &[Function] = &[
            $(Function { name: $name, least: $least, most: $most, doc: $doc, value: $value }),*
        ];
    };
}

functions! {
    "sin" 1..=1, "sine of an angle in rad", |x| x[0].sin();
    "cos" 1..=1, "cosine of an angle in rad", |x| x[0].cos();
    "tan" 1..=1, "tangent of an angle in rad", |x| x[0].tan();
    "asin" 1..=1, "arc sine", |x| x[0].asin();
    "acos" 1..=1, "arc cosine", |x| x[0].acos();
    "atan" 1..=1, "arc tangent", |x| x[0].atan();
    "atan2" 2..=2, "`atan2(y, x)`: angle of the point (x, y)", |x| x[0].atan2(x[1]);
    "sinh" 1..=1, "hyperbolic sine", |x| x[0].sinh();
    "cosh" 1..=1, "hyperbolic cosine", |x| x[0].cosh();
    "tanh" 1..=1, "hyperbolic tangent", |x| x[0].tanh();
    "exp" 1..=1, "exponential function", |x| x[0].exp();
    "log" 1..=1, "natural logarithm", |x| x[0].ln();
    "log10" 1..=1, "logarithm to base 10", |x| x[0].log10();
    "sqrt" 1..=1, "square root", |x| x[0].sqrt();
    "abs" 1..=1, "magnitude", |x| x[0].abs();
    "sign" 1..=1, "-1, 0 or 1", |x| sign(x[0]);
    "min" 2..=usize::MAX, "smallest argument", |x| x.iter().copied().fold(f64::INFINITY, f64::min);
    "max" 2..=usize::MAX, "largest argument", |x| x.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    "floor" 1..=1, "largest whole number that is not above", |x| x[0].floor();
    "ceil" 1..=1, "smallest whole number that is not below", |x| x[0].ceil();
    "mod" 2..=2, "`mod(a, b)`: remainder `a - b*floor(a/b)`", |x| floored_remainder(x[0], x[1]);
    "clamp" 3..=3, "`clamp(x, low, high)`: x limited to low..high", |x| x[0].max(x[1]).min(x[2]);
    "if" 3..=3, "`if(condition, a, b)`: a where the condition holds, else b",
        |x| if is_true(x[0]) { x[1] } else { x[2] };
    "smooth" 1..=1, "its argument, without events inside", |x| x[0];
}

/// The index of a function in [`FUNCTIONS`].
pub fn find(name: &str) -> Option<usize> {
    FUNCTIONS.iter().position(|function| function.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str, arguments: &[f64]) -> f64 {
        (FUNCTIONS[find(name).unwrap()].value)(arguments)
    }

    #[test]
    fn the_remainder_is_a_sawtooth() {
        assert_eq!(call("mod", &[5.5, 2.0]), 1.5);
        assert_eq!(call("mod", &[-0.5, 2.0]), 1.5);
        assert_eq!(call("mod", &[-4.0, 2.0]).abs(), 0.0);
        assert_eq!(call("mod", &[0.5, -2.0]), -1.5);
    }

    #[test]
    fn choices_and_limits() {
        assert_eq!(call("if", &[1.0, 2.0, 3.0]), 2.0);
        assert_eq!(call("if", &[0.5, 2.0, 3.0]), 3.0);
        assert_eq!(call("clamp", &[5.0, -1.0, 1.0]), 1.0);
        assert_eq!(call("sign", &[0.0]), 0.0);
        assert_eq!(call("max", &[1.0, 7.0, 3.0]), 7.0);
        assert_eq!(call("atan2", &[1.0, 0.0]), std::f64::consts::FRAC_PI_2);
    }
}
