//! Surfaces from files: STL in both forms, and the faces of OBJ.

mod creases;
mod obj;
mod stl;

use std::fs;
use std::io;
use std::path::Path;

use mechanics::Vec3;

use super::Mesh;

/// Three corners.
type Triangle = [Vec3; 3];

/// Larger files are taken for mistakes (bytes): as triangles they would fill the memory.
const MAX_BYTES: u64 = 1 << 30;

/// Reads a surface; all lengths are multiplied by `scale`. The message says what is wrong and where.
pub fn read_mesh(path: &Path, scale: f64) -> Result<Mesh, String> {
    let name = path.display();
    let form = Form::of(path).ok_or_else(|| {
        format!("`{name}` is neither an STL nor an OBJ file; its name has to end in .stl or .obj")
    })?;
    let failed = |error: io::Error| format!("cannot read `{name}`: {error}");
    let size = fs::metadata(path).map_err(failed)?.len();
    if size > MAX_BYTES {
        return Err(format!(
            "`{name}` has {} MB, more than the {} MB that can be shown",
            size >> 20,
            MAX_BYTES >> 20
        ));
    }
    let bytes = fs::read(path).map_err(failed)?;
    form.parse(&bytes, scale).map_err(|reason| format!("{name}{reason}"))
}

/// The forms that are understood.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Stl,
    Obj,
}

impl Form {
    /// The form that the end of a name tells.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "stl" => Some(Form::Stl),
            "obj" => Some(Form::Obj),
            _ => None,
        }
    }

    /// The surface in the bytes of a file; an error continues the name of the file.
    fn parse(self, bytes: &[u8], scale: f64) -> Result<Mesh, String> {
        let mut triangles = match self {
            Form::Stl => stl::read(bytes),
            Form::Obj => obj::read(bytes),
        }?;
        if triangles.is_empty() {
            return Err(": there are no faces".to_owned());
        }
        for corner in triangles.as_flattened_mut() {
            *corner = *corner * scale;
        }
        Ok(creases::with_normals(&triangles))
    }
}

/// The number in a word of a text file, if it is one and finite.
fn number(word: &str) -> Option<f64> {
    word.parse().ok().filter(|x: &f64| x.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::mesh::checks::assert_solid;
    use crate::geometry::{cuboid, ellipsoid};

    fn read(name: &str, bytes: &[u8], scale: f64) -> Result<Mesh, String> {
        let form = Form::of(Path::new(name)).unwrap();
        form.parse(bytes, scale).map_err(|reason| format!("{name}{reason}"))
    }

    fn ascii_stl(mesh: &Mesh) -> String {
        let mut text = "solid part\n".to_owned();
        for &face in &mesh.faces {
            text += "facet normal 0 0 0\n outer loop\n";
            for p in mesh.corners(face) {
                text += &format!("  vertex {} {} {}\n", p.x, p.y, p.z);
            }
            text += " endloop\nendfacet\n";
        }
        text + "endsolid part\n"
    }

    fn binary_stl(mesh: &Mesh) -> Vec<u8> {
        // Many programs write `solid` into the header of binary files, too.
        let mut bytes = b"solid by some program".to_vec();
        bytes.resize(80, b' ');
        bytes.extend((mesh.faces.len() as u32).to_le_bytes());
        for &face in &mesh.faces {
            bytes.extend([0; 12]);
            for p in mesh.corners(face) {
                p.to_array().iter().for_each(|&x| bytes.extend((x as f32).to_le_bytes()));
            }
            bytes.extend([0; 2]);
        }
        bytes
    }

    fn obj(mesh: &Mesh) -> String {
        let mut text = "# a comment\no part\n".to_owned();
        mesh.vertices.iter().for_each(|p| text += &format!("v {} {} {}\n", p.x, p.y, p.z));
        mesh.faces
            .iter()
            .for_each(|[a, b, c]| text += &format!("f {}/1/1 {}//2 {}\n", a + 1, b + 1, c + 1));
        text
    }

    #[test]
    fn all_forms_give_the_same_solid() {
        let mesh = cuboid(1.0, 2.0, 0.5);
        let files: [(&str, Vec<u8>); 3] = [
            ("a.stl", ascii_stl(&mesh).into_bytes()),
            ("b.STL", binary_stl(&mesh)),
            ("c.obj", obj(&mesh).into_bytes()),
        ];
        for (name, bytes) in files {
            assert_solid(&read(name, &bytes, 2.0).unwrap(), 8.0);
        }
    }

    /// A ball from a file looks as smooth as one made here, a box as sharp.
    #[test]
    fn creases_are_kept_and_curves_are_smooth() {
        let ball = ellipsoid(1.0, 1.0, 1.0, 32, 16);
        let mesh = read("ball.obj", obj(&ball).as_bytes(), 1.0).unwrap();
        for (place, normal) in mesh.vertices.iter().zip(&mesh.normals) {
            // Faces are inclined to the sphere by half of their 11 degrees.
            assert!((*place - *normal).norm() < 0.05, "{place:?} {normal:?}");
        }
        let mesh = read("box.obj", obj(&cuboid(1.0, 1.0, 1.0)).as_bytes(), 1.0).unwrap();
        assert!(mesh.normals.iter().all(|n| n.max_abs() == 1.0));
    }

    #[test]
    fn polygons_and_indices_from_the_end_are_understood() {
        let text = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\nf 4 3 2 1\nf -5 -4 -1\nf 2 3 5\nf 3 4 5\nf 4 1 5\n";
        assert_solid(&read("pyramid.obj", text.as_bytes(), 1.0).unwrap(), 1.0 / 3.0);
    }

    #[test]
    fn mistakes_are_told_with_their_place() {
        let cases: &[(&str, &[u8], &str)] = &[
            (
                "a.stl",
                b"solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0\n",
                "a.stl:4: expected three numbers",
            ),
            (
                "b.stl",
                b"solid x\nfacet\nvertex 0 0 0\nvertex 1 0 0\nendfacet\n",
                "b.stl:5: a facet needs 3 corners, not 2",
            ),
            ("c.stl", &[0; 100], "c.stl: the file is cut off"),
            ("d.stl", b"", "d.stl: the file is empty"),
            ("e.obj", b"v 0 0 0\nv 1 0 0\nv 0 x 0\n", "e.obj:3: expected three numbers"),
            (
                "f.obj",
                b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n",
                "f.obj:4: there is no vertex `4`, only 3 so far",
            ),
            ("g.obj", b"v 0 0 0\nf 1 1\n", "g.obj:2: a face needs 3 corners or more, not 2"),
            ("h.obj", b"# nothing\n", "h.obj: there are no faces"),
        ];
        for (name, bytes, expected) in cases {
            let message = read(name, bytes, 1.0).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
        let message = |path: &str| read_mesh(Path::new(path), 1.0).unwrap_err();
        assert!(message("/nowhere/x.stl").contains("cannot read"));
        assert!(message("x.ply").contains("neither an STL nor an OBJ file"));
    }

    /// Whatever bytes follow a good beginning: no panic.
    #[test]
    fn damaged_files_only_fail() {
        let good =
            [ascii_stl(&cuboid(1.0, 1.0, 1.0)).into_bytes(), binary_stl(&cuboid(1.0, 1.0, 1.0))];
        for bytes in &good {
            for cut in (0..bytes.len()).step_by(7) {
                let _ = stl::read(&bytes[..cut]);
                let mut changed = bytes.clone();
                changed[cut] ^= 0xff;
                let _ = stl::read(&changed);
                let _ = obj::read(&changed);
            }
        }
    }
}
