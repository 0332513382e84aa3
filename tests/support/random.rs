//! A small generator of random numbers: the same sequence on every machine and for ever.

use mechanics::quaternion::Quaternion;
use mechanics::{Pose, Vec3, vec3};

/// SplitMix64 (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5851_f42d_4c95_7f2d)
    }

    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number of `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n as u64) as usize
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let unit = (self.bits() >> 11) as f64 / (1u64 << 53) as f64;
        low + (high - low) * unit
    }

    /// Components uniform between -size and size.
    pub fn vector(&mut self, size: f64) -> Vec3 {
        let mut next = || self.between(-size, size);
        vec3(next(), next(), next())
    }

    /// A unit vector.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if v.norm() > 0.1
                && let Some(unit) = v.normalized()
            {
                return unit;
            }
        }
    }

    /// A quaternion with a norm between 0.5 and 2.
    pub fn quaternion(&mut self) -> Quaternion {
        let turn = Quaternion::from_axis_angle(self.direction(), self.between(-3.0, 3.0));
        let norm = self.between(0.5, 2.0);
        Quaternion { w: turn.w * norm, v: turn.v * norm }
    }

    /// A pose with any rotation and a position up to `size` (m).
    pub fn pose(&mut self, size: f64) -> Pose {
        Pose::new(self.quaternion().matrix(), self.vector(size))
    }
}
