//! Takes the pictures that are recorded: the scene as it is shown, without the panels over it.

use kiss3d::window::Window;

use crate::app::App;
use crate::record::snap;
use crate::render::{Stage, headless};

/// A picture is drawn a second time where nobody sees it, since the panels are in the one that is shown.
#[derive(Default)]
pub(super) struct Recorder {
    window: Option<Window>,
}

impl Recorder {
    /// Writes the picture of what is shown, if it is wanted. All pictures of a recording have the same `size`.
    pub async fn take(&mut self, app: &mut App, stage: &mut Stage, size: (u32, u32)) {
        if !app.recording.is_on() {
            self.window = None;
            return;
        }
        let (time, row) = (app.motion.time().unwrap_or_default(), app.motion.number());
        if !app.recording.wants(time, row) {
            return;
        }
        let window = match &mut self.window {
            Some(window) => window,
            None => match headless(size.0, size.1).await {
                Ok((window, _)) => self.window.insert(window),
                Err(error) => return stop(app, &error.to_string()),
            },
        };
        stage.draw(window, &app.view).await;
        if let Err((path, error)) = app.recording.write(time, row, &snap(window)) {
            stop(app, &format!("cannot write `{}`: {error}", path.display()));
        }
    }
}

/// Ends a recording that failed.
fn stop(app: &mut App, reason: &str) {
    app.messages.tell(format!("error: {reason}; the recording has ended"));
    app.end_recording();
}
