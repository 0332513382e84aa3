//! `dysim diagram`.

use std::fs;
use std::path::Path;

use dysim_tests::programs::{Run, dysim, ends, example, run};
use tempfile::TempDir;

/// Runs `dysim diagram ARGUMENTS` in a directory.
fn on(directory: &TempDir, arguments: &[&str]) -> Run {
    run(dysim().current_dir(directory.path()).arg("diagram").args(arguments))
}

fn files(directory: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(directory.path()).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Where the links of a picture lead.
fn links(svg: &str) -> Vec<String> {
    let found = svg.split("<a href=\"").skip(1).map(|rest| rest.split('"').next().unwrap());
    found.map(|link| link.replace("%5B", "[").replace("%5D", "]").replace("%2C", ",")).collect()
}

#[test]
fn insides_are_written_beside_the_picture_and_links_lead_to_files() {
    let directory = tempfile::tempdir().unwrap();
    let run = on(&directory, &[&example("mechatronics/r3_complete"), "-o", "r3.svg"]);
    ends(&run, 0, &["wrote r3.svg", "wrote 32 pictures of insides beside it"]);
    let names = files(&directory);
    assert_eq!(names.len(), 33, "{names:?}");
    let mut reached = vec!["r3.svg".to_string()];
    let mut at = 0;
    while at < reached.len() {
        let text = fs::read_to_string(directory.path().join(&reached[at])).unwrap();
        for link in links(&text) {
            assert!(names.contains(&link), "{}: {link}", reached[at]);
            if !reached.contains(&link) {
                reached.push(link);
            }
        }
        at += 1;
    }
    assert_eq!(reached.len(), 33, "every picture can be reached from the first one");
    // An inside leads back.
    let inside = fs::read_to_string(directory.path().join("r3.r3.a1.m.svg")).unwrap();
    assert_eq!(links(&inside), ["r3.r3.a1.svg"]);
}

#[test]
fn the_members_of_a_repeat_have_files_of_their_names() {
    let directory = tempfile::tempdir().unwrap();
    ends(&on(&directory, &[&example("loops/stewart_platform"), "-q", "-o", "s.svg"]), 0, &[]);
    assert!(files(&directory).contains(&"s.leg[6].svg".to_string()), "{:?}", files(&directory));
    let text = fs::read_to_string(directory.path().join("s.svg")).unwrap();
    assert_eq!(links(&text).len(), 6);
    assert!(text.contains("leg%5B6%5D.svg"));
}

#[test]
fn an_inside_is_drawn_by_itself_with_its_ports() {
    let directory = tempfile::tempdir().unwrap();
    let model = example("library/drives_servo");
    let run = on(&directory, &[&model, "--inside", "rigid", "-o", "-"]);
    ends(&run, 0, &[]);
    for word in ["rigid: ServoAxis", ">flange<", ">set<", ">rate<", ">amplifier<", ">tau<"] {
        assert!(run.out.contains(word), "no {word}");
    }
    assert!(run.out.starts_with("<svg ") && run.out.ends_with("</svg>\n"));
    assert!(!run.out.contains("<a "), "nothing is written that a link could lead to");
    // The default name is not that of a plot.
    ends(&on(&directory, &[&model]), 0, &["wrote drives_servo.diagram.svg"]);
}

#[test]
fn depth_opens_instances_in_the_picture() {
    let directory = tempfile::tempdir().unwrap();
    let model = example("library/drives_servo");
    let closed = on(&directory, &[&model, "--depth", "0", "-o", "-"]);
    ends(&closed, 0, &[]);
    assert!(closed.out.contains(">rigid<") && !closed.out.contains(">amplifier<"));
    let opened = on(&directory, &[&model, "--depth", "1", "-o", "-"]);
    ends(&opened, 0, &[]);
    assert!(opened.out.contains(">rigid<") && opened.out.contains(">amplifier<"));
    assert!(!opened.out.contains(">spring<"), "the next level stays closed");
    let all = on(&directory, &[&model, "--depth", "1000000", "-o", "-"]);
    ends(&all, 0, &[]);
    assert!(all.out.contains(">spring<"));
    // What stays closed has its picture.
    ends(&on(&directory, &[&model, "--depth", "1", "-o", "d.svg"]), 0, &[]);
    let text = fs::read_to_string(directory.path().join("d.svg")).unwrap();
    assert!(links(&text).contains(&"d.elastic.gear.svg".to_string()), "{:?}", links(&text));
}

#[test]
fn bitmaps_are_written_too() {
    let directory = tempfile::tempdir().unwrap();
    ends(&on(&directory, &[&example("loops/four_bar"), "-o", "f.png"]), 0, &["wrote f.png"]);
    let bytes = fs::read(directory.path().join("f.png")).unwrap();
    assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
}

#[test]
fn values_and_libraries_of_the_command_line_count() {
    let directory = tempfile::tempdir().unwrap();
    let run = on(&directory, &[&example("mechanics/chain"), "--set", "N=3", "-o", "-"]);
    ends(&run, 0, &[]);
    assert!(run.out.contains(">link[3]<") && !run.out.contains(">link[4]<"));
    let run = on(&directory, &[&example("mechanics/chain"), "-o", "-"]);
    assert!(run.out.contains("20 × Body"), "twenty equal ones are one box");
}

#[test]
fn what_goes_wrong_is_explained() {
    let directory = tempfile::tempdir().unwrap();
    let servo = example("library/drives_servo");
    let wrong = "Resistor \"R1\" { p = a; n = gnd; R = Q; }\n";
    fs::write(directory.path().join("wrong.dys"), wrong).unwrap();
    let cases: [(&[&str], i32, &[&str]); 7] = [
        (
            &[&servo, "--inside", "elastik"],
            64,
            &["there is no instance `elastik`; did you mean `elastic`?"],
        ),
        (&[&servo, "--inside", "xyzxyz"], 64, &["there is no instance `xyzxyz`"]),
        (
            &[&example("loops/four_bar"), "--inside", "m1"],
            64,
            &["the model has no instances of components"],
        ),
        (&[&servo, "-o", "x.pdf"], 64, &["its name must end in .svg or .png"]),
        (&[&servo, "-o", "missing/x.svg"], 3, &["cannot write `missing/x"]),
        (&["wrong.dys"], 1, &["there is no parameter `Q`", "wrong.dys:1"]),
        (&["nothing.dys"], 3, &["nothing.dys"]),
    ];
    for (arguments, code, said) in cases {
        ends(&on(&directory, arguments), code, said);
    }
    let left = files(&directory);
    assert_eq!(left, ["wrong.dys"], "nothing is left behind");
    assert!(!Path::new("missing").exists());
}
