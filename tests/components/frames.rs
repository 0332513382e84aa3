//! Equations that read places and velocities of bodies, triads and ports of the domain `frame`.

use dysim_tests::simulate::run;

/// A pendulum of a metre swings from 1 rad through zero. The way of its tip is the angle that it has turned by, a
/// node has the potential of a coordinate, and a lag follows a height.
const PENDULUM: &str = r#"
    Header "h" { ModelName = m; OutputType = all; }
    System "s" { GravAccel = 0, 0, -9.81; ScaleGrav = 1; }
    Solver "v" { Type = dynamic; Solver = derf; AbsErr = 1e-10; RelErr = 1e-9; Tend = 0.8; Tstep = 0.05; }
    Triad "hook" { Parent = world; }
    Triad "top" { Parent = rod; Position = 0, 0, 0.5; }
    Triad "tip" { Parent = rod; Position = 0, 0, -0.5; }
    Revolute "J" { TriadFrom = hook; TriadTo = top; JointAxis = 0, 1, 0; Qinit = 1; }
    Body "rod" { Joint = J; Mass = 1; Inertia = 0.1, 0, 0, 0.1, 0, 0.1; }
    Component "Probe" {
        Port "f" { Domain = frame; }
        Port "a" { Domain = electrical; }
        Variable "way" { Fixed = yes; }
        Variable "turned" { Fixed = yes; }
        Variable "sum" { Fixed = yes; }
        Variable "n" { Type = discrete; }
        Equations "e" {
            der(way)    = sqrt(f.vx^2 + f.vz^2);
            der(turned) = f.wy;
            der(sum)    = f.z;
            a.v         = f.x;
        }
        When "through" { Condition = f.x > -0.5; Set { n = n + 1; } }
        Signal "height" { Value = f.z + 1; }
    }
    Probe "probe" { f = tip; a = node; }
    Resistor "R" { p = node; n = gnd; R = 2; }
    Variable "twice" { Fixed = yes; }
    Equations "bodies" { der(twice) = 2*rod.z + 2*tip.z - 4*probe.height; }
    Output "o" { Files = csv; Signals = probe.way, probe.turned, probe.sum, probe.n, probe.height, R.i, twice, J.q, tip.x, tip.z, probe.f.x, J.q; }
"#;

#[test]
fn equations_read_places_and_velocities() {
    let table = run(PENDULUM).complete().table("csv");
    // Some hundred steps with the tolerance of one.
    let near = |what: &str, a: f64, b: f64| assert!((a - b).abs() < 1e-7, "{what}: {a} {b}");
    for row in &table.rows {
        let value = |name: &str| row[table.index(name)];
        let q = value("J.q");
        near("way", value("probe.way"), 1.0 - q);
        near("turned", value("probe.turned"), q - 1.0);
        near("height", value("probe.height"), 1.0 - q.cos());
        near("current", value("R.i"), -0.5 * q.sin());
        // The centre is half as far from the hook as the tip: the integrand is z + 2 z - 4 (z + 1).
        near("sum", value("twice"), -value("probe.sum") - 4.0 * row[0]);
        let passed = if q.sin() < 0.5 { 1.0 } else { 0.0 };
        near("passages", value("probe.n"), passed);
    }
    assert!(table.last("J.q") < 0.4);
    // What is asked for twice is one column, also under the name of a port.
    assert_eq!(table.columns.len(), 11, "{:?}", table.columns);
}
