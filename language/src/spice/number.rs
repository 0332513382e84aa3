//! Numbers with the suffixes of SPICE: `1k`, `10meg`, `4.7uF`.

/// The power of ten that the letters behind a number stand for; letters without meaning, as in `5V`, are units.
fn exponent(letters: &str) -> i32 {
    const EXPONENTS: [(&str, i32); 10] = [
        ("meg", 6),
        ("t", 12),
        ("g", 9),
        ("k", 3),
        ("m", -3),
        ("u", -6),
        ("n", -9),
        ("p", -12),
        ("f", -15),
        ("a", -18),
    ];
    EXPONENTS.iter().find(|(prefix, _)| letters.starts_with(prefix)).map_or(0, |&(_, value)| value)
}

/// A thousandth of an inch, the only suffix that is no power of ten.
const MIL: f64 = 25.4e-6;

/// The number at the start of a text in lower case, and how many bytes it takes with its letters.
pub fn prefix(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut end = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    let mut n_digits = digits(end);
    end += n_digits;
    if bytes.get(end) == Some(&b'.') {
        let fraction = digits(end + 1);
        n_digits += fraction;
        end += 1 + fraction;
    }
    if n_digits == 0 {
        return None;
    }
    let mantissa = &text[..end];
    let mut power = 0_i32;
    if matches!(bytes.get(end), Some(b'e' | b'd')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let length = bytes.get(end + 1 + sign..).map_or(0, |_| digits(end + 1 + sign));
        if length > 0 {
            power = text[end + 1..end + 1 + sign + length].parse().unwrap_or(i32::MAX / 2);
            end += 1 + sign + length;
        }
    }
    let letters = bytes[end..].iter().take_while(|b| b.is_ascii_alphabetic()).count();
    let suffix = &text[end..end + letters];
    let factor = if suffix.starts_with("mil") { MIL } else { 1.0 };
    let power = if factor == MIL { power } else { power.saturating_add(exponent(suffix)) };
    // As text, so that 10u is the double nearest to 1e-5.
    let value: f64 = format!("{mantissa}e{power}").parse().ok()?;
    Some((value * factor, end + letters))
}

/// The whole text as a number; what follows the letters, as in `4k7`, means nothing to SPICE.
pub fn parse(text: &str) -> Option<f64> {
    let (value, length) = prefix(text)?;
    let is_rest = |b: u8| b.is_ascii_alphanumeric() || b == b'.' || b == b'_';
    (value.is_finite() && text[length..].bytes().all(is_rest)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suffixes_and_units() {
        let cases = [
            ("1k", 1e3),
            ("10meg", 1e7),
            ("4.7uf", 4.7e-6),
            ("-3m", -3e-3),
            ("5v", 5.0),
            ("1e3k", 1e6),
            ("2.5e-9s", 2.5e-9),
            (".5", 0.5),
            ("1.", 1.0),
            ("100ohm", 100.0),
            ("1mil", 25.4e-6),
            ("3f", 3e-15),
            ("2e", 2.0),
            ("10u", 1e-5),
            ("4.7k5", 4700.0),
            ("3.3.0", 3.3),
            ("1d-3", 1e-3),
        ];
        for (text, value) in cases {
            assert_eq!(parse(text), Some(value), "{text}");
        }
        for text in ["", "k", "-", ".", "1k-5", "1e400", "in1"] {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
