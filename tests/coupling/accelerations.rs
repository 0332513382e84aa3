//! Accelerations as signals of networks: accelerometers, and forces that follow from what they tell.

use super::arms::{ARMS, FINE, distance, second, solved, two_arms};
use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::run;

/// What blocks read is what the results show, which is computed from the motion of the links; also where a motion is
/// prescribed, a loop is closed, or the dense formulation is at work.
#[test]
fn blocks_read_what_results_show() {
    let readings = "Gain \"gq\" { u = J2.qdd; k = 1; }\n\
                    Gain \"gx\" { u = arm2.ax; k = 1; }\n\
                    Gain \"gz\" { u = arm2.az; k = 1; }\n\
                    Gain \"gs\" { u = arm1.ay - J1.qdd; k = 2; Tsample = 0.01; }\n\
                    TorqueSource \"M\" { a = shaft; Tau = -0.4*J1.qdd + 0.1*arm2.ax; }\n\
                    JointAxis \"drive\" { flange = shaft; Joint = J1; }\n\
                    Output \"o\" { Signals = J1.qdd, J2.qdd, arm1.ay, arm2.ax, arm2.az, gq.y, gx.y, gz.y, gs.y; Files = csv; }";
    let joined = "Triad \"hook\" { Parent = arm2; Position = 0, 0, -0.4; }\n\
                  Triad \"ring\" { Parent = world; Position = 0.9, 0, -0.6; }\n\
                  Rod \"rod\" { TriadFrom = ring; TriadTo = hook; }\n";
    let driven = "Motion \"m\" { Joint = J2; Q = 0.3*t*t - 0.7 - 0.5*t; }\n";
    for (name, more) in [("free", ""), ("driven", driven), ("loop", joined)] {
        let text = two_arms(second(), "0, 1, 0", ["", ""]).with(more).with(readings);
        let outcome = run(text.text());
        assert!(outcome.error.is_none(), "{name}: {:?}", outcome.error.map(|e| e.to_string()));
        let table = outcome.table("csv");
        assert!(table.rows.len() > 50, "{name}");
        for row in &table.rows {
            let at = |column: &str| row[table.index(column)];
            let pairs = [
                (at("gq.y"), at("J2.qdd")),
                (at("gx.y"), at("arm2.ax")),
                (at("gz.y"), at("arm2.az")),
                (at("gs.y"), 2.0 * (at("arm1.ay") - at("J1.qdd"))),
            ];
            for (k, (read, shown)) in pairs.into_iter().enumerate() {
                // Two ways through the same sums of some ten terms, of accelerations up to some hundred.
                assert!(
                    (read - shown).abs() < 1e-12 * (100.0 + shown.abs()),
                    "{name} {k}: {read} {shown}"
                );
            }
        }
    }
}

/// A torque -J qdd is the inertia of a rotor.
#[test]
fn feedback_of_an_acceleration_is_an_inertia() {
    let rotor = two_arms(second(), "1, 0, 0", ["RotorInertia = 0.7;", ""]).with(ARMS);
    let fed = two_arms(second(), "1, 0, 0", ["", ""])
        .with("TorqueSource \"M\" { a = shaft; Tau = -0.7*J1.qdd; }")
        .with("JointAxis \"drive\" { flange = shaft; Joint = J1; }")
        .with(ARMS);
    let (rotor, fed) = (solved(&rotor), run(fed.text()));
    assert!(fed.error.is_none());
    // Two integrations of one motion.
    let apart = distance(&rotor.table("csv"), &fed.table("csv"));
    assert!(apart < 1e3 * FINE, "{apart:e}");
}

/// A body on a spring and damper of Skyhook type: the force -m a of the network halves the frequency of a mass that it
/// trebles with, x = cos(w t), w^2 = k/(m + 3 m).
#[test]
fn a_virtual_mass_slows_an_oscillator() {
    let (mass, stiffness) = (2.0, 32.0);
    let text = Text::new([0.0; 3], Run::new("stiff", 1e-10, 1.0, 0.05))
        .joint(
            "Prismatic",
            ["slide", "world", "block"],
            [0.0; 3],
            "JointAxis = 0, 0, 1; Qinit = 1; QDinit = 0; Stiffness = 32;",
        )
        .body(["block", "world", "slide"], mass, [0.1; 3], [0.0; 3])
        .with(&format!("ForceSource \"F\" {{ a = rod; F = -3*{mass}*block.az; }}"))
        .with("JointAxis \"drive\" { flange = rod; Joint = slide; }")
        .with("Output \"o\" { Signals = slide.q, block.az; Files = csv; }");
    let outcome = run(text.text());
    assert!(outcome.error.is_none(), "{:?}", outcome.error.map(|e| e.to_string()));
    let table = outcome.table("csv");
    let w = (stiffness / (4.0 * mass)).sqrt();
    for row in &table.rows {
        let (t, q, a) = (row[0], row[table.index("slide.q")], row[table.index("block.az")]);
        let exact = (w * t).cos();
        // Some thirty steps with the tolerance of the run.
        assert!((q - exact).abs() < 1e-8 && (a + w * w * exact).abs() < 1e-7, "{t}: {q} {a}");
    }
}

/// What acts before the accelerations are known cannot use them; a sampled block can stand between.
#[test]
fn a_force_element_cannot_use_what_an_acceleration_changes_at_once() {
    let with = |more: &str| {
        let text = two_arms(second(), "0, 1, 0", ["", ""])
            .with("JointForce \"F\" { Joint1D = J2; Value = 0.1*g.y; }")
            .with(&format!("Gain \"g\" {{ u = J1.qdd; k = 1; {more} }}"));
        run(text.text()).error.map(|error| error.to_string())
    };
    let words = with("").unwrap_or_default();
    assert!(words.contains("depends on the acceleration"), "{words}");
    assert_eq!(with("Tsample = 0.01;"), None);
}
