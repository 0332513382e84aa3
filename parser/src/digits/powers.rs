//! Powers of ten to 128 binary digits.

/// The smallest and the largest exponent that doubles with 17 digits need: a normal double lies between
/// 10^-308 and 10^309, and is multiplied by 10^(16 - k) if its first digit counts 10^k.
const SMALLEST: i32 = 16 - 308;
const LARGEST: i32 = 16 + 308;
const N: usize = (LARGEST - SMALLEST + 1) as usize;

/// 10^k = (p + r) 2^(e - 127) with 2^127 <= p < 2^128, 0 <= r < 1.001 and e = floor(log2 10^k).
pub(super) fn power_of_ten(k: i32) -> Option<(u128, i32)> {
    let place = usize::try_from(k.checked_sub(SMALLEST)?).ok()?;
    Some((*POWERS.get(place)?, floor_log2_of_ten_to(k)))
}

/// floor(k log2 10), right for |k| <= 1233 (217706 / 2^16 is log2 10 with an error of 2e-6).
const fn floor_log2_of_ten_to(k: i32) -> i32 {
    (k * 217_706) >> 16
}

static POWERS: [u128; N] = powers();

/// A number of 256 binary digits, the highest first; its first digit is 1, the place of the point is
/// known from elsewhere. Every step cuts at most 8 units of the last digit off, which after 324 steps
/// is 2600 / 2^256 of the number, and so 2^-116 of the last of 128 digits.
type Wide = [u64; 4];

const fn powers() -> [u128; N] {
    let mut powers = [0; N];
    let one: Wide = [1 << 63, 0, 0, 0];
    let zero = (-SMALLEST) as usize;
    let mut up = one;
    let mut down = one;
    let mut k = 0;
    while k < N - zero {
        powers[zero + k] = leading(up);
        up = times_five(up);
        k += 1;
    }
    k = 0;
    while k <= zero {
        powers[zero - k] = leading(down);
        down = fifth(down);
        k += 1;
    }
    powers
}

const fn leading(x: Wide) -> u128 {
    (x[0] as u128) << 64 | x[1] as u128
}

/// 5 x, and so 10 x but for the place of the point.
const fn times_five(x: Wide) -> Wide {
    let mut product = [0; 4];
    let mut carry = 0;
    let mut limb = 4;
    while limb > 0 {
        limb -= 1;
        let sum = x[limb] as u128 * 5 + carry;
        product[limb] = sum as u64;
        carry = sum >> 64;
    }
    // The product is 2 or 3 digits longer: the carry is 2, 3 or 4.
    let excess = if carry >= 4 { 3 } else { 2 };
    let mut above = carry as u64;
    limb = 0;
    while limb < 4 {
        let here = product[limb];
        product[limb] = above << (64 - excess) | here >> excess;
        above = here;
        limb += 1;
    }
    product
}

/// x / 5.
const fn fifth(x: Wide) -> Wide {
    let mut quotient = [0; 4];
    let mut remainder = 0;
    let mut limb = 0;
    while limb < 4 {
        let dividend = remainder << 64 | x[limb] as u128;
        quotient[limb] = (dividend / 5) as u64;
        remainder = dividend % 5;
        limb += 1;
    }
    let missing = quotient[0].leading_zeros();
    limb = 0;
    while limb < 4 {
        let below = if limb < 3 { quotient[limb + 1] } else { 0 };
        quotient[limb] = quotient[limb] << missing | below >> (64 - missing);
        limb += 1;
    }
    quotient
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_that_fit_are_exact() {
        // 5^55 is the last power of five below 2^128.
        let mut five: u128 = 1;
        for k in 0..=55 {
            let (power, exponent) = power_of_ten(k).unwrap();
            assert_eq!(power, five << five.leading_zeros(), "10^{k}");
            assert_eq!(exponent, 127 - five.leading_zeros() as i32 + k, "10^{k}");
            five = five.saturating_mul(5);
        }
        assert!(power_of_ten(SMALLEST - 1).is_none() && power_of_ten(LARGEST + 1).is_none());
    }

    /// The product of 10^k and 10^-k is one, less what is cut off of the two.
    #[test]
    fn powers_and_their_inverses_fit() {
        for k in 1..=-SMALLEST {
            let ((a, e), (b, f)) = (power_of_ten(k).unwrap(), power_of_ten(-k).unwrap());
            // The upper 128 of 256 digits, by halves.
            let (low, half) = (u128::from(u64::MAX), |x: u128| x >> 64);
            let middle = half(a) * (b & low) + half((a & low) * (b & low));
            let (sum, carry) = middle.overflowing_add((a & low) * half(b));
            let high = half(a) * half(b) + half(sum) + (u128::from(carry) << 64);
            // p q 2^(e + f - 254) is just below 1, so that e + f = -1 and p q is just below 2^255.
            assert_eq!(e + f, -1, "10^{k}");
            let gap = (1_u128 << 127) - high;
            assert!((1..=3).contains(&gap), "10^{k}: {gap}");
        }
    }
}
