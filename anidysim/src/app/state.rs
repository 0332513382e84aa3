//! The state as one line of text, by which tests see what a command has done.

use std::fmt::Write;

use super::App;
use crate::view::{Extent, Item, Projection};

impl App {
    /// `name=value` pairs, separated by blanks; texts are quoted.
    pub fn state(&self) -> String {
        let mut line = String::new();
        // Writing to a string cannot fail.
        let _ = self.write_time(&mut line);
        let _ = self.write_view(&mut line);
        let _ = self.write_rest(&mut line);
        line
    }

    fn write_time(&self, out: &mut String) -> std::fmt::Result {
        let (count, last) = self.commands;
        write!(out, "commands={count} last={last:?}")?;
        let frame = self.motion.number().map_or("unknown".to_owned(), |n| n.to_string());
        write!(out, " time={} frame={frame}", self.motion.time().unwrap_or(f64::NAN))?;
        let (rows, _) = self.motion.progress();
        write!(out, " rows={rows} growing={}", self.motion.is_growing())?;
        let player = &self.playback;
        write!(out, " running={} loop={}", player.running, player.looping)?;
        write!(out, " percent={} step={}", player.rate() * 100.0, player.step())
    }

    fn write_view(&self, out: &mut String) -> std::fmt::Result {
        let camera = &self.view.camera;
        let degrees = (camera.azimuth.to_degrees(), camera.elevation.to_degrees());
        write!(out, " azimuth={:.6} elevation={:.6}", degrees.0, degrees.1)?;
        write!(out, " distance={:.9}", camera.distance)?;
        let target = camera.target;
        write!(out, " target={:.9},{:.9},{:.9}", target.x, target.y, target.z)?;
        let parallel = camera.projection == Projection::Orthographic;
        write!(out, " orthographic={parallel}")?;
        let options = &self.view.options;
        for &(item, word, _) in Item::ALL {
            write!(out, " {word}={}", options.shows(item))?;
        }
        let Extent { x_min, x_max, y_min, y_max } = options.extent;
        write!(out, " extent={x_min},{x_max},{y_min},{y_max}")?;
        write!(out, " axes_length={:.9}", options.axes_length)?;
        let body = self.view.body.and_then(|body| self.model.bodies.get(body));
        let name = body.map_or("", |body| self.model.block_name(body.block));
        write!(out, " body={name:?} follow={}", self.view.is_following())
    }

    fn write_rest(&self, out: &mut String) -> std::fmt::Result {
        let entry = self.entry.as_ref();
        write!(out, " entry={:?}", entry.map_or("", |entry| entry.question.word()))?;
        write!(out, " text={:?}", entry.map_or("", |entry| &entry.text))?;
        let error = entry.and_then(|entry| entry.error.as_deref());
        write!(out, " error={:?}", error.unwrap_or(""))?;
        write!(out, " data={:?}", self.motion.path())?;
        let recording = &self.recording;
        let base = recording.base.as_deref().unwrap_or("");
        write!(out, " recording={} base={base:?}", recording.is_on())?;
        write!(out, " compression={:?}", recording.compression.word())?;
        write!(out, " images={}", recording.written())?;
        write!(out, " messages={} listed={}", self.messages.all().count(), self.messages.shown)?;
        write!(out, " quit={}", self.quit)
    }
}
