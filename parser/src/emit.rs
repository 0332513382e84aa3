//! Writes a text and its tree at the same time, for a model that is generated from other texts.
//!
//! What an expansion of components gives is a text like any other: it can be printed, and every span of its tree lies in
//! it. Parsing it again would cost as much as writing it, so that the tree is made along with the text. Each piece of
//! the text knows the place in a written text that it stands for.

use crate::diagnostic::{Label, SHOWN_INSTANCES};
use crate::origin::{Instance, JoinedPort, Origins, Piece};
use crate::source::{Sources, Span};
use crate::syntax::{
    Block, Document, Equation, Node, NodeId, NodeKind, Parameter, Run, Transition,
};

/// A text in the making, with its tree.
#[derive(Debug)]
pub struct Emitter {
    base: u32,
    text: String,
    document: Document,
    origins: Origins,
    /// Of the block that is being written.
    open: Option<OpenBlock>,
    /// Has the text become longer than spans can address?
    too_large: bool,
}

/// A block that is being written.
#[derive(Debug)]
struct OpenBlock {
    keyword: Span,
    name: Span,
    parameters: usize,
    equations: usize,
    transitions: usize,
    /// The section that is open inside of it: its keyword, and where its lines begin.
    section: Option<(Span, usize, usize)>,
    inner: usize,
}

/// A place to which an [`Emitter`] can go back.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    text: usize,
    nodes: usize,
    members: usize,
    pieces: usize,
}

/// A finished text: what [`Sources`] and the readers of trees need.
#[derive(Debug)]
pub struct Emitted {
    /// The text.
    pub text: String,
    /// Its tree.
    pub document: Document,
    /// Where its pieces come from.
    pub origins: Origins,
    /// The text is not complete, because it would be longer than spans can address.
    pub too_large: bool,
}

impl Emitter {
    /// An empty text that will stand behind these sources.
    pub fn behind(sources: &Sources) -> Self {
        Self {
            base: sources.next_base(),
            text: String::new(),
            document: Document::default(),
            origins: Origins::default(),
            open: None,
            too_large: false,
        }
    }

    /// Everything that was written.
    pub fn finish(self) -> Emitted {
        let Self { text, document, origins, too_large, .. } = self;
        Emitted { text, document, origins, too_large }
    }

    /// Is there no room for more?
    pub fn is_too_large(&self) -> bool {
        self.too_large
    }

    /// The number of blocks that are written.
    pub fn count(&self) -> usize {
        self.document.blocks.len()
    }

    /// The tree so far.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The text of a span of this text.
    pub fn text_of(&self, span: Span) -> &str {
        let at = |address: u32| address.saturating_sub(self.base) as usize;
        self.text.get(at(span.start)..at(span.end)).unwrap_or("")
    }

    /// The places of an instance and of those around it, with words about them.
    pub fn instance_labels(&self, innermost: Option<u32>) -> Vec<Label> {
        self.origins.around(innermost).take(SHOWN_INSTANCES).map(Label::of_instance).collect()
    }

    /// The written place that a place in this text stands for.
    pub fn written(&self, span: Span) -> Span {
        self.origins.written(span)
    }

    fn here(&self) -> u32 {
        self.base + self.text.len() as u32
    }

    /// Text between pieces, such as braces.
    fn plain(&mut self, text: &str) {
        let end = u64::from(self.base) + self.text.len() as u64 + text.len() as u64;
        if end > Sources::LIMIT {
            self.too_large = true;
        } else {
            self.text.push_str(text);
        }
    }

    /// Text that stands for a written place.
    pub fn piece(&mut self, text: &str, origin: Span) -> Span {
        let start = self.here();
        let goes_on = self.origins.pieces.last().is_some_and(|last| {
            start - last.start == last.origin.len() as u32
                && last.origin.end == origin.start
                && text.len() == origin.len()
        });
        if goes_on {
            if let Some(last) = self.origins.pieces.last_mut() {
                last.origin.end = origin.end;
            }
        } else {
            self.origins.pieces.push(Piece { start, origin });
        }
        self.plain(text);
        Span::new(start, self.here())
    }

    /// Where the next text will stand.
    pub fn place(&self) -> u32 {
        self.here()
    }

    /// A node of the tree.
    pub fn node(&mut self, span: Span, kind: NodeKind) -> NodeId {
        self.document.nodes.push(Node { span, kind });
        NodeId(self.document.nodes.len() as u32 - 1)
    }

    /// Members of a list or arguments of a call.
    pub fn run(&mut self, members: &[NodeId]) -> Run {
        let first = self.document.members.len() as u32;
        self.document.members.extend_from_slice(members);
        Run { first, count: members.len() as u32 }
    }

    /// The place to go back to.
    pub fn mark(&self) -> Mark {
        Mark {
            text: self.text.len(),
            nodes: self.document.nodes.len(),
            members: self.document.members.len(),
            pieces: self.origins.pieces.len(),
        }
    }

    /// Forgets what was written since the mark; no block may have been finished meanwhile.
    pub fn go_back(&mut self, mark: Mark) {
        self.text.truncate(mark.text);
        self.document.nodes.truncate(mark.nodes);
        self.document.members.truncate(mark.members);
        self.origins.pieces.truncate(mark.pieces);
        // The piece before the mark may have been continued behind it.
        if let Some(last) = self.origins.pieces.last_mut() {
            let longest = self.base + mark.text as u32 - last.start;
            last.origin.end = last
                .origin
                .end
                .min(last.origin.start.saturating_add(longest))
                .max(last.origin.start);
        }
    }

