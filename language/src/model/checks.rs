//! Further checks of values that belong together: axes, limits, time span, solver, outlines.

use parser::diagnostic::Diagnostic;
use parser::source::Span;

use super::{Declared, Model};
use crate::blocks::constraints::Constraint;
use crate::blocks::forces::ForceElement;
use crate::blocks::general::Analysis;
use crate::blocks::graphics::Shape;
use crate::blocks::joints::Joint;
use crate::codes;
use crate::element::{Unit, written};
use crate::model::plugins::PluginType;
use crate::reading::context::Context;
use equations::expression::{FUNCTIONS, Op, Program};

/// Axes whose unit vectors span less than this (the sine of their angle) are dependent.
const DEPENDENT: f64 = 1e-8;

/// Reports values that contradict each other.
pub(crate) fn check(context: &mut Context<'_>, model: &Model) {
    for joint in &model.joints {
        check_axes(context, joint);
        check_limits(context, joint);
    }
    for primitive in &model.primitives {
        if let Shape::Extrude(shape) = &primitive.shape
            && (1..3).contains(&shape.outline.0.len())
        {
            let message =
                format!("an outline needs 3 corners or more, not {}", shape.outline.0.len());
            let place = context.place_of(primitive.block, "VertexList");
            context.report(Diagnostic::new(codes::OUTLINE, place, message));
        }
    }
    if let Some(solver) = context.blocks.iter().position(|entry| entry.schema.keyword == "Solver") {
        check_solver(context, model, solver as u32);
    }
    check_switching(context, model);
}

fn check_axes(context: &mut Context<'_>, joint: &Declared<Joint>) {
    let axes = joint.axes();
    let length = |v: &[f64; 3]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    for (parameter, axis) in &axes {
        if length(axis) == 0.0 && context.parameter_of(joint.block, parameter).is_some() {
            let message = format!(
                "`{parameter}` of the joint `{}` has length zero",
                context.name(joint.block)
            );
            let place = context.place_of(joint.block, parameter);
            return context.report(Diagnostic::new(codes::ZERO_AXIS, place, message));
        }
    }
    let [(_, a), (second, b)] = axes[..] else { return };
    let cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    if length(&cross) <= DEPENDENT * length(&a) * length(&b) {
        let message =
            format!("the two axes of the joint `{}` are parallel", context.name(joint.block));
        let place = context.place_of(joint.block, second);
        let help = "with parallel axes one freedom would be there twice";
        context.report(Diagnostic::new(codes::DEPENDENT_AXES, place, message).help(help));
    }
}

fn check_limits(context: &mut Context<'_>, joint: &Declared<Joint>) {
    let Some(options) = &joint.options else { return };
    let limits = |values: &Option<crate::reading::fields::PerCoordinate>, none| {
        values
            .as_ref()
            .map_or_else(|| vec![none; joint.initial().0.len()], |values| values.0.to_vec())
    };
    let lower = limits(&options.lower, f64::NEG_INFINITY);
    let upper = limits(&options.upper, f64::INFINITY);
    let name = context.name(joint.block);
    let coordinates = context.blocks[joint.block as usize].schema.coordinates;
    for (k, ((&low, &high), &q)) in lower.iter().zip(&upper).zip(joint.initial().0).enumerate() {
        let unit = format!(" {}", Unit::Coordinate.of(k, coordinates));
        if low >= high {
            let message = format!(
                "coordinate {} of `{name}`: the lower limit {} is not below the upper limit {}{unit}",
                k + 1,
                written(low),
                written(high),
            );
            let place = context.place_of(joint.block, "LowerLimit");
            let also = context.place_of(joint.block, "UpperLimit");
            context.report(
                Diagnostic::new(codes::LIMITS_CROSSED, place, message).also(also, "upper limit"),
            );
        } else if q < low || q > high {
            let message = format!(
                "coordinate {} of `{name}` starts at {}, outside of its limits {} to {}{unit}",
                k + 1,
                written(q),
                written(low),
                written(high),
            );
            let place = context.place_of(joint.block, "Qinit");
            context.report(Diagnostic::new(codes::OUTSIDE_LIMITS, place, message));
        }
    }
}

