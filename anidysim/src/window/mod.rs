//! The window: shows the scene and the panels over it, and hands what the user does to the [`App`].

mod input;
mod menu;
mod open;
mod panels;
mod places;
mod recorder;

use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

use kiss3d::pollster;
use kiss3d::window::Window;
use mechanics::Pose;

pub use open::OpenError;

use crate::app::App;
use crate::commands::{self, Gesture};
use crate::render::Stage;
use crate::scene::Scene;
use crate::scene::paths::Paths;
use crate::view::Item;
use input::Input;
use places::Places;
use recorder::Recorder;

/// Shortest time between two pictures.
const FRAME: Duration = Duration::from_micros(16_000);
/// Pictures drawn after the last event, until menus and scroll bars have come to rest.
const SETTLING: u32 = 4;

/// Without a graphics card, scenes of more parts begin without shadows, which take half the time of a picture.
const SHADOWED_PARTS: usize = 200;
/// A motion that has grown by this part is sampled again for the paths of points.
const GROWTH: f64 = 0.02;

/// How the window is opened.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Width and height, pixels.
    pub size: (u32, u32),
    /// Whether pictures wait for the screen.
    pub vsync: bool,
    /// A file that always holds [`App::state`], for tests.
    pub state: Option<PathBuf>,
}

/// Opens the window and returns when it is closed.
///
/// # Errors
/// If it cannot be opened.
pub fn run(mut app: App, scene: Scene, settings: &Settings) -> Result<(), OpenError> {
    for problem in &scene.problems {
        app.messages.tell(format!("warning: {problem}"));
    }
    say(&app.messages.take_fresh());
    let title = format!("anidysim: {}", app.model.name);
    let window = open::open(&title, settings.size, settings.vsync)?;
    if open::is_software() && scene.parts.len() > SHADOWED_PARTS {
        app.view.options.set(Item::Shadows, false);
    }
    let (stage, state) = (Stage::new(scene), StateFile::new(settings));
    let mut show = Show {
        window,
        app,
        stage,
        state,
        trails: Trails::default(),
        recorder: Recorder::default(),
        input: Input::default(),
        places: Places::default(),
        drawn: 0,
    };
    // Some drivers can open a window and fail when they draw.
    open::attempt(|| pollster::block_on(show.draw()))?;
    pollster::block_on(show.until_closed());
    Ok(())
}

/// The window and what is in it.
struct Show {
    window: Window,
    app: App,
    stage: Stage,
    trails: Trails,
    recorder: Recorder,
    input: Input,
    places: Places,
    state: StateFile,
    /// Pictures drawn so far.
    drawn: u64,
}

/// The paths of points, and the times for which they were sampled.
#[derive(Default)]
struct Trails {
    paths: Paths,
    span: Option<(f64, f64)>,
}

impl Show {
    async fn until_closed(&mut self) {
        let mut last = Instant::now();
        let mut settling = SETTLING;
        let mut drawn = None;
        while !self.app.quit {
            let begin = Instant::now();
            let elapsed = (begin - last).as_secs_f64();
            last = begin;
            self.window.canvas_mut().poll_events();
            let active = self.input.take(&mut self.window, &mut self.app);
            self.take_dropped();
            self.app.tick(elapsed);
            say(&self.app.messages.take_fresh());
            let shown = (self.app.motion.time(), self.app.motion.number(), self.app.range());
            if active || drawn != Some(shown) || self.window.egui_context().has_requested_repaint()
            {
                settling = SETTLING;
            }
            drawn = Some(shown);
            self.write_state();
            if settling > 0 {
                settling -= 1;
                if !self.draw().await {
                    break;
                }
            }
            thread::sleep(FRAME.saturating_sub(begin.elapsed()));
        }
        self.write_state();
    }

    /// Draws the picture and the panels; `false` if the window was closed.
    async fn draw(&mut self) -> bool {
        let poses = self.app.motion.poses();
        let forces = match self.app.view.options.shows(Item::Forces) {
            true => self.app.arrows(&poses),
            false => Vec::new(),
        };
        self.stage.set_forces(&forces);
        self.set_paths(&poses);
        self.stage.set_poses(&poses);
        let Self { window, app, input, stage, places, recorder, .. } = self;
        recorder.take(app, stage, (window.width(), window.height())).await;
        places.begin();
        window.draw_ui(|context| {
            panels::show(context, app, places);
            menu::show(context, app, &mut input.menu, places);
        });
        self.drawn += 1;
        stage.draw(window, &app.view).await
    }

    /// Samples the paths of points when there is more motion than before, and shows them up to now.
    fn set_paths(&mut self, poses: &[Option<Pose>]) {
        let scene = self.stage.scene();
        let Some(span) = self.app.motion.span().filter(|_| !scene.trails.is_empty()) else {
            return;
        };
        let motion = &mut self.app.motion;
        if self.trails.is_old(span)
            && let Ok(paths) = Paths::sampled(scene, span, |time| motion.poses_at(time))
        {
            self.trails = Trails { paths, span: Some(span) };
        }
        let time = self.app.motion.time().unwrap_or(span.0);
        self.stage.set_paths(self.trails.paths.until(time, self.stage.scene(), poses));
    }

    fn write_state(&mut self) {
        let places = self.places.text(self.window.scale_factor());
        self.state.write(&format!("{} drawn={} places={places:?}", self.app.state(), self.drawn));
    }

    /// Shows data dropped on the window.
    fn take_dropped(&mut self) {
        for path in self.window.dropped_files() {
            if let Some(command) = commands::of_gesture(Gesture::Drop) {
                self.app.note(command);
            }
            if let Err(error) = self.app.open_data(&path) {
                let path = path.display();
                self.app.messages.tell(format!("error: cannot read `{path}`: {error}"));
            }
        }
    }
}

impl Trails {
    /// Whether the motion has become so much longer, or another one, that it has to be sampled again.
    fn is_old(&self, (first, last): (f64, f64)) -> bool {
        self.span.is_none_or(|(from, to)| from != first || (last - to).abs() > GROWTH * (to - from))
    }
}

/// Messages go to the console as well.
fn say(messages: &[String]) {
    let mut out = io::stderr().lock();
    for message in messages {
        // If even that fails there is nobody to tell.
        let _ = writeln!(out, "{message}");
    }
}

/// The file that always holds the present state.
struct StateFile {
    path: Option<PathBuf>,
    written: String,
}

impl StateFile {
    fn new(settings: &Settings) -> Self {
        Self { path: settings.state.clone(), written: String::new() }
    }

    /// Replaces the file as a whole, so that no reader sees half a line.
    fn write(&mut self, state: &str) {
        let Some(path) = self.path.as_ref().filter(|_| state != self.written) else { return };
        let temporary = path.with_extension("new");
        let written = fs::write(&temporary, format!("{state}\n"));
        // A tool for tests: they fail by themselves where it cannot be written.
        let _ = written.and_then(|()| fs::rename(&temporary, path));
        state.clone_into(&mut self.written);
    }
}
