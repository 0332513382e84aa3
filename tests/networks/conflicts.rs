//! Networks that cannot be: the message names the loop or the cut, and the smallest remedy.

use dysim_tests::circuits::{Setting, text};
use dysim_tests::simulate::run;

const SETTING: Setting = Setting { solver: "derf", end: 0.02, step: 1e-3, tolerance: 1e-9 };

/// What is said about a network, behind the time.
fn told(blocks: &str) -> (String, String) {
    let mut found = Vec::new();
    for solver in ["derf", "stiff", "radau5"] {
        let outcome = run(&text(Setting { solver, ..SETTING }, "", blocks));
        let mistake = outcome.failure();
        assert_eq!(mistake.code, "S201", "{}", mistake.message);
        let words = mistake.message.split(" s: ").nth(1).unwrap_or_default().to_string();
        found.push((words, mistake.help.clone().unwrap_or_default()));
    }
    assert!(found.iter().all(|other| *other == found[0]), "{found:?}");
    found.swap_remove(0)
}

/// The messages, read aloud.
#[test]
fn loops_and_cuts_are_named() {
    let cases = [
        (
            "VoltageSource \"V\" { p = in; n = gnd; V = 5; } VoltageSource \"W\" { p = b; n = gnd; V = 6; } \
             Switch \"S\" { p = in; n = b; Closed = t >= 0.005; } Resistor \"R\" { p = b; n = gnd; R = 1000; }",
            "Switch `S`: the voltages contradict each other, as Switch `S` switches: nothing gives way in the loop of \
             VoltageSource `V`, VoltageSource `W`, Switch `S`",
            "give Switch `S` a resistance: `Ron = 1e-3;`",
        ),
        (
            "VoltageSource \"V\" { p = in; n = gnd; V = 5; } VoltageSource \"W\" { p = b; n = gnd; V = 10*sin(300*t); } \
             Diode \"D\" { p = b; n = in; } Resistor \"R\" { p = b; n = gnd; R = 1000; }",
            "Diode `D`: the voltages contradict each other, as Diode `D` switches: nothing gives way in the loop of \
             VoltageSource `V`, VoltageSource `W`, Diode `D`",
            "give Diode `D` a resistance: `Ron = 1e-3;`",
        ),
        (
            "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Switch \"S\" { p = in; n = a; Closed = t < 2e-3; } \
             Inductor \"L\" { p = a; n = b; L = 0.01; } Resistor \"R\" { p = b; n = gnd; R = 5; }",
            "Inductor `L`: the current of Inductor `L` would have to jump, as Switch `S` switches: no way is left in the cut of \
             Switch `S`, Inductor `L`",
            "give it another way: a diode across Inductor `L`, or `Roff = 1e6;` at Switch `S`",
        ),
        (
            "VoltageSource \"V\" { p = in; n = gnd; V = 5; } Switch \"S\" { p = in; n = a; Closed = t >= 0.005; } \
             Capacitor \"C\" { p = a; n = gnd; C = 1e-6; } Resistor \"R\" { p = a; n = gnd; R = 1000; }",
            "Capacitor `C`: the charge of Capacitor `C` would have to jump, as Switch `S` switches: nothing gives way in the \
             loop of VoltageSource `V`, Switch `S`, Capacitor `C`",
            "give Switch `S` a resistance: `Ron = 1e-3;`",
        ),
        (
            "CurrentSource \"I\" { p = gnd; n = a; I = 1; } Switch \"S\" { p = a; n = gnd; Closed = t < 0.005; }",
            "Switch `S`: the currents contradict each other, as Switch `S` switches: no way is left in the cut of \
             CurrentSource `I`, Switch `S`",
            "give it another way: a resistor across CurrentSource `I`, or `Roff = 1e6;` at Switch `S`",
        ),
        (
            "PressureSource \"P\" { a = x; b = tank; P = 1e5; } PressureSource \"Q\" { a = y; b = tank; P = 2e7*t; } \
             CheckValve \"V\" { a = y; b = x; } HydraulicResistor \"R\" { a = y; b = tank; R = 1e8; }",
            "CheckValve `V`: the pressures contradict each other, as CheckValve `V` switches: nothing gives way in the loop \
             of PressureSource `P`, PressureSource `Q`, CheckValve `V`",
            "give CheckValve `V` a resistance: `Ron = 1e6;`",
        ),
    ];
    for (blocks, words, remedy) in cases {
        let (found, help) = told(blocks);
        assert_eq!(found, words);
        assert_eq!(help, remedy, "{found}");
    }
}

/// The remedy that the message names lets the same network run.
#[test]
fn what_the_message_asks_for_helps() {
    for blocks in [
        "VoltageSource \"V\" { p = in; n = gnd; V = 5; } VoltageSource \"W\" { p = b; n = gnd; V = 6; } \
         Switch \"S\" { p = in; n = b; Closed = t >= 0.005; Ron = 1e-3; }",
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Switch \"S\" { p = in; n = a; Closed = t < 2e-3; } \
         Inductor \"L\" { p = a; n = gnd; L = 0.01; } Diode \"D\" { p = gnd; n = a; }",
        "VoltageSource \"V\" { p = in; n = gnd; V = 10; } Switch \"S\" { p = in; n = a; Closed = t < 2e-3; Roff = 1e6; } \
         Inductor \"L\" { p = a; n = gnd; L = 0.01; }",
        "VoltageSource \"V\" { p = in; n = gnd; V = 5; } Switch \"S\" { p = in; n = a; Closed = t >= 0.005; Ron = 1e-3; } \
         Capacitor \"C\" { p = a; n = gnd; C = 1e-6; }",
        "CurrentSource \"I\" { p = gnd; n = a; I = 1; } Switch \"S\" { p = a; n = gnd; Closed = t < 0.005; Roff = 1e6; }",
        "CurrentSource \"I\" { p = gnd; n = a; I = 1; } Switch \"S\" { p = a; n = gnd; Closed = t < 0.005; } \
         Resistor \"R\" { p = a; n = gnd; R = 10; }",
    ] {
        let setting = Setting { solver: "stiff", ..SETTING };
        run(&text(setting, "", blocks)).complete();
    }
}
