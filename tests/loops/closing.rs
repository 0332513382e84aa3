//! Closed loops: reference values, drift, choice of the cut, redundancy, prescribed motions.

use dysim_tests::mechanisms::{
    FOUR_BAR, FOUR_BAR_ANGLES, Settings, bricard, four_bar, joint, n_four_bar, residuals, rod,
    triad,
};
use dysim_tests::simulate::run;

/// Ten digits of `multibody-algorithms` 3.10, from an independent script.
#[test]
fn a_four_bar_has_the_accelerations_and_reactions_of_the_reference() {
    for formalism in ["recursive", "dense"] {
        let signals = "J1.qdd, J2.qdd, J3.qdd, J1.fx, J1.fy, J3.fx, J3.fy, L.qdd, L.q";
        let settings =
            Settings { signals: signals.into(), formalism, end: 0.01, ..Settings::default() };
        let outcome = run(&four_bar(&settings, "Revolute", "")).complete();
        let table = outcome.table("csv");
        let at = |name: &str| table.at(0.0, name);
        // The rates are given with ten decimals; a rate enters the accelerations with factors below 100.
        let near = |found: f64, value: f64| {
            assert!((found - value).abs() < 1e-7, "{formalism}: {found} {value}");
        };
        near(at("J1.qdd"), -28.1558961098);
        near(at("J2.qdd"), 40.9963034697);
        near(at("J3.qdd"), 0.5492679145);
        near(at("J1.fx") + at("J3.fx"), 9.3388646526);
        near(at("J1.fy") + at("J3.fy"), 30.5915892363);
        // About A0: the force at B0 has an arm of one metre.
        near(at("J3.fy"), 20.5216174829);
        let [_, coupler, rocker] = FOUR_BAR_ANGLES;
        near(at("L.q"), coupler - rocker);
        near(at("L.qdd"), 40.9963034697 - 28.1558961098 - 0.5492679145);
    }
}

#[test]
fn a_four_bar_does_not_drift() {
    let settings = Settings { end: 100.0, step: 0.1, ..Settings::default() };
    for solver in ["de", "derf", "odeint_rk"] {
        let text = four_bar(&Settings { solver, ..settings.clone() }, "Revolute", "");
        let outcome = run(&text).complete();
        let (gap, rate) = residuals(&outcome);
        assert!(gap < 1e-10 && rate < 1e-9, "{solver}: {gap} {rate}");
    }
}

#[test]
fn energy_is_kept() {
    let settings = Settings { end: 10.0, step: 0.1, tolerance: 1e-9, ..Settings::default() };
    for solver in ["de", "odeint_rk", "odeint_bs", "stiff"] {
        let text = four_bar(&Settings { solver, ..settings.clone() }, "Revolute", "");
        let outcome = run(&text).complete();
        let gap = outcome.summary.balance.relative_gap();
        assert!(gap < 1e-6, "{solver}: {gap}");
        let (gap, rate) = residuals(&outcome);
        assert!(gap < 1e-10 && rate < 1e-9, "{solver}: {gap} {rate}");
    }
}

/// Two windows against the closed form `phi'' = c sin phi`; all bars in line ten times on the way.
#[test]
fn two_windows_pass_their_singular_positions() {
    let signals = "JU0.q, U0.vx".into();
    let settings =
        Settings { signals, end: 10.0, step: 0.1, tolerance: 1e-10, ..Settings::default() };
    let outcome = run(&n_four_bar(&settings, 2)).complete();
    let table = outcome.table("csv");
    // RelErr 1e-10 over ten turns; errors of the angle grow like t^2 with the speed.
    for (t, phi) in [(1.0, 3.337870803105098), (5.0, 16.65435348665348), (10.0, 31.75059718698610)]
    {
        let found = -table.at(t, "JU0.q");
        assert!((found - phi).abs() < 1e-6, "{t}: {found} {phi}");
    }
    let (gap, rate) = residuals(&outcome);
    assert!(gap < 1e-10 && rate < 1e-9, "{gap} {rate}");
    let log = outcome.text("log");
    assert!(log.contains("passes a singular position"), "{log}");
    assert!(log.contains("redundant: Revolute L1"), "{log}");
}

