//! A ball that a `When` lets bounce.

use super::{ERROR, G, METHODS, jumps, near, solve_with, text, with_columns};
use dysim_tests::simulate::run;

/// A ball that falls from 1 m on a prismatic joint.
const BALL: &str = r#"
    Triad "base" { Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
    Triad "centre" { Parent = ball; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
    Prismatic "J" { Parent = ball; TriadFrom = base; TriadTo = centre; JointAxis = 0, 0, 1; JointPoint = 0, 0, 0; Qinit = 1; QDinit = 0; }
    Body "ball" { Parent = world; Joint = J; Mass = 2; Inertia = 1, 0, 0, 1, 0, 1; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
    Variable "n" { Type = discrete; }
"#;

const BOUNCE: &str = "When \"bounce\" { Condition = ball.z < 0 && ball.vz < 0; Set { J.qd = -0.8*J.qd; n = n + 1; } }";

/// Instants of the bounces: t0 (1 + 2 e + 2 e^2 + ...), with t0 the time of the fall.
fn instant(k: i32) -> f64 {
    let t0 = (2.0 / G).sqrt();
    let e = 0.8_f64;
    t0 * (1.0 + 2.0 * e * (1.0 - e.powi(k)) / (1.0 - e))
}

#[test]
fn a_ball_bounces_at_instants_of_closed_form() {
    for method in METHODS {
        let outcome = solve_with(method, 3.0, 0.1, &format!("{BALL}{BOUNCE}"));
        let table = outcome.table("csv");
        let bounces = jumps(&table, "n");
        let expected = (0..).take_while(|&k| instant(k) < 3.0).count();
        assert_eq!(bounces.len(), expected, "{method}");
        for (k, (t, before, behind)) in bounces.iter().enumerate() {
            near(*t, instant(k as i32), ERROR);
            assert_eq!((*before, *behind), (k as f64, k as f64 + 1.0));
        }
        // Both rows of a bounce lie at the ground, and the speeds have their ratio to the last digit.
        for (_, before, behind) in jumps(&table, "J.qd") {
            assert_eq!(behind, -0.8 * before, "{method}");
        }
        // Flight by flight the height is that of a thrown ball.
        let (q, n) = (table.index("J.q"), table.index("n"));
        for row in &table.rows {
            let k = row[n] as i32;
            let height = match k {
                0 => 1.0 - 0.5 * G * row[0] * row[0],
                k => {
                    let s = row[0] - instant(k - 1);
                    0.8_f64.powi(k) * (2.0 * G).sqrt() * s - 0.5 * G * s * s
                }
            };
            near(row[q], height, ERROR);
        }
        // The work of the bounces is in the balance.
        assert!(outcome.summary.balance.relative_gap() < 1e-9, "{method}");
    }
}

/// The bounces come closer and closer: the run ends with a message where they pile up, and does not fall through.
#[test]
fn bounces_without_end_are_told() {
    let limit = (2.0 / G).sqrt() * 9.0;
    for method in METHODS {
        let outcome = run(&text(method, 10.0, 0.1, &format!("{BALL}{BOUNCE}")));
        let found = outcome.failure();
        assert_eq!(found.code, "S207", "{method}: {}", found.message);
        assert!(found.message.contains("When `bounce`"), "{}", found.message);
        // Rows up to there are kept; the last flights have no length.
        assert!((outcome.summary.end - limit).abs() < 1e-4, "{method}: {}", outcome.summary.end);
        assert!(outcome.table("csv").last("J.q").abs() < 1e-2);
    }
}

/// The rule knows rest: below a small speed the ball stays, and a force carries it from then on.
#[test]
fn a_ball_comes_to_rest_by_its_rule() {
    let rule = r#"
        Variable "rests" { Type = condition; }
        When "bounce" { Condition = J.q < 0 && J.qd < 0;
            Set { J.qd = if(J.qd > -0.05, 0, -0.8*J.qd); rests = J.qd > -0.05; n = n + 1; } }
        JointForce "ground" { Joint1D = J; Value = if(rests, 2*9.81, 0); }
    "#;
    for method in METHODS {
        let outcome = solve_with(method, 6.0, 0.1, &format!("{BALL}{rule}"));
        let table = outcome.table("csv");
        // sqrt(2 g) 0.8^k falls below 0.05 at k = 21.
        let speed = |k: i32| (2.0 * G).sqrt() * 0.8_f64.powi(k);
        let count = (0..).find(|&k| speed(k) < 0.05).unwrap() + 1;
        assert_eq!(table.last("n"), f64::from(count), "{method}");
        assert_eq!(table.last("rests"), 1.0);
        assert_eq!(table.last("J.qd"), 0.0, "{method}");
        assert!(table.last("J.q").abs() < 1e-12, "{method}: {:e}", table.last("J.q"));
    }
}

/// A free ball on a floor and between two walls: each bounce turns one component of its velocity.
#[test]
fn a_ball_in_space_bounces_from_floor_and_walls() {
    let ball = r#"
        Triad "base" { Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
        Triad "centre" { Parent = ball; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = cardan; Degrees = rad; }
        Free "F" { Parent = ball; TriadFrom = base; TriadTo = centre; AngleType = cardan; Qinit = 0.1, 0.2, 1, 0.3, -0.2, 0.5; QDinit = 1.5, -0.7, 0.4, 0.5, 1, -2; Degrees = rad; }
        Body "ball" { Parent = world; Joint = F; Mass = 0.5; Inertia = 0.1, 0, 0, 0.1, 0, 0.1; CGFramePosition = 0, 0, 0; CGFrameOrientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
        When "floor" { Condition = ball.z < 0.2 && ball.vz < 0; Set { F.qd[3] = -F.qd[3]; } }
        When "wall" { Condition = ball.x > 1 && ball.vx > 0 || ball.x < 0 && ball.vx < 0; Set { F.qd[1] = -F.qd[1]; } }
    "#;
    for method in METHODS {
        let columns = "ball.x, ball.y, ball.z, ball.wx, ball.wy, ball.wz";
        let outcome = run(&with_columns(&text(method, 2.0, 0.05, ball), columns)).complete();
        let table = outcome.table("csv");
        // Without losses: x goes to and fro, z repeats with its period, y and the spin do not notice.
        let fold = |x: f64| {
            let x = x.rem_euclid(2.0);
            if x > 1.0 { 2.0 - x } else { x }
        };
        let (h, v0) = (0.8, 0.4);
        let speed = (v0 * v0 + 2.0 * G * h).sqrt();
        let first = (v0 + speed) / G;
        let height = |t: f64| match t < first {
            true => 1.0 + v0 * t - 0.5 * G * t * t,
            false => {
                let s = (t - first).rem_euclid(2.0 * speed / G);
                0.2 + speed * s - 0.5 * G * s * s
            }
        };
        super::compare(&table, "ball.x", ERROR, |t| fold(0.1 + 1.5 * t));
        super::compare(&table, "ball.y", ERROR, |t| 0.2 - 0.7 * t);
        super::compare(&table, "ball.z", 10.0 * ERROR, height);
        // A ball with three equal moments of inertia spins on as it did.
        for component in ["ball.wx", "ball.wy", "ball.wz"] {
            let first = table.column(component)[0];
            super::compare(&table, component, ERROR, |_| first);
        }
    }
}
