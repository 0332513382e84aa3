//! The real window, on a virtual screen, driven by synthetic keys and mouse: every command of the table has its effect,
//! the menu works by mouse alone, ESC and the close button end the program with code 0.
//!
//! What the program has done is read from the file of `--state`. Nothing waits for a fixed time: each step waits until
//! the state says what it should, and fails after a time that no machine needs.

mod desk;
mod tables;

use std::fs;
use std::panic::{self, AssertUnwindSafe};

use desk::{Desk, Program};

#[test]
fn the_window_does_what_keys_and_mouse_ask_for() {
    let Some(desk) = Desk::open() else { return };
    let scenarios: [(&str, fn(&Desk)); 6] = [
        ("playback keys", playback_keys),
        ("view keys and mouse", view_keys_and_mouse),
        ("show keys", show_keys),
        ("menu by mouse", menu_by_mouse),
        ("questions", questions),
        ("recording", recording),
    ];
    let mut failures = Vec::new();
    for (name, scenario) in scenarios {
        if panic::catch_unwind(AssertUnwindSafe(|| scenario(&desk))).is_err() {
            failures.push(name);
        }
    }
    assert!(failures.is_empty(), "failed: {failures:?}");
}

fn playback_keys(desk: &Desk) {
    let mut program = Program::start(desk);
    program.wait("frame", "0");
    program.key("braceright", "forward");
    program.wait("frame", "1");
    program.key("braceright", "forward");
    program.wait("frame", "2");
    program.key("braceleft", "back");
    program.wait("frame", "1");
    program.key("End", "wind");
    program.wait("time", "10");
    program.key("0", "rewind");
    program.wait("time", "0");
    program.key("greater", "faster");
    program.wait("step", "2");
    program.key("less", "slower");
    program.wait("step", "1");
    program.key("less", "slower");
    program.wait("percent", "50");
    program.key("plus", "speed_up");
    program.key("plus", "speed_up");
    program.wait("percent", "200");
    program.key("minus", "slow_down");
    program.key("minus", "slow_down");
    program.wait("percent", "50");
    program.key("1", "real_time");
    program.wait("percent", "100");
    program.key("l", "loop");
    program.wait("loop", "true");
    program.key("g", "run");
    program.wait("running", "true");
    program.wait_for("time passes", |state| state.number("time") > 0.2);
    program.key("h", "halt");
    program.wait("running", "false");
    program.key("space", "run_or_halt");
    program.wait("running", "true");
    program.key("space", "run_or_halt");
    program.wait("running", "false");
    // The status bar takes clicks: left is slower, right is faster.
    program.click("status", 3);
    program.wait("step", "2");
    program.click("status", 1);
    program.wait("step", "1");
    // The slider goes to the middle, the buttons below do what they show.
    program.click("slider", 1);
    program.wait_for("the middle", |state| (state.number("time") - 5.0).abs() < 0.3);
    program.click("button rewind", 1);
    program.wait("time", "0");
    program.click("button run_or_halt", 1);
    program.wait("running", "true");
    program.key("u", "read");
    program.wait_for("all rows", |state| state.text("rows") == "101");
    program.quit_by_escape();
}

fn view_keys_and_mouse(desk: &Desk) {
    let mut program = Program::start(desk);
    for (key, id, angles) in [
        ("F5", "yz", ("0.000000", "0.000000")),
        ("F6", "xz", ("-90.000000", "0.000000")),
        ("F7", "xy", ("-90.000000", "90.000000")),
    ] {
        program.key(key, id);
        program.wait("azimuth", angles.0);
        program.wait("elevation", angles.1);
    }
    program.key("i", "standard");
    program.wait("azimuth", "-60.000000");
    let home = program.state();
    let changes = [
        ("Left", "turn_left", "azimuth"),
        ("Right", "turn_right", "azimuth"),
        ("Up", "turn_up", "elevation"),
        ("Down", "turn_down", "elevation"),
        ("x", "right", "target"),
        ("X", "left", "target"),
        ("y", "up", "target"),
        ("Y", "down", "target"),
        ("z", "near", "distance"),
        ("Z", "far", "distance"),
    ];
    for (key, id, what) in changes {
        program.key(key, id);
        program.wait_for(id, |state| state.text(what) != home.text(what));
        program.key("i", "standard");
        program.wait(what, home.text(what));
    }
    program.key("o", "orthographic");
    program.wait("orthographic", "true");
    program.key("f", "follow");
    program.wait("follow", "true");
    program.key("f", "follow");
    program.wait("follow", "false");
    program.key("i", "standard");
    program.drag(1, Some("shift"), (60, 0));
    program.wait_for("rotate", |state| state.text("azimuth") != home.text("azimuth"));
    program.key("i", "standard");
    program.wait("azimuth", "-60.000000");
    program.drag(1, None, (60, 40));
    program.wait_for("translate", |state| state.text("target") != home.text("target"));
    program.wait("azimuth", "-60.000000");
    program.key("i", "standard");
    program.wait("target", home.text("target"));
    program.drag(2, None, (0, -60));
    program.wait_for("zoom", |state| state.number("distance") < home.number("distance"));
    program.key("i", "standard");
    program.wait("distance", home.text("distance"));
    program.wheel_up();
    program.wait_for("wheel", |state| state.number("distance") < home.number("distance"));
    program.quit_by_escape();
}

