//! The index of all buckets: one ordered map under one lock, so that listings, pages and conditional writes are exact.

use super::body::{Bodies, Body};
use super::checksums::{Sums, md5};
use super::conditions::Conditions;
use super::errors;
use super::journal::{Entry, Journal, Replayed};
use super::multipart::Upload;
use super::points::Point;
use bytes::Bytes;
use s3s::S3Result;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::io;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What is known of an object besides its bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Facts {
    /// ETag without quotes.
    pub etag: String,
    /// Last change, milliseconds since 1970.
    pub modified: i64,
    /// `Content-Type`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// `Content-Encoding`, without the transfer's own `aws-chunked`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_encoding: Option<String>,
    /// The writer's own `x-amz-meta-*`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub metadata: Option<HashMap<String, String>>,
    /// Checksums that the writer sent.
    #[serde(default)]
    pub sums: Sums,
}

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its bytes.
    pub body: Body,
    /// The rest.
    pub facts: Facts,
}

/// A bucket. A key is a string and nothing else: `..` and `//` in it mean nothing.
#[derive(Clone, Debug, Default)]
pub struct Bucket {
    /// Region in which it lives.
    pub region: String,
    /// Account that owns it.
    pub owner: String,
    /// When it was made, milliseconds since 1970.
    pub created: i64,
    /// Its policy, where it has one.
    pub policy: Option<Value>,
    /// The KMS key that encrypts what is put without a word on encryption, as it was named; else S3's own.
    pub kms_key: Option<String>,
    /// Its objects, in the order in which they are listed.
    pub objects: BTreeMap<String, Object>,
}

/// What the lock guards.
#[derive(Debug, Default)]
pub struct Index {
    /// Buckets by name.
    pub buckets: BTreeMap<String, Bucket>,
    /// Multipart uploads in progress, by id. They are not kept: their parts would have to be.
    pub uploads: BTreeMap<String, Upload>,
    /// Access points by their aliases.
    pub points: BTreeMap<String, Point>,
    journal: Option<Journal>,
    /// Seeded keys that an earlier run deleted.
    gone: BTreeSet<(String, String)>,
    /// All seeded keys, whatever became of them.
    seeds: BTreeSet<(String, String)>,
}

/// The buckets of all accounts.
#[derive(Debug, Default)]
pub struct Store {
    index: Mutex<Index>,
    bodies: Bodies,
}

impl Store {
    /// Opens the objects that are kept under `dir`, or an empty store in memory.
    pub fn open(dir: Option<&Path>) -> io::Result<Self> {
        let Some(dir) = dir else {
            return Ok(Self::default());
        };
        let bodies = Bodies::new(Some(dir));
        let (journal, replayed) = Journal::open(dir)?;
        let Replayed {
            buckets,
            gone,
            points,
        } = replayed;
        let index = Index {
            buckets,
            points,
            journal: Some(journal),
            gone,
            ..Index::default()
        };
        Ok(Self {
            index: Mutex::new(index),
            bodies,
        })
    }

    /// Where new bodies go.
    pub fn bodies(&self) -> &Bodies {
        &self.bodies
    }

    /// The index, locked. Never held across an await.
    pub fn lock(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The bytes of a small object, for the services beside this one. It asks nobody's leave.
    pub fn bytes(&self, bucket: &str, key: &str) -> Option<Bytes> {
        let body = self.lock().object(bucket, key).ok()?.body.clone();
        body.whole().ok()
    }

    /// Makes a bucket that is always there. It is not journalled.
    pub fn seed_bucket(&self, name: &str, region: &str, owner: &str, created: i64) {
        let mut index = self.lock();
        let bucket = index.buckets.entry(name.to_owned()).or_default();
        bucket.region = region.to_owned();
        bucket.owner = owner.to_owned();
        bucket.created = created;
    }

    /// Puts an object that is always there, unless it was replaced or deleted by an earlier run. It is not journalled.
    pub fn seed(&self, bucket: &str, key: &str, bytes: Bytes, modified: i64) {
        let mut index = self.lock();
        let name = (bucket.to_owned(), key.to_owned());
        if index.gone.contains(&name) {
            return;
        }
        index.seeds.insert(name);
        let facts = Facts {
            etag: md5(&bytes),
            modified,
            ..Facts::default()
        };
        let bucket = index.buckets.entry(bucket.to_owned()).or_default();
        bucket.objects.entry(key.to_owned()).or_insert(Object {
            body: Body::Memory(bytes),
            facts,
        });
    }
}

impl Index {
    /// The bucket, or 404; by the alias of an access point too.
    pub fn bucket(&self, name: &str) -> S3Result<&Bucket> {
        let own = self.points.get(name).map_or(name, |point| &point.bucket);
        self.buckets.get(own).ok_or_else(errors::no_bucket)
    }

