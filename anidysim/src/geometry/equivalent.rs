//! What a body without primitives looks like: the box or ball with its mass and inertia.

use language::blocks::body::Body;
use mechanics::{Mat3, Pose, Vec3, vec3};
use nalgebra::Matrix3;

/// Density for a point mass, which has no size of its own: that of aluminium (kg/m^3).
const DENSITY: f64 = 2700.0;

/// Thinner than this part of the longest side nothing is drawn: it could not be seen.
const THINNEST: f64 = 0.05;

/// A shape with its pose in the body frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Equivalent {
    /// A box with its three lengths (m) along the principal axes.
    Cuboid(Pose, [f64; 3]),
    /// A ball with its radius (m).
    Ball(Pose, f64),
}

/// The homogeneous box with the mass and moments of inertia of a body: from
/// `Ixx = m (ly^2 + lz^2)/12` and so on follows `lx^2 = 6 (Iyy + Izz - Ixx)/m`. A point mass is a ball.
/// `None` for a body without mass.
pub fn equivalent(body: &Body) -> Option<Equivalent> {
    let cg = body.cg_pose();
    let [xx, xy, xz, yy, yz, zz] = body.inertia;
    let mass = body.mass;
    if !(mass > 0.0 && mass.is_finite()) {
        return None;
    }
    let tensor = Matrix3::new(xx, xy, xz, xy, yy, yz, xz, yz, zz);
    let (moments, axes) = principal(tensor, [xy, xz, yz] == [0.0; 3])?;
    let sum = moments[0] + moments[1] + moments[2];
    let squares = moments.map(|moment| 6.0 * (sum - 2.0 * moment) / mass);
    let longest = squares.iter().fold(0.0, |most: f64, &square| most.max(square)).sqrt();
    if !(longest > 0.0 && longest.is_finite()) {
        let radius = (3.0 * mass / (4.0 * std::f64::consts::PI * DENSITY)).cbrt();
        return Some(Equivalent::Ball(cg, radius));
    }
    let lengths = squares.map(|square| square.max(0.0).sqrt().max(THINNEST * longest));
    Some(Equivalent::Cuboid(Pose::new(cg.rotation * axes, cg.translation), lengths))
}

/// Moments and axes (columns, right-handed); the given axes if they are principal already.
fn principal(tensor: Matrix3<f64>, diagonal: bool) -> Option<([f64; 3], Mat3)> {
    if diagonal {
        return Some(([tensor[(0, 0)], tensor[(1, 1)], tensor[(2, 2)]], Mat3::IDENTITY));
    }
    if !tensor.iter().all(|x| x.is_finite()) {
        return None;
    }
    let eigen = tensor.symmetric_eigen();
    let column = |k: usize| {
        let v = eigen.eigenvectors.column(k);
        vec3(v[0], v[1], v[2])
    };
    let (a, b): (Vec3, Vec3) = (column(0), column(1));
    let moments = [eigen.eigenvalues[0], eigen.eigenvalues[1], eigen.eigenvalues[2]];
    Some((moments, Mat3::from_columns(a, b, a.cross(b))))
}

#[cfg(test)]
mod tests {
    use language::load::{Disk, Input, LoadOptions, load};

    use super::*;

    fn body(parameters: &str) -> Body {
        let text = format!(
            "Header \"h\" {{ ModelName = m; }} System \"s\" {{ }} Solver \"v\" {{ Type = dynamic; Solver = de; }}
             Triad \"a\" {{ Parent = world; }} Triad \"b\" {{ Parent = b1; }}
             Revolute \"J\" {{ Parent = b1; TriadFrom = a; TriadTo = b; }}
             Body \"b1\" {{ Parent = world; Joint = J; {parameters} }}"
        );
        let input = Input::Text { name: "test.dys".into(), bytes: text.into_bytes() };
        let loaded = load(input, &LoadOptions::default(), &Disk).unwrap();
        loaded.model.unwrap().bodies[0].what.clone()
    }

    fn lengths(parameters: &str) -> [f64; 3] {
        match equivalent(&body(parameters)) {
            Some(Equivalent::Cuboid(_, lengths)) => lengths,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_box_gets_its_lengths_back() {
        let found = lengths("Mass = 12; Inertia = 25, 0, 0, 17, 0, 10;");
        // 3^2 + 4^2, 1^2 + 4^2, 1^2 + 3^2.
        for (length, expected) in found.iter().zip([1.0, 3.0, 4.0]) {
            assert!((length - expected).abs() < 1e-12);
        }
    }

    /// The tensor of the same box turned by 30 degrees about z.
    #[test]
    fn a_turned_box_gets_lengths_and_axes_back() {
        let found =
            equivalent(&body("Mass = 12; Inertia = 23, (25 - 17)*sqrt(3)/4, 0, 19, 0, 10;"));
        let Some(Equivalent::Cuboid(pose, lengths)) = found else { panic!("{found:?}") };
        let mut sorted = lengths;
        sorted.sort_by(f64::total_cmp);
        for (length, expected) in sorted.iter().zip([1.0, 3.0, 4.0]) {
            assert!((length - expected).abs() < 1e-9, "{sorted:?}");
        }
        let longest = lengths.iter().position(|l| (l - 4.0).abs() < 1e-9).unwrap();
        assert!((pose.rotation.column(longest).z.abs() - 1.0).abs() < 1e-9);
        let shortest = lengths.iter().position(|l| (l - 1.0).abs() < 1e-9).unwrap();
        let axis = pose.rotation.column(shortest);
        assert!((axis.x.abs() - 30f64.to_radians().cos()).abs() < 1e-9, "{axis:?}");
    }

    #[test]
    fn rods_are_thin_and_points_are_balls() {
        let [x, y, z] = lengths("Mass = 1; Inertia = 1/12, 0, 0, 1/12, 0, 0;");
        assert!((z - 1.0).abs() < 1e-12 && x == THINNEST * z && y == THINNEST * z);
        let point =
            equivalent(&body("Mass = 1; Inertia = 0, 0, 0, 0, 0, 0; CGFramePosition = 0, 0, 2;"));
        let Some(Equivalent::Ball(pose, radius)) = point else { panic!("{point:?}") };
        assert_eq!(pose.translation, vec3(0.0, 0.0, 2.0));
        assert!((4.0 / 3.0 * std::f64::consts::PI * radius.powi(3) * DENSITY - 1.0).abs() < 1e-12);
        assert_eq!(equivalent(&Body { mass: 0.0, ..body("Mass = 1;") }), None);
    }
}
