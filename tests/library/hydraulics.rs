//! Components of `library/hydraulics.dys`.

use std::f64::consts::PI;
use std::path::Path;
use std::rc::Rc;

use dysim_tests::circuits::{Setting, solve};
use dysim_tests::simulate::{Table, run_file};

/// Relative tolerance of a step. Errors of some hundred steps add up to less than a thousand times as much.
const FINE: f64 = 1e-9;
const ERROR: f64 = 1e3 * FINE;

fn table(solver: &'static str, end: f64, step: f64, elements: &str) -> Rc<Table> {
    let include = "Include \"l\" { File = \"hydraulics.dys\"; As = e; }\n";
    let setting = Setting { solver, end, step, tolerance: FINE };
    solve(setting, &format!("{include}{elements}")).table("csv")
}

fn near(what: &str, found: f64, expected: f64, tolerance: f64) {
    let gap = (found - expected).abs();
    assert!(gap <= tolerance, "{what}: {found}, not {expected}, off by {gap:e}");
}

/// The flow through an edge, from the manual.
fn edge(dp: f64, area: f64) -> f64 {
    0.62 * area * f64::sqrt(2.0 / 850.0) * dp / (dp * dp + 1e6).powf(0.25)
}

/// Where a function that grows is zero, by halving.
fn root(mut low: f64, mut high: f64, grows: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if grows(middle) < 0.0 { low = middle } else { high = middle }
    }
    low
}

const ORIFICES: &str = r#"
PressureSource "P" { a = p; P = 4e6*(t - 0.5); }
e.Orifice "o" { a = p; b = tank; A = 2e-6; }
e.VariableOrifice "v" { a = p; b = tank; area = 3e-6*t - 1e-6; Amax = 1e-6; Leak = 1e-9; }
"#;

/// The law holds in both directions, is the square root far from zero, and a straight line at zero.
#[test]
fn orifices_are_turbulent_far_from_zero_and_laminar_near_it() {
    let table = table("derf", 1.0, 0.05, ORIFICES);
    for row in 0..=20 {
        let t = 0.05 * f64::from(row);
        let dp = 4e6 * (t - 0.5);
        near("orifice", table.at(t, "o.q"), edge(dp, 2e-6), 1e-14);
        let area = (3e-6 * t - 1e-6).clamp(0.0, 1e-6) + 1e-9;
        near("variable orifice", table.at(t, "v.q"), edge(dp, area), 1e-14);
        near("outflow", table.at(t, "o.b.q"), -table.at(t, "o.q"), 0.0);
    }
    let turbulent = 0.62 * 2e-6 * f64::sqrt(2.0 * 2e6 / 850.0);
    near("square root", table.at(1.0, "o.q") / turbulent, 1.0, (1e3f64 / 2e6).powi(2));
    assert!(table.at(0.5, "o.q").abs() < 1e-12);
}

const VALVES: &str = r#"
PressureSource "S" { a = s; P = 1.4e7; }
e.DirectionalValve "under" { P = s; T = tank; spool = 0; Area = 1e-5; Overlap = -0.05; Leak = 0; }
e.DirectionalValve "v" {
    P = s; T = tank; A = a; B = b; spool = if(t < 1, 0.6, -0.8); Area = 4e-6; Overlap = 0.2; Leak = 0;
}
e.DoubleActingCylinder "c" { a = a; b = b; rod = r; case = base; Stroke = 0.3; Leak = 1e-24; Friction = 500; }
Mass "m" { a = r; m = 100; }
ForceSource "F" { a = r; F = -3000; }
"#;

