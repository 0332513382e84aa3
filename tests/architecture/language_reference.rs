//! The page of all blocks and parameters is that of the tables.

use std::path::Path;

use dysim_tests::expectation;

/// `UPDATE_EXPECT=1` writes the page anew.
#[test]
fn the_language_reference_is_up_to_date() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/language-reference.md");
    let result = expectation::check(&page, &engine::internals::model::reference::markdown());
    assert!(result.is_ok(), "{}", result.unwrap_err());
}
