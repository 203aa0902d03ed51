//! `s3:GetObject` of one real object below the granted prefix: a table's metadata file, else the first listed object.

use super::super::climb::Climb;
use super::super::mend::GOVERNED;
use super::super::place::Place;
use super::super::report::RungId;
use super::super::rung::{Probe, Verdict};
use crate::cloud::{RefusedBy, is_not_found};
use crate::domain::kind::{TableKind, classify};
use crate::domain::s3_path::{S3Location, S3Path};
use crate::domain::text::scrub;
use async_trait::async_trait;

/// As many objects are tried where earlier ones turn out to be gone.
const TRIES: usize = 4;
/// The bytes that are asked for.
const HEAD: std::ops::RangeInclusive<u64> = 0..=15;

/// See the module.
pub(in crate::verify) struct Read;

#[async_trait]
impl Probe for Read {
    fn id(&self) -> RungId {
        RungId::Read
    }

    fn needs(&self) -> &'static [RungId] {
        &[RungId::Role]
    }

    fn after(&self) -> &'static [RungId] {
        &[RungId::Tables, RungId::List]
    }

    fn is_s3(&self) -> bool {
        true
    }

    async fn probe(&self, climb: &Climb) -> Verdict {
        const ACTION: &str = "s3:GetObject";
        let Some(grant) = &climb.grant else {
            return Verdict::skipped("no catalog and no storage integration, so no prefix");
        };
        let session = climb.role_session();
        let path = &grant.s3_path;
        let candidates = candidates(climb, path);
        if candidates.is_empty() {
            return nothing_to_read(climb, path).of(session.caller(), ACTION, path.to_string());
        }
        let s3 = session.s3(climb.bucket_region());
        let mut gone = None;
        for (key, what, registered) in candidates.into_iter().take(TRIES) {
            let resource = format!("s3://{}/{}", path.bucket(), scrub(&key));
            match s3.get_range(path.bucket(), &key, HEAD).await {
                Ok(bytes) => {
                    return Verdict::passed(format!("Read {} bytes of {what}", bytes.len())).of(
                        session.caller(),
                        ACTION,
                        resource,
                    );
                }
                Err(problem) if is_not_found(&problem) => {
                    gone.get_or_insert_with(|| {
                        Verdict::warning(
                            format!("{what} is gone: {resource}"),
                            "Reading is allowed, but the catalog points at a file that does not exist",
                        )
                        .of(session.caller(), ACTION, resource)
                    });
                }
                Err(problem) => {
                    let place = Place::Object(path.bucket().to_owned(), key);
                    let mut verdict = Verdict::refused(&problem).at(climb, session.caller(), ACTION, place);
                    if registered && matches!(verdict.by, Some((RefusedBy::Unsaid, _))) {
                        verdict.next = Some(registered_too(verdict.next.take()));
                    }
                    return verdict;
                }
            }
        }
        gone.unwrap_or_else(|| nothing_to_read(climb, path))
    }
}

/// One more cause of a refusal: where Lake Formation governs a location, S3 does not know whoever comes without it.
fn registered_too(next: Option<String>) -> String {
    let next = next.unwrap_or_else(|| "One of:".to_owned());
    format!("{next}\n3. the registration of its table with {GOVERNED}")
}

/// Keys to try, what each is, and whether it belongs to a table that Lake Formation governs.
fn candidates(climb: &Climb, path: &S3Path) -> Vec<(String, String, bool)> {
    let tables = climb.tables.get().map(Vec::as_slice).unwrap_or_default();
    let metadata = tables
        .iter()
        .filter(|found| classify(&found.table).kind == TableKind::Iceberg)
        .filter_map(|found| Some((found, S3Location::new(found.table.metadata_location()?))))
        .filter(|(_, location)| path.contains(location))
        .map(|(found, location)| {
            let what = format!(
                "the metadata of {}.{}",
                scrub(&found.database),
                scrub(&found.table.name)
            );
            let registered = found.table.registered_with_lake_formation == Some(true);
            (location.key().to_owned(), what, registered)
        });
    let objects = climb.objects.get().map(Vec::as_slice).unwrap_or_default();
    let listed = objects
        .iter()
        .filter(|(key, size)| *size > 0 && !key.ends_with('/'))
        .map(|(key, _)| (key.clone(), "a listed object".to_owned(), false));
    // One metadata file first, then data: what one table has lost must not hide what can be read.
    let mut out: Vec<_> = metadata.take(TRIES - 1).collect();
    out.extend(listed.take(TRIES));
    out
}

fn nothing_to_read(climb: &Climb, path: &S3Path) -> Verdict {
    if climb.objects.get().is_some() {
        Verdict::warning(
            format!("There is no object below {path} yet, so reading could not be tried"),
            "Verify again once the first table is written",
        )
    } else if climb.platform.needs(RungId::List.as_str()) {
        Verdict::warning(
            format!("No object below {path} is known: nothing could be listed"),
            "Mend the listing first, or verify again once a table is registered",
        )
    } else {
        // The right to list was not asked for: that nothing is listed is no fault of anybody's.
        Verdict::warning(
            format!(
                "No object below {path} is known, since {} lists nothing: reading could not be tried",
                climb.platform.name
            ),
            format!(
                "The first table that {} reads proves it; what the role may do: glueup template show {}",
                climb.platform.name,
                climb.grant.as_ref().map_or_else(
                    || "catalog NAME --policy".to_owned(),
                    |grant| grant.holder.command_with("--policy")
                )
            ),
        )
    }
}
