//! Every block, parameter and default of the program is that of the specification, and the other way
//! round.

#![allow(clippy::panic, reason = "a test ends where something is not so")]

use std::collections::BTreeMap;

use dysim_tests::loading::{load_text, messages};
use dysim_tests::spec_defaults::{BLOCKS, FURTHER, SpecBlock};
use dysim_tests::spec_networks::NETWORKS;
use engine::LoadOptions;
use engine::internals::element::{BlockSchema, Origin, ParameterSchema};
use engine::internals::model::registry;

/// Name and default of each parameter: first the parameters of the manual, then all others, each in order.
type Parameters = [Vec<(String, String)>; 2];

fn of_spec(block: &SpecBlock) -> Parameters {
    [block.manual, block.beyond].map(|list| {
        let entries = list.split(';').map(str::trim).filter(|entry| !entry.is_empty());
        entries
            .map(|entry| {
                let (name, default) =
                    entry.split_once(" = ").unwrap_or_else(|| panic!("no default in `{entry}`"));
                (name.trim().to_string(), default.trim().to_string())
            })
            .collect()
    })
}

fn of_program(schema: &BlockSchema, parameters: &[&ParameterSchema]) -> Parameters {
    let specified = |p: &&&ParameterSchema| FURTHER.iter().all(|(name, _)| *name != p.name);
    [Origin::DySim, Origin::Plus].map(|origin| {
        let own = parameters.iter().filter(|p| p.origin == origin).filter(specified);
        own.map(|p| (p.name.to_string(), p.default_words(schema.coordinates))).collect()
    })
}

/// All blocks of the specification.
fn specified() -> impl Iterator<Item = &'static SpecBlock> {
    BLOCKS.iter().chain(NETWORKS)
}

/// All blocks of the program; a block with a type stands under `Keyword:Type`.
fn program() -> BTreeMap<String, (Origin, Parameters)> {
    let mut blocks = BTreeMap::new();
    for schema in registry::blocks() {
        let own: Vec<&ParameterSchema> = schema.own_parameters().collect();
        let parameters = of_program(schema, &own);
        blocks.insert(schema.keyword.to_string(), (schema.origin, parameters));
        for variant in schema.variants.map_or(&[][..], |variants| variants.choices) {
            let key = format!("{}:{}", schema.keyword, variant.word);
            let parameters = of_program(schema, &variant.parameters.iter().collect::<Vec<_>>());
            blocks.insert(key, (variant.origin, parameters));
        }
    }
    blocks
}

#[test]
fn every_block_has_the_parameters_and_defaults_of_the_specification() {
    let program = program();
    for block in specified() {
        let Some((origin, parameters)) = program.get(block.keyword) else {
            panic!("the program has no {}", block.keyword)
        };
        assert_eq!(*origin == Origin::DySim, block.in_manual, "{}", block.keyword);
        let [manual, mut beyond] = of_spec(block);
        let [own_manual, mut own_beyond] = parameters.clone();
        assert_eq!(own_manual, manual, "{}", block.keyword);
        // Beyond the manual no order is given.
        beyond.sort();
        own_beyond.sort();
        assert_eq!(own_beyond, beyond, "{}", block.keyword);
    }
}

#[test]
fn the_program_has_no_block_beyond_the_specification() {
    for keyword in program().keys() {
        assert!(specified().any(|block| block.keyword == keyword), "{keyword} is not specified");
    }
}

#[test]
fn further_parameters_are_still_there() {
    for (name, _) in FURTHER {
        let mut all = registry::blocks().flat_map(BlockSchema::all_parameters);
        assert!(all.any(|parameter| parameter.name == *name), "{name}");
    }
}

/// A model without any parameter that has a default reads to the defaults of the specification.
#[test]
fn an_empty_model_has_the_defaults() {
    let loaded = load_text("", &LoadOptions::default());
    let messages = messages(&loaded);
    let Some(model) = loaded.model else { panic!("{messages}") };
    assert_eq!(model.name, "model");
    assert_eq!(model.system.gravity, [0.0, 0.0, -9.8065]);
    assert_eq!(model.system.gravity_scale, 1.0);
    let solver = &model.solver;
    assert_eq!((solver.absolute_error, solver.relative_error), (1e-9, 1e-6));
    assert_eq!((solver.start, solver.end, solver.output_step), (0.0, 1.0, 0.01));
    assert_eq!((solver.largest_step, solver.smallest_step), (0.01, 0.0));
    assert_eq!(solver.first_step, 0.1 * 0.01);
}

/// `<Tstep>` as a default is the value of Tstep.
#[test]
fn defaults_follow_the_parameter_they_refer_to() {
    let text = "Parameters \"p\" { h = 0.5; }\nSolver \"s\" { Tstep = h/2; }";
    let loaded = load_text(text, &LoadOptions::default());
    let Some(model) = loaded.model else { panic!("no errors are in it") };
    assert_eq!(model.solver.output_step, 0.25);
    assert_eq!(model.solver.largest_step, 0.25);
    assert_eq!(model.solver.first_step, 0.1 * 0.25);
}

/// A missing (D) parameter of a (D) block is a warning with its default; (+) ones are silent.
#[test]
fn defaults_of_the_manual_are_warned_of() {
    let settings = "Header \"h\" { ModelName = m; OutputType = all; }\n\
                    System \"s\" { GravAccel = 0,0,0; }\nSolver \"sv\" { Tend = 2; }\n";
    let loaded = load_text(settings, &LoadOptions::default());
    let said = messages(&loaded);
    assert!(said.contains("System `s` takes defaults: ScaleGrav = 1\n"), "{said}");
    assert!(said.contains("Solver `sv` takes defaults: Type = dynamic; Solver = de; "), "{said}");
    assert!(!said.contains("Formalism") && !said.contains("Initial"), "{said}");
    assert_eq!((loaded.diagnostics.errors(), loaded.diagnostics.warnings()), (0, 2));
    let strict = load_text(settings, &LoadOptions { strict: true, ..LoadOptions::default() });
    assert_eq!((strict.diagnostics.errors(), strict.diagnostics.warnings()), (2, 0));
    assert!(strict.model.is_none());
}
