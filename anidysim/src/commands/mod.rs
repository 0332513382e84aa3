//! Everything that can be done, in ONE table: [`COMMANDS`]. Keys, mouse, menu, `-h` and the manual are made from it.

mod help;
mod table;

use std::fmt;

pub use help::{manual_pages, overview};
pub use table::COMMANDS;

use crate::app::App;

/// A key, by what it types or by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character, with the case and whatever else it takes to type it.
    Char(char),
    /// F1 to F12.
    Function(u8),
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// The arrow up.
    Up,
    /// The arrow down.
    Down,
    /// The beginning.
    Home,
    /// The end.
    End,
    /// ESC.
    Escape,
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Char(' ') => f.write_str("space"),
            Self::Char(char) => write!(f, "{char}"),
            Self::Function(number) => write!(f, "F{number}"),
            Self::Left => f.write_str("left arrow"),
            Self::Right => f.write_str("right arrow"),
            Self::Up => f.write_str("up arrow"),
            Self::Down => f.write_str("down arrow"),
            Self::Home => f.write_str("Home"),
            Self::End => f.write_str("End"),
            Self::Escape => f.write_str("ESC"),
        }
    }
}

/// Something done with the mouse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gesture {
    /// Moving with the left button held.
    LeftDrag,
    /// Moving with the left button and SHIFT held.
    ShiftLeftDrag,
    /// Moving with the middle button held.
    MiddleDrag,
    /// Turning the wheel.
    Wheel,
    /// Clicking with the right button.
    RightClick,
    /// Clicking on the status bar with the left button.
    StatusLeft,
    /// Clicking on the status bar with the right button.
    StatusRight,
    /// Moving the time slider.
    Slider,
    /// Dropping a file on the window.
    Drop,
}

impl fmt::Display for Gesture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::LeftDrag => "left mouse drag",
            Self::ShiftLeftDrag => "SHIFT + left mouse drag",
            Self::MiddleDrag => "middle mouse drag",
            Self::Wheel => "mouse wheel",
            Self::RightClick => "right mouse",
            Self::StatusLeft => "left mouse on the status bar",
            Self::StatusRight => "right mouse on the status bar",
            Self::Slider => "time slider",
            Self::Drop => "file dropped on the window",
        })
    }
}

/// The effect of a command.
#[derive(Clone, Copy)]
pub enum Action {
    /// Something, once.
    Do(fn(&mut App)),
    /// Something that is on or off.
    Switch {
        /// Whether it is on.
        is_on: fn(&App) -> bool,
        /// Makes it on or off.
        set: fn(&mut App, bool),
    },
    /// Something that goes with the mouse: parts of the window's height to the right and down.
    Move(fn(&mut App, f64, f64)),
    /// Something that the window does by itself.
    Window,
}

/// One line of the table.
#[derive(Clone, Copy)]
pub struct Command {
    /// A short name that stays.
    pub id: &'static str,
    /// The keys for it; the first is shown in the menu.
    pub keys: &'static [Key],
    /// The mouse gesture for the command, besides the menu.
    pub gesture: Option<Gesture>,
    /// The submenu it is in, from the outermost; empty if it is in none.
    pub menu: &'static [&'static str],
    /// Description of the command, in a few words.
    pub text: &'static str,
    /// The effect.
    pub action: Action,
}

impl Command {
    /// Whether it is on, if it can be.
    pub fn is_on(&self, app: &App) -> Option<bool> {
        match self.action {
            Action::Switch { is_on, .. } => Some(is_on(app)),
            _ => None,
        }
    }

    /// Keys and gesture of the command.
    pub fn triggers(&self) -> String {
        let keys = self.keys.iter().map(Key::to_string);
        let all: Vec<String> =
            keys.chain(self.gesture.map(|gesture| gesture.to_string())).collect();
        all.join(", ")
    }
}

/// The command with an identifier.
pub fn of_id(id: &str) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.id == id)
}

/// The command of a key.
pub fn of_key(key: Key) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.keys.contains(&key))
}

/// The command of a gesture.
pub fn of_gesture(gesture: Gesture) -> Option<&'static Command> {
    COMMANDS.iter().find(|command| command.gesture == Some(gesture))
}

impl App {
    /// Carries a command out.
    pub fn execute(&mut self, command: &Command) {
        match command.action {
            Action::Do(act) => act(self),
            Action::Switch { is_on, set } => {
                let on = is_on(self);
                set(self, !on);
            }
            Action::Move(_) | Action::Window => {}
        }
        self.note(command);
    }

    /// Moves with the mouse, by parts of the window's height to the right and down.
    pub fn drag(&mut self, command: &Command, right: f64, down: f64) {
        if let Action::Move(act) = command.action {
            act(self, right, down);
            self.note(command);
        }
    }

    /// Remembers that a command was given.
    pub fn note(&mut self, command: &Command) {
        self.commands = (self.commands.0 + 1, command.id);
    }

    /// Runs the command of a key. While a question is open, keys are for the answer.
    pub fn press(&mut self, key: Key) {
        if self.entry.is_none()
            && let Some(command) = of_key(key)
        {
            self.execute(command);
        }
    }
}
