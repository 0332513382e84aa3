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
