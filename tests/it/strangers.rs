//! Stacks that others made under our names: used after a yes if they do the same, never changed, never deleted.

use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{add_connection, new_connection};
use crate::stacks::in_the_browser;
use crate::support::between::before;
use crate::support::fake::Reply;
use crate::support::jobs::{World, run};
use futures_util::future::join_all;
use glueup::domain::problem::Kind;
use glueup::job::Job;
use glueup::report::Answer;
use glueup::setup::NewConnection;
use glueup::stack::{Request, Update};

#[tokio::test]
async fn a_stack_that_grants_something_else_is_not_typed_over() {
    let world = World::start();
    let session = recorded(&world).await;
    in_the_browser(&session, connection(), |name, value| match name {
        "ExternalId" => "another-id".to_owned(),
        "Record" => "orders/00000000".to_owned(),
        _ => value,
    })
    .await;
    for job in [Job::Stack(Request::Watch(connection())), deploy(connection())] {
        let ran = yes(&session, job).await;
        let problem = ran.problem();
        assert_eq!(problem.kind, Kind::CheckFailed);
        assert!(
            problem.why.contains("its ExternalId is another-id"),
            "{problem:?}"
        );
        assert!(ran.asks.is_empty());
    }
    assert_eq!(
        world.home.connection(&"sales".parse().unwrap()).unwrap().role_arn,
        None
    );
    let ran = yes(
        &session,
        Job::Stack(Request::Delete {
            target: connection(),
            take_over: true,
            retain: false,
        }),
    )
    .await;
    assert!(
        ran.problem().what.contains("not ours to delete"),
        "{:?}",
        ran.problem()
    );
}

#[tokio::test]
async fn a_parameter_that_was_edited_in_the_console_is_another_grant() {
    let database = "arn:aws:glue:us-west-2:012345678901:database/other";
    let admin = "arn:aws:iam::012345678901:user/admin";
    let cases = [
        (catalog(), "DatabaseArns", database),
        (connection(), "TrustedPrincipals", admin),
        (connection(), "VerifierPrincipal", admin),
    ];
    // Each on an AWS of its own, all at once: most of the time is waited for.
    join_all(cases.map(|(target, edited, value)| async move {
        let world = World::start();
        let session = recorded(&world).await;
        if target == catalog() {
            yes(&session, deploy(connection())).await.deployed();
        }
        in_the_browser(&session, target.clone(), |name, ours| {
            if name == edited { value.to_owned() } else { ours }
        })
        .await;
        let ran = yes(&session, Job::Stack(Request::Watch(target.clone()))).await;
        let problem = ran.problem();
        assert_eq!(problem.kind, Kind::CheckFailed, "{edited}: {problem:?}");
        assert!(
            problem.why.contains(&format!("its {edited} is {value}")),
            "{problem:?}"
        );
        assert!(problem.next.contains("deploy from here"), "{problem:?}");
        yes(&session, deploy(target.clone())).await.deployed();
        yes(&session, Job::Stack(Request::Watch(target))).await.deployed();
    }))
    .await;
}

#[tokio::test]
async fn a_stack_of_another_record_that_does_the_same_is_used_after_a_yes_and_not_changed() {
    let world = World::start();
    let session = recorded(&world).await;
    let name = "sales".parse().unwrap();
    // The path differs: if the stack were ours, it would be updated.
    in_the_browser(&session, connection(), |name, value| match name {
        "Record" => "orders/00000000".to_owned(),
        "RolePath" => "/other/".to_owned(),
        _ => value,
    })
    .await;
    let aws = session.aws().await.unwrap();
    let stacks = aws.stacks(&"us-west-2".parse().unwrap());
    let rested = || async {
        loop {
            let stack = stacks.describe("glueup-connection-sales").await.unwrap().unwrap();
            if stack.status == "CREATE_COMPLETE" {
                return stack;
            }
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    };
    let before = rested().await;
    let ran = run(&session, deploy(connection()), |_| Answer::No).await;
    assert_eq!(ran.problem().kind, Kind::Interrupted);
    assert_eq!(world.home.connection(&name).unwrap().role_arn, None);
    let ran = yes(&session, deploy(connection())).await;
    assert_eq!(ran.deployed().outputs["RoleArn"], before.outputs["RoleArn"]);
    assert_eq!(ran.asks[0].yes, "Use it");
    assert!(ran.asks[0].title.contains("orders/00000000"), "{:?}", ran.asks[0]);
    assert_eq!(rested().await, before);
    assert!(world.home.ledger().entries().unwrap().is_empty());
    let role = world.home.connection(&name).unwrap().role_arn.clone().unwrap();
    assert_eq!(role.path(), "/other/");
}

#[tokio::test]
async fn a_failure_in_the_browser_is_told_to_who_watches() {
    let world = World::start();
    let session = world.admin();
    // It is what the record asks for, so that it does not fit is not said before it fails.
    let new = NewConnection {
        trust: vec!["arn:aws:iam::012345678901:role/nobody".parse().unwrap()],
        ..new_connection("sales")
    };
    add_connection(&session, new).await;
    let watching = yes(&session, Job::Stack(Request::Watch(connection())));
    let browser = in_the_browser(&session, connection(), |_, value| value);
    let (ran, ()) = tokio::join!(watching, browser);
    let problem = ran.problem();
    assert!(
        problem.what.contains("ROLLBACK_COMPLETE") && problem.why.contains("Invalid principal"),
        "{problem:?}"
    );
    assert_eq!(
        world.home.connection(&"sales".parse().unwrap()).unwrap().role_arn,
        None
    );
}

#[tokio::test]
async fn whose_a_stack_is_is_decided_once_it_rests() {
    let world = World::start();
    let session = recorded(&world).await;
    in_the_browser(&session, connection(), |name, value| match name {
        "Record" => "orders/00000000".to_owned(),
        "RolePath" => "/other/".to_owned(),
        _ => value,
    })
    .await;
    let stacks = crate::change_sets::stacks(&session).await;
    let theirs = stacks.describe("glueup-connection-sales").await.unwrap().unwrap();
    // At the first look it is at work and ours, as it was before somebody took it over.
    let ours = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let first = std::sync::atomic::AtomicBool::new(true);
    let answer = format!(
        "<DescribeStacksResponse xmlns=\"http://cloudformation.amazonaws.com/doc/2010-05-15/\"><DescribeStacksResult>\
         <Stacks><member><StackName>{}</StackName><StackId>{}</StackId><StackStatus>UPDATE_IN_PROGRESS</StackStatus>\
         <CreationTime>2026-01-01T00:00:00.000Z</CreationTime><Tags>\
         <member><Key>glueup:organization</Key><Value>self</Value></member>\
         <member><Key>glueup:record</Key><Value>sales/{}</Value></member></Tags></member></Stacks>\
         </DescribeStacksResult><ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></DescribeStacksResponse>",
        theirs.name, theirs.id, ours.id
    );
    let server = before(&world.demo.endpoint_url, move |asked| {
        let looks = asked.action() == "DescribeStacks";
        (looks && first.swap(false, std::sync::atomic::Ordering::SeqCst)).then(|| Reply::xml(answer.clone()))
    });
    let through = world.through(&server);
    let ran = run(&through, deploy(connection()), |_| Answer::No).await;
    let said = |u: &&Update| matches!(u, Update::Note(n) if n.contains("at work on"));
    assert!(ran.told().iter().any(said), "{:?}", ran.told());
    assert_eq!(ran.asks.len(), 1, "{:?}", ran.end);
    assert_eq!(ran.asks[0].yes, "Use it");
}