/// A steady cylinder: the valve loses K q^2 at both edges, so that the force is ps Aa - K v^2 (Aa^3 + Ab^3), or back
/// ps Ab - K v^2 (Aa^3 + Ab^3). The regularised edge differs from the square root by (PLam/dp)^2/4, here below 1e-7.
#[test]
fn a_valve_sets_the_speed_of_a_cylinder() {
    let table = table("stiff", 2.0, 0.01, VALVES);
    // In the middle the four edges of an underlap are a bridge of equal orifices.
    let leak = edge(7e6, 1e-5 * 0.05 / 1.05);
    for edge in ["pa", "pb", "at", "bt"] {
        near(edge, table.at(1.0, &format!("under.{edge}.q")), leak, 1e-6 * leak);
    }
    near("middle", table.at(1.0, "under.A.p"), 7e6, 1e-6 * 7e6);
    let (piston, annulus) =
        (PI * 0.05f64.powi(2) / 4.0, PI * (0.05f64.powi(2) - 0.03f64.powi(2)) / 4.0);
    let speed = |opening: f64, area: f64, load: f64| {
        let k = 850.0 / 2.0 / (0.62 * 4e-6 * opening).powi(2) * (piston.powi(3) + annulus.powi(3));
        root(0.0, 10.0, |v| k * v * v + 500.0 * v + load - 1.4e7 * area)
    };
    let (out, back) = (speed(0.5, piston, 3000.0), speed(0.75, annulus, -3000.0));
    near("out", table.at(1.0, "c.v"), out, ERROR * out);
    near("back", table.at(1.4, "c.v"), -back, ERROR * back);
    // At the lower stop the whole supply presses on the annulus, and the load on the rod.
    let depth = (1.4e7 * annulus + 3000.0) / 1e8;
    near("stop", table.at(2.0, "c.s"), -depth, ERROR * depth);
}

const SERVO: &str = r#"
PressureSource "S" { a = s; P = 7e6; }
e.ServoValve "v" { P = s; T = tank; A = a; B = a; set = 0.5; Qn = 5e-4; Pn = 7e6; f = 50; D = 0.6; }
e.Orifice "short" { a = a; b = a; }
"#;

/// With A joined to B the nominal pressure drives the nominal flow, in proportion to the spool, which is a lag.
#[test]
fn a_servo_valve_has_its_nominal_flow() {
    let table = table("derf", 0.2, 0.002, SERVO);
    let (w, d) = (2.0 * PI * 50.0, 0.6_f64);
    let wd = w * (1.0 - d * d).sqrt();
    for row in &table.rows {
        let t = row[0];
        let rise = 1.0 - (-d * w * t).exp() * ((wd * t).cos() + d * w / wd * (wd * t).sin());
        near("spool", row[table.index("v.spool")], 0.5 * rise, ERROR);
    }
    // An edge has its leakage beside the opening of half of Qn/(Cd sqrt(Pn/Rho)).
    let area = 5e-4 / (0.62 * f64::sqrt(7e6 / 850.0));
    let expected = 5e-4 * (0.5 + 1e-10 / area);
    for edge in ["pa", "bt"] {
        let flow = table.at(0.2, &format!("v.edges.{edge}.q"));
        near(edge, flow, expected, 2.0 * ERROR * expected);
    }
}

const RELIEF: &str = r#"
FlowSource "Q" { a = p; Q = if(t < 1, 2e-4, 6e-4); }
e.OilVolume "volume" { a = p; Volume = 1e-4; }
e.ReliefValve "r" { a = p; b = tank; Pcrack = 1e7; Pband = 2e6; Area = 1e-5; }
e.SpringCheckValve "check" { a = p; b = c; }
e.OilVolume "held" { a = c; Volume = 1e-4; }
FlowSource "drain" { a = tank; b = p; Q = if(t < 2, 0, if(t < 2.005, 7e-4, 6e-4)); }
e.Orifice "empty" { a = p; b = tank; A = 1e-9; }
"#;

/// The pressure is that at which the area of the poppet lets the flow through; a check valve keeps what it let in.
#[test]
fn a_relief_valve_bounds_the_pressure() {
    let table = table("stiff", 2.1, 0.05, RELIEF);
    for (t, flow) in [(1.0 - 0.05, 2e-4), (2.0 - 0.05, 6e-4)] {
        let law = |p: f64| edge(p, 1e-5 * ((p - 1e7) / 2e6).clamp(0.0, 1.0)) + edge(p, 1e-9) - flow;
        let p = root(0.0, 1e8, law);
        assert!(p > 1e7 && p < 1.2e7);
        near("pressure", table.at(t, "p.p"), p, ERROR * p);
        // The volume behind the check valve fills up to the cracking pressure below the line.
        let held = table.at(t, "c.p");
        assert!(held <= p - 5e4 + ERROR * p && held > p - 5.1e4, "{held}");
    }
    // The line has been emptied, the volume behind the check valve has not.
    near("held", table.at(2.1, "c.p"), table.at(2.0, "c.p"), ERROR * 1e7);
    let line = table.at(2.1, "p.p");
    assert!(line > 0.0 && line < 5e6, "{line}");
}

