//! Checks that bodies, joints and triads form chains from the world.

use parser::diagnostic::{Diagnostic, Severity};

use super::{Declared, Model};
use crate::blocks::constraints::Constraint;
use crate::blocks::joints::{Joint, Role};
use crate::codes;
use crate::element::Family;
use crate::reading::context::Context;
use crate::reading::ids::{BodyId, JointId, TriadId};
use equations::expression::{Op, Program, SignalRef};

/// Reports every place where the chains do not fit together.
pub(crate) fn check(context: &mut Context<'_>, model: &Model) {
    let carriers = carriers(context, model);
    // A body with a wrong name or reference may have meant any joint that no body names.
    let all_named = model.bodies.iter().all(|body| body.joint != JointId::BROKEN)
        && !context.ignored.contains_key("world");
    for (index, joint) in model.joints.iter().enumerate() {
        match joint.connection.role {
            Role::Tree if carriers[index].is_none() => {
                if all_named {
                    joint_without_body(context, joint);
                }
            }
            Role::Tree => check_tree_joint(context, model, joint, carriers[index]),
            Role::Loop => check_loop_joint(context, model, joint, carriers[index]),
        }
    }
    check_cycles(context, model);
    check_ends(context, model);
    check_motions(context, model);
}

/// Reports motions that contradict each other or depend on signals.
fn check_motions(context: &mut Context<'_>, model: &Model) {
    let mut movers: Vec<Option<u32>> = vec![None; model.joints.len()];
    for constraint in &model.constraints {
        let Constraint::Motion(motion) = &constraint.what else { continue };
        let block = constraint.block;
        let name = context.name(block);
        // What changes at events only is a constant in between.
        let steps = |signal: SignalRef| {
            let entry = context.blocks[signal.block as usize];
            let element = model.elements.get(entry.handle as usize);
            entry.schema.family == Family::Network
                && element.is_some_and(|element| element.what.takes_steps())
        };
        let moves = |op: &Op| matches!(op, Op::Signal(signal) if !steps(*signal));
        let has_signal = |p: &Program| p.ops().iter().any(moves);
        if motion.q.0.iter().any(has_signal) {
            let message = format!("the motion `{name}` depends on a signal");
            let place = context.place_of(block, "Q");
            let help = "a prescribed motion is a function of `t`, of sources such as Trapezoid and of discrete Variables; use a JointForce to control one";
            let diagnostic = Diagnostic::new(codes::MOTION_OF_SIGNAL, place, message);
            context.report(diagnostic.help(help));
        }
        if motion.joint == JointId::BROKEN {
            continue;
        }
        let joint = model.joint(motion.joint);
        let of = context.name(joint.block);
        let place = context.place_of(block, "Joint");
        if let Some(first) = movers[motion.joint.index()] {
            let message = format!("two motions prescribe the joint `{of}`");
            let diagnostic = Diagnostic::new(codes::CONTRADICTION, place, message);
            let place = context.place_of(first, "Joint");
            context.report(diagnostic.also(place, "the first one").help("remove one of them"));
            continue;
        }
        movers[motion.joint.index()] = Some(block);
        if joint.options.as_ref().is_some_and(|options| options.locked.is_yes()) {
            let message = format!("the motion `{name}` moves the joint `{of}`, which is locked");
            let diagnostic = Diagnostic::new(codes::CONTRADICTION, place, message);
            let place = context.place_of(joint.block, "Locked");
            context.report(diagnostic.also(place, "locked here"));
        }
    }
}

/// Reports elements that connect something with itself.
fn check_ends(context: &mut Context<'_>, model: &Model) {
    sensors(context, model);
    for force in &model.forces {
        // DySim 0.5 simulates such an element, so it is a warning only.
        if let Some(body) = force.ends().and_then(|ends| common_body(model, ends)) {
            let help = "it has no influence on the motion";
            report_same_body(context, model, force.block, body, Severity::Warning, help);
        }
    }
    for constraint in &model.constraints {
        match &constraint.what {
            Constraint::Rod(_) | Constraint::Rolling(_) => {
                let ends = constraint.what.ends();
                if let Some(body) = ends.and_then(|ends| common_body(model, ends)) {
                    let help = "it connects two different bodies";
                    report_same_body(context, model, constraint.block, body, Severity::Error, help);
                }
            }
            Constraint::Coupling(coupling)
                if coupling.joint1 == coupling.joint2 && coupling.joint1.0 != JointId::BROKEN =>
            {
                let name = context.name(constraint.block);
                let message = format!("the coupling `{name}` couples a joint with itself");
                let place = context.place_of(constraint.block, "Joint2");
                context.report(Diagnostic::new(codes::SAME_BODY, place, message));
            }
            _ => {}
        }
    }
}

