//! Every block with all its parameters, none of them at its default, reads to exactly the values that
//! are written. A new parameter that is not tested here makes a test fail, or not compile.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where something is not so")]

use std::collections::BTreeMap;

use dysim_tests::every_block;
use dysim_tests::loading::{load_files, messages};
use engine::LoadOptions;
use engine::internals::blocks::constraints::{Constraint, Coupling, Motion, Rod};
use engine::internals::blocks::forces::{self, ForceElement, VectorFrame};
use engine::internals::blocks::general::{
    Analysis, Formalism, Header, Initial, LinearAt, Output, OutputType, ResultFile, ResultFiles,
    Solver, Spacing, System,
};
use engine::internals::blocks::graphics::{self, Placement, Primitive, Shape, ShapeType};
use engine::internals::blocks::joints::{self, CoordinateOptions, Joint, JointKind, Role};
use engine::internals::element::Coordinate;
use engine::internals::expression::Program;
use engine::internals::model::{Declared, Model, registry};
use engine::internals::reading::fields::{
    AngleType, Degrees, FrictionLaw, FrictionLaws, Groups, Names, NumberList, OneSide,
    PerCoordinate, SlidingFriction, StaticFriction, TimePerCoordinate, TimeVector, YesNo,
};
use engine::internals::reading::ids::{BodyId, JointId, TriadId};

fn model() -> std::sync::Arc<Model> {
    let files = [
        ("every_block.dys", every_block::text()),
        ("more/wheel.dys", "Parameters \"wheel\" { R = 0.3; }".into()),
        ("more/parts.dys", "Parameters \"parts\" { k = 0.3; }".into()),
        ("points.csv", "0, 1\n1, 2\n".into()),
    ];
    let files: Vec<(&str, &str)> =
        files.iter().map(|(path, text)| (*path, text.as_str())).collect();
    let loaded = load_files(&files, &LoadOptions { strict: true, ..LoadOptions::default() });
    let messages = messages(&loaded);
    loaded.model.unwrap_or_else(|| panic!("{messages}"))
}

/// What a block declares, by its name.
fn by_name<'m, T>(model: &'m Model, all: &'m [Declared<T>], name: &str) -> &'m T {
    let found = all.iter().find(|declared| model.block_name(declared.block) == name);
    &found.unwrap_or_else(|| panic!("no `{name}`")).what
}

fn triad_name(model: &Model, id: TriadId) -> &str {
    model.block_name(model.triad(id).block)
}

fn joint_name(model: &Model, id: JointId) -> &str {
    model.block_name(model.joint(id).block)
}

/// Every parameter of every table is written in the model, with another value than its default.
#[test]
fn every_parameter_is_written_and_differs_from_its_default() {
    let text = every_block::text();
    let mut sources = parser::source::Sources::default();
    sources.add("every_block.dys", text).unwrap();
    let document = parser::parse(&sources.all()[0]).document;
    let mut written: BTreeMap<(&str, &str), Vec<&str>> = BTreeMap::new();
    for block in document.blocks() {
        for parameter in document.parameters(block) {
            let key = (sources.text(block.keyword), sources.text(parameter.name));
            written.entry(key).or_default().push(sources.text(parameter.value));
        }
    }
    for schema in registry::blocks() {
        for parameter in schema.all_parameters() {
            let values = written.get(&(schema.keyword, parameter.name));
            let values = values
                .unwrap_or_else(|| panic!("{} {} is not tested", schema.keyword, parameter.name));
            let default = parameter.default_words(schema.coordinates);
            assert!(
                values.iter().any(|value| *value != default),
                "{} {} is only tested with its default {default}",
                schema.keyword,
                parameter.name
            );
        }
    }
}

