//! The four steps in each of their states.

use super::State;
use super::build::*;
use crate::screens::fixtures::*;
use crossterm::event::KeyCode;
use glueup::domain::platform::Platform;
use glueup::domain::problem::{Kind, Problem};
use glueup::domain::status::Status;
use glueup::job::{Event, Outcome, Update};
use glueup::stack::{self, Advice};
use glueup::tui::effect::Slot;
use glueup::verify::{self, RungId};

pub const STATES: &[State] = &[
    ("details empty", || {
        let mut story = Story::with(empty());
        story.press("n");
        story
    }),
    ("details filled", details_filled),
    ("details of a storage integration", || {
        let mut story = Story::with(with_storages());
        story
            .press("s")
            .press("landing zone")
            .tab()
            .press("s3://acme-landing/in")
            .tab();
        let advice = Advice {
            bucket: vec![(true, "bucket acme-landing is there, in eu-west-1".into())],
            access_point: None,
            catalog: None,
            encryption: None,
            kms_key: None,
            catalog_encryption: None,
            catalog_kms_key: None,
        };
        story.done(Slot::Advice, Ok(Outcome::Stack(stack::Outcome::Advice(advice))));
        story
    }),
    ("details of an encrypted bucket", || {
        let mut story = details_filled();
        let key = "arn:aws:kms:us-west-2:012345678901:key/11112222-3333-4444-5555-666677778888";
        let advice = Advice {
            bucket: vec![(true, "bucket acme-lake is there, in us-west-2".into())],
            access_point: None,
            catalog: Some((true, "11 databases in us-west-2".into())),
            encryption: Some((
                true,
                "encrypted by a KMS key: the right to use it is asked for too".into(),
            )),
            kms_key: Some(key.parse().unwrap()),
            catalog_encryption: None,
            catalog_kms_key: None,
        };
        story.done(Slot::Advice, Ok(Outcome::Stack(stack::Outcome::Advice(advice))));
        story
    }),
    ("details of an access point", details_of_an_access_point),
    ("details of an encrypted catalog", || {
        details_of_a_catalog(empty(), Some(KEY))
    }),
    ("deploy of a storage integration", || {
        let mut story = Story::with(with_storages());
        story.press("jjjj").enter();
        story
    }),
    ("verify of a storage integration", || {
        let mut story = Story::with(with_storages());
        story.press("jjj").enter();
        story.done(Slot::Verify, Ok(Outcome::Verify(Box::new(report_of_storage()))));
        story
    }),
    ("details with errors", || {
        let mut story = Story::with(empty());
        story.press("n").tab();
        for _ in 0.."us-west-2".len() {
            story.key(KeyCode::Backspace);
        }
        story.press("us-wets-2").tab().press("hdfs://lake").tab();
        story
    }),
    ("details with a blank in the path", || {
        let mut story = Story::with(empty());
        story
            .press("n")
            .press("Lake")
            .tab()
            .tab()
            .press("s3://acme-lake/ware house")
            .tab();
        story
    }),
    ("details choosing a region", || {
        let mut story = Story::with(empty());
        story.press("n").tab();
        for _ in 0.."us-west-2".len() {
            story.key(KeyCode::Backspace);
        }
        story.press("eu");
        story
    }),
    ("details looking for the bucket", || {
        let mut story = Story::with(empty());
        story
            .press("n")
            .press("Lake House")
            .tab()
            .tab()
            .press("s3://acme-lake/warehouse")
            .tab()
            .wait(1);
        story
    }),
    ("details whole bucket", || {
        let mut story = Story::with(empty());
        story
            .press("n")
            .press("Lake")
            .tab()
            .tab()
            .press("s3://acme-lake")
            .tab()
            .press(" ")
            .enter();
        story
    }),
    ("connection form", connection_form),
    ("connection form at a vendor", || {
        let mut story = connection_form_at_a_vendor();
        story.press("prod").tab().tab().press("me");
        story
    }),
    ("connection form with errors", || {
        let mut story = connection_form();
        story.tab().press("9").tab();
        story
    }),
    ("connection form refused", || {
        let mut story = connection_form();
        story.press("sales-prod").enter();
        let problem = Problem::new(
            Kind::Usage,
            "There is a connection of that name already.",
            "connections/sales-prod.yaml has been made on 2026-02-01.",
            "Choose it, or give this one another name.",
        );
        story.done(Slot::Write, Err(problem));
        story
    }),
    ("connection list", || {
        let mut story = Story::with(in_use());
        story
            .press("n")
            .press("second")
            .tab()
            .tab()
            .press("s3://acme-lake/x")
            .enter();
        story
    }),
    ("connection delete blocked", || {
        let mut story = Story::with(in_use());
        story
            .press("n")
            .press("second")
            .tab()
            .tab()
            .press("s3://acme-lake/x")
            .enter()
            .press("x");
        story
    }),
    ("deploy waiting", deploy_waiting),
    ("deploy after a preflight", || {
        let mut story = deploy_waiting();
        story.done(Slot::Preflight, Ok(preflight(None)));
        story
    }),
    ("deploy by somebody who lacks rights", || {
        let mut story = deploy_waiting();
        story.done(Slot::Preflight, Ok(preflight(Some(LACKING))));
        story
    }),
    ("preflight", || {
        let mut story = deploy_waiting();
        story.done(Slot::Preflight, Ok(preflight(Some(LACKING))));
        story.press("c");
        story
    }),
    ("deploy without a console", || {
        let mut story = deploy_started();
        let problem = Problem::new(
            Kind::CheckFailed,
            "There is no console at this endpoint.",
            "http://127.0.0.1:5000 is neither AWS nor the embedded AWS.",
            "Use D or t.",
        );
        story.done(Slot::Link, Err(problem));
        story
    }),
    ("deploy events", deploy_events),
    ("deploy asks", || {
        let mut story = deploy_waiting();
        story.press("D");
        story.event(Slot::Write, Event::Ask(ask()));
        story
    }),
    ("deploy failed", || {
        let mut story = deploy_waiting();
        story.press("D");
        let problem = Problem::new(
            Kind::CheckFailed,
            "The stack glueup-connection-sales-prod could not be made.",
            "ConnectionRole: User: arn:aws:iam::012345678901:user/grace is not authorized to perform: iam:CreateRole",
            "Sign in as somebody who may create roles, or send the template to them.",
        );
        story.done(Slot::Write, Err(problem));
        story
    }),
    ("deploy outdated", || {
        let mut story = Story::with(outdated());
        story.enter();
        let status = glueup::stack::Update::Status("CREATE_COMPLETE".into());
        story.event(Slot::Watch, Event::Update(Update::Stack(status)));
        let problem = Problem::new(
            Kind::CheckFailed,
            "there is no link that changes glueup-glue-readonly-xlake-house",
            "it is there, made for what the record asked for before, and a link only makes new stacks.",
            "Deploy from here, or update it in the CloudFormation console with the template.",
        );
        story.done(Slot::Link, Err(problem));
        story
    }),
    ("deploy beside an old stack", || {
        let mut story = Story::with(outdated());
        story.press("j").enter();
        story
    }),
    ("deploy in review", || {
        let mut story = deploy_waiting();
        let status = glueup::stack::Update::Status("REVIEW_IN_PROGRESS".into());
        story.event(Slot::Watch, Event::Update(Update::Stack(status)));
        let event = stack_event(7, "glueup-connection-sales-prod", "REVIEW_IN_PROGRESS", None);
        story.event(Slot::Watch, Event::Update(Update::Stack(event)));
        story
    }),
    ("deploy in another account", || {
        let mut story = deploy_waiting();
        let problem = Problem::new(
            Kind::CheckFailed,
            "not in account 5555-6666-7777: you are in 0123-4567-8901",
            "glueup-connection-sales-prod belongs in account 5555-6666-7777; we are arn:aws:iam::012345678901:user/ada",
            "sign in to account 5555-6666-7777 (--profile), or name its profile on the connection with --deploy-profile",
        );
        story.done(Slot::Watch, Err(problem));
        story
    }),
    ("deploy failed with events", || {
        let mut story = deploy_events();
        let reason = "User: arn:aws:iam::012345678901:user/grace is not authorized to perform: iam:PutRolePolicy on \
                      resource: role glueup-connection-sales-prod-ConnectionRole-4F7A";
        for (second, id, status, reason) in [
            (21, "ConnectionRole", "CREATE_FAILED", Some(reason)),
            (22, "glueup-connection-sales-prod", "ROLLBACK_IN_PROGRESS", None),
            (25, "ConnectionRole", "DELETE_COMPLETE", None),
            (26, "glueup-connection-sales-prod", "ROLLBACK_COMPLETE", None),
        ] {
            story.event(
                Slot::Watch,
                Event::Update(Update::Stack(stack_event(second, id, status, reason))),
            );
        }
        let problem = Problem::new(
            Kind::CheckFailed,
            "The stack glueup-connection-sales-prod could not be made.",
            format!("ConnectionRole: {reason}"),
            "Sign in as somebody who may create roles, or send the template to them.",
        );
        story.done(Slot::Watch, Err(problem));
        story
    }),
    ("deploy for a user", || {
        let mut story = Story::with(as_user(in_use()));
        story.key(KeyCode::Down).key(KeyCode::Down).enter();
        story
    }),
    ("verify running", verify_running),
    ("verify spreading", || {
        let mut story = verify_running();
        let update = verify::Update::Spreading {
            rung: RungId::Role,
            seconds: 4,
            open: false,
        };
        story.event(Slot::Verify, Event::Update(Update::Verify(update)));
        story
    }),
    ("verify still open", verify_still_open),
    ("verify green", verify_green),
    ("verify with warnings", || {
        let mut story = verify_started();
        let outcome = Outcome::Verify(Box::new(report_with_warnings()));
        story.done(Slot::Verify, Ok(outcome));
        story
    }),
    ("verify by policy", || {
        let mut story = verify_started();
        let outcome = Outcome::Verify(Box::new(report_by_policy()));
        story.done(Slot::Verify, Ok(outcome));
        story.key(KeyCode::Up);
        story
    }),
    ("verify failed", || {
        let mut story = verify_started();
        story.done(
            Slot::Verify,
            Ok(Outcome::Verify(Box::new(report(Status::Failed)))),
        );
        story
    }),
    ("verify green with its tries", || {
        let mut story = verify_green();
        story.key(KeyCode::Up).key(KeyCode::Up);
        story
    }),
    ("verify impossible", || {
        let mut story = verify_started();
        story.done(Slot::Verify, Err(denied()));
        story
    }),
    ("details in GovCloud", || details_in("us-gov-west-1")),
    ("details in China", || details_in("cn-northwest-1")),
    ("details in a region nobody knows", || details_in("us-west-9")),
    ("details of a whole bucket", || {
        let mut story = Story::with(empty());
        story
            .press("n")
            .press("Lake")
            .tab()
            .tab()
            .press("s3://acme-lake")
            .tab();
        story
    }),
    ("details what will be granted", || {
        let mut story = details_filled();
        story.key(KeyCode::F(2));
        story
    }),
    ("details changed after Deploy", || {
        let mut story = deploy_waiting();
        story
            .key(KeyCode::Esc)
            .key(KeyCode::Esc)
            .tab()
            .tab()
            .press("/raw");
        story
    }),
    ("connection adopted", || {
        let mut overview = in_use();
        overview.connections[0].connection.adopted = true;
        let mut story = Story::with(overview);
        story
            .press("n")
            .press("second")
            .tab()
            .tab()
            .press("s3://acme-lake/x")
            .enter();
        story
    }),
    ("deploy done", || {
        let mut story = verify_green();
        story.key(KeyCode::Esc);
        story
    }),
    ("verify stopped", || {
        let mut story = verify_running();
        story.press("s");
        story
    }),
    ("verify green with limitations", || {
        let mut overview = in_use();
        overview.platform = Platform::named("wherobots").unwrap().clone();
        overview.catalogs.drain(..1);
        let mut story = Story::with(overview);
        story.enter();
        let outcome = Outcome::Verify(Box::new(report(Status::Passed)));
        story.done(Slot::Verify, Ok(outcome));
        story
    }),
];
