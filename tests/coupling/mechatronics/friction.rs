//! Friction, brakes and clutches: what sticks, what slides, and when that changes.

use super::support::{near, rows};

#[test]
fn a_block_slides_to_rest_and_stays() {
    // 2 kg at 3 m/s, 4 N: stops after 1.5 s and 2.25 m; a force below Rmax does not move it any more.
    let table = rows(
        4.0,
        8,
        "Mass \"M\" { a = x; m = 2; Vinit = 3; } LinearFriction \"F\" { a = base; b = x; Rmax = 5; Rv = 4; Heat = h; }\n\
         HeatCapacity \"H\" { a = h; C = 2; Tinit = 0; } ForceSource \"P\" { a = x; F = if(t >= 2, 4.9*sin(3*(t - 2)), 0); }",
    );
    near(&table, 1.0, "M.v", 1.0, 1.0);
    near(&table, 1.0, "F.state", 2.0, 1.0);
    near(&table, 1.5, "M.s", 2.25, 1.0);
    near(&table, 4.0, "M.s", 2.25, 1.0);
    near(&table, 4.0, "F.state", 0.0, 1.0);
    near(&table, 4.0, "F.f", 4.9 * 6.0f64.sin(), 5.0);
    // All kinetic energy is heat: 9 J into 2 J/K.
    near(&table, 4.0, "H.T", 4.5, 1.0);
}

#[test]
fn it_breaks_away_at_rmax_and_slides_with_rv() {
    // A force of 10 t N on 1 kg: breaks away at t = 0.5 s, then v' = 10 t - 2.
    let table = rows(
        1.0,
        4,
        "Mass \"M\" { a = x; m = 1; } LinearFriction \"F\" { a = base; b = x; Rmax = 5; Rv = 2; } ForceSource \"P\" { a = x; F = 10*t; }",
    );
    near(&table, 0.25, "F.f", 2.5, 5.0);
    near(&table, 0.25, "F.state", 0.0, 1.0);
    near(&table, 1.0, "M.v", 5.0 * (1.0 - 0.25) - 2.0 * 0.5, 1.0);
    near(&table, 1.0, "F.state", 2.0, 1.0);
}

#[test]
fn a_chain_of_sticking_blocks_lets_go_one_after_the_other() {
    // Three masses of 1 kg coupled by springs of 100 N/m, each with Rmax = Rv = 1 N, pulled slowly: the first breaks
    // away when its own 1 N is reached, the second when the first spring carries 1 N. As a second method, the same by
    // the symplectic Euler method with steps of 1e-6 s and friction by its set-valued definition.
    let text: String = (0..3)
        .map(|k| {
            let next = if k == 2 { String::new() } else { format!("LinearSpring \"S{k}\" {{ a = n{}; b = n{k}; c = 100; }}", k + 1) };
            format!("Mass \"M{k}\" {{ a = n{k}; m = 1; }} LinearFriction \"F{k}\" {{ a = base; b = n{k}; Rmax = 1; }} {next}\n")
        })
        .collect();
    let table = rows(1.0, 4, &format!("{text} ForceSource \"P\" {{ a = n0; F = 4*t; }}"));
    let (mut s, mut v) = ([0.0f64; 3], [0.0f64; 3]);
    let h = 1e-6;
    for step in 0..1_000_000u32 {
        let t = f64::from(step) * h;
        let pull = [
            4.0 * t - 100.0 * (s[0] - s[1]),
            100.0 * (s[0] - 2.0 * s[1] + s[2]),
            100.0 * (s[1] - s[2]),
        ];
        for k in 0..3 {
            let free = v[k] + h * pull[k];
            v[k] = if free.abs() <= h { 0.0 } else { free - h * free.signum() };
            s[k] += h * v[k];
        }
    }
    // The second method is of first order: its error is some h times the accelerations met, of about 1 m/s^2.
    for k in 0..3 {
        let found = table.at(1.0, &format!("M{k}.s"));
        assert!((found - s[k]).abs() < 2e-5, "M{k}.s: {found} instead of {}", s[k]);
        let found = table.at(1.0, &format!("M{k}.v"));
        assert!((found - v[k]).abs() < 2e-5, "M{k}.v: {found} instead of {}", v[k]);
    }
}

#[test]
fn a_brake_acts_only_while_it_is_active() {
    // 10 rad/s on J = 2, slowed down by 2.5 rad/s^2 from 1 s to 2 s, and from 3 s to rest at 6 s.
    let table = rows(
        7.0,
        14,
        "Inertia \"J\" { a = x; J = 2; Winit = 10; } Brake \"B\" { a = base; b = x; Rmax = 5; Active = t >= 1 && t < 2 || t >= 3; }",
    );
    for (t, w, state) in
        [(0.5, 10.0, 9.0), (1.5, 8.75, 2.0), (2.5, 7.5, 9.0), (5.0, 2.5, 2.0), (7.0, 0.0, 0.0)]
    {
        near(&table, t, "J.w", w, 10.0);
        near(&table, t, "B.state", state, 1.0);
    }
}

#[test]
fn a_clutch_follows_its_normal_force() {
    // Fn = 100 N from 0.5 s on, Mu = 0.25, Cgeo = 0.2: 5 Nm between J = 1 at 10 rad/s and J = 1 at rest: 5 rad/s each
    // after 1 s more.
    let table = rows(
        2.0,
        4,
        "Inertia \"A\" { a = x; J = 1; Winit = 10; } Inertia \"B\" { a = y; J = 1; }\n\
         Clutch \"C\" { a = y; b = x; Fn = if(t >= 0.5, 100, 0); Mu = 0.25; Cgeo = 0.2; Peak = 1.2; }",
    );
    near(&table, 0.5, "A.w", 10.0, 10.0);
    near(&table, 1.0, "A.w", 7.5, 10.0);
    near(&table, 1.0, "C.tau", 5.0, 10.0);
    near(&table, 2.0, "A.w", 5.0, 10.0);
    near(&table, 2.0, "C.w", 0.0, 10.0);
    near(&table, 2.0, "C.state", 0.0, 1.0);
}

#[test]
fn friction_that_a_source_drags_through_zero_changes_its_sign() {
    // The speed is given, so that nothing can stick for longer than the instant at zero.
    let table = rows(
        2.0,
        8,
        "SpeedSource \"W\" { a = x; W = cos(pi*t); } Friction \"F\" { a = base; b = x; Rmax = 3; Rv = 2; }",
    );
    near(&table, 0.25, "F.tau", 2.0, 1.0);
    near(&table, 1.0, "F.tau", -2.0, 1.0);
    near(&table, 1.75, "F.tau", 2.0, 1.0);
    near(&table, 1.0, "W.tau", -2.0, 1.0);
}
