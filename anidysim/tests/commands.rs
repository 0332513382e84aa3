//! The table of commands: complete, without contradictions, and every entry has its effect, without any window.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a helper of a test may fail like the test"
)]

mod tables;

use std::collections::HashSet;
use std::fs;
use std::path::Path;

use anidysim::app::{App, Compression, Question};
use anidysim::commands::{self, Action, COMMANDS, Gesture, Key};
use anidysim::motion::Motion;
use anidysim::record::Picture;
use anidysim::view::{Item, Projection, View};
use mechanics::vec3;
use tables::{header, model, row};

/// An animator of two bodies, eleven rows from 0 s to 1 s.
fn app() -> (App, tempfile::TempDir) {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("m.ani");
    let rows = (0..11).map(|k| row(f64::from(k) * 0.1, 0.1, f64::from(k), 2));
    fs::write(&path, header(&["a", "b"]) + &rows.collect::<String>()).unwrap();
    let model = model(&["a", "b"]);
    let mut motion = Motion::open(&path, &model).unwrap();
    motion.judge_all().unwrap();
    let view = View::framing(&[vec3(-1.0, -1.0, 0.0), vec3(1.0, 1.0, 1.0)], 1.0);
    (App::new(model, motion, view), directory)
}

fn press(app: &mut App, keys: &str) {
    for char in keys.chars() {
        app.press(Key::Char(char));
    }
}

#[test]
fn the_table_is_consistent() {
    let mut ids = HashSet::new();
    let mut triggers = HashSet::new();
    for command in COMMANDS {
        assert!(ids.insert(command.id), "{} is there twice", command.id);
        for key in command.keys {
            assert!(triggers.insert(key.to_string()), "key {key} has two commands");
        }
        if let Some(gesture) = command.gesture {
            assert!(triggers.insert(gesture.to_string()), "{gesture} has two commands");
        }
        assert!(!command.text.is_empty());
        // Everything but what only the mouse can do is in the menu.
        let mouse = matches!(command.action, Action::Move(_) | Action::Window);
        assert_eq!(command.menu.is_empty(), mouse, "{}", command.id);
        assert!(!(command.keys.is_empty() && command.gesture.is_none() && mouse));
        assert_eq!(commands::of_id(command.id).unwrap().id, command.id);
    }
}

#[test]
fn every_key_and_gesture_of_the_manual_has_a_command() {
    for char in "gh}{><0uixXyYzZaAflqrsw ".chars() {
        assert!(commands::of_key(Key::Char(char)).is_some(), "{char}");
    }
    for number in 1..=7 {
        assert!(commands::of_key(Key::Function(number)).is_some(), "F{number}");
    }
    for key in [Key::Escape, Key::Left, Key::Right, Key::Up, Key::Down] {
        assert!(commands::of_key(key).is_some(), "{key}");
    }
    let gestures = [
        Gesture::LeftDrag,
        Gesture::ShiftLeftDrag,
        Gesture::MiddleDrag,
        Gesture::RightClick,
        Gesture::StatusLeft,
        Gesture::StatusRight,
    ];
    for gesture in gestures {
        assert!(commands::of_gesture(gesture).is_some(), "{gesture}");
    }
}

#[test]
fn help_and_manual_name_every_command() {
    let help = commands::overview();
    for command in COMMANDS.iter().filter(|command| !command.triggers().is_empty()) {
        assert!(help.contains(command.text) && help.contains(&command.triggers()));
    }
    assert!(help.lines().all(|line| line.chars().count() <= 100));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/animator.md");
    let manual = fs::read_to_string(&path).unwrap();
    let (begin, end) = ("<!-- commands: begin -->\n", "<!-- commands: end -->");
    let (before, rest) = manual.split_once(begin).expect("the manual has a place for the commands");
    let (present, after) = rest.split_once(end).expect("the place has an end");
    let wanted = format!("\n{}", commands::manual_pages());
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, format!("{before}{begin}{wanted}{end}{after}")).unwrap();
    } else {
        assert_eq!(present, wanted, "UPDATE_EXPECT=1 writes it anew");
    }
}

#[test]
fn playback_commands_play() {
    let (mut app, _directory) = app();
    let playing = |app: &App| (app.playback.running, app.motion.number());
    press(&mut app, "g");
    assert_eq!(playing(&app), (true, Some(0)));
    app.tick(0.25);
    assert_eq!((playing(&app), app.motion.time()), ((true, Some(2)), Some(0.25)));
    press(&mut app, "h");
    app.tick(0.25);
    assert_eq!(app.motion.time(), Some(0.25));
    press(&mut app, " ");
    assert!(app.playback.running);
    press(&mut app, " ");
    assert!(!app.playback.running);
    // From between two rows to the next ones.
    press(&mut app, "}}");
    assert_eq!(playing(&app), (false, Some(4)));
    press(&mut app, "{");
    assert_eq!(playing(&app), (false, Some(3)));
    press(&mut app, "0");
    assert_eq!(app.motion.time(), Some(0.0));
    app.press(Key::End);
    assert_eq!(app.motion.time(), Some(1.0));
    app.press(Key::Home);
    assert_eq!(app.motion.time(), Some(0.0));
    // Every second row is shown, twice as fast.
    press(&mut app, ">g");
    assert_eq!((app.playback.step(), app.playback.rate()), (2, 2.0));
    app.tick(0.26);
    assert_eq!((app.motion.number(), app.motion.time()), (Some(4), Some(0.4)));
    press(&mut app, "<<");
    assert_eq!((app.playback.step(), app.playback.rate()), (1, 0.5));
    press(&mut app, "-");
    assert_eq!(app.playback.rate(), 0.2);
    press(&mut app, "1++");
    assert_eq!(app.playback.rate(), 5.0);
    press(&mut app, "l");
    app.tick(0.2);
    assert!(app.playback.looping && app.playback.running && app.playback.time < 0.6);
    app.seek(0.77);
    assert_eq!(app.motion.time(), Some(0.77));
}

