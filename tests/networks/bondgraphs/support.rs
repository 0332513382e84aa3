//! What the tests of bond graphs share.

use dysim_tests::examples::example;
use dysim_tests::simulate::{Outcome, Table, read, run};
use engine::internals::bondgraph::Graph;

/// The models of `models/bondgraphs/`.
pub const MODELS: [&str; 12] = [
    "car_drive_train",
    "dc_motor",
    "feed_drive",
    "feed_drive_elastic",
    "hydraulic_tank",
    "lever",
    "lever_mass",
    "motor_and_joint",
    "network",
    "one_mass_oscillator",
    "parallel_resonance",
    "series_resonance",
];

/// The text of one of them.
pub fn model(name: &str) -> String {
    example(&format!("bondgraphs/{name}"))
}

/// The graph of a text.
pub fn graph(text: &str) -> Graph {
    let loaded = read(text);
    let said: Vec<&str> = loaded.diagnostics.iter().map(|d| d.message.as_str()).collect();
    let Some(model) = loaded.model else { panic!("the model is wrong: {said:#?}") };
    Graph::new(&model)
}

/// The place of an element by its name.
pub fn element(graph: &Graph, name: &str) -> usize {
    let found = graph.elements.iter().position(|element| element.name == name);
    found.unwrap_or_else(|| panic!("no element {name}"))
}

/// A text with all signals in its table of results.
pub fn with_all_signals(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with("Output "));
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    format!(
        "{}\nOutput \"all\" {{ Files = csv; }}\n",
        text.replace("OutputType = none", "OutputType = all")
    )
}

/// Runs a text to its end.
pub fn solve(text: &str) -> Outcome {
    run(text).complete()
}

/// Settings in front of elements: derf with a relative tolerance of 1e-9 and an absolute one of 1e-12.
pub fn text(end: f64, step: f64, elements: &str) -> String {
    let setting = dysim_tests::circuits::Setting { solver: "derf", end, step, tolerance: 1e-9 };
    dysim_tests::circuits::text(setting, "", elements)
}

/// Largest difference of two columns over the largest value of the second.
pub fn gap((one, column): (&Table, &str), (two, other): (&Table, &str)) -> f64 {
    assert_eq!(one.rows.len(), two.rows.len());
    let (a, b) = (one.column(column), two.column(other));
    let size = b.iter().fold(f64::MIN_POSITIVE, |size, x| size.max(x.abs()));
    a.iter().zip(&b).fold(0.0f64, |worst, (a, b)| worst.max((a - b).abs())) / size
}
