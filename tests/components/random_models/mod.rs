//! Random hierarchies of components with bases, Repeats, conditions, parts to be exchanged, files under a name, changes of values
//! inside, equations and events. Each runs as a flat text does that is worked out from the same data without the expansion,
//! and bit by bit as its own flat text does, also with other names, in another order and out of two files.

mod flat;
mod made;
mod text;

use dysim_tests::random::Random;
use engine::Model;

use crate::support::{flat_of, load};
use made::{Made, make};
use text::{Names, Style, write};

const SURROUNDINGS: &str = "Header \"h\" { ModelName = m; OutputType = none; }\n\
    System \"s\" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }\n\
    Solver \"v\" { Type = dynamic; Solver = derf; AbsErr = 1e-10; RelErr = 1e-8; Tstart = 0; Tend = 1; Tstep = 0.1; TstepMax = 0.1; TstepMin = 0; TstepIni = 1e-3; }\n\
    VoltageSource \"source\" { p = in; n = gnd; V = 5 + sin(3*t); }\n\
    Resistor \"entry\" { p = in; n = a; R = 0.5; }\n\
    Resistor \"load\" { p = a; n = gnd; R = 20; }\n";

/// Models with more blocks are left out.
const MOST_BLOCKS: usize = 60;

const PLAIN: Style = Style { names: Names::Plain, has_two_files: false, order: 0 };

/// The columns of a run.
struct Run {
    names: Vec<String>,
    columns: Vec<Vec<f64>>,
}

fn run(text: &str, signals: Option<&[String]>) -> Run {
    let model = Model::from_text("m.dys", text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let recording = model.run().unwrap_or_else(|error| panic!("{error}\n{text}"));
    let table = match signals {
        Some(names) => recording.signals(&names.iter().map(String::as_str).collect::<Vec<_>>()),
        None => recording.all(),
    };
    let table = table.unwrap_or_else(|error| panic!("{error}\n{text}"));
    let names = table.names().to_vec();
    let columns = names.iter().map(|name| table.column(name).expect("a column").to_vec()).collect();
    Run { names: names.iter().map(ToString::to_string).collect(), columns }
}

fn bits(run: &Run) -> Vec<Vec<u64>> {
    run.columns.iter().map(|column| column.iter().map(|x| x.to_bits()).collect()).collect()
}

/// The flat text that the expansion makes of a model in a style.
fn expanded(made: &Made, style: Style) -> (String, String) {
    let (main, library) = write(made, style);
    let mut files = vec![("m.dys", main.as_str())];
    files.extend(library.as_deref().map(|library| ("lib.dys", library)));
    let loaded = load(&files);
    (flat_of(&loaded), main)
}

/// Relative to the largest value of a column: the tolerance of a step, some hundred steps, and events.
const SAME: f64 = 1e-6;

fn compare(of_components: &str, plain: &flat::Flat, seed: u64) {
    let (made, reference) =
        (run(of_components, Some(&plain.signals)), run(&plain.text, Some(&plain.signals)));
    for ((name, a), b) in made.names.iter().zip(&made.columns).zip(&reference.columns) {
        assert_eq!(a.len(), b.len(), "rows of seed {seed}");
        let size = b.iter().fold(1e-3_f64, |size, x| size.max(x.abs()));
        for (row, (a, b)) in a.iter().zip(b).enumerate() {
            let is_same = (a - b).abs() <= SAME * size;
            assert!(
                is_same,
                "seed {seed}: {name}, row {row}: {a:e} instead of {b:e}\n{of_components}\n{}",
                plain.text
            );
        }
    }
}

fn check(seed: u64) -> bool {
    let made = make(&mut Random::new(seed));
    let plain = flat::flat(&made);
    if plain.blocks > MOST_BLOCKS {
        return false;
    }
    let (text, main) = expanded(&made, PLAIN);
    compare(&main, &plain, seed);
    let of_components = run(&main, None);
    let of_flat = run(&text, None);
    assert_eq!(bits(&of_components), bits(&of_flat), "seed {seed}: the flat text\n{main}\n{text}");
    for (number, names) in [Names::OfBlocks, Names::Dotted, Names::Plain].into_iter().enumerate() {
        let style = Style { names, has_two_files: number != 1, order: seed + number as u64 + 1 };
        let (text, main) = expanded(&made, style);
        let other = run(&text, None);
        assert_eq!(bits(&other), bits(&of_flat), "seed {seed}: {style:?}\n{main}\n{text}");
    }
    true
}

#[test]
fn random_models_run_as_their_flat_texts_do() {
    let seeds = match std::env::var("SEEDS") {
        Ok(range) => {
            let (from, to) = range.split_once("..").expect("SEEDS=from..to");
            from.parse::<u64>().expect("a number")..to.parse::<u64>().expect("a number")
        }
        Err(_) => 0..12,
    };
    let all = seeds.end - seeds.start;
    let checked = seeds.filter(|&seed| check(seed)).count() as u64;
    assert!(2 * checked > all, "{checked} of {all} models are small enough");
}
