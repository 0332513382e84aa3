//! `anidysim`: shows in 3D what dysim simulated. Only the command line is here.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anidysim::app::{App, framed};
use anidysim::arguments::Arguments;
use anidysim::motion::Motion;
use anidysim::scene::Scene;
use anidysim::window::{self, Settings};
use clap::Parser;
use engine::model::{Disk, Input, LoadError, LoadOptions, Model, load};
use parser::render::{Style, render_all};

/// The exit codes of both programs.
const WRONG_MODEL: u8 = 1;
const MACHINE_FAILED: u8 = 3;
const WRONG_ARGUMENTS: u8 = 64;

fn main() -> ExitCode {
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => show(&arguments),
        Err(error) if error.use_stderr() => {
            say(&error.render().to_string());
            Err(WRONG_ARGUMENTS)
        }
        Err(error) => print(&error.render().to_string()),
    };
    outcome.map_or_else(ExitCode::from, |()| ExitCode::SUCCESS)
}

/// Reads model and motion, and shows them.
fn show(arguments: &Arguments) -> Result<(), u8> {
    let model = read_model(&arguments.model)?;
    let path = format!("{}.ani", model.name);
    let mut motion = Motion::open(Path::new(&path), &model).map_err(|error| {
        let reason = LoadError { path: path.into(), error };
        say(&format!("error: {reason}\nhelp: `dysim` writes this file to the current directory\n"));
        MACHINE_FAILED
    })?;
    let settings = Settings {
        size: (1024, 768),
        vsync: !arguments.single_buffer,
        state: arguments.state.clone(),
    };
    let scene = Scene::new(&model, &arguments.model);
    let (width, height) = settings.size;
    let view = framed(&scene, &mut motion, f64::from(width) / f64::from(height));
    let app = App::new(model, motion, view.unwrap_or_default());
    window::run(app, scene, &settings).map_err(|error| {
        say(&format!("error: {error}\n"));
        MACHINE_FAILED
    })
}

/// The model, if it can be drawn; what is wrong with it is said.
fn read_model(path: &Path) -> Result<Model, u8> {
    let input = Input::File(Disk.model_path(path));
    let loaded = load(input, &LoadOptions::default(), &Disk).map_err(|error| {
        say(&format!("error: {error}\n"));
        MACHINE_FAILED
    })?;
    if loaded.model.is_none() {
        say(&render_all(&loaded.diagnostics, &loaded.sources, Style::Plain));
    }
    loaded.model.ok_or(WRONG_MODEL)
}

/// Prints a result. A reader that has gone away, such as `head`, is no failure.
fn print(text: &str) -> Result<(), u8> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say(&format!("error: cannot write to standard output: {error}\n"));
            Err(MACHINE_FAILED)
        }
        _ => Ok(()),
    }
}

/// Says something on standard error; if even that fails there is nobody to tell.
fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
