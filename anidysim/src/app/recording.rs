//! Whether pictures are written while the animation runs, and under which names.

pub use crate::record::Compression;

/// The state of recording.
#[derive(Debug, Default)]
pub struct Recording {
    /// How the names of the pictures begin.
    pub base: Option<String>,
    /// How they are compressed.
    pub compression: Compression,
    on: bool,
    written: u64,
    /// Time and number of the row of the last picture.
    last: Option<(f64, Option<u64>)>,
}

impl Recording {
    /// Whether pictures are written.
    pub fn is_on(&self) -> bool {
        self.on
    }

    /// Begins, if there is a base name; the pictures are numbered from 0.
    pub fn begin(&mut self) -> bool {
        self.on = self.base.is_some();
        (self.written, self.last) = (0, None);
        self.on
    }

    /// Ends, and forgets the base name. Gives the number of pictures.
    pub fn end(&mut self) -> u64 {
        (self.on, self.base) = (false, None);
        self.written
    }

    /// Pictures written since the beginning.
    pub fn written(&self) -> u64 {
        self.written
    }

    /// The file for the picture of a time and row; `None` if that is the one last written, or none is wanted.
    pub fn next(&mut self, time: f64, row: Option<u64>) -> Option<String> {
        let base = self.base.as_ref().filter(|_| self.on)?;
        if self.last.replace((time, row)) == Some((time, row)) {
            return None;
        }
        let name = format!("{base}{:04}.tif", self.written);
        self.written += 1;
        Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_are_numbered_from_0000_and_beyond_9999() {
        let mut recording = Recording { base: Some("a/b".into()), ..Recording::default() };
        assert_eq!(recording.next(0.0, Some(0)), None);
        assert!(recording.begin());
        assert_eq!(recording.next(0.0, Some(0)).unwrap(), "a/b0000.tif");
        assert_eq!(recording.next(0.0, Some(0)), None, "the same picture again");
        assert_eq!(recording.next(0.0, Some(1)).unwrap(), "a/b0001.tif");
        for k in 2..10_001 {
            recording.next(f64::from(k), None);
        }
        assert_eq!(recording.next(-1.0, None).unwrap(), "a/b10001.tif");
    }

    #[test]
    fn ending_forgets_the_base_name() {
        let mut recording = Recording { base: Some("x".into()), ..Recording::default() };
        recording.begin();
        recording.next(0.0, None);
        assert_eq!(recording.end(), 1);
        assert_eq!((recording.base.clone(), recording.is_on()), (None, false));
        assert!(!recording.begin());
    }
}
