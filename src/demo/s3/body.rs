//! The bytes of an object: in memory, or in a file of the state directory so that an object larger than memory works.

use super::checksums::{Digests, Sums, Wanted};
use super::errors;
use bytes::{Bytes, BytesMut};
use futures_util::{StreamExt, stream};
use s3s::S3Result;
use s3s::dto::StreamingBlob;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::fs::{File, OpenOptions};
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

/// Bytes read from a file at a time.
const CHUNK: u64 = 256 * 1024;

/// What an object holds. Cloning shares the bytes.
#[derive(Clone, Debug)]
pub enum Body {
    /// In memory, or a part of the program itself.
    Memory(Bytes),
    /// In a file of its own.
    File(Arc<Kept>),
}

/// A body in a file. The file goes when no key names it and the last reader lets go: a refused upload leaves nothing
/// behind, and a download which has begun is never cut off.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    len: u64,
    names: AtomicUsize,
}

impl Drop for Kept {
    fn drop(&mut self) {
        if self.names.load(Ordering::Relaxed) == 0 {
            // A file that stays behind is swept at the next start.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

impl Body {
    /// The body in a file, which no key names yet.
    pub fn file(path: PathBuf, len: u64) -> Self {
        Self::File(Arc::new(Kept {
            path,
            len,
            names: AtomicUsize::new(0),
        }))
    }

    /// Length in bytes.
    pub fn len(&self) -> u64 {
        match self {
            Self::Memory(bytes) => bytes.len() as u64,
            Self::File(kept) => kept.len,
        }
    }

    /// Name of the file under the state directory, where there is one.
    pub fn file_name(&self) -> Option<&str> {
        match self {
            Self::Memory(_) => None,
            Self::File(kept) => kept.path.file_name()?.to_str(),
        }
    }

    /// Says that one more key names this body.
    pub fn name(&self) {
        if let Self::File(kept) = self {
            kept.names.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Says that one key less names this body.
    pub fn unname(&self) {
        if let Self::File(kept) = self {
            kept.names.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// All of it at once: for what is known to be small.
    pub fn whole(&self) -> io::Result<Bytes> {
        match self {
            Self::Memory(bytes) => Ok(bytes.clone()),
            Self::File(kept) => std::fs::read(&kept.path).map(Bytes::from),
        }
    }

    /// The bytes of `range`, which must lie within the body.
    pub async fn read(&self, range: Range<u64>) -> S3Result<StreamingBlob> {
        match self {
            Self::Memory(bytes) => {
                let (from, to) = (whole(range.start)?, whole(range.end)?);
                if from > to || to > bytes.len() {
                    return Err(errors::internal("range outside the object"));
                }
                Ok(StreamingBlob::from(s3s::Body::from(bytes.slice(from..to))))
            }
            Self::File(kept) => {
                let mut file = File::open(&kept.path).await.map_err(errors::io)?;
                file.seek(io::SeekFrom::Start(range.start))
                    .await
                    .map_err(errors::io)?;
                let state = (file, range.end - range.start, Arc::clone(kept));
                let chunks = stream::unfold(state, |(mut file, left, kept)| async move {
                    if left == 0 {
                        return None;
                    }
                    let mut chunk = BytesMut::zeroed(usize::try_from(left.min(CHUNK)).unwrap_or_default());
                    match file.read_exact(&mut chunk).await {
                        Ok(read) => Some((Ok(chunk.freeze()), (file, left - read as u64, kept))),
                        Err(error) => Some((Err(error), (file, 0, kept))),
                    }
                });
                // `unfold` of an async block is not `Sync`, which the blob asks for; the channel-free cure is a lock.
                Ok(StreamingBlob::wrap(Guarded(std::sync::Mutex::new(Box::pin(
                    chunks,
                )))))
            }
        }
    }
}

type Chunks = std::pin::Pin<Box<dyn stream::Stream<Item = io::Result<Bytes>> + Send>>;

/// Makes a stream `Sync`: it is only ever polled through `&mut`, so the lock is never waited for.
struct Guarded(std::sync::Mutex<Chunks>);

impl stream::Stream for Guarded {
    type Item = io::Result<Bytes>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        match self.0.get_mut() {
            Ok(chunks) => chunks.as_mut().poll_next(cx),
            Err(poisoned) => poisoned.into_inner().as_mut().poll_next(cx),
        }
    }
}

fn whole(n: u64) -> S3Result<usize> {
    usize::try_from(n).map_err(|_| errors::internal("range too large for this machine"))
}

/// A body that has been received whole and checked, before any index names it.
#[derive(Debug)]
pub struct Received {
    /// The bytes.
    pub body: Body,
    /// MD5 in hex: the ETag of an object that was put in one piece.
    pub md5: String,
    /// The checksums that the client sent, verified.
    pub sums: Sums,
}

/// Where bodies go: a directory, or memory.
#[derive(Clone, Debug, Default)]
pub struct Bodies(Option<PathBuf>);

impl Bodies {
    /// Bodies in files under `dir`, or in memory.
    pub fn new(dir: Option<&Path>) -> Self {
        Self(dir.map(Path::to_owned))
    }

    /// Path of a body file of an earlier run.
    pub fn path(&self, name: &str) -> Option<PathBuf> {
        Some(self.0.as_ref()?.join(name))
    }

    /// A body for a second key with the same bytes. Bodies never change, so the bytes are shared, but for the seeded
    /// ones, which are no files yet.
    pub async fn share(&self, body: &Body) -> S3Result<Body> {
        match body {
            Body::Memory(bytes) if self.0.is_some() => {
                let mut sink = self.create().await?;
                sink.write(bytes).await?;
                sink.finish().await
            }
            body => Ok(body.clone()),
        }
    }

    /// Starts a new body.
    pub async fn create(&self) -> S3Result<Sink> {
        let Some(dir) = &self.0 else {
            return Ok(Sink::Memory(BytesMut::new()));
        };
        let path = dir.join(format!("{}.body", crate::demo::ids::uuid()));
        let mut options = OpenOptions::new();
        options.create_new(true).write(true);
        #[cfg(unix)]
        options.mode(0o600);
        let file = options.open(&path).await.map_err(errors::io)?;
        Ok(Sink::File {
            file,
            len: 0,
            kept: Unfinished(Some(path)),
        })
    }

    /// Reads a request's body to its end, verifies its checksums and keeps it. Nothing stays behind when it is refused.
    pub async fn receive(&self, body: Option<StreamingBlob>, wanted: Wanted) -> S3Result<Received> {
        let mut sink = self.create().await?;
        let mut digests = Digests::new(&wanted);
        if let Some(mut body) = body {
            while let Some(chunk) = body.next().await {
                let chunk = chunk.map_err(errors::incomplete)?;
                digests.update(&chunk);
                sink.write(&chunk).await?;
            }
        }
        let (md5, sums) = digests.finish();
        wanted.verify(&md5, &sums)?;
        Ok(Received {
            body: sink.finish().await?,
            md5,
            sums,
        })
    }
}

/// A body being written.
#[derive(Debug)]
pub enum Sink {
    /// Growing in memory.
    Memory(BytesMut),
    /// Growing in a file.
    File {
        /// The open file.
        file: File,
        /// Bytes so far.
        len: u64,
        /// Removes the file unless it is finished.
        kept: Unfinished,
    },
}

/// Path of a file that nobody may find unless it is finished.
#[derive(Debug)]
pub struct Unfinished(Option<PathBuf>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(path) = self.0.take() {
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Sink {
    /// Appends bytes.
    pub async fn write(&mut self, bytes: &[u8]) -> S3Result<()> {
        match self {
            Self::Memory(all) => all.extend_from_slice(bytes),
            Self::File { file, len, .. } => {
                file.write_all(bytes).await.map_err(errors::io)?;
                *len += bytes.len() as u64;
            }
        }
        Ok(())
    }

    /// Closes the body: on disk it is durable when this returns.
    pub async fn finish(self) -> S3Result<Body> {
        match self {
            Self::Memory(all) => Ok(Body::Memory(all.freeze())),
            Self::File {
                mut file,
                len,
                mut kept,
            } => {
                file.flush().await.map_err(errors::io)?;
                file.sync_data().await.map_err(errors::io)?;
                match kept.0.take() {
                    Some(path) => Ok(Body::file(path, len)),
                    None => Err(errors::internal("body finished twice")),
                }
            }
        }
    }
}
