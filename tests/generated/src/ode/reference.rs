//! Reads the tables of `tests/references`.

use crate::root;

/// Rows of a table without its heading, cell by cell.
pub fn rows(file: &str) -> Vec<Vec<String>> {
    let path = root().join("tests/references").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| {
        unreachable!("{} belongs to the repository: {error}", path.display())
    });
    text.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect()
}

/// A cell as a number.
pub fn number(cell: &str) -> f64 {
    cell.parse().unwrap_or_else(|error| unreachable!("`{cell}` in a table: {error}"))
}

/// A cell as a count.
pub fn count(cell: &str) -> u64 {
    cell.parse().unwrap_or_else(|error| unreachable!("`{cell}` in a table: {error}"))
}

/// End time and end values of a problem.
pub fn end(problem: &str) -> Option<(f64, Vec<f64>)> {
    let row = rows("ode_ends.csv").into_iter().find(|row| row[0] == problem)?;
    Some((number(&row[1]), row[2..].iter().map(|cell| number(cell)).collect()))
}
