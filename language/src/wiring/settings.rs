//! Finds the registers and storages that stand for what the `When` blocks of a model set.

use parser::diagnostic::Diagnostic;
use parser::source::Span;

use crate::blocks::constraints::Constraint;
use crate::blocks::network::NetworkElement;
use crate::blocks::network::actions::when::{Place, Setting};
use crate::codes;
use crate::model::Model;
use crate::writing::Writer;
use equations::actions::{JointPlace, StorageTarget, Target};
use equations::expr::{Node, VarId};
use equations::expression::SignalRef;
use equations::flat::Flat;

/// Writes the targets of all `When` blocks. All elements are written, and so are the equations of all signals.
pub(super) fn resolve(writer: &Writer<'_>, model: &Model) {
    let whens = model.elements.iter().filter_map(|element| match &element.what {
        NetworkElement::When(when) => Some(&**when),
        _ => None,
    });
    for (number, when) in whens.enumerate() {
        for (line, setting) in when.settings.iter().enumerate() {
            let found = match setting.place {
                Place::Signal(signal) => of_signal(writer, model, setting, signal),
                Place::Position(place) => of_joint(model, setting, place).map(Target::Position),
                Place::Rate(place) => of_joint(model, setting, place).map(Target::Rate),
            };
            let flat = &mut *writer.flat.borrow_mut();
            match found {
                Ok(target) => flat.actions.whens[number].settings[line].target = target,
                Err(mistake) => flat.mistakes.push(*mistake),
            }
        }
    }
}

fn refused(span: Span, message: String, help: &str) -> Box<Diagnostic> {
    Box::new(Diagnostic::new(codes::NOT_SETTABLE, span, message).help(help))
}

/// A joint that moves as it likes.
fn of_joint(
    model: &Model,
    setting: &Setting,
    place: JointPlace,
) -> Result<JointPlace, Box<Diagnostic>> {
    let joint = model.joint(place.joint);
    let name = &setting.name;
    let is_locked = joint.options.as_ref().is_some_and(|options| options.locked.is_yes());
    if is_locked {
        let message = format!("`{name}` cannot be set: the joint is locked");
        return Err(refused(setting.span, message, "remove `Locked = yes` from the joint"));
    }
    let driven = model.constraints.iter().find(|constraint| match &constraint.what {
        Constraint::Motion(motion) => motion.joint == place.joint,
        _ => false,
    });
    if let Some(motion) = driven {
        let message = format!("`{name}` cannot be set: a Motion prescribes it");
        let help = "let the Motion use a discrete Variable, and set that";
        let diagnostic = Diagnostic::new(codes::NOT_SETTABLE, setting.span, message).help(help);
        return Err(Box::new(diagnostic.also(model.name_span(motion.block), "this Motion")));
    }
    Ok(place)
}

/// The register or storage behind a signal of the networks.
fn of_signal(
    writer: &Writer<'_>,
    model: &Model,
    setting: &Setting,
    signal: SignalRef,
) -> Result<Target, Box<Diagnostic>> {
    let flat = &mut *writer.flat.borrow_mut();
    let name = &setting.name;
    let keyword = model.blocks[signal.block as usize].schema.keyword;
    let Some(value) = flat.signals.get(signal) else {
        // The block has a mistake of its own.
        return Ok(Target::Nothing);
    };
    let node = writer.arena.borrow().node(value);
    if let Node::Memory(register) = node {
        if keyword != "Variable" {
            let message = format!("`{name}` cannot be set: the {keyword} acts at instants only");
            let help = "without `Tsample` it has a state, which can be set";
            return Err(refused(setting.span, message, help));
        }
        let is_truth = model.is_truth(signal.block);
        return Ok(if is_truth { Target::Truth(register) } else { Target::Number(register) });
    }
    let own = match node {
        Node::Variable(variable) => Some(variable),
        _ => None,
    };
    // The equations of the text may take the rate of the variable that stands for the signal in expressions.
    let used = flat.used.get(&signal).copied();
    let Some(storage) = storage_of(flat, [own, used], signal.block, keyword) else {
        let message = format!("`{name}` cannot be set: its equations determine it");
        let help = "set the states that it follows from, or make it `Type = discrete`";
        return Err(refused(setting.span, message, help));
    };
    if flat.ports.all_given().any(|(given, _)| given == storage) {
        let message = format!("`{name}` cannot be set: the coordinate of a joint determines it");
        let help = "set the coordinate `q` or the rate `qd` of the joint";
        return Err(refused(setting.span, message, help));
    }
    let is_position = matches!(flat.variables[storage.index()].label, "phi" | "s");
    flat.actions.storages.push(StorageTarget { value, storage, is_position });
    Ok(Target::Storage(flat.actions.storages.len() - 1))
}

/// The storage of a signal: a variable that it is, or the first storage of its block.
fn storage_of(flat: &Flat, own: [Option<VarId>; 2], block: u32, keyword: &str) -> Option<VarId> {
    let stores = |variable: &VarId| flat.variables[variable.index()].rate.is_some();
    if let Some(own) = own.into_iter().flatten().find(stores) {
        return Some(own);
    }
    if keyword == "Variable" {
        return None;
    }
    let all = (0..flat.variables.len() as u32).map(VarId);
    let mut of_block = all.filter(|v| flat.variables[v.index()].block == block);
    of_block.find(stores)
}
