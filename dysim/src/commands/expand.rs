//! `dysim expand`: the flat model that components, Repeats and conditions lead to, as a text.

use engine::plugin::Plugins;
use parser::exit::Exit;

use super::flat_model::{self, Trouble};
use super::store::store;
use crate::arguments::ExpandOptions;
use crate::terminal;

/// Prints the flat model, or what is wrong with the model.
pub fn run(options: &ExpandOptions, plugins: Plugins) -> Exit {
    flat_model::end(expand(options, plugins))
}

fn expand(options: &ExpandOptions, plugins: Plugins) -> Result<(), Trouble> {
    let loaded = flat_model::read(&options.model, &options.set, &options.library, plugins)?;
    let flat = loaded.flat.and_then(|index| loaded.sources.get(index));
    let text = flat.ok_or((String::new(), Exit::Model))?.text();
    let Some(path) = &options.output else {
        return match terminal::print(text) {
            Exit::Done => Ok(()),
            exit => Err((String::new(), exit)),
        };
    };
    store(path, text.as_bytes())
        .map_err(|error| (format!("cannot write `{}`: {error}", path.display()), Exit::Machine))
}
