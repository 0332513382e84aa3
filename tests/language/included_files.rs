//! Files that include others: paths, once or twice, names of their own.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is not so")]

use super::chapter::{PENDULUM, errors};
use dysim_tests::loading::{load_files, messages};
use engine::LoadOptions;

#[test]
fn files_are_included_relative_to_the_including_file_and_once() {
    let loaded = load_files(
        &[
            (
                "work/main.dys",
                "Parameters \"first\" { a = 1; }\nInclude \"x\" { File = \"parts/x.dys\"; }\n\
                 Parameters \"last\" { f = 1; }\nInclude \"again\" { File = \"parts/../shared.dys\"; }",
            ),
            (
                "work/parts/x.dys",
                "Parameters \"x\" { b = 1; }\nInclude \"y\" { File = \"deep/y.dys\"; }\n\
                 Parameters \"xx\" { k = 1; }\nInclude \"shared\" { File = \"../shared.dys\"; }",
            ),
            (
                "work/parts/deep/y.dys",
                "Parameters \"y\" { c = 1; d = 1; }\nInclude \"s\" { File = \"../../shared.dys\"; }",
            ),
            ("work/shared.dys", "Parameters \"shared\" { s = 1; }"),
        ],
        &LoadOptions::default(),
    );
    assert!(errors(&loaded).is_empty(), "{}", messages(&loaded));
    let model = loaded.model.unwrap();
    // Included blocks stand in place of the Include block.
    let names: Vec<&str> = model.parameters.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["a", "b", "c", "d", "s", "k", "f"]);
    assert_eq!(model.name, "main");
}

/// The second Include block of a file adds nothing, which is told with both places.
#[test]
fn a_file_that_is_included_twice_is_told() {
    let main = "Include \"a\" { File = \"part.dys\"; }\nInclude \"b\" { File = \"./part.dys\"; }";
    let files = [("main.dys", main), ("part.dys", "Parameters \"p\" { L = 1; }")];
    let loaded = load_files(&files, &LoadOptions::default());
    let told: Vec<_> = loaded.diagnostics.iter().filter(|d| d.code.id() == "A133").collect();
    let [twice] = &told[..] else { panic!("{}", messages(&loaded)) };
    assert_eq!(loaded.sources.text(twice.primary.span), "\"./part.dys\"");
    assert_eq!(loaded.sources.text(twice.secondary[0].span), "\"part.dys\"");
}

#[test]
fn a_file_may_use_the_parameters_and_elements_of_another() {
    let tip = "Triad \"tip\" { Parent = arm; Position = L, 0, 0; }";
    let main =
        format!("Include \"t\" {{ File = tip.dys; }}\nParameters \"p\" {{ L = 4; }}{PENDULUM}");
    let loaded =
        load_files(&[("main.dys", main.as_str()), ("tip.dys", tip)], &LoadOptions::default());
    let said = messages(&loaded);
    assert_eq!(loaded.model.unwrap_or_else(|| panic!("{said}")).triads[0].position[0], 4.0);
}
