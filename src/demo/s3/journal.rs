//! What survives a kill: bodies are files, and this journal of JSON lines says which key each one belongs to.
//!
//! A body is durable before its line is written, and the line before the request is answered. The journal is
//! rewritten at each start with what it came to, and body files that no line names are removed.

use super::body::{Bodies, Body};
use super::errors;
use super::points::Point;
use super::store::{Bucket, Facts, Object};
use crate::demo::persist::own_folder;
use s3s::S3Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, Write};
use std::path::Path;

const NAME: &str = "index.jsonl";

/// One change.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "op", rename_all = "kebab-case")]
pub enum Entry {
    /// An object was put.
    Put {
        /// Bucket.
        bucket: String,
        /// Key.
        key: String,
        /// Name of the body's file.
        file: String,
        /// Its length in bytes.
        len: u64,
        /// The rest of the object.
        facts: Box<Facts>,
    },
    /// An object was deleted.
    Delete {
        /// Bucket.
        bucket: String,
        /// Key.
        key: String,
        /// Whether the key is a seeded one, which must not come back at the next start.
        #[serde(default)]
        seed: bool,
    },
    /// A bucket was made.
    Bucket {
        /// Its name.
        bucket: String,
        /// Its region.
        region: String,
        /// The account that owns it.
        owner: String,
        /// When, milliseconds since 1970.
        created: i64,
    },
    /// A bucket was removed.
    DropBucket {
        /// Its name.
        bucket: String,
    },
    /// A bucket's policy was set or removed.
    Policy {
        /// Its name.
        bucket: String,
        /// The policy, or null.
        policy: Option<Value>,
    },
    /// The KMS key of a bucket's default encryption was set or removed.
    Encryption {
        /// Its name.
        bucket: String,
        /// The key, or null.
        key: Option<String>,
    },
    /// An access point was made or changed.
    Point(Point),
    /// An access point was removed.
    DropPoint {
        /// Its alias.
        alias: String,
    },
}

/// What the journal of earlier runs came to.
#[derive(Debug, Default)]
pub struct Replayed {
    /// Buckets with the objects that were put.
    pub buckets: BTreeMap<String, Bucket>,
    /// Seeded keys that were deleted and not put again.
    pub gone: BTreeSet<(String, String)>,
    /// Access points by their aliases.
    pub points: BTreeMap<String, Point>,
}

/// The open journal.
#[derive(Debug)]
pub struct Journal {
    file: File,
    len: u64,
}

impl Journal {
    /// Reads the journal under `dir`, rewrites it without what is past, and sweeps bodies that nothing names.
    pub fn open(dir: &Path) -> io::Result<(Self, Replayed)> {
        own_folder(dir)?;
        let path = dir.join(NAME);
        let replayed = match File::open(&path) {
            Ok(file) => replay(BufReader::new(file), &Bodies::new(Some(dir)))?,
            Err(why) if why.kind() == io::ErrorKind::NotFound => Replayed::default(),
            Err(why) => return Err(why),
        };
        let mut fresh = tempfile::Builder::new().prefix(".index-").tempfile_in(dir)?;
        for entry in replayed.entries() {
            fresh.write_all(&line(&entry)?)?;
        }
        fresh.as_file().sync_all()?;
        let mut file = fresh.persist(&path).map_err(|failed| failed.error)?;
        File::open(dir)?.sync_all()?;
        sweep(dir, &replayed)?;
        let len = file.seek(io::SeekFrom::End(0))?;
        Ok((Self { file, len }, replayed))
    }

    /// Writes one change; it is durable when this returns. A line that could not be written whole is taken back.
    pub fn append(&mut self, entry: &Entry) -> S3Result<()> {
        let line = line(entry).map_err(errors::io)?;
        let written = self.file.write_all(&line).and_then(|()| self.file.sync_data());
        if let Err(why) = written {
            let _ = self.file.set_len(self.len);
            let _ = self.file.seek(io::SeekFrom::Start(self.len));
            return Err(errors::io(why));
        }
        self.len += line.len() as u64;
        Ok(())
    }
}

fn line(entry: &Entry) -> io::Result<Vec<u8>> {
    let mut line = serde_json::to_vec(entry)?;
    line.push(b'\n');
    Ok(line)
}

