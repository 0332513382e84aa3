//! Does a model need the expansion? A model of plain blocks is read as it is written.

use parser::source::Sources;
use parser::syntax::{Block, Document, NodeKind};

use super::file_scopes::FileScope;

/// Does a file have anything that plain blocks do not have?
pub(crate) fn is_needed(sources: &Sources, documents: &[Document], scopes: &[FileScope]) -> bool {
    if scopes.len() > 1 {
        return true;
    }
    let blocks = scopes.iter().flat_map(|scope| &scope.blocks);
    let mut blocks = blocks.filter_map(|&(document, index)| {
        let document = documents.get(document as usize)?;
        Some((document, document.blocks().get(index as usize)?))
    });
    blocks.any(|(document, block)| is_special(sources, document, block))
        || documents.iter().any(|document| has_special_values(sources, document))
}

fn is_special(sources: &Sources, document: &Document, block: &Block) -> bool {
    let keyword = sources.text(block.keyword);
    // No built-in keyword has a dot: it names a component of an included file, perhaps of one that cannot be read.
    if matches!(keyword, "Component" | "Repeat") || keyword.contains('.') {
        return true;
    }
    let is_list = |parameter| {
        let values = document.values(parameter);
        let kind = values.first().map(|&id| document.node(id).kind);
        keyword == "Parameters"
            && (values.len() > 1 || matches!(kind, Some(NodeKind::List(_) | NodeKind::Text)))
    };
    !document.name_indices(block.name).is_empty()
        || document
            .parameters(block)
            .iter()
            .any(|parameter| sources.text(parameter.name) == "If" || is_list(parameter))
}

fn has_special_values(sources: &Sources, document: &Document) -> bool {
    document.nodes().iter().any(|node| match node.kind {
        NodeKind::Indexed(_) => true,
        NodeKind::Call { name_len, .. } => {
            let text = sources.text(node.span);
            matches!(text.get(..usize::from(name_len)), Some("sum" | "size"))
        }
        _ => false,
    })
}
