//! Writes the boxes of an MP4 file with one track of AV1 pictures (ISO/IEC 14496-12, and the AV1
//! binding of the Alliance for Open Media). The pictures come first, the tables about them last.

use std::io::{self, BufWriter, Seek, SeekFrom, Write};

use crate::record::Size;

/// A file that is being written.
pub(super) struct Writer<W: Write + Seek> {
    file: BufWriter<W>,
    size: Size,
    time_scale: u32,
    /// Duration of each picture in time units.
    duration: u32,
    /// The `av1C` box: how the pictures were coded.
    configuration: Vec<u8>,
    /// Where the pictures begin, and the bytes of each.
    start: u64,
    sizes: Vec<u32>,
    /// Numbers of pictures that need no other, from 1.
    keys: Vec<u32>,
}

/// An empty unit that separates pictures in a stream; a file has no use for it.
const DELIMITER: [u8; 2] = [0x12, 0x00];

impl<W: Write + Seek> Writer<W> {
    pub(super) fn new(
        file: W,
        size: Size,
        time_scale: u32,
        duration: u32,
        configuration: Vec<u8>,
    ) -> io::Result<Self> {
        let mut file = BufWriter::new(file);
        let brands = boxed(b"ftyp", b"iso6\0\0\0\0iso6av01mp41");
        file.write_all(&brands)?;
        // The length, which is not known yet, in 64 bits.
        file.write_all(&[&1u32.to_be_bytes()[..], b"mdat", &[0; 8]].concat())?;
        let start = brands.len() as u64 + 16;
        let (sizes, keys) = (Vec::new(), Vec::new());
        Ok(Self { file, size, time_scale, duration, configuration, start, sizes, keys })
    }

    /// Adds one coded picture.
    pub(super) fn write(&mut self, data: &[u8], key: bool) -> io::Result<()> {
        let data = data.strip_prefix(&DELIMITER).unwrap_or(data);
        self.file.write_all(data)?;
        self.sizes.push(u32::try_from(data.len()).map_err(io::Error::other)?);
        if key {
            self.keys.push(self.sizes.len() as u32);
        }
        Ok(())
    }

    /// Writes the tables and the length.
    pub(super) fn finish(mut self) -> io::Result<()> {
        self.file.write_all(&self.tables())?;
        let bytes: u64 = self.sizes.iter().map(|&size| u64::from(size)).sum();
        self.file.seek(SeekFrom::Start(self.start - 8))?;
        self.file.write_all(&(bytes + 16).to_be_bytes())?;
        self.file.flush()
    }

    fn tables(&self) -> Vec<u8> {
        let count = self.sizes.len() as u32;
        let total = u64::from(count) * u64::from(self.duration);
        let duration = u32::try_from(total).unwrap_or(u32::MAX);
        let mut movie = Fields::default();
        movie.full(0, 0).u32s(&[0, 0, self.time_scale, duration]);
        movie
            .u32s(&[0x0001_0000])
            .u16s(&[0x0100, 0])
            .u32s(&[0, 0])
            .matrix()
            .u32s(&[0; 6])
            .u32s(&[2]);
        let mut track = Fields::default();
        track.full(0, 3).u32s(&[0, 0, 1, 0, duration, 0, 0]).u16s(&[0; 4]).matrix();
        track.u32s(&[self.size.width << 16, self.size.height << 16]);
        let mut media = Fields::default();
        // The language is undetermined: `und`, five bits a letter.
        media.full(0, 0).u32s(&[0, 0, self.time_scale, duration]).u16s(&[0x55c4, 0]);
        let mut handler = Fields::default();
        handler.full(0, 0).u32s(&[0]).bytes(b"vide").u32s(&[0; 3]).bytes(b"\0");
        let mut header = Fields::default();
        header.full(0, 1).u16s(&[0; 4]);
        let mut place = Fields::default();
        place.full(0, 0).u32s(&[1]).bytes(&boxed(b"url ", &[0, 0, 0, 1]));
        let information = boxed(
            b"minf",
            &[
                boxed(b"vmhd", &header.0),
                boxed(b"dinf", &boxed(b"dref", &place.0)),
                boxed(b"stbl", &self.samples(count)),
            ]
            .concat(),
        );
        let media = boxed(
            b"mdia",
            &[boxed(b"mdhd", &media.0), boxed(b"hdlr", &handler.0), information].concat(),
        );
        let track = boxed(b"trak", &[boxed(b"tkhd", &track.0), media].concat());
        boxed(b"moov", &[boxed(b"mvhd", &movie.0), track].concat())
    }

