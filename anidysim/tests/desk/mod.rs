//! A virtual screen with a window manager, and the program on it.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::tables::{header, model_text, row};

/// Longer than any step takes on a loaded machine without a graphics card.
const PATIENCE: Duration = Duration::from_secs(90);
const PAUSE: Duration = Duration::from_millis(20);

/// What has to be installed.
const TOOLS: [&str; 4] = ["Xvfb", "openbox", "xdotool", "wmctrl"];
const INSTALL: &str = "apt-get install xvfb openbox xdotool wmctrl mesa-vulkan-drivers libxcursor1 libxi6 \
libxkbcommon-x11-0";

/// Children that end with their owner.
struct Guarded(Child);

impl Drop for Guarded {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A screen of its own.
pub struct Desk {
    display: String,
    /// Private files of this run.
    runtime: tempfile::TempDir,
    // In this order: the window manager goes before its screen.
    _manager: Guarded,
    _server: Guarded,
}

impl Desk {
    /// Opens a screen; `None`, with a note, where that is not possible outside of an integration server.
    pub fn open() -> Option<Self> {
        let missing: Vec<&str> = TOOLS.into_iter().filter(|tool| !is_installed(tool)).collect();
        if !missing.is_empty() {
            let note = format!("not installed: {}; {INSTALL}", missing.join(", "));
            assert!(env::var_os("CI").is_none_or(|ci| ci != "true"), "{note}");
            eprintln!("skipped: {note}");
            return None;
        }
        let runtime = tempfile::tempdir().unwrap();
        fs::set_permissions(runtime.path(), fs::Permissions::from_mode(0o700)).unwrap();
        // The server chooses a free number and tells it.
        let mut server = Command::new("Xvfb");
        server.args(["-displayfd", "1", "-screen", "0", "1000x800x24", "-nolisten", "tcp"]);
        let server = server.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut server = Guarded(server.spawn().unwrap());
        let mut line = String::new();
        BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let display = format!(":{}", line.trim());
        let mut manager = Command::new("openbox");
        manager.env("DISPLAY", &display).stdin(Stdio::null());
        manager.stdout(Stdio::null()).stderr(Stdio::null());
        let manager = Guarded(manager.spawn().unwrap());
        let desk = Self { display, runtime, _manager: manager, _server: server };
        let start = Instant::now();
        while desk.tool("wmctrl", &["-m"]).is_none() {
            assert!(start.elapsed() < PATIENCE, "the window manager did not start");
            thread::sleep(PAUSE);
        }
        Some(desk)
    }

    /// A program on this screen.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("DISPLAY", &self.display).env_remove("WAYLAND_DISPLAY");
        command.env("XDG_RUNTIME_DIR", self.runtime.path()).stdin(Stdio::null());
        command
    }

    /// Runs a tool; its output, if it succeeds.
    fn tool(&self, name: &str, arguments: &[&str]) -> Option<String> {
        let output = self.command(name).args(arguments).output().unwrap();
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

fn is_installed(tool: &str) -> bool {
    let paths = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&paths).any(|directory| directory.join(tool).is_file())
}

/// What the file of `--state` says.
pub struct State(HashMap<String, String>);

impl State {
    /// Reads `name=value` pairs; values with blanks are quoted.
    fn read(line: &str) -> Self {
        let mut map = HashMap::new();
        let mut rest = line.trim();
        while let Some((name, after)) = rest.split_once('=') {
            let (value, next) = match after.strip_prefix('"') {
                Some(quoted) => quoted.split_once('"').unwrap_or((quoted, "")),
                None => after.split_once(' ').unwrap_or((after, "")),
            };
            map.insert(name.trim().to_owned(), value.to_owned());
            rest = next.trim_start();
        }
        Self(map)
    }

    /// The value of something.
    pub fn text(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    /// A number.
    pub fn number(&self, name: &str) -> f64 {
        self.text(name).parse().unwrap_or(f64::NAN)
    }

    /// Where buttons and menu entries are: left, right, height, in pixels of the window.
    pub fn places(&self) -> HashMap<&str, [i32; 3]> {
        let places = self.text("places").split(';');
        let place = |place| {
            let (name, numbers): (&str, &str) = str::split_once(place, '@')?;
            let numbers: Vec<i32> = numbers.split(',').filter_map(|n| n.parse().ok()).collect();
            Some((name, numbers.try_into().ok()?))
        };
        places.filter_map(place).collect()
    }
}

/// The animator in a window.
pub struct Program<'a> {
    desk: &'a Desk,
    child: Guarded,
    window: String,
    directory: tempfile::TempDir,
}

impl<'a> Program<'a> {
    /// Shows two bodies that move for ten seconds, and waits until the window is there.
    pub fn start(desk: &'a Desk) -> Self {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path();
        fs::write(path.join("m.dys"), model_text(&["a", "b"])).unwrap();
        let rows = (0..=100).map(|k| f64::from(k) / 10.0).map(|t| row(t, t, t / 10.0, 2));
        fs::write(path.join("m.ani"), header(&["a", "b"]) + &rows.collect::<String>()).unwrap();
        let mut command = desk.command(env!("CARGO_BIN_EXE_anidysim"));
        command.args(["m", "--state", "state"]).current_dir(path);
        let errors = fs::File::create(path.join("errors")).unwrap();
        let child = Guarded(command.stdout(Stdio::null()).stderr(errors).spawn().unwrap());
        let mut program = Self { desk, child, window: String::new(), directory };
        program.wait_for("the program runs", |state| state.places().contains_key("slider"));
        program.activate();
        program
    }

