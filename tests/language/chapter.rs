//! The language of chapter 1: its examples, expressions, units, includes, names, order and options.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is not so")]

use std::sync::Arc;

use dysim_tests::every_block;
use dysim_tests::loading::{self, load_files, load_text, messages};
use dysim_tests::rewriting::{numbers, numeric_parameters, replace};
use engine::LoadOptions;
use engine::internals::blocks::constraints::Constraint;
use engine::internals::blocks::forces::ForceElement;
use engine::internals::blocks::general::{Analysis, OutputType, ResultFile, Solver};
use engine::internals::expression::{Program, SignalRef};
use engine::internals::load::Loaded;
use engine::internals::model::Model;

const WHEEL: (&str, &str) = ("more/wheel.dys", "Parameters \"wheel\" { R = 0.3; }");
/// The file that it includes under a name.
const PARTS: (&str, &str) = ("more/parts.dys", "Parameters \"parts\" { k = 0.3; }");

/// A pendulum of few words; the (D) defaults it takes are warnings.
pub(super) const PENDULUM: &str = r#"
Triad "base" { Parent = world; }
Triad "foot" { Parent = arm; }
Revolute "hinge" { Parent = arm; TriadFrom = base; TriadTo = foot; }
Body "arm" { Parent = world; Joint = hinge; }
"#;

/// The checked model of a text without errors.
fn model(text: impl Into<String>) -> Arc<Model> {
    Arc::clone(loading::model(text).checked())
}

fn codes(loaded: &Loaded) -> Vec<&'static str> {
    loaded.diagnostics.iter().map(|diagnostic| diagnostic.code.id()).collect()
}

pub(super) fn errors(loaded: &Loaded) -> Vec<&'static str> {
    let error =
        |d: &&parser::diagnostic::Diagnostic| d.severity == parser::diagnostic::Severity::Error;
    loaded.diagnostics.iter().filter(error).map(|diagnostic| diagnostic.code.id()).collect()
}

fn with_set(set: &[&str]) -> LoadOptions {
    LoadOptions { set: set.iter().map(ToString::to_string).collect(), ..LoadOptions::default() }
}

fn parameter(model: &Model, name: &str) -> f64 {
    model.parameters.iter().find(|(known, _)| known == name).unwrap().1
}

// The examples of the chapter.

#[test]
fn general_blocks_of_the_chapter() {
    let text = format!(
        r#"{PENDULUM}
        Header "h" {{ ModelName = pendulum; OutputType = none; }}
        System "s" {{ GravAccel = 0.0, 0.0, -9.8065; ScaleGrav = 1.0; }}
        Parameters "p" {{ L = 1.0; m = 2*L; }}
        Include "i" {{ File = "wheel.dys"; }}
        Output "o" {{ Files = ani, pva, epl, frc, csv; Signals = hinge.q, arm.x; Events = no; }}"#
    );
    let loaded = load_files(
        &[("model.dys", &text), ("wheel.dys", "Parameters \"w\" { R = L/4; }")],
        &LoadOptions::default(),
    );
    let said = messages(&loaded);
    let model = loaded.model.unwrap_or_else(|| panic!("{said}"));
    assert_eq!(model.name, "pendulum");
    assert_eq!(model.header.output_type, OutputType::None);
    assert_eq!(model.parameters.len(), 3);
    assert_eq!((parameter(&model, "m"), parameter(&model, "R")), (2.0, 0.25));
    let output = model.output.clone().unwrap();
    let files = [
        ResultFile::Animation,
        ResultFile::Motion,
        ResultFile::Energy,
        ResultFile::Forces,
        ResultFile::Signals,
    ];
    assert_eq!(*output.files.unwrap().0, files);
}

#[test]
fn solver_block_of_the_chapter() {
    let model = model(
        r#"Solver "sv" {
        Type = dynamic;                 // (+) also static, kinematic, linear: see chapter 3
        Solver = derf;
        AbsErr = 1.e-9;  RelErr = 1.e-6;
        Tstart = 0.0;  Tend = 1.0;  Tstep = 0.01;        // Tstep: output interval
        TstepMin = 0.0;
    }"#,
    );
    assert_eq!(model.solver.analysis, Analysis::Dynamic);
    assert_eq!((model.solver.absolute_error, model.solver.relative_error), (1e-9, 1e-6));
    assert_eq!(model.solver.largest_step, 0.01);
}

