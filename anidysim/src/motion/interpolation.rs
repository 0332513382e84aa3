//! Poses between two rows.

use mechanics::quaternion::Quaternion;
use mechanics::{Mat3, Pose, Vec3, vec3};
use parser::animation::Pose as Table;

/// The pose a `fraction` of the way from `a` to `b`: the position on the straight line, the rotation turned
/// by that fraction of the angle about the one axis that leads from one to the other (slerp; Shoemake,
/// "Animating rotation with quaternion curves", 1985). Exactly `a` at 0 and `b` at 1.
pub fn between(a: &Table, b: &Table, fraction: f64) -> Pose {
    if fraction <= 0.0 {
        return pose(a);
    }
    let (from, to) = (pose(a), pose(b));
    if fraction >= 1.0 {
        return to;
    }
    let translation = from.translation * (1.0 - fraction) + to.translation * fraction;
    Pose { rotation: turned(&from.rotation, &to.rotation, fraction), translation }
}

/// `a` turned towards `b`.
fn turned(a: &Mat3, b: &Mat3, fraction: f64) -> Mat3 {
    let way = Quaternion::from_matrix(&(a.transpose() * *b));
    // The shorter of the two ways round.
    let way = if way.w < 0.0 { Quaternion { w: -way.w, v: -way.v } } else { way };
    match way.v.normalized() {
        // A table that holds no rotation gives an angle that is no number; then nothing turns.
        Some(axis) if way.w.is_finite() && axis.is_finite() => {
            let angle = 2.0 * way.v.norm().atan2(way.w);
            *a * Mat3::rotation(axis, fraction * angle)
        }
        _ => *a,
    }
}

/// A pose of the table, as it stands there.
fn pose(table: &Table) -> Pose {
    let row = |i: usize| vec3(table[i][0], table[i][1], table[i][2]);
    let translation: Vec3 = vec3(table[0][3], table[1][3], table[2][3]);
    Pose { rotation: Mat3 { rows: [row(0), row(1), row(2)] }, translation }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(pose: &Pose) -> Table {
        let mut table = [[0.0, 0.0, 0.0, 1.0]; 4];
        for (i, line) in table.iter_mut().take(3).enumerate() {
            let [x, y, z] = pose.rotation.rows[i].to_array();
            *line = [x, y, z, pose.translation[i]];
        }
        table
    }

    fn difference(a: &Pose, b: &Pose) -> f64 {
        (a.rotation - b.rotation).max_abs().max((a.translation - b.translation).max_abs())
    }

    #[test]
    fn a_steady_turn_is_hit_at_every_fraction() {
        // A body that turns at a constant rate about a fixed axis while it moves on a line: between two
        // rows slerp and the straight line are the exact motion. 1e-14: a few roundings of numbers near 1.
        let axis = vec3(0.36, 0.48, 0.8);
        let start = Mat3::rotation_x(0.7) * Mat3::rotation_z(-1.1);
        let at = |s: f64, angle: f64| Pose {
            rotation: start * Mat3::rotation(axis, s * angle),
            translation: vec3(1.0, -2.0, 0.5) + vec3(0.3, 0.1, -0.2) * s,
        };
        for angle in [1e-9, 1e-3, 1.0, 2.5, 3.1] {
            let (a, b) = (table(&at(0.0, angle)), table(&at(1.0, angle)));
            for s in [0.0, 0.1, 0.25, 0.5, 0.9, 1.0] {
                let error = difference(&between(&a, &b, s), &at(s, angle));
                assert!(error < 1e-14, "angle {angle}, fraction {s}: {error:e}");
            }
        }
    }

    #[test]
    fn rows_are_exact_and_what_is_no_rotation_stays_finite() {
        let odd = [[2.0, 0.1, 0.0, 1.0], [0.0, 0.0, 0.0, 2.0], [0.0, 0.0, 1.0, 3.0], [0.0; 4]];
        let zero = [[0.0; 4]; 4];
        assert_eq!(table(&between(&odd, &zero, 0.0))[..3], odd[..3]);
        assert_eq!(table(&between(&odd, &zero, 1.0))[..3], zero[..3]);
        for (a, b) in [(odd, zero), (zero, odd), (zero, zero), ([[1e308; 4]; 4], [[-1e308; 4]; 4])]
        {
            let pose = between(&a, &b, 0.5);
            assert!(pose.translation.is_finite(), "{pose:?}");
        }
    }
}
