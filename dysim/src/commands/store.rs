//! Pictures and texts on the disk.

use std::io::{self, Write};
use std::path::Path;

use engine::internals::safe_file::SafeFile;

/// A file has its name only when it is complete.
pub fn store(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = SafeFile::create(path)?;
    let written = file.write_all(bytes).and_then(|()| file.finish());
    if written.is_err() {
        SafeFile::discard(path);
    }
    written.map(|_| ())
}
