//! The menu on the right mouse button, made from the table of commands.

use egui::containers::menu::{SubMenuButton, menu_style};
use egui::{Align, Button, Context, Id, LayerId, Layout, Popup, PopupKind, Pos2, Ui};

use crate::app::App;
use crate::commands::{COMMANDS, Command};

/// Shows the menu while it is open at `position`.
pub(super) fn show(context: &Context, app: &mut App, position: &mut Option<Pos2>) {
    let Some(at) = *position else { return };
    let mut open = true;
    let mut chosen = None;
    Popup::new(Id::new("menu"), context.clone(), at, LayerId::background())
        .kind(PopupKind::Menu)
        .layout(Layout::top_down_justified(Align::Min))
        .style(menu_style)
        .open_bool(&mut open)
        .show(|ui| {
            ui.set_min_width(130.0);
            level(ui, app, &[], &mut chosen);
            ui.separator();
            SubMenuButton::new("     Information").ui(ui, information);
        });
    if let Some(command) = chosen {
        app.execute(command);
    }
    if chosen.is_some() || !open {
        *position = None;
    }
}

/// The entries of a submenu: first the commands in it, then the submenus below it.
fn level(ui: &mut Ui, app: &App, path: &[&str], chosen: &mut Option<&'static Command>) {
    for command in COMMANDS.iter().filter(|command| command.menu == path && !path.is_empty()) {
        entry(ui, app, command, chosen);
    }
    let mut shown: Vec<&str> = Vec::new();
    for command in COMMANDS {
        let Some(rest) = command.menu.strip_prefix(path) else { continue };
        let Some(&name) = rest.first() else { continue };
        if shown.contains(&name) {
            continue;
        }
        shown.push(name);
        let below: Vec<&str> = path.iter().copied().chain([name]).collect();
        let inside = COMMANDS.iter().filter(|other| other.menu.starts_with(&below));
        // A submenu of one entry is the entry itself.
        match inside.count() {
            1 => entry(ui, app, command, chosen),
            _ => {
                _ = SubMenuButton::new(format!("     {name}"))
                    .ui(ui, |ui| level(ui, app, &below, chosen))
            }
        }
    }
}

/// One command: whether it is on, what it does, its key.
fn entry(ui: &mut Ui, app: &App, command: &'static Command, chosen: &mut Option<&'static Command>) {
    let mark = match command.is_on(app) {
        Some(true) => "\u{2714} ",
        _ => "     ",
    };
    let key = command.keys.first().map(ToString::to_string).unwrap_or_default();
    let button = Button::new(format!("{mark}{}", capital(command.text))).shortcut_text(key);
    if ui.add(button).clicked() {
        *chosen = Some(command);
    }
}

/// Keys and mouse, to read.
fn information(ui: &mut Ui) {
    egui::Grid::new("information").num_columns(2).striped(true).show(ui, |ui| {
        for command in COMMANDS {
            let triggers = command.triggers();
            if triggers.is_empty() {
                continue;
            }
            ui.strong(triggers);
            ui.label(command.text);
            ui.end_row();
        }
    });
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_uppercase().to_string());
    first.unwrap_or_default() + chars.as_str()
}