#[test]
fn settings_read_to_what_is_written() {
    let model = model();
    let name = model.header.model_name;
    assert_eq!(model.header, Header { model_name: name, output_type: OutputType::None });
    assert_eq!(model.name, "robot");
    let system = System {
        gravity: [1.0, 2.0, 3.0],
        gravity_scale: 0.5,
        formalism: Formalism::Dense,
        ambient_temperature: 300.0,
    };
    assert_eq!(model.system, system);
    let solver = model.solver.clone();
    let solver = Solver {
        analysis: Analysis::Linear,
        method: integrate::MethodKind::Stiff,
        absolute_error: 1e-7,
        relative_error: 1e-5,
        start: 1.5,
        end: 9.0,
        output_step: 0.25,
        largest_step: 0.125,
        smallest_step: 1e-12,
        first_step: 1e-3,
        initial: Initial::Steady,
        linear_at: Some(LinearAt::Static),
        inputs: solver.inputs.clone(),
        from: 2.0,
        to: 200.0,
        points: 7,
        spacing: Spacing::Octave,
        amplitude: Some(NumberList([2.0, 3.0, 4.0].into())),
        phase: Some(NumberList([10.0, 20.0, 30.0].into())),
        opening: solver.opening,
        sensitivity: solver.sensitivity.clone(),
        unknown: solver.unknown.clone(),
        given: solver.given.clone(),
        mode_amplitude: 0.5,
    };
    assert_eq!(model.solver, solver);
    let text = |names: Option<Names>| -> Vec<String> {
        let names = names.unwrap_or_else(|| panic!("no names"));
        names.0.iter().map(|span| model.sources.text(*span).to_string()).collect()
    };
    assert_eq!(text(solver.inputs), ["JointForce"]);
    assert_eq!(text(solver.unknown), ["Torque.tx", "Force"]);
    assert_eq!(solver.opening.map(|name| model.sources.text(name.0)), Some("PT1.y"));
    let given = solver.given.unwrap();
    let given: Vec<(String, f64)> =
        given.0.iter().map(|(signal, _, x)| (model.signal_name(*signal), *x)).collect();
    assert_eq!(given, [("Revolute.q".into(), 0.5), ("body_Free.vx".into(), 2.0)]);
    let output = model.output.clone().unwrap();
    let signals = output.signals.clone().unwrap();
    let names: Vec<String> =
        signals.0.iter().map(|(signal, _)| model.signal_name(*signal)).collect();
    assert_eq!(names, ["carrier_Free.q[3]", "Revolute.qd", "body_Free.vx"]);
    let files = ResultFiles([ResultFile::Signals, ResultFile::Animation].into());
    let expected = Output { files: Some(files), signals: Some(signals), events: YesNo::Yes };
    assert_eq!(output, expected);
    assert_eq!(model.parameters, [("L".to_string(), 2.0), ("R".to_string(), 0.3)]);
}

#[test]
fn a_body_and_a_triad_read_to_what_is_written() {
    let model = model();
    let body = by_name(&model, &model.bodies, "last");
    assert_eq!(model.body_name(body.parent), "body_Free");
    assert_eq!(joint_name(&model, body.joint), "last_joint");
    let expected = engine::internals::blocks::body::Body {
        parent: body.parent,
        joint: body.joint,
        mass: 2.5,
        inertia: [3.0, 0.1, 0.2, 4.0, 0.3, 5.0],
        cg_position: [1.0, 2.0, 3.0],
        cg_orientation: [10.0, 20.0, 30.0].map(f64::to_radians),
        angle_type: AngleType::Cardan,
        degrees: Degrees::Degrees,
    };
    assert_eq!(*body, expected);
    let triad = by_name(&model, &model.triads, "last_triad");
    assert_eq!(model.body_name(triad.parent), "last");
    let expected = engine::internals::blocks::body::Triad {
        parent: triad.parent,
        position: [0.5, 0.25, 0.125],
        orientation: [40.0, 50.0, 60.0].map(f64::to_radians),
        angle_type: AngleType::Cardan,
        degrees: Degrees::Degrees,
    };
    assert_eq!(*triad, expected);
}

/// `Degrees = deg` turns angles and angular rates, and leaves lengths, stiffness and damping.
fn degrees(coordinates: &[Coordinate], values: &[f64]) -> Vec<f64> {
    let turn =
        |(c, v): (&Coordinate, &f64)| if *c == Coordinate::Angle { v.to_radians() } else { *v };
    coordinates.iter().zip(values).map(turn).collect()
}

fn expected_options(coordinates: &[Coordinate]) -> CoordinateOptions {
    let all = |value: f64| Some(PerCoordinate(vec![value; coordinates.len()].into()));
    let turned = |value: f64| {
        Some(PerCoordinate(degrees(coordinates, &vec![value; coordinates.len()]).into()))
    };
    let law = FrictionLaw {
        static_limit: StaticFriction::Constant(4.5),
        sliding: SlidingFriction::Static,
    };
    CoordinateOptions {
        fixed: YesNo::Yes,
        locked: YesNo::Yes,
        damping: all(1.5),
        stiffness: all(2.5),
        rest: turned(3.5),
        friction: Some(FrictionLaws(vec![law; coordinates.len()].into())),
        lower: turned(-200.0),
        upper: turned(200.0),
        stop_stiffness: all(5.5),
        stop_damping: all(6.5),
        rotor_inertia: all(7.5),
    }
}

