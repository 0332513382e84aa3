//! The menu on the right mouse button, made from the table of commands.

use egui::containers::menu::{SubMenuButton, menu_style};
use egui::{Align, Button, Context, Id, LayerId, Layout, Popup, PopupKind, Pos2, Ui};

use super::places::Places;
use crate::app::App;
use crate::commands::{COMMANDS, Command};

/// Shows the menu while it is open at `position`.
pub(super) fn show(
    context: &Context,
    app: &mut App,
    position: &mut Option<Pos2>,
    places: &mut Places,
) {
    let Some(at) = *position else { return };
    let mut open = true;
    let mut entries = Entries { app, places, chosen: None };
    Popup::new(Id::new("menu"), context.clone(), at, LayerId::background())
        .kind(PopupKind::Menu)
        .layout(Layout::top_down_justified(Align::Min))
        .style(menu_style)
        .open_bool(&mut open)
        .show(|ui| {
            ui.set_min_width(130.0);
            entries.level(ui, &[]);
            ui.separator();
            let (button, _) = SubMenuButton::new("     Information").ui(ui, information);
            entries.places.note("Information", button.rect);
        });
    let chosen = entries.chosen;
    if let Some(command) = chosen {
        app.execute(command);
    }
    if chosen.is_some() || !open {
        *position = None;
    }
}

/// What is needed to draw the entries, and what was chosen.
struct Entries<'a> {
    app: &'a App,
    places: &'a mut Places,
    chosen: Option<&'static Command>,
}

impl Entries<'_> {
    /// The entries of a submenu: first the commands in it, then the submenus below it.
    fn level(&mut self, ui: &mut Ui, path: &[&str]) {
        for command in COMMANDS.iter().filter(|command| command.menu == path && !path.is_empty()) {
            self.entry(ui, command);
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
            if inside.count() == 1 {
                self.entry(ui, command);
                continue;
            }
            let button = SubMenuButton::new(format!("     {name}"));
            let (button, _) = button.ui(ui, |ui| self.level(ui, &below));
            self.places.note(name, button.rect);
        }
    }

    /// One command: whether it is on, what it does, its key.
    fn entry(&mut self, ui: &mut Ui, command: &'static Command) {
        let mark = match command.is_on(self.app) {
            Some(true) => "\u{2714} ",
            _ => "     ",
        };
        let key = command.keys.first().map(ToString::to_string).unwrap_or_default();
        let button = Button::new(format!("{mark}{}", capital(command.text))).shortcut_text(key);
        let button = ui.add(button);
        self.places.note(command.id, button.rect);
        if button.clicked() {
            self.chosen = Some(command);
        }
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
