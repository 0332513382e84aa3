//! What holds for every text: the parser never fails, printing and formatting keep the meaning.

use dysim_tests::documents::{document, one_expression};
use dysim_tests::fuzz::{Read, format_target, parse_target};
use dysim_tests::mutate::{PIECES, mutate};
use parser::{print, same_tree};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::test_runner::RngSeed;

/// The same cases on every run and every machine.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(0x0064_7973_696d),
        ..ProptestConfig::default()
    }
}

/// Prints, parses and prints again.
fn round_trip(text: &str) {
    let read = Read::new(text);
    let messages: Vec<_> = read.parsed.diagnostics.iter().collect();
    assert_eq!(read.parsed.diagnostics.errors(), 0, "{text}\n{messages:?}");
    let (source, parsed) = read.pair();
    let printed = print(source, &parsed.document);
    let again = Read::new(&printed);
    assert!(same_tree(read.pair(), again.pair()), "{text}\n{printed}");
    let (source, parsed) = again.pair();
    assert_eq!(print(source, &parsed.document), printed);
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn documents_survive_printing_and_parsing(text in document()) {
        round_trip(&text);
    }

    #[test]
    fn expressions_survive_printing_and_parsing(text in one_expression()) {
        round_trip(&text);
    }

    #[test]
    fn formatting_keeps_the_meaning_and_is_done_at_once(text in document()) {
        prop_assert_eq!(Read::new(&text).parsed.diagnostics.errors(), 0);
        format_target(text.as_bytes());
    }

    #[test]
    fn formatted_lines_have_no_blanks_at_their_ends(text in document()) {
        let formatted = Read::new(&text).format().unwrap_or_else(|| "an error ".into());
        prop_assert!(!formatted.contains('\r'));
        // The generated block comments have no line that ends with a blank.
        for line in formatted.lines() {
            prop_assert_eq!(line, line.trim_end());
        }
    }

    #[test]
    fn damaged_texts_are_read_with_valid_spans(
        text in document(),
        damages in vec(any::<(u8, u32, u32)>(), 1..6),
    ) {
        let text = mutate(&text, &damages);
        parse_target(text.as_bytes());
        format_target(text.as_bytes());
    }
}

proptest! {
    #![proptest_config(config(2000))]

    #[test]
    fn arbitrary_bytes_are_read_with_valid_spans(bytes in vec(any::<u8>(), 0..200)) {
        parse_target(&bytes);
        format_target(&bytes);
    }

    #[test]
    fn arbitrary_pieces_are_read_with_valid_spans(pieces in vec(select(PIECES), 0..40)) {
        let text = pieces.concat();
        parse_target(text.as_bytes());
        format_target(text.as_bytes());
    }
}
