//! Numbered pictures, one file each: `<base>0000.tif`, `<base>0001.tif` and so on.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Picture;

/// How the pixels of a TIFF file are packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    None,
    /// By repeated patterns: the smallest files.
    Lzw,
    /// By runs of equal bytes, which every program reads.
    #[default]
    PackBits,
}

impl Compression {
    /// All kinds of compression.
    pub const ALL: [Compression; 3] = [Compression::None, Compression::Lzw, Compression::PackBits];

    /// The word for the compression.
    pub fn word(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Lzw => "lzw",
            Self::PackBits => "packbits",
        }
    }
}

/// A sequence of pictures that is being written.
#[derive(Clone, Debug, PartialEq)]
pub struct Pictures {
    /// Name without number and ending.
    base: PathBuf,
    extension: String,
    compression: Compression,
    numbered: bool,
    /// Number of the next picture.
    next: u64,
}

impl Pictures {
    /// Numbered pictures whose names are made from `path`; its ending tells the format, PNG or TIFF.
    pub fn numbered(path: &Path, compression: Compression) -> Self {
        let extension = path.extension().and_then(|e| e.to_str()).unwrap_or("tif").to_owned();
        Self { base: path.with_extension(""), extension, compression, numbered: true, next: 0 }
    }

    /// Numbered TIFF pictures `<base>####.tif`, whatever dots the base has.
    pub fn tiff(base: &Path, compression: Compression) -> Self {
        let base = base.to_path_buf();
        Self { base, extension: "tif".to_owned(), compression, numbered: true, next: 0 }
    }

    /// One picture with just this name.
    pub fn single(path: &Path, compression: Compression) -> Self {
        Self { numbered: false, ..Self::numbered(path, compression) }
    }

    /// How many were written.
    pub fn count(&self) -> u64 {
        self.next
    }

    /// The name of picture `number`: four digits, more where they are needed.
    fn name(&self, number: u64) -> PathBuf {
        let mut name = self.base.clone().into_os_string();
        if self.numbered {
            name.push(format!("{number:04}"));
        }
        name.push(format!(".{}", self.extension));
        name.into()
    }

    /// The name of the first picture.
    pub fn first(&self) -> PathBuf {
        self.name(0)
    }

    /// Writes the next picture and tells its name. A picture that cannot be finished is removed.
    ///
    /// # Errors
    /// The name of the file and what failed.
    pub fn write(&mut self, picture: &Picture) -> Result<PathBuf, (PathBuf, io::Error)> {
        let path = self.name(self.next);
        let png = self.extension.eq_ignore_ascii_case("png");
        let bytes = if png { png_bytes(picture) } else { tiff_bytes(picture, self.compression) };
        let written = bytes.and_then(|bytes| write_whole(&path, &bytes));
        match written {
            Ok(()) => {
                self.next += 1;
                Ok(path)
            }
            Err(error) => Err((path, error)),
        }
    }
}

/// Writes one TIFF picture.
///
/// # Errors
/// If the file cannot be written; half a picture is removed.
pub fn write_tiff(path: &Path, picture: &Picture, compression: Compression) -> io::Result<()> {
    write_whole(path, &tiff_bytes(picture, compression)?)
}

/// Writes a file; after a failure removes the unfinished file.
fn write_whole(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes).inspect_err(|_| {
        let _ = fs::remove_file(path);
    })
}

fn png_bytes(picture: &Picture) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&picture.rgb)?;
    writer.finish()?;
    Ok(bytes)
}

fn tiff_bytes(picture: &Picture, compression: Compression) -> io::Result<Vec<u8>> {
    use tiff::encoder::{Compression as Packing, TiffEncoder, colortype::RGB8};
    let packing = match compression {
        Compression::None => Packing::Uncompressed,
        Compression::Lzw => Packing::Lzw,
        Compression::PackBits => Packing::Packbits,
    };
    let mut bytes = io::Cursor::new(Vec::new());
    TiffEncoder::new(&mut bytes)
        .map(|encoder| encoder.with_compression(packing))
        .and_then(|mut encoder| {
            encoder.write_image::<RGB8>(picture.width, picture.height, &picture.rgb)
        })
        .map_err(io::Error::other)?;
    Ok(bytes.into_inner())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture() -> Picture {
        let (width, height) = (37, 23);
        let rgb = (0..width * height * 3).map(|k| (k * k % 251) as u8).collect();
        Picture { width, height, rgb }
    }

    #[test]
    fn names_have_four_digits_and_more() {
        let pictures = Pictures::numbered(Path::new("out/run.tif"), Compression::None);
        assert_eq!(pictures.name(0), Path::new("out/run0000.tif"));
        assert_eq!(pictures.name(9999), Path::new("out/run9999.tif"));
        assert_eq!(pictures.name(10000), Path::new("out/run10000.tif"));
        let dotted = Pictures::tiff(Path::new("run.v2"), Compression::None);
        assert_eq!(dotted.name(7), Path::new("run.v20007.tif"));
        let single = Pictures::single(Path::new("one.png"), Compression::None);
        assert_eq!(single.first(), Path::new("one.png"));
    }

    #[test]
    fn all_compressions_keep_every_pixel() {
        let picture = picture();
        let mut sizes = Vec::new();
        for compression in Compression::ALL {
            let bytes = tiff_bytes(&picture, compression).unwrap();
            sizes.push(bytes.len());
            let mut decoder = tiff::decoder::Decoder::new(io::Cursor::new(bytes)).unwrap();
            assert_eq!(decoder.dimensions().unwrap(), (picture.width, picture.height));
            match decoder.read_image().unwrap() {
                tiff::decoder::DecodingResult::U8(rgb) => {
                    assert_eq!(rgb, picture.rgb, "{compression:?}");
                }
                _ => panic!("{compression:?}: not bytes"),
            }
        }
        assert!(sizes[0] != sizes[1] && sizes[1] != sizes[2], "{sizes:?}");
    }

    #[test]
    fn png_keeps_every_pixel() {
        let picture = picture();
        let bytes = png_bytes(&picture).unwrap();
        let read = image::load_from_memory(&bytes).unwrap().to_rgb8();
        assert_eq!(read.into_raw(), picture.rgb);
    }

    #[test]
    fn a_folder_that_is_not_there_is_told() {
        let mut pictures = Pictures::numbered(Path::new("/nowhere/at/all.tif"), Compression::None);
        let (path, error) = pictures.write(&picture()).unwrap_err();
        assert_eq!(path, Path::new("/nowhere/at/all0000.tif"));
        assert_eq!(error.kind(), io::ErrorKind::NotFound);
        assert_eq!(pictures.count(), 0);
    }
}
