//! Messages about blocks of instances show the definition and the instances that lead there, also while a model runs.

use dysim_tests::simulate::run;
use engine::LoadOptions;
use parser::render::{Style, render_all};

#[test]
fn messages_show_definition_and_instances() {
    let text = "Component \"In\" { Port \"p\" { Domain = electrical; }\n    Resistor \"R\" { p = p; n = gnd; R = -\"x\"; }\n}\nComponent \"Out\" { Port \"p\" { Domain = electrical; } In \"i\" { p = p; } }\nVoltageSource \"V\" { p = a; n = gnd; V = 1; }\nOut \"o\" { p = a; }\nOut \"o2\" { p = a; }\n";
    let loaded = dysim_generated::loading::load_text(text, &LoadOptions::default());
    let shown = render_all(&loaded.diagnostics, &loaded.sources, Style::Plain);
    for part in [
        ":2:41: error",
        "in `o.i`, an instance of In",
        "in `o`, an instance of Out",
        "the same holds for one more instance",
    ] {
        assert!(shown.contains(part), "`{part}` is not in\n{shown}");
    }
}

#[test]
fn failures_of_a_run_name_the_instance_and_its_place() {
    // The root ends where its argument does, at t = 0.55.
    let text = r#"
        Solver "v" { Type = dynamic; Solver = derf; Tend = 2; Tstep = 0.1; }
        Component "Root" { Parameter "k" { Default = 1; }
            Variable "x" { Start = 1; }
            Equations "e" { x^2 = k - t; }
        }
        Root "b" { k = 0.55; }
    "#;
    let outcome = run(text);
    assert!((outcome.summary.end - 0.55).abs() < 0.1, "{}", outcome.summary.end);
    let shown = outcome.error.expect("there is no root behind the end").to_string();
    for part in ["`b.e`", "in `b`, an instance of Root", ":5:"] {
        assert!(shown.contains(part), "`{part}` is not in\n{shown}");
    }
}
