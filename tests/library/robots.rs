//! Components of `library/robots.dys`.

use std::path::Path;
use std::rc::Rc;

use dysim_tests::simulate::{Table, run_file};

/// The results of a model file of the repository.
fn table(path: &str) -> Rc<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
    run_file(&path).complete().table("csv")
}

/// The r3 of components does what the r3 does in which every block is written out, column by column; only the names differ.
#[test]
fn the_r3_of_components_is_the_flat_one() {
    for name in ["r3_complete", "r3_current_steps", "r3_friction"] {
        let parts = table(&format!("models/mechatronics/{name}.dys"));
        let flat = table(&format!("tests/library/flat/{name}_flat.dys"));
        assert_eq!((parts.columns.len(), parts.rows.len()), (flat.columns.len(), flat.rows.len()));
        for (k, column) in flat.columns.iter().enumerate() {
            let largest = flat.rows.iter().fold(0.0f64, |largest, row| largest.max(row[k].abs()));
            for (a, b) in parts.rows.iter().zip(&flat.rows) {
                let gap = (a[k] - b[k]).abs();
                assert!(gap <= 1e-12 * largest, "{name}: {column} at t = {}: {gap:e}", b[0]);
            }
        }
    }
}

/// A third of the lines was the aim.
#[test]
fn the_r3_of_components_is_short() {
    let lines = |path: &str| {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path);
        std::fs::read_to_string(&path).unwrap_or_default().lines().count()
    };
    let (parts, flat) = (
        lines("models/mechatronics/r3_complete.dys"),
        lines("tests/library/flat/r3_complete_flat.dys"),
    );
    assert!(parts > 0 && 3 * parts <= flat, "{parts} and {flat}");
}

type Vector = [f64; 3];
type Matrix = [Vector; 3];

fn cross(a: Vector, b: Vector) -> Vector {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: Vector, b: Vector) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn scale(factor: f64, a: Vector) -> Vector {
    a.map(|x| factor * x)
}

fn add(all: &[Vector]) -> Vector {
    all.iter().fold([0.0; 3], |sum, a| [sum[0] + a[0], sum[1] + a[1], sum[2] + a[2]])
}

fn apply(matrix: Matrix, a: Vector) -> Vector {
    matrix.map(|row| dot(row, a))
}

fn transposed(m: Matrix) -> Matrix {
    [0, 1, 2].map(|k| [m[0][k], m[1][k], m[2][k]])
}

fn times(a: Matrix, b: Matrix) -> Matrix {
    let columns = transposed(b);
    a.map(|row| columns.map(|column| dot(row, column)))
}

fn about_x(angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[1.0, 0.0, 0.0], [0.0, c, -s], [0.0, s, c]]
}

fn about_y(angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]
}