fn show_keys(desk: &Desk) {
    let mut program = Program::start(desk);
    let switches = [
        ("q", "grid"),
        ("s", "smooth"),
        ("w", "wireframe"),
        ("d", "shadows"),
        ("n", "labels"),
        ("b", "legend"),
        ("t", "triads"),
        ("c", "forces"),
        ("p", "trails"),
    ];
    for (key, what) in switches {
        let before = program.state().text(what).to_owned();
        program.key(key, what);
        program.wait_for(what, |state| state.text(what) != before);
        program.key(key, what);
        program.wait(what, &before);
    }
    let length = program.state().number("axes_length");
    program.key("a", "longer");
    program.wait_for("longer", |state| state.number("axes_length") > length);
    program.key("A", "shorter");
    program.key("A", "shorter");
    program.wait_for("shorter", |state| state.number("axes_length") < length);
    // The close button of the window.
    program.close_window();
}

fn menu_by_mouse(desk: &Desk) {
    let mut program = Program::start(desk);
    // A command of each submenu, found by the pointer alone.
    let choices: [(&[&str], &str, &str); 5] = [
        (&["Playback", "loop"], "loop", "true"),
        (&["View", "xz"], "azimuth", "-90.000000"),
        (&["View", "Move", "turn_left"], "last", "turn_left"),
        (&["Show", "labels"], "labels", "true"),
        (&["Images", "base_lzw"], "entry", "images"),
    ];
    for (path, what, value) in choices {
        program.menu(path);
        program.wait(what, value);
    }
    program.click("Cancel", 1);
    program.wait("entry", "");
    // The Information submenu opens, and ESC closes the menu without ending the program.
    program.open_menu();
    program.point_at("Information");
    program.press("Escape");
    program.wait_for("menu closed", |state| !state.places().contains_key("Information"));
    program.wait("quit", "false");
    // A click beside the menu closes it.
    program.open_menu();
    program.click_beside();
    program.wait_for("menu closed", |state| !state.places().contains_key("Information"));
    program.menu(&["quit"]);
    program.ends_well();
}

fn questions(desk: &Desk) {
    let mut program = Program::start(desk);
    program.key("F2", "extent");
    program.wait("entry", "grid");
    program.type_text("-3 3 -2 2");
    program.wait("text", "-3 3 -2 2");
    program.press("Return");
    program.wait("extent", "-3,3,-2,2");
    program.wait("entry", "");
    program.key("F3", "body");
    program.wait("entry", "body");
    program.click("choice b", 1);
    program.wait("body", "b");
    program.key("F3", "body");
    program.wait("entry", "body");
    program.press("Escape");
    program.wait("entry", "");
    fs::copy(program.directory().join("m.ani"), program.directory().join("two.ani")).unwrap();
    program.key("F1", "data");
    program.wait("entry", "data");
    program.type_text("nowhere.ani");
    program.press("Return");
    program.wait_for("a reason", |state| state.text("error").contains("nowhere.ani"));
    program.click("choice two.ani", 1);
    program.wait("data", "two.ani");
    // Damaged data: the good part is shown, the messages are listed and can be closed.
    fs::write(program.directory().join("m.ani"), "nonsense\n").unwrap();
    program.key("F1", "data");
    program.wait("entry", "data");
    program.type_text("m.ani");
    program.press("Return");
    program.wait("listed", "true");
    program.key("m", "messages");
    program.wait("listed", "false");
    program.key("m", "messages");
    program.click("close", 1);
    program.wait("listed", "false");
    program.quit_by_escape();
}

fn recording(desk: &Desk) {
    let mut program = Program::start(desk);
    program.key("F4", "base");
    program.wait("entry", "images");
    program.type_text("run");
    program.press("Return");
    program.wait("base", "run");
    program.wait("compression", "packbits");
    program.key("r", "record");
    program.wait("recording", "true");
    program.wait("images", "1");
    program.key("braceright", "forward");
    program.wait("images", "2");
    program.key("braceright", "forward");
    program.wait("images", "3");
    program.key("r", "record");
    program.wait("recording", "false");
    program.wait("base", "");
    let image = |k: u32| fs::read(program.directory().join(format!("run{k:04}.tif"))).unwrap();
    assert!(image(0).len() > 1000 && image(0) != image(2), "the pictures differ as the poses do");
    assert!(!program.directory().join("run0003.tif").exists());
    program.quit_by_escape();
}
