//! What keys and mouse do, translated from the window's events to commands.

use egui::{LayerId, Pos2};
use kiss3d::event::{Action, Key as WindowKey, Modifiers, MouseButton, WindowEvent};
use kiss3d::window::Window;

use super::panels::STATUS_HEIGHT;
use crate::app::App;
use crate::commands::{self, Gesture, Key};

/// Pixels between press and release that still make a click.
const CLICK: f64 = 4.0;

/// Pixels of the wheel that count as a drag over the height of the window.
const WHEEL: f64 = 400.0;

/// State of the mouse.
#[derive(Default)]
pub(super) struct Input {
    position: (f64, f64),
    drag: Option<Drag>,
    right_press: Option<(f64, f64)>,
    /// Where the menu is open, in points.
    pub menu: Option<Pos2>,
}

/// A drag that is going on.
struct Drag {
    gesture: Gesture,
    button: MouseButton,
}

impl Input {
    /// Takes all events since the last time; `true` if there were any.
    pub fn take(&mut self, window: &mut Window, app: &mut App) -> bool {
        let mut any = false;
        let size = (f64::from(window.width()), f64::from(window.height()));
        let scale = window.scale_factor();
        let context = window.egui_context().clone();
        for mut event in window.events().iter() {
            any = true;
            // Keys that are commands must not reach the line that such a command opens.
            let typing = app.entry.is_some() || self.menu.is_some();
            event.inhibited = event.value.is_keyboard_event() && !typing;
            match event.value {
                WindowEvent::Close => app.quit = true,
                WindowEvent::Key(key, Action::Press, modifiers) => self.key(key, modifiers, app),
                WindowEvent::Char(char) if !char.is_control() => app.press(Key::Char(char)),
                WindowEvent::CursorPos(x, y, _) => self.moved((x, y), size.1, app),
                WindowEvent::Scroll(_, lines, _) if !self.over_panel(&context, scale) => {
                    if let Some(command) = commands::of_gesture(Gesture::Wheel) {
                        app.drag(command, 0.0, -lines / WHEEL);
                    }
                }
                WindowEvent::MouseButton(button, Action::Press, modifiers) => {
                    self.pressed(button, modifiers, self.over_panel(&context, scale));
                    // The click that opens the menu must not close it at once.
                    event.inhibited = self.right_press.is_some();
                }
                WindowEvent::MouseButton(button, Action::Release, _) => {
                    event.inhibited = self.right_press.is_some();
                    self.released(button, scale, app);
                }
                _ => {}
            }
        }
        any
    }

    /// Whether the mouse is on a panel, a menu or a dialog.
    fn over_panel(&self, context: &egui::Context, scale: f64) -> bool {
        let position = points(self.position, scale);
        let layer = context.layer_id_at(position);
        layer.is_some_and(|layer| layer != LayerId::background())
    }

    /// Keys that type nothing. ESC leaves the innermost thing.
    fn key(&mut self, key: WindowKey, modifiers: Modifiers, app: &mut App) {
        let named = match key {
            WindowKey::Escape if app.entry.is_some() => return app.cancel(),
            // The menu closes itself.
            WindowKey::Escape if self.menu.is_some() => return,
            WindowKey::Escape => Key::Escape,
            WindowKey::Left => Key::Left,
            WindowKey::Right => Key::Right,
            WindowKey::Up => Key::Up,
            WindowKey::Down => Key::Down,
            WindowKey::Home => Key::Home,
            WindowKey::End => Key::End,
            _ => match function(key) {
                Some(number) => Key::Function(number),
                None => return,
            },
        };
        // ALT + F4 and the like belong to the window manager.
        if !modifiers.intersects(Modifiers::Alt | Modifiers::Control | Modifiers::Super) {
            app.press(named);
        }
    }

    fn pressed(&mut self, button: MouseButton, modifiers: Modifiers, over_panel: bool) {
        if over_panel {
            return;
        }
        let gesture = match button {
            MouseButton::Button1 if modifiers.contains(Modifiers::Shift) => Gesture::ShiftLeftDrag,
            MouseButton::Button1 => Gesture::LeftDrag,
            MouseButton::Button3 => Gesture::MiddleDrag,
            MouseButton::Button2 => {
                self.right_press = Some(self.position);
                return;
            }
            _ => return,
        };
        // With the menu open, a click only closes it.
        if self.menu.is_none() {
            self.drag = Some(Drag { gesture, button });
        }
    }

    fn moved(&mut self, to: (f64, f64), height: f64, app: &mut App) {
        let from = std::mem::replace(&mut self.position, to);
        let Some(drag) = &self.drag else { return };
        let (right, down) = ((to.0 - from.0) / height, (to.1 - from.1) / height);
        if let Some(command) = commands::of_gesture(drag.gesture)
            && (right, down) != (0.0, 0.0)
        {
            app.drag(command, right, down);
        }
    }

    fn released(&mut self, button: MouseButton, scale: f64, app: &mut App) {
        if self.drag.as_ref().is_some_and(|drag| drag.button == button) {
            self.drag = None;
        }
        let Some(pressed) = self.right_press.filter(|_| button == MouseButton::Button2) else {
            return;
        };
        self.right_press = None;
        let moved = (pressed.0 - self.position.0).hypot(pressed.1 - self.position.1);
        let below_status = self.position.1 / scale > f64::from(STATUS_HEIGHT);
        if moved <= CLICK && below_status && app.entry.is_none() {
            self.menu = Some(points(self.position, scale));
            if let Some(command) = commands::of_gesture(Gesture::RightClick) {
                app.note(command);
            }
        }
    }
}

/// The number of a function key.
fn function(key: WindowKey) -> Option<u8> {
    let keys = [
        WindowKey::F1,
        WindowKey::F2,
        WindowKey::F3,
        WindowKey::F4,
        WindowKey::F5,
        WindowKey::F6,
        WindowKey::F7,
        WindowKey::F8,
        WindowKey::F9,
        WindowKey::F10,
        WindowKey::F11,
        WindowKey::F12,
    ];
    let place = keys.iter().position(|known| *known == key)?;
    u8::try_from(place + 1).ok()
}

/// Pixels to points.
fn points((x, y): (f64, f64), scale: f64) -> Pos2 {
    Pos2::new((x / scale) as f32, (y / scale) as f32)
}