    /// Adds an instance, to which blocks may belong.
    pub fn instance(&mut self, instance: Instance) -> u32 {
        self.origins.instances.push(instance);
        self.origins.instances.len() as u32 - 1
    }

    /// Notes the ports of an instance.
    pub fn note_ports(&mut self, instance: u32, ports: Vec<JoinedPort>) {
        if let Some(instance) = self.origins.instances.get_mut(instance as usize) {
            instance.ports = ports.into();
        }
    }

    /// Begins a block of an instance: keyword and name, each with its written place.
    pub fn begin_block(
        &mut self,
        (keyword, keyword_origin): (&str, Span),
        (name, name_origin): (&str, Span),
        instance: Option<u32>,
    ) {
        let start = self.here();
        if self.origins.parts.last().map(|(_, last)| *last) != Some(instance) {
            self.origins.parts.push((start, instance));
        }
        let keyword = self.piece(keyword, keyword_origin);
        self.plain(" \"");
        let name = self.piece(name, name_origin);
        self.plain("\" {\n");
        self.open = Some(OpenBlock {
            keyword,
            name,
            parameters: self.document.parameters.len(),
            equations: self.document.equations.len(),
            transitions: self.document.transitions.len(),
            section: None,
            inner: self.document.inner.len(),
        });
    }

    /// Begins a line of a block.
    pub fn begin_line(&mut self) {
        let in_section = self.open.as_ref().is_some_and(|block| block.section.is_some());
        self.plain(if in_section { "        " } else { "    " });
    }

    /// ` = `
    pub fn equals_sign(&mut self) {
        self.plain(" = ");
    }

    /// `, ` between values
    pub fn comma(&mut self) {
        self.plain(", ");
    }

    /// The `{` of a list that stands for a written place; gives its place.
    pub fn list_start(&mut self, origin: Span) -> u32 {
        self.piece("{", origin).start
    }

    /// The `}` of a list that began at `start`.
    pub fn list_end(&mut self, start: u32, members: &[NodeId], origin: Span) -> NodeId {
        let end = self.piece("}", origin).end;
        let run = self.run(members);
        self.node(Span::new(start, end), NodeKind::List(run))
    }

    /// ` -> ` between the states of a transition.
    pub fn arrow(&mut self) {
        self.plain(" -> ");
    }

    /// ` : ` before the condition of a transition.
    pub fn colon(&mut self) {
        self.plain(" : ");
    }

    /// Ends a line as a parameter.
    pub fn end_parameter(&mut self, name: Span, values: &[NodeId]) {
        let first = values.first().map(|id| self.document.node(*id).span);
        let last = values.last().map(|id| self.document.node(*id).span);
        let value = first.zip(last).map_or(name.after(), |(first, last)| first.to(last));
        self.plain(";\n");
        let values = self.run(values);
        self.document.parameters.push(Parameter { name, value, values });
    }

    /// Ends a line as an equation.
    pub fn end_equation(&mut self, left: NodeId, right: NodeId) {
        let span = self.document.node(left).span.to(self.document.node(right).span);
        self.plain(";\n");
        self.document.equations.push(Equation { left, right, span });
    }

    /// Ends a line as a transition.
    pub fn end_transition(&mut self, from: Span, to: Span, condition: NodeId) {
        let span = from.to(self.document.node(condition).span);
        self.plain(";\n");
        self.document.transitions.push(Transition { from, to, condition, span });
    }

    /// Begins a section, such as the Set of a When.
    pub fn begin_section(&mut self, keyword: &str, origin: Span) {
        self.plain("    ");
        let keyword = self.piece(keyword, origin);
        self.plain(" {\n");
        let (equations, transitions) =
            (self.document.equations.len(), self.document.transitions.len());
        if let Some(open) = &mut self.open {
            open.section = Some((keyword, equations, transitions));
        }
    }

    /// Ends a section.
    pub fn end_section(&mut self) {
        self.plain("    }\n");
        let end = self.here();
        let section = self.open.as_mut().and_then(|open| open.section.take());
        let Some((keyword, equations, transitions)) = section else { return };
        let block = Block {
            keyword,
            name: keyword.after(),
            span: Span::new(keyword.start, end),
            damaged: false,
            parameters: Run::default(),
            inner: Run::default(),
            equations: since(equations, self.document.equations.len()),
            transitions: since(transitions, self.document.transitions.len()),
        };
        self.document.inner.push(block);
    }

    /// Ends a block. One that is damaged lacks parameters that could not be read.
    pub fn end_block(&mut self, damaged: bool) {
        self.plain("}\n");
        let end = self.here();
        let Some(open) = self.open.take() else { return };
        let has_sections = self.document.inner.len() > open.inner;
        let lines = |from, to| if has_sections { Run::default() } else { since(from, to) };
        let block = Block {
            keyword: open.keyword,
            name: open.name,
            span: Span::new(open.keyword.start, end),
            damaged,
            parameters: since(open.parameters, self.document.parameters.len()),
            inner: since(open.inner, self.document.inner.len()),
            equations: lines(open.equations, self.document.equations.len()),
            transitions: lines(open.transitions, self.document.transitions.len()),
        };
        self.document.blocks.push(block);
    }
}

/// The entries of a table from `first` up to `end`.
fn since(first: usize, end: usize) -> Run {
    Run { first: first as u32, count: end.saturating_sub(first) as u32 }
}
