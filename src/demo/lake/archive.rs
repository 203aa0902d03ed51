//! Reads the archive of the lake's objects: plain ustar, which `tar -tvf` lists for a reviewer.

/// A file of the archive, borrowed from it.
#[derive(Debug, PartialEq, Eq)]
pub struct File {
    /// `BUCKET/KEY`.
    pub name: String,
    /// The bytes.
    pub bytes: &'static [u8],
}

const BLOCK: usize = 512;

/// The files, in order, up to the end or the first thing that is no file header.
pub fn files(archive: &'static [u8]) -> impl Iterator<Item = File> {
    let mut rest = archive;
    std::iter::from_fn(move || {
        let (file, after) = next(rest)?;
        rest = after;
        Some(file)
    })
}

fn next(archive: &'static [u8]) -> Option<(File, &'static [u8])> {
    let (header, after) = archive.split_at_checked(BLOCK)?;
    if header.get(257..262)? != b"ustar" {
        return None;
    }
    let name = text(header.get(0..100)?)?;
    let folder = text(header.get(345..500)?)?;
    let name = if folder.is_empty() {
        name.to_owned()
    } else {
        format!("{folder}/{name}")
    };
    let size = usize::from_str_radix(text(header.get(124..136)?)?.trim(), 8).ok()?;
    let bytes = after.get(..size)?;
    let rest = after.get(size.next_multiple_of(BLOCK)..)?;
    Some((File { name, bytes }, rest))
}

fn text(field: &'static [u8]) -> Option<&'static str> {
    std::str::from_utf8(field.split(|byte| *byte == 0).next()?).ok()
}
