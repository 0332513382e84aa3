//! Chains of bodies for the forward dynamics.

use mechanics::{BodyId, BodySpec, BuildError, Geometry, Pose, Sym3, Tree, TreeBuilder, vec3};

/// A small generator of random numbers with a fixed sequence (Steele, Lea and Flood 2014).
#[derive(Clone, Debug)]
pub struct SplitMix(u64);

impl SplitMix {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix(seed)
    }

    /// Uniform between two numbers.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        low + (high - low) * (z >> 11) as f64 / (1u64 << 53) as f64
    }
}

/// A chain of `n` rods of 1 m and 1 kg with the given joints, each at the end of the rod before;
/// gravity along -z.
pub fn chain(n: usize, joint: impl Fn(usize) -> Geometry) -> Result<Tree, BuildError> {
    let mut builder = TreeBuilder::new(vec3(0.0, 0.0, -9.81))?;
    let mut mother = BodyId::WORLD;
    for i in 0..n {
        let end = if i == 0 { 0.0 } else { 1.0 };
        mother = builder.add_body(&BodySpec {
            t0: Pose::from_translation(vec3(end, 0.0, 0.0)),
            mass: 1.0,
            inertia: Sym3::diagonal(0.005, 1.0 / 12.0, 1.0 / 12.0),
            cg: Pose::from_translation(vec3(0.5, 0.0, 0.0)),
            ..BodySpec::new(mother, joint(i))
        })?;
    }
    Ok(builder.build())
}
