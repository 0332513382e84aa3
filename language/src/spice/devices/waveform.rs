//! `SIN`, `PULSE`, `PWL`, `EXP` as time expressions. Their corners are comparisons of `t`, which the simulation
//! meets exactly.

use crate::spice::block::digits;
use crate::spice::transient::Transient;

/// Whether the word is the name of a waveform.
pub fn is_known(word: &str) -> bool {
    matches!(word, "sin" | "sine" | "pulse" | "pwl" | "exp" | "sffm" | "am")
}

/// How a waveform is written.
pub fn help(kind: &str) -> &'static str {
    match kind {
        "sffm" => "write `sffm(offset amplitude carrier index signal)`",
        "am" => "write `am(amplitude offset modulation carrier delay)`",
        "sin" | "sine" => "write `sin(offset amplitude frequency [delay [damping [phase]]])`",
        "pulse" => "write `pulse(low high delay rise fall width period)`, times not negative",
        "exp" => {
            "write `exp(from to delay tau delay tau)`, delays in order, time constants positive"
        }
        _ => "write `pwl(time value time value ...)` with increasing times",
    }
}

/// The highest frequency of a waveform that has no corners, Hz.
pub fn frequency(kind: &str, numbers: &[f64]) -> f64 {
    let number = |k: usize| given(numbers, k).unwrap_or(0.0);
    match kind {
        "sin" | "sine" => number(2),
        "sffm" => number(2) + (1.0 + number(3).abs()) * number(4),
        "am" => number(2) + number(3),
        _ => 0.0,
    }
}

/// The value of a waveform at the time zero.
pub fn at_rest(kind: &str, numbers: &[f64]) -> f64 {
    let number = |k: usize| given(numbers, k).unwrap_or(0.0);
    match kind {
        "pwl" => number(1),
        "am" => 0.0,
        "sin" | "sine" => number(0) + number(1) * number(5).to_radians().sin(),
        _ => number(0),
    }
}

/// The time expression of a waveform; `None` if its numbers make no sense.
pub fn expression(kind: &str, numbers: &[f64], transient: &Transient) -> Option<String> {
    match kind {
        "sin" | "sine" => sine(numbers, transient),
        "sffm" => frequency_modulated(numbers, transient),
        "am" => amplitude_modulated(numbers, transient),
        "pulse" => pulse(numbers, transient),
        "exp" => exponential(numbers, transient),
        _ => piecewise_linear(numbers),
    }
}

/// The k-th number if it is given.
fn given(numbers: &[f64], k: usize) -> Option<f64> {
    numbers.get(k).copied()
}

/// A time or duration: a missing one, or zero where SPICE does not take it, is replaced.
fn positive(numbers: &[f64], k: usize, default: f64) -> f64 {
    given(numbers, k).filter(|&value| value != 0.0).unwrap_or(default)
}

/// `+ 2`, `- 2`: a number with its sign, to be added.
fn added(value: f64) -> String {
    if value < 0.0 { format!("- {}", digits(-value)) } else { format!("+ {}", digits(value)) }
}

/// `t`, or `(t - delay)`.
fn since(delay: f64) -> String {
    if delay == 0.0 { "t".into() } else { format!("(t {})", added(-delay)) }
}

/// vo + va exp(-(t - td) theta) sin(2 pi f (t - td) + phase) from td on, the value at td before.
fn sine(numbers: &[f64], transient: &Transient) -> Option<String> {
    let (offset, amplitude) = (given(numbers, 0)?, given(numbers, 1)?);
    if numbers.len() > 6 {
        return None;
    }
    let frequency = positive(numbers, 2, 1.0 / transient.stop);
    let delay = given(numbers, 3).unwrap_or(0.0);
    let damping = given(numbers, 4).unwrap_or(0.0);
    let phase = given(numbers, 5).unwrap_or(0.0).to_radians();
    let time = since(delay);
    let mut wave = format!("{}*sin(2*pi*{}*{time}", digits(amplitude), digits(frequency));
    if phase != 0.0 {
        wave.push_str(&format!(" {}", added(phase)));
    }
    wave.push(')');
    if damping != 0.0 {
        wave.push_str(&format!("*exp(-{}*{time})", digits(damping)));
    }
    if delay > 0.0 {
        let before = digits(amplitude * phase.sin());
        wave = format!("if(t < {}, {before}, {wave})", digits(delay));
    }
    Some(if offset == 0.0 { wave } else { format!("{} + {wave}", digits(offset)) })
}

