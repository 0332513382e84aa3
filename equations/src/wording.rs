//! Numbers and lists of words in messages.

/// A number as a person would write it: six digits, and an exponent where it saves zeros.
pub fn written(number: f64) -> String {
    let rounded = format!("{number:.5e}").parse::<f64>().unwrap_or(number);
    let plain = rounded == 0.0 || (1e-4..1e7).contains(&rounded.abs());
    if plain { format!("{rounded}") } else { format!("{rounded:e}") }
}

/// `` `a`, `b` or `c` ``
pub fn one_of(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    match quoted.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} or {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => String::new(),
    }
}
