//! The ladder where nobody here can take its second hop: the broker role is a vendor's, which lets only the vendor in.
//!
//! What cannot be tried is judged by what IAM has written down: the role's trust policy by our own evaluator (IAM
//! simulates none), its policies by IAM's simulator. Such a verdict says so: its basis is the policy. What neither
//! shows is skipped with its reason.

mod books;
mod bucket;
mod doors;
mod grants;
mod judge;
mod limits;
mod lone;
mod own;
mod places;
mod rights;
mod said;
mod shut;
mod trust;
mod who;

pub(super) use books::Books;
pub(super) use doors::mended;
pub(super) use limits::reserved;
pub(super) use lone::{
    beside_a_verifier, bucket_gives, needed, trusted_besides, untried_neighbours, untried_writes, with_needed,
};
pub(super) use own::{OfBucket, beside_own};
pub(super) use shut::{Cause, cause};
pub(super) use trust::EVERYBODY;
pub(super) use who::Who;

use super::climb::Climb;
use super::report::RungId;
use super::rung::Verdict;
use crate::domain::quote::{operand, option};

/// Judges one rung; the rungs before hop 1 are climbed as always.
pub(super) async fn probe(climb: &Climb, id: RungId) -> Verdict {
    match id {
        RungId::Role => trust::role(climb).await,
        RungId::ExternalId => trust::external_id(climb).await,
        RungId::Databases => rights::databases(climb).await,
        RungId::Tables => rights::tables(climb).await,
        RungId::Rest => rights::rest(climb).await,
        RungId::List => rights::list(climb).await,
        RungId::Read => rights::read(climb).await,
        RungId::Write => limits::write(climb).await,
        RungId::Neighbour => limits::neighbour(climb).await,
        RungId::Locations => places::locations(climb).await,
        RungId::Reach | RungId::Identity | RungId::Broker => {
            Verdict::skipped("not judged by policy: it is tried")
        }
    }
    .by_policy()
}

/// `Wherobots' own`, `StarTree's own`.
pub(super) fn own(climb: &Climb) -> String {
    let name = &climb.platform.name;
    let s = if name.ends_with('s') { "'" } else { "'s" };
    format!("{name}{s} own")
}

/// How to prove by use what the policies only say: a principal of this side in the trust policy.
pub(super) fn verifier_hint(climb: &Climb) -> String {
    let name = climb.connection.name.as_str();
    let who = climb.aws.caller().unwrap_or_else(|| "ARN".to_owned());
    let deploy = if climb.connection.adopted {
        let show = operand(name, "--policy");
        format!("glueup template show connection {show}   # for whoever keeps the role")
    } else {
        format!("glueup deploy connection {}", operand(name, ""))
    };
    format!(
        "To prove it by use, let yourself in beside {}, and take that away again with --verifier none:\n\
         glueup connection set {}\n{deploy}",
        climb.platform.name,
        operand(name, &option("--verifier", &who))
    )
}
