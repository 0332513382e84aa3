//! The components that are shipped with dysim. Their files stand beside this crate's source and lie inside the
//! programs, so that an installed program needs no files: `Include "d" { File = "drives.dys"; As = drives; }`.

/// A file of the library.
#[derive(Clone, Copy, Debug)]
pub struct LibraryFile {
    /// Its name, as an Include block writes it.
    pub name: &'static str,
    /// Its content.
    pub text: &'static str,
}

/// Lists files by their names.
macro_rules! files {
    ($($name:literal)*) => {
        /// All files, in the order of their names.
        pub static FILES: &[LibraryFile] =
            &[$(LibraryFile { name: $name, text: include_str!(concat!("../", $name)) }),*];
    };
}

files! {
    "biomechanics.dys"
    "control.dys"
    "drives.dys"
    "electronics.dys"
    "hydraulics.dys"
    "linkages.dys"
    "robots.dys"
    "vehicles.dys"
}

/// The file of a name.
pub fn find(name: &str) -> Option<&'static LibraryFile> {
    FILES.iter().find(|file| file.name == name)
}
