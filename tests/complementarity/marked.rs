//! What nothing determines is marked where it is, in the log and in the summary, and nowhere else.

use dysim_tests::event_runs::{Told, simulate};

use crate::circuit::Circuit;

fn told(blocks: &str) -> Told {
    let text = Circuit::new(0.05, 20).text("derf", 1e-8) + blocks;
    simulate(&text).to_the_end()
}

/// The remarks about shares, which the log has too.
fn shares(told: &Told) -> Vec<&String> {
    let found: Vec<&String> = told.remarks.iter().filter(|words| words.contains("share")).collect();
    found.iter().for_each(|words| assert!(told.log.contains(*words), "{}", told.log));
    found
}

const SOURCE: &str = "VoltageSource \"U\" { p = n1; n = gnd; V = 10*sin(2*pi*t); }\n\
                      Resistor \"R\" { p = n2; n = gnd; R = 5; }\n";

#[test]
fn a_closed_switch_beside_a_conducting_diode_is_marked() {
    let both = told(&format!(
        "{SOURCE}Switch \"S\" {{ p = n1; n = n2; Closed = t > 0.1; }}\nDiode \"D\" {{ p = n1; n = n2; }}\n"
    ));
    let found = shares(&both);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("Switch `S`") && found[0].contains("Diode `D`"), "{found:?}");
    assert!(found[0].contains("t = 0.1"), "{found:?}");
    // What they carry together is exact, and least squares halve it where both conduct.
    let (i, d, s) = (both.column("R.i"), both.column("D.i"), both.column("S.i"));
    for ((i, d), s) in i.iter().zip(&d).zip(&s) {
        assert!((d + s - i).abs() < 1e-9, "{d} + {s} is not {i}");
    }
    assert!((d[4] - 0.5 * i[4]).abs() < 1e-9 && i[4] > 1.0, "{} of {}", d[4], i[4]);
}

#[test]
fn what_is_determined_is_not_marked() {
    for blocks in [
        // Each alone.
        "Diode \"D\" { p = n1; n = n2; }\n",
        "Switch \"S\" { p = n1; n = n2; Closed = t > 0.1; }\n",
        // In series.
        "Switch \"S\" { p = n1; n = n3; Closed = t > 0.1; }\nDiode \"D\" { p = n3; n = n2; }\n",
        // A resistance beside the diode, or in its branch.
        "Resistor \"S\" { p = n1; n = n2; R = 2; }\nDiode \"D\" { p = n1; n = n2; }\n",
        "Switch \"S\" { p = n1; n = n2; Closed = t > 0.1; }\nDiode \"D\" { p = n1; n = n3; }\nResistor \"R2\" { p = n3; n = n2; R = 1; }\n",
    ] {
        let told = told(&format!("{SOURCE}{blocks}"));
        assert!(shares(&told).is_empty(), "{blocks}: {:?}", told.remarks);
    }
}

#[test]
fn two_locked_clutches_are_marked() {
    let train = |clutches: &str| {
        told(&format!(
            "Inertia \"J1\" {{ a = n1; J = 1; }}\nInertia \"J2\" {{ a = n2; J = 2; }}\n\
             TorqueSource \"T\" {{ a = n1; Tau = 3; }}\n{clutches}"
        ))
    };
    let clutch = |name: &str| {
        format!("Clutch \"{name}\" {{ a = n1; b = n2; Rmax = 10; Rv = 10; Engaged = 1; }}\n")
    };
    let two = train(&(clutch("A") + &clutch("B")));
    let found = shares(&two);
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].contains("Clutch `A`") && found[0].contains("Clutch `B`"), "{found:?}");
    // 3 Nm on 3 kg m^2: 1 rad/s^2, so that 2 Nm pass, 1 Nm by each.
    assert!((two.last("A.tau").abs() - 1.0).abs() < 1e-9, "{}", two.last("A.tau"));
    assert!(shares(&train(&clutch("A"))).is_empty());
}
