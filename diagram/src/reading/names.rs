//! What names stand for: nodes, bodies, blocks, signals.

use language::element::{Family, Target};

use super::Reader;
use crate::flat_model::{Kind, Node, Place, Source};

/// Nodes whose potential is fixed.
const REFERENCES: [&str; 4] = ["gnd", "base", "tank", "ambient"];
/// A chain of ports has an end, but a broken text may go round.
const LONGEST_CHAIN: usize = 1000;

impl Reader<'_> {
    pub(super) fn node(&mut self, name: &str, kind: Kind) -> usize {
        let is_reference = REFERENCES.contains(&name);
        let key = if is_reference { format!("{name} {kind:?}") } else { name.to_string() };
        let nodes = &mut self.model.nodes;
        *self.nodes.entry(key).or_insert_with(|| {
            self.union.push(nodes.len());
            nodes.push(Node { name: name.into(), kind, is_reference, ends: 0 });
            nodes.len() - 1
        })
    }

    pub(super) fn representative(&self, mut node: usize) -> usize {
        while self.union[node] != node {
            node = self.union[node];
        }
        node
    }

    pub(super) fn known_node(&self, name: &str) -> Option<usize> {
        let index = self.nodes.get(name).copied().or_else(|| {
            let is_reference = REFERENCES.contains(&name);
            let mut all = self.model.nodes.iter();
            all.position(|node| is_reference && node.name == name)
        });
        index.map(|index| self.representative(index))
    }

    /// The nodes are one; the second one's name is kept.
    pub(super) fn union_of(&mut self, a: usize, b: usize) {
        let (a, b) = (self.representative(a), self.representative(b));
        self.union[a] = b;
    }

    /// The body that a name stands for: that of a body, a triad, a port of a triad, or of the world.
    pub(super) fn body_of(&self, name: &str) -> Option<Place> {
        let mut name = name;
        for _ in 0..LONGEST_CHAIN {
            if name == "world" {
                return Some(Place::World);
            }
            let bodies = self.names.get(name).into_iter().flatten();
            let mut bodies = bodies.filter(|&&e| self.blocks[e].1.family == Family::Body);
            match (self.triads.get(name), bodies.next()) {
                (Some(next), body) if *next != name => match body {
                    // A triad may have the name of its body.
                    Some(&body) if *next == self.model.elements[body].name => {
                        return Some(Place::Element(body));
                    }
                    _ => name = next,
                },
                (_, Some(&body)) => return Some(Place::Element(body)),
                _ => return None,
            }
        }
        None
    }

    /// The block that a reference names.
    pub(super) fn target(&self, name: &str, target: Target) -> Option<Place> {
        let name = name.rsplit(':').next().unwrap_or(name).trim_matches('"');
        match target {
            Target::Body => {
                let mut known = self.names.get(name).into_iter().flatten();
                let body = known.find(|&&e| self.blocks[e].1.family == Family::Body);
                return match body {
                    Some(&body) => Some(Place::Element(body)),
                    None => self.body_of(name),
                };
            }
            Target::Triad => return self.triads.get(name).and_then(|next| self.body_of(next)),
            _ => {}
        }
        let mut name = name;
        for _ in 0..LONGEST_CHAIN {
            let mut known = self.names.get(name).into_iter().flatten();
            if let Some(&found) = known.find(|&&e| target.accepts(self.blocks[e].1)) {
                return Some(Place::Element(found));
            }
            match self.bond_ports.get(name) {
                Some(next) => name = next,
                None => break,
            }
        }
        match target {
            Target::BondEnd(_) => self.known_node(name).map(Place::Node),
            _ => None,
        }
    }

    /// The block or node whose signal a path names.
    pub(super) fn source(&self, path: &str) -> Option<Source> {
        let (keyword, path) = match path.split_once(':') {
            Some((keyword, path)) => (Some(keyword), path),
            None => (None, path),
        };
        let path = path.replace('"', "");
        // The signal is what is left behind the longest name.
        let ends = std::iter::once(path.len()).chain(path.rmatch_indices(['.', '[']).map(|m| m.0));
        for end in ends {
            let name = &path[..end];
            let signal = path[end..].trim_start_matches('.').split('[').next().unwrap_or("");
            let known = self.names.get(name).into_iter().flatten().copied();
            let fits = |&element: &usize| {
                let schema = self.blocks[element].1;
                let named = keyword.is_none_or(|keyword| schema.keyword == keyword);
                let has = schema.family == Family::Plugin
                    || (schema.is_value() && (signal.is_empty() || end < path.len()))
                    || schema.all_signals().any(|known| known.name == signal)
                    || (schema.keyword == "Automaton" && !signal.is_empty());
                named && has
            };
            if let Some(element) = known.clone().find(fits) {
                return Some(Source::Element(element));
            }
            if signal.is_empty() {
                continue;
            }
            if self.triads.contains_key(name)
                && let Some(Place::Element(body)) = self.body_of(name)
            {
                return Some(Source::Element(body));
            }
            if let Some(node) = self.known_node(name) {
                return Some(Source::Node(node));
            }
        }
        None
    }
}
