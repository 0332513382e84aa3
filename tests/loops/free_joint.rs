//! A Free joint with `Role = loop` ties nothing: it measures, and its springs and dampers act between its triads.

use dysim_tests::simulate::run;

/// A mass on a vertical rail under gravity, and a bushing of a Free joint that holds it from above, as the only joint that closes a
/// loop: z'' = -100 (z - 1) - 2 D z' - 9.81.
#[test]
fn a_free_joint_is_a_sensor_a_spring_and_a_damper() {
    for damping in [0.0, 2.0] {
        let text = format!(
            "Header \"h\" {{ ModelName = case; OutputType = all; }} System \"s\" {{ GravAccel = 0, 0, -9.81; ScaleGrav = 1; }}
             Solver \"v\" {{ Type = dynamic; Solver = derf; AbsErr = 1e-11; RelErr = 1e-10; Tend = 2; Tstep = 0.1; }}
             Triad \"o\" {{ Parent = world; }} Triad \"m\" {{ Parent = rod; }} Triad \"top\" {{ Parent = world; Position = 0, 0, 1; }}
             Prismatic \"J\" {{ Parent = rod; TriadFrom = o; TriadTo = m; JointAxis = 0, 0, 1; Qinit = 0.5; }}
             Body \"rod\" {{ Parent = world; Joint = J; Mass = 1; Inertia = 0.01, 0, 0, 0.1, 0, 0.1; }}
             Free \"F\" {{ Parent = rod; Role = loop; TriadFrom = top; TriadTo = m; Stiffness = 100, 100, 100, 0, 0, 0;
                 Damping = {damping:?}, {damping:?}, {damping:?}, 0, 0, 0; }}"
        );
        let table = run(&text).complete().table("csv");
        let (rest, decay) = (1.0 - 0.0981, 0.5 * damping);
        let w = (100.0_f64 - decay * decay).sqrt();
        for row in 0..=20 {
            let t = 0.1 * f64::from(row);
            let (s, c) = (w * t).sin_cos();
            let swing = (0.5 - rest) * (-decay * t).exp();
            let z = rest + swing * (c + decay / w * s);
            let rate = -swing * (decay * decay / w + w) * s;
            for (name, expected) in
                [("J.q", z), ("F.q[3]", z - 1.0), ("J.qd", rate), ("F.qd[3]", rate)]
            {
                let found = table.at(t, name);
                assert!((found - expected).abs() < 1e-7, "{name} at {t}: {found}, not {expected}");
            }
            let force = -100.0 * (z - 1.0) - damping * rate;
            assert!((table.at(t, "F.f[3]") - force).abs() < 1e-5);
        }
    }
}