fn about_z(angle: f64) -> Matrix {
    let (s, c) = angle.sin_cos();
    [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
}

/// A link as the table of Denavit and Hartenberg has it.
struct Link {
    a: f64,
    alpha: f64,
    d: f64,
    theta: f64,
    slides: bool,
    mass: f64,
    centre: Vector,
    /// xx, xy, xz, yy, yz, zz.
    inertia: [f64; 6],
    rotor: f64,
}

/// An arm: where frame 0 is, and its links.
struct Arm {
    axes: Matrix,
    place: Vector,
    links: Vec<Link>,
}

/// What a link adds on the way back: axis, way to its end, arm of its centre, force, torque.
struct Load {
    axis: Vector,
    way: Vector,
    arm: Vector,
    force: Vector,
    torque: Vector,
}

/// Forces in the joints that the motion asks for, by the recursion of Luh, Walker and Paul (1980) in the axes of the world,
/// and the place of the last frame.
fn newton_euler(arm: &Arm, q: &[f64], qd: &[f64], qdd: &[f64]) -> (Vec<f64>, Vector) {
    let (mut axes, mut place) = (arm.axes, arm.place);
    let (mut w, mut wd, mut acceleration) = ([0.0; 3], [0.0; 3], [0.0, 0.0, 9.81]);
    let mut loads = Vec::new();
    for (i, link) in arm.links.iter().enumerate() {
        let axis = transposed(axes)[2];
        let (turn, shift) = if link.slides { (0.0, q[i]) } else { (q[i], 0.0) };
        let turned = times(axes, about_z(link.theta + turn));
        let way = apply(turned, [link.a, 0.0, link.d + shift]);
        axes = times(turned, about_x(link.alpha));
        if link.slides {
            let sliding = add(&[scale(qdd[i], axis), scale(2.0 * qd[i], cross(w, axis))]);
            acceleration = add(&[acceleration, sliding]);
        } else {
            wd = add(&[wd, scale(qdd[i], axis), scale(qd[i], cross(w, axis))]);
            w = add(&[w, scale(qd[i], axis)]);
        }
        let with = |r: Vector| add(&[cross(wd, r), cross(w, cross(w, r))]);
        acceleration = add(&[acceleration, with(way)]);
        let to_centre = apply(axes, link.centre);
        let force = scale(link.mass, add(&[acceleration, with(to_centre)]));
        let [xx, xy, xz, yy, yz, zz] = link.inertia;
        let tensor =
            times(times(axes, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), transposed(axes));
        let torque = add(&[apply(tensor, wd), cross(w, apply(tensor, w))]);
        loads.push(Load { axis, way, arm: add(&[way, to_centre]), force, torque });
        place = add(&[place, way]);
    }
    let (mut force, mut torque) = ([0.0; 3], [0.0; 3]);
    let mut asked = vec![0.0; arm.links.len()];
    for (i, load) in loads.iter().enumerate().rev() {
        torque = add(&[torque, load.torque, cross(load.arm, load.force), cross(load.way, force)]);
        force = add(&[force, load.force]);
        let along = if arm.links[i].slides { force } else { torque };
        asked[i] = dot(load.axis, along) + arm.links[i].rotor * qdd[i];
    }
    (asked, place)
}

/// The Puma 560 of `models/library/robots_puma.dys`.
fn puma() -> Arm {
    use std::f64::consts::FRAC_PI_2;
    let link =
        |(a, turns, d, mass): (f64, f64, f64, f64), centre, inertia, motor: f64, ratio: f64| Link {
            a,
            alpha: turns * FRAC_PI_2,
            d,
            theta: 0.0,
            slides: false,
            mass,
            centre,
            inertia,
            rotor: motor * ratio.powi(2),
        };
    let links = vec![
        link((0.0, 1.0, 0.0, 0.0), [0.0; 3], [0.175, 0.0, 0.0, 0.35, 0.0, 0.175], 200e-6, 62.6111),
        link(
            (0.4318, 0.0, 0.0, 17.4),
            [-0.3638, 0.006, 0.2275],
            [0.13, 0.0, 0.0, 0.524, 0.0, 0.539],
            200e-6,
            107.815,
        ),
        link(
            (0.0203, -1.0, 0.15005, 4.8),
            [-0.0203, -0.0141, 0.070],
            [0.066, 0.0, 0.0, 0.086, 0.0, 0.021],
            200e-6,
            53.7063,
        ),
        link(
            (0.0, 1.0, 0.4318, 0.82),
            [0.0, 0.019, 0.0],
            [1.8e-3, 0.0, 0.0, 1.3e-3, 0.0, 1.8e-3],
            33e-6,
            76.0364,
        ),
        link(
            (0.0, -1.0, 0.0, 0.34),
            [0.0; 3],
            [0.3e-3, 0.0, 0.0, 0.4e-3, 0.0, 0.3e-3],
            33e-6,
            71.923,
        ),
        link(
            (0.0, 0.0, 0.0, 0.09),
            [0.0, 0.0, 0.032],
            [0.15e-3, 0.0, 0.0, 0.15e-3, 0.0, 0.04e-3],
            33e-6,
            76.686,
        ),
    ];
    Arm { axes: about_z(0.0), place: [0.0; 3], links }
}

/// The arm with a sliding joint of the same model.
fn slider() -> Arm {
    use std::f64::consts::FRAC_PI_2;
    let link = |[a, alpha, d, theta, mass]: [f64; 5], slides, centre, inertia| Link {
        a,
        alpha,
        d,
        theta,
        slides,
        mass,
        centre,
        inertia,
        rotor: 0.0,
    };
    let links = vec![
        link(
            [0.2, -FRAC_PI_2, 0.1, 0.3, 3.0],
            false,
            [-0.1, 0.02, 0.01],
            [0.02, 0.001, -0.002, 0.03, 0.0015, 0.025],
        ),
        link(
            [0.1, 0.6, 0.25, -0.2, 2.0],
            true,
            [-0.05, 0.01, -0.1],
            [0.01, 0.0, 0.001, 0.012, -0.001, 0.008],
        ),
        link(
            [0.3, 0.0, -0.05, 0.4, 1.5],
            false,
            [-0.15, 0.0, 0.02],
            [0.004, 0.0005, 0.0, 0.009, 0.0, 0.01],
        ),
    ];
    let axes = times(times(about_x(0.4), about_y(0.3)), about_z(-0.2));
    Arm { axes, place: [0.0, 1.5, 0.5], links }
}

/// The recursion of this file against the torques that P. Corke's toolbox prints for its pose `qn`, four digits (Robotics,
/// Vision and Control, 2011, section 9.1.2).
#[test]
fn the_recursion_finds_the_published_torques() {
    use std::f64::consts::{FRAC_PI_4, PI};
    let rest = [0.0; 6];
    let (asked, _) =
        newton_euler(&puma(), &[0.0, FRAC_PI_4, PI, 0.0, FRAC_PI_4, 0.0], &rest, &rest);
    for (found, printed) in asked.iter().zip([0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0]) {
        assert!((found - printed).abs() < 5.1e-5, "{asked:?}");
    }
}

/// No force acts in the joints: the accelerations are such that the recursion asks for none, and the tip is where the product of the
/// matrices of the table puts it, at all times.
#[test]
fn arms_move_as_the_recursion_says() {
    let table = table("models/library/robots_puma.dys");
    for (name, arm) in [("puma", puma()), ("slider", slider())] {
        let n = arm.links.len();
        for row in &table.rows {
            let of = |signal: &str| -> Vec<f64> {
                (1..=n).map(|i| row[table.index(&format!("{name}.J[{i}].{signal}"))]).collect()
            };
            let (q, qd, qdd) = (of("q"), of("qd"), of("qdd"));
            let (asked, tip) = newton_euler(&arm, &q, &qd, &qdd);
            // Without the accelerations: forces of weight and speed, which the sums cancel.
            let (held, _) = newton_euler(&arm, &q, &qd, &vec![0.0; n]);
            let largest = held.iter().fold(0.0f64, |largest, f| largest.max(f.abs()));
            assert!(largest > 1.0, "{name}: {held:?}");
            for force in &asked {
                assert!(force.abs() < 1e-12 * largest, "{name} at t = {}: {asked:?}", row[0]);
            }
            for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
                let found = row[table.index(&format!("{name}.frame[{n}].{axis}"))];
                assert!((found - tip[k]).abs() < 1e-13, "{name}.{axis} at t = {}", row[0]);
            }
        }
    }
}
