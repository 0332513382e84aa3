//! The linear model in one file: read back by readers of the test's own; zeros against polynomials with known roots.

use std::fs;

use dysim_tests::random::Random;
use dysim_tests::simulate::Outcome;

use super::support::{DOWN, Matrix, analyse, heading, near};

/// A matrix of a `.mat` file of level 4: name, type, rows, columns, entries column by column.
#[derive(Debug)]
struct Stored {
    name: String,
    kind: i32,
    rows: usize,
    columns: usize,
    entries: Vec<f64>,
}

/// Reads a file as the description of the format says.
fn read_mat(bytes: &[u8]) -> Vec<Stored> {
    let int = |at: usize| i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
    let (mut at, mut all) = (0, Vec::new());
    while at < bytes.len() {
        let [kind, rows, columns, imaginary, length] = [0, 4, 8, 12, 16].map(|k| int(at + k));
        assert_eq!(imaginary, 0);
        let name = &bytes[at + 20..at + 20 + length as usize];
        assert_eq!(name.last(), Some(&0));
        let name = String::from_utf8(name[..name.len() - 1].to_vec()).unwrap();
        at += 20 + length as usize;
        let (rows, columns) = (rows as usize, columns as usize);
        let number =
            |k: usize| f64::from_le_bytes(bytes[at + 8 * k..at + 8 * k + 8].try_into().unwrap());
        let entries = (0..rows * columns).map(number).collect();
        at += 8 * rows * columns;
        all.push(Stored { name, kind, rows, columns, entries });
    }
    all
}

fn circuit() -> Outcome {
    analyse(&heading("linear", DOWN, "Inputs = V1.V, I1;").with(
        "VoltageSource \"V1\" { p = in; n = gnd; V = 0; } Resistor \"R1\" { p = in; n = a; R = 50; }
         Inductor \"L1\" { p = a; n = out; L = 1e-3; } Capacitor \"C1\" { p = out; n = gnd; C = 1e-6; }
         CurrentSource \"I1\" { p = gnd; n = out; I = 0; } Output \"o\" { Signals = out.v, L1.i, R1.power; }",
    ))
}

#[test]
fn the_mat_file_has_the_matrices_and_names_of_the_tables() {
    let outcome = circuit();
    let all = read_mat(&fs::read(outcome.directory().join("case_linear.mat")).unwrap());
    let find = |name: &str| all.iter().find(|stored| stored.name == name).unwrap();
    for name in ["A", "B", "C", "D"] {
        let (stored, table) = (find(name), Matrix::read(&outcome, name).numbers());
        assert_eq!((stored.kind, stored.rows), (0, table.len()));
        for (i, row) in table.iter().enumerate() {
            for (j, x) in row.iter().enumerate() {
                // The tables have all digits.
                assert_eq!(stored.entries[j * stored.rows + i], *x);
            }
        }
    }
    let rows = |name: &str| -> Vec<String> {
        let stored = find(name);
        assert_eq!(stored.kind, 1);
        let letter = |i: usize, j: usize| stored.entries[j * stored.rows + i] as u8 as char;
        let row = |i: usize| (0..stored.columns).map(|j| letter(i, j)).collect::<String>();
        (0..stored.rows).map(|i| row(i).trim_end().to_string()).collect()
    };
    assert_eq!(rows("inputs"), ["V1.V", "I1"]);
    assert_eq!(rows("inputs_units"), ["V", "A"]);
    assert_eq!(rows("outputs"), ["out.v", "L1.i", "R1.power"]);
    assert_eq!(rows("outputs_units"), ["V", "A", "W"]);
    let (states, units) = (rows("states"), rows("states_units"));
    assert_eq!(states.len(), 2);
    for (state, unit) in states.iter().zip(units) {
        assert_eq!(unit, if state == "L1.i" { "A" } else { "V" }, "{state}");
    }
}

