//! Random netlists by the grammar of SPICE: none may panic, hang or bring a model that the loader refuses without naming a line of the
//! netlist.

use std::time::{Duration, Instant};

use dysim_tests::random::Random;
use engine::internals::load::{Disk, Input, LoadOptions, load};
use engine::internals::spice::import;
use parser::source::Sources;

const NODES: [&str; 8] = ["0", "1", "2", "a", "b", "out", "vdd", "n.1"];
const VALUES: [&str; 14] = [
    "1",
    "1k",
    "2.2u",
    "{p}",
    "'q*2'",
    "1meg",
    "-3m",
    "4k7",
    "{p*(q+1)}",
    "1e-9",
    "0",
    "{sq(p)}",
    "3.3.0",
    "1d3",
];
const WAVES: [&str; 8] = [
    "5",
    "dc 1 ac 1",
    "sin(0 1 1k)",
    "pulse(0 5 1u 1u 1u 5u 20u)",
    "pwl(0 0 1m 5) r=0",
    "exp(0 1 1u 2u 5u 3u)",
    "sffm(0 1 10k 2 1k)",
    "am(1 1 1k 10k)",
];
const EXPRESSIONS: [&str; 7] = [
    "v(a)*2",
    "{v(1,2)+i(v1)}",
    "v(a) > 1 ? v(b) : 0",
    "tanh(v(out))^2",
    "sq(v(1))",
    "pwl(v(a),0,0,1,1)",
    "time*1k",
];
const STATEMENTS: [&str; 16] = [
    ".options reltol=1e-4 gmin=1e-11",
    ".temp 50",
    ".ic v(a)=1",
    ".nodeset v(b)=2",
    ".global vdd",
    ".save v(a) i(v1)",
    ".print tran v(out)",
    ".four 1k v(a)",
    ".meas tran x max v(a)",
    ".title again",
    ".op",
    ".dc v1 0 5 0.1",
    ".control\nrun\nplot v(a)\n.endc",
    ".if (p > 1)\nr99 a 0 1k\n.else\nr99 a 0 2k\n.endif",
    ".param r5={p}",
    "* comment",
];

fn any<'a>(random: &mut Random, list: &[&'a str]) -> &'a str {
    list[random.below(list.len())]
}

/// One element of any kind.
fn element(random: &mut Random, number: usize) -> String {
    let mut node = || any(random, &NODES);
    let [a, b, c, d] = [node(), node(), node(), node()];
    let value = any(random, &VALUES);
    let expression = any(random, &EXPRESSIONS);
    match random.below(22) {
        0..3 => format!("r{number} {a} {b} {value}"),
        3 | 4 => format!("c{number} {a} {b} {value} ic=1"),
        5 => format!("l{number} {a} {b} {value}"),
        6 | 7 => format!("v{number} {a} {b} {}", any(random, &WAVES)),
        8 => format!("i{number} {a} {b} {}", any(random, &WAVES)),
        9 => format!("e{number} {a} {b} {c} {d} {value}"),
        10 => format!("g{number} {a} {b} poly(1) {c} {d} 0 {value} 1"),
        11 => format!("f{number} {a} {b} v1 {value}"),
        12 => format!("b{number} {a} {b} v={expression}"),
        13 => format!("b{number} {a} {b} i = {expression}"),
        14 => format!("d{number} {a} {b} dm {value}"),
        15 => format!("q{number} {a} {b} {c} qm"),
        16 => format!("m{number} {a} {b} {c} {d} mm w=10u l=1u"),
        17 => format!("j{number} {a} {b} {c} jm"),
        18 => format!("s{number} {a} {b} {c} {d} sm"),
        19 => format!("t{number} {a} {b} {c} {d} z0=50 td=1u"),
        20 => format!("x{number} {a} {b} part k={value}"),
        _ => format!("e{number} {a} {b} table {{{expression}}} = (0,0) (1,{value})"),
    }
}

fn netlist(seed: u64) -> String {
    let mut random = Random::new(seed);
    let mut text = String::from(
        "random\n.param p=2 q={p/3}\n.func sq(x) {x*x}\nv1 1 0 sin(0 1 1k)\n.model dm d\n.model qm npn\n\
         .model mm nmos\n.model jm njf\n.model sm sw(vt=1 vh=0.1)\n.subckt part x y k=1\nr1 x y {k}\nc1 y 0 1n\n.ends\n",
    );
    for number in 2..4 + random.below(14) {
        text.push_str(&element(&mut random, number));
        text.push('\n');
        if random.below(4) == 0 {
            text.push_str(any(&mut random, &STATEMENTS));
            text.push('\n');
        }
    }
    text.push_str(".tran 1u 100u\n.end\n");
    text
}

#[test]
fn random_netlists_are_translated_or_refused_at_their_lines() {
    for seed in 0..1500 {
        let text = netlist(seed);
        let bytes = text.clone().into_bytes();
        let input = Input::Text { name: "random.cir".into(), bytes };
        let options = LoadOptions { is_netlist: true, ..LoadOptions::default() };
        let loaded = load(input, &options, &Disk).unwrap();
        for told in loaded.diagnostics.iter() {
            let place = loaded.sources.written(told.primary.span);
            let name = loaded.sources.source_of(place).map(parser::source::Source::name);
            assert_eq!(name, Some("random.cir"), "seed {seed}: {}\n{text}", told.message);
        }
    }
}

/// What contains itself is refused at once, also where it would multiply.
#[test]
fn subcircuits_that_contain_themselves_are_refused_at_once() {
    let direct = "r\n.subckt s a b\nx1 a b s\nx2 a b s\n.ends\nx1 n 0 s\n.tran 1 10\n";
    let round = "r\n.subckt s a b\nx1 a b t\nx2 a b t\nx3 a b t\n.ends\n.subckt t a b\nx1 a b s\nx2 a b s\n.ends\nx1 n 0 s\n.tran 1 10\n";
    for text in [direct, round] {
        let start = Instant::now();
        let mut sources = Sources::default();
        let index = sources.add("itself.cir", text).unwrap();
        let imported = import(sources.get(index).unwrap());
        assert!(imported.diagnostics.errors() > 0);
        assert!(start.elapsed() < Duration::from_secs(1));
    }
}