const ACCUMULATOR: &str = r#"
FlowSource "Q" { a = p; Q = if(t < 1, 3e-4, -8e-4); }
e.Accumulator "a" { a = p; V0 = 1e-3; P0 = 5e6; Pinit = 8e6; n = 1.3; Vport = 1e-4; Beta = 1e9; }
Integrator "work" { u = a.a.p*a.a.q; yinit = 0; }
"#;

/// The gas follows its polytropic law, and takes the work of that law; when it is empty, the oil in the port relaxes.
#[test]
fn an_accumulator_compresses_its_gas() {
    let table = table("derf", 1.8, 0.05, ACCUMULATOR);
    let (n, atmosphere): (f64, f64) = (1.3, 101_325.0);
    let full = 5e6 + atmosphere;
    let start = 1e-3 * (1.0 - (full / (8e6 + atmosphere)).powf(1.0 / n));
    // Work of the gas from empty to the volume v of oil, less that of the surroundings.
    let energy = |v: f64| {
        full * 1e-3 / (n - 1.0) * ((1e-3 / (1e-3 - v)).powf(n - 1.0) - 1.0) - atmosphere * v
    };
    let empty = 1.0 + (start + 3e-4) / 8e-4;
    assert!(empty > 1.6 && empty < 1.79);
    for row in 0..=36 {
        let t = 0.05 * f64::from(row);
        let v = start + if t < 1.0 { 3e-4 * t } else { 3e-4 - 8e-4 * (t - 1.0) };
        let p = if v >= 0.0 {
            full * (1e-3 / (1e-3 - v)).powf(n) - atmosphere
        } else {
            5e6 + 1e9 * v / 1e-4
        };
        near("pressure", table.at(t, "p.p"), p, ERROR * 1e7);
        if v > 0.0 {
            near("work", table.at(t, "work.y"), energy(v) - energy(start), ERROR * 1e4);
        }
    }
}

const TRANSMISSION: &str = r#"
SpeedSource "W" { a = s; W = 100; }
e.HydraulicPump "pump" { a = p; b = tank; shaft = s; D = 8e-6; x = 0.5; Leak = 2e-12; d = 0.03; }
e.OilVolume "volume" { a = p; Volume = 1e-4; }
e.HydraulicMotor "motor" { a = p; b = tank; shaft = l; D = 1e-5; Leak = 3e-12; d = 0.05; }
Inertia "J" { a = l; J = 0.002; }
TorqueSource "T" { a = l; Tau = -20; }
"#;

/// The pressure carries the load and the friction, the speed follows from the flow; no power is lost but the stated one.
#[test]
fn a_pump_drives_a_motor() {
    let table = table("derf", 2.0, 0.02, TRANSMISSION);
    // 1e-5 dp = 20 + 0.05 w and 0.5*8e-6*100 = (2e-12 + 3e-12) dp + 1e-5 w.
    let w = (4e-4 - 5e-12 * 20.0 / 1e-5) / (1e-5 + 5e-12 * 0.05 / 1e-5);
    let dp = (20.0 + 0.05 * w) / 1e-5;
    near("speed", table.last("J.w"), w, 1e2 * ERROR * w);
    near("pressure", table.last("p.p"), dp, 1e2 * ERROR * dp);
    for machine in ["pump", "motor"] {
        let get = |signal: &str| table.column(&format!("{machine}.{signal}"));
        let (p, q, tau) = (get("a.p"), get("a.q"), get("shaft.tau"));
        let (w, loss) = (get("w"), get("loss"));
        for k in 0..table.rows.len() {
            near(machine, p[k] * q[k] + tau[k] * w[k], loss[k], 1e-9);
        }
    }
}

const COMPENSATED: &str = r#"
SpeedSource "W" { a = s; W = 150; }
e.CompensatedPump "pump" { a = p; b = tank; shaft = s; D = 4e-6; Leak = 1e-12; Pset = 1.5e7; Pband = 1e6; T = 0.02; }
e.OilVolume "volume" { a = p; Volume = 5e-4; }
e.VariableOrifice "use" { a = p; b = tank; area = if(t < 2, 1e-6, 1e-5); Amax = 1e-4; }
"#;

