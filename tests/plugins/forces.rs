//! Forces of plugins against the built-in elements that do the same.

use dysim_tests::blocks::{Run, Text};
use dysim_tests::simulate::{Outcome, run};

const METHODS: [&str; 6] = ["de", "derf", "rk4", "odeint_rk", "odeint_bs", "stiff"];

/// A spatial double pendulum with one more free body.
fn bodies(how: Run) -> Text {
    let ball =
        "Qinit = 0.2, 0.4, -0.1; QDinit = 0.3, 0.1, -0.4; AngleType = cardan; Degrees = rad;";
    let free = "Qinit = 0.6, 0.1, -0.4, 0.1, 0.2, 0.3; QDinit = 0, 0.2, 0.1, 0.3, 0, 0.1; AngleType = cardan; Degrees = rad;";
    let turn = "JointAxis = 0, 1, 0; JointPoint = 0, 0, 0; Qinit = 0.5; QDinit = 0; Degrees = rad;";
    Text::new([0.0, 0.0, -9.81], how)
        .joint("Spherical", ["shoulder", "world", "upper"], [0.0; 3], ball)
        .body(["upper", "world", "shoulder"], 1.2, [0.02, 0.02, 0.01], [0.0, 0.0, -0.2])
        .joint("Revolute", ["elbow", "upper", "lower"], [0.0, 0.0, -0.4], turn)
        .body(["lower", "upper", "elbow"], 0.8, [0.01, 0.01, 0.005], [0.0, 0.0, -0.2])
        .joint("Free", ["flight", "world", "drone"], [0.0; 3], free)
        .body(["drone", "world", "flight"], 0.5, [0.01, 0.02, 0.03], [0.0; 3])
        .triad("hand", "lower", [0.05, 0.0, -0.4])
        .triad("tail", "drone", [-0.1, 0.05, 0.0])
        .triad("nail", "world", [0.0, 0.5, -0.3])
}

/// All coordinates and rates, as they are written.
const COLUMNS: &str = "Output \"o\" { Files = csv; Signals = shoulder.q[1], shoulder.q[2], shoulder.q[3], \
    shoulder.qd[1], elbow.q, elbow.qd, flight.q[1], flight.q[2], flight.q[4], flight.qd[6]; Events = no; }";

/// The results with a built-in element and with a plugin in its place.
fn both(method: &'static str, built_in: &str, plugin: &str) -> [Outcome; 2] {
    [built_in, plugin].map(|element| {
        let text = bodies(Run::new(method, 1e-9, 1.0, 0.02)).with(COLUMNS).with(element);
        run(text.text()).complete()
    })
}

/// The same bits in every row, and the same energy balance.
fn assert_same(method: &'static str, built_in: &str, plugin: &str) {
    let [a, b] = both(method, built_in, plugin);
    assert_eq!(a.text("csv"), b.text("csv"), "{method}: {plugin}");
    assert_eq!(a.summary.statistics.evaluations, b.summary.statistics.evaluations);
    assert_eq!(a.summary.balance.end.to_bits(), b.summary.balance.end.to_bits(), "{plugin}");
    assert_eq!(a.summary.balance.largest_gap, b.summary.balance.largest_gap, "{plugin}");
    let works = |o: &Outcome| o.summary.balance.works.iter().map(|(_, w)| *w).collect::<Vec<_>>();
    assert_eq!(works(&a), works(&b), "{plugin}");
}

#[test]
fn a_spring_as_a_plugin_gives_the_same_bits_as_the_built_in_one() {
    for method in METHODS {
        for damping in ["0", "1.5"] {
            let spring = format!(
                "TriadFrom = hand; TriadTo = tail; ElasticLinear = 80; DampingLinear = {damping}; ZeroLength = 0.3;"
            );
            assert_same(
                method,
                &format!("Spring \"s\" {{ {spring} OneSide = bi; }}"),
                &format!("Plugin \"s\" {{ Type = spring_copy; {spring} }}"),
            );
        }
    }
}

#[test]
fn several_plugins_of_one_type_add_up() {
    let spring = |keyword: &str, name: &str, ends: &str, more: &str| {
        format!(
            "{keyword} \"{name}\" {{ {ends} ElasticLinear = 60; DampingLinear = 1; ZeroLength = 0.2; {more} }}"
        )
    };
    let (one, two) = ("TriadFrom = hand; TriadTo = tail;", "TriadFrom = nail; TriadTo = hand;");
    let built_in =
        spring("Spring", "a", one, "OneSide = bi;") + &spring("Spring", "b", two, "OneSide = bi;");
    let plugin = "Type = spring_copy;";
    assert_same(
        "derf",
        &built_in,
        &(spring("Plugin", "a", one, plugin) + &spring("Plugin", "b", two, plugin)),
    );
}