fn check_solver(context: &mut Context<'_>, model: &Model, block: u32) {
    let solver = &model.solver;
    // An equilibrium and a linear model belong to one instant.
    let takes_time = matches!(solver.analysis, Analysis::Dynamic | Analysis::Kinematic);
    if solver.end <= solver.start && takes_time {
        let (start, end) = (written(solver.start), written(solver.end));
        let message = format!("`Tend` = {end} is not after `Tstart` = {start}");
        let place = context.place_of(block, "Tend");
        context.report(Diagnostic::new(codes::TIME_SPAN, place, message));
    } else if solver.output_step > solver.end - solver.start && takes_time {
        let (step, span) = (written(solver.output_step), written(solver.end - solver.start));
        let message = format!("`Tstep` = {step} is longer than the whole run of {span} s");
        let place = context.place_of(block, "Tstep");
        let help = "`Tstep` is the output interval; a hundredth of the run is a good start";
        context.report(Diagnostic::new(codes::TIME_SPAN, place, message).help(help));
    }
    if solver.analysis == Analysis::Static && solver.given.is_some() != solver.unknown.is_some() {
        let (present, missing) =
            if solver.given.is_some() { ("Given", "Unknown") } else { ("Unknown", "Given") };
        let message = format!("`{present}` without `{missing}` asks for nothing");
        let help = "a trim finds the inputs of `Unknown` for the values of `Given`";
        let place = context.place_of(block, present);
        context.report(Diagnostic::new(codes::CONFLICT, place, message).help(help));
    }
    if solver.to < solver.from {
        let message =
            format!("`To` = {} is below `From` = {}", written(solver.to), written(solver.from));
        let place = context.place_of(block, "To");
        context.report(Diagnostic::new(codes::TIME_SPAN, place, message));
    }
    if solver.smallest_step > solver.largest_step {
        let message = format!(
            "`TstepMin` = {} is above `TstepMax` = {}",
            written(solver.smallest_step),
            written(solver.largest_step),
        );
        let place = context.place_of(block, "TstepMin");
        context.report(Diagnostic::new(codes::TIME_SPAN, place, message));
    }
    if solver.absolute_error == 0.0 && solver.relative_error == 0.0 {
        let message = "`AbsErr` and `RelErr` are both 0; no method can be that accurate";
        let place = context.place_of(block, "RelErr");
        context.report(Diagnostic::new(codes::NO_TOLERANCE, place, message));
    }
}

/// A switching part of a model, and how badly a solver without events copes with it.
#[derive(Clone, Copy)]
enum Switching {
    /// Part of DySim 0.5 with every solver.
    Tolerated,
    /// Needs a solver that finds events.
    Strict,
}

/// Elements that switch need a solver that can locate the switching points.
fn check_switching(context: &mut Context<'_>, model: &Model) {
    if model.solver.method.finds_events() || model.solver.analysis != Analysis::Dynamic {
        return;
    }
    let solver = context.blocks.iter().position(|entry| entry.schema.keyword == "Solver");
    let written = solver.and_then(|block| context.parameter_of(block as u32, "Solver"));
    if written.is_some_and(|given| context.sources.text(given.value) != model.solver.method.name())
    {
        // The method is misspelt, which is reported where it stands.
        return;
    }
    let mut report = |block: u32, kind: Switching| {
        let entry = context.blocks[block as usize];
        let what = format!("{} `{}`", entry.schema.keyword, context.name(block));
        context.report(cannot_switch(model, &what, entry.name, kind));
    };
    for force in &model.forces {
        match &force.what {
            ForceElement::Contact(_) => report(force.block, Switching::Strict),
            ForceElement::ContactSimple(_) => report(force.block, Switching::Tolerated),
            element if element.is_one_sided() => report(force.block, Switching::Tolerated),
            element if programs(element).iter().any(switches) => {
                report(force.block, Switching::Strict);
            }
            _ => {}
        }
    }
    switching_joints(model).into_iter().for_each(|block| report(block, Switching::Strict));
    for plugin in &model.plugins {
        let kind_switches = plugin.kind.is_some_and(PluginType::switches);
        if kind_switches || plugin.programs.iter().any(switches) {
            report(plugin.block, Switching::Strict);
        }
    }
    for constraint in &model.constraints {
        if let Constraint::Motion(motion) = &constraint.what
            && motion.q.0.iter().any(switches)
        {
            report(constraint.block, Switching::Strict);
        }
    }
}

