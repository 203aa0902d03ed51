//! Looking for a stack in all regions: whoever launched it in the browser may have been in another one than asked.

use crate::cloud::Aws;
use crate::cloud::stacks::StackDescription;
use crate::domain::account::AccountId;
use crate::domain::amount::counted;
use crate::domain::problem::{Kind, Problem};
use crate::domain::region::Region;
use crate::registry::{Holder, Storage};
use crate::report::{Answer, Ask, Reporter};
use crate::session::Session;
use crate::stack::desk::Desk;
use crate::stack::site::Site;
use crate::stack::state::State;
use crate::stack::whose::{self, Owner};
use crate::stack::{Outcome, Target, Update, adopt};
use futures_util::future::join_all;

/// Regions that are looked in at once: enough to hide the way to the far ones, few enough for one laptop.
const ABREAST: usize = 8;

/// What was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Search {
    /// The account that was looked in.
    pub account: AccountId,
    /// The stack's name.
    pub stack: String,
    /// How many regions answered.
    pub looked: usize,
    /// Regions that did not, and why: one may be off in this account, or forbidden.
    pub unread: Vec<(Region, String)>,
    /// Where a stack of that name is.
    pub sightings: Vec<Sighting>,
    /// The region of the stack that the record goes by from now on, if one was taken.
    pub taken: Option<Region>,
}

/// A stack of the name in a region.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sighting {
    /// Where.
    pub region: Region,
    /// Such as `CREATE_COMPLETE`.
    pub status: String,
    /// For whom it was made, in words.
    pub whose: String,
    /// What to do about it, where something is to be done.
    pub next: Option<String>,
}

impl Search {
    /// What was found, a line each.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for sighting in &self.sightings {
            lines.push(format!(
                "{} is in {} ({}), {}",
                self.stack, sighting.region, sighting.status, sighting.whose
            ));
            lines.extend(sighting.next.clone());
        }
        let regions = counted(
            u64::try_from(self.looked).unwrap_or(u64::MAX),
            "region",
            "regions",
        );
        if self.sightings.is_empty() {
            let account = self.account.grouped();
            lines.push(format!(
                "No stack {} in {regions} of account {account}.",
                self.stack
            ));
        }
        lines.extend(
            self.unread
                .iter()
                .map(|(region, why)| format!("{region} could not be looked in: {why}")),
        );
        if let Some(region) = &self.taken {
            lines.push(format!("The record goes by the one in {region} now."));
        }
        lines
    }
}

/// Looks in every region of the partition. Where the only one that fits is in another region than the record says and its
/// region means nothing to what it grants, asks whether to go by that one, if it may ask (`take`).
///
/// # Errors
/// As for a deployment before it begins: the wrong account, no sign-in; or when the record cannot be written.
pub async fn run(
    session: &Session,
    target: &Target,
    take: bool,
    reporter: &Reporter<Update>,
) -> Result<Outcome, Problem> {
    let site = Site::of(session, target)?;
    site.check_not_adopted()?;
    let desk = Desk::at(session, site, reporter).await?;
    let name = desk.site.stack_name().to_owned();
    let mut search = Search {
        account: desk.site.account.clone(),
        stack: name.clone(),
        looked: 0,
        unread: Vec::new(),
        sightings: Vec::new(),
        taken: None,
    };
    let mut fitting = Vec::new();
    for (region, seen) in look(&desk.aws, &desk.region, &name).await {
        if reporter.is_cancelled() {
            return Err(Problem::interrupted());
        }
        match seen {
            Ok(None) => search.looked += 1,
            Ok(Some(stack)) => {
                search.looked += 1;
                let owner = whose::owner(&stack.tags, &stack.parameters, &desk.site.marks);
                let here = region == desk.region;
                search.sightings.push(Sighting {
                    region: region.clone(),
                    status: stack.status.clone(),
                    whose: owner.whose(),
                    next: (!here).then(|| next(&desk, &stack, &region, &owner)).flatten(),
                });
                if fits(&desk, &stack, &owner) {
                    fitting.push(region);
                }
            }
            Err(problem) => search.unread.push((region, problem.why)),
        }
    }
    // Where the one on record is there too, or where it is not clear which is meant, nothing is to be swapped.
    if let [region] = fitting.as_slice()
        && take
        && *region != desk.region
        && reporter.ask(question(&desk, region)).await == Answer::Yes
    {
        go_by(session, target, region, reporter).await?;
        search.taken = Some(region.clone());
    }
    Ok(Outcome::Found(Box::new(search)))
}

