//! `dysim --list`: the blocks of the language and the plugins of the program.

use engine::internals::model::reference;
use engine::plugin::Plugins;
use parser::exit::Exit;

use crate::terminal;

/// Prints the overview, or everything about one block or plugin.
pub fn run(block: Option<&str>, plugins: Plugins) -> Exit {
    let Some(keyword) = block else { return terminal::print(&reference::overview(plugins)) };
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