/// Warns of sensors that see nothing move.
fn sensors(context: &mut Context<'_>, model: &Model) {
    for sensor in &model.sensors {
        if let Some(body) = common_body(model, (sensor.from, sensor.to)) {
            let help = "the motion that it tells is none; name triads of two bodies";
            report_same_body(context, model, sensor.block, body, Severity::Warning, help);
        }
    }
}

/// The body that carries both triads.
fn common_body(model: &Model, (from, to): (TriadId, TriadId)) -> Option<BodyId> {
    let body = host(model, from)?;
    (host(model, to)? == body).then_some(body)
}

fn report_same_body(
    context: &mut Context<'_>,
    model: &Model,
    block: u32,
    body: BodyId,
    severity: Severity,
    help: &str,
) {
    let keyword = context.blocks[block as usize].schema.keyword;
    let message = format!(
        "both triads of the {keyword} `{}` are on `{}`",
        context.name(block),
        model_name(context, model, body)
    );
    let diagnostic = Diagnostic::new(codes::SAME_BODY, context.place_of(block, "TriadTo"), message);
    context.report(diagnostic.with_severity(severity).help(help));
}

/// The body that names each joint; a joint that two bodies name is reported.
fn carriers(context: &mut Context<'_>, model: &Model) -> Vec<Option<BodyId>> {
    let mut carriers = vec![None; model.joints.len()];
    for (index, body) in model.bodies.iter().enumerate() {
        if body.joint == JointId::BROKEN {
            continue;
        }
        let id = BodyId(index as u32 + 1);
        let carrier = &mut carriers[body.joint.index()];
        let Some(first) = *carrier else {
            *carrier = Some(id);
            continue;
        };
        let joint = context.name(model.joint(body.joint).block);
        let name = context.name(body.block);
        let message = format!("two bodies name the joint `{joint}`");
        let help = format!(
            "a joint carries one body: give `{name}` a joint of its own, or close a loop with a joint of `Role = loop`"
        );
        let diagnostic =
            Diagnostic::new(codes::JOINT_OF_TWO, context.place_of(body.block, "Joint"), message);
        let other = model.body(first).map_or(body.block, |body| body.block);
        let place = context.place_of(other, "Joint");
        context.report(diagnostic.also(place, "the first one").help(help));
    }
    carriers
}

/// Reports a tree joint that no body names.
fn joint_without_body(context: &mut Context<'_>, joint: &Declared<Joint>) {
    let name = context.name(joint.block);
    let message = format!("the joint `{name}` carries no body");
    let help =
        format!("name it in a Body (`Joint = {name};`), or let it close a loop: `Role = loop;`");
    let place = context.blocks[joint.block as usize].name;
    context.report_missing(Diagnostic::new(codes::JOINT_WITHOUT_BODY, place, message).help(help));
}

/// Reports a tree joint whose `Parent` or triads contradict the body that names it.
fn check_tree_joint(
    context: &mut Context<'_>,
    model: &Model,
    joint: &Declared<Joint>,
    carrier: Option<BodyId>,
) {
    let name = context.name(joint.block);
    let Some((id, body)) = carrier.and_then(|id| Some((id, model.body(id)?))) else { return };
    let body_name = context.name(body.block);
    if joint.connection.parent.is_some_and(|parent| parent != id && parent != BodyId::BROKEN) {
        let parent =
            joint.connection.parent.map_or("", |parent| model_name(context, model, parent));
        let message = format!(
            "the joint `{name}` says it carries `{parent}`, but the body `{body_name}` names it"
        );
        let help = format!("`Parent` of a joint is the body it carries: `Parent = {body_name};`");
        let diagnostic =
            Diagnostic::new(codes::JOINT_PARENT, context.place_of(joint.block, "Parent"), message);
        let place = context.place_of(body.block, "Joint");
        return context.report(diagnostic.also(place, "named here").help(help));
    }
    let (from, to) = (host(model, joint.connection.from), host(model, joint.connection.to));
    let exchanged = from == Some(id) && to == Some(body.parent);
    if exchanged && id != body.parent {
        let message = format!("`TriadFrom` and `TriadTo` of the joint `{name}` are exchanged");
        let help = format!("`TriadFrom` is on the mother body, `TriadTo` on `{body_name}`");
        let place = context.place_of(joint.block, "TriadFrom");
        return context
            .report(Diagnostic::new(codes::TRIAD_ON_WRONG_BODY, place, message).help(help));
    }
    wrong_triad(
        context,
        model,
        joint,
        ("TriadFrom", joint.connection.from),
        body.parent,
        "the mother body",
    );
    wrong_triad(context, model, joint, ("TriadTo", joint.connection.to), id, "the carried body");
}

