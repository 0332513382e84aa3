//! Blocks with one unknown each that follow one another run as one stretch of code.

use std::ops::Range;

use crate::code::block_compiler::{BlockKind, Code};

/// Blocks that run in one go.
#[derive(Clone, Debug)]
pub(crate) struct Stretch {
    /// The blocks: explicit ones, or a single one of another kind.
    pub blocks: Range<usize>,
    /// Code of explicit blocks; none for a block of another kind.
    pub code: Option<Range<u32>>,
    /// Places of their unknowns.
    pub unknowns: Vec<u32>,
}

impl Code {
    /// Sorts the blocks of a level, the last of those compiled so far, into stretches.
    pub(crate) fn add_stretches(&mut self, level: usize) {
        let first = if level == 0 { 0 } else { self.ends[level - 1] };
        let begun = self.stretches.len();
        for number in first..self.ends[level] {
            let block = &self.blocks[number];
            let BlockKind::Explicit { code } = &block.kind else {
                let blocks = number..number + 1;
                self.stretches.push(Stretch { blocks, code: None, unknowns: Vec::new() });
                continue;
            };
            // A block whose code follows that of the last stretch lengthens it.
            let unknown = block.unknowns[0].0;
            let last = self.stretches[begun..].last_mut();
            match last.and_then(|last| {
                last.code.as_mut().map(|c| (c, &mut last.blocks, &mut last.unknowns))
            }) {
                Some((range, blocks, unknowns)) if range.end == code.start => {
                    range.end = code.end;
                    blocks.end = number + 1;
                    unknowns.push(unknown);
                }
                _ => {
                    let (blocks, unknowns) = (number..number + 1, vec![unknown]);
                    self.stretches.push(Stretch { blocks, code: Some(code.clone()), unknowns });
                }
            }
        }
        self.stretch_ends[level] = self.stretches.len();
    }
}
