//! Ports of triads: `Port "leg.foot" { Domain = frame; Node = tip; }` is another name for the triad `tip`.

use parser::diagnostic::Diagnostic;
use parser::source::Span;
use parser::suggest::nearest;
use parser::syntax::Block;
use rustc_hash::FxHashMap;

use crate::codes;
use crate::element::Family;
use crate::reading::context::Context;

/// Another name for a triad.
pub(crate) struct FramePort<'s> {
    name: &'s str,
    triad: &'s str,
    span: Span,
}

/// The port that a Port block is, if its domain is that of triads.
pub(crate) fn frame_port<'s>(
    context: &Context<'s>,
    document: u32,
    block: &Block,
) -> Option<FramePort<'s>> {
    let document = &context.documents[document as usize];
    let value = |name: &str| {
        let mut all = document.parameters(block).iter();
        let parameter = all.find(|parameter| context.sources.text(parameter.name) == name)?;
        Some(parameter.value)
    };
    if context.sources.text(value("Domain")?) != "frame" {
        return None;
    }
    let span = value("Node").unwrap_or(block.name);
    let triad = if span == block.name { "" } else { context.sources.text(span) };
    Some(FramePort { name: context.sources.text(block.name), triad, span })
}

/// Lets the names of frame ports mean their triads. A port may be joined to a port of the component around it.
pub(crate) fn name_triads<'s>(context: &mut Context<'s>, ports: &[FramePort<'s>]) {
    let others: FxHashMap<&str, &FramePort<'s>> =
        ports.iter().map(|port| (port.name, port)).collect();
    for port in ports {
        let mut triad = port.triad;
        // A chain of ports is no longer than there are ports.
        for _ in 0..ports.len() {
            let Some(outer) = others.get(triad) else { break };
            triad = outer.triad;
        }
        let is_triad = |&at: &u32| context.blocks[at as usize].schema.family == Family::Triad;
        let found = context.index.all(triad).find(is_triad);
        if let Some(block) = found {
            context.index.alias(port.name, block);
            continue;
        }
        let triads = context.blocks.iter().filter(|entry| entry.schema.family == Family::Triad);
        let near = nearest(triad, triads.map(|entry| context.sources.text(entry.name)));
        let message = format!("port `{}` is joined to `{triad}`, which is no triad", port.name);
        let help = near.map(|near| format!("did you mean `{near}`?"));
        let mistake = Diagnostic::new(codes::UNKNOWN_REFERENCE, port.span, message);
        context.report_missing(mistake.maybe_help(help));
    }
}