    /// Kind, durations, key pictures, sizes and place of the pictures.
    fn samples(&self, count: u32) -> Vec<u8> {
        let (width, height) = (self.size.width as u16, self.size.height as u16);
        let mut entry = Fields::default();
        entry.bytes(&[0; 6]).u16s(&[1]).bytes(&[0; 16]).u16s(&[width, height]);
        // 72 dots per inch, one picture per sample, no name, 24 bits.
        entry.u32s(&[0x0048_0000, 0x0048_0000, 0]).u16s(&[1]).bytes(&[0; 32]).u16s(&[24, 0xffff]);
        entry.bytes(&boxed(b"av1C", &self.configuration));
        let mut kinds = Fields::default();
        kinds.full(0, 0).u32s(&[1]).bytes(&boxed(b"av01", &entry.0));
        let mut times = Fields::default();
        times.full(0, 0).u32s(&[1, count, self.duration]);
        let mut keys = Fields::default();
        keys.full(0, 0).u32s(&[self.keys.len() as u32]).u32s(&self.keys);
        let mut chunks = Fields::default();
        chunks.full(0, 0).u32s(&[1, 1, count, 1]);
        let mut sizes = Fields::default();
        sizes.full(0, 0).u32s(&[0, count]).u32s(&self.sizes);
        let mut places = Fields::default();
        places.full(0, 0).u32s(&[1]).bytes(&self.start.to_be_bytes());
        [
            boxed(b"stsd", &kinds.0),
            boxed(b"stts", &times.0),
            boxed(b"stss", &keys.0),
            boxed(b"stsc", &chunks.0),
            boxed(b"stsz", &sizes.0),
            boxed(b"co64", &places.0),
        ]
        .concat()
    }
}

/// A box: its length, its name and its content.
fn boxed(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes()[..], name, content].concat()
}

/// The content of a box.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    /// Version and flags.
    fn full(&mut self, version: u8, flags: u32) -> &mut Self {
        self.u32s(&[u32::from(version) << 24 | flags])
    }

    fn u32s(&mut self, values: &[u32]) -> &mut Self {
        values.iter().for_each(|value| self.0.extend(value.to_be_bytes()));
        self
    }

    fn u16s(&mut self, values: &[u16]) -> &mut Self {
        values.iter().for_each(|value| self.0.extend(value.to_be_bytes()));
        self
    }

    fn bytes(&mut self, values: &[u8]) -> &mut Self {
        self.0.extend(values);
        self
    }

    /// The transformation that leaves pictures as they are.
    fn matrix(&mut self) -> &mut Self {
        self.u32s(&[0x0001_0000, 0, 0, 0, 0x0001_0000, 0, 0, 0, 0x4000_0000])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names and contents of the boxes in some bytes; they have to fill them exactly.
    fn boxes(mut bytes: &[u8]) -> Vec<(String, &[u8])> {
        let mut found = Vec::new();
        while !bytes.is_empty() {
            let short = u32::from_be_bytes(bytes[..4].try_into().unwrap());
            let (head, length) = match short {
                1 => (16, u64::from_be_bytes(bytes[8..16].try_into().unwrap()) as usize),
                length => (8, length as usize),
            };
            found.push((String::from_utf8_lossy(&bytes[4..8]).into_owned(), &bytes[head..length]));
            bytes = &bytes[length..];
        }
        found
    }

    fn inside<'a>(bytes: &'a [u8], path: &[&str]) -> &'a [u8] {
        path.iter().fold(bytes, |bytes, name| {
            boxes(bytes).into_iter().find(|(found, _)| found == name).unwrap().1
        })
    }

    #[test]
    fn the_tables_lead_to_the_pictures() {
        let size = Size { width: 320, height: 240 };
        let mut file = io::Cursor::new(Vec::new());
        let mut writer = Writer::new(&mut file, size, 90_000, 3000, vec![0x81, 0, 0, 0]).unwrap();
        let pictures: [&[u8]; 3] = [b"key picture", b"second", b"third one"];
        writer.write(&[&DELIMITER[..], pictures[0]].concat(), true).unwrap();
        writer.write(pictures[1], false).unwrap();
        writer.write(pictures[2], false).unwrap();
        writer.finish().unwrap();
        let bytes = file.into_inner();
        let names: Vec<String> = boxes(&bytes).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["ftyp", "mdat", "moov"]);
        let table = inside(&bytes, &["moov", "trak", "mdia", "minf", "stbl"]);
        let word = |content: &[u8], k: usize| {
            u32::from_be_bytes(content[4 * k..4 * k + 4].try_into().unwrap())
        };
        assert_eq!([1, 2, 3].map(|k| word(inside(table, &["stts"]), k)), [1, 3, 3000]);
        assert_eq!([1, 2].map(|k| word(inside(table, &["stss"]), k)), [1, 1]);
        let sizes = inside(table, &["stsz"]);
        let start = u64::from_be_bytes(inside(table, &["co64"])[8..16].try_into().unwrap());
        let mut at = start as usize;
        for (k, picture) in pictures.iter().enumerate() {
            let length = word(sizes, 3 + k) as usize;
            assert_eq!(&&bytes[at..at + length], picture);
            at += length;
        }
        assert_eq!(inside(&bytes, &["mdat"]).len(), at - start as usize);
    }
}
