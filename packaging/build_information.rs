//! Build script of both programs: what `--version` tells besides the number.
//!
//! Commit and date are those of the source, so that the same source gives the same program. A debug build does not name its commit:
//! it would have to be built anew after each one.

use std::env;
use std::process::Command;

fn main() {
    let profile = env::var("PROFILE").unwrap_or_default();
    let target = env::var("TARGET").unwrap_or_default();
    println!("cargo:rerun-if-changed=../packaging/build_information.rs");
    let source = match profile.as_str() {
        "release" => {
            println!("cargo:rerun-if-changed=../.git/HEAD");
            println!("cargo:rerun-if-changed=../.git/logs/HEAD");
            commit().unwrap_or_else(|| "source without a repository".to_string())
        }
        _ => "development build".to_string(),
    };
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".to_string());
    let compiler = output(&rustc, &["--version"]).unwrap_or_default();
    let compiler = compiler.split(' ').take(2).collect::<Vec<_>>().join(" ");
    println!("cargo:rustc-env=BUILD_SOURCE={source}");
    println!("cargo:rustc-env=BUILD_PROFILE={profile}, {target}, {compiler}");
}

/// Short hash and day of the commit that is built.
fn commit() -> Option<String> {
    let text = output("git", &["log", "-1", "--format=commit %h of %cs"])?;
    (!text.is_empty()).then_some(text)
}

/// What a program prints, if it succeeds.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).trim().to_string();
    output.status.success().then_some(text)
}
