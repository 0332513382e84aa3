//! What may stand between the braces of a block: parameters, inner blocks, equations, transitions.
//!
//! The grammar decides by the keyword, and these are the only keywords it knows: a block inside of any other block is
//! a sign that a closing brace is missing.

use crate::lexical;

/// The content of a block besides its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contents {
    /// Parameters only.
    Parameters,
    /// Other blocks.
    Blocks,
    /// A section without a name.
    Section(&'static str),
    /// Equations.
    Equations,
    /// Transitions.
    Transitions,
}

/// The parameter that every block may have, also one of equations.
pub(crate) const CONDITION: &str = "If";

impl Contents {
    /// The content that belongs to a keyword.
    pub(crate) fn of(keyword: &str) -> Self {
        match keyword {
            "Component" | "Repeat" => Self::Blocks,
            "Equations" | "Set" => Self::Equations,
            "When" => Self::Section("Set"),
            "Automaton" => Self::Section("Transitions"),
            "Transitions" => Self::Transitions,
            _ => Self::Parameters,
        }
    }

    /// The keyword of the blocks that hold the section that begins at `input`, if a section begins there.
    pub(crate) fn owner_of_section(input: &str) -> Option<&'static str> {
        let (_, word) = lexical::keyword(input).ok().filter(|_| lexical::starts_nameless(input))?;
        match word {
            "Set" => Some("When"),
            "Transitions" => Some("Automaton"),
            _ => None,
        }
    }

    /// Whether a line that begins at `input` is a parameter, and no equation or transition.
    pub(crate) fn has_parameter(self, input: &str) -> bool {
        let is_condition = lexical::starts_parameter(input)
            && lexical::identifier(input).is_ok_and(|(_, name)| name == CONDITION);
        is_condition || !matches!(self, Self::Equations | Self::Transitions)
    }

    /// Whether a block or section inside of this content begins at `input`.
    pub(crate) fn holds(self, input: &str) -> bool {
        match self {
            Self::Blocks => lexical::starts_block(input) || lexical::starts_nameless(input),
            Self::Section(keyword) => {
                lexical::starts_nameless(input)
                    && lexical::keyword(input).is_ok_and(|(_, word)| word == keyword)
            }
            Self::Parameters | Self::Equations | Self::Transitions => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::print;
    use crate::source::Sources;

    /// The canonical text, or the codes of the mistakes.
    fn read(text: &str) -> Result<String, Vec<&'static str>> {
        let mut sources = Sources::default();
        sources.add("m.dys", text).unwrap();
        let source = &sources.all()[0];
        let parsed = crate::parse(source);
        let codes: Vec<_> = parsed.diagnostics.iter().map(|d| d.code.id()).collect();
        if codes.is_empty() { Ok(print(source, &parsed.document)) } else { Err(codes) }
    }

    #[test]
    fn blocks_equations_and_transitions_stand_where_they_belong() {
        let text = "Component \"A\" {\n    About = \"x\";\n    Port \"p\" {\n        Domain = electrical;\n    }\n    \
                    Repeat \"i\" {\n        To = 3;\n        Resistor \"R[i, 2*i-1]\" {\n            p = n[i - 1];\n        \
                    }\n    }\n    Equations \"e\" {\n        If = a > 1;\n        J*der(w) = a.tau;\n        p.i + n.i = 0;\n        \
                    b = if(x == 1, 2, 3);\n    }\n}\nlib.Motor \"m[2]\" {\n    Ra.R = 260;\n    c[2].C = 1;\n    d[k+1].x = 2;\n}\n\
                    When \"w\" {\n    Condition = a.z < r && a.vz < 0;\n    Set {\n        J.qd = - 0.8*J.qd;\n    }\n}\n\
                    Automaton \"g\" {\n    Start = idle;\n    Transitions {\n        idle -> run : s.y > 0.5;\n    }\n}\n";
        let canonical = read(text).unwrap();
        // Printing is a fixed point, so that nothing is lost or moved.
        assert_eq!(read(&canonical).as_ref(), Ok(&canonical));
        let squeezed = |text: &str| text.split_whitespace().collect::<String>();
        assert_eq!(squeezed(&canonical), squeezed(text));
    }

    #[test]
    fn indices_of_names_are_read() {
        let mut sources = Sources::default();
        let text = "Repeat \"i\" { Body \"a[i+1].b[2]\" { c[3].d[i, 2] = 1; } } Body \"l[3]\" { }";
        sources.add("m.dys", text).unwrap();
        let document = crate::parse(&sources.all()[0]).document;
        let indices = |span| -> Vec<&str> {
            let nodes = document.name_indices(span).iter();
            nodes.map(|&id| sources.text(document.node(id).span)).collect()
        };
        let body = document.inner(&document.blocks()[0])[0];
        // Brackets with digits only need no evaluation.
        assert_eq!(indices(body.name), ["i+1"]);
        assert_eq!(indices(document.parameters(&body)[0].name), ["i", "2"]);
        assert!(indices(document.blocks()[1].name).is_empty());
    }

    #[test]
    fn mistakes_inside_of_blocks_have_their_codes() {
        let cases: &[(&str, &[&str])] = &[
            ("Component \"a\" { Body \"b\" { Mass = 1; }", &["P006"]),
            ("Component \"a\" { Body { Mass = 1; } x = 1; }", &["P003"]),
            ("Component \"a\" { x = Body \"b\" { } y = 2; }", &["P009"]),
            ("Repeat \"a\" { To = { 1, Body \"b\" { } }", &["P009"]),
            ("Body \"a\" { Body \"b\" { } }", &["P006", "P007"]),
            ("Equations \"e\" { a + b; c = d; }", &["P027"]),
            ("Equations \"e\" { a = b = c; d = ; }", &["P023", "P009"]),
            ("Equations \"e\" { a == b; }", &["P027"]),
            ("Automaton \"a\" { Transitions { a > b : c; d -> : e; d -> f g; } }", &["P028"; 3]),
            ("When \"w\" { Set { a = 1 } }", &["P010"]),
            ("When \"w\" { Transitions { a -> b : c; } Set { a = 1; } }", &["P001"]),
            ("Component \"a\" { Body \"b[i\" { } }", &["P026"]),
            ("Component \"a\" { Body \"b[i]c\" { } }", &["P021"]),
        ];
        for (text, codes) in cases {
            assert_eq!(read(text), Err(codes.to_vec()), "{text}");
        }
    }

    #[test]
    fn nesting_of_blocks_is_bounded() {
        let nested = |n: usize| format!("{}{}", "Component \"a\" { ".repeat(n), "}".repeat(n));
        assert!(read(&nested(100)).is_ok());
        let codes = read(&nested(100_000)).unwrap_err();
        assert_eq!(codes, ["P018"]);
    }
}
