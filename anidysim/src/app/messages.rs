//! Messages for the user, kept in order.

/// Messages kept besides the messages about the data; older messages go.
const KEPT: usize = 20;

/// Messages about the data and about what was done.
#[derive(Debug, Default)]
pub struct Messages {
    data: Vec<String>,
    others: Vec<String>,
    /// Not yet printed.
    fresh: Vec<String>,
    /// Whether the list is open.
    pub shown: bool,
}

impl Messages {
    /// Adds a message, unless it repeats the last one.
    pub fn tell(&mut self, text: String) {
        if self.others.last() == Some(&text) {
            self.shown = true;
            return;
        }
        self.fresh.push(text.clone());
        self.others.push(text);
        if self.others.len() > KEPT {
            self.others.remove(0);
        }
        self.shown = true;
    }

    /// Takes all problems of the data, including the problems known before.
    pub fn about_data(&mut self, problems: Vec<String>) {
        let new = problems.iter().filter(|text| !self.data.contains(text)).cloned();
        let new: Vec<String> = new.collect();
        self.shown |= !new.is_empty();
        self.fresh.extend(new);
        self.data = problems;
    }

    /// Forgets what was said about other data.
    pub fn forget(&mut self) {
        self.data.clear();
        self.others.clear();
        self.shown = false;
    }

    /// All messages, the messages about the data first.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        self.data.iter().chain(&self.others).map(String::as_str)
    }

    /// The messages that were not taken before, to be printed.
    pub fn take_fresh(&mut self) -> Vec<String> {
        std::mem::take(&mut self.fresh)
    }
}
