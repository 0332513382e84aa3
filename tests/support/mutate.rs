//! Small damages to a text, decided by numbers, so that a run can be repeated.

/// A piece of the language; put in the wrong place it is a mistake.
pub const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    ";",
    ",",
    "=",
    "==",
    "\"",
    "//",
    "/*",
    "*/",
    "\n",
    "\r\n",
    " ",
    "-",
    "+",
    "*",
    "/",
    "^",
    "!",
    "&&",
    "||",
    "<",
    "<=",
    "!=",
    "a",
    "a-b",
    "\"a-b\".q",
    "J1.q[2]",
    "if(",
    "1",
    "1e999",
    ".5",
    "2link",
    "Body \"b\" {",
    "x = ",
    "\u{feff}",
    "\u{e9}",
    "\u{201c}",
    "\u{0}",
    "\u{2028}",
    "{ 1,",
    "/**/",
    "// c\n",
    "%",
    "**",
    "[",
    "]",
    ":",
    ".",
    "\t",
    "@",
    "\\",
];

/// One damage: what is done is chosen by the first number, where by the second, with what by the third.
pub type Damage = (u8, u32, u32);

/// The text with the damages done one after the other.
pub fn mutate(text: &str, damages: &[Damage]) -> String {
    let mut text = text.to_string();
    for &(kind, place, what) in damages {
        let at = boundary(&text, place);
        let end = boundary(&text, place.saturating_add(what % 16)).max(at);
        let piece = PIECES[what as usize % PIECES.len()];
        match kind % 5 {
            0 => text.insert_str(at, piece),
            1 => text.replace_range(at..end, ""),
            2 => text.replace_range(at..end, piece),
            3 => text.truncate(at),
            _ => {
                let copied = text[at..end].to_string();
                let to = boundary(&text, what);
                text.insert_str(to, &copied);
            }
        }
    }
    text
}

/// The nearest character boundary at or before a place, counted round and round.
fn boundary(text: &str, place: u32) -> usize {
    let at = place as usize % (text.len() + 1);
    (0..=at).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0)
}

/// A generator of numbers that are the same on every machine (xorshift, Marsaglia 2003).
pub struct Numbers(pub u64);

impl Numbers {
    /// The next number.
    pub fn next_number(&mut self) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 32) as u32
    }

    /// Some damages, at least one.
    pub fn damages(&mut self) -> Vec<Damage> {
        let count = 1 + self.next_number() % 4;
        // Texts are rarely truncated: what remains of them shows little.
        let kind = |n: u32| if n.is_multiple_of(16) { 3 } else { [0, 1, 2, 4][n as usize % 4] };
        (0..count)
            .map(|_| (kind(self.next_number()), self.next_number(), self.next_number()))
            .collect()
    }
}
