//! Axes: which interval is shown, where the ticks are and what is written at them.
//!
//! Ticks stand at multiples of 1, 2 or 5 times a power of ten. Where numbers are very large or very small, a common power of ten
//! is written beside the unit; where they differ only in late digits, what they have in common is.

/// An interval with ticks and their labels.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scale {
    /// The smallest number shown.
    pub low: f64,
    /// The largest.
    pub high: f64,
    /// Positions of the ticks, with their labels.
    pub ticks: Vec<(f64, String)>,
    /// Common factor of all labels, such as `10⁻³`; empty if the labels are the numbers themselves.
    pub common: String,
}

/// Below this part of the numbers themselves differences are round-off.
const ROUND_OFF: f64 = 1e-12;
/// An interval shorter than this part of its numbers gets labels that tell the difference only.
const SHORT: f64 = 1e-4;

impl Scale {
    /// An axis for the interval, with free space at both ends (as a part of its length) and up to `count` ticks.
    pub fn new(low: f64, high: f64, margin: f64, count: usize) -> Self {
        let largest = low.abs().max(high.abs());
        let (low, high) = if high - low <= ROUND_OFF * largest || high - low < 1e-290 {
            // All the same: show it in the middle.
            let around = if largest < 1e-290 { 1.0 } else { 0.1 * largest };
            (low - around, high + around)
        } else {
            let free = margin * (high - low);
            (low - free, high + free)
        };
        let (ticks, common) = ticks(low, high, count.max(2));
        Self { low, high, ticks, common }
    }

    /// An axis for logarithms to base ten, with up to `count` ticks at powers of ten, and at twice and five times these where
    /// there is room.
    pub fn decades(low: f64, high: f64, count: usize) -> Self {
        let Self { low, high, .. } = Self::new(low, high, 0.0, count);
        let whole = (low - 1e-9).ceil() as i32..=(high + 1e-9).floor() as i32;
        let decades = whole.clone().count();
        let stride = decades.div_ceil(count.max(1)).max(1);
        let mut ticks: Vec<(f64, String)> = whole
            .clone()
            .step_by(stride)
            .map(|k| (f64::from(k), format!("10{}", superscript(&k.to_string()))))
            .collect();
        if 3 * decades.max(1) <= count {
            let first = low.floor() as i32;
            let last = high.floor() as i32;
            for (k, factor) in (first..=last).flat_map(|k| [(k, 2.0_f64), (k, 5.0)]) {
                let at = f64::from(k) + factor.log10();
                if (low..=high).contains(&at) {
                    ticks.push((at, format!("{factor}\u{b7}10{}", superscript(&k.to_string()))));
                }
            }
            ticks.sort_by(|a, b| a.0.total_cmp(&b.0));
        }
        Self { low, high, ticks, common: String::new() }
    }

    /// Where a number stands on the axis, 0 at the lower and 1 at the upper end.
    pub fn part(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }
}

/// The largest step of 1, 2, 5 times a power of ten that gives no more than `count` ticks, as mantissa and exponent.
fn step(length: f64, count: usize) -> (f64, i32) {
    let least = length / count as f64;
    let exponent = least.log10().floor() as i32;
    for (mantissa, power) in [(1.0, exponent), (2.0, exponent), (5.0, exponent)] {
        if mantissa * power_of_ten(power) >= least * (1.0 - 1e-9) {
            return (mantissa, power);
        }
    }
    (1.0, exponent + 1)
}

