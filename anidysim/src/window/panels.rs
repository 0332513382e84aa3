//! What lies over the picture: status bar, time slider, messages and questions.

use egui::emath::remap_clamp;
use egui::text::{CCursor, CCursorRange};
use egui::{
    Align, Align2, Area, Button, Color32, Context, Frame, Id, Key, Layout, Margin, Order, Rect,
    RichText, ScrollArea, Sense, Slider, TextEdit, Ui, Vec2,
};

use super::places::Places;
use crate::app::{App, Question};
use crate::commands::{self, Gesture};
use crate::playback::Range;

/// Height of the status bar, points.
pub(super) const STATUS_HEIGHT: f32 = 26.0;
/// Height of the bar with the slider, points.
const SLIDER_HEIGHT: f32 = 32.0;
/// Height of the list of messages, points.
const MESSAGES_HEIGHT: f32 = 180.0;
/// Choices that are offered beside a question.
const CHOICES: usize = 200;

const DARK: Color32 = Color32::from_rgb(24, 26, 30);
const GREEN: Color32 = Color32::from_rgb(90, 220, 110);
const RED: Color32 = Color32::from_rgb(255, 95, 95);
const YELLOW: Color32 = Color32::from_rgb(250, 220, 80);
const GRAY: Color32 = Color32::from_rgb(150, 155, 165);

/// Draws all panels.
pub(super) fn show(context: &Context, app: &mut App, places: &mut Places) {
    let screen = context.content_rect();
    status(context, app, screen, places);
    slider(context, app, screen, places);
    messages(context, app, screen, places);
    question(context, app, screen, places);
}

/// A bar over the whole width with its upper edge at `top`.
fn bar(context: &Context, name: &str, top: f32, size: Vec2, content: impl FnOnce(&mut Ui)) {
    let area = Area::new(Id::new(name)).order(Order::Middle).fixed_pos((0.0, top));
    area.movable(false).show(context, |ui| {
        let frame = Frame::NONE.fill(DARK).inner_margin(Margin::symmetric(10, 3));
        frame.show(ui, |ui| {
            ui.set_width(size.x - 20.0);
            ui.set_height(size.y - 6.0);
            ui.with_layout(Layout::left_to_right(Align::Center), content);
        });
    });
}

/// Time white, speed green, step red, `loop` yellow. The right mouse button makes it faster, the left one slower.
fn status(context: &Context, app: &mut App, screen: Rect, places: &mut Places) {
    let size = Vec2::new(screen.width(), STATUS_HEIGHT);
    bar(context, "status", 0.0, size, |ui| {
        let whole = Rect::from_min_size(screen.min, size);
        let clicks = ui.interact(whole, Id::new("status clicks"), Sense::click());
        places.note("status", whole);
        let gesture = match (clicks.clicked(), clicks.secondary_clicked()) {
            (true, _) => Some(Gesture::StatusLeft),
            (_, true) => Some(Gesture::StatusRight),
            _ => None,
        };
        if let Some(command) = gesture.and_then(commands::of_gesture) {
            app.execute(command);
        }
        let text = |ui: &mut Ui, text: String, color: Color32| {
            ui.add(egui::Label::new(RichText::new(text).color(color).strong()).selectable(false));
            ui.add_space(14.0);
        };
        let time =
            app.motion.time().map_or("no data".to_owned(), |time| format!("t = {time:.3} s"));
        text(ui, time, Color32::WHITE);
        text(ui, percent(app.playback.rate()), GREEN);
        text(ui, format!("k = {}", app.playback.step()), RED);
        if app.playback.looping {
            text(ui, "loop".to_owned(), YELLOW);
        }
        if app.recording.is_on() {
            let base = app.recording.base.as_deref().unwrap_or_default();
            text(ui, format!("\u{23fa} {base} {}", app.recording.written()), RED);
        }
        if app.motion.is_growing() {
            text(ui, "dysim is writing".to_owned(), GRAY);
        }
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let (rows, judged) = app.motion.progress();
            let more = if judged < 1.0 {
                format!(" ({:.0} % read)", judged * 100.0)
            } else {
                String::new()
            };
            let number =
                app.motion.number().map_or(String::new(), |number| format!("frame {number} of "));
            text(ui, format!("{number}{rows}{more}"), GRAY);
            text(ui, app.model.name.clone(), GRAY);
        });
    });
}

/// A rate in per cent of real time, without needless digits.
fn percent(rate: f64) -> String {
    let percent = (rate * 1e4).round() / 100.0;
    format!("{percent} %")
}

/// Buttons for the player and the time slider.
fn slider(context: &Context, app: &mut App, screen: Rect, places: &mut Places) {
    let size = Vec2::new(screen.width(), SLIDER_HEIGHT);
    bar(context, "slider", screen.height() - SLIDER_HEIGHT, size, |ui| {
        let play = if app.playback.running { "\u{23f8}" } else { "\u{25b6}" };
        let buttons = [
            ("rewind", "\u{23ee}"),
            ("back", "\u{23f4}"),
            ("run_or_halt", play),
            ("forward", "\u{23f5}"),
            ("wind", "\u{23ed}"),
            ("loop", "\u{1f501}"),
        ];
        for (id, symbol) in buttons {
            let Some(command) = commands::of_id(id) else { continue };
            let button = Button::new(symbol).selected(command.is_on(app).unwrap_or(false));
            let button = ui.add(button.min_size(Vec2::new(28.0, 22.0)));
            places.note(&format!("button {id}"), button.rect);
            if button.on_hover_text(format!("{} ({})", command.text, command.triggers())).clicked()
            {
                app.execute(command);
            }
        }
        let Some(range) = app.range() else { return };
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.label(RichText::new(format!("{:.3} s", range.last)).color(GRAY));
            if let Some(time) = time_slider(ui, app.playback.time, range, places) {
                app.seek(time);
                if let Some(command) = commands::of_gesture(Gesture::Slider) {
                    app.note(command);
                }
            }
        });
    });
}