fn expected_kind(keyword: &str, coordinates: &[Coordinate]) -> JointKind {
    let q = |n: usize| degrees(coordinates, &[10.0, 20.0, 30.0, 40.0, 50.0, 60.0][..n]);
    let qd = |n: usize| degrees(coordinates, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0][..n]);
    let (axis, point) = ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]);
    let (axis2, point2) = ([3.0, 2.0, 1.0], [7.0, 8.0, 9.0]);
    let (angle_type, degrees) = (AngleType::Cardan, Degrees::Degrees);
    macro_rules! joint {
        ($module:ident::$parameters:ident as $name:ident, $n:literal, $($field:ident: $value:expr),*) => {
            JointKind::$name(joints::$module::$parameters {
                q: q($n).try_into().unwrap(),
                qd: qd($n).try_into().unwrap(),
                $($field: $value),*
            })
        };
    }
    match keyword {
        "Free" => joint!(free::FreeParameters as Free, 6, angle_type: angle_type, degrees: degrees),
        "Bracket" => JointKind::Bracket(joints::bracket::BracketParameters {}),
        "Revolute" => {
            joint!(revolute::RevoluteParameters as Revolute, 1, axis: axis, point: point, degrees: degrees)
        }
        "Universal" => {
            joint!(universal::UniversalParameters as Universal, 2, axis1: axis, point1: point, axis2: axis2, point2: point2, degrees: degrees)
        }
        "Spherical" => {
            joint!(spherical::SphericalParameters as Spherical, 3, angle_type: angle_type, degrees: degrees)
        }
        "Prismatic" => {
            joint!(prismatic::PrismaticParameters as Prismatic, 1, axis: axis, point: point)
        }
        "BiPrismatic" => {
            joint!(bi_prismatic::BiPrismaticParameters as BiPrismatic, 2, axis1: axis, point1: point, axis2: axis2, point2: point2)
        }
        "TriPrismatic" => joint!(tri_prismatic::TriPrismaticParameters as TriPrismatic, 3,),
        "Screw" => {
            joint!(screw::ScrewParameters as Screw, 1, axis: axis, point: point, pitch: 0.75, degrees: degrees)
        }
        "Cylindrical" => {
            joint!(cylindrical::CylindricalParameters as Cylindrical, 2, axis: axis, point: point, degrees: degrees)
        }
        "Planar" => {
            joint!(planar::PlanarParameters as Planar, 3, axis: axis, point: point, degrees: degrees)
        }
        "ConstantVelocity" => {
            joint!(constant_velocity::ConstantVelocityParameters as ConstantVelocity, 2, axis1: axis, axis2: axis2, point: point, degrees: degrees)
        }
        _ => panic!("the joint {keyword} is not tested"),
    }
}

#[test]
fn every_joint_reads_to_what_is_written() {
    let model = model();
    for schema in joints::SCHEMAS {
        let found = by_name(&model, &model.joints, schema.keyword);
        let Joint { connection, kind, options } = found;
        assert_eq!(connection.role, Role::Loop, "{}", schema.keyword);
        let parent = connection.parent.map(|parent| model.body_name(parent));
        assert_eq!(parent, Some(format!("body_{}", schema.keyword).as_str()));
        assert_eq!(triad_name(&model, connection.from), "ground");
        assert_eq!(triad_name(&model, connection.to), format!("on_{}", schema.keyword));
        assert_eq!(*kind, expected_kind(schema.keyword, schema.coordinates));
        let expected = expected_options(schema.coordinates);
        let expected = (!schema.coordinates.is_empty()).then_some(expected);
        assert_eq!(options.as_deref(), expected.as_ref(), "{}", schema.keyword);
    }
}

fn constants(values: &[f64]) -> Box<[Program]> {
    values.iter().map(|&value| Program::constant(value)).collect()
}

