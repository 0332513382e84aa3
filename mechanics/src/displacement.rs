//! Finite displacements in the space of speeds: where a tree gets to that moves along given speeds.

use super::quaternion::Quaternion;
use super::tree::Tree;
use super::vector::vec3;

impl Tree {
    /// Moves the coordinates `q` by `step`, one number per freedom, each conjugate to its speed: a rotation of
    /// a ball joint is a rotation vector in T1 axes, `q exp(step / 2)`, everything else a sum.
    pub fn displace(&self, q: &mut [f64], step: &[f64]) {
        debug_assert_eq!(q.len(), self.n_q());
        debug_assert_eq!(step.len(), self.n_v());
        for link in &self.links[1..] {
            let (q, step) = (&mut q[link.q_range()], &step[link.v_range()]);
            let plain = link.joint.quaternion_offset().unwrap_or(q.len());
            for (q, step) in q[..plain].iter_mut().zip(step) {
                *q += step;
            }
            if plain < q.len() {
                let turn = vec3(step[plain], step[plain + 1], step[plain + 2]);
                let angle = turn.norm();
                let axis = if angle > 0.0 { turn * (1.0 / angle) } else { turn };
                let start = Quaternion::from_slice(&q[plain..]).normalized();
                let end = start.times(Quaternion::from_axis_angle(axis, angle));
                q[plain..].copy_from_slice(&end.to_array());
            }
        }
    }

    /// First freedom of each rotation that is a quaternion: three speeds in T1 axes begin there.
    pub fn ball_rotations(&self) -> impl Iterator<Item = usize> + '_ {
        self.links
            .iter()
            .filter_map(|link| Some(link.v_start as usize + link.joint.quaternion_offset()?))
    }
}

#[cfg(test)]
mod tests {
    use crate::quaternion::Quaternion;
    use crate::{BodyId, BodySpec, Geometry, TreeBuilder, Vec3, vec3};

    #[test]
    fn a_displacement_is_motion_with_constant_speeds() {
        let mut builder = TreeBuilder::new(Vec3::ZERO).unwrap();
        let free = BodySpec { mass: 1.0, ..BodySpec::new(BodyId::WORLD, Geometry::Free) };
        builder.add_body(&free).unwrap();
        let tree = builder.build();
        let first = Quaternion::from_axis_angle(vec3(0.6, 0.0, 0.8), 0.7).to_array();
        let mut q = [1.0, 2.0, 3.0, first[0], first[1], first[2], first[3]];
        let v = [0.1, -0.2, 0.3, 0.5, -0.4, 0.9];
        let mut slow = q;
        // The classical Runge-Kutta method in 100 steps: an error of about 1e-2^4 / 120.
        for _ in 0..100 {
            let rate = |q: &[f64; 7]| {
                let mut r = [0.0; 7];
                tree.fill_coordinate_rates(q, &v, &mut r);
                r
            };
            let plus = |k: &[f64; 7], s: f64| std::array::from_fn(|i| slow[i] + s * k[i]);
            let k1 = rate(&slow);
            let k2 = rate(&plus(&k1, 0.005));
            let k3 = rate(&plus(&k2, 0.005));
            let k4 = rate(&plus(&k3, 0.01));
            slow = std::array::from_fn(|i| {
                slow[i] + 0.01 / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])
            });
        }
        tree.displace(&mut q, &v);
        assert!(q.iter().zip(&slow).all(|(a, b)| (a - b).abs() < 1e-10), "{q:?} {slow:?}");
    }
}
