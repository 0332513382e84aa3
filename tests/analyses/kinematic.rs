//! Prescribed motion and the forces that it takes.

use super::support::{DOWN, heading, refusal, revolute};

#[test]
fn freedoms_that_nothing_drives_are_named() {
    let text = heading("kinematic", DOWN, "")
        .joint(
            "Revolute",
            ["J", "world", "a"],
            [0.0; 3],
            &revolute("0, 1, 0", 0.3, "Locked = yes;"),
        )
        .body(["a", "world", "J"], 1.0, [0.1; 3], [0.0, 0.0, -0.5])
        .joint("Revolute", ["K", "a", "b"], [0.0, 0.0, -1.0], &revolute("0, 1, 0", 0.3, ""))
        .body(["b", "a", "K"], 1.0, [0.1; 3], [0.0, 0.0, -0.5]);
    let said = refusal(&text);
    assert!(
        said.contains("1 freedom is not prescribed") && said.ends_with("can move: K.q"),
        "{said}"
    );
}
