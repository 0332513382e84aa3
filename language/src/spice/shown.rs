//! The signals that the model writes: the signals that `.print`, `.plot` or `.save` name, otherwise the signals that SPICE
//! itself keeps, the voltages of all nodes and the currents through sources of voltage and inductors.

use parser::diagnostic::Diagnostic;

use super::block::quoted;
use super::lines::{Kind, Token};
use super::spice_codes;
use super::translate::Translator;

impl Translator<'_> {
    /// The paths for the Output block.
    pub(super) fn signals(&mut self) -> Vec<String> {
        let mut signals = Vec::new();
        let netlist = self.netlist;
        for line in &netlist.shown {
            self.named_signals(&line.tokens[1..], &mut signals);
        }
        if signals.is_empty() {
            signals.extend(self.nodes.iter().map(|node| self.voltage(node)));
            signals.extend(self.currents.iter().map(|name| format!("{}.i", quoted(name))));
        }
        let mut seen = std::collections::HashSet::new();
        signals.retain(|signal| seen.insert(signal.clone()));
        signals
    }

    /// `v(node)` and `i(element)`.
    fn named_signals(&mut self, tokens: &[Token], signals: &mut Vec<String>) {
        let mut rest = tokens;
        while let [first, after @ ..] = rest {
            rest = after;
            if first.kind == Kind::Word && matches!(first.text.as_str(), "tran" | "ac" | "all") {
                continue;
            }
            let inside = match rest {
                [open, after @ ..] if open.kind == Kind::Open => {
                    let length = after.iter().take_while(|t| t.kind != Kind::Close).count();
                    rest = after.get(length + 1..).unwrap_or(&[]);
                    &after[..length]
                }
                _ => &[],
            };
            let known = match inside {
                [name] => self.signal(&first.text, &name.text),
                _ => None,
            };
            match known {
                Some(signal) => signals.push(signal),
                None if first.kind == Kind::Word => {
                    let message = format!("the output `{}` is not translated", first.text);
                    self.complain(spice_codes::NOT_TRANSLATED, first.span, message);
                }
                None => {}
            }
        }
    }

    fn signal(&mut self, quantity: &str, name: &str) -> Option<String> {
        // The table of a sweep has all parts of a response.
        let quantity = match quantity {
            "vr" | "vi" | "vm" | "vp" | "vdb" if self.sweep.is_some() => "v",
            "ir" | "ii" | "im" | "ip" | "idb" if self.sweep.is_some() => "i",
            other => other,
        };
        match quantity {
            "v" if self.nodes.iter().any(|node| node == name) => Some(self.voltage(name)),
            "i" if self.elements.contains_key(name) => Some(format!("{}.i", quoted(name))),
            _ => None,
        }
    }

    /// Names the initial conditions that no capacitor could take.
    pub(super) fn tell_not_held(&mut self) {
        let mut left: Vec<_> = self.initial.iter().filter(|(_, (.., taken))| !taken).collect();
        left.sort_by_key(|(_, (_, span, _))| *span);
        for (node, &(_, span, _)) in left {
            let message = format!("the initial voltage of `{node}` is not translated");
            let help =
                "no capacitor joins the node to ground or to another node with an initial voltage";
            self.diagnostics
                .push(Diagnostic::new(spice_codes::NOT_TRANSLATED, span, message).help(help));
        }
    }
}
