//! How to get a second stack beside one that stands: a record makes one stack, so it takes another record.

use crate::cloud::stacks::StackDescription;
use crate::domain::quote::option;
use crate::registry::Holder;
use crate::stack::Target;
use crate::stack::follow;
use crate::stack::site::Site;

/// What Deploy says of a stack that is what it should be.
pub fn nothing_to_do(found: &StackDescription, site: &Site) -> String {
    format!(
        "already deployed {}: nothing to do. {}",
        follow::changed(found).relative(follow::now()),
        another(site)
    )
}

/// How to get a second, independent stack: the command line that makes its record, filled in as this one is.
pub fn another(site: &Site) -> String {
    let name = option("--name", &format!("{}-2", site.target.name()));
    let mut words = match &site.target {
        Target::Connection(_) => format!(
            "glueup connection add {name} {}",
            option("--account-id", site.account.as_str())
        ),
        Target::Grant(holder) => format!("glueup {} add {name}", holder.verb()),
    };
    if let Some(grant) = &site.grant {
        if matches!(grant.holder, Holder::Catalog(_)) {
            words = format!("{words} {}", option("--region", grant.region.as_str()));
        }
        words = format!(
            "{words} {} {} {}",
            option("--s3-path", &grant.s3_path.to_string()),
            option("--access", grant.access.as_str()),
            option("--connection", grant.connection.as_str())
        );
    }
    format!("A second, independent stack takes another record, whose stack has a suffix of its own: {words}")
}
