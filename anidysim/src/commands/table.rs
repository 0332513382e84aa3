//! The table of commands.

use std::f64::consts::PI;

use super::{Action, Command, Gesture, Key};
use crate::app::{App, Compression, Question};
use crate::view::{Item, Plane, Projection};

use Action::{Do, Move, Switch, Window};
use Key::{Char, Function};

/// One turn by a key, rad.
const TURN: f64 = PI / 36.0;
/// One move by a key, in parts of the picture's height.
const SHIFT: f64 = 0.05;
/// One zoom by a key.
const ZOOM: f64 = 1.1;
/// One change of the world's axes.
const STRETCH: f64 = 1.25;
/// A drag over the height of the window turns by this angle (rad) and zooms by this factor.
const DRAG_TURN: f64 = PI;
const DRAG_ZOOM: f64 = 8.0;

const PLAY: &[&str] = &["Playback"];
const VIEW: &[&str] = &["View"];
const MOVE: &[&str] = &["View", "Move"];
const SHOW: &[&str] = &["Show"];
const DATA: &[&str] = &["Data"];
const IMAGES: &[&str] = &["Images"];
const NOWHERE: &[&str] = &[];

const fn command(
    id: &'static str,
    keys: &'static [Key],
    menu: &'static [&'static str],
    text: &'static str,
    action: Action,
) -> Command {
    Command { id, keys, gesture: None, menu, text, action }
}

const fn gesture(
    id: &'static str,
    gesture: Gesture,
    text: &'static str,
    action: Action,
) -> Command {
    Command { id, keys: &[], gesture: Some(gesture), menu: NOWHERE, text, action }
}

const fn with(gesture: Gesture, mut command: Command) -> Command {
    command.gesture = Some(gesture);
    command
}

/// A switch for something that is shown.
macro_rules! item {
    ($id:literal, $key:literal, $text:literal, $item:ident) => {
        command(
            $id,
            &[Char($key)],
            SHOW,
            $text,
            Switch {
                is_on: |app| app.view.options.shows(Item::$item),
                set: |app, on| app.view.options.set(Item::$item, on),
            },
        )
    };
}

