//! The ladder while it is climbed and when it has ended.

use crate::screens::fixtures::*;
use glueup::domain::access::Access;
use glueup::domain::status::Status;
use glueup::job::{Event, Outcome, Update};
use glueup::tui::effect::Slot;
use glueup::verify::{self, Basis, Report, Rung, RungId};

pub fn verify_started() -> Story {
    let mut overview = in_use();
    overview.catalogs.drain(..1);
    let mut story = Story::with(overview);
    story.enter();
    story
}

pub const RUNGS: [(RungId, &str); 13] = [
    (RungId::Reach, "the endpoint answers; its clock agrees with ours"),
    (RungId::Identity, "arn:aws:iam::012345678901:user/admin"),
    (RungId::Broker, "assumed"),
    (RungId::Role, "assumed with the external ID"),
    (
        RungId::ExternalId,
        "Refused with a random external ID and with none, as it should be",
    ),
    (RungId::Databases, "11 databases"),
    (RungId::Tables, "84 tables in 11 databases"),
    (
        RungId::Rest,
        "The endpoint answers, with 11 namespaces on its first page",
    ),
    (RungId::List, "objects below warehouse/ can be listed"),
    (RungId::Read, "64 bytes of one object read"),
    (
        RungId::Write,
        "Refused, as asked: s3:PutObject, glue:CreateTable, glue:UpdateTable; not proven: s3:DeleteObject",
    ),
    (
        RungId::Neighbour,
        "Refused, as it should be: list the bucket's root, list beside the prefix, write beside the prefix",
    ),
    (
        RungId::Locations,
        "84 of 84 tables with files, all below the prefix",
    ),
];

pub fn rung(id: RungId, answer: &str, status: Status) -> Rung {
    Rung {
        id,
        title: id.title().into(),
        status,
        basis: Basis::Use,
        answer: answer.into(),
        caller: Some("arn:aws:sts::999988887777:assumed-role/glueup-broker/glueup-verify".into()),
        action: Some("sts:AssumeRole".into()),
        resource: Some("arn:aws:iam::012345678901:role/glueup-sales-prod-ConnectionRole-4F7A".into()),
        ms: 31,
        at: None,
        next: None,
        request_id: Some("REQ00000042".into()),
        parts: Vec::new(),
    }
}

fn parts() -> Vec<Rung> {
    let part = |title: &str, answer: &str, status| Rung {
        title: title.into(),
        ..rung(RungId::Write, answer, status)
    };
    vec![
        part("s3:PutObject", "Refused, as asked", Status::Passed),
        part("glue:CreateTable", "Refused, as asked", Status::Passed),
        part("glue:UpdateTable", "Refused, as asked", Status::Passed),
        part(
            "s3:DeleteObject",
            "not proven: there is no form of deleting an object that could not delete one",
            Status::Skipped,
        ),
    ]
}

fn all_passed() -> Vec<Rung> {
    let mut rungs: Vec<Rung> = RUNGS
        .iter()
        .map(|(id, answer)| rung(*id, answer, Status::Passed))
        .collect();
    rungs[10].parts = parts();
    rungs
}

/// The report on some rungs, in the program's own words.
fn report_on(rungs: Vec<Rung>) -> Report {
    Report {
        calls: 27,
        bytes: 48_211,
        ..Report::of("weather", Some(Access::ReadOnly), rungs, at(0).wall)
    }
}

pub fn report(verdict: Status) -> Report {
    let mut rungs = all_passed();
    if verdict == Status::Failed {
        rungs[3].status = Status::Failed;
        rungs[3].answer = "AccessDenied: the role cannot be assumed".into();
        rungs[3].next = Some(
            "One of: the role's trust policy does not name the broker; the external ID differs; the role is gone. \
             Deploy the connection's stack again: glueup deploy connection sales-prod"
                .into(),
        );
        for rung in &mut rungs[4..] {
            rung.status = Status::Skipped;
            rung.answer = "not tried: hop 2 failed".into();
            rung.parts.clear();
        }
    }
    report_on(rungs)
}

