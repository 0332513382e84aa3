//! "Did you mean": the known word that is nearest to a mistyped one.

/// The candidate nearest to `word`, if `word` is likely to be the candidate with a typing mistake.
///
/// Distance is that of optimal string alignment (insert, delete, replace, swap neighbours), where a
/// change of case counts little; up to a third of the letters may differ, of one or two letters only
/// the case.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(MAX_LENGTH + 1).collect();
    if word.is_empty() || word.len() > MAX_LENGTH {
        return None;
    }
    let limit = (COST * (word.len() / 3)).max(COST - 1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let bound = best.map_or(limit + 1, |(distance, _)| distance);
        if let Some(distance) = distance_below(&word, candidate, bound) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// As [`nearest`]; where no candidate is near, the only one that begins like the word or that the
/// word begins like: `degrees` for `deg`, `al` for `all`. For choices of a few words.
pub fn nearest_word<'a>(word: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let begins = |long: &str, short: &str| {
        short.len() >= 2 && long.to_lowercase().starts_with(&short.to_lowercase())
    };
    nearest(word, candidates.iter().copied()).or_else(|| {
        let alike = |candidate: &&&str| begins(candidate, word) || begins(word, candidate);
        let mut alike = candidates.iter().filter(alike);
        alike.next().filter(|_| alike.next().is_none()).copied()
    })
}

/// Longer words are not compared.
const MAX_LENGTH: usize = 64;
/// Cost of a wrong letter; a wrong case costs 1.
const COST: usize = 4;

/// The distance if it is below `bound`.
fn distance_below(word: &[char], candidate: &str, bound: usize) -> Option<usize> {
    // Most candidates differ too much in length: byte lengths tell that without decoding.
    if candidate.len() > 4 * MAX_LENGTH || candidate.len() + bound / COST < word.len() {
        return None;
    }
    let other: Vec<char> = candidate.chars().collect();
    if other.is_empty() || other.len().abs_diff(word.len()) * COST >= bound {
        return None;
    }
    let width = other.len() + 1;
    let mut before = vec![0; width];
    let mut last: Vec<usize> = (0..width).map(|column| column * COST).collect();
    for (i, &a) in word.iter().enumerate() {
        let mut row = vec![(i + 1) * COST; width];
        for (j, &b) in other.iter().enumerate() {
            let mut cost = (last[j] + replace(a, b)).min(last[j + 1] + COST).min(row[j] + COST);
            if i > 0 && j > 0 && a == other[j - 1] && word[i - 1] == b {
                cost = cost.min(before[j - 1] + COST);
            }
            row[j + 1] = cost;
        }
        if row.iter().all(|&cost| cost >= bound) {
            return None;
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().filter(|&distance| distance < bound)
}

fn replace(a: char, b: char) -> usize {
    if a == b {
        0
    } else if a.to_lowercase().eq(b.to_lowercase()) {
        1
    } else {
        COST
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typing_mistakes_find_their_word() {
        let words = ["Mass", "Inertia", "CGFramePosition", "Joint", "Parent"];
        for (typed, meant) in [
            ("mass", "Mass"),
            ("Maas", "Mass"),
            ("Inertai", "Inertia"),
            ("CgFramePositon", "CGFramePosition"),
            ("Jiont", "Joint"),
        ] {
            assert_eq!(nearest(typed, words), Some(meant), "{typed}");
        }
        assert_eq!(nearest("Temperature", words), None);
        assert_eq!(nearest("", words), None);
        assert_eq!(nearest("J", ["f", "q"]), None);
        assert_eq!(nearest("j1", ["J1", "t1"]), Some("J1"));
    }

    #[test]
    fn choices_are_found_by_their_beginning() {
        assert_eq!(nearest_word("degrees", &["rad", "deg"]), Some("deg"));
        assert_eq!(nearest_word("al", &["none", "all"]), Some("all"));
        assert_eq!(nearest_word("odeint", &["odeint_rk", "odeint_bs"]), None);
        assert_eq!(nearest_word("x", &["xy"]), None);
    }

    #[test]
    fn the_nearest_of_several_wins() {
        assert_eq!(nearest("rockr", ["rock", "rocker", "crank"]), Some("rock"));
        assert_eq!(nearest("rockeer", ["rock", "rocker", "crank"]), Some("rocker"));
    }
}