/// Each way of the sink, with time expressions that are parameters of the plugin.
#[test]
fn every_way_to_push_agrees_with_a_built_in_element() {
    let vector = "3*sin(2*t), -1 + elbow.q, 0.5";
    let xyz = "X = 3*sin(2*t); Y = -1 + elbow.q; Z = 0.5;";
    for (built_in, plugin) in [
        (
            format!("Force \"f\" {{ TriadTo = hand; Vector = {vector}; Frame = world; }}"),
            format!("Plugin \"f\" {{ Type = pusher; Way = force; To = hand; {xyz} }}"),
        ),
        (
            format!("Torque \"f\" {{ TriadTo = tail; Vector = {vector}; Frame = world; }}"),
            format!("Plugin \"f\" {{ Type = pusher; Way = torque; To = tail; {xyz} }}"),
        ),
        (
            format!(
                "Torque \"f\" {{ TriadTo = tail; TriadFrom = hand; Vector = {vector}; Frame = world; }}"
            ),
            format!(
                "Plugin \"f\" {{ Type = pusher; Way = torque_pair; To = tail; From = hand; {xyz} }}"
            ),
        ),
        (
            format!("JointForce \"f\" {{ Joint1D = shoulder; Value = {vector}; }}"),
            format!("Plugin \"f\" {{ Type = pusher; Way = generalised; Joint = shoulder; {xyz} }}"),
        ),
        (
            "JointForce \"f\" { Joint1D = elbow; Value = 3*sin(2*t); }".to_string(),
            format!("Plugin \"f\" {{ Type = pusher; Way = generalised; Joint = elbow; {xyz} }}"),
        ),
    ] {
        let [a, b] = both("de", &built_in, &plugin);
        assert_close(&a, &b, &plugin);
    }
}

/// A force pair with a torque is a force and a torque with reaction, both built in.
#[test]
fn a_pair_agrees_with_a_force_and_a_torque() {
    let built_in = "Force \"f\" { TriadTo = tail; TriadFrom = hand; Vector = 3*sin(2*t), -1, 0.5; Frame = world; }\n\
        Torque \"g\" { TriadTo = tail; TriadFrom = hand; Vector = 0.03*sin(2*t), -0.01, 0.005; Frame = world; }";
    let plugin = "Plugin \"f\" { Type = pusher; Way = pair; To = tail; From = hand; X = 3*sin(2*t); Y = -1; Z = 0.5; }";
    let [a, b] = both("de", built_in, plugin);
    assert_close(&a, &b, plugin);
    let work = |o: &Outcome| o.summary.balance.works.iter().map(|(_, work)| work).sum::<f64>();
    assert!((work(&a) - work(&b)).abs() < 1e-7 * work(&a).abs().max(1.0));
}

/// Both runs have the tolerance 1e-9 and differ by rounding in the forces, and where the sum of works is
/// integrated as one by the choice of steps: within a hundred tolerances after one second.
fn assert_close(a: &Outcome, b: &Outcome, what: &str) {
    let (a, b) = (a.table("csv"), b.table("csv"));
    assert_eq!(a.rows.len(), b.rows.len());
    for (x, y) in a.rows.iter().zip(&b.rows) {
        for (x, y) in x.iter().zip(y) {
            assert!((x - y).abs() < 1e-7 * x.abs().max(1.0), "{what}: {x} {y}");
        }
    }
}

/// What a plugin reads is what the built-in signals show, and what stands in the text.
#[test]
fn a_plugin_reads_the_whole_model() {
    let text = bodies(Run::new("derf", 1e-9, 0.5, 0.002))
        .with("Spring \"s\" { TriadFrom = nail; TriadTo = tail; ElasticLinear = 80; DampingLinear = 0; ZeroLength = 0.3; OneSide = bi; }")
        .with("Plugin \"r\" { Type = reader; BodyName = drone; JointName = flight; TriadName = tail; SpringName = s; }")
        .with("Output \"o\" { Files = csv; Signals = r.t, r.x, drone.x, r.vx, drone.vx, r.wy, drone.wy, r.q, flight.q[6], \
               r.qd, flight.qd[6], r.z, drone.z, r.mass, r.iyy, r.k, r.cx, r.tx, r.tvx; Events = no; }");
    let outcome = run(text.text()).complete();
    let table = outcome.table("csv");
    let pairs = [
        ("t", "r.t"),
        ("drone.x", "r.x"),
        ("drone.vx", "r.vx"),
        ("drone.wy", "r.wy"),
        ("flight.q[6]", "r.q"),
        ("flight.qd[6]", "r.qd"),
        ("drone.z", "r.z"),
        // The centre of gravity is the origin of the body.
        ("drone.x", "r.cx"),
    ];
    for (expected, read) in pairs {
        assert_eq!(table.column(expected), table.column(read), "{read}");
    }
    for (constant, expected) in [("r.mass", 0.5), ("r.iyy", 0.02), ("r.k", 80.0)] {
        assert!(table.column(constant).iter().all(|value| *value == expected), "{constant}");
    }
    // Velocities of a point of the body against central differences of its place. These err by h^2/6 of the
    // third derivative: a mass of 0.5 kg on a spring of 80 N/m swings with 12.6 1/s, and 0.5 m of that give
    // 1000 m/s^3.
    let (x, v, h) = (table.column("r.tx"), table.column("r.tvx"), 0.002);
    for k in 1..x.len() - 1 {
        let difference = (x[k + 1] - x[k - 1]) / (2.0 * h);
        assert!((difference - v[k]).abs() < h * h / 6.0 * 1000.0, "{difference} {}", v[k]);
    }
}