#[test]
fn body_motion_coupling_rod_and_primitive_of_the_chapter() {
    let model = model(
        r#"
    Body "b" {
        Parent = world;            // mother body
        Joint = j;                 // the joint that gives this body its freedom relative to Parent
        Mass = 1.0;
        Inertia = 1.0, 0.0, 0.0,  1.0, 0.0,  1.0;       // Theta_xx xy xz yy yz zz
        CGFramePosition = 0.0, 0.0, 0.0;                // of the CG frame in the body frame
        CGFrameOrientation = 0.0, 0.0, 0.0;
        AngleType = euler;  Degrees = rad;
    }
    Triad "t" { Parent = b; Position = 0,0,0; Orientation = 0,0,0; AngleType = euler; Degrees = rad; }
    Triad "w" { Parent = world; }
    Revolute "j" { Parent = b; TriadFrom = w; TriadTo = t; }
    Prismatic "k" { TriadFrom = w; TriadTo = t; Role = loop; }
    Motion "m" { Joint = j; Q = 2*t; }
    Coupling "c" { Joint1 = j; Joint2 = k; Ratio = 3; }
    Rod "r" { TriadFrom = w; TriadTo = t; Length = 2; }
    Primitive "p" { Parent = b; Position = 0,0,0; Cardan = 0,0,0; Degrees = rad; Color = 0,0,0,0; Type = Box; }
    "#,
    );
    assert_eq!((model.bodies.len(), model.joints.len(), model.constraints.len()), (1, 2, 3));
    assert_eq!(model.primitives.len(), 1);
    let Constraint::Motion(motion) = &model.constraints[0].what else { panic!("a motion") };
    assert_eq!(value_at(&motion.q.0[0], 1.5), 3.0);
}

fn value_at(program: &Program, t: f64) -> f64 {
    let mut stack = vec![0.0; program.depth()];
    program.evaluate(t, 0.0, |_: SignalRef| 10.0, &mut stack)
}

// Expressions.

#[test]
fn expressions_have_the_value_of_their_mathematics() {
    use std::f64::consts::{E, PI};
    let cases: &[(&str, f64)] = &[
        ("2*L + 0.1", 6.1),
        ("pi/2", PI / 2.0),
        ("sqrt(2)", 2f64.sqrt()),
        ("1 + 2*3^2", 19.0),
        ("2^3^2", 512.0),
        ("-2^2", -4.0),
        ("2^-1", 0.5),
        ("(1 + 2)*3", 9.0),
        ("10 - 4 - 3", 3.0),
        ("24/4/3", 2.0),
        ("-L", -3.0),
        ("+L", 3.0),
        ("--L", 3.0),
        ("1 < 2", 1.0),
        ("2 <= 1", 0.0),
        ("1 > 2 || 3 != 4", 1.0),
        ("1 == 1 && !(2 >= 3)", 1.0),
        ("if(L > 2, 5, 1/0)", 5.0),
        ("if(L < 2, 1/0, 7)", 7.0),
        ("sin(pi/6)", (PI / 6.0).sin()),
        ("cos(1) + tan(1)", 1f64.cos() + 1f64.tan()),
        ("asin(0.5) + acos(0.5) + atan(0.5)", 0.5f64.asin() + 0.5f64.acos() + 0.5f64.atan()),
        ("atan2(1, -1)", 1f64.atan2(-1.0)),
        ("sinh(1) + cosh(1) + tanh(1)", 1f64.sinh() + 1f64.cosh() + 1f64.tanh()),
        ("exp(1) - e", 1f64.exp() - E),
        ("log(e) + log10(1000)", 1f64.exp().ln() + 1000f64.log10()),
        ("abs(-3) + sign(-3)", 2.0),
        ("min(3, 1, 2) + max(3, 1, 2)", 4.0),
        ("floor(-1.5) + ceil(1.2)", 0.0),
        ("mod(7, 4) + mod(-1, 4)", 6.0),
        ("clamp(5, 0, 1)", 1.0),
        ("1.e-9*1E+9", 1e-9 * 1e9),
        (".5 + 1.", 1.5),
        ("2 /* two */ * // three\n 3", 6.0),
    ];
    for (expression, value) in cases {
        let model = model(format!("Parameters \"p\" {{ L = 3; x = {expression}; }}"));
        assert_eq!(parameter(&model, "x"), *value, "{expression}");
    }
}

fn load_every_block(text: &str) -> Loaded {
    let points = ("points.csv", "0, 1\n1, 2\n");
    load_files(&[("every_block.dys", text), WHEEL, PARTS, points], &LoadOptions::default())
}

