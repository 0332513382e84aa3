//! The right-hand side, of the bare mechanics and of complete models, allocates nothing.

#![allow(clippy::unwrap_used, reason = "a test that cannot build its tree has failed")]

use dysim_generated::counting::own_requests;
use dysim_tests::blocks::Run as How;
use dysim_tests::everything::{everything, without_signals};
use dysim_tests::loading::system;
use dysim_tests::mechanisms;
use dysim_tests::random::Random;
use dysim_tests::random_trees as trees;
use dysim_tests::simulate::model;
use engine::internals::system::{Element, Run};
use integrate::{Events, MethodKind, Problem, Settings, Silent, Stop, Tolerance, build_for};
use mechanics::dense::{self, DenseWorkspace};
use mechanics::energy;
use mechanics::workspace::Sweep;
use mechanics::{BodySpec, Load, Workspace, inverse, kinematics, loads, recursive, vec3};

fn count(action: impl FnOnce()) -> usize {
    let before = own_requests();
    action();
    own_requests() - before
}

/// A tree with every joint type, each twice, once with rotors.
fn all_joints() -> Vec<BodySpec> {
    let mut r = Random::new(5);
    let mut specs = trees::bodies(&mut r, 2 * trees::N_JOINT_TYPES, 4);
    for (i, spec) in specs.iter_mut().enumerate() {
        spec.joint = trees::geometry(&mut r, i % trees::N_JOINT_TYPES);
        let nv = spec.joint.prepare().unwrap().joint.n_freedoms();
        spec.rotor_inertia = if i < trees::N_JOINT_TYPES { vec![0.1; nv] } else { Vec::new() };
    }
    specs
}

#[test]
fn the_counter_counts() {
    assert!(count(|| drop(std::hint::black_box(vec![1.0; 10]))) > 0);
}

#[test]
fn an_evaluation_with_every_joint_allocates_nothing() {
    let tree = trees::build(&all_joints(), vec3(0.0, 0.0, -9.81)).unwrap();
    let (q, v) = trees::state(&mut Random::new(6), &tree, 1.0, 1.0);
    let mut w = Workspace::new(&tree);
    let mut d = DenseWorkspace::new(&tree);
    let mut case = Sweep::new(&tree);
    let tau = vec![0.5; tree.n_v()];
    let (mut vdot, mut qdot, mut back) =
        (vec![0.0; tree.n_v()], vec![0.0; tree.n_q()], vec![0.0; tree.n_v()]);
    let tip = tree.bodies().last().unwrap();
    let load = Load::new(vec3(0.1, 0.2, 0.3), vec3(1.0, 2.0, 3.0));
    let allocated = count(|| {
        for _ in 0..3 {
            tree.fill_coordinate_rates(&q, &v, &mut qdot);
            kinematics::update_state(&tree, &q, &v, &mut w);
            kinematics::update_world(&tree, &v, &mut w);
            loads::clear_loads(&mut w);
            loads::add_load_at(&mut w, tip, vec3(1.0, 0.0, 0.0), &load);
            recursive::accelerations(&tree, &tau, &mut w, &mut vdot).unwrap();
            case.clear();
            case.add_load_at(&w, tip, vec3(1.0, 0.0, 0.0), &load);
            recursive::respond(&tree, &w, &mut case, &tau, &mut back);
            dense::accelerations(&tree, &tau, &mut w, &mut d, &mut vdot).unwrap();
            inverse::inverse_dynamics(&tree, &vdot, &mut w, &mut back);
            std::hint::black_box(energy::total_balance(&tree, &w));
        }
    });
    assert_eq!(allocated, 0);
}

/// Forces of all kinds and a discrete state.
const PLUGINS: &str = r#"
Plugin "p1" { Type = spring_copy; TriadFrom = t_Free; TriadTo = t_Spherical; ElasticLinear = 9; DampingLinear = 1; }
Plugin "p2" { Type = pusher; Way = pair; To = t_Planar; From = t_Free; X = sin(t); Y = 2; Z = b_Free.x; }
Plugin "p3" { Type = pusher; Way = generalised; Joint = J_Spherical; X = 1; Y = 2; Z = 3; }
Plugin "p4" { Type = follower; Leader = s2; Mode = taut; Joint = J_Screw; Force = 1; }
"#;

