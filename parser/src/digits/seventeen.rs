//! Seventeen significant digits, correctly rounded, with an exponent.

use std::io::Write;

use super::powers::power_of_ten;

/// Appends what `{number:.16e}` gives, in a fraction of the time.
pub fn push_seventeen(text: &mut Vec<u8>, number: f64) {
    if number == 0.0 {
        if number.is_sign_negative() {
            text.push(b'-');
        }
        text.extend_from_slice(b"0.0000000000000000e0");
        return;
    }
    match digits(number.abs()) {
        Some((digits, exponent)) => push_digits(text, number < 0.0, digits, exponent),
        // Writing to memory cannot fail.
        None => drop(write!(text, "{number:.16e}")),
    }
}

/// Digits n and exponent k with n 10^(k - 16) the nearest to x, and 10^16 <= n < 10^17.
///
/// Nothing if x is too small, not finite, or so near to the middle between two such numbers that
/// 128 digits of the power of ten do not tell which is nearer.
fn digits(x: f64) -> Option<(u64, i32)> {
    if !x.is_normal() {
        return None;
    }
    // x = m 2^(e - 63) with 2^63 <= m < 2^64, and so 2^e <= x < 2^(e + 1).
    let bits = x.to_bits();
    let m = (bits << 11) | 1 << 63;
    let e = (bits >> 52) as i32 - 1023;
    // floor(e log10 2): k is this, or one more if x is at least the next power of ten.
    let k = (e * 78_913) >> 18;
    match scaled(m, e, k)? {
        n if n < 10_u64.pow(17) => Some((n, k)),
        _ => Some((scaled(m, e, k + 1)?, k + 1)),
    }
}

/// m 2^(e - 63) 10^(16 - k), rounded.
fn scaled(m: u64, e: i32, k: i32) -> Option<u64> {
    let (power, power_exponent) = power_of_ten(16 - k)?;
    // m p has 192 digits and is too small by less than 1.001 m, as the power is cut off.
    let low = u128::from(m) * (power & u128::from(u64::MAX));
    let high = u128::from(m) * (power >> 64) + (low >> 64);
    // The point stands `after` digits from the end of `high`: 64 less than from the end of m p.
    let after = u32::try_from(63 + 127 - 64 - e - power_exponent).ok()?;
    if !(65..127).contains(&after) {
        return None;
    }
    let integer = (high >> after) as u64;
    // The first 64 digits behind the binary point; m p lacks less than one unit of the last digit.
    let fraction = (high >> (after - 64)) as u64;
    match fraction {
        0x7FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000 => None,
        _ => Some(integer + (fraction >> 63)),
    }
}

fn push_digits(text: &mut Vec<u8>, is_negative: bool, digits: u64, exponent: i32) {
    // Sign, digit, point, 16 digits, `e`, sign and three digits: 24 at most. They are written where they
    // belong: a copy of what was just written in smaller parts would wait for it.
    let start = text.len();
    text.extend_from_slice(&[0; 24]);
    let number = &mut text[start..];
    let mut at = 0;
    if is_negative {
        number[0] = b'-';
        at = 1;
    }
    let (first, rest) = (digits / 10_u64.pow(16), digits % 10_u64.pow(16));
    number[at] = b'0' + first as u8;
    number[at + 1] = b'.';
    let halves = [(rest / 100_000_000) as u32, (rest % 100_000_000) as u32];
    for (half, place) in halves.into_iter().zip([at + 2, at + 10]) {
        number[place..place + 8].copy_from_slice(&eight_digits(half));
    }
    number[at + 18] = b'e';
    at += 19;
    if exponent < 0 {
        number[at] = b'-';
        at += 1;
    }
    let exponent = exponent.unsigned_abs();
    for (unit, least) in [(100, 100), (10, 10), (1, 0)] {
        if exponent >= least {
            number[at] = b'0' + (exponent / unit % 10) as u8;
            at += 1;
        }
    }
    text.truncate(start + at);
}

/// Eight decimal digits of a number below 10^8: split in halves three times, all parts at once in the
/// bytes of one word.
fn eight_digits(number: u32) -> [u8; 8] {
    let number = u64::from(number);
    // Lanes of 32 bits below 10^4, the higher digits in the lower lane, as it comes first in memory.
    let fours = (number / 10_000) | ((number % 10_000) << 32);
    // n / 100 = n 10486 / 2^20 for n < 10^4, and n / 10 = n 103 / 2^10 for n < 100.
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007F_0000_007F;
    let twos = hundreds | ((fours - 100 * hundreds) << 16);
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    let ones = tens | ((twos - 10 * tens) << 8);
    (ones | 0x3030_3030_3030_3030).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn seventeen(number: f64) -> String {
        let mut text = Vec::new();
        push_seventeen(&mut text, number);
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_are_those_of_the_standard_library() {
        let powers = (-330..=310).map(|k| format!("1e{k}").parse::<f64>().unwrap());
        let near = powers.flat_map(|x| [x.next_down(), x, x.next_up(), 5.0 * x]);
        // Exactly between two numbers of 17 digits: odd multiples of 1/2 above 10^16, of 1/4, ...
        let middle = [1e16, 3e15, 7e14, 2e13].map(|x| x + 0.5);
        let halves = (0..300).map(|k| 0.5_f64.powi(k));
        let others = [f64::MAX, f64::MIN_POSITIVE, 5e-324, f64::NAN, f64::INFINITY, 0.0, 1.0 / 3.0];
        for x in near.chain(middle).chain(halves).chain(others).flat_map(|x| [x, -x]) {
            assert_eq!(seventeen(x), format!("{x:.16e}"));
        }
    }

    #[test]
    fn all_eight_digits_are_right() {
        // Every value of each group of four digits.
        for n in (0..10_000).flat_map(|n| [n, n * 10_000, n * 10_001]) {
            assert_eq!(eight_digits(n), format!("{n:08}").as_bytes());
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        #[test]
        fn any_double_is_as_in_the_standard_library(bits in any::<u64>(), x in -10.0..10.0) {
            let number = f64::from_bits(bits);
            prop_assert_eq!(seventeen(number), format!("{number:.16e}"));
            prop_assert_eq!(seventeen(x), format!("{x:.16e}"));
        }
    }
}
