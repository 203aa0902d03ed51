//! Stories that more than one state begins with.

pub use super::counted::*;
pub use super::ladder::*;
pub use super::tables::*;
use crate::screens::fixtures::*;
use crossterm::event::KeyCode;
use glueup::domain::finding::{Check, Finding};
use glueup::domain::platform::Platform;
use glueup::job::{Event, Outcome, Update};
use glueup::registry::{LeftOver, Stage};
use glueup::report::Ask;
use glueup::setup::Overview;
use glueup::stack::{self, Advice, StackEvent};
use glueup::tui::effect::Slot;

pub const KEY: &str = "arn:aws:kms:us-west-2:012345678901:key/11112222-3333-4444-5555-666677778888";

pub fn details_filled() -> Story {
    details_of_a_catalog(empty(), None)
}

/// Details of a catalog, encrypted where a key is given.
pub fn details_of_a_catalog(records: Overview, key: Option<&str>) -> Story {
    let mut story = Story::with(records);
    story.press("n").press("Lake House").tab().tab();
    story.press("s3://acme-lake/warehouse").tab();
    let encrypted = "the catalog is encrypted by a KMS key: the right to use it is asked for too";
    let advice = Advice {
        bucket: vec![(true, "bucket acme-lake is there, in us-west-2".into())],
        access_point: None,
        catalog: Some((true, "11 databases in us-west-2".into())),
        encryption: None,
        kms_key: None,
        catalog_encryption: key.map(|_| (true, encrypted.into())),
        catalog_kms_key: key.map(|key| key.parse().unwrap()),
    };
    story.done(Slot::Advice, Ok(Outcome::Stack(stack::Outcome::Advice(advice))));
    story
}

/// Details of what is reached through an access point, by its alias.
pub fn details_of_an_access_point() -> Story {
    let mut story = Story::with(empty());
    story.press("n").press("Lake House").tab().tab();
    story.press("s3://finance-x7k2hq3-s3alias/warehouse").tab();
    let arn = "arn:aws:s3:us-west-2:012345678901:accesspoint/finance";
    let vpc = "the access point finance takes requests from the VPC vpc-1a2b alone: an engine elsewhere, and Verify from \
                   elsewhere, is refused";
    let advice = Advice {
            bucket: vec![
                (
                    true,
                    "the access point finance answers; tables that name its bucket need an engine that is told to go through it"
                        .into(),
                ),
                (
                    true,
                    "access point finance of bucket acme-lake, account 0123-4567-8901".into(),
                ),
                (false, vpc.into()),
            ],
            access_point: Some(arn.parse().unwrap()),
            catalog: Some((true, "11 databases in us-west-2".into())),
            encryption: None,
            kms_key: None,
            catalog_encryption: None,
            catalog_kms_key: None,
        };
    story.done(Slot::Advice, Ok(Outcome::Stack(stack::Outcome::Advice(advice))));
    story
}

/// As filled in, but in another region, with the key on the path.
pub fn details_in(region: &str) -> Story {
    let mut story = Story::with(empty());
    story.press("n").press("Lake").tab();
    for _ in 0.."us-west-2".len() {
        story.key(KeyCode::Backspace);
    }
    story.press(region).tab().press("s3://acme-lake/warehouse").tab();
    story
}

pub fn connection_form() -> Story {
    let mut story = details_filled();
    story.enter();
    story
}

/// The same where the broker role is a vendor's: a verifier can be named.
pub fn connection_form_at_a_vendor() -> Story {
    let mut overview = empty();
    overview.platform = Platform::named("wherobots").unwrap().clone();
    let mut story = Story::with(overview);
    story
        .press("n")
        .press("Lake House")
        .tab()
        .tab()
        .press("s3://acme-lake/warehouse")
        .enter();
    story
}

/// A catalog whose path was changed after its stack was made, and one whose access level was.
pub fn outdated() -> Overview {
    let mut overview = in_use();
    for (row, stage) in overview.catalogs.iter_mut().zip([Stage::Deploy, Stage::Deploy]) {
        row.stage = stage;
        row.verdict = None;
        row.catalog.deployed = false;
    }
    overview.catalogs[0].catalog.stack_id =
        Some("arn:aws:cloudformation:us-west-2:012345678901:stack/a/1".into());
    overview.catalogs[1].catalog.left_over_stacks = vec![LeftOver {
        stack_name: "glueup-glue-readonly-weather".parse().unwrap(),
        region: "us-west-2".parse().unwrap(),
    }];
    overview
}

/// The wizard of the catalog that is in Deploy.
pub fn deploy_started() -> Story {
    let mut overview = in_use();
    overview.connections.truncate(1);
    overview.connections[0].connection = connection("sales-prod", false);
    overview.catalogs.drain(..2);
    let mut story = Story::with(overview);
    story.enter();
    story
}

