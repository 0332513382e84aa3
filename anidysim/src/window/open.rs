//! Opens the window, and says what to do where that is impossible.

use std::fmt;
use std::panic::{self, AssertUnwindSafe};

use kiss3d::context::Context;
use kiss3d::pollster;
use kiss3d::window::{CanvasSetup, NumSamples, Window};

/// Why there is no window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// There is no screen.
    NoDisplay(String),
    /// Nothing can draw on it.
    NoDriver(String),
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoDisplay(cause) => write!(
                f,
                "cannot open a window: {cause}\nhelp: log in with a display, or write pictures without one: \
                 `anidysim model --record out.gif`"
            ),
            Self::NoDriver(cause) => write!(
                f,
                "nothing can draw on this display: {cause}\nhelp: install a Vulkan driver; on Debian and \
                 Ubuntu `apt install mesa-vulkan-drivers libxcursor1 libxi6 libxkbcommon-x11-0` (Mesa 23 or \
                 newer), which works without a graphics card, too"
            ),
        }
    }
}

impl std::error::Error for OpenError {}

/// Opens a window of `size` pixels.
pub(super) fn open(title: &str, size: (u32, u32), vsync: bool) -> Result<Window, OpenError> {
    if !has_display() {
        return Err(OpenError::NoDisplay("there is no display (DISPLAY is not set)".into()));
    }
    let setup = CanvasSetup { vsync, samples: NumSamples::One, ..CanvasSetup::default() };
    let create = || pollster::block_on(Window::new_with_setup(title, size.0, size.1, setup));
    let mut window = attempt(create)?;
    // One light with shadows, whose atlas by default takes half a gigabyte.
    window.set_shadow_atlas_layers(4);
    // Without a graphics card, speed counts more than smooth edges; recorded pictures have them in any case.
    if is_software() {
        window.set_shadow_resolution(1024);
    } else {
        window.set_shadow_resolution(2048);
        window.set_samples(NumSamples::Four);
    }
    Ok(window)
}

/// Whether the processor draws. A window has to be there.
pub(super) fn is_software() -> bool {
    Context::get().adapter.get_info().device_type == wgpu::DeviceType::Cpu
}

/// Does something for which the library of the window panics where it is impossible.
pub(super) fn attempt<T>(act: impl FnOnce() -> T) -> Result<T, OpenError> {
    quietly(act).map_err(|cause| classify(&cause))
}

/// Runs what panics instead of returning an error; gives the message of a panic.
fn quietly<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(|_| {}));
    let result = panic::catch_unwind(AssertUnwindSafe(act));
    panic::set_hook(hook);
    result.map_err(|cause| {
        let text = cause.downcast_ref::<String>().cloned();
        text.or_else(|| cause.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default()
    })
}

/// The meaning of a failure to open a window. The library says in its message which step failed.
fn classify(cause: &str) -> OpenError {
    let first = cause.lines().next().unwrap_or_default();
    if !(cause.contains("event loop") || cause.contains("create window")) {
        return OpenError::NoDriver(first.to_owned());
    }
    if cause.contains("LibraryOpenError") {
        return OpenError::NoDriver("a library of the display is not installed".into());
    }
    let name = ["WAYLAND_DISPLAY", "DISPLAY"].into_iter().find_map(|name| std::env::var(name).ok());
    match name {
        Some(name) => OpenError::NoDisplay(format!("the display `{name}` cannot be reached")),
        None => OpenError::NoDisplay(first.to_owned()),
    }
}

/// Whether there is a display; systems without X11 and Wayland always have one.
fn has_display() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    !cfg!(all(unix, not(target_os = "macos"))) || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_library_says_becomes_advice() {
        let display =
            "Failed to create event loop: Os(OsError { error: XNotSupported(XOpenDisplayFailed) })";
        let library = "Failed to create event loop: Os(OsError { error: XNotSupported(LibraryOpenError(x)) })";
        let driver = "Failed to create a surface and find an adapter for it";
        assert!(classify(display).to_string().contains("--record"));
        assert!(classify(library).to_string().contains("libxkbcommon-x11-0"));
        assert!(classify(driver).to_string().contains("mesa-vulkan-drivers"));
    }

    #[test]
    fn panics_become_messages() {
        assert_eq!(quietly(|| 1), Ok(1));
        assert_eq!(quietly(|| panic!("no {}", "adapter")), Err::<(), _>("no adapter".to_owned()));
    }
}
