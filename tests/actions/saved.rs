//! Sessions: a saved one goes on bit for bit, with all that is discrete.

use engine::{Model, Session};

const ELEMENTS: &str = r#"
    Input "request" { Default = 0; }
    Automaton "gate" { States = idle, run, fault; Start = idle;
        Transitions { idle -> run : request > 0.5; run -> fault : x.y > 1; fault -> idle : request < 0.5; } }
    Variable "n" { Type = discrete; }
    Variable "before" { Type = discrete; }
    Integrator "x" { u = if(gate.run, 2, -0.5); }
    When "failed" { Condition = gate.fault; Set { n = n + 1; before = x.y; x.y = 0.25*n; } }
"#;

fn session() -> Session {
    let text = super::text(
        "derf",
        100.0,
        0.1,
        &ELEMENTS.replace("request >", "request.y >").replace("request <", "request.y <"),
    );
    Model::from_text("m.dys", &text).unwrap().session().unwrap()
}

fn bits(session: &mut Session, t: f64) -> Vec<u64> {
    session.advance_to(t).unwrap();
    ["gate.state", "gate.run", "n", "before", "x.y"]
        .map(|name| session.signal(name).unwrap().value().to_bits())
        .to_vec()
}

#[test]
fn a_saved_session_keeps_states_variables_and_edges() {
    let mut session = session();
    session.input("request").unwrap().set(1.0).unwrap();
    assert_eq!(session.signal("gate.state").unwrap().value(), 2.0);
    // x = 2 t reaches 1 at 0.5: the gate fails, and the When acts once.
    session.advance_to(0.3).unwrap();
    let early = session.save();
    session.advance_to(0.6).unwrap();
    let late = session.save();
    assert_eq!(session.signal("n").unwrap().value(), 1.0);
    let go_on = |session: &mut Session| {
        let first = bits(session, 0.9);
        session.input("request").unwrap().set(0.0).unwrap();
        let second = bits(session, 1.1);
        session.input("request").unwrap().set(1.0).unwrap();
        [first, second, bits(session, 2.5)].concat()
    };
    let once = go_on(&mut session);
    session.restore(&late);
    assert_eq!(go_on(&mut session), once);
    session.restore(&early);
    session.advance_to(0.6).unwrap();
    assert_eq!(go_on(&mut session), once);
    assert_eq!(session.signal("n").unwrap().value(), 2.0);
    // The condition was true when the session was saved: that is no new edge.
    session.restore(&late);
    session.advance_to(0.7).unwrap();
    assert_eq!(session.signal("n").unwrap().value(), 1.0);
}
