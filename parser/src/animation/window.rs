//! A sliding window over a file that may be larger than memory and may grow. Knows bytes and line
//! ends, nothing of tables.

use std::io::{self, Read, Seek, SeekFrom};

/// Bytes read at once: small enough that a bisection of a huge file reads little.
const CHUNK: usize = 64 << 10;

/// The part of a file that was read last.
pub(super) struct Window<R> {
    source: R,
    /// Offset in the file of the first byte kept.
    start: u64,
    bytes: Vec<u8>,
    /// Length of the file when it was last asked for.
    end: u64,
}

/// One line of the file.
pub(super) struct TextLine<'a> {
    /// The bytes before the line feed; nothing if the line is too long.
    pub text: &'a [u8],
    /// Where the next line starts.
    pub next: u64,
    /// Whether a line feed was found; without one the line may still grow.
    pub terminated: bool,
    /// Whether the line goes beyond the limit and was skipped.
    pub too_long: bool,
}

impl<R: Read + Seek> Window<R> {
    /// Looks at `source` from its start.
    pub fn new(mut source: R) -> io::Result<Self> {
        let end = source.seek(SeekFrom::End(0))?;
        Ok(Self { source, start: 0, bytes: Vec::new(), end })
    }

    /// Length of the file, as far as known.
    pub fn end(&self) -> u64 {
        self.end
    }

    /// Asks for the length again and forgets what was read, since it may have been replaced.
    pub fn refresh(&mut self) -> io::Result<()> {
        self.bytes.clear();
        self.end = self.source.seek(SeekFrom::End(0))?;
        Ok(())
    }

    /// The bytes from `offset` on: at least `want` bytes, fewer only at the end of the file.
    pub fn at(&mut self, offset: u64, want: usize) -> io::Result<&[u8]> {
        let left = usize::try_from(self.end.saturating_sub(offset)).unwrap_or(usize::MAX);
        let want = want.min(left);
        if self.kept_from(offset) < want {
            self.load(offset, want.max(CHUNK).min(left))?;
        }
        let from = offset.checked_sub(self.start).and_then(|from| usize::try_from(from).ok());
        Ok(from.and_then(|from| self.bytes.get(from..)).unwrap_or_default())
    }

    /// The line that starts at `offset`; `None` at the end of the file. Lines of more than `limit`
    /// bytes are skipped without being kept.
    pub fn line(&mut self, offset: u64, limit: usize) -> io::Result<Option<TextLine<'_>>> {
        if offset >= self.end {
            return Ok(None);
        }
        // First what is there already, then twice as much each time.
        let mut want = 1;
        let (length, terminated) = loop {
            let bytes = self.at(offset, want)?;
            let available = bytes.len();
            match find_newline(&bytes[..available.min(limit + 1)]) {
                Some(length) => break (length, true),
                None if available > limit => return self.skip_line(offset, limit).map(Some),
                // The file ends here, or has become shorter meanwhile.
                None if offset + available as u64 >= self.end => break (available, false),
                None => want = (2 * available).max(CHUNK).min(limit + 1),
            }
        };
        let next = offset + length as u64 + u64::from(terminated);
        let text = &self.at(offset, length)?[..length];
        Ok(Some(TextLine { text, next, terminated, too_long: false }))
    }

    /// The first line start after `offset`; `None` if no line feed follows before `stop`,
    /// give or take a chunk.
    pub fn next_line_start(&mut self, mut offset: u64, stop: u64) -> io::Result<Option<u64>> {
        while offset < self.end.min(stop) {
            let bytes = self.at(offset, 1)?;
            if let Some(at) = find_newline(bytes) {
                return Ok(Some(offset + at as u64 + 1));
            }
            if bytes.is_empty() {
                break;
            }
            offset += bytes.len() as u64;
        }
        Ok(None)
    }

    /// The start of the line that ends at `offset` (just behind its line feed, or at the end of
    /// the file); not before `floor`, which must be a line start. `None` at `floor`.
    pub fn line_start_before(&mut self, offset: u64, floor: u64) -> io::Result<Option<u64>> {
        if offset <= floor {
            return Ok(None);
        }
        // The line's own line feed does not count.
        let mut stop = offset - 1;
        while stop > floor {
            // What is kept serves for many lines, if their line feeds are kept as well.
            let kept = self.start < stop && self.kept_from(stop) > 0;
            let from = if kept { self.start } else { (stop + 1).saturating_sub(CHUNK as u64) };
            let from = from.max(floor);
            let length = usize::try_from(stop - from).unwrap_or(usize::MAX);
            let bytes = self.at(from, length.saturating_add(1))?;
            let bytes = &bytes[..length.min(bytes.len())];
            if let Some(at) = bytes.iter().rposition(|&byte| byte == b'\n') {
                return Ok(Some(from + at as u64 + 1));
            }
            stop = from;
        }
        Ok(Some(floor))
    }

    /// How many bytes are kept from `offset` on.
    fn kept_from(&self, offset: u64) -> usize {
        let kept_end = self.start + self.bytes.len() as u64;
        if offset < self.start || offset >= kept_end {
            return 0;
        }
        usize::try_from(kept_end - offset).unwrap_or(usize::MAX)
    }

    /// Replaces the window by `length` bytes from `offset`.
    fn load(&mut self, offset: u64, length: usize) -> io::Result<()> {
        self.source.seek(SeekFrom::Start(offset))?;
        self.start = offset;
        self.bytes.clear();
        // Exactly, since doubling would cost twice the longest line.
        self.bytes.reserve_exact(length);
        let read = self.source.by_ref().take(length as u64).read_to_end(&mut self.bytes)?;
        if read < length {
            self.end = offset + read as u64;
        }
        Ok(())
    }

    /// Passes over a line that is too long.
    fn skip_line(&mut self, offset: u64, limit: usize) -> io::Result<TextLine<'_>> {
        let next = self.next_line_start(offset + limit as u64, u64::MAX)?;
        let terminated = next.is_some();
        Ok(TextLine { text: &[], next: next.unwrap_or(self.end), terminated, too_long: true })
    }
}

/// The place of the first line feed.
fn find_newline(bytes: &[u8]) -> Option<usize> {
    bytes.iter().position(|&byte| byte == b'\n')
}
