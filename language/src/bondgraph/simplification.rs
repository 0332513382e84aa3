//! Rules that make a bond graph smaller and leave its equations as they are:
//!
//! 1. a junction of zero effort or zero flow goes, with all of its bonds, where the neighbours are junctions of
//!    the other kind, which lose a term that is zero;
//! 2. a junction with one bond in and one out is equal to a single bond;
//! 3. two junctions of the same kind with a bond between them are one junction.

use super::graph::{ElementKind, Graph};

/// A rule that was applied.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simplification {
    /// Description of the simplification, in words.
    pub words: String,
}

/// A rule at an element or bond: changes the graph and describes the change, if the rule fits.
type Rule = fn(&mut Work, usize) -> Option<String>;

/// Applies the rules until none fits any more.
pub fn simplify(graph: &Graph) -> (Graph, Vec<Simplification>) {
    let mut work = Work {
        graph: graph.clone(),
        elements: vec![true; graph.elements.len()],
        bonds: vec![true; graph.bonds.len()],
    };
    let mut steps = Vec::new();
    let (elements, bonds) = (graph.elements.len(), graph.bonds.len());
    let rules: [(Rule, usize); 4] = [
        (Work::ground, elements),
        (Work::drop_zero_bond, elements),
        (Work::straighten, elements),
        (Work::merge, bonds),
    ];
    loop {
        let before = steps.len();
        for (rule, count) in rules {
            let words = (0..count).filter_map(|place| rule(&mut work, place));
            steps.extend(words.map(|words| Simplification { words }));
        }
        if steps.len() == before {
            return (work.finish(), steps);
        }
    }
}

/// The graph without junctions that are fixed, with all of their bonds.
pub(super) fn without_ground(graph: &Graph) -> Graph {
    let mut work = Work {
        graph: graph.clone(),
        elements: vec![true; graph.elements.len()],
        bonds: vec![true; graph.bonds.len()],
    };
    for (source, own) in graph.elements.iter().enumerate() {
        let [bond] = own.bonds[..] else { continue };
        let junction = graph.bonds[bond].other(source);
        if own.block.is_some()
            || !own.name.is_empty()
            || !graph.elements[junction].kind.is_junction()
        {
            continue;
        }
        graph.elements[junction].bonds.iter().for_each(|&bond| work.cut(bond));
        work.elements[source] = false;
        work.elements[junction] = false;
    }
    work.finish()
}

struct Work {
    graph: Graph,
    /// True for each element, and for each bond, that is left.
    elements: Vec<bool>,
    bonds: Vec<bool>,
}

impl Work {
    fn cut(&mut self, bond: usize) {
        self.bonds[bond] = false;
        let (from, to) = (self.graph.bonds[bond].from, self.graph.bonds[bond].to);
        for end in [from, to] {
            self.graph.elements[end].bonds.retain(|&other| other != bond);
        }
    }

    fn is_junction(&self, element: usize) -> bool {
        let own = &self.graph.elements[element];
        own.kind.is_junction() && !own.open
    }

    /// Whether the junction has this kind and keeps a second bond after losing one.
    fn can_lose(&self, element: usize, kind: ElementKind) -> bool {
        let own = &self.graph.elements[element];
        // A box without a bond has nothing there.
        own.kind == ElementKind::Box || own.kind == kind && (own.open || own.bonds.len() > 2)
    }

    /// Rule 1: a junction that a source of zero effort or flow holds at zero.
    fn ground(&mut self, source: usize) -> Option<String> {
        let own = &self.graph.elements[source];
        let [bond] = own.bonds[..] else { return None };
        let junction = self.graph.bonds[bond].other(source);
        let (same, other) = match own.kind {
            ElementKind::Se => (ElementKind::Zero, ElementKind::One),
            _ => (ElementKind::One, ElementKind::Zero),
        };
        let mut neighbours: Vec<usize> = self.graph.elements[junction]
            .bonds
            .iter()
            .filter(|&&b| b != bond)
            .map(|&b| self.graph.bonds[b].other(junction))
            .collect();
        let count = neighbours.len();
        neighbours.sort_unstable();
        neighbours.dedup();
        let fits = own.zero
            && self.is_junction(junction)
            && self.graph.elements[junction].kind == same
            && neighbours.len() == count
            && neighbours.iter().all(|&neighbour| self.can_lose(neighbour, other));
        if !fits {
            return None;
        }
        let what =
            if self.graph.elements[source].kind == ElementKind::Se { "effort" } else { "flow" };
        let words = format!(
            "{} has no {what}: it goes with {} and all of its bonds",
            self.graph.words(junction),
            self.graph.words(source)
        );
        for bond in self.graph.elements[junction].bonds.clone() {
            self.cut(bond);
        }
        self.elements[source] = false;
        self.elements[junction] = false;
        Some(words)
    }

