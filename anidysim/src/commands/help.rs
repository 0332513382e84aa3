//! Texts made from the table: for `-h` and for the manual.

use std::fmt::Write;

use super::{COMMANDS, Command};

/// Keys and mouse in two columns.
pub fn overview() -> String {
    let rows: Vec<(String, &str)> = COMMANDS
        .iter()
        .map(|command| (command.triggers(), command.text))
        .filter(|(triggers, _)| !triggers.is_empty())
        .collect();
    let width = rows.iter().map(|(triggers, _)| triggers.len()).max().unwrap_or(0);
    rows.iter().map(|(triggers, text)| format!("  {triggers:<width$}  {text}\n")).collect()
}

/// The tables of the manual: one for each submenu, then what only the mouse does.
pub fn manual_pages() -> String {
    let mut out = String::new();
    let mut menus: Vec<&[&str]> = Vec::new();
    for command in COMMANDS.iter().filter(|command| !command.menu.is_empty()) {
        if !menus.contains(&command.menu) {
            menus.push(command.menu);
        }
    }
    for menu in menus {
        let here = |command: &&Command| command.menu == menu;
        table(&mut out, &menu.join(" > "), COMMANDS.iter().filter(here));
    }
    table(&mut out, "Mouse only", COMMANDS.iter().filter(|command| command.menu.is_empty()));
    out
}

fn table<'a>(out: &mut String, title: &str, commands: impl Iterator<Item = &'a Command>) {
    // Writing to a string cannot fail.
    let _ = write!(out, "### {title}\n\n| key or mouse | what it does |\n|---|---|\n");
    for command in commands {
        let keys = command.keys.iter().map(|key| format!("`{key}`"));
        let gesture = command.gesture.map(|gesture| gesture.to_string());
        let triggers: Vec<String> = keys.chain(gesture).collect();
        let triggers = if triggers.is_empty() { "(menu)".into() } else { triggers.join(", ") };
        let _ = writeln!(out, "| {triggers} | {} |", command.text);
    }
    out.push('\n');
}
