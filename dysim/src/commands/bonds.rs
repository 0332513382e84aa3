//! `--bonds` and `--bonds-svg`: causality of a bond graph in words and as a drawing.

use std::path::Path;

use engine::internals::bondgraph::{self, Graph};
use engine::internals::drawing;
use engine::internals::model::Model;
use parser::exit::Exit;

use crate::arguments::Arguments;
use crate::terminal;

/// Larger graphs are not drawn: nobody could read them, and the time grows with the square of the number.
const MOST_DRAWN: usize = 2000;

/// Prints and draws what the command line asks for; `None` if that is neither.
pub fn run(arguments: &Arguments, model: &Model) -> Option<Exit> {
    if let Some(file) = &arguments.bonds_svg
        && let Err(exit) = draw(model, file, arguments.bonds_simplify)
    {
        return Some(exit);
    }
    match arguments.bonds {
        true => Some(terminal::print(&bondgraph::report(model))),
        false => arguments.bonds_svg.as_ref().map(|_| Exit::Done),
    }
}

/// Writes the drawing; `-` is standard output.
fn draw(model: &Model, file: &Path, simplified: bool) -> Result<(), Exit> {
    let mut graph = Graph::new(model);
    if graph.bonds.is_empty() {
        terminal::complain("there is nothing to draw: the model has no bonds");
        return Err(Exit::Model);
    }
    if simplified {
        graph = bondgraph::simplify(&graph).0;
    }
    if graph.elements.len() > MOST_DRAWN {
        terminal::complain(&format!(
            "the graph has {} elements; drawings are made of up to {MOST_DRAWN}",
            graph.elements.len()
        ));
        return Err(Exit::Model);
    }
    let text = drawing::svg(&graph, &model.name);
    if file == Path::new("-") {
        return match terminal::print(&text) {
            Exit::Done => Ok(()),
            exit => Err(exit),
        };
    }
    std::fs::write(file, text).map_err(|error| {
        terminal::complain(&format!("{} cannot be written: {error}", file.display()));
        Exit::Machine
    })
}