#[test]
fn the_json_file_has_the_same_numbers_in_all_digits() {
    let outcome = circuit();
    let text = fs::read_to_string(outcome.directory().join("case_linear.json")).unwrap();
    // Of this file a list of rows is all between `"A": [` and `]]`.
    for name in ["A", "B", "C", "D"] {
        let start = text.find(&format!("\"{name}\": [")).unwrap() + name.len() + 4;
        let list = &text[start..start + text[start..].find("]]").unwrap()];
        let rows = list.split("],").map(|row| row.trim().trim_matches(['[', ']', ' ', '\n']));
        let numbers: Vec<Vec<f64>> = rows
            .map(|row| {
                row.split(", ").map(|x| x.trim_matches(['[', ']']).parse().unwrap()).collect()
            })
            .collect();
        assert_eq!(numbers, Matrix::read(&outcome, name).numbers(), "{name}");
    }
    assert!(text.contains("{\"name\": \"V1.V\", \"unit\": \"V\"}"), "{text}");
}

/// The polynomial with these roots, highest power first.
fn polynomial(roots: &[(f64, f64)]) -> Vec<f64> {
    let mut all = vec![1.0];
    for &(re, im) in roots {
        let factor =
            if im == 0.0 { vec![1.0, -re] } else { vec![1.0, -2.0 * re, re * re + im * im] };
        let mut product = vec![0.0; all.len() + factor.len() - 1];
        for (i, a) in all.iter().enumerate() {
            for (j, b) in factor.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        all = product;
    }
    all
}

fn list(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(", ")
}

/// Two transfer functions in a row have the zeros and poles of both; a first one without zeros hides none.
#[test]
fn zeros_are_the_roots_of_the_numerators() {
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut roots = |count: usize, low: f64, high: f64| -> Vec<(f64, f64)> {
            let root = |random: &mut Random| {
                let im = if random.below(2) == 0 { 0.0 } else { random.between(0.5, 30.0) };
                (random.between(low, high), im)
            };
            (0..count).map(|_| root(&mut random)).collect()
        };
        let (zeros_1, zeros_2) = (roots(1, -20.0, 5.0), roots((seed % 3) as usize, -20.0, 5.0));
        let (poles_1, poles_2) =
            (roots(2, -40.0, -1.0), roots(2 + (seed % 3) as usize, -40.0, -1.0));
        let texts = [&zeros_1, &poles_1, &zeros_2, &poles_2].map(|roots| list(&polynomial(roots)));
        let [n1, d1, n2, d2] = texts;
        if polynomial(&zeros_1).len() > polynomial(&poles_1).len()
            || polynomial(&zeros_2).len() > polynomial(&poles_2).len()
        {
            continue;
        }
        let outcome = analyse(&heading("linear", DOWN, "").with(&format!(
            "Input \"u\" {{ }} TransferFunction \"a\" {{ u = u.y; Num = {n1}; Den = {d1}; }} TransferFunction \"b\" {{ u = a.y; Num = {n2}; Den = {d2}; }}
             Output \"o\" {{ Signals = b.y; }}"
        )));
        let table = Matrix::read(&outcome, "zeros");
        let mut found: Vec<(f64, f64)> =
            table.rows.iter().map(|(_, row)| (row[0], row[1])).collect();
        let mut expected: Vec<(f64, f64)> = zeros_1.into_iter().chain(zeros_2).collect();
        let size = |z: &(f64, f64)| z.0.hypot(z.1);
        found.sort_by(|a, b| size(a).total_cmp(&size(b)));
        expected.sort_by(|a, b| size(a).total_cmp(&size(b)));
        assert_eq!(found.len(), expected.len(), "{seed}: {found:?} {expected:?}");
        for (found, expected) in found.iter().zip(&expected) {
            // Roots are up to 1e4 times as sensitive as the matrices are exact.
            near(found.0, expected.0, 1e-6 * size(expected).max(1.0));
            near(found.1.abs(), expected.1, 1e-6 * size(expected).max(1.0));
        }
    }
}