#[test]
fn every_constraint_reads_to_what_is_written() {
    let model = model();
    let Constraint::Motion(motion) = by_name(&model, &model.constraints, "motion") else {
        panic!("a motion")
    };
    assert_eq!(joint_name(&model, motion.joint), "carrier_Universal");
    let q = TimePerCoordinate(constants(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]));
    assert_eq!(*motion, Motion { joint: motion.joint, q });
    let Constraint::Coupling(coupling) = by_name(&model, &model.constraints, "coupling") else {
        panic!("a coupling")
    };
    assert_eq!(joint_name(&model, coupling.joint1.0), "Revolute");
    assert_eq!(joint_name(&model, coupling.joint2.0), "Prismatic");
    let Coupling { joint1, joint2, .. } = *coupling;
    assert_eq!(*coupling, Coupling { joint1, joint2, ratio: -2.5 });
    let Constraint::Rod(rod) = by_name(&model, &model.constraints, "rod") else { panic!("a rod") };
    assert_eq!(triad_name(&model, rod.from), "on_Free");
    assert_eq!(triad_name(&model, rod.to), "ground");
    assert_eq!(*rod, Rod { from: rod.from, to: rod.to, length: Some(1.75) });
}

/// The triads of all force elements of the model.
const ENDS: (&str, &str) = ("on_Free", "ground");

#[test]
fn every_force_reads_to_what_is_written() {
    let model = model();
    for schema in forces::SCHEMAS {
        let element = by_name(&model, &model.forces, schema.keyword);
        let ends = element.ends();
        if let Some((from, to)) = ends {
            assert_eq!((triad_name(&model, from), triad_name(&model, to)), ENDS);
        }
        assert_eq!(*element, expected_force(&model, element), "{}", schema.keyword);
    }
}

fn expected_force(model: &Model, element: &ForceElement) -> ForceElement {
    use ForceElement as F;
    let matrix = |factor: f64| {
        let elements: Vec<f64> = (1..=36).map(|k| factor * f64::from(k)).collect();
        Box::new(<[f64; 36]>::try_from(elements).unwrap())
    };
    match element {
        F::Spring(s) => F::Spring(Box::new(forces::spring::Spring {
            from: s.from,
            to: s.to,
            elastic: 1.5,
            damping: 2.5,
            zero_length: 3.5,
            one_side: OneSide::Negative,
        })),
        F::Rsda(s) => {
            assert_eq!(joint_name(model, s.joint.0), "Revolute");
            F::Rsda(Box::new(forces::rsda::Rsda {
                joint: s.joint,
                elastic: 1.5,
                damping: 2.5,
                zero_angle: 30f64.to_radians(),
                one_side: OneSide::Positive,
                degrees: Degrees::Degrees,
            }))
        }
        F::Tsda(s) => {
            assert_eq!(joint_name(model, s.joint.0), "Prismatic");
            F::Tsda(Box::new(forces::tsda::Tsda {
                joint: s.joint,
                elastic: 1.5,
                damping: 2.5,
                zero_length: 3.5,
                one_side: OneSide::Negative,
            }))
        }
        F::ContactSimple(c) => F::ContactSimple(Box::new(forces::contact_simple::ContactSimple {
            from: c.from,
            to: c.to,
            elastic: 1.5,
            damping: 2.5,
            friction: 3.5,
        })),
        F::Contact(c) => expected_contact(c),
        F::Bushing(b) => F::Bushing(Box::new(forces::bushing::Bushing {
            from: b.from,
            to: b.to,
            elastic: matrix(1.0),
            damping: matrix(0.5),
            angle_type: AngleType::Euler,
            degrees: Degrees::Degrees,
        })),
        given => expected_given_force(model, given),
    }
}

fn expected_contact(c: &forces::contact::Contact) -> ForceElement {
    use ForceElement as F;
    F::Contact(Box::new(forces::contact::Contact {
        from: c.from,
        to: c.to,
        elastic: 1.5,
        damping: 2.5,
        damping_mixed: 3.5,
        slip_damping: 4.5,
        slip_friction: 5.5,
        slip_speed: 6.5,
        slip_friction_turning: 7.5,
        slip_rate: 90f64.to_radians(),
        stick_elastic: 8.5,
        stick_damping: 9.5,
        static_friction: 10.5,
        stick_elastic_turning: 11.5,
        stick_damping_turning: 12.5,
        static_friction_turning: 13.5,
        degrees: Degrees::Degrees,
    }))
}

