//! Finds the ports whose potential or flow is looked at by name, inside or outside of their component.
//!
//! Only these become blocks of the flat model; all others are names for the nodes that they are joined to. A port
//! counts as looked at if any path of any file has its name where a port can stand: that is cheap to find and never
//! leaves one out.

use parser::syntax::NodeKind;

use super::Expander;

/// Finds the names of ports that occur in paths.
pub(super) fn find_observed<'s>(expander: &mut Expander<'s>) {
    let ports: rustc_hash::FxHashSet<&'s str> = expander
        .definitions
        .iter()
        .flat_map(|definition| definition.ports.iter().map(|port| port.name))
        .collect();
    if ports.is_empty() {
        return;
    }
    for document in expander.documents {
        for node in document.nodes() {
            if !matches!(
                node.kind,
                NodeKind::Name | NodeKind::Indexed(_) | NodeKind::Word | NodeKind::Text
            ) {
                continue;
            }
            let text: &'s str = expander.sources.text(node.span);
            if !text.contains('.') {
                continue;
            }
            for part in text.split(['.', '"', ':']) {
                let part = part.split('[').next().unwrap_or(part);
                if let Some(port) = ports.get(part) {
                    expander.observed.insert(port);
                }
            }
        }
    }
}