pub fn deploy_waiting() -> Story {
    let mut story = deploy_started();
    let link = stack::link::Link {
        url: "http://127.0.0.1:4566/_console/cloudformation/home?region=us-west-2#/stacks/create/review?templateURL=\
              http%3A%2F%2F127.0.0.1%3A4566%2Fglueup-templates%2Fconnection.yaml&stackName=glueup-connection-sales-prod\
              &param_AccountId=012345678901&param_ExternalId=glueup-k3f9a7c2e1d84b60"
            .into(),
        stack_name: "glueup-connection-sales-prod".into(),
        region: "us-west-2".into(),
        template_url: Some("http://127.0.0.1:4566/glueup-templates/connection.yaml".into()),
        sign_out_url: None,
        parameters: Default::default(),
        existing: None,
        stack_url: None,
        template: None,
    };
    story.done(Slot::Link, Ok(Outcome::Stack(stack::Outcome::Link(link))));
    let looking = stack::Update::LookingIn {
        account: "012345678901".parse().unwrap(),
        region: "us-west-2".parse().unwrap(),
        stack: "glueup-connection-sales-prod".into(),
    };
    for update in [looking, stack::Update::NotThere] {
        story.event(Slot::Watch, Event::Update(Update::Stack(update)));
    }
    story
}

pub fn deploy_events() -> Story {
    let mut story = deploy_waiting();
    let events = [
        (
            7,
            "glueup-connection-sales-prod",
            "AWS::CloudFormation::Stack",
            "CREATE_IN_PROGRESS",
        ),
        (9, "ConnectionRole", "AWS::IAM::Role", "CREATE_IN_PROGRESS"),
        (19, "ConnectionRole", "AWS::IAM::Role", "CREATE_COMPLETE"),
    ];
    let status = stack::Update::Status("CREATE_IN_PROGRESS".into());
    story.event(Slot::Watch, Event::Update(Update::Stack(status)));
    for (second, logical_id, resource_type, status) in events {
        let event = StackEvent {
            id: format!("{logical_id}-{second}"),
            at: at(second).wall,
            logical_id: logical_id.into(),
            resource_type: resource_type.into(),
            status: status.into(),
            reason: None,
        };
        story.event(
            Slot::Watch,
            Event::Update(Update::Stack(stack::Update::Event(event))),
        );
    }
    story.wait(6);
    story
}

pub fn stack_event(second: u64, id: &str, status: &str, reason: Option<&str>) -> stack::Update {
    stack::Update::Event(StackEvent {
        id: format!("{id}-{second}"),
        at: at(second).wall,
        logical_id: id.into(),
        resource_type: if id == "ConnectionRole" {
            "AWS::IAM::Role".into()
        } else {
            "AWS::CloudFormation::Stack".into()
        },
        status: status.into(),
        reason: reason.map(str::to_owned),
    })
}

pub fn ask() -> Ask {
    Ask {
        title: "Create the stack glueup-connection-sales-prod in account 0123-4567-8901, us-west-2?".into(),
        will: vec![
            "make one IAM role for connection sales-prod, with no rights of its own".into(),
            "let arn:aws:iam::999988887777:role/broker assume it, with the connection's external ID only"
                .into(),
            "if IAM refuses a principal that it does not know yet: delete the stack again, empty as it is, and make it anew, \
             for up to 60 s"
                .into(),
        ],
        will_not: vec!["create, change or delete a database, a table or an object".into()],
        yes: "Create stack".into(),
        acknowledge: Some(
            "I acknowledge that AWS CloudFormation might create IAM resources (CAPABILITY_IAM)".into(),
        ),
        type_to_confirm: None,
    }
}

/// What keeps somebody from deploying: the answer, and the next step.
pub const LACKING: (&str, &str) = (
    "arn:aws:iam::012345678901:user/grace may not: iam:CreateRole, iam:TagRole (no policy allows it)",
    "Whoever keeps this caller's policies can allow it with this statement:\n\
     {\"Effect\":\"Allow\",\"Action\":[\"iam:CreateRole\",\"iam:TagRole\"],\"Resource\":[\"arn:aws:iam::012345678901:role/glueup-connection-sales-*\"]}",
);

/// The checks before a deployment, the last of them failed where something is lacking.
pub fn preflight(lacking: Option<(&str, &str)>) -> Outcome {
    let check = |id, title, finding| Check { id, title, finding };
    let iam = match lacking {
        Some((answer, next)) => Finding::failed(answer, next),
        None => Finding::passed("11 actions are allowed"),
    };
    Outcome::Stack(stack::Outcome::Preflight(vec![
        check(
            "account",
            "account",
            Finding::passed("arn:aws:iam::012345678901:user/grace, in account 0123-4567-8901"),
        ),
        check("region", "region", Finding::passed("us-west-2 answers")),
        check(
            "stack-name",
            "names of the stacks",
            Finding::passed(
                "glueup-connection-sales-prod is free; CloudFormation makes up the names of what is in it",
            ),
        ),
        check(
            "cloudformation",
            "rights on CloudFormation",
            Finding::passed("10 actions are allowed"),
        ),
        check("iam", "rights on IAM", iam),
    ]))
}
