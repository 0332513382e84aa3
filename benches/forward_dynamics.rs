//! One full evaluation of the accelerations, kinematics included, of chains of 1 to 1024 bodies.
//!
//! Divide by N for the time per body; it should not depend on N.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dysim_benches::{SplitMix, chain};
use engine::mechanics::joints::revolute::RevoluteAxis;
use engine::mechanics::{Geometry, Tree, Vec3, Workspace, recursive};

fn revolute(i: usize) -> Geometry {
    let axis = if i.is_multiple_of(2) { Vec3::Y } else { Vec3::Z };
    Geometry::Revolute(RevoluteAxis { axis, point: Vec3::ZERO })
}

fn bench_chain(c: &mut Criterion, name: &str, joint: impl Fn(usize) -> Geometry) {
    let mut group = c.benchmark_group(format!("forward_dynamics/{name}"));
    for n in (0..=10).map(|k| 1usize << k) {
        let tree: Tree = match chain(n, &joint) {
            Ok(tree) => tree,
            Err(e) => unreachable!("the chain is well formed: {e}"),
        };
        let mut r = SplitMix::new(n as u64);
        let mut q = tree.home();
        q.iter_mut().for_each(|x| *x += r.between(-1.0, 1.0));
        tree.normalize_quaternions(&mut q);
        let v: Vec<f64> = (0..tree.n_v()).map(|_| r.between(-1.0, 1.0)).collect();
        let tau = vec![0.1; tree.n_v()];
        let (mut w, mut vdot) = (Workspace::new(&tree), vec![0.0; tree.n_v()]);
        group.throughput(Throughput::Elements(n as u64));
        group.bench_with_input(BenchmarkId::from_parameter(n), &n, |b, _| {
            b.iter(|| {
                let (q, v, tau) = (black_box(&q), black_box(&v), black_box(&tau));
                black_box(recursive::forward_dynamics(&tree, q, v, tau, &mut w, &mut vdot))
            });
        });
    }
    group.finish();
}

fn bench(c: &mut Criterion) {
    bench_chain(c, "revolute", revolute);
    bench_chain(c, "spherical", |_| Geometry::Spherical);
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
