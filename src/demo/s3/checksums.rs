//! Checksums: what a client sent is verified before the object exists, and kept to be given back.

use super::errors;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use s3s::S3Result;
use s3s::TrailingHeaders;
use s3s::checksum::ChecksumHasher;
use s3s::crypto::{Checksum as _, Md5};
use serde::{Deserialize, Serialize};

/// The checksums of an object, in base64 as they travel. Only those that the writer sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Sums {
    /// CRC-32.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crc32: Option<String>,
    /// CRC-32C.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crc32c: Option<String>,
    /// CRC-64/NVME.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub crc64nvme: Option<String>,
    /// SHA-1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha1: Option<String>,
    /// SHA-256.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
}

/// What a request says about its body: in its headers, or in trailers that arrive after the body.
#[derive(Debug, Default)]
pub struct Wanted {
    headers: HeaderMap,
    trailers: Option<TrailingHeaders>,
    announced: Vec<String>,
}

const NAMES: [&str; 5] = [
    "x-amz-checksum-crc32",
    "x-amz-checksum-crc32c",
    "x-amz-checksum-crc64nvme",
    "x-amz-checksum-sha1",
    "x-amz-checksum-sha256",
];

impl Wanted {
    /// Reads the headers; the trailers are read after the body.
    pub fn new(headers: &HeaderMap, trailers: Option<TrailingHeaders>) -> Self {
        let announced = headers
            .get_all("x-amz-trailer")
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(','))
            .map(|name| name.trim().to_ascii_lowercase())
            .collect();
        Self {
            headers: headers.clone(),
            trailers,
            announced,
        }
    }

    fn names(&self, name: &str) -> bool {
        self.headers.contains_key(name) || self.announced.iter().any(|announced| announced == name)
    }

    /// Refuses bytes whose checksums are not those that the client sent.
    pub fn verify(self, md5: &str, sums: &Sums) -> S3Result<()> {
        let trailers = self
            .trailers
            .and_then(|trailers| trailers.take())
            .unwrap_or_default();
        let text = |name: &str| {
            self.headers
                .get(name)
                .or_else(|| trailers.get(name))
                .and_then(|value| value.to_str().ok())
                .map(str::trim)
        };
        let computed = [
            &sums.crc32,
            &sums.crc32c,
            &sums.crc64nvme,
            &sums.sha1,
            &sums.sha256,
        ];
        for (name, computed) in NAMES.iter().zip(computed) {
            match (text(name), computed) {
                (Some(sent), Some(computed)) if sent != computed => {
                    let algorithm = name.trim_start_matches("x-amz-checksum-").to_ascii_uppercase();
                    return Err(errors::bad_digest(&algorithm));
                }
                // A trailer was announced and never came.
                (None, Some(_)) => return Err(errors::invalid(format!("The trailer {name} is missing"))),
                _ => {}
            }
        }
        if let Some(sent) = text("content-md5")
            && !STANDARD.decode(sent).is_ok_and(|bytes| hex::encode(bytes) == md5)
        {
            return Err(errors::bad_digest("Content-MD5"));
        }
        Ok(())
    }
}

/// MD5 and the wanted checksums, computed as the bytes pass.
pub struct Digests {
    md5: Md5,
    others: ChecksumHasher,
}

impl Digests {
    /// Computes what `wanted` names, and MD5 always.
    pub fn new(wanted: &Wanted) -> Self {
        let [crc32, crc32c, crc64nvme, sha1, sha256] = NAMES.map(|name| wanted.names(name));
        Self {
            md5: Md5::new(),
            others: ChecksumHasher {
                crc32: crc32.then(Default::default),
                crc32c: crc32c.then(Default::default),
                sha1: sha1.then(Default::default),
                sha256: sha256.then(Default::default),
                crc64nvme: crc64nvme.then(Default::default),
            },
        }
    }

    /// Takes in more bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.md5.update(bytes);
        self.others.update(bytes);
    }

    /// MD5 in hex, and the others.
    pub fn finish(self) -> (String, Sums) {
        let sums = self.others.finalize();
        let sums = Sums {
            crc32: sums.checksum_crc32,
            crc32c: sums.checksum_crc32c,
            crc64nvme: sums.checksum_crc64nvme,
            sha1: sums.checksum_sha1,
            sha256: sums.checksum_sha256,
        };
        (hex::encode(self.md5.finalize()), sums)
    }
}

/// MD5 of some bytes, in hex.
pub fn md5(bytes: &[u8]) -> String {
    hex::encode(Md5::checksum(bytes))
}
