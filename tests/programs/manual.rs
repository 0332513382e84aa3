//! The manual does what it says: its models are written to files, its commands are run, and what they print is compared.
//!
//! A fenced block with `file=NAME` is written to a file, one with `append=NAME` added to it. `sh` blocks are run; `fails` behind `sh`
//! means that they must not succeed. Every line of an `output` block must be among what the last commands printed. A `dys` block
//! without a file must at least be a text without mistakes. Pictures that the commands make and the page shows are kept beside
//! the page; `UPDATE_EXPECT=1` renews them.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use dysim_tests::programs::{Run, anidysim, dysim, root, run};

/// A fenced block.
struct Block<'p> {
    language: &'p str,
    options: Vec<&'p str>,
    text: &'p str,
}

impl<'p> Block<'p> {
    /// The value of an option `name=value`.
    fn option(&self, name: &str) -> Option<&'p str> {
        self.options.iter().find_map(|option| option.strip_prefix(name)?.strip_prefix('='))
    }
}

fn blocks(page: &str) -> Vec<Block<'_>> {
    let mut parts = page.split("\n```").skip(1);
    let mut blocks = Vec::new();
    while let (Some(block), _) = (parts.next(), parts.next()) {
        let (info, text) = block.split_once('\n').unwrap_or((block, ""));
        let mut words = info.split(' ');
        let language = words.next().unwrap_or_default();
        blocks.push(Block { language, options: words.collect(), text });
    }
    blocks
}

/// All pages: every `.md` file of the manual, without the pages that programs make.
fn pages() -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open = vec![root().join("docs")];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                all.push(path);
            }
        }
    }
    all.sort();
    all
}

/// Is there a program, and does it accept these arguments?
fn works(program: &str, arguments: &[&str]) -> bool {
    Command::new(program).args(arguments).output().is_ok_and(|output| output.status.success())
}

/// A working directory for the commands of a page.
struct Desk {
    directory: tempfile::TempDir,
    /// What the last commands printed.
    printed: String,
    /// Can the animator draw here? Where the tests must be complete, it must.
    draws: bool,
}

impl Desk {
    fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink(root().join("models"), directory.path().join("models")).unwrap();
        let draws =
            std::env::var_os("CI").is_some() || Path::new("/usr/share/vulkan/icd.d").exists();
        Self { directory, printed: String::new(), draws }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs commands with the programs of the workspace.
    fn commands(&mut self, text: &str) -> Run {
        let is_for_a_window = |line: &str| {
            let printing = ["--record", "--version", "--man", "--completions"];
            let draws = line.contains("--record");
            line.starts_with("anidysim")
                && (!printing.iter().any(|option| line.contains(option)) || (draws && !self.draws))
        };
        let lines: Vec<&str> = text.lines().filter(|line| !is_for_a_window(line)).collect();
        let programs = [dysim(), anidysim()];
        let folders =
            programs.iter().filter_map(|command| Path::new(command.get_program()).parent());
        let mut search: Vec<PathBuf> = folders.map(Path::to_path_buf).collect();
        search.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()));
        let mut shell = Command::new("sh");
        shell.args(["-e", "-c", &lines.join("\n")]).current_dir(self.directory.path());
        shell.env("PATH", std::env::join_paths(search).unwrap());
        shell.env("XDG_RUNTIME_DIR", self.directory.path());
        let run = run(&mut shell);
        self.printed = format!("{}{}", run.out, run.err);
        run
    }

    fn follow(&mut self, page: &Path, block: &Block<'_>) {
        let place = format!("{}: {}", page.display(), block.text);
        if let Some(name) = block.option("file") {
            fs::write(self.path(name), block.text).unwrap();
        } else if let Some(name) = block.option("append") {
            let before = fs::read_to_string(self.path(name)).unwrap();
            fs::write(self.path(name), format!("{before}{}\n", block.text)).unwrap();
        } else {
            self.execute(&place, block);
        }
    }

    fn execute(&mut self, place: &str, block: &Block<'_>) {
        match block.language {
            "sh" => {
                let run = self.commands(block.text);
                let should_fail = block.options.contains(&"fails");
                assert_eq!(run.code != Some(0), should_fail, "{place}\n{}", self.printed);
                assert!(!self.printed.contains("panicked"), "{place}\n{}", self.printed);
            }
            "output" => {
                for line in block.text.lines().map(str::trim).filter(|line| !line.is_empty()) {
                    assert!(self.printed.contains(line), "`{line}` in {place}\n{}", self.printed);
                }
            }
            "dys" => {
                let read = dysim_tests::fuzz::Read::new(block.text);
                assert_eq!(read.parsed.diagnostics.errors(), 0, "{place}");
            }
            "python" => {
                // The system's own may have pandas where the first of the path has not.
                let pythons = ["python3", "/usr/bin/python3"];
                let has_pandas = |python: &&str| works(python, &["-c", "import pandas"]);
                if let Some(python) = pythons.into_iter().find(has_pandas) {
                    self.foreign(python, place, block.text);
                }
            }
            "gnuplot" if works("gnuplot", &["--version"]) => {
                self.foreign("gnuplot", place, block.text)
            }
            "gnuplot" | "text" | "rust" => {}
            other => panic!("what is to be done with `{other}`? {place}"),
        }
    }

    /// Runs a script of another program.
    fn foreign(&self, program: &str, place: &str, text: &str) {
        fs::write(self.path("script"), text).unwrap();
        let run = run(Command::new(program).arg("script").current_dir(self.directory.path()));
        assert_eq!(run.code, Some(0), "{place}\n{}", run.err);
    }

    /// The pictures that the page shows and the commands have made.
    fn compare_pictures(&self, page: &Path, text: &str) {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let is_picture = link.ends_with(".svg") || link.ends_with(".png");
            let (made, kept) = (self.path(link), page.with_file_name(link));
            if !is_picture || link.contains('/') || !made.exists() {
                continue;
            }
            if std::env::var_os("UPDATE_EXPECT").is_some() {
                fs::copy(&made, &kept).unwrap();
            }
            assert!(
                kept.exists(),
                "{}: `{link}` is not kept; UPDATE_EXPECT=1 does it",
                page.display()
            );
            if link.ends_with(".svg") {
                let words =
                    |path: &Path| super::plots::words_of(&fs::read_to_string(path).unwrap());
                assert_eq!(
                    words(&made),
                    words(&kept),
                    "{}: `{link}` is out of date",
                    page.display()
                );
            }
        }
    }
}

#[test]
fn every_example_of_the_manual_works() {
    let pages = pages();
    let mut commands = 0;
    for page in &pages {
        let text = fs::read_to_string(page).unwrap();
        let mut desk = Desk::new();
        for block in blocks(&text) {
            commands += usize::from(block.language == "sh");
            desk.follow(page, &block);
        }
        desk.compare_pictures(page, &text);
    }
    assert!(
        pages.len() >= 15 && commands >= 20,
        "{} pages, {commands} blocks of commands",
        pages.len()
    );
}

#[test]
fn the_table_of_contents_names_every_page_and_every_link_leads_somewhere() {
    let contents = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    for page in pages() {
        let name = page.strip_prefix(root().join("docs")).unwrap().display().to_string();
        assert!(name == "SUMMARY.md" || contents.contains(&format!("({name})")), "no `{name}`");
        let text = fs::read_to_string(&page).unwrap();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = target.split('#').next().unwrap_or_default();
            let exists = target.starts_with("https://")
                || page.with_file_name(file).exists()
                || file.is_empty();
            assert!(exists, "{name} links to `{target}`");
        }
    }
}
