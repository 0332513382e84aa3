//! The values that parameters of components have: known numbers, lists, words, texts, components.

use std::rc::Rc;

use parser::source::Span;

/// A value of a parameter.
#[derive(Clone, Debug)]
pub(super) enum Value {
    /// A number, or a condition as 1 or 0.
    Number(f64),
    /// Several values.
    List(Rc<[Value]>),
    /// One of the words that the parameter has as choices.
    Word(Rc<str>),
    /// A text in quotes, and where it stands.
    Text(Rc<str>, Span),
    /// A component, by its number.
    Component(usize),
}

impl Value {
    /// In words, with article.
    pub(super) fn words(&self) -> &'static str {
        match self {
            Self::Number(_) => "a number",
            Self::List(_) => "a list",
            Self::Word(_) => "a word",
            Self::Text(..) => "a text",
            Self::Component(_) => "a component",
        }
    }
}

/// The shortest text that is read as exactly this number.
pub(super) fn number_text(number: f64) -> String {
    /// Whole numbers below this are integers of 64 bits.
    const LARGEST_WHOLE: f64 = 1e15;
    let is_negative_zero = number == 0.0 && number.is_sign_negative();
    if number.fract() == 0.0 && number.abs() < LARGEST_WHOLE && !is_negative_zero {
        return (number as i64).to_string();
    }
    let text = format!("{number:?}");
    match text.strip_suffix(".0") {
        Some(whole) => whole.to_string(),
        None => text,
    }
}

/// The index that a number is: whole and not negative.
pub(super) fn index_of(number: f64) -> Option<u64> {
    const LARGEST: f64 = 1e15;
    ((0.0..=LARGEST).contains(&number) && number.fract() == 0.0).then_some(number as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_numbers_are_read_back_bit_by_bit() {
        for number in [0.0, -0.0, 1.0, -7.0, 0.1, 1e-7, 1e300, 5e-324, 123456789.123, 1e16, 260.0] {
            let text = number_text(number);
            assert_eq!(text.parse::<f64>().unwrap().to_bits(), f64::to_bits(number), "{text}");
        }
        assert_eq!(number_text(260.0), "260");
    }

    #[test]
    fn indices_are_whole_numbers() {
        assert_eq!(index_of(3.0), Some(3));
        assert_eq!([index_of(-1.0), index_of(0.5), index_of(f64::NAN)], [None; 3]);
    }
}