#[test]
fn view_commands_move_the_camera() {
    let (mut app, _directory) = app();
    let home = app.view.camera.clone();
    let angles = |app: &App| {
        let camera = &app.view.camera;
        (camera.azimuth.to_degrees().round(), camera.elevation.to_degrees().round())
    };
    for (number, seen) in [(5, (0.0, 0.0)), (6, (-90.0, 0.0)), (7, (-90.0, 90.0))] {
        app.press(Key::Function(number));
        assert_eq!(angles(&app), seen, "F{number}");
    }
    press(&mut app, "i");
    assert_eq!(app.view.camera, home);
    // Each of these and its opposite cancel; each alone has an effect.
    let pairs = [
        (Key::Left, Key::Right),
        (Key::Up, Key::Down),
        (Key::Char('x'), Key::Char('X')),
        (Key::Char('y'), Key::Char('Y')),
        (Key::Char('z'), Key::Char('Z')),
    ];
    for (there, back) in pairs {
        app.press(there);
        let moved = app.view.camera.clone();
        assert_ne!(moved, home, "{there}");
        app.press(back);
        let close = (app.view.camera.target - home.target).norm() < 1e-12
            && (app.view.camera.distance - home.distance).abs() < 1e-12
            && (app.view.camera.azimuth - home.azimuth).abs() < 1e-12;
        assert!(close, "{there} and {back}: {:?}", app.view.camera);
        press(&mut app, "i");
    }
    press(&mut app, "z");
    assert!(app.view.camera.distance < home.distance, "z is nearer");
    press(&mut app, "io");
    assert_eq!(app.view.camera.projection, Projection::Orthographic);
    let drag = |app: &mut App, gesture, right, down| {
        let command = commands::of_gesture(gesture).unwrap();
        app.drag(command, right, down);
    };
    drag(&mut app, Gesture::ShiftLeftDrag, 0.5, 0.0);
    assert_eq!(angles(&app).0, -150.0, "half the height is a right angle");
    drag(&mut app, Gesture::MiddleDrag, 0.0, -0.5);
    assert!(app.view.camera.distance < home.distance / 2.0, "up is near");
    press(&mut app, "i");
    let point = home.target;
    drag(&mut app, Gesture::LeftDrag, 0.25, 0.1);
    let seen = app.view.camera.project(point, (1000.0, 1000.0)).unwrap();
    assert!((seen.x - 750.0).abs() < 1e-6 && (seen.y - 600.0).abs() < 1e-6, "{seen:?}");
}

#[test]
fn show_commands_switch_what_is_shown() {
    let (mut app, _directory) = app();
    let items = [
        ('q', Item::Grid),
        ('s', Item::Smooth),
        ('w', Item::Wireframe),
        ('d', Item::Shadows),
        ('n', Item::Labels),
        ('b', Item::Legend),
        ('t', Item::Triads),
        ('c', Item::Forces),
        ('p', Item::Trails),
    ];
    for (key, item) in items {
        let before = app.view.options.shows(item);
        press(&mut app, &key.to_string());
        assert_ne!(app.view.options.shows(item), before, "{key}");
        press(&mut app, &key.to_string());
        assert_eq!(app.view.options.shows(item), before, "{key}");
    }
    let length = app.view.options.axes_length;
    press(&mut app, "a");
    assert!(app.view.options.axes_length > length);
    press(&mut app, "AA");
    assert!(app.view.options.axes_length < length);
}

/// Answers the open question.
fn answer(app: &mut App, text: &str) {
    app.entry.as_mut().expect("a question").text = text.to_owned();
    app.answer();
}

