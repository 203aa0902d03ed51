//! What is never done without asking, and how everything is taken back.

use super::Facts;
use super::document::{Document, value, values, with, words};
use crate::domain::quote::operand;
use crate::domain::text::width;
use crate::registry::Holder;

/// What is never done without asking.
const NEVER: &[&str] = &[
    "It creates, updates and deletes no stack without showing what it will do and being told yes; without a terminal only \
     `--yes` says so.",
    "It updates and deletes no stack that it did not make: each carries the organization and the record that it belongs to.",
    "It changes no role that was there before.",
    "It reads no table's rows for this, and its checks write, move and delete nothing: each call of theirs that could write \
     names something invented.",
    "It puts a template into a bucket only when told to (`glueup template publish`).",
    "It writes no access key, token or password to disk, shows none, and passes none as an argument.",
    "It sends nothing anywhere but to the AWS endpoints that it was set up for. There is no telemetry.",
    "Each call that changes something in AWS is noted before it is made, and its outcome after: `glueup ledger`.",
];

pub(super) fn write(facts: &Facts, to: &mut Document) {
    to.heading(2, "What glueup never does without asking");
    to.points(NEVER.iter().map(|line| words(line)).collect());
    to.heading(2, "How to undo it");
    if facts.adopted() {
        adopted(facts, to);
    } else {
        stacks(facts, to);
    }
}

fn stacks(facts: &Facts, to: &mut Document) {
    let (grant, connection) = (&facts.grant, &facts.connection);
    let holder = &grant.holder;
    let serving = argument(connection.name.as_str());
    to.say(with(
        "The {} first, the connection after it: AWS deletes no role that still has a policy. Deleting the first stack takes \
         the rights away from every session, deleting the second takes the role itself; IAM may take some minutes to know it \
         everywhere. No data is touched.",
        &[words(holder.noun())],
    ));
    to.code(
        "sh",
        lines(&[
            (holder.delete_command(), "what the role may do"),
            (forget(holder), "the record"),
            (format!("glueup stack delete connection {serving}"), "the role"),
            (format!("glueup connection delete {serving}"), "the record"),
        ]),
    );
    if !facts.others.is_empty() {
        let names = values(facts.others.iter().map(|other| other.holder.name()));
        to.say(with(
            "The connection also serves {}: the last two commands are refused until these are gone too.",
            &[names],
        ));
    }
    let left = grant.left_over_stacks.iter();
    let own = [
        (grant.stack_name.as_str(), grant.region.as_str()),
        (connection.stack_name.as_str(), facts.role_region().as_str()),
    ];
    by_hand(
        left.map(|left| (left.stack_name.as_str(), left.region.as_str()))
            .chain(own),
        to,
    );
}

/// Command lines, with what each takes away behind them.
fn lines(commands: &[(String, &str)]) -> String {
    let columns = commands.iter().map(|(command, _)| width(command)).max();
    let lines = commands.iter().map(|(command, what)| {
        let blanks = columns.unwrap_or_default().saturating_sub(width(command));
        format!("{command}{}  # {what}\n", " ".repeat(blanks))
    });
    lines.collect()
}

fn by_hand<'a>(stacks: impl Iterator<Item = (&'a str, &'a str)>, to: &mut Document) {
    to.say(words(
        "Without glueup, in the CloudFormation console or with the AWS CLI:",
    ));
    let lines = stacks.map(|(stack, region)| {
        format!("aws cloudformation delete-stack --stack-name {stack} --region {region}\n")
    });
    to.code("sh", lines.collect::<String>());
}

fn adopted(facts: &Facts, to: &mut Document) {
    let (holder, connection) = (&facts.grant.holder, &facts.connection);
    let serving = argument(connection.name.as_str());
    let stay = facts.stay();
    to.say(with(
        "{} Whoever keeps the role {} takes the statement with the external ID {} out of its trust policy, and the \
         permissions above out of its policies. {}",
        &[
            words(if stay.is_empty() {
                "Nothing was made, so there is nothing of glueup's to delete in AWS."
            } else {
                "No stack belongs to the role that is used now."
            }),
            vec![value(facts.role())],
            vec![value(connection.external_id.as_str())],
            words(if stay.is_empty() {
                "glueup forgets its records:"
            } else {
                "The stacks that were made before go like this, the connection's last, and then the records:"
            }),
        ],
    ));
    let of = |role: bool| stay.iter().any(|(_, _, of_role)| *of_role == role);
    let mut commands = Vec::new();
    if of(false) {
        commands.push((holder.delete_command(), "what the role of before may do"));
    }
    commands.push((forget(holder), "the record"));
    if of(true) {
        commands.push((
            format!("glueup stack delete connection {serving}"),
            "the role of before",
        ));
    }
    commands.push((format!("glueup connection delete {serving}"), "the record"));
    to.code("sh", lines(&commands));
    if !stay.is_empty() {
        let stacks = stay.iter();
        by_hand(stacks.map(|(stack, region, _)| (*stack, region.as_str())), to);
    }
}

/// The command line that deletes a record.
fn forget(holder: &Holder) -> String {
    format!("glueup {} delete {}", holder.verb(), argument(holder.name()))
}

/// A name as the last word of a command line, whatever it begins with.
fn argument(name: &str) -> String {
    operand(name, "")
}
