//! Which columns of a table are shown, and in which panels.

use std::collections::{HashMap, HashSet};

/// Nobody can tell more curves apart, and each takes its time to draw.
const MOST_CURVES: usize = 100;
/// Curves of one panel in a plot that nobody has chosen.
const CURVES: usize = 8;
/// Panels of a plot that nobody has chosen.
const PANELS: usize = 4;

/// Columns that share a panel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The unit of all columns of the group.
    pub unit: String,
    /// Indices of columns.
    pub columns: Vec<usize>,
}

/// The columns that requests name, one panel for each request and each unit in it.
///
/// A request is a list of names with commas between them; `*` stands for any characters. Of each panel the first hundred curves
/// are kept, and the rest counted.
///
/// # Errors
/// The name that no column has; an empty one if a request names nothing.
pub fn requested(
    requests: &[String],
    names: &[String],
    unit: &dyn Fn(&str) -> String,
) -> Result<(Vec<Group>, usize), String> {
    let mut groups = Vec::new();
    for request in requests {
        let mut columns = Vec::new();
        for pattern in split(request) {
            let found: Vec<usize> =
                (0..names.len()).filter(|&at| matches(pattern, &names[at])).collect();
            if found.is_empty() {
                return Err(pattern.to_string());
            }
            columns.extend(found.into_iter().filter(|at| pattern != "*" || *at > 0));
        }
        if columns.is_empty() {
            return Err(String::new());
        }
        groups.extend(joined(by_unit(columns, names, unit)));
    }
    let all: usize = groups.iter().map(|group| group.columns.len()).sum();
    groups.iter_mut().for_each(|group| group.columns.truncate(MOST_CURVES));
    let shown: usize = groups.iter().map(|group| group.columns.len()).sum();
    Ok((groups, all - shown))
}

