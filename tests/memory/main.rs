//! How much memory and work reading a model takes, counted by the allocator, not by a clock.

#![allow(clippy::unwrap_used, reason = "a helper of a test may fail like the test")]

use dysim_generated::counting::{Counting, Usage, usage_of};
use dysim_generated::{loading, models};
use engine::LoadOptions;
use engine::internals::load::Loaded;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn read(text: &str) -> Loaded {
    loading::load_text(text, &LoadOptions::default())
}

fn cost(text: &str) -> Usage {
    let (loaded, usage) = usage_of(|| read(text));
    drop(loaded);
    usage
}

/// One test only: the allocator counts for the whole program.
#[test]
fn memory_and_requests_grow_in_proportion_to_the_model() {
    let (small, large) = (10_000, 100_000);
    let loaded = read(&models::linkage(small));
    assert_eq!((loaded.diagnostics.errors(), loaded.diagnostics.warnings()), (0, 0));
    assert_eq!(loaded.model.unwrap().bodies.len(), small / models::BLOCKS_PER_LINK);

    // With the copy of the text. The bound is that of the specification.
    let usage = cost(&models::linkage(large));
    let per_block = usage.peak / large;
    assert!(per_block < 1500, "{per_block} bytes per block");
    let requests = usage.requests as f64 / large as f64;
    assert!(requests < 4.0, "{requests} requests per block");

    let extreme: [fn(usize) -> String; 8] = [
        models::chain,
        models::parameter_chain,
        models::long_list,
        models::long_sum,
        |n| models::repeated(n, "Boddy \"b#\" { Mass = 1; }"),
        |n| models::repeated(n, "Triad \"t#\" { Parent = b#; Positon = 0, 0, 0; }"),
        |n| models::repeated(n, "Triad \"t\" { Parent = world; Position = x#, 0, 0; }"),
        |n| models::repeated(n, "Triad \"t#\" { Parent = world Degrees = rad }"),
    ];
    for (index, generate) in extreme.into_iter().enumerate() {
        let (few, many) = (cost(&generate(small)), cost(&generate(large)));
        // Tables double as they grow, so that the last doubling may fall on either side.
        let ratio = many.peak as f64 / few.peak as f64;
        assert!(ratio < 2.0 * 10.0, "text {index}: {ratio} times the memory for 10 times the size");
        let ratio = many.requests as f64 / few.requests as f64;
        assert!(
            ratio < 1.2 * 10.0,
            "text {index}: {ratio} times the requests for 10 times the size"
        );
    }
}
