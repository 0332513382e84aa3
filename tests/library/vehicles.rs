//! Components of `library/vehicles.dys`.

use std::path::Path;
use std::rc::Rc;

use dysim_tests::circuits::{Setting, solve};
use dysim_tests::simulate::{Table, run_file};

/// Relative tolerance of a step. Errors of some hundred steps add up to less than a thousand times as much.
const FINE: f64 = 1e-9;
const ERROR: f64 = 1e3 * FINE;

fn table(solver: &'static str, end: f64, step: f64, elements: &str) -> Rc<Table> {
    let include = "Include \"l\" { File = \"vehicles.dys\"; As = e; }\n";
    let setting = Setting { solver, end, step, tolerance: FINE };
    solve(setting, &format!("{include}{elements}")).table("csv")
}

fn near(what: &str, found: f64, expected: f64, tolerance: f64) {
    let gap = (found - expected).abs();
    assert!(gap <= tolerance, "{what}: {found}, not {expected}, off by {gap:e}");
}

const TYRES: &str = r#"
Table "slip" {
    Data   = { 0, 1e-4, 1, 0.02, 2, 0.05, 3, 0.1, 4, 0.2, 5, 0.5, 6, 1, 7, -0.05, 8, -0.3, 9, -1, 10, 3 };
    Method = hold;
}
SpeedSource "turn" { a = axle; W = 10*(1 + slip.y)/0.3; }
VelocitySource "move" { a = road; V = 10; }
e.MagicWheel "magic" {
    hub = road; shaft = axle; load = 4000; C = 1.65; D = (1144*4 - 21.3*16)/4000; E = 0.486 + 0.056*4 - 0.006*16;
    B = 100*(49.6*16 + 226*4)*exp(-0.069*4)/1.65/(1144*4 - 21.3*16);
}
e.BrushWheel "brush" { hub = road; shaft = axle; load = 2500; K = 18; D = 0.9; }
"#;

/// Slips held for a second, which is more than thirty relaxation lengths. The coefficients of the magic formula are those
/// for the longitudinal force at 4 kN in Bakker, Nyborg and Pacejka 1987 (slip there in percent).
#[test]
fn tyres_have_the_forces_of_their_slip() {
    let table = table("stiff", 11.0, 0.1, TYRES);
    let slope = (49.6 * 16.0 + 226.0 * 4.0) * f64::exp(-0.069 * 4.0) * 100.0;
    let peak = 1144.0 * 4.0 - 21.3 * 16.0;
    let (b, e) = (slope / 1.65 / peak, 0.486 + 0.056 * 4.0 - 0.006 * 16.0);
    let magic = |x: f64| {
        let z = b * x;
        peak * (1.65 * (z - e * (z - z.atan())).atan()).sin()
    };
    // The parabola of pressure over a contact from 0 to 1: bristles stick up to the share s and slide behind it.
    let brush = |x: f64| {
        let sliding = (18.0 * x.abs() / (3.0 * 0.9)).min(1.0);
        let stick = 1.0 - sliding;
        2500.0 * 0.9 * (1.0 - stick.powi(3)) * x.signum()
    };
    let slips = [1e-4, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, -0.05, -0.3, -1.0];
    for (k, x) in slips.into_iter().enumerate() {
        let t = k as f64 + 0.9;
        near("slip", table.at(t, "magic.slip"), x, ERROR);
        near("magic formula", table.at(t, "magic.fx"), magic(x), slope * ERROR);
        near("brush model", table.at(t, "brush.fx"), brush(x), 18.0 * 2500.0 * ERROR);
        near("loss", table.at(t, "magic.loss"), magic(x) * 10.0 * x, slope * 10.0 * ERROR);
    }
    // What the coefficients stand for: slope at zero, peak, and the fall behind it. At slip 1e-4 the square of b x is 4e-6.
    near("slope", table.at(0.9, "magic.fx"), slope * 1e-4, slope * 1e-4 * 1e-5 + slope * ERROR);
    let highest = table.column("magic.fx").into_iter().fold(0.0, f64::max);
    assert!(highest <= peak && highest > 0.98 * peak, "{highest} {peak}");
    // A wheel that spins faster than the largest slip has that one.
    near("largest slip", table.at(11.0, "magic.slip"), 2.0, ERROR);
}

const COASTING: &str = r#"
e.CarBody "car" { m = 1000; Cd = 0.4; A = 2.5; Rho = 1.2; Rolling = 0.02; Vinit = 30; Front = 1; Rear = 1.5; Height = 0.6; }
e.CarBody "parked" { slope = 0; wind = 10; Vinit = 0; Front = 1; Rear = 1; Cd = 0.5; A = 2; Rho = 1.2; m = 800; }
"#;