#[test]
fn many_windows_do_not_drift() {
    let settings = Settings { end: 100.0, step: 0.5, ..Settings::default() };
    let outcome = run(&n_four_bar(&settings, 3)).complete();
    let (gap, rate) = residuals(&outcome);
    assert!(gap < 1e-10 && rate < 1e-9, "{gap} {rate}");
}

#[test]
fn bricards_mechanism_moves_and_keeps_its_energy() {
    let settings = Settings {
        end: 10.0,
        step: 0.1,
        tolerance: 1e-9,
        signals: "J1.q, J6.q".into(),
        ..Settings::default()
    };
    let outcome = run(&bricard(&settings)).complete();
    let log = outcome.text("log");
    assert!(log.contains("5 rows, 4 independent; 1 freedoms"), "{log}");
    let gap = outcome.summary.balance.relative_gap();
    assert!(gap < 1e-6, "{gap}");
    let table = outcome.table("csv");
    assert!(table.column("J1.q").iter().any(|q| q.abs() > 0.5), "it moves");
    let outcome =
        run(&bricard(&Settings { end: 100.0, step: 0.5, ..Settings::default() })).complete();
    let (gap, rate) = residuals(&outcome);
    assert!(gap < 1e-10 && rate < 1e-9, "{gap} {rate}");
}

/// The same mechanism with other joints as the cut, with every joint as a cut, with joints twice.
#[test]
fn the_choice_of_the_cut_changes_nothing() {
    let settings = Settings {
        signals: "crank.x, coupler.x, coupler.y, rocker.wz, coupler.wz".into(),
        end: 5.0,
        step: 0.5,
        tolerance: 1e-12,
        ..Settings::default()
    };
    let plain = four_bar(&settings, "Revolute", "");
    let [l1, l2, l3] = FOUR_BAR;
    let [a, b, c] = FOUR_BAR_ANGLES;
    let (ex, ey) = (1.0 + l3 * c.cos(), l3 * c.sin());
    let ground = triad("A0", "world", [0.0; 3]) + &triad("B0", "world", [1.0, 0.0, 0.0]);
    let start = |q: f64, qd: f64| format!("Qinit = {q}; QDinit = {qd};");
    let [da, db, dc] = dysim_tests::mechanisms::FOUR_BAR_RATES;
    // The rocker hangs on the coupler, upside down: its frame is at the joint with the coupler's end.
    let hanging = settings.frame()
        + &ground
        + &rod("crank", "world", "J1", 1.0, l1)
        + &rod("coupler", "crank", "J2", 2.0, l2)
        + &rod("rocker", "coupler", "J3", 1.5, l3)
        + &joint("Revolute", "J1", "A0", "crank_start", &start(a, da))
        + &joint("Revolute", "J2", "crank_end", "coupler_start", &start(b - a, db - da))
        + &joint("Revolute", "J3", "coupler_end", "rocker_end", &start(c - b, dc - db))
        + &joint("Revolute", "L", "B0", "rocker_start", "Role = loop;");
    let free = |x: f64, y: f64, q: f64, vx: f64, vy: f64, w: f64| {
        format!(
            "Qinit = {x}, {y}, 0, 0, 0, {q}; QDinit = {vx}, {vy}, 0, 0, 0, {w}; AngleType = cardan;"
        )
    };
    let (vx, vy) = (-l1 * da * a.sin(), l1 * da * a.cos());
    let (px, py) = (l1 * a.cos(), l1 * a.sin());
    assert!((px + l2 * b.cos() - ex).abs() < 1e-9 && (py + l2 * b.sin() - ey).abs() < 1e-9);
    let unbound = settings.frame()
        + &ground
        + &rod("crank", "world", "F1", 1.0, l1)
        + &rod("coupler", "world", "F2", 2.0, l2)
        + &rod("rocker", "world", "F3", 1.5, l3)
        + &joint("Free", "F1", "A0", "crank_start", &free(0.0, 0.0, a, 0.0, 0.0, da))
        + &joint("Free", "F2", "A0", "coupler_start", &free(px, py, b, vx, vy, db))
        + &joint("Free", "F3", "A0", "rocker_start", &free(1.0, 0.0, c, 0.0, 0.0, dc))
        + &joint("Revolute", "L1", "A0", "crank_start", "Role = loop;")
        + &joint("Revolute", "L2", "crank_end", "coupler_start", "Role = loop;")
        + &joint("Revolute", "L3", "rocker_end", "coupler_end", "Role = loop;")
        + &joint("Revolute", "L4", "B0", "rocker_start", "Role = loop;");
    let twice = format!(
        "{plain}{}{}",
        joint("Revolute", "again", "coupler_end", "rocker_end", "Role = loop;"),
        joint("Spherical", "too", "rocker_end", "coupler_end", "Role = loop;")
    );
    let spherical = four_bar(&settings, "Spherical", "");
    let reference = run(&plain).complete();
    for (name, text) in
        [("hanging", hanging), ("free bodies", unbound), ("twice", twice), ("spherical", spherical)]
    {
        let other = run(&text).complete();
        let (a, b) = (reference.table("csv"), other.table("csv"));
        for (row, (a, b)) in a.rows.iter().zip(&b.rows).enumerate() {
            for (column, (a, b)) in a.iter().zip(b).enumerate() {
                assert!((a - b).abs() < 1e-8, "{name}: row {row} column {column}: {a} {b}");
            }
        }
    }
}