#[test]
fn questions_take_good_answers_and_explain_bad_ones() {
    let (mut app, directory) = app();
    app.press(Key::Function(2));
    assert_eq!(app.entry.as_ref().unwrap().question, Question::Grid);
    for bad in ["", "1 2 3", "1 2 3 x", "2 1 3 4", "0 inf 0 1"] {
        answer(&mut app, bad);
        assert!(app.entry.as_ref().unwrap().error.is_some(), "{bad}");
    }
    // While a question is open, keys are no commands.
    press(&mut app, "g");
    assert!(!app.playback.running);
    answer(&mut app, "-2, 3 -4 5");
    assert!(app.entry.is_none());
    let extent = app.view.options.extent;
    assert_eq!((extent.x_min, extent.x_max, extent.y_min, extent.y_max), (-2.0, 3.0, -4.0, 5.0));

    app.press(Key::Function(3));
    answer(&mut app, "c");
    let error = app.entry.as_ref().unwrap().error.clone().unwrap();
    assert!(error.contains("no body `c`") && error.contains("a, b"), "{error}");
    answer(&mut app, "b");
    assert_eq!((app.view.body, app.view.is_following()), (Some(1), false));
    press(&mut app, "f");
    assert!(app.view.is_following());
    press(&mut app, "f");
    assert!(!app.view.is_following());

    app.press(Key::Function(1));
    answer(&mut app, "nowhere.ani");
    assert!(app.entry.as_ref().unwrap().error.as_ref().unwrap().contains("nowhere.ani"));
    let other = directory.path().join("other.ani");
    fs::write(&other, header(&["a", "b"]) + &row(5.0, 0.0, 0.0, 2)).unwrap();
    assert_eq!(app.data_beside().len(), 2);
    answer(&mut app, &other.display().to_string());
    assert_eq!((app.motion.time(), app.entry.is_none()), (Some(5.0), true));

    app.press(Key::Function(1));
    app.cancel();
    assert!(app.entry.is_none());
}

#[test]
fn without_a_choice_the_first_body_is_followed() {
    let (mut app, _directory) = app();
    press(&mut app, "f");
    assert_eq!((app.view.body, app.view.is_following()), (Some(0), true));
    assert!(app.messages.all().any(|text| text.contains("`a`")));
}

#[test]
fn images_are_recorded_by_rows_under_the_base_name() {
    let (mut app, directory) = app();
    let base = directory.path().join("run").display().to_string();
    app.press(Key::Function(4));
    let question = Question::Images(Compression::PackBits);
    assert_eq!(app.entry.as_ref().unwrap().question, question);
    answer(&mut app, "no such directory/run");
    assert!(app.entry.as_ref().unwrap().error.as_ref().unwrap().contains("no directory"));
    answer(&mut app, &base);
    assert_eq!(app.recording.compression, Compression::PackBits);
    assert!(!app.recording.is_on(), "F4 gives the name, r begins");
    press(&mut app, "r");
    assert!(app.recording.is_on());
    press(&mut app, ">g");
    // While recording, rows decide and not the clock: every second one, whatever time passes.
    let picture = Picture { width: 2, height: 2, rgb: vec![7; 12] };
    let mut rows = Vec::new();
    for _ in 0..8 {
        let (time, row) = (app.motion.time().unwrap(), app.motion.number());
        if app.recording.wants(time, row) {
            app.recording.write(time, row, &picture).unwrap();
            rows.extend(row);
        }
        app.tick(100.0);
    }
    assert_eq!(rows, [0, 2, 4, 6, 8, 10]);
    assert!(!app.playback.running, "the end halts");
    press(&mut app, "r");
    assert_eq!((app.recording.is_on(), &app.recording.base), (false, &None));
    let files = fs::read_dir(directory.path()).unwrap().flatten();
    let images = files.filter(|file| file.file_name().to_string_lossy().starts_with("run0"));
    assert_eq!(images.count(), 6);
    // Without a base name it is asked for, and then recording begins.
    press(&mut app, "r");
    assert!(!app.recording.is_on());
    answer(&mut app, &base);
    assert!(app.recording.is_on());
    for (id, compression) in [("base_lzw", Compression::Lzw), ("base_none", Compression::None)] {
        app.execute(commands::of_id(id).unwrap());
        answer(&mut app, &base);
        assert_eq!(app.recording.compression, compression);
    }
}

#[test]
fn data_can_be_read_again_and_messages_listed() {
    let (mut app, directory) = app();
    app.seek(0.5);
    let rows = (0..21).map(|k| row(f64::from(k) * 0.1, 0.1, 0.0, 2));
    let path = directory.path().join("m.ani");
    let mut table = header(&["a", "b"]) + &rows.collect::<String>();
    table.push_str("nonsense\n");
    fs::write(&path, table).unwrap();
    press(&mut app, "u");
    assert_eq!(app.range().unwrap().last, 2.0);
    assert_eq!(app.motion.time(), Some(0.5));
    app.tick(0.0);
    let told: Vec<String> = app.messages.take_fresh();
    assert!(told.iter().any(|text| text.contains("m.ani:26:")), "{told:?}");
    assert!(app.messages.shown);
    press(&mut app, "m");
    assert!(!app.messages.shown);
    press(&mut app, "m");
    assert!(app.messages.shown);
    fs::remove_file(&path).unwrap();
    press(&mut app, "u");
    assert!(app.messages.all().last().unwrap().contains("cannot read"));
    assert_eq!(app.motion.time(), Some(0.5), "what was shown stays");
    app.press(Key::Escape);
    assert!(app.quit);
    let state = app.state();
    assert!(state.contains("quit=true") && state.contains("last=\"quit\""), "{state}");
}
