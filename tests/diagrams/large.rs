//! Large models end in seconds, and too large ones say what to do.

use std::fmt::Write;
use std::time::{Duration, Instant};

use diagram::DiagramError;
use dysim_tests::random::Random;

use crate::inspection::{diagram, inspect};

const SETTINGS: &str = "Header \"h\" { ModelName = big; OutputType = all; }\n\
    System \"s\" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }\n\
    Solver \"v\" { Type = dynamic; Solver = derf; Tend = 1; Tstep = 0.01; }\n";

#[test]
fn two_thousand_boxes_take_seconds() {
    let mut random = Random::new(9);
    let mut mesh = String::from(SETTINGS);
    mesh.push_str("VoltageSource \"V\" { p = n0_0; n = gnd; V = 5; }\n");
    for i in 0..31 {
        for j in 0..31 {
            for (name, k, l) in [("h", i, j + 1), ("v", i + 1, j)] {
                let _ = writeln!(
                    mesh,
                    "Resistor \"{name}{i}_{j}\" {{ p = n{i}_{j}; n = n{k}_{l}; R = 1; }}"
                );
            }
        }
    }
    for k in 0..31 {
        let _ = writeln!(mesh, "Resistor \"x{k}\" {{ p = n{k}_31; n = gnd; R = 1; }}");
        let _ = writeln!(mesh, "Resistor \"y{k}\" {{ p = n31_{k}; n = gnd; R = 1; }}");
    }
    let mut signals = String::from(SETTINGS);
    signals.push_str("Function \"f0\" { y = sin(t); }\n");
    for k in 1..2000usize {
        let near = random.below(k.min(30)) + 1;
        let far = random.below(k);
        let _ = writeln!(signals, "Function \"f{k}\" {{ y = f{}.y + f{far}.y; }}", k - near);
    }
    for (name, text) in [("mesh", mesh), ("signals", signals)] {
        let diagram = diagram(name, &text);
        let start = Instant::now();
        let picture = diagram.picture(None, 0).unwrap();
        let passed = start.elapsed();
        assert!(passed < Duration::from_secs(60), "{name}: {passed:?}");
        assert!(picture.boxes.len() > 1900);
        if name == "mesh" {
            inspect(name, &picture);
        }
    }
}

#[test]
fn equal_members_are_one_box_and_too_many_boxes_are_refused() {
    let row = |count: usize, name: &str| {
        let mut text = String::from(SETTINGS);
        text.push_str("VoltageSource \"V\" { p = n0; n = gnd; V = 5; }\n");
        for k in 0..count {
            let _ = writeln!(
                text,
                "Resistor \"{}\" {{ p = n{k}; n = n{}; R = 1; }}",
                name.replace('#', &k.to_string()),
                k + 1
            );
        }
        let _ = writeln!(text, "Resistor \"end\" {{ p = n{count}; n = gnd; R = 1; }}");
        text
    };
    let grouped = diagram("row", &row(5000, "R[#]")).picture(None, 0).unwrap();
    let names: Vec<&str> =
        grouped.boxes.iter().map(|one| one.title.lines().next().unwrap_or_default()).collect();
    assert!(names.contains(&"R[…]: 5000 × Resistor"), "{names:?}");
    inspect("grouped", &grouped);
    // Opened instances of a Repeat share a frame.
    let parts = "Component \"A\" { Port \"p\" { Domain = electrical; } Port \"n\" { Domain = electrical; } \
                 Resistor \"R\" { p = p; n = m; R = 1; } Resistor \"S\" { p = m; n = n; R = 1; } }\n\
                 VoltageSource \"V\" { p = n[0]; n = gnd; V = 5; }\n\
                 Resistor \"end\" { p = n[9]; n = gnd; R = 1; }\n\
                 Repeat \"k\" { From = 1; To = 9; A \"a[k]\" { p = n[k-1]; n = n[k]; } }\n";
    let opened = diagram("opened", &format!("{SETTINGS}{parts}")).picture(None, 1).unwrap();
    let frame = opened.boxes.iter().find(|one| one.title == "a[…]: 9 × A").unwrap();
    let inside = &frame.inside.as_ref().unwrap().picture;
    let titles: Vec<&str> = inside.boxes.iter().map(|one| one.title.as_str()).collect();
    assert!(titles.contains(&"R: Resistor") && titles.contains(&"S: Resistor"), "{titles:?}");
    inspect("opened", &opened);
    let too_large = diagram("row", &row(5000, "R#")).picture(None, 0).unwrap_err();
    assert_eq!(too_large, DiagramError::TooLarge { boxes: 5002 });
    assert!(too_large.to_string().contains("--inside"), "{too_large}");
    // Below the limit a long row is drawn in full.
    let long = diagram("row", &row(2900, "R#")).picture(None, 0).unwrap();
    assert_eq!(long.crossings, 0);
}
