//! STL, as text (`solid`, `facet`, `vertex`) and as 50 bytes for each triangle.

use mechanics::vec3;

use super::{Triangle, number};

/// Bytes before the triangles of the binary form, and bytes of each.
const HEADER: usize = 84;
const RECORD: usize = 50;

/// The triangles; an error continues the name of the file. The normals of the file are not used:
/// many programs write zeros.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    if bytes.is_empty() {
        return Err(": the file is empty".to_owned());
    }
    // The length decides: binary files, too, often begin with `solid`.
    let count =
        bytes.get(80..HEADER).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]) as usize);
    let complete = count.is_some_and(|n| HEADER + n * RECORD == bytes.len());
    let text = bytes.trim_ascii_start().starts_with(b"solid");
    if complete || !text { binary(bytes, count) } else { ascii(bytes) }
}

fn binary(bytes: &[u8], count: Option<usize>) -> Result<Vec<Triangle>, String> {
    let records = bytes.get(HEADER..).unwrap_or_default().chunks_exact(RECORD);
    let expected = count.unwrap_or(usize::MAX);
    // Some programs append colours; too few bytes are a damage.
    if records.len() < expected || expected == 0 {
        let found = records.len();
        return Err(format!(
            ": the file is cut off or no STL file: {found} faces instead of {expected}"
        ));
    }
    let mut triangles = Vec::with_capacity(expected);
    for (k, record) in records.take(expected).enumerate() {
        let at = |j: usize| {
            let b = &record[12 + 4 * j..16 + 4 * j];
            f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        };
        let corner = |j: usize| vec3(at(3 * j), at(3 * j + 1), at(3 * j + 2));
        let triangle = [corner(0), corner(1), corner(2)];
        if !triangle.iter().all(|p| p.is_finite()) {
            return Err(format!(": face {} has a number that is not finite", k + 1));
        }
        triangles.push(triangle);
    }
    Ok(triangles)
}

fn ascii(bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut triangles = Vec::new();
    let mut corners = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let mut words = line.split_ascii_whitespace();
        match words.next().map(str::to_ascii_lowercase).as_deref() {
            Some("vertex") => {
                let numbers: Option<Vec<f64>> = words.map(number).collect();
                match numbers.as_deref() {
                    Some(&[x, y, z]) => corners.push(vec3(x, y, z)),
                    _ => return Err(format!(":{}: expected three numbers after `vertex`", k + 1)),
                }
            }
            Some("endfacet") => match corners[..] {
                [a, b, c] => {
                    triangles.push([a, b, c]);
                    corners.clear();
                }
                _ => {
                    return Err(format!(
                        ":{}: a facet needs 3 corners, not {}",
                        k + 1,
                        corners.len()
                    ));
                }
            },
            _ => {}
        }
    }
    Ok(triangles)
}