    /// The bucket's own name, where it was asked for by an alias.
    fn own_name(&self, name: &str) -> String {
        self.points
            .get(name)
            .map_or_else(|| name.to_owned(), |point| point.bucket.clone())
    }

    /// Makes an access point, changes it, or removes it.
    pub fn set_point(&mut self, alias: &str, point: Option<Point>) -> S3Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.append(&match &point {
                Some(point) => Entry::Point(point.clone()),
                None => Entry::DropPoint {
                    alias: alias.to_owned(),
                },
            })?;
        }
        match point {
            Some(point) => self.points.insert(alias.to_owned(), point),
            None => self.points.remove(alias),
        };
        Ok(())
    }

    /// The object, or 404.
    pub fn object(&self, bucket: &str, key: &str) -> S3Result<&Object> {
        self.bucket(bucket)?.objects.get(key).ok_or_else(errors::no_key)
    }

    /// Puts an object if the conditions hold. Check, journal and insertion are one step under the lock.
    pub fn put(&mut self, bucket: &str, key: &str, object: Object, conditions: &Conditions) -> S3Result<()> {
        let bucket = &self.own_name(bucket);
        let held = self.buckets.get_mut(bucket).ok_or_else(errors::no_bucket)?;
        conditions.allow_write(held.objects.get(key).map(|object| object.facts.etag.as_str()))?;
        if let Some(journal) = &mut self.journal {
            let file = object
                .body
                .file_name()
                .ok_or_else(|| errors::internal("body without a file"))?;
            journal.append(&Entry::Put {
                bucket: bucket.to_owned(),
                key: key.to_owned(),
                file: file.to_owned(),
                len: object.body.len(),
                facts: Box::new(object.facts.clone()),
            })?;
        }
        object.body.name();
        if let Some(old) = held.objects.insert(key.to_owned(), object) {
            old.body.unname();
        }
        Ok(())
    }

    /// Deletes an object; one that is not there is deleted too.
    pub fn delete(&mut self, bucket: &str, key: &str) -> S3Result<()> {
        let bucket = &self.own_name(bucket);
        let held = self.buckets.get_mut(bucket).ok_or_else(errors::no_bucket)?;
        if !held.objects.contains_key(key) {
            return Ok(());
        }
        if let Some(journal) = &mut self.journal {
            let name = (bucket.to_owned(), key.to_owned());
            let seed = self.seeds.contains(&name);
            journal.append(&Entry::Delete {
                bucket: name.0,
                key: name.1,
                seed,
            })?;
        }
        if let Some(old) = held.objects.remove(key) {
            old.body.unname();
        }
        Ok(())
    }

    /// Makes a bucket.
    pub fn create_bucket(&mut self, name: &str, region: &str, owner: &str, created: i64) -> S3Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.append(&Entry::Bucket {
                bucket: name.to_owned(),
                region: region.to_owned(),
                owner: owner.to_owned(),
                created,
            })?;
        }
        let bucket = Bucket {
            region: region.to_owned(),
            owner: owner.to_owned(),
            created,
            ..Bucket::default()
        };
        self.buckets.insert(name.to_owned(), bucket);
        Ok(())
    }

    /// Removes an empty bucket.
    pub fn delete_bucket(&mut self, name: &str) -> S3Result<()> {
        if let Some(journal) = &mut self.journal {
            journal.append(&Entry::DropBucket {
                bucket: name.to_owned(),
            })?;
        }
        self.buckets.remove(name);
        Ok(())
    }

    /// Sets or removes a bucket's policy.
    pub fn set_policy(&mut self, name: &str, policy: Option<Value>) -> S3Result<()> {
        let bucket = self.buckets.get_mut(name).ok_or_else(errors::no_bucket)?;
        if let Some(journal) = &mut self.journal {
            journal.append(&Entry::Policy {
                bucket: name.to_owned(),
                policy: policy.clone(),
            })?;
        }
        bucket.policy = policy;
        Ok(())
    }

    /// Sets or removes the KMS key of a bucket's default encryption.
    pub fn set_kms_key(&mut self, name: &str, key: Option<String>) -> S3Result<()> {
        let bucket = self.buckets.get_mut(name).ok_or_else(errors::no_bucket)?;
        if let Some(journal) = &mut self.journal {
            journal.append(&Entry::Encryption {
                bucket: name.to_owned(),
                key: key.clone(),
            })?;
        }
        bucket.kms_key = key;
        Ok(())
    }
}
