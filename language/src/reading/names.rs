//! Which block a name means.

use parser::source::{Sources, Span};
use parser::suggest::nearest;
use rustc_hash::FxHashMap;

use crate::element::{BlockSchema, Family, Target};

/// One block of the model, whatever it declares.
#[derive(Clone, Copy, Debug)]
pub struct BlockEntry {
    /// The table of the block's keyword.
    pub schema: &'static BlockSchema,
    /// Place of the block's name in the text.
    pub name: Span,
    /// Index among the blocks of its family.
    pub handle: u32,
    /// The text it stands in and its index there.
    pub(crate) place: (u32, u32),
}

/// All blocks by name. Several keywords may use the same name.
#[derive(Debug, Default)]
pub struct NameIndex<'s> {
    first: FxHashMap<&'s str, u32>,
    /// For each block the next one with the same name, `NONE` at the end.
    next: Vec<u32>,
}

const NONE: u32 = u32::MAX;
/// With more names than this, only a few suggestions are searched for, so that a large model with
/// many wrong names is still reported at once.
const MANY_NAMES: usize = 10_000;

impl<'s> NameIndex<'s> {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        let first = FxHashMap::with_capacity_and_hasher(capacity, Default::default());
        Self { first, next: Vec::with_capacity(capacity) }
    }

    /// Adds the next block. Blocks are added in order, each exactly once; one that is not to be
    /// found, because an earlier one has its keyword and name, is only counted.
    pub(crate) fn add(&mut self, name: &'s str, is_new: bool) {
        let index = self.next.len() as u32;
        let earlier = if is_new { self.first.insert(name, index) } else { None };
        self.next.push(earlier.unwrap_or(NONE));
    }

    /// Lets another name mean a block that was added, unless the name is taken.
    pub(crate) fn alias(&mut self, name: &'s str, block: u32) {
        self.first.entry(name).or_insert(block);
    }

    /// Blocks of this name, the latest first.
    pub fn all(&self, name: &str) -> impl Iterator<Item = u32> + '_ {
        let start = self.first.get(name).copied();
        std::iter::successors(start, |&at| {
            self.next.get(at as usize).copied().filter(|&n| n != NONE)
        })
    }

    /// A name similar to `wanted` among the blocks that `accept` allows.
    pub(crate) fn suggest(
        &self,
        wanted: &str,
        sources: &'s Sources,
        blocks: &[BlockEntry],
        accept: impl Fn(&BlockSchema) -> bool,
    ) -> Option<&'s str> {
        if blocks.len() > MANY_NAMES && wanted.len() > 64 {
            return None;
        }
        let named = blocks.iter().filter(|block| accept(block.schema));
        nearest(wanted, named.map(|block| sources.text(block.name)))
    }
}

/// How a reference may be written: `name` or `Keyword:name`, with or without quotes.
pub(crate) fn split_reference(text: &str) -> (Option<&str>, &str) {
    let (keyword, name) = match text.split_once(':') {
        Some((keyword, name)) => (Some(keyword), name),
        None => (None, text),
    };
    (keyword, name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).unwrap_or(name))
}

/// A path to a signal in its parts.
#[derive(Debug, PartialEq, Eq)]
pub struct SignalPath<'t> {
    /// The keyword of the block, if it is told.
    pub keyword: Option<&'t str>,
    /// The name of the element.
    pub element: &'t str,
    /// The name of the signal.
    pub signal: &'t str,
    /// From 1, as written; 1 if omitted.
    pub component: usize,
}

/// Splits `[Keyword:]element.signal[k]` at its last dot; `None` if there is no dot.
pub fn split_path(text: &str) -> Option<SignalPath<'_>> {
    let (path, component) = match text.strip_suffix(']').and_then(|text| text.rsplit_once('[')) {
        Some((path, index)) => (path, index.parse().ok()?),
        None => (text, 1),
    };
    let (owner, signal) = path.rsplit_once('.')?;
    let (keyword, element) = split_reference(owner);
    Some(SignalPath { keyword, element, signal, component })
}

/// The outcome of looking a reference up.
pub(crate) enum Found {
    /// This block.
    One(u32),
    /// Several fit.
    Several(Vec<u32>),
    /// None fits, but this block has the name.
    WrongKind(u32),
    /// No block has the name.
    Unknown,
}

/// Looks a reference up among the blocks that the target accepts.
pub(crate) fn find(
    index: &NameIndex<'_>,
    blocks: &[BlockEntry],
    keyword: Option<&str>,
    name: &str,
    accept: impl Fn(&BlockSchema) -> bool,
) -> Found {
    let of_keyword =
        |at: &u32| keyword.is_none_or(|keyword| blocks[*at as usize].schema.keyword == keyword);
    let named = || index.all(name).filter(of_keyword);
    let mut fitting = named().filter(|&at| accept(blocks[at as usize].schema));
    match (fitting.next(), fitting.next()) {
        (Some(one), None) => Found::One(one),
        (Some(_), Some(_)) => {
            let mut all: Vec<u32> =
                named().filter(|&at| accept(blocks[at as usize].schema)).collect();
            all.sort_unstable();
            Found::Several(all)
        }
        (None, _) => named().next().map_or(Found::Unknown, Found::WrongKind),
    }
}

/// Which blocks own signals.
pub(crate) fn has_signals(schema: &BlockSchema) -> bool {
    !matches!(
        schema.family,
        Family::Setting | Family::Parameters | Family::Include | Family::Formula
    ) && schema.all_signals().next().is_some()
}

impl Target {
    /// The reserved name `world` is a body.
    pub(crate) fn allows_world(self) -> bool {
        self == Target::Body
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_split_at_the_last_dot() {
        let path = split_path("Revolute:a.b.q[2]").unwrap();
        let expected =
            SignalPath { keyword: Some("Revolute"), element: "a.b", signal: "q", component: 2 };
        assert_eq!(path, expected);
        assert_eq!(split_path("\"a-b\".q").unwrap().element, "a-b");
        assert_eq!(split_path("q"), None);
    }

    #[test]
    fn blocks_of_one_name_are_all_found() {
        let mut index = NameIndex::with_capacity(3);
        index.add("a", true);
        index.add("b", true);
        index.add("a", true);
        index.add("a", false);
        assert_eq!(index.all("a").collect::<Vec<_>>(), [2, 0]);
        assert_eq!(index.all("c").count(), 0);
    }
}