/// Every region of the partition, in the console's order, and what is there under this name.
async fn look(
    aws: &Aws,
    near: &Region,
    name: &str,
) -> Vec<(Region, Result<Option<StackDescription>, Problem>)> {
    let regions: Vec<Region> = Region::all()
        .iter()
        .filter_map(|known| known.id.parse::<Region>().ok())
        .filter(|region| region.partition() == near.partition())
        .collect();
    let mut all = Vec::new();
    for some in regions.chunks(ABREAST) {
        let asked = some.iter().map(|region| async {
            let seen = aws.stacks(region).describe(name).await;
            (region.clone(), seen)
        });
        all.extend(join_all(asked).await);
    }
    all
}

/// Whether the record could go by a stack as it is: ours, at rest, and made with what the record says.
fn fits(desk: &Desk, stack: &StackDescription, owner: &Owner) -> bool {
    let at_rest = matches!(State::of(&stack.status), State::Complete | State::UpdateUndone);
    let same = whose::differences(&stack.parameters, &desk.site.marks, &[]).is_empty();
    is_anywhere(&desk.site.target) && *owner == Owner::Ours && at_rest && same
}

/// Whether it does not matter where a stack lies. That of a catalog grants the Glue catalog of the region it lies in.
fn is_anywhere(target: &Target) -> bool {
    !matches!(target, Target::Grant(Holder::Catalog(_)))
}

/// What to do about a stack of ours in another region than the record's.
fn next(desk: &Desk, stack: &StackDescription, region: &Region, owner: &Owner) -> Option<String> {
    if *owner != Owner::Ours {
        return None;
    }
    let site = &desk.site;
    let delete = format!(
        "aws cloudformation delete-stack --stack-name {} --region {region}",
        site.stack_name()
    );
    if !is_anywhere(&site.target) {
        return Some(format!(
            "It grants the Glue catalog of {region}, and not that of {}. Delete it there, and deploy here:\n{delete}\n\
             glueup deploy {}",
            desk.region,
            site.target.command()
        ));
    }
    let differences = whose::differences(&stack.parameters, &site.marks, &[]);
    if differences.is_empty() {
        return None;
    }
    let why: Vec<String> = differences.iter().map(ToString::to_string).collect();
    Some(format!(
        "It is not as the record asks: {}. Delete it there, or let it be:\n{delete}",
        why.join("; ")
    ))
}

fn question(desk: &Desk, region: &Region) -> Ask {
    Ask {
        title: format!(
            "Go by the stack {} in {region}, instead of {}?",
            desk.site.stack_name(),
            desk.region
        ),
        will: vec![
            format!(
                "look for the stack of {} in {region} from now on",
                desk.site.target.name()
            ),
            "read its outputs into the record".to_owned(),
        ],
        will_not: vec!["change anything in AWS".to_owned()],
        yes: "go by it".to_owned(),
        acknowledge: None,
        type_to_confirm: None,
    }
}

/// The record goes by the stack in this region.
async fn go_by(
    session: &Session,
    target: &Target,
    region: &Region,
    reporter: &Reporter<Update>,
) -> Result<(), Problem> {
    if let Target::Grant(Holder::Storage(name)) = target {
        let stored = session.home.storage(name)?;
        let moved = Storage {
            region: region.clone(),
            ..stored.record.clone()
        };
        session.home.update(&stored, moved)?;
    }
    let mut site = Site::of(session, target)?;
    site.region = Some(region.clone());
    let desk = Desk::at(session, site, reporter).await?;
    let stack = desk.stacks.describe(desk.site.stack_name()).await?;
    let stack = stack.ok_or_else(|| {
        Problem::new(
            Kind::NotFound,
            format!("{} is gone from {region}", desk.site.stack_name()),
            "it was there a moment ago",
            "look again",
        )
    })?;
    adopt::outputs(session, &desk, &stack, reporter).await
}
