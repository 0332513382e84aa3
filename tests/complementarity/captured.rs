//! A friction has a limit, so that nothing it holds may jump.

use dysim_tests::circuits::{Setting, solve};

/// Three masses, four frictions and a stop. At 1.666 s the first mass turns back at the stop, where two frictions hold it for an
/// instant, while a third slides at 3.4 m/s: once the first mass took the speed of the third in no time. The speeds at the end come
/// from a program of its own, semi-implicit Euler steps of 2e-7 s with the impulses of the frictions by projected Gauss and Seidel
/// iterations; with steps of twice the length it differs by 2e-5.
#[test]
fn a_mass_is_not_captured_by_a_friction_that_slides() {
    let text = "Mass \"m1\" { a = n1; m = 0.566; Vinit = 0.302; } Mass \"m2\" { a = n2; m = 0.595; Vinit = 0; }
        Mass \"m3\" { a = n3; m = 0.61; Vinit = 0; } LinearSpring \"p1\" { a = base; b = n1; c = 189; d = 0.576; }
        LinearSpring \"p2\" { a = n1; b = n2; c = 64.2; d = 0.764; } LinearSpring \"p3\" { a = n2; b = n3; c = 310; d = 1.76; }
        LinearFriction \"p4\" { a = base; b = n2; Rmax = 1.14; Rv = 0.798; } LinearFriction \"p5\" { a = base; b = n1; Rmax = 0.788; Rv = 0.788; }
        LinearFriction \"p6\" { a = base; b = n1; Rmax = 2.32; Rv = 2.32; } LinearFriction \"p7\" { a = n3; b = n1; Rmax = 1.84; Rv = 1.288; }
        Stop \"p8\" { a = base; b = n1; smin = -0.0203; smax = 0.01624; c = 4560; d = 2; }
        ForceSource \"f1\" { a = n2; F = 3.23*sin(2*pi*0.434*t); } ForceSource \"f2\" { a = n3; F = 16.2*sin(2*pi*1.35*t); }";
    for solver in ["derf", "stiff", "radau5"] {
        let setting = Setting { solver, end: 2.012, step: 0.0503, tolerance: 1e-7 };
        let table = solve(setting, text).table("csv");
        for (t, m1, m2, m3) in
            [(1.7102, 0.07448, 4.66439, 5.14558), (2.012, 0.06075, -0.94344, -1.10830)]
        {
            for (name, expected) in [("m1.v", m1), ("m2.v", m2), ("m3.v", m3)] {
                let found = table.at(t, name);
                assert!(
                    (found - expected).abs() < 1e-4,
                    "{solver}: {name} at {t}: {found}, not {expected}"
                );
            }
        }
    }
}
