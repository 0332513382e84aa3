//! Where the files of a model come from, and where a file that an Include block names is looked for.

use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Where files come from.
pub trait Files {
    /// The content of a file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;
    /// One name for each file, whatever path leads to it.
    fn identity(&self, path: &Path) -> PathBuf;
}

/// A file of a model could not be read.
#[derive(Debug)]
pub struct LoadError {
    /// Path of the file.
    pub path: PathBuf,
    /// Reason of the failure.
    pub error: io::Error,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let reason = match self.error.kind() {
            io::ErrorKind::NotFound => "there is no such file".into(),
            io::ErrorKind::IsADirectory => "this is a directory, not a model file".into(),
            io::ErrorKind::PermissionDenied => "reading it is not permitted".into(),
            _ => self.error.to_string(),
        };
        write!(f, "cannot read `{}`: {reason}", self.path.display())
    }
}

impl std::error::Error for LoadError {}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disk;

impl Disk {
    /// The file of a model as it is named on a command line: the suffix `.dys` may be left out.
    pub fn model_path(&self, path: &Path) -> PathBuf {
        let mut longer = path.as_os_str().to_owned();
        longer.push(".dys");
        let longer = PathBuf::from(longer);
        let named = path.extension().is_some_and(|suffix| suffix == "dys");
        // If neither file exists, the message names the file with the suffix, which a user expects.
        let missing = !path.exists() && !named;
        if !path.is_file() && (longer.is_file() || missing) { longer } else { path.to_path_buf() }
    }
}

/// Most bytes read from an input that is no file, such as a pipe or a device: some devices never end.
const LONGEST_STREAM: u64 = 1 << 28;

impl Files for Disk {
    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = std::fs::File::open(path)?;
        if file.metadata()?.is_file() {
            return std::fs::read(path);
        }
        let mut bytes = Vec::new();
        let read = file.take(LONGEST_STREAM).read_to_end(&mut bytes)?;
        match (read as u64) < LONGEST_STREAM {
            true => Ok(bytes),
            false => Err(io::Error::other("it does not end")),
        }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
    }
}

/// Where the files of the library that is shipped with the program seem to be.
const SHIPPED: &str = "<library>";

/// The file that an Include block names, with its content: beside the file with the block, then in the directories of
/// libraries, then in the library that is shipped with the program. The error is that of the first place.
pub(crate) fn find_included(
    name: &str,
    directory: &Path,
    libraries: &[PathBuf],
    files: &dyn Files,
) -> Result<Included, (PathBuf, io::Error)> {
    let first = directory.join(name);
    let error = match files.read(&first) {
        Ok(bytes) => return Ok(Included { identity: files.identity(&first), path: first, bytes }),
        Err(error) => error,
    };
    if error.kind() == io::ErrorKind::NotFound {
        for path in libraries.iter().map(|library| library.join(name)) {
            if let Ok(bytes) = files.read(&path) {
                return Ok(Included { identity: files.identity(&path), path, bytes });
            }
        }
        if let Some(shipped) = library::find(name) {
            let path = Path::new(SHIPPED).join(name);
            return Ok(Included {
                identity: path.clone(),
                path,
                bytes: shipped.text.as_bytes().to_vec(),
            });
        }
    }
    Err((first, error))
}

/// A file that was found.
pub(crate) struct Included {
    pub path: PathBuf,
    pub identity: PathBuf,
    pub bytes: Vec<u8>,
}