/// The names of a request. A comma in brackets belongs to a name, as in `R[1,2].i`.
fn split(request: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let parts = request.split(move |c| {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    parts.map(str::trim).filter(|pattern| !pattern.is_empty())
}

/// Columns whose unit nobody knows, such as set points, are shown with the first that have one.
fn joined(groups: Vec<Group>) -> Vec<Group> {
    let (mut known, unknown): (Vec<Group>, Vec<Group>) =
        groups.into_iter().partition(|group| !group.unit.is_empty());
    match known.first_mut() {
        Some(first) => unknown.into_iter().for_each(|group| first.columns.extend(group.columns)),
        None => return unknown,
    }
    known
}

/// The columns that are most likely wanted: joint coordinates, and columns of other elements than joints; and the number of
/// columns left out.
pub fn usual(names: &[String], unit: &dyn Fn(&str) -> String) -> (Vec<Group>, usize) {
    let quantity = |name: &str| {
        let last = name.rsplit('.').next().unwrap_or_default();
        last.split('[').next().unwrap_or_default().to_string()
    };
    let owner = |name: &str| name.rsplit_once('.').map(|(owner, _)| owner.to_string());
    // The charge of a capacitor is called `q` too.
    let is_coordinate =
        |name: &str| quantity(name) == "q" && ["m", "rad", ""].contains(&unit(name).as_str());
    let coordinates: Vec<usize> =
        (1..names.len()).filter(|&at| is_coordinate(&names[at])).collect();
    let joints: Vec<Option<String>> = coordinates.iter().map(|&at| owner(&names[at])).collect();
    let owners: HashSet<Option<String>> = joints.iter().cloned().collect();
    let is_other = |at: &usize| !owners.contains(&owner(&names[*at]));
    let others: Vec<usize> = match joints.is_empty() {
        true => (1..names.len()).collect(),
        false => (1..names.len()).filter(is_other).collect(),
    };
    let all = coordinates.len() + others.len();
    let others = others.into_iter().filter(|&at| quantity(&names[at]) != "power").collect();
    let mut groups = by_unit(coordinates, names, unit);
    groups.extend(by_unit(others, names, unit));
    // What has one signal is a node: where a unit has many columns, the nodes tell most.
    let mut signals: HashMap<Option<String>, usize> = HashMap::new();
    names.iter().for_each(|name| *signals.entry(owner(name)).or_default() += 1);
    let is_node = |at: &usize| signals.get(&owner(&names[*at])) == Some(&1);
    for group in groups.iter_mut().filter(|group| group.columns.len() > CURVES) {
        if group.columns.iter().any(is_node) {
            group.columns.retain(is_node);
        }
    }
    groups.truncate(PANELS);
    groups.iter_mut().for_each(|group| group.columns.truncate(CURVES));
    let shown: usize = groups.iter().map(|group| group.columns.len()).sum();
    (groups, all - shown)
}

/// Columns in groups of one unit, in the order in which units first occur.
fn by_unit(columns: Vec<usize>, names: &[String], unit: &dyn Fn(&str) -> String) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for column in columns {
        let unit = unit(&names[column]);
        match groups.iter_mut().find(|group| group.unit == unit) {
            Some(group) if group.columns.contains(&column) => {}
            Some(group) => group.columns.push(column),
            None => groups.push(Group { unit, columns: vec![column] }),
        }
    }
    groups
}

/// Whether a name fits a pattern, in which `*` stands for any characters.
fn matches(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else { return false };
    let mut last = None;
    for part in parts {
        // The part before the last one is looked for anywhere; the first place is as good as any.
        if let Some(inner) = last.replace(part) {
            match rest.find(inner) {
                Some(at) => rest = &rest[at + inner.len()..],
                None => return false,
            }
        }
    }
    last.map_or(rest.is_empty(), |end| rest.ends_with(end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_string).collect()
    }

    fn unit(name: &str) -> String {
        let unit = match name.rsplit('.').next().unwrap_or_default() {
            "q" | "q[1]" => "rad",
            "q[2]" => "m",
            "v" => "V",
            _ => "",
        };
        unit.to_string()
    }

    #[test]
    fn patterns_fit_as_in_a_shell() {
        for (pattern, name, fits) in [
            ("J.q", "J.q", true),
            ("J.q", "J.qd", false),
            ("*.q", "J.q", true),
            ("*.q", "J.qd", false),
            ("J*", "J1.q", true),
            ("*", "x", true),
            ("a*b*c", "aXbYc", true),
            ("a*b*c", "aXc", false),
            ("*q*", "J.qd", true),
            ("aa*aa", "aaa", false),
        ] {
            assert_eq!(matches(pattern, name), fits, "{pattern} {name}");
        }
    }

    #[test]
    fn a_request_is_a_panel_for_each_unit() {
        let present = names("t J.q J.v K.q");
        let (groups, _) =
            requested(&["J.q,J.v,K.q".into(), "K.q".into()], &present, &unit).unwrap();
        let columns: Vec<_> = groups.iter().map(|group| group.columns.clone()).collect();
        assert_eq!(columns, [vec![1, 3], vec![2], vec![3]]);
        assert_eq!(requested(&["J.x".into()], &present, &unit), Err("J.x".to_string()));
        // A set point has no unit of its own.
        let set_point = names("t target.y J.q K.v");
        let (groups, _) = requested(&["target.y,J.q,K.v".into()], &set_point, &unit).unwrap();
        let columns: Vec<_> = groups.iter().map(|group| group.columns.clone()).collect();
        assert_eq!(columns, [vec![2, 1], vec![3]]);
    }

    #[test]
    fn coordinates_come_first_and_their_rates_not_at_all() {
        let names = names("t J.q[1] J.q[2] J.qd[1] J.qd[2] J.f[1] n.v K.q K.qd");
        let (groups, left_out) = usual(&names, &unit);
        let columns: Vec<_> = groups.iter().map(|group| group.columns.clone()).collect();
        assert_eq!((columns, left_out), (vec![vec![1, 7], vec![2], vec![6]], 0));
        let many: Vec<String> = (0..30).map(|k| format!("n{k}.v")).collect();
        let (groups, left_out) = usual(&many, &unit);
        assert_eq!((groups[0].columns.len(), left_out), (8, 21));
    }
}
