//! Which file holds the motion: the one asked for, or the one a running dysim is still filling.
//!
//! dysim collects rows in `<name>.<process>.part` and gives the file its name when it is complete.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file that was opened.
#[derive(Debug)]
pub(super) struct Opened {
    /// Where it was found.
    pub path: PathBuf,
    /// Whether more rows may come.
    pub growing: bool,
    identity: Identity,
}

/// The identity of a file, whatever its name.
#[derive(Debug, PartialEq, Eq)]
struct Identity {
    /// Device and number of the file, where the system has them.
    number: Option<(u64, u64)>,
    /// Else the time of its creation.
    created: Option<SystemTime>,
}

/// A file that a dysim is filling, or was filling when it was stopped.
struct Part {
    path: PathBuf,
    /// Whether the process that wrote it still runs; `true` where that cannot be found out.
    alive: bool,
    modified: Option<SystemTime>,
}

impl Opened {
    /// Opens what is to be shown for `wanted`: the part of a run that goes on, else the complete file, else
    /// the part that a stopped run has left.
    pub fn find(wanted: &Path) -> io::Result<(Self, File)> {
        let parts = parts_of(wanted);
        let latest = |alive: bool| {
            let of_kind = parts.iter().filter(move |part| part.alive == alive);
            of_kind.max_by_key(|part| part.modified)
        };
        if let Some(part) = latest(true)
            && let Ok(found) = Self::open(&part.path, true)
        {
            return Ok(found);
        }
        match (Self::open(wanted, false), latest(false)) {
            (Err(error), Some(part)) if error.kind() == io::ErrorKind::NotFound => {
                Self::open(&part.path, false)
            }
            (found, _) => found,
        }
    }

    fn open(path: &Path, growing: bool) -> io::Result<(Self, File)> {
        let file = File::open(path)?;
        let data = file.metadata()?;
        if data.is_dir() {
            return Err(io::Error::new(io::ErrorKind::IsADirectory, "this is a directory"));
        }
        let opened = Self { path: path.to_path_buf(), growing, identity: Identity::of(&data) };
        Ok((opened, file))
    }

    /// Whether the run that fills this part has ended: it has its name now, or nobody writes it any more.
    pub fn has_ended(&mut self, wanted: &Path) -> bool {
        if self.is_at(wanted) {
            self.path = wanted.to_path_buf();
            return true;
        }
        !parts_of(wanted).iter().any(|part| part.path == self.path && part.alive)
    }

    /// Whether other data has the name now, or is being written for it.
    pub fn is_outdated(&self, wanted: &Path) -> bool {
        if self.growing {
            return false;
        }
        let replaced = self.path == wanted && wanted.exists() && !self.is_at(wanted);
        replaced || parts_of(wanted).iter().any(|part| part.alive && part.path != self.path)
    }

    fn is_at(&self, path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|data| Identity::of(&data) == self.identity)
    }
}

impl Identity {
    #[cfg(unix)]
    fn of(data: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self { number: Some((data.dev(), data.ino())), created: None }
    }

    #[cfg(not(unix))]
    fn of(data: &Metadata) -> Self {
        Self { number: None, created: data.created().ok() }
    }
}

/// The parts beside `wanted`. A directory that cannot be read has none.
fn parts_of(wanted: &Path) -> Vec<Part> {
    let Some(name) = wanted.file_name().and_then(|name| name.to_str()) else { return Vec::new() };
    let directory = match wanted.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let Ok(entries) = fs::read_dir(directory) else { return Vec::new() };
    let part = |entry: fs::DirEntry| {
        let file_name = entry.file_name();
        let rest = file_name.to_str()?.strip_prefix(name)?;
        let process: u32 = rest.strip_prefix('.')?.strip_suffix(".part")?.parse().ok()?;
        let path = wanted.with_file_name(&file_name);
        let modified = entry.metadata().ok()?.modified().ok();
        Some(Part { path, alive: is_running(process), modified })
    };
    entries.flatten().filter_map(part).collect()
}

/// Whether a process runs, as far as the system tells.
fn is_running(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(process.to_string()).exists()
}