    /// Finds the window and makes it the active one. The tool's own ways to wait (`--sync`) can miss the change and wait
    /// for ever.
    fn activate(&mut self) {
        let start = Instant::now();
        let search = ["search", "--onlyvisible", "--name", "anidysim: m"];
        loop {
            let found = self.desk.tool("xdotool", &search).unwrap_or_default();
            self.window = found.lines().last().unwrap_or_default().to_owned();
            let active = self.desk.tool("xdotool", &["getactivewindow"]).unwrap_or_default();
            if !self.window.is_empty() && active.trim() == self.window {
                return;
            }
            if !self.window.is_empty() {
                self.desk.tool("xdotool", &["windowactivate", &self.window]);
            }
            assert!(start.elapsed() < PATIENCE, "the window did not become active");
            thread::sleep(PAUSE);
        }
    }

    /// Its working directory.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    fn tool(&self, arguments: &[&str]) {
        assert!(self.desk.tool("xdotool", arguments).is_some(), "xdotool {arguments:?}");
    }

    /// The present state.
    pub fn state(&self) -> State {
        State::read(&fs::read_to_string(self.directory().join("state")).unwrap_or_default())
    }

    /// Waits until a condition holds.
    #[track_caller]
    pub fn wait_for(&mut self, what: &str, holds: impl Fn(&State) -> bool) {
        let start = Instant::now();
        while !holds(&self.state()) {
            let ended = self.child.0.try_wait().unwrap();
            if ended.is_some() || start.elapsed() > PATIENCE {
                let errors = fs::read_to_string(self.directory().join("errors"));
                let state = fs::read_to_string(self.directory().join("state"));
                panic!("`{what}` did not happen\nended: {ended:?}\n{errors:?}\n{state:?}");
            }
            thread::sleep(PAUSE);
        }
    }

    /// Waits until something has a value.
    #[track_caller]
    pub fn wait(&mut self, name: &str, value: &str) {
        self.wait_for(&format!("{name} = {value}"), |state| state.text(name) == value);
    }

    /// Presses a key.
    pub fn press(&self, key: &str) {
        self.tool(&["key", key]);
    }

    /// Presses a key and waits until its command was carried out.
    #[track_caller]
    pub fn key(&mut self, key: &str, id: &str) {
        let count = self.state().number("commands");
        self.press(key);
        self.wait_for(&format!("{key} is {id}"), |state| {
            state.number("commands") > count && state.text("last") == id
        });
    }

    /// Types into the open question.
    pub fn type_text(&self, text: &str) {
        self.tool(&["type", "--delay", "30", "--", text]);
    }

    /// Moves the mouse to a place in the window.
    fn mouse_to(&self, x: i32, y: i32) {
        let (x, y) = (x.to_string(), y.to_string());
        self.tool(&["mousemove", "--window", &self.window, &x, &y]);
    }

    /// Puts the mouse on something as soon as it is there.
    #[track_caller]
    pub fn point_at(&mut self, name: &str) {
        self.wait_for(&format!("{name} is there"), |state| state.places().contains_key(name));
        loop {
            let state = self.state();
            let Some(place @ [left, right, y]) = state.places().get(name).copied() else {
                continue;
            };
            self.mouse_to((left + right) / 2 - 1, y - 1);
            self.mouse_to((left + right) / 2, y);
            // Dialogs move when a line is added: stay only where it still is two pictures later.
            let drawn = state.number("drawn");
            self.wait_for("two pictures", |state| state.number("drawn") >= drawn + 2.0);
            if self.state().places().get(name) == Some(&place) {
                return;
            }
        }
    }

    /// Clicks on something.
    #[track_caller]
    pub fn click(&mut self, name: &str, button: u8) {
        self.point_at(name);
        self.tool(&["click", &button.to_string()]);
    }

    /// Drags from the middle of the window.
    pub fn drag(&self, button: u8, modifier: Option<&str>, by: (i32, i32)) {
        let button = button.to_string();
        self.mouse_to(500, 350);
        if let Some(key) = modifier {
            self.tool(&["keydown", key]);
        }
        self.tool(&["mousedown", &button]);
        for part in 1..=4 {
            self.mouse_to(500 + by.0 * part / 4, 350 + by.1 * part / 4);
        }
        self.tool(&["mouseup", &button]);
        if let Some(key) = modifier {
            self.tool(&["keyup", key]);
        }
    }

    /// Turns the wheel.
    pub fn wheel_up(&self) {
        self.mouse_to(500, 350);
        self.tool(&["click", "4"]);
    }

    /// Opens the menu.
    #[track_caller]
    pub fn open_menu(&mut self) {
        self.mouse_to(120, 120);
        self.tool(&["click", "3"]);
        self.wait_for("the menu opens", |state| state.places().contains_key("Information"));
    }

    /// Clicks where no menu is.
    pub fn click_beside(&self) {
        self.mouse_to(800, 600);
        self.tool(&["click", "1"]);
    }

    /// Chooses an entry by way of its submenus.
    #[track_caller]
    pub fn menu(&mut self, path: &[&str]) {
        self.open_menu();
        if let Some((entry, submenus)) = path.split_last() {
            for submenu in submenus {
                self.point_at(submenu);
            }
            self.click(entry, 1);
        }
    }

    /// ESC ends the program.
    #[track_caller]
    pub fn quit_by_escape(self) {
        self.press("Escape");
        self.ends_well();
    }

    /// The close button ends the program.
    #[track_caller]
    pub fn close_window(self) {
        assert!(self.desk.tool("wmctrl", &["-c", "anidysim: m"]).is_some());
        self.ends_well();
    }

    /// The program ends with code 0.
    #[track_caller]
    pub fn ends_well(mut self) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.0.try_wait().unwrap() {
                assert_eq!(status.code(), Some(0));
                return;
            }
            assert!(start.elapsed() < PATIENCE, "the program did not end");
            thread::sleep(PAUSE);
        }
    }
}
