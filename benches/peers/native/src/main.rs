//! Times one evaluation of the accelerations of chains with dysim and with the crate phyz; prints
//! lines `program joint n seconds`, the best of many rounds.

use std::hint::black_box;
use std::time::{Duration, Instant};

use dysim_generated::chains::{SplitMix, chain};
use mechanics::joints::revolute::RevoluteAxis;
use mechanics::{Geometry, Vec3, Workspace, recursive};
use phyz_math::{Mat3, SpatialInertia, SpatialTransform};
use phyz_model::{Joint, ModelBuilder};

const SIZES: [usize; 9] = [1, 2, 4, 8, 16, 32, 64, 128, 256];

/// Best time per call over rounds of about a millisecond for half a second.
fn best(mut call: impl FnMut()) -> f64 {
    let start = Instant::now();
    call();
    let once = start.elapsed().max(Duration::from_nanos(100));
    let calls = (1e-3 / once.as_secs_f64()).ceil() as u32;
    let mut best = f64::INFINITY;
    while start.elapsed() < Duration::from_millis(500) {
        let round = Instant::now();
        (0..calls).for_each(|_| call());
        best = best.min(round.elapsed().as_secs_f64() / f64::from(calls));
    }
    best
}

fn axis_is_y(i: usize) -> bool {
    i.is_multiple_of(2)
}

fn time_dysim(joint: &str, n: usize) -> f64 {
    let geometry = |i| match joint {
        "spherical" => Geometry::Spherical,
        _ => {
            let axis = if axis_is_y(i) { Vec3::Y } else { Vec3::Z };
            Geometry::Revolute(RevoluteAxis { axis, point: Vec3::ZERO })
        }
    };
    let tree = match chain(n, geometry) {
        Ok(tree) => tree,
        Err(e) => unreachable!("the chain is well formed: {e}"),
    };
    let mut r = SplitMix::new(n as u64);
    let mut q = tree.home();
    q.iter_mut().for_each(|x| *x += r.between(-1.0, 1.0));
    tree.normalize_quaternions(&mut q);
    let v: Vec<f64> = (0..tree.n_v()).map(|_| r.between(-1.0, 1.0)).collect();
    let (tau, mut vdot) = (vec![0.1; tree.n_v()], vec![0.0; tree.n_v()]);
    let mut w = Workspace::new(&tree);
    best(|| {
        let _ = black_box(recursive::forward_dynamics(
            &tree,
            black_box(&q),
            black_box(&v),
            black_box(&tau),
            &mut w,
            &mut vdot,
        ));
    })
}

fn time_phyz(joint: &str, n: usize) -> f64 {
    let mut builder = ModelBuilder::new().gravity(phyz_math::Vec3::new(0.0, 0.0, -9.81));
    for i in 0..n {
        let end = if i == 0 { 0.0 } else { 1.0 };
        let place = SpatialTransform::from_translation(phyz_math::Vec3::new(end, 0.0, 0.0));
        let moments = phyz_math::Vec3::new(0.005, 1.0 / 12.0, 1.0 / 12.0);
        let inertia = SpatialInertia::new(
            1.0,
            phyz_math::Vec3::new(0.5, 0.0, 0.0),
            Mat3::from_diagonal(&moments),
        );
        let kind = match joint {
            "spherical" => Joint::spherical(place),
            _ => {
                let axis = if axis_is_y(i) { [0.0, 1.0] } else { [1.0, 0.0] };
                let axis = phyz_math::Vec3::new(0.0, axis[1], axis[0]);
                Joint { axis, ..Joint::revolute(place) }
            }
        };
        builder = builder.add_body(&format!("b{i}"), i as i32 - 1, kind, inertia);
    }
    let model = builder.build();
    let mut state = model.default_state();
    let mut r = SplitMix::new(n as u64);
    for k in 0..model.nv {
        // Spherical coordinates stay at their neutral position; the cost does not depend on them.
        if joint == "revolute" {
            state.q[k] = r.between(-1.0, 1.0);
        }
        state.v[k] = r.between(-1.0, 1.0);
    }
    best(|| {
        black_box(phyz_rigid::aba(&model, black_box(&state)));
    })
}

fn main() {
    for joint in ["revolute", "spherical"] {
        for n in SIZES {
            println!("dysim {joint} {n} {:e}", time_dysim(joint, n));
            println!("phyz {joint} {n} {:e}", time_phyz(joint, n));
        }
    }
}