/// m v' = -c v^2 - R has the solution v = V tan(atan(v0/V) - t sqrt(c R)/m) with V = sqrt(R/c); the loads of the axles
/// follow from the balance of moments.
#[test]
fn a_car_coasts_down() {
    let table = table("derf", 20.0, 0.5, COASTING);
    let (m, c, resistance) = (1000.0, 0.6, 0.02 * 1000.0 * 9.81);
    let (scale, rate) = (f64::sqrt(resistance / c), f64::sqrt(c * resistance) / m);
    for row in 0..=40 {
        let t = 0.5 * f64::from(row);
        let v = scale * ((30.0 / scale).atan() - rate * t).tan();
        // The resistance fades below 0.1 m/s.
        assert!(v > 2.0);
        near("speed", table.at(t, "car.v"), v, 30.0 * ERROR);
        let acceleration = -(c * v * v + resistance) / m;
        let front = (m * 9.81 * 1.5 - m * acceleration * 0.6) / 2.5;
        near("front load", table.at(t, "car.front"), front, 1e4 * ERROR);
        near("rear load", table.at(t, "car.rear"), m * 9.81 - front, 1e4 * ERROR);
    }
    // Wind from the front moves a car without brakes backward: m v' = -c (v + 10)^2 from rest.
    let behind = 10.0 / (1.0 + 10.0 * 0.6 / 800.0 * 20.0) - 10.0;
    near("wind", table.last("parked.v"), behind, 10.0 * ERROR);
}

/// The two undamped modes of a quarter car with 300 kg, 40 kg, 2e4 N/m, 2e5 N/m: squares of the frequencies and the
/// movement of the wheel over that of the body.
fn modes() -> [(f64, f64); 2] {
    let (body, wheel, c, tyre) = (300.0, 40.0, 2e4, 2e5);
    // body*wheel*l^2 - (body*(c + tyre) + wheel*c)*l + c*tyre = 0.
    let half = (body * (c + tyre) + wheel * c) / (2.0 * body * wheel);
    let root = f64::sqrt(half * half - c * tyre / (body * wheel));
    [half - root, half + root].map(|square| (square, 1.0 - body * square / c))
}

/// A car that starts in the shape of a mode swings in it.
#[test]
fn a_quarter_car_has_its_natural_frequencies() {
    let [(slow, low), (fast, high)] = modes();
    let car = |name: &str, body: f64, wheel: f64| {
        format!(
            "e.QuarterCar \"{name}\" {{ road = flat; Bump = 0; Rebound = 0; TyreDamping = 0; \
             BodyInit = {body:?}; WheelInit = {wheel:?}; }}\n"
        )
    };
    let text = String::from("PositionSource \"road\" { a = flat; S = 0; }\n")
        + &car("ride", 0.03, 0.03 * low)
        + &car("hop", 0.01 / high, 0.01);
    let table = table("derf", 2.0, 0.01, &text);
    for row in &table.rows {
        let (t, at) = (row[0], |column: &str| row[table.index(column)]);
        let (ride, hop) = (0.03 * (slow.sqrt() * t).cos(), 0.01 * (fast.sqrt() * t).cos());
        near("ride", at("ride.body.s"), ride, 0.03 * 10.0 * ERROR);
        near("wheel in the ride mode", at("ride.wheel.s"), ride * low, 0.03 * 10.0 * ERROR);
        near("hop", at("hop.wheel.s"), hop, 0.01 * 100.0 * ERROR);
        near("body in the hop mode", at("hop.body.s"), hop / high, 0.01 * 100.0 * ERROR);
    }
}

const FALLING: &str = r#"
PositionSource "road" { a = cliff; S = if(t > 0, -3, 0); }
e.QuarterCar "car" { road = cliff; TyreDamping = 0; }
"#;

/// Off a cliff the tyre does not pull: the centre of gravity falls freely, while wheel and body swing.
#[test]
fn a_quarter_car_leaves_the_road() {
    let table = table("derf", 0.5, 0.05, FALLING);
    for row in &table.rows {
        let (t, at) = (row[0], |column: &str| row[table.index(column)]);
        if t > 0.0 {
            near("load", at("car.load"), 0.0, 0.0);
        }
        let centre = (300.0 * at("car.body.s") + 40.0 * at("car.wheel.s")) / 340.0;
        near("centre", centre, -9.81 * t * t / 2.0, ERROR);
    }
    // Spring and stop have pushed them apart.
    assert!(table.last("car.body.s") > table.last("car.wheel.s") + 0.05);
}

const CORNERING: &str = r#"
Triad "origin" { Parent = world; Position = 0, 0, 0; Orientation = 0, 0, 0; AngleType = euler; Degrees = rad; }
e.SingleTrackCar "slow" { ground = origin; Vinit = 8; steer = 1e-4; drive = 1e5*(8 - slow.forward); }
e.SingleTrackCar "fast" { ground = origin; Vinit = 40; steer = 1e-4; drive = 1e5*(40 - fast.forward); }
e.SingleTrackCar "over" { ground = origin; Vinit = 20; steer = -1e-4; Bf = 12; Br = 10; drive = 1e5*(20 - over.forward); }
e.SingleTrackCar "parked" { ground = origin; Vinit = 0; steer = 0.3; drive = 0; }
"#;

