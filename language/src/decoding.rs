//! From the bytes of a file to text: UTF-8, with the places that are not.

/// A decoded text.
pub(crate) struct Decoded {
    pub(crate) text: String,
    /// Places that were not UTF-8: offset and length in the text.
    pub(crate) invalid: Vec<(u32, u32)>,
    pub(crate) help: &'static str,
    /// There is nothing to parse.
    pub(crate) unreadable: bool,
}

const UTF16_HELP: &str = "the file seems to be UTF-16; save it as UTF-8";
const LATIN1_HELP: &str = "save the file as UTF-8, for example with `iconv -f latin1 -t utf-8`";

/// Whether the bytes are UTF-16, with its mark or with a zero in every other byte.
fn is_wide(bytes: &[u8]) -> bool {
    const LOOKED_AT: usize = 64;
    let mark = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let start = &bytes[..bytes.len().min(LOOKED_AT) & !1];
    let zeros = |of: usize| start.iter().skip(of).step_by(2).filter(|&&byte| byte == 0).count();
    mark || (start.len() >= 8 && zeros(0).max(zeros(1)) * 4 > start.len())
}

/// Decodes the bytes of a file; what is not UTF-8 is replaced and named.
pub(crate) fn decode(bytes: Vec<u8>) -> Decoded {
    if is_wide(&bytes) {
        let text = char::REPLACEMENT_CHARACTER.to_string();
        let invalid = vec![(0, text.len() as u32)];
        return Decoded { invalid, text, help: UTF16_HELP, unreadable: true };
    }
    match String::from_utf8(bytes) {
        Ok(text) => Decoded { text, invalid: Vec::new(), help: LATIN1_HELP, unreadable: false },
        Err(error) => {
            let bytes = error.into_bytes();
            let mut text = String::with_capacity(bytes.len());
            let mut invalid = Vec::new();
            for chunk in bytes.utf8_chunks() {
                text.push_str(chunk.valid());
                if !chunk.invalid().is_empty() {
                    invalid
                        .push((text.len() as u32, char::REPLACEMENT_CHARACTER.len_utf8() as u32));
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
            Decoded { text, invalid, help: LATIN1_HELP, unreadable: false }
        }
    }
}
