//! Models that are made of components move as the flat texts do from which they were rewritten.
//!
//! The flat texts are in `flat/`. Both have the same elements in the same order, so that even chaotic motions agree: the only
//! difference allowed is round-off of constants, which an instance may work out in another order.

use dysim_tests::examples::{example, with};
use dysim_tests::programs::root;
use dysim_tests::simulate::{Table, run, run_file};

/// Of the largest number of a column.
const ROUND_OFF: f64 = 1e-12;

/// Compares all rows column by column; names may differ, as an instance gives its elements a prefix.
#[track_caller]
fn compare(made: &Table, flat: &Table, place: &str) {
    assert_eq!(made.columns.len(), flat.columns.len(), "{place}: columns");
    assert_eq!(made.rows.len(), flat.rows.len(), "{place}: rows");
    assert!(flat.rows.len() > 100, "{place}: {} rows", flat.rows.len());
    for column in 0..flat.rows[0].len() {
        let values = || made.rows.iter().zip(&flat.rows).map(|(a, b)| (a[column], b[column]));
        let size = values().fold(0.0_f64, |size, (_, b)| size.max(b.abs()));
        let allowed = ROUND_OFF * if size > 0.0 { size } else { 1.0 };
        for (row, (a, b)) in values().enumerate() {
            // Written this way, a number that is none is a mistake too.
            let is_same = (a - b).abs() <= allowed;
            let name = flat.columns.get(column).map_or("", String::as_str);
            assert!(is_same, "{place}: {name}, row {row}: {a:e} instead of {b:e}");
        }
    }
}

fn check(folder: &str, name: &str) {
    let made = run_file(&root().join(format!("models/{folder}/{name}.dys"))).complete();
    let flat = run_file(&root().join(format!("tests/library/flat/{name}.dys"))).complete();
    assert_eq!(made.files(), flat.files(), "{name}");
    for extension in ["csv", "pva", "epl", "ani"] {
        let place = format!("{name}.{extension}");
        compare(&made.table(extension), &flat.table(extension), &place);
    }
}

#[test]
fn the_chain_of_a_repeat_moves_as_twenty_written_links() {
    check("mechanics", "chain");
}

#[test]
fn the_chain_has_as_many_links_as_its_parameter_says() {
    for links in [1, 3, 30] {
        let text = with(&example("mechanics/chain"), "N = 20;", &format!("N = {links};"));
        let text = with(&text, "= 5;", "= 0.1;");
        let csv = run(&text).complete().table("csv");
        let angles = csv.columns.iter().filter(|name| name.ends_with(".q[1]"));
        assert_eq!(angles.count(), links);
    }
}

#[test]
fn the_pump_of_five_instances_moves_as_five_written_arms() {
    check("loops", "concrete_pump");
}

#[test]
fn the_platform_of_six_instances_moves_as_six_written_legs() {
    check("loops", "stewart_platform");
}

#[test]
fn the_excavator_of_parts_and_cylinders_moves_as_the_written_one() {
    check("loops", "excavator");
}

#[test]
fn the_strandbeest_of_bars_and_plates_moves_as_the_written_one() {
    check("loops", "strandbeest");
}