/// With little use the pump swivels back until its flow is that of the orifice; with much use it gives all it can.
#[test]
fn a_compensated_pump_gives_what_is_used() {
    let table = table("stiff", 4.0, 0.1, COMPENSATED);
    let part = |p: f64| (1.0 - (p - 1.5e7) / 1e6).clamp(0.0, 1.0);
    for (t, area) in [(1.9, 1e-6), (4.0, 1e-5)] {
        let p = root(0.0, 1e8, |p| edge(p, area) + 1e-12 * p - 6e-4 * part(p));
        near("pressure", table.at(t, "p.p"), p, 10.0 * ERROR * p);
        near("swivel", table.at(t, "pump.part"), part(p), 1e2 * ERROR);
        let power = table.at(t, "pump.shaft.tau") * 150.0;
        near("power", power, 6e-4 * part(p) * p, 1e2 * ERROR * 6e-4 * p);
    }
    assert!(table.at(1.9, "p.p") > 1.5e7 && table.at(4.0, "p.p") < 1.5e7);
}

const LINES: &str = r#"
PressureSource "P" { a = p; P = 2e5; }
e.Line "steady" { a = p; b = tank; Length = 0.5; Diameter = 0.004; N = 3; Qinit = 2e-6; Pinit = 1e5; }
e.Line "shut" { a = tank; Length = 10; Diameter = 0.01; N = 5; Pinit = 1e6; }
"#;

/// A steady line has the flow of Hagen and Poiseuille. One that is shut at its end swings in the modes of a chain of N equal
/// pieces: the angles th = (2 k - 1) pi/(2 N), the frequencies 2 N sqrt(Beta/Rho)/Length sin(th/2), each damped with
/// 16 Nu/Diameter^2, and a uniform pressure at the start is their sum with the weights 1/(N sin(th/2)).
#[test]
fn lines_lose_pressure_and_swing() {
    let table = table("derf", 0.3, 3e-3, LINES);
    let flow = 2e5 * PI * 0.004f64.powi(4) / (128.0 * 850.0 * 4.6e-5 * 0.5);
    near("flow", table.last("steady.Ra[1].q"), flow, 1e2 * ERROR * flow);
    let speed = f64::sqrt(1.4e9 / 850.0);
    let damping = 16.0 * 4.6e-5 / 0.01f64.powi(2);
    for row in &table.rows {
        let t = row[0];
        for i in 1..=5 {
            let mode = |k: i32| {
                let angle = f64::from(2 * k - 1) * PI / 10.0;
                let undamped = 10.0 * speed / 10.0 * (angle / 2.0).sin();
                let w = (undamped * undamped - damping * damping).sqrt();
                let swing = (-damping * t).exp() * ((w * t).cos() + damping / w * (w * t).sin());
                1e6 / (5.0 * (angle / 2.0).sin()) * ((f64::from(i) - 0.5) * angle).sin() * swing
            };
            let expected: f64 = (1..=5).map(mode).sum();
            let found = row[table.index(&format!("shut.C[{i}].dp"))];
            near(&format!("piece {i} at {t}"), found, expected, 10.0 * ERROR * 1e6);
        }
    }
}

fn example(name: &str) -> Rc<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../models/library/{name}.dys"));
    run_file(&path).complete().table("csv")
}

/// What the examples say of themselves.
#[test]
fn the_examples_show_what_they_promise() {
    let axis = example("hydraulics_axis");
    let highest = axis.column("pressure.p").into_iter().fold(0.0, f64::max);
    assert!(highest > 1.6e7 && highest < 1.7e7, "{highest}");
    near("relief", axis.at(1.0, "pressure.p"), highest, 1e5);
    near("out", axis.at(3.2, "cylinder.s"), 0.3, 2e-3);
    near("back", axis.at(5.0, "cylinder.s"), 0.05, 2e-3);
    assert!(axis.at(2.0, "cylinder.v") > -axis.at(4.0, "cylinder.v"));
    let transmission = example("hydraulics_transmission");
    near("drum", transmission.last("inertia.w"), 74.0, 1.5);
}
