//! Sequential assignment of causality (Karnopp and Rosenberg): sources first, then storages as integrators, then resistors,
//! then the remaining bonds; after each choice all consequences are followed.
//!
//! A causal stroke stands at the end of a bond that the effort acts on. An element there receives the effort and
//! answers with a flow:
//!
//! - Se gives effort, so its stroke is at the far end; Sf gives flow, its stroke is at its own end;
//! - C integrates flow and gives effort (far end), I integrates effort and gives flow (own end);
//! - a transformer passes the stroke on, a gyrator turns it round;
//! - exactly one bond tells a 0-junction its effort, exactly one tells a 1-junction its flow: the strong bond.
//!
//! A choice is made only if it can be completed to a causality of the whole graph (`strong_bonds`), so no choice has
//! to be taken back, and as many storages as possible are integrators. A storage that cannot be one has differential
//! causality; the states that it depends on are found by `cause_tracing`. If sources contradict each other there is no
//! causality; then consequences are followed up to the first clash, which tells why.

use super::graph::{BondSide, ElementKind, Graph};
use super::strong_bonds::StrongBonds;

/// A choice, from which the positions of other strokes follow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Root {
    /// The element whose stroke was chosen.
    pub element: usize,
    /// The reason of the choice.
    pub cause: Cause,
}

/// The reason of the position of a stroke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// A source.
    Source,
    /// A storage that integrates.
    Integral,
    /// A storage that cannot integrate.
    Differential,
    /// A choice that could have been another: a resistor, or a bond between junctions.
    Choice,
}

/// A storage with its causality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Storage {
    /// The element.
    pub element: usize,
    /// True for integral causality, false for differential causality.
    pub is_integral: bool,
}

/// A place where no causality fits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// The element.
    pub at: usize,
    /// The elements whose causality led to the clash.
    pub because: Vec<usize>,
    /// True if too many bonds tell the element its effort or flow, false if too few.
    pub too_many: bool,
}

/// Causality of a whole graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assignment {
    /// The end of each bond with the stroke; none after a clash.
    pub strokes: Vec<Option<BondSide>>,
    /// The choice that led to each stroke.
    pub roots: Vec<Option<Root>>,
    /// The bond that tells each junction its effort (0) or flow (1).
    strong: Vec<Option<usize>>,
    /// All storages in the order of the text.
    pub storages: Vec<Storage>,
    /// The first contradiction.
    pub clash: Option<Clash>,
}

/// Assigns causality.
pub fn assign(graph: &Graph) -> Assignment {
    let count = graph.bonds.len();
    let mut search = CausalitySearch {
        graph,
        whole: StrongBonds::find(graph),
        strokes: vec![None; count],
        roots: vec![None; count],
        told: vec![0; graph.elements.len()],
        known: vec![0; graph.elements.len()],
        trail: Vec::new(),
        queue: Vec::new(),
        root: Root { element: 0, cause: Cause::Source },
    };
    let clash = search.run().err();
    let storages = graph.elements.iter().enumerate().filter(|(_, e)| e.kind.is_storage());
    let storages = storages
        .filter_map(|(element, e)| {
            let here = search.stroke_is_here(element, *e.bonds.first()?)?;
            Some(Storage { element, is_integral: here == (e.kind == ElementKind::I) })
        })
        .collect();
    let strong = (0..graph.elements.len()).map(|junction| search.strong_bond(junction)).collect();
    Assignment { strokes: search.strokes, roots: search.roots, strong, storages, clash }
}

impl Assignment {
    /// No causality, for graphs in words.
    pub fn none(graph: &Graph) -> Self {
        let bonds = graph.bonds.len();
        let (strokes, roots) = (vec![None; bonds], vec![None; bonds]);
        Self { strokes, roots, strong: vec![None; graph.elements.len()], ..Self::default() }
    }

    /// Whether the effort of a bond acts on this element.
    pub fn is_told_effort(&self, graph: &Graph, element: usize, bond: usize) -> Option<bool> {
        self.strokes[bond].map(|stroke| stroke == graph.bonds[bond].side(element))
    }

    /// The bond that tells a junction its effort (0) or flow (1).
    pub fn strong_bond(&self, junction: usize) -> Option<usize> {
        self.strong[junction]
    }

    /// Whether this bond is the strong bond of a junction.
    pub fn is_strong(&self, graph: &Graph, bond: usize) -> bool {
        let own = &graph.bonds[bond];
        [own.from, own.to].into_iter().any(|end| self.strong[end] == Some(bond))
    }
}

