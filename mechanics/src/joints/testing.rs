//! One harness for every joint: the motion subspace and the bias are the derivatives of the
//! transform, the loads are dual to the motion subspace, and coordinates are found from poses.

use super::dual::{DualBases, displacement};
use super::*;
use crate::quaternion::Quaternion;

/// Moves the coordinates along constant speeds for a time `h` by one classical Runge-Kutta
/// step; its error is of order `h^5`.
fn advance(joint: &Joint, q: &[f64], v: &[f64], h: f64) -> Vec<f64> {
    let rate = |q: &[f64]| {
        let mut r = vec![0.0; q.len()];
        joint.fill_coordinate_rates(q, v, &mut r);
        r
    };
    let plus =
        |k: &[f64], s: f64| -> Vec<f64> { q.iter().zip(k).map(|(q, k)| q + s * k).collect() };
    let k1 = rate(q);
    let k2 = rate(&plus(&k1, 0.5 * h));
    let k3 = rate(&plus(&k2, 0.5 * h));
    let k4 = rate(&plus(&k3, h));
    (0..q.len()).map(|i| q[i] + h / 6.0 * (k1[i] + 2.0 * (k2[i] + k3[i]) + k4[i])).collect()
}

fn motion(joint: &Joint, q: &[f64]) -> Vec<Motion> {
    let mut phi = vec![Motion::ZERO; joint.n_freedoms()];
    joint.fill_motion(q, &joint.transform(q), &mut phi);
    phi
}

fn relative_twist(joint: &Joint, q: &[f64], v: &[f64]) -> Motion {
    motion(joint, q).iter().zip(v).fold(Motion::ZERO, |sum, (p, &v)| sum + *p * v)
}

/// All checks of a joint.
pub fn check(geometry: &Geometry) {
    check_derivatives(geometry);
    check_variations(geometry);
    check_loads(geometry);
    check_coordinates(geometry);
}

/// Compares motion subspace and bias with differences of the transform at several states.
fn check_derivatives(geometry: &Geometry) {
    let joint = geometry.prepare().unwrap().joint;
    let (nq, nv) = (joint.n_coordinates(), joint.n_freedoms());
    // Central differences: h^2 / 6 times third derivatives of size ten, plus eps / h^2.
    let (h, first, second) = (1e-4, 1e-6, 1e-5);
    for state in 0..20 {
        let wave = |k: usize, f: f64| (f * (state * 7 + k + 1) as f64).sin();
        let mut q: Vec<f64> = (0..nq).map(|k| 1.4 * wave(k, 1.3)).collect();
        if let Some(start) = joint.quaternion_offset() {
            q[start] += 2.0;
        }
        let v: Vec<f64> = (0..nv).map(|k| 1.5 * wave(k, 2.1)).collect();
        let (qp, qm) = (advance(&joint, &q, &v, h), advance(&joint, &q, &v, -h));
        let (x, xp, xm) = (joint.transform(&q), joint.transform(&qp), joint.transform(&qm));
        let twist = relative_twist(&joint, &q, &v);
        let bias = joint.bias(&motion(&joint, &q), &v);
        // Velocity and acceleration of the tip origin, resolved in the tip frame.
        let e = &x.rotation;
        let velocity = e.transpose_mul((xp.translation - xm.translation) * (0.5 / h));
        let bend = xp.translation - x.translation - (x.translation - xm.translation);
        let acceleration = e.transpose_mul(bend * (1.0 / (h * h)));
        assert!((velocity - twist.lin).max_abs() < first, "{geometry:?} velocity");
        assert!((acceleration - bias.lin).max_abs() < second, "{geometry:?} acceleration");
        // E' = E w~, and the rate of w seen from the base.
        let spin = e.transpose() * (xp.rotation - xm.rotation).scale(0.5 / h);
        assert!((spin - Mat3::skew(twist.ang)).max_abs() < first, "{geometry:?} spin");
        let wp = xp.rotation * relative_twist(&joint, &qp, &v).ang;
        let wm = xm.rotation * relative_twist(&joint, &qm, &v).ang;
        let alpha = e.transpose_mul((wp - wm) * (0.5 / h));
        assert!((alpha - bias.ang).max_abs() < first, "{geometry:?} angular acceleration");
    }
}