/// Wherever a number stands, an expression with the same value gives the same model.
#[test]
fn an_expression_may_stand_wherever_a_number_stands() {
    let text = every_block::text();
    let places = numbers(&text);
    assert!(places.len() > 500, "{} numbers", places.len());
    let rewritten = replace(&text, &places, |number| format!("(0.0 + 1*({number}))"));
    let (plain, loaded) = (load_every_block(&text), load_every_block(&rewritten));
    let said = messages(&loaded);
    let (plain, other) = (plain.model.unwrap(), loaded.model.unwrap_or_else(|| panic!("{said}")));
    assert_eq!(plain.system, other.system);
    // Names are kept as their places in the text, which move.
    let without_names = |model: &Model| {
        let given = model.solver.given.clone().unwrap();
        let values: Vec<f64> = given.0.iter().map(|(.., value)| *value).collect();
        let (inputs, unknown, given) = (None, None, None);
        (Solver { inputs, unknown, given, opening: None, ..model.solver.clone() }, values)
    };
    assert_eq!(without_names(&plain), without_names(&other));
    assert_eq!(plain.parameters[0], other.parameters[0]);
    assert_eq!(plain.bodies, other.bodies);
    assert_eq!(plain.triads, other.triads);
    assert_eq!(plain.joints, other.joints);
    assert_eq!(plain.constraints, other.constraints);
    assert_eq!(plain.forces, other.forces);
    for (a, b) in plain.primitives.iter().zip(&other.primitives) {
        // The file name of a mesh is kept as its place in the text, which moves.
        if !matches!(a.shape, engine::internals::blocks::graphics::Shape::Mesh(_)) {
            assert_eq!(a, b);
        }
    }
}

/// `t` and signals are for time expressions only: every other number refuses them.
#[test]
fn the_time_is_refused_where_a_constant_is_needed() {
    let text = every_block::text();
    for (place, is_time, name) in numeric_parameters(&text) {
        for word in ["t", "Revolute.q"] {
            let changed = replace(&text, std::slice::from_ref(&place), |_| word.into());
            let loaded = load_every_block(&changed);
            let expected: &[&str] = match (is_time, name.as_str(), word) {
                // Friction may follow from a load, at rest too.
                (false, name, _) if name.ends_with(".Friction") => &[],
                (false, ..) => &["A125"],
                // A prescribed motion is a function of the time alone, since it is differentiated.
                (true, "Motion.Q", "Revolute.q") => &["A184"],
                (true, ..) => &[],
            };
            assert_eq!(errors(&loaded), expected, "{name} = {word}\n{}", messages(&loaded));
        }
    }
}

#[test]
fn time_expressions_follow_time_and_signals() {
    let text = format!(
        "{PENDULUM}\nParameters \"p\" {{ k = 2; }}\n\
         Force \"f\" {{ TriadTo = foot; Vector = k*t, hinge.q + arm.x, sin(pi/2); }}\n\
         JointForce \"g\" {{ Joint1D = hinge; Value = -k*hinge.qd[1]; }}"
    );
    let model = model(&text);
    let ForceElement::Force(force) = &model.forces[0].what else { panic!("a force") };
    let values: Vec<f64> = force.vector.0.iter().map(|p| value_at(p, 3.0)).collect();
    assert_eq!(values, [6.0, 20.0, 1.0]);
    assert_eq!(force.vector.0[2].as_constant(), Some(1.0));
    let ForceElement::JointForce(force) = &model.forces[1].what else { panic!("a force") };
    assert_eq!(value_at(&force.value.0[0], 0.0), -20.0);
}

// Units.

#[test]
fn degrees_concern_their_block_only_wherever_they_stand_in_it() {
    let text = format!(
        "{PENDULUM}\n\
         Triad \"a\" {{ Degrees = deg; Parent = arm; Position = 90, 0, 0; Orientation = 90, 0, 0; }}\n\
         Triad \"b\" {{ Parent = arm; Position = 90, 0, 0; Orientation = 90, 0, 0; Degrees = deg; }}\n\
         Triad \"c\" {{ Parent = arm; Orientation = 90, 0, 0; }}\n\
         RSDA \"s\" {{ Joint1D = hinge; ElasticLinear = 90; DampingLinear = 90; ZeroAngle = 90; Degrees = deg; }}"
    );
    let model = model(&text);
    let right = 90f64.to_radians();
    for triad in &model.triads[2..4] {
        assert_eq!((triad.position[0], triad.orientation[0]), (90.0, right));
    }
    assert_eq!(model.triads[4].orientation[0], 90.0);
    let ForceElement::Rsda(spring) = &model.forces[0].what else { panic!("a torsion spring") };
    assert_eq!((spring.elastic, spring.damping, spring.zero_angle), (90.0, 90.0, right));
}

// Text.