struct CausalitySearch<'g> {
    graph: &'g Graph,
    /// A causality of the whole graph; none if there is a contradiction.
    whole: Option<StrongBonds>,
    strokes: Vec<Option<BondSide>>,
    roots: Vec<Option<Root>>,
    /// For each element, the number of its bonds with the stroke at the element, and the number of its bonds with a stroke.
    told: Vec<u32>,
    known: Vec<u32>,
    /// Bonds in the order in which they got their strokes, to take choices back.
    trail: Vec<usize>,
    /// Elements to be examined again.
    queue: Vec<usize>,
    /// The choice that is being followed.
    root: Root,
}

impl CausalitySearch<'_> {
    fn run(&mut self) -> Result<(), Clash> {
        let of = |wanted: fn(ElementKind) -> bool| -> Vec<usize> {
            let elements = self.graph.elements.iter().enumerate();
            elements.filter(|(_, e)| wanted(e.kind)).map(|(index, _)| index).collect()
        };
        let sources = of(|kind| matches!(kind, ElementKind::Se | ElementKind::Sf));
        let storages = of(ElementKind::is_storage);
        let resistors = of(|kind| kind == ElementKind::R);
        // Sources have no choice: Sf has the stroke at its own end, Se at the far end.
        for source in sources {
            let here = self.graph.elements[source].kind == ElementKind::Sf;
            self.choose(source, here, Cause::Source)?;
        }
        // Storages prefer integral causality; differential causality is the second choice.
        for storage in storages {
            let here = self.graph.elements[storage].kind == ElementKind::I;
            self.prefer(storage, here, [Cause::Integral, Cause::Differential])?;
        }
        for resistor in resistors {
            // e = R f and e = e(f) want to be told the flow.
            self.prefer(resistor, false, [Cause::Choice; 2])?;
        }
        // Bonds between junctions that are still free.
        for bond in 0..self.graph.bonds.len() {
            if self.strokes[bond].is_none() {
                let (element, here) = (self.graph.bonds[bond].to, true);
                self.prefer_at(element, bond, here, [Cause::Choice; 2])?;
            }
        }
        Ok(())
    }

    fn stroke_is_here(&self, element: usize, bond: usize) -> Option<bool> {
        self.strokes[bond].map(|stroke| stroke == self.graph.bonds[bond].side(element))
    }

    /// The only bond of an element gets its stroke here or at the far end.
    fn choose(&mut self, element: usize, here: bool, cause: Cause) -> Result<(), Clash> {
        let Some(&bond) = self.graph.elements[element].bonds.first() else { return Ok(()) };
        self.root = Root { element, cause };
        match self.stroke_is_here(element, bond) {
            Some(known) if known == here => Ok(()),
            Some(_) => Err(self.clash(element, &[bond], true)),
            None => {
                self.set(element, bond, here);
                self.follow()
            }
        }
    }

    /// The only bond of an element gets its stroke at the preferred end, or at the other end after a contradiction.
    fn prefer(&mut self, element: usize, here: bool, causes: [Cause; 2]) -> Result<(), Clash> {
        let Some(&bond) = self.graph.elements[element].bonds.first() else { return Ok(()) };
        self.prefer_at(element, bond, here, causes)
    }

    /// Takes the preferred stroke if it can be completed, or else the other, and follows the consequences.
    fn prefer_at(
        &mut self,
        element: usize,
        bond: usize,
        here: bool,
        causes: [Cause; 2],
    ) -> Result<(), Clash> {
        if self.strokes[bond].is_some() {
            return Ok(());
        }
        let stroke = self.stroke(element, bond, here);
        let can_be = self.whole.as_mut().map(|whole| whole.demand(bond, stroke));
        let start = self.trail.len();
        if can_be != Some(false) {
            self.root = Root { element, cause: causes[0] };
            self.set(element, bond, here);
            let found = self.follow();
            if found.is_ok() || can_be.is_some() {
                return found;
            }
            // There is a clash somewhere in any case: the other end may show it at a better place.
            self.undo(start);
        }
        self.root = Root { element, cause: causes[1] };
        self.set(element, bond, !here);
        self.follow()
    }

    /// The side with the stroke that is at an element, or not.
    fn stroke(&self, element: usize, bond: usize, here: bool) -> BondSide {
        let end = self.graph.bonds[bond].side(element);
        if here { end } else { end.opposite() }
    }

    /// Takes back all strokes since a point of the trail.
    fn undo(&mut self, start: usize) {
        self.queue.clear();
        for bond in self.trail.split_off(start) {
            self.count(bond, u32::wrapping_sub);
            self.strokes[bond] = None;
            self.roots[bond] = None;
        }
    }

    fn set(&mut self, element: usize, bond: usize, here: bool) {
        let own = &self.graph.bonds[bond];
        let stroke = self.stroke(element, bond, here);
        self.strokes[bond] = Some(stroke);
        // Follows from the strokes before, so that it is so in every causality that is left.
        if let Some(whole) = &mut self.whole {
            whole.demand(bond, stroke);
        }
        self.roots[bond] = Some(self.root);
        self.count(bond, u32::wrapping_add);
        self.trail.push(bond);
        self.queue.extend([own.to, own.from]);
    }

    /// Adds a bond to the counters of its ends, or subtracts it.
    fn count(&mut self, bond: usize, change: fn(u32, u32) -> u32) {
        let own = &self.graph.bonds[bond];
        for (element, end) in [(own.from, BondSide::From), (own.to, BondSide::To)] {
            self.known[element] = change(self.known[element], 1);
            if self.strokes[bond] == Some(end) {
                self.told[element] = change(self.told[element], 1);
            }
        }
    }

    fn strong_bond(&self, junction: usize) -> Option<usize> {
        let element = &self.graph.elements[junction];
        let wanted = element.kind == ElementKind::Zero;
        let mut bonds = element.bonds.iter().copied().filter(|_| element.kind.is_junction());
        bonds.find(|&bond| self.stroke_is_here(junction, bond) == Some(wanted))
    }

    /// Follows all consequences of the strokes so far.
    fn follow(&mut self) -> Result<(), Clash> {
        while let Some(element) = self.queue.pop() {
            self.look_at(element)?;
        }
        Ok(())
    }

    /// The consequences at one element.
    fn look_at(&mut self, element: usize) -> Result<(), Clash> {
        let graph = self.graph;
        let own = &graph.elements[element];
        match (own.kind, &own.bonds[..]) {
            (ElementKind::Se | ElementKind::Sf, bonds) => {
                let wanted = own.kind == ElementKind::Sf;
                let wrong = |&&bond: &&usize| self.stroke_is_here(element, bond) == Some(!wanted);
                match bonds.iter().find(wrong) {
                    Some(&bond) => Err(self.clash(element, &[bond], true)),
                    None => Ok(()),
                }
            }
            (ElementKind::Transformer | ElementKind::Gyrator, &[a, b]) => {
                let turns = own.kind == ElementKind::Gyrator;
                match (self.stroke_is_here(element, a), self.stroke_is_here(element, b)) {
                    (Some(here), None) => self.set(element, b, here == turns),
                    (None, Some(here)) => self.set(element, a, here == turns),
                    (Some(one), Some(two)) if (one == two) != turns => {
                        return Err(self.clash(element, &[a, b], true));
                    }
                    _ => {}
                }
                Ok(())
            }
            (ElementKind::Zero, bonds) => self.look_at_junction(element, bonds, true),
            (ElementKind::One, bonds) => self.look_at_junction(element, bonds, false),
            _ => Ok(()),
        }
    }

    /// Exactly one bond has its stroke at a 0-junction (`strong`), exactly one away from a 1-junction.
    fn look_at_junction(
        &mut self,
        element: usize,
        bonds: &[usize],
        strong: bool,
    ) -> Result<(), Clash> {
        // Counters save a search through all bonds of a junction for each bond.
        let (told, known) = (self.told[element] as usize, self.known[element] as usize);
        let telling = if strong { told } else { known - told };
        let open = bonds.len() - known;
        let is_open = |search: &Self, bond: &usize| search.strokes[*bond].is_none();
        match (telling, open) {
            (1, 0) => {}
            // The network behind a node may tell the junction.
            (0, _) if self.graph.elements[element].open => {}
            (0, 0) => return Err(self.clash(element, bonds, false)),
            (0, 1) => {
                if let Some(&last) = bonds.iter().find(|bond| is_open(self, bond)) {
                    self.set(element, last, strong);
                }
            }
            (0, _) => {}
            (1, _) => {
                for &bond in bonds {
                    if is_open(self, &bond) {
                        self.set(element, bond, !strong);
                    }
                }
            }
            (_, _) => {
                let tells = |&bond: &usize| self.stroke_is_here(element, bond) == Some(strong);
                let telling: Vec<usize> = bonds.iter().copied().filter(tells).collect();
                return Err(self.clash(element, &telling, true));
            }
        }
        Ok(())
    }

    fn clash(&self, at: usize, bonds: &[usize], too_many: bool) -> Clash {
        let mut because: Vec<usize> =
            bonds.iter().filter_map(|&bond| Some(self.roots[bond]?.element)).collect();
        if matches!(self.graph.elements[at].kind, ElementKind::Se | ElementKind::Sf) {
            because.push(at);
        }
        because.sort_unstable();
        because.dedup();
        Clash { at, because, too_many }
    }
}
