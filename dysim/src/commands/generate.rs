//! Files for the shell and for `man`, made from the definition of the command line.

use clap_complete::Shell;
use parser::exit::Exit;

use crate::arguments;
use crate::terminal;

/// Prints a completion script.
pub fn completions(shell: Shell) -> Exit {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut arguments::definition(), "dysim", &mut script);
    terminal::print(&String::from_utf8_lossy(&script))
}

/// Prints the manual page.
pub fn man_page() -> Exit {
    let mut page = Vec::new();
    match clap_mangen::Man::new(arguments::definition()).render(&mut page) {
        Ok(()) => terminal::print(&String::from_utf8_lossy(&page)),
        Err(error) => {
            terminal::complain(&format!("cannot make the manual page: {error}"));
            Exit::Machine
        }
    }
}