fn replay(lines: impl BufRead, bodies: &Bodies) -> io::Result<Replayed> {
    let mut replayed = Replayed::default();
    let mut lines = lines.split(b'\n').peekable();
    while let Some(line) = lines.next() {
        let line = line?;
        if line.is_empty() {
            continue;
        }
        match serde_json::from_slice(&line) {
            Ok(entry) => replayed.apply(entry, bodies),
            // The last line may be half of one: the request that wrote it was never answered.
            Err(_) if lines.peek().is_none() => {}
            Err(why) => {
                return Err(io::Error::new(
                    io::ErrorKind::InvalidData,
                    format!("{NAME}: {why}"),
                ));
            }
        }
    }
    Ok(replayed)
}

impl Replayed {
    fn apply(&mut self, entry: Entry, bodies: &Bodies) {
        match entry {
            Entry::Put {
                bucket,
                key,
                file,
                len,
                facts,
            } => {
                self.gone.remove(&(bucket.clone(), key.clone()));
                if let Some(path) = bodies.path(&file) {
                    let object = Object {
                        body: Body::file(path, len),
                        facts: *facts,
                    };
                    object.body.name();
                    self.buckets
                        .entry(bucket)
                        .or_default()
                        .objects
                        .insert(key, object);
                }
            }
            Entry::Delete { bucket, key, seed } => {
                if let Some(bucket) = self.buckets.get_mut(&bucket) {
                    bucket.objects.remove(&key);
                }
                if seed {
                    self.gone.insert((bucket, key));
                }
            }
            Entry::Bucket {
                bucket,
                region,
                owner,
                created,
            } => {
                let held = self.buckets.entry(bucket).or_default();
                (held.region, held.owner, held.created) = (region, owner, created);
            }
            Entry::DropBucket { bucket } => {
                self.buckets.remove(&bucket);
            }
            Entry::Policy { bucket, policy } => {
                self.buckets.entry(bucket).or_default().policy = policy;
            }
            Entry::Encryption { bucket, key } => {
                self.buckets.entry(bucket).or_default().kms_key = key;
            }
            Entry::Point(point) => {
                self.points.insert(point.alias(), point);
            }
            Entry::DropPoint { alias } => {
                self.points.remove(&alias);
            }
        }
    }

    /// The changes that lead here, the fewest.
    fn entries(&self) -> Vec<Entry> {
        let mut entries = Vec::new();
        for (name, bucket) in &self.buckets {
            // A bucket without an owner is a seeded one: only what was done to it is kept.
            if !bucket.owner.is_empty() {
                entries.push(Entry::Bucket {
                    bucket: name.clone(),
                    region: bucket.region.clone(),
                    owner: bucket.owner.clone(),
                    created: bucket.created,
                });
            }
            if bucket.policy.is_some() {
                entries.push(Entry::Policy {
                    bucket: name.clone(),
                    policy: bucket.policy.clone(),
                });
            }
            if bucket.kms_key.is_some() {
                entries.push(Entry::Encryption {
                    bucket: name.clone(),
                    key: bucket.kms_key.clone(),
                });
            }
            for (key, object) in &bucket.objects {
                if let Some(file) = object.body.file_name() {
                    entries.push(Entry::Put {
                        bucket: name.clone(),
                        key: key.clone(),
                        file: file.to_owned(),
                        len: object.body.len(),
                        facts: Box::new(object.facts.clone()),
                    });
                }
            }
        }
        entries.extend(self.points.values().cloned().map(Entry::Point));
        let gone = self.gone.iter().cloned();
        entries.extend(gone.map(|(bucket, key)| Entry::Delete {
            bucket,
            key,
            seed: true,
        }));
        entries
    }
}

fn sweep(dir: &Path, replayed: &Replayed) -> io::Result<()> {
    let objects = replayed
        .buckets
        .values()
        .flat_map(|bucket| bucket.objects.values());
    let named: BTreeSet<&str> = objects.filter_map(|object| object.body.file_name()).collect();
    for file in fs::read_dir(dir)? {
        let file = file?;
        let name = file.file_name();
        if let Some(name) = name.to_str()
            && name.ends_with(".body")
            && !named.contains(name)
        {
            fs::remove_file(file.path())?;
        }
    }
    Ok(())
}