/// A trapezoid that repeats.
fn pulse(numbers: &[f64], transient: &Transient) -> Option<String> {
    let (low, high) = (given(numbers, 0)?, given(numbers, 1)?);
    let delay = given(numbers, 2).unwrap_or(0.0);
    let rise = positive(numbers, 3, transient.step);
    let fall = positive(numbers, 4, transient.step);
    let width = positive(numbers, 5, transient.stop);
    let period = positive(numbers, 6, transient.stop);
    // The eighth number says how many pulses there are.
    let last = given(numbers, 7).filter(|&count| count > 0.0).map(|count| delay + count * period);
    if numbers.len() > 8 || delay < 0.0 || [rise, fall, width, period].iter().any(|&x| x < 0.0) {
        return None;
    }
    let repeats = delay + period < transient.stop;
    let time =
        if repeats { format!("mod({}, {})", since(delay), digits(period)) } else { since(delay) };
    let corners = [(0.0, low), (rise, high), (rise + width, high), (rise + width + fall, low)];
    let wave = lines(&corners, &time, false);
    let wave = match last.filter(|&last| last < transient.stop) {
        Some(last) => format!("if(t > {}, {}, {wave})", digits(last), digits(low)),
        None => wave,
    };
    Some(if delay > 0.0 {
        format!("if(t < {}, {}, {wave})", digits(delay), digits(low))
    } else {
        wave
    })
}

/// v1 + (v2 - v1)(1 - exp(-(t - td1)/tau1)) from td1, and the way back added from td2.
fn exponential(numbers: &[f64], transient: &Transient) -> Option<String> {
    let (from, to) = (given(numbers, 0)?, given(numbers, 1)?);
    let first = given(numbers, 2).unwrap_or(0.0);
    let tau_first = positive(numbers, 3, transient.step);
    let second = positive(numbers, 4, first + transient.step);
    let tau_second = positive(numbers, 5, transient.step);
    if numbers.len() > 6 || second < first || tau_first < 0.0 || tau_second < 0.0 {
        return None;
    }
    let part = |height: f64, start: f64, tau: f64| {
        let curve = format!("{}*(1 - exp(-{}/{}))", digits(height), since(start), digits(tau));
        if start > 0.0 { format!("if(t < {}, 0, {curve})", digits(start)) } else { curve }
    };
    let (up, down) = (part(to - from, first, tau_first), part(from - to, second, tau_second));
    let start = if from == 0.0 { String::new() } else { format!("{} + ", digits(from)) };
    Some(format!("{start}{up} + {down}"))
}

/// vo + va sin(2 pi fc t + mdi sin(2 pi fs t))
fn frequency_modulated(numbers: &[f64], transient: &Transient) -> Option<String> {
    let (offset, amplitude) = (given(numbers, 0)?, given(numbers, 1)?);
    let carrier = positive(numbers, 2, 1.0 / transient.stop);
    let index = given(numbers, 3).unwrap_or(0.0);
    let signal = positive(numbers, 4, 1.0 / transient.stop);
    let phase = |k: usize| added(given(numbers, k).unwrap_or(0.0).to_radians());
    let inner = format!("sin(2*pi*{}*t {})", digits(signal), phase(6));
    let wave = format!("sin(2*pi*{}*t {} + {}*{inner})", digits(carrier), phase(5), digits(index));
    (numbers.len() <= 7).then(|| format!("{} + {}*{wave}", digits(offset), digits(amplitude)))
}

/// va (vo + sin(2 pi mf (t - td))) sin(2 pi fc (t - td)) from td on
fn amplitude_modulated(numbers: &[f64], transient: &Transient) -> Option<String> {
    let (amplitude, offset) = (given(numbers, 0)?, given(numbers, 1)?);
    let modulation = positive(numbers, 2, 1.0 / transient.stop);
    let carrier = given(numbers, 3).unwrap_or(0.0);
    let delay = given(numbers, 4).unwrap_or(0.0);
    if numbers.len() > 5 {
        return None;
    }
    let time = since(delay);
    let wave = format!(
        "{}*({} + sin(2*pi*{}*{time}))*sin(2*pi*{}*{time})",
        digits(amplitude),
        digits(offset),
        digits(modulation),
        digits(carrier)
    );
    Some(if delay > 0.0 { format!("if(t < {}, 0, {wave})", digits(delay)) } else { wave })
}

/// Straight lines between points that begin later, and begin anew from the point at `repeat` on.
pub fn repeated(numbers: &[f64], repeat: Option<f64>, delay: f64) -> Option<String> {
    let plain = piecewise_linear(numbers)?;
    let time = since(delay);
    let end = numbers[numbers.len() - 2];
    let time = match repeat {
        Some(start) if start >= 0.0 && start < end => {
            // From the point on the time runs round.
            let turns = format!("mod({}, {})", since(delay + start), digits(end - start));
            let around =
                if start == 0.0 { turns } else { format!("({} + {turns})", digits(start)) };
            format!("if(t < {}, {time}, {around})", digits(delay + start))
        }
        _ if delay == 0.0 => return Some(plain),
        _ => time,
    };
    let points: Vec<(f64, f64)> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let wave = lines(&points, &format!("({time})"), false);
    let (first, start) = (points[0], delay + points[0].0);
    Some(match start > 0.0 {
        true => format!("if(t < {}, {}, {wave})", digits(start), digits(first.1)),
        false => wave,
    })
}

