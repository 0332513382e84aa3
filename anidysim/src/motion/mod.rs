//! The motion that is shown: poses of the model's bodies at any time, from an `.ani` table of any size that
//! may be damaged and may still be growing.
//!
//! The table is never held in memory. Poses between rows are interpolated, positions along straight lines
//! and rotations about fixed axes; at the time of a row they are exactly the poses of the row.

mod files;
pub mod forces;
mod interpolation;
mod names;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use language::model::Model;
use mechanics::Pose;
use parser::animation::{AniReader, AniRow, FileState, Progress, RowPair};

use files::Opened;
pub use interpolation::between;
use names::Names;

/// Bytes judged between two looks at the clock.
const PORTION: u64 = 1 << 18;

/// How often the directory is asked whether there is a newer file.
const LOOK_AGAIN: Duration = Duration::from_millis(500);

/// The change of the file since the last look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Nothing.
    None,
    /// More rows, or the run that writes them has ended.
    Grown,
    /// The file was written over, and was opened again.
    Reopened,
    /// The directory has newer data under the same name; the opened data are still shown.
    Newer,
}

/// The motion of a model.
pub struct Motion {
    /// The file asked for.
    wanted: PathBuf,
    opened: Opened,
    reader: AniReader<File>,
    names: Names,
    present: Option<Present>,
    span: Option<(f64, f64)>,
    looked: Instant,
    told_newer: bool,
}

/// The rows on both sides of the time that is shown.
struct Present {
    time: f64,
    rows: RowPair,
}

impl Motion {
    /// Opens `path`, or the file in which a running dysim collects what will get this name.
    ///
    /// # Errors
    /// If there is neither, or it cannot be read. What is wrong with its text is told by
    /// [`problems`](Self::problems).
    pub fn open(path: &Path, model: &Model) -> io::Result<Self> {
        Self::open_for(path, Names::of(model))
    }

    fn open_for(path: &Path, names: Names) -> io::Result<Self> {
        let (opened, file) = Opened::find(path)?;
        let state = if opened.growing { FileState::Growing } else { FileState::Finished };
        let mut motion = Self {
            wanted: path.to_path_buf(),
            opened,
            reader: AniReader::open(file, state)?,
            names,
            present: None,
            span: None,
            looked: Instant::now(),
            told_newer: false,
        };
        motion.refresh()?;
        if let Some((first, _)) = motion.span {
            motion.seek(first)?;
        }
        Ok(motion)
    }

