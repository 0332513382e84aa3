//! Mistakes inside of a component inside of a component: each message shows the place in the definition; a mistake that an
//! instance shows also names the instances that lead there, from the inside to the outside.

use engine::LoadOptions;
use parser::diagnostic::Severity;
use parser::render::{Style, render_all};

/// How far a mistake follows from the definition alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shows {
    Definition,
    Instances,
}
use Shows::{Definition, Instances};

/// A line of the component, the code of its message, and what that shows.
const MISTAKES: &[(&str, &str, Shows)] = &[
    (r#"Resistor "r" { p = p; n = gnd; R = 1/(k - 1); }"#, "A123", Instances),
    (r#"Resistor "r" { p = p; n = gnd; R = l[k + 2]; }"#, "A226", Instances),
    (r#"Resistor "r" { p = p; n = gnd; R = if(k > 0, "a", 1); }"#, "A113", Instances),
    (r#"Resistor "r" { p = p; n = f; R = 1; }"#, "A165", Instances),
    (r#"Inertia "r" { a = p; J = 1; }"#, "A164", Instances),
    (r#"Resistor "r" { p = p; n = lonely; R = 1; }"#, "A165", Instances),
    (r#"VoltageSource "w" { p = p; n = gnd; V = 2; }"#, "A169", Instances),
    (r#"Variable "x" { Unit = "V"; }"#, "A250", Instances),
    (r#"Variable "x" { } Equations "e" { x = p.v; x = 2*p.v; }"#, "A250", Instances),
    (r#"Variable "x" { } Equations "e" { x = p.w; }"#, "A126", Instances),
    (r#"Variable "x" { Fixed = yes; } Equations "e" { x = p.v; }"#, "A252", Instances),
    (r#"Variable "x" { } Equations "e" { x = ok.q; }"#, "A126", Instances),
    (r#"Variable "x" { } Equations "e" { x = f.q; }"#, "A126", Instances),
    (r#"Equations "e" { p.i = 0; }"#, "A250", Instances),
    (r#"When "w" { Condition = k > 0; Set { d = 1; } }"#, "A241", Instances),
    (r#"When "w" { Condition = t > 0.5; Set { ok.R = 1; } }"#, "A126", Instances),
    (r#"When "w" { Condition = t > 0.5; Set { d = 1; d = 2; } }"#, "A242", Instances),
    (r#"When "w" { Condition = t > 0.5; Set { dd = 1; } }"#, "A222", Definition),
    (
        r#"Automaton "g" { States = a, b; Start = c; Transitions { a -> b : t > 0.5; } }"#,
        "A243",
        Instances,
    ),
    (
        r#"Automaton "g" { States = a, b; Start = a; Transitions { a -> c : t > 0.5; } }"#,
        "A243",
        Instances,
    ),
    (
        r#"Triad "T" { Parent = body; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }"#,
        "A222",
        Definition,
    ),
    (
        r#"Repeat "i" { To = k + 0.5; Resistor "r[i]" { p = p; n = gnd; R = i; } }"#,
        "A226",
        Instances,
    ),
    (r#"Repeat "i" { To = 3; Resistor "r" { p = p; n = gnd; R = i; } }"#, "A106", Instances),
    (r#"Repeat "i" { To = 3; Resistor "r[i]" { p = p; n = m[i]; R = i; } }"#, "A165", Instances),
    (r#"Repeat "i" { From = 1; Resistor "r[i]" { p = p; n = gnd; R = i; } }"#, "A112", Definition),
    (r#"Resistor "r" { If = t > 1; p = p; n = gnd; R = 1; }"#, "A125", Definition),
    (r#"Resistor "r" { p = p; n = gnd; R = sum(i, 1, 3, l[i]); }"#, "A226", Instances),
    (r#"Resistor "r" { p = p; n = gnd; R = clampp(k, 0, 1); }"#, "A121", Instances),
    (r#"Resistor "r" { p = p; n = gnd; R = clamp(k, 0); }"#, "A122", Instances),
    (r#"Resistor "r" { p = p; n = gnd; Rr = 1; }"#, "A112", Instances),
    (r#"Resistor "r" { p = p; R = 1; }"#, "A112", Instances),
    (r#"Signal "s" { Value = ok.ii; }"#, "A126", Instances),
    (r#"Signal "s" { Value = s + 1; }"#, "A128", Instances),
    (r#"Formula "g" { Of = x; Value = y; }"#, "A222", Definition),
    (r#"Gain "g" { u = gg.y; k = 1; }"#, "A222", Definition),
    (r#"Inner "again" { p = p; f = f; }"#, "A221", Definition),
    (r#"Outer "again" { p = p; }"#, "A221", Definition),
    (r#"Header "h" { ModelName = x; }"#, "A224", Definition),
    (r#"Output "o" { Files = csv; }"#, "A224", Definition),
    (r#"Resistor "ok" { p = p; n = gnd; R = 2; }"#, "A106", Instances),
    (
        r#"Sine "s" { Frequency = 1; } When "w" { Condition = s.y > 0.5; Set { s.y = 1; } }"#,
        "A240",
        Instances,
    ),
    (r#"CurrentSource "c" { p = p; n = gnd; I = sqrt(-k)*p.v; }"#, "A124", Instances),
    (r#"Variable "x" { Start = l; } Equations "e" { der(x) = 1; }"#, "A114", Instances),
];

/// The line is the tenth of the file.
fn text(line: &str) -> String {
    format!(
        r#"Solver "v" {{ Solver = derf; Tend = 1; Tstep = 0.1; }}
Component "Inner" {{
    Port "p" {{ Domain = electrical; }}
    Port "f" {{ Domain = frame; }}
    Parameter "k" {{ Default = 1; }}
    Parameter "l" {{ Default = {{ 1, 2 }}; }}
    Input "u" {{ Default = 0; }}
    Resistor "ok" {{ p = p; n = gnd; R = 1; }}
    Variable "d" {{ Type = discrete; }}
    {line}
}}
Component "Outer" {{
    Port "p" {{ Domain = electrical; }}
    Inner "in" {{ p = p; f = foot; }}
    Triad "foot" {{ Parent = world; }}
}}
VoltageSource "V" {{ p = a; n = gnd; V = 1; }}
Outer "one" {{ p = a; }}
Outer "two" {{ p = a; }}
"#
    )
}

#[test]
fn messages_about_components_show_definition_and_instances() {
    assert!(MISTAKES.len() >= 40);
    for &(line, code, shows) in MISTAKES {
        let loaded = dysim_generated::loading::load_text(text(line), &LoadOptions::default());
        let errors: Vec<_> =
            loaded.diagnostics.iter().filter(|d| d.severity == Severity::Error).collect();
        assert!(!errors.is_empty(), "no error: {line}");
        let shown = render_all(&loaded.diagnostics, &loaded.sources, Style::Plain);
        for error in errors {
            assert_eq!(error.code.id(), code, "{line}\n{shown}");
        }
        let message = shown.split("\n\n").find(|part| part.contains(&format!("error[{code}]")));
        let message = message.unwrap_or_default();
        assert!(message.contains(":10:") && message.contains("\n 10 | "), "{line}\n{shown}");
        for chain in ["in `one.in`, an instance of Inner", "in `one`, an instance of Outer"] {
            assert_eq!(message.contains(chain), shows == Instances, "{line}\n{shown}");
        }
        assert!(!message.contains("`two"), "one message for both instances: {line}\n{shown}");
    }
}