/// Every joint, every force element, plugins, time expressions of time and signals; modes as they settle.
#[test]
fn a_complete_right_hand_side_allocates_nothing() {
    for formalism in ["recursive", "dense"] {
        let text = everything(How::new("derf", 1e-8, 0.2, 0.1))
            .replace("ScaleGrav = 1;", &format!("ScaleGrav = 1; Formalism = {formalism};"));
        let system = system(&model(&(text + PLUGINS)));
        let mut run = Run::new(&system);
        let settings = Settings::new(MethodKind::Derf, Tolerance::new(1e-8, 1e-8));
        let (states, n_guards) = (system.n_states(), system.n_guards());
        let mut driver = integrate::build(MethodKind::Derf, states, n_guards, &settings).unwrap();
        driver.start(&mut run, 0.0, &system.initial_state(), 1.0, &mut Silent).unwrap();
        let y = driver.y().to_vec();
        let (mut ydot, mut guards) = (vec![0.0; states], vec![0.0; n_guards]);
        // Nothing that acts only now and then may be asleep, but one of two stops on one coordinate.
        let sleeps = |(at, element): &(usize, &Element)| element.has_guards() && run.mode(*at) == 0;
        let asleep = system.elements.iter().enumerate().filter(sleeps);
        let names: Vec<(&str, &str)> =
            asleep.map(|(_, e)| (system.model.block_name(e.block), e.part)).collect();
        assert_eq!(names, [("J_Revolute", "lower stop")]);
        let allocated = count(|| {
            for k in 0..3 {
                let t = 0.01 * f64::from(k);
                run.derivatives(t, &y, &mut ydot).unwrap();
                run.guards(t, &y, &ydot, &mut guards).unwrap();
                assert!(!run.step_event(t, &y, &ydot).unwrap());
            }
        });
        assert_eq!(allocated, 0, "{formalism}");
        assert!(ydot.iter().chain(&guards).all(|x| x.is_finite()));
    }
}

/// Loops of joints, a rod, a coupling and a motion: derivatives, guards and projection.
#[test]
fn a_right_hand_side_with_loops_allocates_nothing() {
    let more = "Rod \"R\" { TriadFrom = A0; TriadTo = rocker_end; }
Coupling \"C\" { Joint1 = J4; Joint2 = J1; Ratio = 2; }
Motion \"M\" { Joint = J5; Q = sin(t); }
"
    .to_string()
        + &mechanisms::rod("wheel", "world", "J4", 1.0, 0.1)
        + &mechanisms::joint("Revolute", "J4", "A0", "wheel_start", "Qinit = 1.4;")
        + &mechanisms::rod("arm", "world", "J5", 1.0, 0.1)
        + &mechanisms::joint("Revolute", "J5", "A0", "arm_start", "Damping = 1;");
    for formalism in ["recursive", "dense"] {
        let settings = mechanisms::Settings { formalism, ..Default::default() };
        // The rod keeps the rocker still, so that the four-bar has no freedom left; without it there is one.
        for rods in [0, 1] {
            let more = if rods == 0 { more.replacen("Rod", "// Rod", 1) } else { more.clone() };
            let system = system(&model(&mechanisms::four_bar(&settings, "Revolute", &more)));
            let mut run = Run::new(&system);
            let mut y = system.initial_state();
            run.assemble(0.0, &mut y).unwrap();
            let mut ydot = vec![0.0; y.len()];
            let mut work = |run: &mut Run<'_>| {
                for k in 0..3 {
                    let t = 1e-4 * f64::from(k);
                    y[0] += 1e-7;
                    run.project(t, &mut y).unwrap();
                    run.derivatives(t, &y, &mut ydot).unwrap();
                    assert!(!run.step_event(t, &y, &ydot).unwrap());
                }
            };
            // The dense formulation takes its buffers when it is first used.
            work(&mut run);
            assert_eq!(count(|| work(&mut run)), 0, "{formalism} {rods}");
            assert!(ydot.iter().all(|x| x.is_finite()));
        }
    }
}

/// A converter that switches, with an ideal diode: after its start all combinations of modes are known, and
/// nothing is allocated in steps, searches for events and their settling; likewise a rectifier with Newton's iteration.
#[test]
fn networks_allocate_nothing_once_their_modes_are_known() {
    for (name, kind, known, end) in [
        ("buck_converter", MethodKind::Derf, 4e-3, 4.2e-3),
        ("bridge_rectifier_exponential", MethodKind::Stiff, 0.03, 0.04),
    ] {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR"))
            .join(format!("../models/circuits/{name}.dys"));
        let system = system(&model(&std::fs::read_to_string(path).unwrap()));
        let mut run = Run::new(&system);
        let settings = Settings::new(kind, Tolerance::new(1e-6, 1e-9));
        let (states, n_guards) = (system.n_states(), system.n_guards());
        let mut driver = integrate::build(kind, states, n_guards, &settings).unwrap();
        let mut y = system.initial_state();
        run.begin(&mut y).unwrap();
        driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).unwrap();
        let mut advance = |end: f64, run: &mut Run<'_>| {
            let mut events = 0;
            while driver.advance(run, end, &mut Silent).unwrap() != integrate::Stop::Output {
                events += 1;
            }
            events
        };
        advance(known, &mut run);
        let mut events = 0;
        let allocated = count(|| events = advance(end, &mut run));
        assert_eq!(allocated, 0, "{name}, {events} events");
        assert!(name != "buck_converter" || events > 5, "{events} events");
    }
}