/// Reports a triad that is not on the body it should be on.
fn wrong_triad(
    context: &mut Context<'_>,
    model: &Model,
    joint: &Declared<Joint>,
    (parameter, triad): (&str, TriadId),
    wanted: BodyId,
    role: &str,
) {
    let Some(found) = host(model, triad) else { return };
    if found == wanted || wanted == BodyId::BROKEN {
        return;
    }
    let name = context.name(joint.block);
    let triad = model.triad(triad).block;
    let message = format!(
        "`{parameter}` of the joint `{name}` must be on {role} `{}`, but the triad `{}` is on `{}`",
        model_name(context, model, wanted),
        context.name(triad),
        model_name(context, model, found),
    );
    let diagnostic = Diagnostic::new(
        codes::TRIAD_ON_WRONG_BODY,
        context.place_of(joint.block, parameter),
        message,
    );
    let place = context.place_of(triad, "Parent");
    context.report(diagnostic.also(place, "the triad's body"));
}

/// Reports a loop joint that a body names, or that connects a body with itself.
fn check_loop_joint(
    context: &mut Context<'_>,
    model: &Model,
    joint: &Declared<Joint>,
    carrier: Option<BodyId>,
) {
    let name = context.name(joint.block);
    if let Some(body) = carrier.and_then(|id| model.body(id)) {
        let message = format!(
            "the body `{}` names the joint `{name}`, which closes a loop",
            context.name(body.block)
        );
        let help = "a loop joint carries no body; name a joint of `Role = tree` here";
        let diagnostic = Diagnostic::new(
            codes::LOOP_JOINT_NAMED,
            context.place_of(body.block, "Joint"),
            message,
        );
        let place = context.place_of(joint.block, "Role");
        return context.report(diagnostic.also(place, "closes a loop").help(help));
    }
    let (from, to) = (host(model, joint.connection.from), host(model, joint.connection.to));
    if let (Some(from), Some(to)) = (from, to) {
        if from == to {
            let message = format!(
                "both triads of the joint `{name}` are on `{}`",
                model_name(context, model, from)
            );
            let place = context.place_of(joint.block, "TriadTo");
            let diagnostic = Diagnostic::new(codes::SAME_BODY, place, message);
            return context.report(diagnostic.help("a loop joint connects two different bodies"));
        }
        let strange =
            |parent: &BodyId| *parent != from && *parent != to && *parent != BodyId::BROKEN;
        if joint.connection.parent.as_ref().is_some_and(strange) {
            let message =
                format!("`Parent` of the loop joint `{name}` must be a body of one of its triads");
            let place = context.place_of(joint.block, "Parent");
            let help = "a loop joint needs no `Parent`";
            context.report(Diagnostic::new(codes::JOINT_PARENT, place, message).help(help));
        }
    }
}

/// Reports bodies that are not reached from the world.
fn check_cycles(context: &mut Context<'_>, model: &Model) {
    const UNSEEN: u32 = u32::MAX;
    // The walk on which a body was first seen; the world is seen from the start.
    let mut seen = vec![UNSEEN; model.bodies.len() + 1];
    seen[0] = 0;
    // Each walk follows the parents; a walk that ends on a body of its own is a cycle.
    for start in 1..=model.bodies.len() as u32 {
        let mut at = BodyId(start);
        while at != BodyId::BROKEN && seen[at.index()] == UNSEEN {
            seen[at.index()] = start;
            at = model.body(at).map_or(BodyId::WORLD, |body| body.parent);
        }
        if at == BodyId::BROKEN || at == BodyId::WORLD || seen[at.index()] != start {
            continue;
        }
        report_cycle(context, model, at);
    }
}

/// Reports a cycle of bodies, beginning with `first`.
fn report_cycle(context: &mut Context<'_>, model: &Model, first: BodyId) {
    const SHOWN: usize = 8;
    let Some(body) = model.body(first) else { return };
    let mut chain = vec![model_name(context, model, first)];
    let mut at = body.parent;
    while at != first && chain.len() < SHOWN {
        chain.push(model_name(context, model, at));
        at = model.body(at).map_or(BodyId::WORLD, |body| body.parent);
    }
    chain.push(if at == first { chain[0] } else { "..." });
    let message =
        format!("these bodies carry each other and never reach the world: {}", chain.join(" -> "));
    let place = context.place_of(body.block, "Parent");
    let help = "every chain of bodies starts at `world`";
    context.report(Diagnostic::new(codes::BODY_CYCLE, place, message).help(help));
}

/// The body of a triad, if both references are valid.
fn host(model: &Model, triad: TriadId) -> Option<BodyId> {
    let triad = model.triads.get(triad.index())?;
    (triad.parent != BodyId::BROKEN).then_some(triad.parent)
}

fn model_name<'s>(context: &Context<'s>, model: &Model, id: BodyId) -> &'s str {
    model.body(id).map_or("world", |body| context.name(body.block))
}
