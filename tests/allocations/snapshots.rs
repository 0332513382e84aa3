//! Saving and restoring a session again and again takes no new memory.
#![allow(clippy::expect_used)]

use dysim_generated::counting::own_requests;
use dysim_generated::root;
use engine::plugin::Plugins;
use engine::{Error, LoadOptions, Model, ModelSource, Session};

/// Models of all kinds: contact, loops, diodes, sampled controllers, delay, plugin, rigid drives.
const MODELS: [&str; 8] = [
    "mechanics/bouncing_ball",
    "loops/four_bar",
    "circuits/buck_converter",
    "circuits/bridge_rectifier",
    "mechatronics/inverted_pendulum_sampled",
    "mechatronics/r3_complete",
    "plugins/parachutist",
    "switching/friction_robot",
];

/// A session of a model of the repository that uses another method.
fn session(name: &str, method: &str) -> Result<Session, Error> {
    let path = root().join(format!("models/{name}.dys"));
    let text = std::fs::read_to_string(&path).expect("a model file");
    let lines = text.lines().map(|line| match line.split_once('=') {
        Some((word, rest)) if word.trim() == "Solver" => {
            format!("Solver = {method};{}", rest.split_once(';').map_or("", |(_, rest)| rest))
        }
        _ => line.to_string(),
    });
    let bytes = lines.collect::<Vec<_>>().join("\n").into_bytes();
    let plugins = Plugins::Known(user_plugins::PLUGINS);
    let options = LoadOptions { plugins, ..LoadOptions::default() };
    Model::open(ModelSource::Text { name: format!("{name}.dys"), bytes }, options)?.session()
}

fn requests_of(action: impl FnOnce()) -> usize {
    let before = own_requests();
    action();
    own_requests() - before
}

#[test]
fn snapshots_reuse_their_buffers() {
    let mut cases = Vec::new();
    for name in MODELS {
        for method in ["derf", "stiff", "rk4", "odeint_bs", "euler_mixed"] {
            // Not every model has a start, or comes far, with every method.
            let Ok(mut session) = session(name, method) else { continue };
            let solver = &session.model().checked().solver;
            let (start, step) = (solver.start, 10.0 * solver.output_step);
            if session.advance_to(start + step).is_err() {
                continue;
            }
            let saved = session.save();
            let mut other = session.save();
            if session.advance_to(start + 2.0 * step).is_err() {
                continue;
            }
            assert!(requests_of(|| drop(session.save())) > 0);
            // The first round makes room for what the second stretch of the run has brought.
            session.save_to(&mut other);
            for round in 0..3 {
                let restored = requests_of(|| session.restore(&saved));
                assert_eq!(restored, 0, "{name} {method}, round {round}: restored");
                session.advance_to(start + 2.0 * step).expect("what went well once");
                let kept = requests_of(|| session.save_to(&mut other));
                assert_eq!(kept, 0, "{name} {method}, round {round}: saved");
            }
            cases.push((name, method));
        }
    }
    assert!(cases.len() > 25, "{cases:?}");
}
