//! A KMS key that a stack of ours was given by hand, on the console's page or by an update there, and that its record does not
//! have. The role may need it: it is not typed over without a question.

use crate::cloud::stacks::StackDescription;
use crate::domain::arn::KmsKeyArn;
use crate::domain::problem::Problem;
use crate::registry::{Catalog, Grant, Holder, Storage};
use crate::report::{Answer, Reporter};
use crate::session::Session;
use crate::stack::encryption::Thing;
use crate::stack::site::Site;
use crate::stack::whose::Difference;
use crate::stack::{Update, ask, outdated};

/// The parameters that may hold such a key.
const KEYS: [(&str, Thing); 2] = [("KmsKeyArn", Thing::Files), ("CatalogKmsKeyArn", Thing::Catalog)];

/// True for a key that the stack has and the record has not.
pub fn is_key(difference: &Difference) -> bool {
    difference.ours.is_empty() && KEYS.iter().any(|(name, _)| difference.name == *name)
}

/// Asks about each such key whether to keep it; the site anew where one was put on record.
///
/// Nothing is asked where the record was changed since the stack was made: then it says what is wanted.
///
/// # Errors
/// When the record cannot be read or written.
pub async fn settle(
    session: &Session,
    site: &Site,
    found: &StackDescription,
    reporter: &Reporter<Update>,
) -> Result<Option<Site>, Problem> {
    let Some(grant) = site.grant.as_ref().filter(|_| !outdated::is_expected(site)) else {
        return Ok(None);
    };
    let mut kept = false;
    for (name, thing) in KEYS {
        let given = found.parameters.get(name).and_then(|given| given.parse().ok());
        let Some(key) = given.filter(|_| thing.on_record(grant).is_none()) else {
            continue;
        };
        if reporter.ask(ask::keep_key(site, grant, thing, &key)).await == Answer::Yes {
            put_on_record(session, grant, thing, key)?;
            kept = true;
        }
    }
    if !kept {
        return Ok(None);
    }
    let anew = Site::of(session, &site.target)?;
    Ok(Some(Site {
        region: site.region.clone(),
        ..anew
    }))
}

fn put_on_record(session: &Session, grant: &Grant, thing: Thing, key: KmsKeyArn) -> Result<(), Problem> {
    match &grant.holder {
        Holder::Catalog(name) => {
            let stored = session.home.catalog(name)?;
            let mut changed: Catalog = stored.record.clone();
            match thing {
                Thing::Files => changed.kms_key = Some(key),
                Thing::Catalog => changed.catalog_kms_key = Some(key),
            }
            session.home.update(&stored, changed).map(drop)
        }
        Holder::Storage(name) => {
            let stored = session.home.storage(name)?;
            let changed = Storage {
                kms_key: Some(key),
                ..stored.record.clone()
            };
            session.home.update(&stored, changed).map(drop)
        }
    }
}
