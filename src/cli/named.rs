//! A name that a catalog has, or a storage integration, or both: two records of one name are two things.

use crate::cli::front::Front;
use crate::domain::problem::{Kind, Problem};
use crate::registry::{Grant, GrantKind, Holder};
use crate::session::Session;

/// Who has this name: the catalog, else the storage integration. Where both have it, the catalog is meant, and `other` says on
/// stderr how the other one is reached. `only`: no other kind is looked for.
///
/// # Errors
/// `NotFound` where nobody has it.
pub fn holder(
    front: &mut Front,
    session: &Session,
    name: &str,
    only: Option<GrantKind>,
    other: impl FnOnce(&Holder) -> String,
) -> Result<Holder, Problem> {
    let of = |grant: Grant| grant.holder;
    let catalogs = session.home.catalogs()?;
    let storages = session.home.storages()?;
    let catalog = catalogs.named(name).map(|found| of(Grant::from(&found.record)));
    let storage = storages.named(name).map(|found| of(Grant::from(&found.record)));
    match (only, catalog, storage) {
        (None, Some(catalog), Some(storage)) => {
            front.note(&format!(
                "{name} is a catalog and a storage integration; this is the catalog. The other one: {}",
                other(&storage)
            ));
            Ok(catalog)
        }
        (None | Some(GrantKind::Catalog), Some(catalog), _) => Ok(catalog),
        (None | Some(GrantKind::Storage), _, Some(storage)) => Ok(storage),
        (Some(kind), ..) => missing(session, kind, name),
        (None, None, None) => {
            missing(session, GrantKind::Catalog, name).map_err(|problem| match problem.kind {
                Kind::NotFound => Problem {
                    what: format!("There is no catalog and no storage integration called {name}"),
                    next: "See glueup catalog list and glueup storage list".to_owned(),
                    ..problem
                },
                _ => problem,
            })
        }
    }
}

/// The words of the registry for a record that is not there, or that cannot be read.
fn missing(session: &Session, kind: GrantKind, name: &str) -> Result<Holder, Problem> {
    session.home.grant(&kind.named(name)?).map(|grant| grant.holder)
}
