//! The state as one line of text, by which tests see what a command has done.

use std::fmt::Write;

use super::App;
use crate::view::{Extent, Item, Projection};

/// `name=value` pairs, separated by blanks; texts are quoted.
pub(super) fn state(app: &App) -> String {
    let mut line = String::new();
    // Writing to a string cannot fail.
    let _ = write_time(app, &mut line);
    let _ = write_view(app, &mut line);
    let _ = write_rest(app, &mut line);
    line
}

fn write_time(app: &App, out: &mut String) -> std::fmt::Result {
    let (count, last) = app.commands;
    write!(out, "commands={count} last={last:?}")?;
    let frame = app.motion.number().map_or("unknown".to_owned(), |n| n.to_string());
    write!(out, " time={} frame={frame}", app.motion.time().unwrap_or(f64::NAN))?;
    let (rows, _) = app.motion.progress();
    write!(out, " rows={rows} growing={}", app.motion.is_growing())?;
    let player = &app.playback;
    write!(out, " running={} loop={}", player.running, player.looping)?;
    write!(out, " percent={} step={}", player.rate() * 100.0, player.step())
}

fn write_view(app: &App, out: &mut String) -> std::fmt::Result {
    let camera = &app.view.camera;
    let degrees = (camera.azimuth.to_degrees(), camera.elevation.to_degrees());
    write!(out, " azimuth={:.6} elevation={:.6}", degrees.0, degrees.1)?;
    write!(out, " distance={:.9}", camera.distance)?;
    let target = camera.target;
    write!(out, " target={:.9},{:.9},{:.9}", target.x, target.y, target.z)?;
    let parallel = camera.projection == Projection::Orthographic;
    write!(out, " orthographic={parallel}")?;
    let options = &app.view.options;
    for &(item, word, _) in Item::ALL {
        write!(out, " {word}={}", options.shows(item))?;
    }
    let Extent { x_min, x_max, y_min, y_max } = options.extent;
    write!(out, " extent={x_min},{x_max},{y_min},{y_max}")?;
    write!(out, " axes_length={:.9}", options.axes_length)?;
    let body = app.view.body.and_then(|body| app.model.bodies.get(body));
    let name = body.map_or("", |body| app.model.block_name(body.block));
    write!(out, " body={name:?} follow={}", app.view.is_following())
}

fn write_rest(app: &App, out: &mut String) -> std::fmt::Result {
    let entry = app.entry.as_ref();
    write!(out, " entry={:?}", entry.map_or("", |entry| entry.question.word()))?;
    write!(out, " text={:?}", entry.map_or("", |entry| &entry.text))?;
    let error = entry.and_then(|entry| entry.error.as_deref());
    write!(out, " error={:?}", error.unwrap_or(""))?;
    write!(out, " data={:?}", app.motion.path())?;
    let recording = &app.recording;
    let base = recording.base.as_deref().unwrap_or("");
    write!(out, " recording={} base={base:?}", recording.is_on())?;
    write!(out, " compression={:?}", recording.compression.word())?;
    write!(out, " images={}", recording.written())?;
    write!(out, " messages={} listed={}", app.messages.all().count(), app.messages.shown)?;
    write!(out, " quit={}", app.quit)
}