/// A crank that turns evenly moves a slider: `x = r cos p + sqrt(l^2 - r^2 sin^2 p)`.
#[test]
fn a_driven_slider_crank_follows_its_closed_form() {
    let signals = "S.q, S.qd, S.qdd, M.f, M.power, J1.q".into();
    let settings =
        Settings { signals, end: 2.0, step: 0.01, tolerance: 1e-9, ..Settings::default() };
    let (r, l, w) = (0.3, 0.8, 7.0);
    let text = settings.frame()
        + &triad("O", "world", [0.0; 3])
        + &rod("crank", "world", "J1", 1.0, r)
        + &rod("conrod", "crank", "J2", 2.0, l)
        + &rod("slider", "world", "S", 3.0, 0.1)
        + &joint("Revolute", "J1", "O", "crank_start", "")
        + &joint("Revolute", "J2", "crank_end", "conrod_start", "")
        + &joint("Prismatic", "S", "O", "slider_start", "JointAxis = 1, 0, 0; Qinit = 1.1;")
        + &joint("Revolute", "L", "slider_start", "conrod_end", "Role = loop;")
        + &format!("Motion \"M\" {{ Joint = J1; Q = {w}*t; }}\n");
    for solver in ["de", "stiff", "rk4", "odeint_rk", "odeint_bs", "derf"] {
        let outcome = run(&text.replace("Solver = de;", &format!("Solver = {solver};"))).complete();
        let table = outcome.table("csv");
        for row in &table.rows {
            let p = w * row[0];
            let root = (l * l - (r * p.sin()).powi(2)).sqrt();
            let x = r * p.cos() + root;
            let xd = -r * w * p.sin() - r * r * w * p.sin() * p.cos() / root;
            // Kinematics does not depend on the integrator: the projection makes it exact.
            assert!((row[1] - x).abs() < 1e-10, "{solver} {}: {} {x}", row[0], row[1]);
            assert!((row[2] - xd).abs() < 1e-9, "{solver} {}: {} {xd}", row[0], row[2]);
        }
        // What the drive gives is what the energy takes.
        let gap = outcome.summary.balance.relative_gap();
        let allowed = if solver == "rk4" { 1e-3 } else { 1e-6 };
        assert!(gap < allowed, "{solver}: {gap}");
    }
}
