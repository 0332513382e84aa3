//! Writes the `.ani` table. Buffering and the file itself belong to the caller.

use super::{ANI_VERSION, MAX_BODIES, Pose};
use crate::digits::push_shortest;
use std::io::{self, Write};

/// Writes a header once and then row after row.
///
/// Values a reader would refuse (non-finite numbers, falling times, names with blanks) are refused
/// here, too, with [`io::ErrorKind::InvalidInput`]: whatever was written can be read.
#[derive(Debug)]
pub struct AniWriter<W> {
    out: W,
    names: Vec<String>,
    last_time: f64,
    /// The text of one row, so that a row reaches `out` in one piece.
    line: Vec<u8>,
}

impl<W: Write> AniWriter<W> {
    /// Writes the header for bodies called `names`, in the order of the columns to come.
    pub fn new<S: AsRef<str>>(out: W, model_name: &str, names: &[S]) -> io::Result<Self> {
        if names.len() > MAX_BODIES {
            return Err(refused(format!("more than {MAX_BODIES} bodies do not fit an .ani table")));
        }
        if model_name.trim() != model_name || model_name.contains(char::is_control) {
            return Err(refused(format!("`{}` is no model name", model_name.escape_debug())));
        }
        let names: Vec<String> = names.iter().map(|name| name.as_ref().to_owned()).collect();
        for name in &names {
            if name.is_empty() || name.contains(|c: char| c.is_whitespace() || c.is_control()) {
                return Err(refused(format!("`{}` is no body name", name.escape_debug())));
            }
        }
        let mut writer = Self { out, names, last_time: f64::NEG_INFINITY, line: Vec::new() };
        writer.compose_header(model_name)?;
        writer.out.write_all(&writer.line)?;
        Ok(writer)
    }

    /// Writes the poses of all bodies at `time` (seconds). Equal times are allowed: the rows before
    /// and after an event.
    pub fn write_row(&mut self, time: f64, poses: &[Pose]) -> io::Result<()> {
        self.check_row(time, poses)?;
        self.compose_row(time, poses);
        self.out.write_all(&self.line)?;
        self.last_time = time;
        Ok(())
    }

    /// Writes a comment, each line of `text` after a `#`.
    pub fn write_comment(&mut self, text: &str) -> io::Result<()> {
        for line in text.lines() {
            // A lone carriage return would look like a line end to some programs.
            writeln!(self.out, "# {}", line.replace('\r', " "))?;
        }
        Ok(())
    }

    /// Hands all rows on, so that an animator that follows the file can see them.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Flushes and gives the output back.
    pub fn finish(mut self) -> io::Result<W> {
        self.out.flush()?;
        Ok(self.out)
    }

    fn check_row(&self, time: f64, poses: &[Pose]) -> io::Result<()> {
        if poses.len() != self.names.len() {
            let (given, expected) = (poses.len(), self.names.len());
            return Err(refused(format!("a row with {given} poses for {expected} bodies")));
        }
        if !time.is_finite() || time < self.last_time {
            return Err(refused(format!("a row at t = {time:?} after t = {:?}", self.last_time)));
        }
        for (name, pose) in self.names.iter().zip(poses) {
            if !pose.as_flattened().iter().all(|number| number.is_finite()) {
                return Err(refused(format!(
                    "the pose of body `{name}` at t = {time:?} is not finite"
                )));
            }
        }
        Ok(())
    }

    fn compose_header(&mut self, model_name: &str) -> io::Result<()> {
        let line = &mut self.line;
        writeln!(line, "# DySimAniFileVersion: {ANI_VERSION}")?;
        writeln!(line, "# ModelName: {model_name}")?;
        writeln!(line, "# NumberOfBodies: {}", self.names.len())?;
        write!(line, "# NamesOfBodies:")?;
        for name in &self.names {
            write!(line, " {name}")?;
        }
        // Each column by body, row and column of its pose.
        write!(line, "\n# Columns: t")?;
        for name in &self.names {
            for place in 0..super::NUMBERS_PER_BODY {
                write!(line, " {name}.r{}{}", place / 4 + 1, place % 4 + 1)?;
            }
        }
        writeln!(line)
    }

    fn compose_row(&mut self, time: f64, poses: &[Pose]) {
        self.line.clear();
        push_shortest(&mut self.line, &[time], b' ');
        if !poses.is_empty() {
            self.line.push(b' ');
        }
        push_shortest(&mut self.line, poses.as_flattened().as_flattened(), b' ');
        self.line.push(b'\n');
    }
}

fn refused(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}
