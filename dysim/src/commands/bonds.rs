//! `--bonds`, `--bonds-svg` and `--bonds-dys`: the bond graph of a model in words, as a drawing and as a model.

use std::path::Path;

use engine::Model;
use engine::internals::bondgraph::{self, Graph};
use engine::internals::drawing;
use engine::internals::model as checked;
use parser::exit::Exit;

use super::simulate::wrong_model;
use crate::arguments::Arguments;
use crate::terminal;

/// Larger graphs are not drawn: nobody could read them, and the time grows with the square of the number.
const MOST_DRAWN: usize = 2000;

/// Prints and draws what the command line asks for; `None` if that is neither.
pub fn run(arguments: &Arguments, model: &Model) -> Option<Exit> {
    let checked = model.checked();
    if let Some(file) = &arguments.bonds_svg
        && let Err(exit) = draw(checked, file, arguments)
    {
        return Some(exit);
    }
    if let Some(file) = &arguments.bonds_dys {
        let written = match model.bond_graph(arguments.bonds_simplify) {
            Ok(exported) => write(file, &exported.text),
            Err(error) => return Some(wrong_model(&error, arguments.verbosity())),
        };
        if let Err(exit) = written {
            return Some(exit);
        }
    }
    let files = arguments.bonds_svg.as_ref().or(arguments.bonds_dys.as_ref());
    match arguments.bonds {
        true => Some(terminal::print(&bondgraph::report(checked))),
        false => files.map(|_| Exit::Done),
    }
}

/// Writes the drawing.
fn draw(model: &checked::Model, file: &Path, arguments: &Arguments) -> Result<(), Exit> {
    let mut graph = match arguments.bonds_words {
        true => bondgraph::in_words(model),
        false => Graph::whole(model),
    };
    if graph.bonds.is_empty() {
        terminal::complain("there is nothing to draw: the model has no networks and no bonds");
        return Err(Exit::Model);
    }
    if arguments.bonds_simplify {
        graph = bondgraph::simplify(&graph).0;
    }
    if graph.elements.len() > MOST_DRAWN {
        terminal::complain(&format!(
            "the graph has {} elements; drawings are made of up to {MOST_DRAWN}",
            graph.elements.len()
        ));
        return Err(Exit::Model);
    }
    write(file, &drawing::svg(&graph, &model.name))
}

/// Writes a file; `-` is standard output.
fn write(file: &Path, text: &str) -> Result<(), Exit> {
    if file == Path::new("-") {
        return match terminal::print(text) {
            Exit::Done => Ok(()),
            exit => Err(exit),
        };
    }
    std::fs::write(file, text).map_err(|error| {
        terminal::complain(&format!("{} cannot be written: {error}", file.display()));
        Exit::Machine
    })
}