    /// Reads the same file again, or the one that has its name now. If that fails, all stays as it is.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn reopen(&mut self) -> io::Result<()> {
        let time = self.time();
        *self = Self::open_for(&self.wanted, self.names.forget())?;
        time.map_or(Ok(()), |time| self.seek(time))
    }

    /// Looks for new rows and judges lines for about `budget`; call it between frames.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn update(&mut self, budget: Duration) -> io::Result<Change> {
        let start = Instant::now();
        let before = (self.span, self.opened.growing);
        loop {
            match self.reader.scan(PORTION)? {
                Progress::More if start.elapsed() < budget => {}
                Progress::More => break,
                Progress::UpToDate => break self.learn_number()?,
                Progress::Replaced => {
                    self.reopen()?;
                    return Ok(Change::Reopened);
                }
            }
        }
        let newer = self.look_again();
        self.refresh()?;
        if newer && !std::mem::replace(&mut self.told_newer, true) {
            return Ok(Change::Newer);
        }
        let same = before == (self.span, self.opened.growing);
        Ok(if same { Change::None } else { Change::Grown })
    }

    /// Looks the present row up again if its number was not known when it was read.
    fn learn_number(&mut self) -> io::Result<()> {
        let Some(present) = self.present.as_mut().filter(|now| now.rows.before.number.is_none())
        else {
            return Ok(());
        };
        if let Some(rows) = self.reader.rows_around(present.time)?
            && rows.before.time == present.rows.before.time
        {
            present.rows = rows;
        }
        Ok(())
    }

    /// Asks the directory now and then; `true` if it has newer data.
    fn look_again(&mut self) -> bool {
        if self.looked.elapsed() < LOOK_AGAIN {
            return false;
        }
        self.looked = Instant::now();
        if self.opened.growing && self.opened.has_ended(&self.wanted) {
            self.opened.growing = false;
            self.reader.finish();
            return false;
        }
        self.opened.is_outdated(&self.wanted)
    }

    /// Judges all lines at once; for tables whose problems have to be known before they are shown.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn judge_all(&mut self) -> io::Result<()> {
        while self.reader.scan(PORTION)? == Progress::More {}
        self.learn_number()?;
        self.refresh()
    }

    /// Takes over what the reader has learned.
    fn refresh(&mut self) -> io::Result<()> {
        if let Some(header) = self.reader.header() {
            self.names.match_with(header);
        }
        let first = match self.span {
            Some((first, _)) => Some(first),
            None => self.reader.first_row()?.map(|row| row.time),
        };
        let last = self.reader.last_row()?.map(|row| row.time);
        self.span = first.zip(last);
        Ok(())
    }

    /// First and last time, s; `None` while there is no row.
    pub fn span(&self) -> Option<(f64, f64)> {
        self.span
    }

    /// Whether dysim is still writing.
    pub fn is_growing(&self) -> bool {
        self.opened.growing
    }

    /// The file that was asked for.
    pub fn path(&self) -> &Path {
        &self.wanted
    }

    /// Rows found so far, and the share of the file that was judged, 0 to 1.
    pub fn progress(&self) -> (u64, f64) {
        let (scanned, all) = self.reader.scanned_bytes();
        (self.reader.n_rows(), if all == 0 { 1.0 } else { scanned as f64 / all as f64 })
    }

    /// Mistakes in the file and differences from the model, one message each.
    pub fn problems(&self) -> Vec<String> {
        let shown = self.opened.path.display();
        let faults = self.reader.problems().iter().map(|problem| format!("{shown}:{problem}"));
        let differences = self.names.differences.iter().map(|text| format!("{shown}: {text}"));
        let kept = self.reader.problems().len() as u64;
        let (errors, warnings) = self.reader.problem_counts();
        let rest = (errors + warnings).saturating_sub(kept);
        let more = (rest > 0).then(|| format!("{shown}: {rest} more problems are not listed"));
        faults.chain(differences).chain(more).collect()
    }

    /// How many problems were found so far; grows while the file is judged.
    pub fn n_problems(&self) -> u64 {
        let (errors, warnings) = self.reader.problem_counts();
        errors + warnings + self.names.differences.len() as u64
    }

    /// Goes to `time`, s, or to the nearest end.
    ///
    /// # Errors
    /// If the file cannot be read; the present poses then stay.
    pub fn seek(&mut self, time: f64) -> io::Result<()> {
        // Rows on both sides of an event have the same time: stepping to the first one must stay there.
        if self.present.as_ref().is_some_and(|present| present.time == time) {
            return Ok(());
        }
        if let Some(present) = &mut self.present
            && present.rows.before.time < time
            && time < present.rows.after.time
        {
            present.time = time;
            return Ok(());
        }
        if let Some(rows) = self.reader.rows_around(time)? {
            // Beyond the ends, the time is that of the end.
            let time = if rows.before.time == rows.after.time { rows.before.time } else { time };
            self.present = Some(Present { time, rows });
        }
        Ok(())
    }

    /// Goes to the last row not later than `time` whose number is a multiple of `every`; to any row where
    /// the numbers are not known yet.
    ///
    /// # Errors
    /// If the file cannot be read; the present poses then stay.
    pub fn seek_every(&mut self, time: f64, every: u64) -> io::Result<()> {
        self.seek(time)?;
        let Some(present) = &self.present else { return Ok(()) };
        let mut row = present.rows.before.clone();
        if let Some(number) = row.number {
            let wanted = number - number % every.max(1);
            if wanted != number
                && let Some(found) = self.reader.row(wanted)?
            {
                row = found;
            }
        }
        self.show_row(row);
        Ok(())
    }

    /// Goes `rows` on, or back if negative, to the ends at most; from between two rows the first step leads
    /// to the nearer one in that direction. `false` if there was nowhere to go.
    ///
    /// # Errors
    /// If the file cannot be read; the present poses then stay.
    pub fn step(&mut self, rows: i64) -> io::Result<bool> {
        let Some(present) = &self.present else { return Ok(false) };
        let between = present.rows.before.time < present.time;
        let start = present.rows.before.clone();
        // Between two rows, the row before is one step back already.
        let steps = if between && rows < 0 { rows + 1 } else { rows };
        let target = self.walk(start, steps)?;
        let moved = between || self.row().is_none_or(|row| row != &target);
        self.show_row(target);
        Ok(moved)
    }

    /// The row `steps` from `row`, or the last one on the way there.
    fn walk(&mut self, mut row: AniRow, steps: i64) -> io::Result<AniRow> {
        let target = row.number.and_then(|number| number.checked_add_signed(steps));
        if let Some(number) = target
            && let Some(found) = self.reader.row(number)?
        {
            return Ok(found);
        }
        for _ in 0..steps.unsigned_abs() {
            let next = match steps > 0 {
                true => self.reader.next_row(&row)?,
                false => self.reader.previous_row(&row)?,
            };
            match next {
                Some(next) => row = next,
                None => break,
            }
        }
        Ok(row)
    }

    fn show_row(&mut self, row: AniRow) {
        let time = row.time;
        self.present = Some(Present { time, rows: RowPair { before: row.clone(), after: row } });
    }

    fn row(&self) -> Option<&AniRow> {
        self.present.as_ref().map(|present| &present.rows.before)
    }

    /// The time shown, s.
    pub fn time(&self) -> Option<f64> {
        self.present.as_ref().map(|present| present.time)
    }

    /// Number of the row at or before the time shown, from 0; `None` while it is not known.
    pub fn number(&self) -> Option<u64> {
        self.row().and_then(|row| row.number)
    }

    /// The poses shown, one for each body of the model; `None` for a body that the file does not have.
    pub fn poses(&self) -> Vec<Option<Pose>> {
        match &self.present {
            Some(present) => self.names.place(&present.rows, present.time),
            None => vec![None; self.names.n_bodies()],
        }
    }

    /// The poses at another time, which is not shown: for paths and for the extent of a motion.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn poses_at(&mut self, time: f64) -> io::Result<Vec<Option<Pose>>> {
        let rows = self.reader.rows_around(time)?;
        let none = || vec![None; self.names.n_bodies()];
        Ok(rows.map_or_else(none, |rows| self.names.place(&rows, time)))
    }
}
