//! How long the program takes to start: `--version`, and checking a small model; both should stay below 20 ms.
//!
//!     cargo bench -p dysim-benches --bench startup
//!
//! Builds the program in the release profile first. The least and the median of many starts are printed; the least is what the
//! program needs, the rest is the machine.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const STARTS: usize = 101;

fn main() -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let arguments = ["build", "--quiet", "--release", "-p", "dysim"];
    if !Command::new(cargo).args(arguments).current_dir(&root).status()?.success() {
        return Err(std::io::Error::other("the program cannot be built"));
    }
    // <target>/release/deps/<bench>
    let bench = std::env::current_exe()?;
    let program = bench.ancestors().nth(2).unwrap_or(Path::new(".")).join("dysim");
    println!("| command | least, ms | median, ms |\n|---|---|---|");
    for arguments in
        [&["--version"][..], &["--check", "models/mechanics/pendulum.dys"], &["--help"]]
    {
        let mut times = Vec::with_capacity(STARTS);
        for _ in 0..STARTS {
            times.push(start(&program, arguments, &root)?);
        }
        times.sort();
        let ms = |time: Duration| 1e3 * time.as_secs_f64();
        println!(
            "| {} | {:.2} | {:.2} |",
            arguments.join(" "),
            ms(times[0]),
            ms(times[STARTS / 2])
        );
    }
    Ok(())
}

/// Time of one start.
fn start(program: &Path, arguments: &[&str], folder: &Path) -> std::io::Result<Duration> {
    let clock = Instant::now();
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).stdout(Stdio::null()).stderr(Stdio::null());
    command.status()?;
    Ok(clock.elapsed())
}
