//! `anidysim`: shows in 3D what dysim simulated. Only the command line is here.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anidysim::app::{App, Extent};
use anidysim::arguments::Arguments;
use anidysim::motion::Motion;
use anidysim::motion::forces::Forces;
use anidysim::record::{self, Plan};
use anidysim::scene::Scene;
use anidysim::view::View;
use anidysim::window::{self, Settings};
use clap::Parser;
use language::load::{Disk, Input, LoadError, LoadOptions, load};
use language::model::Model;
use parser::exit::Exit;
use parser::render::{Style, render_all};

fn main() -> ExitCode {
    let outcome = match Arguments::try_parse() {
        Ok(arguments) => show(&arguments),
        Err(error) if error.use_stderr() => {
            say(&error.render().to_string());
            Err(Exit::Usage)
        }
        Err(error) => print(&error.render().to_string()),
    };
    outcome.map_or_else(ExitCode::from, |()| Exit::Done.into())
}

/// Reads model and motion, and shows or records them.
fn show(arguments: &Arguments) -> Result<(), Exit> {
    if let Some(text) = arguments.text() {
        return print(&String::from_utf8_lossy(&text.map_err(failed)?));
    }
    let Some(file) = &arguments.model else { return Err(Exit::Usage) };
    let plan = arguments.recording.plan().transpose().map_err(|reason| {
        say(&format!("error: {reason}\n"));
        Exit::Usage
    })?;
    let model = read_model(file)?;
    let path = arguments.data.clone().unwrap_or_else(|| format!("{}.ani", model.name).into());
    let mut motion = Motion::open(&path, &model).map_err(|error| {
        let reason = LoadError { path: path.clone(), error };
        say(&format!("error: {reason}\nhelp: `dysim` writes this file to the current directory\n"));
        Exit::Machine
    })?;
    let scene = Scene::new(&model, &Disk.model_path(file));
    let size = plan.as_ref().map_or((1024, 768), |plan| (plan.size.width, plan.size.height));
    let view = first_view(arguments, &scene, &mut motion, size)?;
    match plan {
        Some(plan) => record(&plan, &view, &model, scene, motion),
        None => {
            let vsync = !arguments.single_buffer;
            let settings = Settings { size, vsync, state: arguments.state.clone() };
            let app = App::new(model, motion, view);
            window::run(app, scene, &settings).map_err(failed)
        }
    }
}

/// Everything that moves is in the picture, unless the command line asks for another view.
fn first_view(
    arguments: &Arguments,
    scene: &Scene,
    motion: &mut Motion,
    (width, height): (u32, u32),
) -> Result<View, Exit> {
    let aspect = f64::from(width) / f64::from(height);
    let extent = Extent::of(scene, motion).map_err(failed)?;
    let mut view = extent.view(aspect);
    let names: Vec<String> = scene.bodies.iter().map(|body| body.name.clone()).collect();
    let fit = |view: &mut View| view.camera.fit(&extent.points, aspect);
    arguments.viewing.apply(&mut view, fit, &names).map_err(|reason| {
        say(&format!("error: {reason}\n"));
        Exit::Usage
    })?;
    Ok(view)
}

/// Records, and tells what was written.
fn record(
    plan: &Plan,
    view: &View,
    model: &Model,
    scene: Scene,
    mut motion: Motion,
) -> Result<(), Exit> {
    scene.problems.iter().for_each(|problem| say(&format!("warning: {problem}\n")));
    motion.judge_all().map_err(failed)?;
    for problem in motion.problems() {
        say(&format!("{problem}\n"));
    }
    let forces = Forces::beside(motion.path(), model).map_err(failed)?;
    let outcome =
        kiss3d::pollster::block_on(record::record(plan, view, scene, &mut motion, forces));
    let recorded = outcome.map_err(failed)?;
    if let Some(note) = &recorded.note {
        say(&format!("warning: {note}\n"));
    }
    let file = recorded.file.display();
    print(&match recorded.pictures {
        1 => format!("1 picture written to {file}\n"),
        n => format!("{n} pictures written to {file}\n"),
    })
}

/// Says what failed.
fn failed(error: impl std::fmt::Display) -> Exit {
    say(&format!("error: {error}\n"));
    Exit::Machine
}

/// The model, if it can be drawn; what is wrong with it is said.
fn read_model(path: &Path) -> Result<Model, Exit> {
    let input = Input::File(Disk.model_path(path));
    let loaded = load(input, &LoadOptions::default(), &Disk).map_err(|error| {
        say(&format!("error: {error}\n"));
        Exit::Machine
    })?;
    if loaded.model.is_none() {
        say(&render_all(&loaded.diagnostics, &loaded.sources, Style::Plain));
    }
    loaded.model.map(std::sync::Arc::unwrap_or_clone).ok_or(Exit::Model)
}

/// Prints a result. A reader that has gone away, such as `head`, is no failure.
fn print(text: &str) -> Result<(), Exit> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            say(&format!("error: cannot write to standard output: {error}\n"));
            Err(Exit::Machine)
        }
        _ => Ok(()),
    }
}

/// Says something on standard error; if even that fails there is nobody to tell.
fn say(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