/// In a steady circle the yaw rate is v steer/(L + K v^2) with the understeer gradient K = m/L (lr/Cf - lf/Cr), which with
/// stiffnesses in proportion to the loads is (1/Bf - 1/Br)/(g C D). The slip times B is the lateral acceleration over g C D
/// at both axles, below 2.7e-3, and the tyres differ from straight lines by less than the square of that.
#[test]
fn a_single_track_car_turns_with_its_understeer_gradient() {
    let table = table("derf", 8.0, 0.5, CORNERING);
    for (name, steer, bf, br) in
        [("slow", 1e-4, 10.0, 12.0), ("fast", 1e-4, 10.0, 12.0), ("over", -1e-4, 12.0, 10.0)]
    {
        let get = |signal: &str| table.last(&format!("{name}.{signal}"));
        let v = get("forward");
        let gradient = (1.0 / bf - 1.0 / br) / (9.81 * 1.3);
        let rate = v * steer / (2.6 + gradient * v * v);
        near(name, get("rate"), rate, 1e-5 * rate.abs());
        // The forces share the centrifugal force, and nothing turns the car.
        let centrifugal = 1200.0 * v * rate;
        near("front force", get("ff"), centrifugal * 1.4 / 2.6, 1e-5 * centrifugal.abs());
        near("rear force", get("fr"), centrifugal * 1.2 / 2.6, 1e-5 * centrifugal.abs());
    }
    for signal in ["rate", "forward", "sideways", "uf", "ur"] {
        near(signal, table.last(&format!("parked.{signal}")), 0.0, 0.0);
    }
}

const DRIVEN: &str = r#"
e.CarBody "car" { axle = road; m = 900; slope = 0.05; Vinit = 0; }
e.BrushWheel "front" { hub = road; load = car.front; J = 2; }
e.MagicWheel "rear" { hub = road; shaft = axle; load = car.rear; J = 3; }
Variable "torque" { }
Equations "engine" { torque = 900 - 700*sin(t); }
TorqueSource "drive" { a = axle; Tau = torque; }
Integrator "work" { u = torque*rear.w; yinit = 0; }
Integrator "heat" { u = front.loss + rear.loss + car.drag*car.v; yinit = 0; }
Integrator "way" { u = car.v; yinit = 0; }
"#;

/// The work of the drive is motion, height and heat.
#[test]
fn a_driven_car_balances_its_energy() {
    let table = table("stiff", 6.0, 0.5, DRIVEN);
    for row in &table.rows {
        let at = |column: &str| row[table.index(column)];
        let (v, front, rear) = (at("car.v"), at("front.w"), at("rear.w"));
        let motion = 0.5 * (900.0 * v * v + 2.0 * front * front + 3.0 * rear * rear);
        let height = 900.0 * 9.81 * f64::sin(0.05) * at("way.y");
        near("work", motion + height + at("heat.y"), at("work.y"), 1e5 * ERROR);
    }
    assert!(table.last("car.v") > 5.0);
}

fn example(name: &str) -> Rc<Table> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../models/library/{name}.dys"));
    run_file(&path).complete().table("csv")
}

/// What the examples say of themselves.
#[test]
fn the_examples_show_what_they_promise() {
    let braking = example("vehicles_braking");
    near("slip of the drive", braking.at(3.0, "rear.slip"), 0.044, 5e-4);
    near("locked wheels", braking.at(5.0, "rear.slip"), -1.0, 1e-4);
    near("rolling wheels", braking.at(5.0, "front.slip"), -0.03, 2e-3);
    // At rest both tyres together hold the car on the slope.
    near("speed at rest", braking.last("car.v"), 0.0, 1e-6);
    let held = braking.last("front.fx") + braking.last("rear.fx");
    near("force at rest", held, 1100.0 * 9.81 * f64::atan(0.1).sin(), 1e-2);
    let ride = example("vehicles_ride");
    let lowest = |column: &str| ride.column(column).into_iter().fold(f64::MAX, f64::min);
    near("load in the air", lowest("car.load"), 0.0, 0.0);
    assert!(lowest("car.suspension.x") < -0.06);
    near("level", ride.last("car.body.s"), -0.02, 5e-3);
    let steering = example("vehicles_steering");
    near("nothing turns", steering.last("car.ff") * 1.2, steering.last("car.fr") * 1.4, 1.0);
    near("one lane", steering.at(4.6, "car.place.q[2]"), 3.5, 0.1);
}
