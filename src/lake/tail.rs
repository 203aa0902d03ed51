//! The end of a Parquet file, where its footer is, read without the rest of it.

use super::footer;
use crate::domain::amount::size as amount;
use crate::domain::problem::Problem;
use bytes::Bytes;
use std::ops::RangeInclusive;

/// What is read of a file's end at first, in bytes: most footers are smaller.
const FIRST: u64 = 64 << 10;
/// The largest footer that is read, in bytes.
const LARGEST: u64 = 64 << 20;

/// Why a file gave nothing: S3, or the file.
pub(super) enum Failure {
    /// S3 did not answer, or refused.
    Cloud(Problem),
    /// It is something else than Parquet, or encrypted, in words that go on after its name.
    Other(String),
    /// It is broken, in words that go on after its name.
    File(String),
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        Self::Cloud(problem)
    }
}

impl From<String> for Failure {
    fn from(why: String) -> Self {
        Self::File(why)
    }
}

/// The end of a file, with the whole footer in it, and the byte it begins at: one read of `fetch`, two for a large footer.
pub(super) async fn read<F>(
    size: u64,
    fetch: impl Fn(RangeInclusive<u64>) -> F,
) -> Result<(u64, Bytes), Failure>
where
    F: Future<Output = Result<Bytes, Problem>>,
{
    if size < footer::SMALLEST {
        return Err(format!("it has {}", amount(size)).into());
    }
    let last = size - 1;
    let from = size.saturating_sub(FIRST);
    let bytes = fetch(from..=last).await?;
    match footer::length(&bytes).map_err(Failure::Other)? {
        length if length <= bytes.len() as u64 => Ok((from, bytes)),
        length if length > LARGEST.min(size) => Err(format!("its footer claims {}", amount(length)).into()),
        length => Ok((size - length, fetch(size - length..=last).await?)),
    }
}
