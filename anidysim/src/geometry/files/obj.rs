//! Vertices and faces of OBJ files. Texture coordinates, normals, materials and groups are passed over.

use mechanics::{Vec3, vec3};

use super::{Triangle, number};

/// The triangles; an error continues the name of the file.
pub(super) fn read(bytes: &[u8]) -> Result<Vec<Triangle>, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut vertices: Vec<Vec3> = Vec::new();
    let mut triangles = Vec::new();
    for (k, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                // A fourth number is a weight, further ones are colours.
                let numbers: Option<Vec<f64>> = words.map(number).collect();
                match numbers.as_deref() {
                    Some(&[x, y, z, ..]) => vertices.push(vec3(x, y, z)),
                    _ => return Err(format!(":{}: expected three numbers after `v`", k + 1)),
                }
            }
            Some("f") => {
                let corners: Result<Vec<Vec3>, String> =
                    words.map(|word| corner(word, &vertices)).collect();
                let corners = corners.map_err(|reason| format!(":{}: {reason}", k + 1))?;
                if corners.len() < 3 {
                    let n = corners.len();
                    return Err(format!(":{}: a face needs 3 corners or more, not {n}", k + 1));
                }
                triangles
                    .extend(corners.windows(2).skip(1).map(|pair| [corners[0], pair[0], pair[1]]));
            }
            _ => {}
        }
    }
    Ok(triangles)
}

/// The vertex of `7`, `7/1`, `7//2` or `7/1/2`; negative numbers count back from the last vertex.
fn corner(word: &str, vertices: &[Vec3]) -> Result<Vec3, String> {
    let index = word.split('/').next().unwrap_or_default();
    let place = match index.parse::<i64>() {
        Ok(k) if k > 0 => usize::try_from(k - 1).ok(),
        Ok(k) if k < 0 => {
            usize::try_from(k.unsigned_abs()).ok().and_then(|back| vertices.len().checked_sub(back))
        }
        _ => None,
    };
    place
        .and_then(|place| vertices.get(place).copied())
        .ok_or_else(|| format!("there is no vertex `{index}`, only {} so far", vertices.len()))
}
