//! Causality of random graphs against all assignments of strokes, of which there are 2^bonds.

use dysim_tests::random::Random;
use engine::internals::bondgraph::{
    Assignment, Bond, BondSide, ElementKind, Graph, GraphElement, assign,
};

fn add(graph: &mut Graph, kind: ElementKind, open: bool) -> usize {
    graph.elements.push(GraphElement {
        kind,
        symbol: "x",
        name: graph.elements.len().to_string(),
        block: None,
        modulated: false,
        open,
        zero: false,
        named: true,
        value: None,
        bonds: Vec::new(),
    });
    graph.elements.len() - 1
}

fn bond(graph: &mut Graph, random: &mut Random, mut ends: [usize; 2]) {
    if random.below(2) == 0 {
        ends.reverse();
    }
    let own = graph.bonds.len();
    ends.iter().for_each(|&end| graph.elements[end].bonds.push(own));
    graph.bonds.push(Bond { name: own.to_string(), block: None, from: ends[0], to: ends[1] });
}

/// Joins two elements, at times over transformers and gyrators.
fn join(graph: &mut Graph, random: &mut Random, [from, to]: [usize; 2]) {
    let mut last = from;
    while random.below(3) == 0 {
        let kind = [ElementKind::Transformer, ElementKind::Gyrator][random.below(2)];
        let next = add(graph, kind, false);
        bond(graph, random, [last, next]);
        last = next;
    }
    bond(graph, random, [last, to]);
}

/// Junctions with random ways between them, and elements with one port.
fn random_graph(random: &mut Random) -> Graph {
    use ElementKind::{C, I, One, R, Se, Sf, Zero};
    let mut graph = Graph::default();
    let junctions = 1 + random.below(6);
    for _ in 0..junctions {
        let open = random.below(12) == 0;
        add(&mut graph, [Zero, One][random.below(2)], open);
    }
    for own in 1..junctions {
        let other = random.below(own);
        join(&mut graph, random, [other, own]);
    }
    for _ in 0..random.below(4) {
        let ends = [random.below(junctions), random.below(junctions)];
        if ends[0] != ends[1] {
            join(&mut graph, random, ends);
        }
    }
    for _ in 0..random.below(6) {
        let kind = [C, I, C, I, R, Se, Sf][random.below(7)];
        let own = add(&mut graph, kind, false);
        let junction = random.below(junctions);
        join(&mut graph, random, [junction, own]);
    }
    graph
}

/// Whether the effort of a bond acts on an element, if the strokes are the bits of a number: 1 at the tip of the half arrow.
fn acts_on(graph: &Graph, strokes: usize, element: usize, bond: usize) -> bool {
    (strokes >> bond & 1 == 1) == (graph.bonds[bond].to == element)
}

/// Whether strokes follow the rules of all elements.
fn is_causal(graph: &Graph, strokes: usize) -> bool {
    graph.elements.iter().enumerate().all(|(index, own)| {
        let efforts =
            own.bonds.iter().filter(|&&bond| acts_on(graph, strokes, index, bond)).count();
        let flows = own.bonds.len() - efforts;
        match own.kind {
            ElementKind::Se => efforts == 0,
            ElementKind::Sf => efforts == 1,
            ElementKind::Transformer => efforts == 1,
            ElementKind::Gyrator => efforts != 1,
            ElementKind::Zero => efforts == 1 || own.open && efforts == 0,
            ElementKind::One => flows == 1 || own.open && flows == 0,
            _ => true,
        }
    })
}

/// For each storage, whether it integrates.
fn integrals(graph: &Graph, strokes: usize) -> Vec<bool> {
    let storages = graph.elements.iter().enumerate().filter(|(_, own)| own.kind.is_storage());
    let is_integral = |(index, own): (usize, &GraphElement)| {
        acts_on(graph, strokes, index, own.bonds[0]) == (own.kind == ElementKind::I)
    };
    storages.map(is_integral).collect()
}

fn bits(causes: &Assignment) -> usize {
    let at_tip = |(bond, stroke): (usize, &Option<BondSide>)| {
        usize::from(*stroke == Some(BondSide::To)) << bond
    };
    causes.strokes.iter().enumerate().map(at_tip).sum()
}

fn count(integrals: &[bool]) -> usize {
    integrals.iter().filter(|&&own| own).count()
}

#[test]
fn a_causality_is_found_if_there_is_one_and_has_as_many_states_as_possible() {
    let mut random = Random::new(20_26);
    let (mut causal, mut contradictory, mut dependent) = (0, 0, 0);
    while causal + contradictory < 6000 {
        let graph = random_graph(&mut random);
        // Junctions without bonds are another mistake.
        if graph.bonds.is_empty() || graph.bonds.len() > 13 {
            continue;
        }
        let all: Vec<Vec<bool>> = (0..1 << graph.bonds.len())
            .filter(|&strokes| is_causal(&graph, strokes))
            .map(|strokes| integrals(&graph, strokes))
            .collect();
        let causes = assign(&graph);
        assert_eq!(causes.clash.is_none(), !all.is_empty(), "{graph:#?}");
        let Some(most) = all.iter().map(|own| count(own)).max() else {
            contradictory += 1;
            continue;
        };
        causal += 1;
        assert!(causes.strokes.iter().all(Option::is_some), "{graph:#?}");
        assert!(is_causal(&graph, bits(&causes)), "{graph:#?}");
        let found = integrals(&graph, bits(&causes));
        assert_eq!(count(&found), most, "{graph:#?}");
        // Of several choices with as many states, the first storages of the text are integrators.
        assert_eq!(Some(&found), all.iter().max(), "{graph:#?}");
        dependent += usize::from(count(&found) < found.len());
    }
    assert!(
        causal > 1000 && contradictory > 1000 && dependent > 300,
        "{causal} {contradictory} {dependent}"
    );
}

#[test]
fn a_long_chain_is_quick() {
    // A ladder of 20 000 sections: each choice is looked up near its place, not in the whole graph.
    let mut random = Random::new(7);
    let mut graph = Graph::default();
    let source = add(&mut graph, ElementKind::Se, false);
    let mut last = source;
    for _ in 0..20_000 {
        let [one, zero] =
            [ElementKind::One, ElementKind::Zero].map(|kind| add(&mut graph, kind, false));
        let [inertia, compliance] =
            [ElementKind::I, ElementKind::C].map(|kind| add(&mut graph, kind, false));
        for ends in [[last, one], [one, inertia], [one, zero], [zero, compliance]] {
            bond(&mut graph, &mut random, ends);
        }
        last = zero;
    }
    let began = std::time::Instant::now();
    let causes = assign(&graph);
    assert!(causes.clash.is_none() && causes.storages.iter().all(|storage| storage.is_integral));
    // A second in a debug build; a search through the whole graph for each choice takes minutes.
    assert!(began.elapsed().as_secs() < 20, "{:?}", began.elapsed());
}
