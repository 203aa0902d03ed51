//! What it is for, and what is made where.

use super::Facts;
use super::document::{Block, Document, Line, told, value, values, with, words};
use crate::domain::access::Access;
use crate::setup::past;

pub(super) fn write(facts: &Facts, to: &mut Document) {
    let (grant, connection) = (&facts.grant, &facts.connection);
    let title = with("Security packet: {}", &[vec![value(grant.holder.name())]]);
    to.0.push(Block::Heading(1, title));
    to.say(purpose(facts));
    to.say(with(
        "Written by glueup {} from its records and its templates. There is no secret in it: an external ID is an \
         identifier that anyone may know who may read the role.",
        &[vec![told(env!("CARGO_PKG_VERSION"))]],
    ));

    to.heading(2, "What is made");
    if facts.adopted() {
        adopted(facts, to);
        return;
    }
    to.say(words(
        "Two CloudFormation stacks from static templates, in full in the appendix: one makes a role that may do nothing, the \
         other puts one inline policy on it. No user, no access key, no bucket, no network, and nothing that costs money.",
    ));
    let state = |made: bool| words(if made { "made" } else { "not made yet" });
    let mut rows = vec![
        vec![
            vec![value(connection.stack_name.as_str())],
            match &connection.role_arn {
                Some(role) => with("the role {}", &[vec![value(role.as_str())]]),
                None => words("the role that is assumed; CloudFormation names it"),
            },
            account(facts),
            vec![value(facts.role_region().as_str())],
            state(connection.role_arn.is_some()),
        ],
        vec![
            vec![value(grant.stack_name.as_str())],
            words(match grant.access {
                Access::ReadOnly => "one inline policy on that role, which only reads",
                Access::ReadWrite => "one inline policy on that role, which reads and writes",
            }),
            account(facts),
            vec![value(grant.region.as_str())],
            match grant.is_outdated() {
                true => {
                    words("made for what was asked for before, which it grants until it is deployed again")
                }
                false => state(grant.deployed),
            },
        ],
    ];
    for left in &grant.left_over_stacks {
        rows.push(vec![
            vec![value(left.stack_name.as_str())],
            words("left behind by an earlier setting; it grants what it granted until it is deleted"),
            account(facts),
            vec![value(left.region.as_str())],
            words("made"),
        ]);
    }
    to.table(&["Stack", "What it makes", "Account", "Region", "State"], rows);
    to.say(words(
        "Each template asserts the account: a stack that is launched in another one fails before it makes anything.",
    ));
}

/// A role that was there before gets no stack. Those that were made before it was taken stay until they are deleted.
fn adopted(facts: &Facts, to: &mut Document) {
    let connection = &facts.connection;
    let stay = facts.stay();
    to.say(with(
        "{} The role {} in account {} was there before; glueup uses it as it is and never changes it. What \
         follows is what that role should carry: whoever keeps it puts it in place, by whatever means they use. The \
         templates at the end say the same in CloudFormation's words; no stack is made from them.",
        &[
            words(if stay.is_empty() { "Nothing." } else { "Nothing more." }),
            values(connection.role_arn.iter().map(ToString::to_string)),
            account(facts),
        ],
    ));
    if stay.is_empty() {
        return;
    }
    to.say(words(
        "Before that role was taken glueup made stacks for this, and they are still there: what they grant holds until they \
         are deleted.",
    ));
    let rows = stay.into_iter().map(|(stack, region, of_role)| {
        vec![
            vec![value(stack)],
            words(if of_role {
                "the role that the connection had before"
            } else {
                "one inline policy on the role that the connection had when it was made"
            }),
            account(facts),
            vec![value(region.as_str())],
        ]
    });
    to.table(&["Stack", "What it made", "Account", "Region"], rows.collect());
}

/// Two sentences.
fn purpose(facts: &Facts) -> Line {
    let grant = &facts.grant;
    let verb = match grant.access {
        Access::ReadOnly => "read",
        Access::ReadWrite => "read and write",
    };
    let and = if facts.others.is_empty() {
        "which may do what is listed here and nothing else."
    } else {
        "which may do what is listed here; it serves others too, named below, and may do what they ask for."
    };
    let mut path = vec![value(grant.s3_path.to_string())];
    if grant.s3_path.point().is_some() {
        path.extend(point(facts));
    }
    let Some(databases) = &grant.databases else {
        return with(
            "This connection lets {} {} the files in {}, and nothing of the AWS Glue Data Catalog. For that, named principals may \
             become one IAM role of account {}, {}",
            &[who(facts), words(verb), path, account(facts), words(and)],
        );
    };
    let what = if databases.is_empty() {
        words("the tables")
    } else {
        with("the tables of the databases {}", &[values(databases)])
    };
    with(
        "This connection lets {} {} {} of the AWS Glue Data Catalog of account {} in {}, whose files lie in {}. For that, named principals \
         may become one IAM role of that account, {}",
        &[
            who(facts),
            words(verb),
            what,
            account(facts),
            vec![value(grant.region.as_str())],
            path,
            words(and),
        ],
    )
}

/// Whether the role gets past the access point.
fn point(facts: &Facts) -> Line {
    let openers = past::openers(&facts.grant, &facts.others);
    if openers.is_empty() {
        return words(" (through that access point alone, not past it)");
    }
    let names = values(openers.iter().map(|other| other.holder.name()));
    with(
        " (through that access point; what {} asks for of the bucket itself opens it past that)",
        &[names],
    )
}

/// Who connects, for which engines.
fn who(facts: &Facts) -> Line {
    let organization = &facts.organization;
    let own = organization.platform == "self";
    match (organization.name.as_str(), own) {
        ("self", true) => words("engines of your own"),
        ("self", false) => vec![told(&facts.platform.name)],
        (name, true) => with("engines of {}", &[vec![value(name)]]),
        (name, false) => with(
            "{}, through {},",
            &[vec![value(name)], vec![told(&facts.platform.name)]],
        ),
    }
}

fn account(facts: &Facts) -> Line {
    vec![value(facts.connection.account_id.as_str())]
}
