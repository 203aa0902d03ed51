//! The browser way: the link that opens the console with everything filled in.

use crate::cloud::Aws;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::session::Session;
use crate::stack::link::{Console, Link};
use crate::stack::site::Site;
use crate::stack::{Outcome, Target, checked, outdated};

/// The quick-create link of a target's stack, and where the stack is there already, the link to its page beside it.
///
/// Where the template is at no URL that the console reads, the link leads to the page on which a file is uploaded. Whoever
/// cannot sign in gets the link too, with a word that nothing was looked at.
///
/// # Errors
/// `CheckFailed` for a catalog whose connection is not deployed yet, and where the template is gone from where it lay;
/// `NotFound` where no console is known.
pub async fn link(session: &Session, target: &Target) -> Result<Outcome, Problem> {
    let mut site = Site::of(session, target)?;
    site.check_not_adopted()?;
    if outdated::is_expected(&site) {
        return Err(outdated::no_link(&site));
    }
    let signed_in = session.deployer(site.deploy_profile.as_deref()).await;
    let aws = match session.aws().await {
        Ok(aws) => aws,
        Err(problem) if can_do_without(&problem) => Aws::nobody(&session.settings).await?,
        Err(problem) => return Err(problem),
    };
    let console = aws.console().await?;
    let region = site
        .region
        .clone()
        .or_else(|| session.settings.region.clone())
        .unwrap_or_else(|| aws.region().clone());
    let base = base(&console.base, &region)?;
    site.region = Some(region.clone());
    let urls = urls(session, &site, console.template_base_url.as_deref());
    let looked = checked::look(signed_in.as_ref(), &site, &urls).await?;
    let console = Console::at(&base);
    let parameters = site.marks.parameters.clone();
    let page = |url, template_url| Link {
        url,
        stack_name: site.stack.to_string(),
        region: region.to_string(),
        template_url,
        sign_out_url: None,
        parameters: parameters.clone(),
        existing: None,
        stack_url: None,
        template: None,
    };
    let link = match looked.url {
        None => page(console.create_stack_page(region.as_str()), None),
        Some(url) => console
            .quick_create(region.as_str(), site.stack_name(), &url, &parameters)
            .map_err(|why| {
                Problem::new(
                    Kind::CheckFailed,
                    format!("there is no link for {}", site.stack),
                    why.to_string(),
                    "save the template and create the stack from the file, or deploy from here",
                )
            })?,
    };
    let link = Link {
        stack_url: looked
            .existing
            .as_ref()
            .map(|existing| console.stack_page(region.as_str(), &existing.id)),
        existing: looked.existing.map(Box::new),
        template: looked.template,
        ..link
    };
    // Only AWS's own console asks who is signed in.
    let link = if base.starts_with("https://") {
        link.with_sign_out(region.partition())
    } else {
        link
    };
    Ok(Outcome::Link(link))
}

/// Whether a link can be made all the same: what it says is on record, and whoever opens it signs in there.
fn can_do_without(problem: &Problem) -> bool {
    matches!(problem.kind, Kind::Denied | Kind::Unreachable)
}

/// Where the template may lie: where the admin has published it, and where this console's templates are kept.
fn urls(session: &Session, site: &Site, base: Option<&str>) -> Vec<String> {
    let kept = base.map(|base| format!("{}/{}", base.trim_end_matches('/'), site.kind.object_key()));
    // Only the very text that was put there: an older version takes other parameters.
    let published = session
        .home
        .published()
        .remove(site.kind.file_name())
        .filter(|published| published.sha256 == site.kind.sha256())
        .map(|published| published.url);
    published.into_iter().chain(kept).collect()
}

/// AWS's console has a host for each region: that of the stack, which need not be the caller's.
fn base(found: &str, region: &Region) -> Result<String, Problem> {
    if !found.starts_with("https://") {
        return Ok(found.to_owned());
    }
    match region.partition().console_host(region) {
        Some(host) => Ok(format!("https://{host}")),
        None => Err(Problem::new(
            Kind::NotFound,
            "there is no console to open",
            format!(
                "the console of partition {} has no public address",
                region.partition()
            ),
            "save the template and create the stack there, or deploy from here",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_console_is_that_of_the_stacks_region_and_partition() {
        let aws = "https://us-east-1.console.aws.amazon.com";
        for (region, host) in [
            ("eu-west-1", "https://eu-west-1.console.aws.amazon.com"),
            ("cn-north-1", "https://console.amazonaws.cn"),
            ("us-gov-west-1", "https://console.amazonaws-us-gov.com"),
        ] {
            let found = base(aws, &region.parse().unwrap()).unwrap();
            assert!(found.ends_with(host.trim_start_matches("https://")), "{found}");
        }
        assert_eq!(
            base("http://127.0.0.1:9/c", &"us-west-2".parse().unwrap()).unwrap(),
            "http://127.0.0.1:9/c"
        );
        assert!(base(aws, &"us-iso-east-1".parse().unwrap()).is_err());
    }
}
