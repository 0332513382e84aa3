//! Doubles as decimal text: the shortest that gives the same double again.

/// Appends a number to a line.
///
/// Half of the numbers in tables of motion are exactly zero or one, which need no conversion.
pub fn push_number(line: &mut String, number: f64) {
    if number == 0.0 {
        line.push_str(if number.is_sign_negative() { "-0" } else { "0" });
    } else if number == 1.0 {
        line.push('1');
    } else {
        line.push_str(zmij::Buffer::new().format(number));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_bit_for_bit() {
        let extremes =
            [f64::MIN_POSITIVE, f64::MAX, 5e-324, 0.1, 1.0 / 3.0, 1e22, 1e23, 123456.789];
        for number in extremes.into_iter().chain([0.0, 1.0]).flat_map(|x| [x, -x]) {
            let mut line = String::new();
            push_number(&mut line, number);
            assert_eq!(line.parse::<f64>().unwrap().to_bits(), number.to_bits(), "{line}");
        }
    }
}
