//! Blocks of the `.dys` language as text.

use parser::digits::shortest;

/// A block that is being written.
pub struct Block {
    text: String,
}

impl Block {
    /// Starts a block.
    pub fn new(keyword: &str, name: &str) -> Self {
        Self { text: format!("{keyword} \"{name}\" {{ ") }
    }

    /// `name = word;`, in quotes where it would not be read as a name.
    pub fn word(mut self, parameter: &str, word: &str) -> Self {
        self.text.push_str(&format!("{parameter} = {}; ", quoted(word)));
        self
    }

    /// `name = number;`
    pub fn number(mut self, parameter: &str, value: f64) -> Self {
        self.text.push_str(&format!("{parameter} = {}; ", digits(value)));
        self
    }

    /// `name = number;` unless it is the default.
    pub fn unless(self, parameter: &str, value: f64, default: f64) -> Self {
        if value == default { self } else { self.number(parameter, value) }
    }

    /// `name = expression;`
    pub fn expression(mut self, parameter: &str, expression: &str) -> Self {
        self.text.push_str(&format!("{parameter} = {expression}; "));
        self
    }

    /// The whole block in one line.
    pub fn finish(mut self) -> String {
        self.text.push_str("}\n");
        self.text
    }
}

/// A number as text.
pub fn digits(value: f64) -> String {
    let text = shortest(value);
    text.strip_suffix(".0").map(str::to_string).unwrap_or(text)
}

/// A name as it stands in an expression or behind `=`.
pub fn quoted(name: &str) -> String {
    let starts = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if starts && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_') {
        name.to_string()
    } else {
        format!("\"{name}\"")
    }
}
