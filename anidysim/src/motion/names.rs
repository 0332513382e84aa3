//! Which column of the table belongs to which body of the model, and what does not match.

use std::collections::HashMap;

use language::model::Model;
use mechanics::Pose;
use parser::animation::{AniHeader, RowPair};

use super::interpolation::between;

/// Names shown of each kind that has too many.
const SHOWN: usize = 5;

/// The bodies of the model and their columns.
#[derive(Debug, Default)]
pub(super) struct Names {
    model: String,
    bodies: Vec<String>,
    /// For each body its place in a row; empty before a header was seen.
    columns: Vec<Option<usize>>,
    /// Differences, one message each.
    pub differences: Vec<String>,
}

impl Names {
    pub fn of(model: &Model) -> Self {
        let bodies = model.bodies.iter().map(|body| model.block_name(body.block).to_owned());
        Self { model: model.name.clone(), bodies: bodies.collect(), ..Self::default() }
    }

    /// The names of the model's bodies alone, as before another file was seen.
    pub fn forget(&self) -> Self {
        Self { model: self.model.clone(), bodies: self.bodies.clone(), ..Self::default() }
    }

    pub fn n_bodies(&self) -> usize {
        self.bodies.len()
    }

    /// Finds the columns, once.
    pub fn match_with(&mut self, header: &AniHeader) {
        if !self.columns.is_empty() || self.bodies.is_empty() {
            return;
        }
        let mut places = HashMap::new();
        for (place, name) in header.names.iter().enumerate() {
            // Of two columns with one name the first counts.
            places.entry(name.as_str()).or_insert(place);
        }
        self.columns = self.bodies.iter().map(|name| places.get(name.as_str()).copied()).collect();
        if !header.model_name.is_empty() && header.model_name != self.model {
            self.differences.push(format!(
                "warning: the data is of model `{}`, expected `{}`\nhelp: choose the .ani file that dysim \
                 wrote for this model, or run dysim on it",
                header.model_name, self.model
            ));
        }
        let known: HashMap<&str, ()> = self.bodies.iter().map(|name| (name.as_str(), ())).collect();
        let unknown = header.names.iter().filter(|name| !known.contains_key(name.as_str()));
        let help = "their motion is not shown; run dysim again if the model was changed";
        self.differences.extend(differ("the model has no", unknown, help));
        let still = self.bodies.iter().zip(&self.columns).filter(|(_, column)| column.is_none());
        let help = "they are not shown; run dysim again if the model was changed";
        self.differences.extend(differ("no motion for", still.map(|(name, _)| name), help));
    }

    /// The poses of all bodies at `time` between two rows.
    pub fn place(&self, rows: &RowPair, time: f64) -> Vec<Option<Pose>> {
        let fraction = rows.fraction(time);
        let pose = |column: &Option<usize>| {
            let place = (*column)?;
            Some(between(rows.before.poses.get(place)?, rows.after.poses.get(place)?, fraction))
        };
        let mut poses: Vec<Option<Pose>> = self.columns.iter().map(pose).collect();
        poses.resize(self.bodies.len(), None);
        poses
    }
}

/// A message with names, unless there are none.
fn differ<'a>(what: &str, names: impl Iterator<Item = &'a String>, help: &str) -> Option<String> {
    let names: Vec<&str> = names.map(String::as_str).collect();
    let noun = if names.len() == 1 { "body" } else { "bodies" };
    let list = names[..names.len().min(SHOWN)].join("`, `");
    let rest = names.len().saturating_sub(SHOWN);
    let more = if rest > 0 { format!(" and {rest} more") } else { String::new() };
    (!names.is_empty()).then(|| format!("warning: {what} {noun} `{list}`{more}\nhelp: {help}"))
}
