//! `dysim --list`: the blocks of the language and the plugins of the program.

use std::path::Path;

use engine::LoadOptions;
use engine::internals::load::{ComponentTable, Disk, Input, load};
use engine::internals::model::reference;
use engine::plugin::Plugins;
use parser::exit::Exit;

use super::libraries;
use crate::arguments::Arguments;
use crate::terminal;

/// Prints the overview, or everything about one block or plugin, or about a component of a model.
pub fn run(arguments: &Arguments, plugins: Plugins) -> Exit {
    let block = arguments.list.as_ref().and_then(Option::as_deref);
    let components = match components(arguments, block, plugins) {
        Ok(components) => components,
        Err(exit) => return exit,
    };
    let Some(keyword) = block else {
        let mut text = reference::overview(plugins);
        for component in &components {
            text.push_str(&format!("  {:<22} {}\n", component.name, component.about));
        }
        return terminal::print(&text);
    };
    if let Some(component) = components.iter().find(|component| component.name == keyword) {
        return terminal::print(&component.describe());
    }
    match reference::describe(keyword, plugins) {
        Ok(text) => terminal::print(&text),
        Err(near) => {
            let hint = near.map_or_else(
                || "`dysim --list` names all blocks".to_string(),
                |near| format!("did you mean `{near}`?"),
            );
            terminal::complain(&format!("there is no block or plugin `{keyword}`; {hint}"));
            Exit::Usage
        }
    }
}

/// The components of the model of the command line; without a model, those of the shipped file that `file.Component` names.
fn components(
    arguments: &Arguments,
    block: Option<&str>,
    plugins: Plugins,
) -> Result<Vec<ComponentTable>, Exit> {
    let input = match (&arguments.model, block.and_then(|block| block.split_once('.'))) {
        (Some(model), _) => Input::File(Disk.model_path(Path::new(model))),
        (None, Some((file, _))) => {
            let text = format!("Include \"i\" {{ File = \"{file}.dys\"; As = {file}; }}");
            Input::Text { name: "<list>".into(), bytes: text.into_bytes() }
        }
        (None, None) => return Ok(Vec::new()),
    };
    let libraries = libraries::directories(&arguments.library);
    let options = LoadOptions { plugins, libraries, expands: true, ..LoadOptions::default() };
    match load(input, &options, &Disk) {
        Ok(loaded) => Ok(loaded.components),
        Err(error) => {
            terminal::complain(&error.to_string());
            Err(Exit::Machine)
        }
    }
}
