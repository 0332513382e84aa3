//! Gain and phase margins of an opened loop L (negative feedback counts positive).
//!
//! The closed loop is at the border of stability where `L = -1`. The gain margin is the factor by which L may grow where its
//! phase is -180 degrees; the phase margin is the angle by which it may lag where its size is 1. The crossings are
//! found between neighbouring frequencies of the sweep and followed by bisection.

use std::f64::consts::{PI, TAU};

use nalgebra::Complex;

use super::Trouble;

/// A margin where the loop crosses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Crossing {
    /// Frequency, Hz.
    pub frequency: f64,
    /// The factor of a gain margin; the angle of a phase margin, rad.
    pub margin: f64,
}

impl Crossing {
    /// Angular frequency, rad/s.
    pub fn angular(&self) -> f64 {
        TAU * self.frequency
    }

    /// A gain margin in dB.
    pub fn decibels(&self) -> f64 {
        20.0 * self.margin.log10()
    }
}

/// All margins of a loop within the sweep, by rising frequency.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Margins {
    /// Where the phase is -180 degrees.
    pub gain: Vec<Crossing>,
    /// Where the size is 1.
    pub phase: Vec<Crossing>,
}

impl Margins {
    /// The gain margin that is nearest to 1, in either direction.
    pub fn least_gain(&self) -> Option<&Crossing> {
        let size = |c: &Crossing| c.margin.ln().abs();
        self.gain.iter().min_by(|a, b| size(a).total_cmp(&size(b)))
    }

    /// The phase margin that is nearest to 0, in either direction.
    pub fn least_phase(&self) -> Option<&Crossing> {
        self.phase.iter().min_by(|a, b| a.margin.abs().total_cmp(&b.margin.abs()))
    }
}

/// Steps of a bisection: the width of a crossing falls by 2^-50.
const STEPS: usize = 50;

/// Finds the margins of a loop that is known at the frequencies of a sweep.
///
/// # Errors
/// If the loop has no response at a frequency between them.
pub fn find_margins(
    sweep: &[(f64, Complex<f64>)],
    loop_at: &mut dyn FnMut(f64) -> Result<Option<Complex<f64>>, Trouble>,
) -> Result<Margins, Trouble> {
    let mut margins = Margins::default();
    let size = |l: Complex<f64>| l.norm() - 1.0;
    let across = |l: Complex<f64>| l.im;
    for pair in sweep.windows(2) {
        let [(low, a), (high, b)] = [pair[0], pair[1]];
        if size(a) * size(b) < 0.0 || size(a) == 0.0 {
            let (frequency, l) = bisect([low, high], a, &size, loop_at)?;
            // From -180 to 180 degrees.
            let margin = (l.arg() + TAU) % TAU - PI;
            margins.phase.push(Crossing { frequency, margin });
        }
        // The axis is crossed on its negative side, not by way of infinity or where the angle jumps across the positive side.
        if across(a) * across(b) < 0.0 && a.re.min(b.re) < 0.0 {
            let (frequency, l) = bisect([low, high], a, &across, loop_at)?;
            if l.re < 0.0 && l.im.abs() <= 1e-6 * l.re.abs() {
                margins.gain.push(Crossing { frequency, margin: l.norm().recip() });
            }
        }
    }
    Ok(margins)
}

/// The frequency between two others where a function of the loop changes its sign, and the loop there.
fn bisect(
    [mut low, mut high]: [f64; 2],
    first: Complex<f64>,
    of: &dyn Fn(Complex<f64>) -> f64,
    loop_at: &mut dyn FnMut(f64) -> Result<Option<Complex<f64>>, Trouble>,
) -> Result<(f64, Complex<f64>), Trouble> {
    let sign = of(first).signum();
    let mut last = first;
    if of(first) == 0.0 {
        return Ok((low, first));
    }
    for _ in 0..STEPS {
        let middle = (low * high).sqrt();
        if middle <= low || middle >= high {
            break;
        }
        let Some(l) = loop_at(middle)? else { break };
        last = l;
        if of(l).signum() == sign {
            low = middle;
        } else {
            high = middle;
        }
    }
    Ok(((low * high).sqrt(), last))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `L = K/(1 + s)^3`: the phase is -180 degrees at w = sqrt 3, where L is K/8; with K = 4 its size is 1 at
    /// w = sqrt(4^(2/3) - 1), and the phase there is -3 atan w.
    #[test]
    fn three_lags_have_the_margins_of_the_closed_form() {
        let l = |f: f64| 4.0 / Complex::new(1.0, TAU * f).powi(3);
        let sweep: Vec<(f64, Complex<f64>)> =
            (-20..20).map(|k| 10f64.powf(f64::from(k) / 10.0)).map(|f| (f, l(f))).collect();
        let found = find_margins(&sweep, &mut |f| Ok(Some(l(f)))).unwrap();
        let [gain] = found.gain[..] else { panic!("{found:?}") };
        let [phase] = found.phase[..] else { panic!("{found:?}") };
        // The frequency is as exact as the loop: a few roundings over the slope, which is of order 1.
        assert!((gain.angular() - 3f64.sqrt()).abs() < 1e-12);
        assert!((gain.margin - 2.0).abs() < 1e-12);
        let w = (4f64.powf(2.0 / 3.0) - 1.0).sqrt();
        assert!((phase.angular() - w).abs() < 1e-12);
        assert!((phase.margin - (PI - 3.0 * w.atan())).abs() < 1e-12);
    }
}