/// Straight lines between points.
fn piecewise_linear(numbers: &[f64]) -> Option<String> {
    let points: Vec<(f64, f64)> = numbers.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
    let increasing = points.windows(2).all(|pair| pair[0].0 <= pair[1].0);
    if points.is_empty() || !numbers.len().is_multiple_of(2) || !increasing {
        return None;
    }
    Some(lines(&points, "t", true))
}

/// Straight lines between points, constant behind the last one and, if asked for, before the first one. The
/// choice halves the list, so that the depth of the expression grows with the logarithm of its length only.
fn lines(points: &[(f64, f64)], time: &str, before: bool) -> String {
    let n = points.len();
    if n == 1 {
        return digits(points[0].1);
    }
    let first = points[0];
    if before {
        let rest = lines(points, time, false);
        return if first.0 > 0.0 {
            format!("if({time} < {}, {}, {rest})", digits(first.0), digits(first.1))
        } else {
            rest
        };
    }
    if n > 2 {
        let (left, right) = (&points[..=n / 2], &points[n / 2..]);
        let corner = digits(points[n / 2].0);
        return format!(
            "if({time} < {corner}, {}, {})",
            line(left, time),
            lines(right, time, false)
        );
    }
    let last = points[1];
    format!("if({time} < {}, {}, {})", digits(last.0), line(points, time), digits(last.1))
}

/// The part of [`lines`] before the last point.
fn line(points: &[(f64, f64)], time: &str) -> String {
    let n = points.len();
    if n > 2 {
        let (left, right) = (&points[..=n / 2], &points[n / 2..]);
        let corner = digits(points[n / 2].0);
        return format!("if({time} < {corner}, {}, {})", line(left, time), line(right, time));
    }
    let [(t1, v1), (t2, v2)] = [points[0], points[n - 1]];
    let slope = (v2 - v1) / (t2 - t1);
    if v1 == v2 || !slope.is_finite() {
        return digits(v1);
    }
    let distance = if t1 == 0.0 { time.to_string() } else { format!("({time} {})", added(-t1)) };
    match v1 {
        0.0 => format!("{}*{distance}", digits(slope)),
        _ => format!("{} {}*{distance}", digits(v1), added(slope)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRANSIENT: Transient = Transient::ABSENT;

    #[test]
    fn expressions_read_well() {
        let cases = [
            ("sin", vec![0.0, 10.0, 50.0], "10*sin(2*pi*50*t)"),
            (
                "sin",
                vec![1.0, 2.0, 5.0, 0.1, 3.0],
                "1 + if(t < 0.1, 0, 2*sin(2*pi*5*(t - 0.1))*exp(-3*(t - 0.1)))",
            ),
            ("pwl", vec![0.0, 0.0, 1.0, 5.0], "if(t < 1, 5*t, 5)"),
            ("pwl", vec![0.5, 2.0], "2"),
            (
                "exp",
                vec![0.0, 1.0, 0.0, 0.1, 0.5, 0.2],
                "1*(1 - exp(-t/0.1)) + if(t < 0.5, 0, -1*(1 - exp(-(t - 0.5)/0.2)))",
            ),
        ];
        for (kind, numbers, expected) in cases {
            assert_eq!(expression(kind, &numbers, &TRANSIENT).as_deref(), Some(expected));
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for (kind, numbers) in [
            ("sin", vec![1.0]),
            ("pulse", vec![0.0]),
            ("pulse", vec![0.0, 1.0, -1.0]),
            ("pwl", vec![0.0, 1.0, 2.0]),
            ("pwl", vec![1.0, 0.0, 0.5, 1.0]),
            ("pwl", vec![]),
            ("exp", vec![0.0, 1.0, 2.0, 1.0, 1.0]),
        ] {
            assert_eq!(expression(kind, &numbers, &TRANSIENT), None, "{kind} {numbers:?}");
        }
    }

    /// The nesting of a long list stays small.
    #[test]
    fn a_long_list_is_shallow() {
        let numbers: Vec<f64> = (0..20_000).map(f64::from).collect();
        let text = expression("pwl", &numbers, &TRANSIENT).unwrap();
        let mut depth: usize = 0;
        let mut deepest = 0;
        for byte in text.bytes() {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            deepest = deepest.max(depth);
        }
        assert!(deepest < 40, "{deepest}");
    }
}
