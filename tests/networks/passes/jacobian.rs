//! Jacobians by the chain rule against differences of the rates.

use std::path::{Path, PathBuf};

use dysim_tests::loading::system;
use engine::Model;
use engine::internals::system::Run;
use integrate::{Matrix, Problem};

/// All models of some folders.
fn models() -> Vec<PathBuf> {
    let mut all = Vec::new();
    for folder in ["circuits", "mechatronics", "bondgraphs"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models").join(folder);
        all.extend(std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()));
    }
    all.sort();
    all.retain(|path| path.extension().is_some_and(|end| end == "dys"));
    all
}

/// The column of a Jacobian by central differences with the increment `d`.
fn column(run: &mut Run<'_>, t: f64, y: &[f64], place: usize, d: f64) -> Vec<f64> {
    let mut at = |shift: f64| {
        let (mut moved, mut rates) = (y.to_vec(), vec![0.0; y.len()]);
        moved[place] += shift;
        run.derivatives(t, &moved, &mut rates).unwrap();
        rates
    };
    at(d).iter().zip(at(-d)).map(|(high, low)| (high - low) / (2.0 * d)).collect()
}

/// Central differences with 1e-4 of a state, at least 1e-6, miss (d/nVt)^2/6, which is 1e-5 for a junction at
/// 0.7 V. Unknowns of iterations are known to 1e-11, so a rate to some times 1e-11 of its terms; where tearing costs digits, to 1e-10.
#[test]
fn the_chain_rule_gives_what_differences_give() {
    let mut compared = 0;
    for path in models() {
        let Ok(model) = Model::from_file(&path) else { continue };
        let system = system(&model);
        let mut run = Run::new(&system);
        let mut y = system.initial_state();
        let t = model.checked().solver.start;
        run.assemble(t, &mut y).unwrap();
        run.begin(&mut y).unwrap();
        // A little aside, so that no state is zero.
        let y: Vec<f64> = y.iter().zip(1..).map(|(y, k)| y + 1e-3 * f64::from(k)).collect();
        let mut jacobian = Matrix::zeros(y.len());
        let Some(formed) = run.jacobian(t, &y, &[], &mut jacobian) else { continue };
        formed.unwrap();
        compared += 1;
        for place in 0..y.len() {
            let d = (1e-4 * y[place].abs()).max(1e-6);
            for (row, slope) in column(&mut run, t, &y, place, d).iter().enumerate() {
                let terms = jacobian.row(row).iter().zip(&y).map(|(slope, y)| (slope * y).abs());
                let allowed = 2e-5 * slope.abs() + 1e-10 * terms.sum::<f64>() / d;
                let found = jacobian.get(row, place);
                let name = path.display();
                assert!((found - slope).abs() <= allowed, "{name} {row} {place}: {found} {slope}");
            }
        }
    }
    assert!(compared >= 20, "{compared} models have networks that hang on nothing else");
}