    /// Rule 1 for a single bond: a bond without flow at a 0-junction, or without effort at a 1-junction.
    fn drop_zero_bond(&mut self, source: usize) -> Option<String> {
        let own = &self.graph.elements[source];
        let [bond] = own.bonds[..] else { return None };
        let junction = self.graph.bonds[bond].other(source);
        let kind = if own.kind == ElementKind::Se { ElementKind::One } else { ElementKind::Zero };
        if !own.zero || !self.can_lose(junction, kind) {
            return None;
        }
        let what =
            if self.graph.elements[source].kind == ElementKind::Se { "effort" } else { "flow" };
        let words = format!(
            "Bond `{}` brings {} no {what}: it goes with {}",
            self.graph.bonds[bond].name,
            self.graph.words(junction),
            self.graph.words(source)
        );
        self.cut(bond);
        self.elements[source] = false;
        Some(words)
    }

    /// Rule 2: a junction with one bond in and one out.
    fn straighten(&mut self, junction: usize) -> Option<String> {
        let [a, b] = self.graph.elements[junction].bonds[..] else { return None };
        let enters = |bond: usize| self.graph.bonds[bond].to == junction;
        let (enter, start) = match (enters(a), enters(b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => return None,
        };
        let is_loop = self.graph.bonds[enter].from == self.graph.bonds[start].to;
        // What a signal measures stays.
        let is_measured = self.graph.information.iter().any(|[from, _]| *from == junction);
        if !self.is_junction(junction) || is_loop || is_measured {
            return None;
        }
        let words = format!(
            "{} has one bond in and one out: Bond `{}` takes the place of it and of Bond `{}`",
            self.graph.words(junction),
            self.graph.bonds[enter].name,
            self.graph.bonds[start].name
        );
        let to = self.graph.bonds[start].to;
        // At the neighbour the entering bond takes the place of the leaving bond.
        for bond in &mut self.graph.elements[to].bonds {
            if *bond == start {
                *bond = enter;
            }
        }
        self.graph.bonds[enter].to = to;
        self.bonds[start] = false;
        self.graph.elements[junction].bonds.clear();
        self.elements[junction] = false;
        Some(words)
    }

    /// Rule 3: two junctions of the same kind with one bond between them.
    fn merge(&mut self, bond: usize) -> Option<String> {
        let (a, b) = (self.graph.bonds[bond].from, self.graph.bonds[bond].to);
        let kind = |element: usize| self.graph.elements[element].kind;
        let between = |&&other: &&usize| self.graph.bonds[other].other(a) == b;
        let fits = self.bonds[bond]
            && self.is_junction(a)
            && self.is_junction(b)
            && kind(a) == kind(b)
            // The flow of a second bond between the junctions would be undetermined.
            && self.graph.elements[a].bonds.iter().filter(between).count() == 1;
        if !fits {
            return None;
        }
        let (from, to) = (self.graph.bonds[bond].from, self.graph.bonds[bond].to);
        // A name of the text stays.
        let rank = |end: usize| (!self.graph.elements[end].named, end);
        let (kept, gone) = if rank(from) < rank(to) { (from, to) } else { (to, from) };
        let words = format!(
            "{} and {} are one: the second goes with Bond `{}`",
            self.graph.words(kept),
            self.graph.words(gone),
            self.graph.bonds[bond].name
        );
        self.cut(bond);
        for bond in std::mem::take(&mut self.graph.elements[gone].bonds) {
            let own = &mut self.graph.bonds[bond];
            let end = if own.from == gone { &mut own.from } else { &mut own.to };
            *end = kept;
            self.graph.elements[kept].bonds.push(bond);
        }
        self.elements[gone] = false;
        for end in self.graph.information.iter_mut().flatten().filter(|end| **end == gone) {
            *end = kept;
        }
        Some(words)
    }

    /// The remaining graph, with new numbers.
    fn finish(self) -> Graph {
        let number = |left: &[bool]| -> Vec<usize> {
            let mut next = 0;
            let numbers = left.iter().map(|&left| {
                next += usize::from(left);
                next.wrapping_sub(1)
            });
            numbers.collect()
        };
        let (elements, bonds) = (number(&self.elements), number(&self.bonds));
        let Graph { elements: old, bonds: old_bonds, information } = self.graph;
        let mut graph = Graph::default();
        let left = |[from, to]: &[usize; 2]| self.elements[*from] && self.elements[*to];
        graph.information = information
            .into_iter()
            .filter(left)
            .map(|ends| ends.map(|element| elements[element]))
            .collect();
        for (_, mut element) in old.into_iter().enumerate().filter(|(k, _)| self.elements[*k]) {
            element.bonds.iter_mut().for_each(|bond| *bond = bonds[*bond]);
            graph.elements.push(element);
        }
        for (_, mut bond) in old_bonds.into_iter().enumerate().filter(|(k, _)| self.bonds[*k]) {
            (bond.from, bond.to) = (elements[bond.from], elements[bond.to]);
            graph.bonds.push(bond);
        }
        graph
    }
}