/// Compares the changes of motion subspace and bias with differences.
fn check_variations(geometry: &Geometry) {
    let joint = geometry.prepare().unwrap().joint;
    let (nq, nv) = (joint.n_coordinates(), joint.n_freedoms());
    // Central differences: h^2 / 6 times third derivatives of size a hundred, plus eps / h.
    let (h, tolerance) = (1e-5, 1e-8);
    for state in 0..20 {
        let wave = |k: usize, f: f64| (f * (state * 5 + k + 1) as f64).sin();
        let mut q: Vec<f64> = (0..nq).map(|k| 1.4 * wave(k, 1.3)).collect();
        if let Some(start) = joint.quaternion_offset() {
            q[start] += 2.0;
        }
        let some = |f: f64| -> Vec<f64> { (0..nv).map(|k| 1.5 * wave(k, f)).collect() };
        let (v, dv, step, u) = (some(2.1), some(0.7), some(1.9), some(3.1));
        let at = |s: f64| {
            let q = advance(&joint, &q, &step, s);
            let phi = motion(&joint, &q);
            let v: Vec<f64> = v.iter().zip(&dv).map(|(v, dv)| v + s * dv).collect();
            (relative_twist(&joint, &q, &u), joint.bias(&phi, &v))
        };
        let ((twist_p, bias_p), (twist_m, bias_m)) = (at(h), at(-h));
        let phi = motion(&joint, &q);
        let differences = [twist_p + twist_m * -1.0, bias_p + bias_m * -1.0];
        let found = [joint.vary_motion(&phi, &step, &u), joint.vary_bias(&phi, &v, &step, &dv)];
        for (difference, found) in differences.into_iter().zip(found) {
            let gap = difference * (0.5 / h) + found * -1.0;
            let gap = gap.ang.max_abs().max(gap.lin.max_abs());
            assert!(gap < tolerance, "{geometry:?}: {gap} {found:?}");
        }
    }
}

/// Pose of T1 in T0.
pub fn joint_pose(geometry: &Geometry, q: &[f64]) -> Pose {
    let p = geometry.prepare().unwrap();
    p.base * p.joint.transform(q) * p.tip.inverse()
}

/// Asserts that two poses agree to round-off.
pub fn assert_same_pose(a: &Pose, b: &Pose) {
    assert!((a.rotation - b.rotation).max_abs() < 4e-15, "{a:?} {b:?}");
    assert!((a.translation - b.translation).max_abs() < 2e-14, "{a:?} {b:?}");
}

/// Rotation about an axis through a point as the language defines it: `t = (1 - D) r`.
pub fn rotation_about(axis: Vec3, point: Vec3, angle: f64) -> Pose {
    let d = Mat3::rotation(axis.normalized().unwrap(), angle);
    Pose::new(d, point - d * point)
}

/// Coordinates of a joint that differ from state to state.
fn sample(joint: &Joint, state: usize) -> Vec<f64> {
    let wave = |k: usize| 1.2 * (1.3 * (state * 7 + k + 1) as f64).sin();
    let mut q: Vec<f64> = (0..joint.n_coordinates()).map(wave).collect();
    if let Some(start) = joint.quaternion_offset() {
        q[start] += 2.0;
        let unit = Quaternion::from_slice(&q[start..]).normalized().to_array();
        q[start..start + 4].copy_from_slice(&unit);
    }
    q
}

/// The loads of the joint are dual to its motion subspace at several states.
fn check_loads(geometry: &Geometry) {
    let joint = geometry.prepare().unwrap().joint;
    for state in 0..10 {
        let q = sample(&joint, state);
        let mut phi = vec![Motion::ZERO; joint.n_freedoms()];
        joint.fill_motion(&q, &joint.transform(&q), &mut phi);
        let mut bases = DualBases::ZERO;
        joint.fill_dual_bases(&phi, &mut bases);
        // Round-off of a few products of numbers up to ten.
        for (k, phi) in phi.iter().enumerate() {
            for m in 0..joint.n_freedoms() {
                let unit = f64::from(u8::from(k == m));
                assert!((phi.dot(&bases.free[m]) - unit).abs() < 1e-13, "{geometry:?}");
            }
            for locked in &bases.locked[..joint.n_locked()] {
                assert!(phi.dot(locked).abs() < 1e-14, "{geometry:?} {locked:?}");
            }
        }
    }
}

/// The coordinates of a pose of the joint are found.
fn check_coordinates(geometry: &Geometry) {
    let joint = geometry.prepare().unwrap().joint;
    for state in 0..40 {
        let q = sample(&joint, state);
        let x = joint.transform(&q);
        let mut found = sample(&joint, state);
        for value in &mut found {
            *value += 0.01;
        }
        joint.locate(&x, &mut found);
        for (found, q) in found.iter().zip(&q) {
            // Angles from sines and cosines near their flat places lose half of the digits at worst.
            assert!((found - q).abs() < 1e-7, "{geometry:?} {found} {q}");
        }
        let back = displacement(&joint.transform(&found), &x);
        assert!(back.ang.max_abs() < 1e-14 && back.lin.max_abs() < 1e-14, "{geometry:?}");
    }
}
