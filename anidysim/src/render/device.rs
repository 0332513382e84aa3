//! Opens the graphics without a window, and says what to install where that is not possible.

use std::fmt;

use kiss3d::window::{CanvasSetup, NumSamples, Window};

/// The graphics cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceError(String);

impl fmt::Display for DeviceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for DeviceError {}

/// Advice for a machine without a driver.
const INSTALL: &str = "install a Vulkan driver, which needs no graphics card: on Debian and Ubuntu `apt-get install \
mesa-vulkan-drivers` (Debian 12: the one of bookworm-backports), on Fedora `dnf install mesa-vulkan-drivers`, on Arch \
`pacman -S vulkan-swrast`";

/// Abilities of the drivers of this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Support {
    /// Pictures with smooth edges.
    Full,
    /// Only without smooth edges: with them, pictures are black.
    Plain,
}

/// Looks for a driver as the graphics will do, so that its absence is a message and no panic.
async fn support() -> Result<Support, DeviceError> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends: wgpu::Backends::all(),
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let adapter = instance
        .request_adapter(&wgpu::RequestAdapterOptions::default())
        .await
        .map_err(|_| DeviceError(format!("there is no driver that can draw\nhelp: {INSTALL}")))?;
    match adapter.get_info().backend {
        wgpu::Backend::Gl => Ok(Support::Plain),
        _ => Ok(Support::Full),
    }
}

/// A window that is nowhere, of a size in pixels, with a note if pictures will be less good than
/// they could be.
///
/// # Errors
/// If there is no driver, or if its pictures would be larger than it can draw.
pub async fn headless(width: u32, height: u32) -> Result<(Window, Option<String>), DeviceError> {
    let support = support().await?;
    let (samples, note) = match support {
        Support::Full => (NumSamples::Four, None),
        Support::Plain => {
            let note = format!(
                "edges are not smoothed, because there is no Vulkan driver\nhelp: {INSTALL}"
            );
            (NumSamples::One, Some(note))
        }
    };
    let setup = CanvasSetup { vsync: false, samples, ..Default::default() };
    let mut window = Window::new_headless_with_setup(width, height, setup).await;
    // One light with shadows, whose atlas by default takes half a gigabyte.
    window.set_shadow_atlas_layers(4);
    window.set_shadow_resolution(2048);
    Ok((window, note))
}