#[test]
fn line_ends_byte_order_mark_and_white_space_mean_nothing() {
    let plain = every_block::text();
    let squeezed = plain.split_whitespace().collect::<Vec<_>>().join(" ");
    let variants = [
        plain.replace('\n', "\r\n"),
        format!("\u{feff}{plain}"),
        squeezed,
        plain.replace(' ', "\t\n"),
        plain.replace("; ", "; /* a { \" ; } remark */ // another \"{\n"),
    ];
    let reference = load_every_block(&plain).model.unwrap();
    for text in variants {
        let loaded = load_every_block(&text);
        let said = messages(&loaded);
        let model = loaded.model.unwrap_or_else(|| panic!("{said}"));
        assert_eq!(model.joints, reference.joints);
        assert_eq!(model.forces, reference.forces);
        assert_eq!(model.bodies, reference.bodies);
    }
}

// Names.

#[test]
fn names_have_digits_dots_and_minus_signs_and_may_be_quoted() {
    let text = r#"
    Triad "2nd-base" { Parent = world; }
    Triad "foot.left" { Parent = "arm-1"; }
    Revolute "a.b" { Parent = arm-1; TriadFrom = 2nd-base; TriadTo = "foot.left"; }
    Body "arm-1" { Parent = "world"; Joint = a.b; }
    Spring "a.b" { TriadFrom = 2nd-base; TriadTo = foot.left; }
    Torque "m" { TriadTo = foot.left; Vector = "arm-1".x - 1, a.b.q, Spring:a.b.f + Revolute:"a.b".f; }
    Output "o" { Signals = "arm-1".vx, a.b.qd, Revolute:a.b.f, arm-1.x; }
    "#;
    let model = model(text);
    let signals = model.output.as_ref().unwrap().signals.as_ref().unwrap();
    let names: Vec<String> =
        signals.0.iter().map(|(signal, _)| model.signal_name(*signal)).collect();
    assert_eq!(names, ["arm-1.vx", "a.b.qd", "a.b.f", "arm-1.x"]);
}

#[test]
fn the_same_name_is_legal_for_different_keywords() {
    let model = model(
        r#"Triad "a" { Parent = world; } Triad "b" { Parent = a; }
        Body "a" { Parent = world; Joint = a; } Free "a" { Parent = a; TriadFrom = a; TriadTo = b; }"#,
    );
    assert_eq!((model.bodies.len(), model.triads.len(), model.joints.len()), (1, 2, 1));
}

// Order.

#[test]
fn blocks_may_refer_forward_and_keep_the_order_of_the_file() {
    let blocks: Vec<&str> = PENDULUM.trim().lines().collect();
    let backward: Vec<&str> = blocks.iter().rev().copied().collect();
    let two = "Body \"second\" { Parent = arm; Joint = j; }\nTriad \"x\" { Parent = second; }\n\
               Bracket \"j\" { Parent = second; TriadFrom = foot; TriadTo = x; }";
    let names = |text: String| {
        let model = model(&text);
        let name =
            |body: &engine::internals::model::Declared<_>| model.block_name(body.block).to_string();
        model.bodies.iter().map(name).collect::<Vec<String>>()
    };
    assert_eq!(names(format!("{two}\n{}", backward.join("\n"))), ["second", "arm"]);
    assert_eq!(names(format!("{}\n{two}", blocks.join("\n"))), ["arm", "second"]);
}

// Files.

/// The Solver block of DySim's manual for a method with fixed steps.
const RK4: &str = "Header \"h\" { ModelName = m; OutputType = none; }\n\
    System \"s\" { GravAccel = 0, 0, -9.8065; ScaleGrav = 1; }\n\
    Solver \"d\" { Type = dynamic; Solver = rk4; Tstart = 0; Tend = 1; Tstep = 0.02; TstepMax = Tstep; }\n";

#[test]
fn a_step_may_be_given_by_the_name_of_the_output_interval() {
    let loaded = load_text(RK4, &LoadOptions::default());
    assert!(errors(&loaded).is_empty(), "{}", messages(&loaded));
    assert_eq!(loaded.model.unwrap().solver.largest_step, 0.02);
    // A constant of that name comes first, and other names of parameters are still mistakes.
    let constant = format!("{RK4}Parameters \"p\" {{ Tstep = 0.5; }}");
    let loaded = load_text(&constant, &LoadOptions::default());
    assert_eq!(loaded.model.unwrap().solver.largest_step, 0.5);
    let wrong = RK4.replace("TstepMax = Tstep;", "TstepMax = Tend;");
    assert!(!errors(&load_text(&wrong, &LoadOptions::default())).is_empty());
}

