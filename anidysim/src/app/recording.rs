//! Whether pictures are written while the animation runs, and under which names.

use std::io;
use std::path::{Path, PathBuf};

use crate::record::{Compression, Picture, Pictures};

/// The state of recording.
#[derive(Debug, Default)]
pub struct Recording {
    /// How the names of the pictures begin.
    pub base: Option<String>,
    /// How they are compressed.
    pub compression: Compression,
    /// The pictures being written, while it is on.
    pictures: Option<Pictures>,
    /// Time and number of the row of the last picture.
    last: Option<(f64, Option<u64>)>,
}

impl Recording {
    /// Whether pictures are written.
    pub fn is_on(&self) -> bool {
        self.pictures.is_some()
    }

    /// Begins, if there is a base name; the pictures are numbered from 0.
    pub fn begin(&mut self) -> bool {
        let base = self.base.as_ref();
        self.pictures = base.map(|base| Pictures::tiff(Path::new(base), self.compression));
        self.last = None;
        self.is_on()
    }

    /// Ends, and forgets the base name. Gives the number of pictures.
    pub fn end(&mut self) -> u64 {
        self.base = None;
        self.pictures.take().map_or(0, |pictures| pictures.count())
    }

    /// Pictures written since the beginning.
    pub fn written(&self) -> u64 {
        self.pictures.as_ref().map_or(0, Pictures::count)
    }

    /// Whether a picture of a time and row is wanted: not if that was the last one.
    pub fn wants(&self, time: f64, row: Option<u64>) -> bool {
        self.is_on() && self.last != Some((time, row))
    }

    /// Writes the picture of a time and row.
    ///
    /// # Errors
    /// The file and why it could not be written.
    pub fn write(
        &mut self,
        time: f64,
        row: Option<u64>,
        picture: &Picture,
    ) -> Result<(), (PathBuf, io::Error)> {
        let Some(pictures) = &mut self.pictures else { return Ok(()) };
        self.last = Some((time, row));
        pictures.write(picture).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_gives_one_picture_and_ending_forgets_the_base_name() {
        let directory = tempfile::tempdir().unwrap();
        let base = directory.path().join("a.b").display().to_string();
        let mut recording = Recording { base: Some(base), ..Recording::default() };
        assert!(!recording.wants(0.0, Some(0)));
        assert!(recording.begin());
        let picture = Picture { width: 2, height: 1, rgb: vec![0; 6] };
        for (time, row) in [(0.0, Some(0)), (0.0, Some(1)), (0.5, None)] {
            assert!(recording.wants(time, row));
            recording.write(time, row, &picture).unwrap();
            assert!(!recording.wants(time, row), "the same picture again");
        }
        assert!(directory.path().join("a.b0002.tif").exists());
        assert_eq!(recording.end(), 3);
        assert_eq!((recording.base.clone(), recording.is_on()), (None, false));
        assert!(!recording.begin());
    }
}
