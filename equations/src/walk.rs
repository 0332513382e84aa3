//! Walks through expressions: they find variables and other leaves, and rewrite expressions with some nodes replaced.
//!
//! A walk leaves out every part that has nothing of the [`Contents`] it looks for. Its memory is a list by node, which serves
//! one walk after the other without being cleared.

use crate::expr::{Arena, Contents, ExprId, Node, VarId};

impl Arena {
    /// Rebuilds an expression from its leaves up; `replace` may replace any node that has one of the contents `what`. `done`
    /// remembers the nodes that are rewritten.
    pub fn rewrite(
        &mut self,
        root: ExprId,
        what: Contents,
        done: &mut Images,
        mut replace: impl FnMut(&mut Self, ExprId) -> Option<ExprId>,
    ) -> ExprId {
        if !self.has(root, what) {
            return root;
        }
        let mut stack = std::mem::take(&mut done.stack);
        stack.push(root);
        while let Some(&id) = stack.last() {
            if done.get(id).is_some() {
                stack.pop();
                continue;
            }
            if let Some(other) = replace(self, id) {
                // The replacement of a node may have to be rewritten too.
                let end = if self.has(other, what) { done.get(other) } else { Some(other) };
                match end {
                    Some(end) => {
                        done.insert(id, end);
                        stack.pop();
                    }
                    None if other == id => {
                        done.insert(id, id);
                        stack.pop();
                    }
                    None => stack.push(other),
                }
                continue;
            }
            let (operands, count) = self.operands(id);
            let waiting = stack.len();
            let is_open = |id: &&ExprId| self.has(**id, what) && done.get(**id).is_none();
            stack.extend(operands[..count].iter().filter(is_open));
            if stack.len() > waiting {
                continue;
            }
            let new = operands.map(|operand| done.get(operand).unwrap_or(operand));
            let changed = (0..count).any(|k| new[k] != operands[k]);
            let result = if changed { self.with_operands(id, new) } else { id };
            done.insert(id, result);
            stack.pop();
        }
        done.stack = stack;
        done.get(root).unwrap_or(root)
    }

    /// Calls `visit` with every variable of an expression, each as often as it is met first.
    pub fn variables(&self, root: ExprId, marks: &mut Marks, mut visit: impl FnMut(VarId)) {
        self.visit(root, Contents::VARIABLES, marks, |node| {
            if let Node::Variable(variable) = node {
                visit(variable);
            }
        });
    }

    /// Calls `visit` once with every node of an expression that has one of the contents `what`.
    pub fn visit(
        &self,
        root: ExprId,
        what: Contents,
        marks: &mut Marks,
        mut visit: impl FnMut(Node),
    ) {
        if !self.has(root, what) {
            return;
        }
        marks.start(self.len());
        let mut stack = std::mem::take(&mut marks.stack);
        stack.push(root);
        while let Some(id) = stack.pop() {
            if !marks.mark(id) {
                continue;
            }
            visit(self.node(id));
            let (operands, count) = self.operands(id);
            stack.extend(operands[..count].iter().filter(|id| self.has(**id, what)));
        }
        marks.stack = stack;
    }

    /// Does an expression use a number from outside whose derivative nobody knows?
    pub fn has_input(&self, root: ExprId, marks: &mut Marks) -> bool {
        let mut found = false;
        self.visit(root, Contents::INPUTS, marks, |node| {
            if let Node::Input(input) = node {
                found |= self.without_rate.binary_search(&input).is_ok();
            }
        });
        found
    }
}

/// The nodes that a walk has met. A new walk begins by counting a round further, which costs nothing.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    round: u32,
    marks: Vec<u32>,
    stack: Vec<ExprId>,
}

impl Marks {
    fn start(&mut self, len: usize) {
        self.round += 1;
        self.marks.resize(len.max(self.marks.len()), 0);
    }

    /// Marks a node; true if the walk meets it for the first time.
    fn mark(&mut self, id: ExprId) -> bool {
        std::mem::replace(&mut self.marks[id.0 as usize], self.round) != self.round
    }
}

/// The memory of walks.
#[derive(Clone, Debug, Default)]
pub struct Walks {
    /// Nodes that were met.
    pub marks: Marks,
    /// The images of nodes that were rewritten.
    pub images: Images,
}

/// The images of nodes under a rewriting. A new one begins by counting a round further, which costs nothing.
#[derive(Clone, Debug)]
pub struct Images {
    round: u32,
    /// For each node the round in which its image was found, and the image.
    images: Vec<(u32, ExprId)>,
    /// Nodes that a walk still has to visit.
    pub stack: Vec<ExprId>,
}

impl Default for Images {
    fn default() -> Self {
        Self { round: 1, images: Vec::new(), stack: Vec::new() }
    }
}

impl Images {
    /// Forgets everything.
    pub fn start(&mut self) -> &mut Self {
        self.round += 1;
        self
    }

    /// The image of a node, if it is known.
    pub fn get(&self, id: ExprId) -> Option<ExprId> {
        self.images.get(id.0 as usize).filter(|(round, _)| *round == self.round).map(|(_, to)| *to)
    }

    /// Remembers the image of a node.
    pub fn insert(&mut self, id: ExprId, to: ExprId) {
        let place = id.0 as usize;
        if place >= self.images.len() {
            self.images.resize(place + 1, (0, id));
        }
        self.images[place] = (self.round, to);
    }
}