/// Forces that are given as expressions.
fn expected_given_force(model: &Model, element: &ForceElement) -> ForceElement {
    use ForceElement as F;
    let vector = || TimeVector(constants(&[1.0, 2.0, 3.0]));
    let frame = VectorFrame::Local;
    match element {
        F::Force(f) => F::Force(Box::new(forces::force::Force {
            to: f.to,
            from: f.from,
            vector: vector(),
            frame,
        })),
        F::Torque(t) => F::Torque(Box::new(forces::torque::Torque {
            to: t.to,
            from: t.from,
            vector: vector(),
            frame,
        })),
        F::JointForce(f) => {
            assert_eq!(joint_name(model, f.joint), "Spherical");
            F::JointForce(Box::new(forces::joint_force::JointForce {
                joint: f.joint,
                value: TimePerCoordinate(constants(&[1.0, 2.0, 3.0])),
            }))
        }
        _ => panic!("{element:?} is not tested"),
    }
}

#[test]
fn every_primitive_reads_to_what_is_written() {
    let model = model();
    for word in ShapeType::WORDS {
        let primitive: &Primitive = by_name(&model, &model.primitives, word);
        let parent = primitive.placement.parent;
        assert_eq!(parent.map(|id| model.body_name(id)), Some("body_Free"));
        let placement = Placement {
            parent,
            position: [1.0, 2.0, 3.0],
            cardan: [10.0, 20.0, 30.0].map(f64::to_radians),
            degrees: Degrees::Degrees,
            color: [0.1, 0.2, 0.3, 0.4],
            kind: ShapeType::from_word(word).unwrap(),
        };
        assert_eq!(primitive.placement, placement);
        assert_eq!(primitive.shape, expected_shape(&model, &primitive.shape));
    }
}

fn expected_shape(model: &Model, shape: &Shape) -> Shape {
    match shape {
        Shape::Cylinder(_) => Shape::Cylinder(graphics::cylinder::Cylinder {
            bottom_x: 1.5,
            bottom_y: 2.5,
            top_x: 3.5,
            top_y: 4.5,
            height: 5.5,
            grid_long: 12,
        }),
        Shape::Cuboid(_) => Shape::Cuboid(graphics::cuboid::Cuboid { x: 1.5, y: 2.5, z: 3.5 }),
        Shape::Axes(_) => Shape::Axes(graphics::axes::Axes {
            length: 1.5,
            color_x: [0.5, 0.6, 0.7, 0.8],
            color_y: [0.9, 0.8, 0.7, 0.6],
        }),
        Shape::Sphere(_) => Shape::Sphere(graphics::sphere::Sphere {
            x: 1.5,
            y: 2.5,
            z: 3.5,
            grid_long: 12,
            grid_lati: 14,
        }),
        Shape::Cone(_) => {
            Shape::Cone(graphics::cone::Cone { x: 1.5, y: 2.5, height: 3.5, grid_long: 12 })
        }
        Shape::Extrude(_) => Shape::Extrude(graphics::extrude::Extrude {
            height: 1.5,
            outline: Groups([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 9.0]].into()),
        }),
        Shape::Tetraeder(_) => Shape::Tetraeder(graphics::tetraeder::Tetraeder {
            vertex1: [1.0; 3],
            vertex2: [2.0; 3],
            vertex3: [3.0; 3],
            vertex4: [4.0; 3],
        }),
        Shape::Mesh(mesh) => {
            assert_eq!(model.sources.text(mesh.file.0), "parts/arm.stl");
            Shape::Mesh(graphics::mesh::Mesh { file: mesh.file, scale: 0.001 })
        }
        Shape::Coil(coil) => {
            let names = (triad_name(model, coil.triad1), triad_name(model, coil.triad2));
            assert_eq!(names, ENDS);
            let (triad1, triad2) = (coil.triad1, coil.triad2);
            Shape::Coil(graphics::coil::Coil { triad1, triad2, radius: 0.5, coils: 12 })
        }
        Shape::Trail(trail) => {
            assert_eq!(triad_name(model, trail.triad), "on_Free");
            Shape::Trail(graphics::trail::Trail { triad: trail.triad, length: Some(2.5) })
        }
    }
}

#[test]
fn the_world_is_a_body() {
    let model = model();
    let ground = by_name(&model, &model.triads, "ground");
    assert_eq!(ground.parent, BodyId::WORLD);
}
