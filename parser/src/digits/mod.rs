//! Doubles as decimal text, for result files: they are most of what such a file costs.

mod powers;
mod seventeen;

pub use seventeen::push_seventeen;

/// Numbers that are converted before the first number is copied.
const BATCH: usize = 8;
/// Room for the longest number, 24 bytes, and for the excess that a copy of fixed length writes.
const ROOM: usize = 32;

/// Appends numbers with `separator` between them, each the shortest text that gives the same double again.
///
/// A text that is copied at once after it was written in smaller parts has to wait for them, so that
/// several are converted first.
pub fn push_shortest(text: &mut Vec<u8>, numbers: &[f64], separator: u8) {
    let mut buffers: [zmij::Buffer; BATCH] = std::array::from_fn(|_| zmij::Buffer::new());
    for batch in numbers.chunks(BATCH) {
        let mut words = [""; BATCH];
        for ((word, buffer), &number) in words.iter_mut().zip(&mut buffers).zip(batch) {
            *word = convert(buffer, number);
        }
        let start = text.len();
        text.extend_from_slice(&[0; ROOM * BATCH]);
        let room = &mut text[start..];
        let mut length = 0;
        for word in &words[..batch.len()] {
            length += copy(word.as_bytes(), &mut room[length..]);
            room[length] = separator;
            length += 1;
        }
        text.truncate(start + length);
    }
    // Behind the last number there is none.
    if !numbers.is_empty() {
        text.pop();
    }
}

/// The shortest text that gives the same double again.
pub fn shortest(number: f64) -> String {
    convert(&mut zmij::Buffer::new(), number).to_string()
}

/// Half of the numbers in tables of motion are exactly zero or one, which need no conversion.
fn convert(buffer: &mut zmij::Buffer, number: f64) -> &str {
    if number == 0.0 {
        if number.is_sign_negative() { "-0" } else { "0" }
    } else if number == 1.0 {
        "1"
    } else {
        buffer.format(number)
    }
}

/// Copies a word to the beginning of `room`; gives its length. Two copies of sixteen bytes that overlap
/// are cheaper than one of any length, and nearly all numbers have one digit or at least sixteen.
fn copy(word: &[u8], room: &mut [u8]) -> usize {
    match (word, word.first_chunk::<16>(), word.last_chunk::<16>()) {
        (&[digit], ..) => room[0] = digit,
        (_, Some(first), Some(last)) => {
            room[..16].copy_from_slice(first);
            room[word.len() - 16..word.len()].copy_from_slice(last);
        }
        _ => room[..word.len()].copy_from_slice(word),
    }
    word.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shortest_numbers_come_back_bit_for_bit() {
        let extremes =
            [f64::MIN_POSITIVE, f64::MAX, 5e-324, 0.1, 1.0 / 3.0, 1e22, 1e23, 123456.789];
        let numbers: Vec<f64> =
            extremes.into_iter().chain([0.0, 1.0]).flat_map(|x| [x, -x]).collect();
        for n in 0..=numbers.len() {
            let mut text = b"# ".to_vec();
            push_shortest(&mut text, &numbers[..n], b' ');
            let text = String::from_utf8(text).unwrap();
            let words: Vec<&str> = text[2..].split(' ').filter(|word| !word.is_empty()).collect();
            assert_eq!(text[2..], words.join(" "), "one blank between two, none at the end");
            let read: Vec<u64> =
                words.iter().map(|word| word.parse::<f64>().unwrap().to_bits()).collect();
            let written: Vec<u64> = numbers[..n].iter().map(|x| x.to_bits()).collect();
            assert_eq!(read, written, "{text}");
        }
    }

    #[test]
    fn words_of_any_length_are_copied() {
        let bytes: Vec<u8> = (1..=24).collect();
        for length in 0..=bytes.len() {
            let mut room = [0; ROOM];
            assert_eq!(copy(&bytes[..length], &mut room), length);
            assert_eq!(room[..length], bytes[..length]);
            assert!(room[length..].iter().all(|&byte| byte == 0));
        }
    }
}