/// A power of ten, rounded only once if a double can hold it.
fn power_of_ten(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

fn ticks(low: f64, high: f64, count: usize) -> (Vec<(f64, String)>, String) {
    let (mantissa, exponent) = step(high - low, count);
    let unit = power_of_ten(exponent);
    let step = mantissa * unit;
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    // Numbers of ticks, counted in steps; a double holds them exactly up to 2^53.
    let numbers: Vec<f64> = (0..=count).map(|k| first + k as f64).filter(|&n| n <= last).collect();
    let largest = low.abs().max(high.abs());
    let offset = if high - low < SHORT * largest {
        // A round number near the middle, so that labels keep few digits.
        let round = power_of_ten(exponent + 2);
        (0.5 * (low + high) / round).round() * round
    } else {
        0.0
    };
    let shown = largest_shown(&numbers, step, offset);
    let thousands = power(shown);
    let decimals = usize::try_from(thousands - exponent).unwrap_or(0);
    let label = |n: f64| {
        let value = (n * step - offset) / power_of_ten(thousands);
        let text = format!("{value:.decimals$}");
        // No minus sign before a zero, and a real one elsewhere.
        match text.trim_matches(['-', '0', '.']).is_empty() {
            true => text.trim_start_matches('-').to_string(),
            false => text.replace('-', "\u{2212}"),
        }
    };
    let ticks = numbers.iter().map(|&n| (n * step, label(n))).collect();
    (ticks, common(thousands, offset, exponent))
}

fn largest_shown(numbers: &[f64], step: f64, offset: f64) -> f64 {
    numbers.iter().map(|n| (n * step - offset).abs()).fold(0.0, f64::max)
}

/// The power of ten, a multiple of three, that is taken out of the labels.
fn power(largest: f64) -> i32 {
    if largest == 0.0 || (0.01..=10_000.0).contains(&largest) {
        return 0;
    }
    let exponent = largest.log10() + 1e-9;
    3 * (exponent / 3.0).floor() as i32
}

/// In words: `10⁻³`, or `9.81 + 10⁻⁶`.
fn common(thousands: i32, offset: f64, exponent: i32) -> String {
    let factor = match thousands {
        0 => String::new(),
        _ => format!("10{}", superscript(&thousands.to_string())),
    };
    if offset == 0.0 {
        return factor;
    }
    let decimals = usize::try_from(-(exponent + 2)).unwrap_or(0);
    let offset = match offset.abs() {
        size if size < 1e6 && decimals < 12 => format!("{offset:.decimals$}"),
        _ => format!("{offset:e}"),
    };
    let factor = if factor.is_empty() { "\u{2026}".to_string() } else { factor };
    format!("{} + {factor}", offset.replace('-', "\u{2212}"))
}

/// Digits and minus signs as exponents.
pub(crate) fn superscript(text: &str) -> String {
    let raised = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    text.chars()
        .map(|c| match c {
            '-' => '⁻',
            digit => digit.to_digit(10).map_or(digit, |digit| raised[digit as usize]),
        })
        .collect()
}

/// A unit as it is printed: `m/s^2` becomes `m/s²`.
pub(crate) fn printed_unit(unit: &str) -> String {
    let mut parts = unit.split('^');
    let mut text = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let end = part.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(part.len());
        text += &superscript(&part[..end]);
        text += &part[end..];
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> (Vec<String>, String) {
        let scale = Scale::new(low, high, 0.0, 6);
        for (value, _) in &scale.ticks {
            assert!((-1e-9..=1.0 + 1e-9).contains(&scale.part(*value)), "{value} in {low}..{high}");
        }
        (scale.ticks.into_iter().map(|tick| tick.1).collect(), scale.common)
    }

    #[test]
    fn ticks_are_round_numbers() {
        assert_eq!(
            labels(0.0, 10.0),
            (["0", "2", "4", "6", "8", "10"].map(String::from).into(), String::new())
        );
        let (found, common) = labels(-0.13, 0.31);
        assert_eq!(found, ["\u{2212}0.1", "0.0", "0.1", "0.2", "0.3"]);
        assert_eq!(common, "");
    }

    #[test]
    fn large_and_small_numbers_share_a_power_of_ten() {
        assert_eq!(
            labels(0.0, 5e-6),
            (["0", "1", "2", "3", "4", "5"].map(String::from).into(), "10⁻⁶".into())
        );
        let (found, common) = labels(0.0, 2.1e5);
        assert_eq!(
            (found.first(), found.last(), common.as_str()),
            (Some(&"0".to_string()), Some(&"200".to_string()), "10³")
        );
    }

    #[test]
    fn numbers_that_hardly_differ_are_told_apart() {
        let (found, common) = labels(9.81 - 2e-6, 9.81 + 2e-6);
        assert_eq!(common, "9.8100 + 10⁻⁶");
        assert!(
            found.contains(&"\u{2212}1".to_string()) && found.contains(&"2".to_string()),
            "{found:?}"
        );
    }

    #[test]
    fn every_interval_has_some_ticks_that_differ() {
        for (low, high) in [
            (0.0, 0.0),
            (5.0, 5.0),
            (-1e300, 1e300),
            (1e-300, 2e-300),
            (0.0, 1e-310),
            (1.0, 1.0 + 1e-13),
            (-3.3e-7, 1e9),
            (1e15, 1e15 + 8.0),
            (-7.0, -6.999_999_9),
        ] {
            let scale = Scale::new(low, high, 0.04, 6);
            assert!(scale.low < scale.high && scale.low <= low && scale.high >= high);
            assert!((2..=7).contains(&scale.ticks.len()), "{scale:?}");
            assert!(scale.ticks.windows(2).all(|pair| pair[0].1 != pair[1].1), "{scale:?}");
            assert!(scale.ticks.iter().all(|tick| tick.1.chars().count() < 12), "{scale:?}");
        }
    }

    #[test]
    fn units_are_printed_as_in_books() {
        assert_eq!(printed_unit("m/s^2"), "m/s²");
        assert_eq!(printed_unit("kg m^2/s^-1"), "kg m²/s⁻¹");
        assert_eq!(printed_unit("rad"), "rad");
    }
}
