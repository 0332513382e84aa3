//! `dysim --list`: the blocks of the language.

use engine::model::reference;

use crate::exit::Exit;
use crate::terminal;

/// Prints the overview, or everything about one block.
pub fn run(block: Option<&str>) -> Exit {
    let Some(keyword) = block else { return terminal::print(&reference::overview()) };
    match reference::describe(keyword) {
        Ok(text) => terminal::print(&text),
        Err(near) => {
            let hint = near.map_or_else(
                || "`dysim --list` names all blocks".to_string(),
                |near| format!("did you mean `{near}`?"),
            );
            terminal::complain(&format!("there is no block `{keyword}`; {hint}"));
            Exit::Usage
        }
    }
}