/// Everything that can be done, in the order of the menu.
pub const COMMANDS: &[Command] = &[
    // Playback
    command("run", &[Char('g')], PLAY, "run", Do(App::run)),
    command("halt", &[Char('h')], PLAY, "halt", Do(|app| app.playback.halt())),
    command(
        "run_or_halt",
        &[Char(' ')],
        PLAY,
        "run or halt",
        Do(|app| if app.playback.running { app.playback.halt() } else { app.run() }),
    ),
    command("forward", &[Char('}')], PLAY, "one frame forward", Do(|app| app.step(1))),
    command("back", &[Char('{')], PLAY, "one frame back", Do(|app| app.step(-1))),
    with(
        Gesture::StatusRight,
        command(
            "faster",
            &[Char('>')],
            PLAY,
            "faster: only every k-th frame",
            Do(|app| app.playback.faster()),
        ),
    ),
    with(
        Gesture::StatusLeft,
        command(
            "slower",
            &[Char('<')],
            PLAY,
            "slower: smaller k, then below real time",
            Do(|app| app.playback.slower()),
        ),
    ),
    command(
        "speed_up",
        &[Char('+')],
        PLAY,
        "speed up the clock, same k",
        Do(|app| app.playback.speed_up()),
    ),
    command(
        "slow_down",
        &[Char('-')],
        PLAY,
        "slow down the clock, same k",
        Do(|app| app.playback.slow_down()),
    ),
    command(
        "real_time",
        &[Char('1')],
        PLAY,
        "real time, every frame",
        Do(|app| app.playback.real_time()),
    ),
    command("rewind", &[Char('0'), Key::Home], PLAY, "rewind", Do(App::rewind)),
    command("wind", &[Key::End], PLAY, "to the end", Do(App::wind)),
    command(
        "loop",
        &[Char('l')],
        PLAY,
        "endless loop",
        Switch { is_on: |app| app.playback.looping, set: |app, on| app.playback.looping = on },
    ),
    gesture("slider", Gesture::Slider, "go to a time", Window),
    // View
    command("standard", &[Char('i')], VIEW, "standard view", Do(|app| app.view.reset())),
    command("yz", &[Function(5)], VIEW, "YZ view", Do(|app| look(app, Plane::Yz))),
    command("xz", &[Function(6)], VIEW, "XZ view", Do(|app| look(app, Plane::Xz))),
    command("xy", &[Function(7)], VIEW, "XY view", Do(|app| look(app, Plane::Xy))),
    command(
        "orthographic",
        &[Char('o')],
        VIEW,
        "orthographic projection",
        Switch {
            is_on: |app| app.view.camera.projection == Projection::Orthographic,
            set: |app, on| {
                app.view.camera.projection =
                    if on { Projection::Orthographic } else { Projection::Perspective };
            },
        },
    ),
    command(
        "follow",
        &[Char('f')],
        VIEW,
        "follow mode",
        Switch { is_on: |app| app.view.is_following(), set: App::set_following },
    ),
    command("body", &[Function(3)], VIEW, "body to follow ...", Do(|app| app.ask(Question::Body))),
    command(
        "turn_left",
        &[Key::Left],
        MOVE,
        "rotate left about the world's z",
        Do(|app| turn(app, -TURN, 0.0)),
    ),
    command(
        "turn_right",
        &[Key::Right],
        MOVE,
        "rotate right about the world's z",
        Do(|app| turn(app, TURN, 0.0)),
    ),
    command(
        "turn_up",
        &[Key::Up],
        MOVE,
        "rotate up about the window's horizontal",
        Do(|app| turn(app, 0.0, -TURN)),
    ),
    command(
        "turn_down",
        &[Key::Down],
        MOVE,
        "rotate down about the window's horizontal",
        Do(|app| turn(app, 0.0, TURN)),
    ),
    command("right", &[Char('x')], MOVE, "translate right", Do(|app| shift(app, SHIFT, 0.0))),
    command("left", &[Char('X')], MOVE, "translate left", Do(|app| shift(app, -SHIFT, 0.0))),
    command("up", &[Char('y')], MOVE, "translate up", Do(|app| shift(app, 0.0, SHIFT))),
    command("down", &[Char('Y')], MOVE, "translate down", Do(|app| shift(app, 0.0, -SHIFT))),
    command("near", &[Char('z')], MOVE, "zoom near", Do(|app| app.view.camera.zoom(ZOOM))),
    command("far", &[Char('Z')], MOVE, "zoom far", Do(|app| app.view.camera.zoom(1.0 / ZOOM))),
    gesture(
        "rotate",
        Gesture::ShiftLeftDrag,
        "rotate",
        Move(|app, right, down| turn(app, right * DRAG_TURN, down * DRAG_TURN)),
    ),
    gesture(
        "translate",
        Gesture::LeftDrag,
        "translate",
        Move(|app, right, down| shift(app, right, -down)),
    ),
    gesture(
        "zoom",
        Gesture::MiddleDrag,
        "zoom: up is near",
        Move(|app, _, down| app.view.camera.zoom(DRAG_ZOOM.powf(-down))),
    ),
    gesture(
        "wheel",
        Gesture::Wheel,
        "zoom",
        Move(|app, _, down| app.view.camera.zoom(DRAG_ZOOM.powf(-down))),
    ),
    // Show
    item!("grid", 'q', "grid", Grid),
    command(
        "extent",
        &[Function(2)],
        SHOW,
        "extent of the grid ...",
        Do(|app| app.ask(Question::Grid)),
    ),
    command(
        "longer",
        &[Char('a')],
        SHOW,
        "longer world axes",
        Do(|app| app.view.options.scale_axes(STRETCH)),
    ),
    command(
        "shorter",
        &[Char('A')],
        SHOW,
        "shorter world axes",
        Do(|app| app.view.options.scale_axes(1.0 / STRETCH)),
    ),
    item!("smooth", 's', "smooth shading", Smooth),
    item!("wireframe", 'w', "wireframe", Wireframe),
    item!("shadows", 'd', "shadows", Shadows),
    item!("labels", 'n', "names of the bodies", Labels),
    item!("legend", 'b', "list of the bodies", Legend),
    item!("triads", 't', "frames of all triads", Triads),
    item!("forces", 'c', "contact forces", Forces),
    item!("trails", 'p', "paths of points", Trails),
    // Data
    command(
        "data",
        &[Function(1)],
        DATA,
        "other data of the same model ...",
        Do(|app| app.ask(Question::Data)),
    ),
    command("read", &[Char('u')], DATA, "read the data again", Do(App::read_again)),
    command(
        "messages",
        &[Char('m')],
        DATA,
        "list of messages",
        Switch { is_on: |app| app.messages.shown, set: |app, on| app.messages.shown = on },
    ),
    gesture("drop", Gesture::Drop, "show this data (.ani)", Window),
    // Images
    command(
        "record",
        &[Char('r')],
        IMAGES,
        "image recording",
        Switch { is_on: |app| app.recording.is_on(), set: |app, _| app.toggle_recording() },
    ),
    command(
        "base",
        &[Function(4)],
        IMAGES,
        "base name, TIFF with PackBits ...",
        Do(|app| app.ask(Question::Images(Compression::PackBits))),
    ),
    command(
        "base_lzw",
        &[],
        IMAGES,
        "base name, TIFF with LZW ...",
        Do(|app| app.ask(Question::Images(Compression::Lzw))),
    ),
    command(
        "base_none",
        &[],
        IMAGES,
        "base name, TIFF without compression ...",
        Do(|app| app.ask(Question::Images(Compression::None))),
    ),
    // The rest
    gesture("menu", Gesture::RightClick, "menu", Window),
    command("quit", &[Key::Escape], &["Quit"], "quit", Do(|app| app.quit = true)),
];

fn look(app: &mut App, plane: Plane) {
    app.view.camera.look_at_plane(plane);
}

fn turn(app: &mut App, about_z: f64, about_horizontal: f64) {
    app.view.camera.rotate(about_z, about_horizontal);
}

fn shift(app: &mut App, right: f64, up: f64) {
    app.view.camera.translate(right, up);
}