/// Ten rigid drives that become inertia of their joints, and the torque of one of them that does not.
#[test]
fn rigid_drives_allocate_nothing() {
    for torque in ["sin(t)", "-0.1*J1.qdd", "-0.1*J2.qdd"] {
        let mut text = String::from("Solver \"sv\" { Solver = derf; Tend = 9; }\n");
        let mut mother = String::from("world");
        for i in 1..=10 {
            text += &format!(
                "Triad \"a{i}\" {{ Parent = {mother}; Position = 0, 0, -0.1; }}\n\
                 Triad \"b{i}\" {{ Parent = L{i}; }}\n\
                 Revolute \"J{i}\" {{ Parent = L{i}; TriadFrom = a{i}; TriadTo = b{i}; JointAxis = 0, 1, 0; Qinit = 0.3; }}\n\
                 Body \"L{i}\" {{ Parent = {mother}; Joint = J{i}; Mass = 1; Inertia = 0.1, 0, 0, 0.1, 0, 0.1; }}\n\
                 Inertia \"R{i}\" {{ a = s{i}; J = 0.1; }}\n\
                 JointAxis \"A{i}\" {{ flange = s{i}; Joint = J{i}; }}\n"
            );
            mother = format!("L{i}");
        }
        text += &format!("TorqueSource \"T\" {{ a = s1; Tau = {torque}; }}\n");
        let system = system(&model(&text));
        let mut run = Run::new(&system);
        let mut y = system.initial_state();
        run.begin(&mut y).unwrap();
        let mut ydot = vec![0.0; y.len()];
        run.derivatives(0.0, &y, &mut ydot).unwrap();
        let allocated = count(|| {
            for step in 1..5 {
                run.derivatives(1e-3 * f64::from(step), &y, &mut ydot).unwrap();
            }
        });
        assert_eq!(allocated, 0, "{torque}");
    }
}

/// Signal blocks between two instants: steps, search for events, histories of delay lines.
#[test]
fn steps_between_instants_allocate_nothing() {
    let blocks = r#"
        Solver "sv" { Solver = derf; Tend = 9; }
        PI "c" { u = 1 - d.y; k = 2; Ti = 0.4; ymin = -3; ymax = 3; }
        PT2 "p" { u = c.y; w = 5; D = 0.3; }
        Delay "d" { u = p.y; T = 0.2; }
        Table "tab" { u = p.y; Data = { -9, 0, 9, 5 }; Method = spline; }
        Hysteresis "h" { u = p.y; ulow = -50; uhigh = 50; }
        PID "s" { u = p.y; Ti = 1; Td = 0.1; Tsample = 1; }
        StateSpace "x" { u = tab.y, s.y; A = 0, 1, -2, -3; B = 0, 0, 1, 1; C = 1, 0; }
    "#;
    for kind in [MethodKind::Derf, MethodKind::Stiff] {
        let system = system(&model(blocks));
        let mut run = Run::new(&system);
        let settings = Settings::new(kind, Tolerance::new(1e-8, 1e-8));
        let (states, guards) = (system.n_states(), system.n_guards());
        let mut driver = integrate::build(kind, states, guards, &settings).unwrap();
        let mut y = system.initial_state();
        run.begin(&mut y).unwrap();
        driver.start(&mut run, 0.0, &y, 1.0, &mut Silent).unwrap();
        // By now every buffer has its size.
        while driver.advance(&mut run, 3.05, &mut Silent).unwrap() != integrate::Stop::Output {}
        // Instants of the clock and of the delay line: at 3, then at multiples of 0.2 behind it, then at 4.
        let before = driver.statistics().evaluations;
        let allocated = count(|| {
            assert_eq!(
                driver.advance(&mut run, 3.15, &mut Silent).unwrap(),
                integrate::Stop::Output
            );
        });
        assert_eq!(allocated, 0, "{kind:?}");
        assert!(driver.statistics().evaluations > before + 3);
    }
}

/// Steps of an implicit method with the equations of all links, Jacobians, factors and events included. The first Jacobian makes
/// room.
#[test]
fn implicit_steps_of_trees_allocate_nothing() {
    let model = model(&without_signals(How::new("stiff", 1e-6, 1.0, 0.1)));
    let system = system(&model);
    let mut run = Run::new(&system);
    let settings = Settings::new(MethodKind::Stiff, Tolerance::new(1e-6, 1e-6));
    let mut driver = build_for(MethodKind::Stiff, &run, &settings).unwrap();
    driver.start(&mut run, 0.0, &system.initial_state(), 1.0, &mut Silent).unwrap();
    let mut advance = |t: f64| {
        while driver.advance(&mut run, t, &mut Silent).unwrap() != Stop::Output {}
        driver.statistics().jacobians
    };
    let before = advance(0.1);
    let mut after = before;
    assert_eq!(count(|| after = advance(0.5)), 0);
    assert!(before > 0 && after > before + 3, "{before} {after}");
}
