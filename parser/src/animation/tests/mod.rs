//! Tests of the `.ani` table: what both sides agree on, and the helpers of the other test files.

mod damage;
mod growth;
mod seeking;

use super::*;
use proptest::prelude::*;
use std::io::Cursor;

/// A reader of a text in memory.
pub type TextReader<'a> = AniReader<Cursor<&'a [u8]>>;

/// No rotation, at x.
pub fn pose_at(x: f64) -> Pose {
    [[1.0, 0.0, 0.0, x], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]
}

/// A table of `names` with rows at `times`; body k is at x = time + k.
pub fn table(names: &[&str], times: &[f64]) -> String {
    let mut writer = AniWriter::new(Vec::new(), "model", names).unwrap();
    for &time in times {
        let poses: Vec<Pose> = (0..names.len()).map(|k| pose_at(time + k as f64)).collect();
        writer.write_row(time, &poses).unwrap();
    }
    String::from_utf8(writer.finish().unwrap()).unwrap()
}

/// Opens a complete text and scans all of it.
pub fn scanned(text: &[u8]) -> TextReader<'_> {
    let mut reader = AniReader::open(Cursor::new(text), FileState::Finished).unwrap();
    while reader.scan(1000).unwrap() == Progress::More {}
    reader
}

/// All good rows, by number.
pub fn rows<R: std::io::Read + std::io::Seek>(reader: &mut AniReader<R>) -> Vec<AniRow> {
    (0..reader.n_rows()).map(|number| reader.row(number).unwrap().unwrap()).collect()
}

/// The times of all good rows.
pub fn times<R: std::io::Read + std::io::Seek>(reader: &mut AniReader<R>) -> Vec<f64> {
    rows(reader).iter().map(|row| row.time).collect()
}

#[test]
fn header_and_rows_come_back() {
    let text = table(&["crank", "Kurbel_ä"], &[0.0, 0.1, 0.1, 0.2]);
    let mut reader = scanned(text.as_bytes());
    assert_eq!(reader.problems(), []);
    let header = reader.header().unwrap();
    assert_eq!(header.version, "0.5");
    assert_eq!(header.model_name, "model");
    assert_eq!(header.names, ["crank", "Kurbel_ä"]);
    assert_eq!(header.n_columns(), 33);
    let rows = rows(&mut reader);
    assert_eq!(rows.len(), 4);
    assert_eq!(rows[3].poses, [pose_at(0.2), pose_at(1.2)]);
    assert_eq!(rows[3].number, Some(3));
}

#[test]
fn written_text_is_short_and_named() {
    let text = table(&["a"], &[0.5]);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "# DySimAniFileVersion: 0.5",
            "# ModelName: model",
            "# NumberOfBodies: 1",
            "# NamesOfBodies: a"
        ]
    );
    assert!(lines[4].starts_with("# Columns: t a.r11 a.r12"), "{}", lines[4]);
    assert_eq!(lines[4].split_whitespace().count(), 2 + 17);
    assert_eq!(lines[5], "0.5 1 0 0 0.5 0 1 0 0 0 0 1 0 0 0 0 1");
}

#[test]
fn crlf_tabs_marks_blank_lines_and_any_header_order_are_accepted() {
    let body = "1 0 0 7\t0 1 0 0 \t 0 0 1 0  0 0 0 1 ";
    let text = format!(
        "\u{FEFF}# made by hand\r\n#NamesOfBodies:\ta \r\n\r\n # numberofbodies : 1\r\n# ModelName: my model\r\n\
         # DySimAniFileVersion: 0.5\r\n# t pose\r\n0 {body}\r\n# half way\r\n\t+1.5E0 {body}\r\n2. {body}"
    );
    let mut reader = scanned(text.as_bytes());
    assert_eq!(reader.problems(), []);
    assert_eq!(reader.header().unwrap().model_name, "my model");
    assert_eq!(times(&mut reader), [0.0, 1.5, 2.0]);
    assert_eq!(reader.row(2).unwrap().unwrap().poses, [pose_at(7.0)]);
}

#[test]
fn writer_refuses_what_a_reader_would() {
    for name in ["", "a b", "a\nb", "a\u{0}"] {
        assert!(AniWriter::new(Vec::new(), "m", &[name]).is_err(), "{name:?}");
    }
    assert!(AniWriter::new(Vec::new(), "m\n1", &["a"]).is_err());
    let mut writer = AniWriter::new(Vec::new(), "m", &["a"]).unwrap();
    writer.write_row(1.0, &[pose_at(0.0)]).unwrap();
    writer.write_comment("an event\nof two lines\rand a half").unwrap();
    let refusals = [
        writer.write_row(0.5, &[pose_at(0.0)]),
        writer.write_row(f64::NAN, &[pose_at(0.0)]),
        writer.write_row(2.0, &[pose_at(f64::INFINITY)]),
        writer.write_row(2.0, &[]),
    ];
    for refusal in refusals {
        assert_eq!(refusal.unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    }
    writer.write_row(1.0, &[pose_at(3.0)]).unwrap();
    let text = writer.finish().unwrap();
    let mut reader = scanned(&text);
    assert_eq!(reader.problems(), []);
    assert_eq!(times(&mut reader), [1.0, 1.0]);
}

#[test]
fn extreme_numbers_are_kept_bit_by_bit_and_short() {
    let numbers = [f64::MAX, f64::MIN_POSITIVE, 5e-324, -0.0, 0.1, 1.0 / 3.0, 1e16, 1e-5, -1e300];
    for number in numbers {
        let mut writer = AniWriter::new(Vec::new(), "m", &["a"]).unwrap();
        writer.write_row(number, &[pose_at(number)]).unwrap();
        let text = writer.finish().unwrap();
        let last = String::from_utf8_lossy(&text).lines().last().unwrap().to_owned();
        assert!(last.split(' ').all(|word| word.len() <= 24), "{last}");
        let row = scanned(&text).row(0).unwrap().unwrap();
        assert_eq!(row.time.to_bits(), number.to_bits());
        assert_eq!(row.poses[0][0][3].to_bits(), number.to_bits());
    }
}

/// Any finite double, all bit patterns alike.
fn finite() -> impl Strategy<Value = f64> {
    any::<u64>().prop_map(f64::from_bits).prop_filter("finite", |number| number.is_finite())
}

proptest! {
    #[test]
    fn every_double_survives_the_file(
        mut times in prop::collection::vec(finite(), 1..6),
        numbers in prop::collection::vec(finite(), 32),
    ) {
        times.sort_by(f64::total_cmp);
        let mut poses = [Pose::default(); 2];
        for (place, number) in poses.as_flattened_mut().as_flattened_mut().iter_mut().zip(&numbers) {
            *place = *number;
        }
        let mut writer = AniWriter::new(Vec::new(), "m", &["a", "b"]).unwrap();
        for &time in &times {
            writer.write_row(time, &poses).unwrap();
        }
        let text = writer.finish().unwrap();
        let mut reader = scanned(&text);
        prop_assert_eq!(reader.problem_counts().0, 0);
        let rows = rows(&mut reader);
        prop_assert_eq!(rows.len(), times.len());
        for (row, time) in rows.iter().zip(&times) {
            prop_assert_eq!(row.time.to_bits(), time.to_bits());
            let read = row.poses.as_flattened().as_flattened();
            prop_assert!(read.iter().zip(&numbers).all(|(a, b)| a.to_bits() == b.to_bits()));
        }
    }
}