/// Joints that switch.
fn switching_joints(model: &Model) -> Vec<u32> {
    let joints = model.joints.iter().filter(|joint| {
        joint.options.as_ref().is_some_and(|options| {
            options.friction.is_some() || options.lower.is_some() || options.upper.is_some()
        })
    });
    joints.map(|joint| joint.block).collect()
}

/// The network elements that switch also need such a solver.
pub(crate) fn network_switching(model: &Model, blocks: &[u32]) -> Vec<Diagnostic> {
    if model.solver.method.finds_events() || model.solver.analysis != Analysis::Dynamic {
        return Vec::new();
    }
    let switching = |&block: &u32| {
        let what = format!(
            "{} `{}`",
            model.blocks[block as usize].schema.keyword,
            model.block_name(block)
        );
        cannot_switch(model, &what, model.name_span(block), Switching::Strict)
    };
    blocks.iter().map(switching).collect()
}

/// Something switches, and the solver does not find out when.
fn cannot_switch(model: &Model, what: &str, span: Span, kind: Switching) -> Diagnostic {
    let method = model.solver.method.name();
    let (code, message) = match kind {
        Switching::Tolerated => (
            codes::SOLVER_SWITCHES_BADLY,
            format!("{what} switches, and `{method}` cannot locate the instant"),
        ),
        Switching::Strict => {
            (codes::SOLVER_WITHOUT_EVENTS, format!("{what} switches, which `{method}` cannot do"))
        }
    };
    Diagnostic::new(code, span, message).help("choose `Solver = derf;` or `Solver = stiff;`")
}

/// The time expressions of a force element.
fn programs(element: &ForceElement) -> &[Program] {
    match element {
        ForceElement::Force(force) => &force.vector.0,
        ForceElement::Torque(torque) => &torque.vector.0,
        ForceElement::JointForce(force) => &force.value.0,
        _ => &[],
    }
}

/// Whether the expression has parts that switch, outside of `smooth`.
fn switches(program: &Program) -> bool {
    const SWITCHING: &[&str] =
        &["if", "abs", "sign", "min", "max", "clamp", "floor", "ceil", "mod"];
    let name =
        |function: u16| FUNCTIONS.get(usize::from(function)).map_or("", |function| function.name);
    // In postfix order the argument of `smooth` is what it leaves of the stack: one entry per operand.
    let mut stack: Vec<bool> = Vec::new();
    for op in program.ops() {
        let (count, own) = match *op {
            Op::Constant(_) | Op::Time | Op::Argument | Op::Signal(_) => (0, false),
            Op::Unary(operator) => (1, operator == parser::syntax::UnaryOp::Not),
            Op::Rate => (1, false),
            Op::Binary(operator) => (2, operator.precedence() <= 3),
            Op::Call(function, count) => (count as usize, SWITCHING.contains(&name(function))),
        };
        let smooth = matches!(*op, Op::Call(function, _) if name(function) == "smooth");
        let inner = stack.split_off(stack.len().saturating_sub(count));
        stack.push(!smooth && (own || inner.contains(&true)));
    }
    stack.last() == Some(&true)
}