/// The slider over the remaining width; gives the time that was chosen.
fn time_slider(ui: &mut Ui, now: f64, range: Range, places: &mut Places) -> Option<f64> {
    ui.spacing_mut().slider_width = ui.available_width() - 10.0;
    let mut time = now;
    let times = range.first..=range.last.max(range.first + 1e-12);
    let slider = ui.add(Slider::new(&mut time, times.clone()).show_value(false));
    places.note("slider", slider.rect);
    // A press and a release between two pictures is no drag, but wanted all the same.
    let click = ui.interact(slider.rect, Id::new("slider click"), Sense::click());
    if let Some(pointer) = click.interact_pointer_pos().filter(|_| click.clicked()) {
        let edge = slider.rect.height() / 2.5;
        let inner = (slider.rect.left() + edge)..=(slider.rect.right() - edge);
        let share = remap_clamp(pointer.x, inner, 0.0..=1.0);
        return Some(times.start() + f64::from(share) * (times.end() - times.start()));
    }
    slider.changed().then_some(time)
}

/// Draws the messages for the user, until they are closed.
fn messages(context: &Context, app: &mut App, screen: Rect, places: &mut Places) {
    if !app.messages.shown || app.messages.all().next().is_none() {
        return;
    }
    let mut close = false;
    let width = (screen.width() - 40.0).min(760.0);
    let area = Area::new(Id::new("messages")).order(Order::Middle);
    let above_slider = Vec2::new(10.0, -SLIDER_HEIGHT - 10.0);
    area.anchor(Align2::LEFT_BOTTOM, above_slider).show(context, |ui| {
        let frame = Frame::popup(ui.style()).fill(DARK.gamma_multiply(0.94));
        frame.show(ui, |ui| {
            ui.set_width(width);
            ui.horizontal(|ui| {
                ui.strong("Messages");
                ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                    let button = ui.button("\u{2716}").on_hover_text("close (m)");
                    places.note("close", button.rect);
                    close = button.clicked();
                });
            });
            let list = ScrollArea::vertical().max_height(MESSAGES_HEIGHT).stick_to_bottom(true);
            list.auto_shrink([false, true]).show(ui, |ui| {
                for text in app.messages.all() {
                    ui.label(RichText::new(text).color(color_of(text)).monospace());
                }
            });
        });
    });
    if close {
        app.messages.shown = false;
    }
}

fn color_of(message: &str) -> Color32 {
    let first = message.lines().next().unwrap_or_default();
    match (first.contains("error: "), first.contains("warning: ")) {
        (true, _) => RED,
        (_, true) => YELLOW,
        _ => Color32::WHITE,
    }
}

/// A question with a line to type in, and what could be answered.
fn question(context: &Context, app: &mut App, screen: Rect, places: &mut Places) {
    let Some(entry) = &app.entry else { return };
    let question = entry.question;
    let choices = choices(question, app);
    let (mut answer, mut cancel, mut chosen) = (false, false, None);
    let Some(entry) = &mut app.entry else { return };
    let window = egui::Window::new(question.prompt()).collapsible(false).resizable(false);
    window.anchor(Align2::CENTER_CENTER, Vec2::ZERO).order(Order::Foreground).show(context, |ui| {
        ui.set_width((screen.width() - 60.0).min(460.0));
        let entered = line(ui, &mut entry.text);
        if let Some(error) = &entry.error {
            ui.colored_label(RED, error);
        }
        if !choices.is_empty() {
            ui.add_space(4.0);
            ScrollArea::vertical().max_height(160.0).show(ui, |ui| {
                for choice in choices.iter().take(CHOICES) {
                    let label = ui.selectable_label(entry.text == *choice, choice);
                    places.note(&format!("choice {choice}"), label.rect);
                    if label.clicked() {
                        chosen = Some(choice.clone());
                    }
                }
            });
        }
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            let ok = ui.button("  OK  (Enter)  ");
            places.note("OK", ok.rect);
            answer = entered || ok.clicked();
            let no = ui.button("  Cancel  (ESC)  ");
            places.note("Cancel", no.rect);
            cancel = no.clicked();
        });
    });
    if let Some(choice) = chosen {
        entry.text = choice;
        answer = true;
    }
    match (answer, cancel) {
        (true, _) => app.answer(),
        (_, true) => app.cancel(),
        _ => {}
    }
}

/// A line to type in. What is proposed is selected at first, so that typing replaces it. `true` when Enter was pressed;
/// only the line itself knows which of the characters that came at the same time belong to the answer.
fn line(ui: &mut Ui, text: &mut String) -> bool {
    let mut output = TextEdit::singleline(text).desired_width(f32::INFINITY).show(ui);
    let response = output.response.response;
    if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter)) {
        return true;
    }
    if !response.has_focus() {
        response.request_focus();
        let all = CCursorRange::two(CCursor::new(0), CCursor::new(text.chars().count()));
        output.state.cursor.set_char_range(Some(all));
        output.state.store(ui.ctx(), response.id);
    }
    false
}

/// Possible answers: bodies, or the files beside the present file.
fn choices(question: Question, app: &App) -> Vec<String> {
    match question {
        Question::Body => {
            let bodies = app.model.bodies.iter();
            bodies.map(|body| app.model.block_name(body.block).to_owned()).collect()
        }
        Question::Data => app.data_beside(),
        Question::Grid | Question::Images(_) => Vec::new(),
    }
}