/// A storage integration has no rung of Glue.
pub fn report_of_storage() -> Report {
    let mut rungs = all_passed();
    let glue = [RungId::Databases, RungId::Tables, RungId::Rest, RungId::Locations];
    rungs.retain(|rung| !glue.contains(&rung.id));
    for rung in &mut rungs {
        rung.parts.retain(|part| part.title.starts_with("s3:"));
    }
    Report {
        calls: 18,
        bytes: 9_204,
        ..Report::of("raw events", Some(Access::ReadWrite), rungs, at(0).wall)
    }
}

/// Two rungs warn.
pub fn report_with_warnings() -> Report {
    let mut rungs = all_passed();
    rungs[10].status = Status::Warning;
    rungs[10].answer = "Not proven: no try came to an answer".into();
    rungs[10].next = Some("Verify again; the single tries say what came in between".into());
    for part in &mut rungs[10].parts {
        part.status = Status::Skipped;
        part.answer = "not proven: AWS S3 slowed us down".into();
    }
    rungs[12].status = Status::Warning;
    rungs[12].answer = "3 of 84 tables lie elsewhere: sales.prices, sales.orders_2023, sales.returns".into();
    rungs[12].next = Some(
        "These will be listed, but their files cannot be read. A catalog for each of these would cover them:\n\
         s3://acme-lake/archive/\ns3://acme-prices/daily/"
            .into(),
    );
    report_on(rungs)
}

/// A vendor's broker role: what nobody here could try is judged by policy.
pub fn report_by_policy() -> Report {
    let mut rungs = all_passed();
    rungs[2].status = Status::Skipped;
    rungs[2].answer =
        "Wherobots' own role, which nobody else can assume: what follows is judged by policy".into();
    rungs[2].next = Some(
        "To prove it by use, let yourself in beside Wherobots, and take that away again with --verifier none:\n\
         glueup connection set sales-prod --verifier arn:aws:iam::012345678901:user/admin\n\
         glueup deploy connection sales-prod"
            .into(),
    );
    for rung in &mut rungs[3..] {
        rung.basis = Basis::Policy;
        rung.answer = match rung.id {
            RungId::Write => {
                "Would be refused, as asked: s3:PutObject, glue:CreateTable, glue:UpdateTable".into()
            }
            RungId::Neighbour => {
                "Would be refused, as it should be: list the bucket's root, write beside the prefix".into()
            }
            _ => "Would be allowed".into(),
        };
        for part in &mut rung.parts {
            part.basis = Basis::Policy;
        }
    }
    rungs[3].answer =
        "The trust policy lets arn:aws:iam::999988887777:role/glueup-broker in with the external ID".into();
    let last = &mut rungs[12];
    last.status = Status::Skipped;
    last.answer =
        "not proven: which tables the role sees, no policy says; Wherobots shows it, or a verifier does"
            .into();
    report_on(rungs)
}

pub fn verify_running() -> Story {
    let mut story = verify_started();
    let ids = RUNGS.iter().map(|(id, _)| *id).collect();
    let mut updates = vec![verify::Update::Planned(ids)];
    for (id, answer) in &RUNGS[..3] {
        updates.push(verify::Update::Started(*id));
        updates.push(verify::Update::Finished(rung(*id, answer, Status::Passed)));
    }
    updates.push(verify::Update::Started(RungId::Role));
    for update in updates {
        story.event(Slot::Verify, Event::Update(Update::Verify(update)));
    }
    story
}

/// Let in all the same, shortly after the door was shut.
pub fn verify_still_open() -> Story {
    let mut story = verify_running();
    for update in [
        verify::Update::Finished(rung(RungId::Role, "Became the role", Status::Passed)),
        verify::Update::Started(RungId::ExternalId),
    ] {
        story.event(Slot::Verify, Event::Update(Update::Verify(update)));
    }
    let update = verify::Update::Spreading {
        rung: RungId::ExternalId,
        seconds: 4,
        open: true,
    };
    story.event(Slot::Verify, Event::Update(Update::Verify(update)));
    // The countdown counts.
    story.wait(3);
    story
}

pub fn verify_green() -> Story {
    let mut story = verify_running();
    story.done(
        Slot::Verify,
        Ok(Outcome::Verify(Box::new(report(Status::Passed)))),
    );
    story
}