#[test]
fn parameters_that_a_solver_does_not_use_are_not_missed() {
    let missed = |text: &str| {
        let loaded = load_text(text, &LoadOptions::default());
        loaded.diagnostics.iter().any(|d| d.code.id() == "A110")
    };
    assert!(!missed(RK4));
    for solver in ["de", "derf"] {
        let text = RK4
            .replace("Solver = rk4;", &format!("Solver = {solver}; AbsErr = 1e-9; RelErr = 1e-6;"));
        assert!(!missed(&text), "{solver}");
        assert!(missed(&text.replace("RelErr = 1e-6;", "")), "{solver}");
    }
    assert!(missed(&RK4.replace("rk4", "odeint_rk")));
}

/// A shape decorates. Where nothing is drawn, a mistake in it does not keep a model from running.
#[test]
fn mistakes_in_primitives_are_warnings_where_nothing_is_drawn() {
    let wrong = [
        "Type = Spere;",
        "Type = Box; LengthX = 1; LengthY = two; LengthZ = 1;",
        "Type = Box; Parent = nobody;",
    ];
    for shape in wrong {
        let text = format!("{RK4}Primitive \"p\" {{ Parent = world; {shape} }}")
            .replace("Parent = world; Type = Box; Parent", "Type = Box; Parent");
        assert!(!errors(&load_text(&text, &LoadOptions::default())).is_empty(), "{shape}");
        let lenient = LoadOptions { only_warns_of_primitives: true, ..LoadOptions::default() };
        let loaded = load_text(&text, &lenient);
        assert!(errors(&loaded).is_empty(), "{}", messages(&loaded));
        assert!(loaded.diagnostics.warnings() > 0, "{shape}");
        assert!(loaded.model.unwrap().primitives.is_empty(), "{shape}");
        // Who wants no warnings wants none about shapes.
        let strict = LoadOptions { strict: true, ..lenient };
        assert!(!errors(&load_text(&text, &strict)).is_empty(), "{shape}");
    }
}

// Options.

#[test]
fn set_overrides_a_parameter_and_what_depends_on_it() {
    let text = "Parameters \"p\" { L = 1; m = 2*L; }";
    for (set, l, m) in [
        (vec![], 1.0, 2.0),
        (vec!["L=3"], 3.0, 6.0),
        (vec![" L = 2 + 2 "], 4.0, 8.0),
        (vec!["m=10*L", "L=-1"], -1.0, -10.0),
        (vec!["L=3", "L=5"], 5.0, 10.0),
    ] {
        let model = load_text(text, &with_set(&set)).model.unwrap();
        assert_eq!((parameter(&model, "L"), parameter(&model, "m")), (l, m), "{set:?}");
    }
    assert_eq!(errors(&load_text(text, &with_set(&["k=1"]))), ["A129"]);
    assert_eq!(errors(&load_text(text, &with_set(&["L=m"]))), ["A128"]);
    for broken in ["L", "L=", "=1", "L=1;", "L=1,2", "L=1 M=2", "1=L", ""] {
        assert_eq!(errors(&load_text(text, &with_set(&[broken]))).len(), 1, "{broken}");
    }
}

#[test]
fn strict_turns_every_warning_into_an_error() {
    let text = format!("{PENDULUM}\nWidget \"w\" {{ }}");
    let loaded = load_text(&text, &LoadOptions::default());
    let warned = codes(&loaded);
    assert!(loaded.model.is_some() && warned.len() >= 6, "{warned:?}");
    let strict = load_text(&text, &LoadOptions { strict: true, ..LoadOptions::default() });
    assert!(strict.model.is_none());
    assert_eq!(errors(&strict), warned);
}

#[test]
fn impossible_masses_are_allowed_on_request() {
    let text =
        PENDULUM.replace("Joint = hinge;", "Joint = hinge; Mass = -1; Inertia = 1,2,0,1,0,1;");
    let loaded = load_text(&text, &LoadOptions::default());
    assert_eq!(errors(&loaded), ["A160", "A161"]);
    let options = LoadOptions { allow_unphysical: true, ..LoadOptions::default() };
    let loaded = load_text(&text, &options);
    assert_eq!(errors(&loaded), [""; 0]);
    assert_eq!(loaded.model.unwrap().bodies[0].mass, -1.0);
}

#[test]
fn missing_settings_are_a_warning_each() {
    let loaded = load_text("Parameters \"p\" { L = 1; }", &LoadOptions::default());
    assert_eq!(codes(&loaded), ["A111", "A111", "A111"]);
    assert!(loaded.model.is_some());
}
