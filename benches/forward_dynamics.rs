//! One full evaluation of the accelerations, kinematics included, of chains of 1 to 1024 bodies.
//!
//! Divide by N for the time per body; it should not depend on N.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dysim_generated::chains::{SplitMix, chain};
use mechanics::dense::{self, DenseWorkspace};
use mechanics::joints::revolute::RevoluteAxis;
use mechanics::{Geometry, Tree, Vec3, Workspace, kinematics, recursive};

fn revolute(i: usize) -> Geometry {
    let axis = if i.is_multiple_of(2) { Vec3::Y } else { Vec3::Z };
    Geometry::Revolute(RevoluteAxis { axis, point: Vec3::ZERO })
}

/// A chain in a fixed random state.
struct Case {
    tree: Tree,
    q: Vec<f64>,
    v: Vec<f64>,
    tau: Vec<f64>,
}

fn case(n: usize, joint: impl Fn(usize) -> Geometry) -> Case {
    let tree = match chain(n, joint) {
        Ok(tree) => tree,
        Err(e) => unreachable!("the chain is well formed: {e}"),
    };
    let mut r = SplitMix::new(n as u64);
    let mut q = tree.home();
    q.iter_mut().for_each(|x| *x += r.between(-1.0, 1.0));
    tree.normalize_quaternions(&mut q);
    let v = (0..tree.n_v()).map(|_| r.between(-1.0, 1.0)).collect();
    let tau = vec![0.1; tree.n_v()];
    Case { tree, q, v, tau }
}

fn bench_recursive(c: &mut Criterion, name: &str, joint: impl Fn(usize) -> Geometry) {
    let mut group = c.benchmark_group(format!("forward_dynamics/{name}"));
    for n in (0..=10).map(|k| 1usize << k) {
        let Case { tree, q, v, tau } = case(n, &joint);
        let (mut w, mut vdot) = (Workspace::new(&tree), vec![0.0; tree.n_v()]);
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| {
                let (q, v, tau) = (black_box(&q), black_box(&v), black_box(&tau));
                black_box(recursive::forward_dynamics(&tree, q, v, tau, &mut w, &mut vdot))
            });
        });
    }
    group.finish();
}

/// The second formulation, whose cost grows with the cube of the freedoms.
fn bench_dense(c: &mut Criterion) {
    let mut group = c.benchmark_group("forward_dynamics/revolute_dense");
    for n in (0..=7).map(|k| 1usize << k) {
        let Case { tree, q, v, tau } = case(n, revolute);
        let (mut w, mut vdot) = (Workspace::new(&tree), vec![0.0; tree.n_v()]);
        let mut d = DenseWorkspace::new(&tree);
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::from_parameter(n), |b| {
            b.iter(|| {
                kinematics::update_state(&tree, black_box(&q), black_box(&v), &mut w);
                black_box(dense::accelerations(&tree, &tau, &mut w, &mut d, &mut vdot))
            });
        });
    }
    group.finish();
}

fn bench(c: &mut Criterion) {
    bench_recursive(c, "revolute", revolute);
    bench_recursive(c, "spherical", |_| Geometry::Spherical);
    bench_dense(c);
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .warm_up_time(std::time::Duration::from_millis(300))
        .measurement_time(std::time::Duration::from_millis(1500))
        .sample_size(40);
    targets = bench
}
criterion_main!(benches);
