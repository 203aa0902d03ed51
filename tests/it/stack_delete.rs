//! Deleting stacks: what was never made, what is gone already, and what keeps a role from going.

use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::setup::{add_catalog, new_catalog, new_connection, set_catalog};
use crate::support::between::before;
use crate::support::fake::Reply;
use crate::support::jobs::{World, run, setup};
use glueup::cloud::stacks::{NewStack, Template};
use glueup::domain::access::Access;
use glueup::domain::problem::Kind;
use glueup::job::Job;
use glueup::registry::Holder;
use glueup::report::Answer;
use glueup::session::Session;
use glueup::setup::{NewCatalog, NewConnection, Outcome, Request as Setup};
use glueup::stack::{Request, Target, Update};

async fn rested(session: &Session, stack: &str) -> Option<String> {
    let aws = session.aws().await.unwrap();
    let stacks = aws.stacks(&"us-west-2".parse().unwrap());
    for _ in 0..300 {
        match stacks.describe(stack).await.unwrap() {
            Some(found) if found.status.ends_with("_IN_PROGRESS") => {
                tokio::time::sleep(std::time::Duration::from_millis(50)).await;
            }
            found => return found.map(|found| found.status),
        }
    }
    panic!("{stack} does not come to rest")
}

#[tokio::test]
async fn a_stack_that_was_never_made_is_not_said_to_be_deleted() {
    let world = World::start();
    let session = recorded(&world).await;
    for (target, stack) in [
        (connection(), "glueup-connection-sales"),
        (catalog(), "glueup-glue-readonly-lake-house"),
    ] {
        let ran = yes(
            &session,
            Job::Stack(Request::Delete {
                target,
                take_over: true,
                retain: false,
            }),
        )
        .await;
        let problem = ran.problem();
        assert_eq!(problem.exit_code(), 3, "{problem:?}");
        assert!(problem.what.contains(stack), "{problem:?}");
        assert!(ran.asks.is_empty());
    }
}

#[tokio::test]
async fn a_stack_that_somebody_else_has_deleted_is_forgotten() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let stack = "glueup-connection-sales";
    let aws = session.aws().await.unwrap();
    let stacks = aws.stacks(&"us-west-2".parse().unwrap());
    stacks.delete(stack, None).await.unwrap();
    assert_eq!(rested(&session, stack).await, None);
    let ran = yes(
        &session,
        Job::Stack(Request::Delete {
            target: connection(),
            take_over: true,
            retain: false,
        }),
    )
    .await;
    assert!(ran.end.is_ok() && ran.asks.is_empty(), "{:?}", ran.end);
    assert!(
        ran.told()
            .iter()
            .any(|u| matches!(u, Update::Note(note) if note.contains("no more"))),
        "{:?}",
        ran.told()
    );
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    assert_eq!(stored.role_arn, None);
}

#[tokio::test]
async fn a_role_in_use_names_each_stack_that_goes_first_on_a_line_that_can_be_pasted() {
    let world = World::start();
    let session = recorded(&world).await;
    add_catalog(&session, new_catalog("other", "sales")).await;
    let other = Target::Grant(Holder::Catalog("other".parse().unwrap()));
    for target in [connection(), catalog(), other] {
        yes(&session, deploy(target)).await.deployed();
    }
    let delete = Job::Stack(Request::Delete {
        target: connection(),
        take_over: true,
        retain: false,
    });
    let ran = yes(&session, delete).await;
    assert_eq!(
        ran.problem().next.lines().collect::<Vec<_>>(),
        [
            "delete their stacks first:",
            "glueup stack delete catalog 'Lake House'",
            "glueup stack delete catalog other"
        ]
    );
}

#[tokio::test]
async fn a_role_that_a_forgotten_catalogs_stack_is_on_is_not_deleted() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let name = || "Lake House".parse().unwrap();
    let left = world.home.catalog(&name()).unwrap().stack_name.to_string();
    setup(&session, Setup::DeleteCatalog(name())).await;
    let delete = || {
        Job::Stack(Request::Delete {
            target: connection(),
            take_over: true,
            retain: false,
        })
    };
    let ran = yes(&session, delete()).await;
    let problem = ran.problem();
    assert_eq!(problem.kind, Kind::CheckFailed, "{problem:?}");
    assert!(
        problem.why.contains(&left) && problem.why.contains("us-west-2"),
        "{problem:?}"
    );
    let command = format!("aws cloudformation delete-stack --stack-name {left} --region us-west-2");
    assert!(problem.next.contains(&command), "{problem:?}");
    assert!(ran.asks.is_empty());
    assert_eq!(
        rested(&session, "glueup-connection-sales").await.as_deref(),
        Some("CREATE_COMPLETE")
    );

    // A catalog whose stack the record has not noticed is deleted by its name.
    add_catalog(&session, new_catalog("Lake House", "sales")).await;
    let ran = yes(&session, delete()).await;
    let next = &ran.problem().next;
    assert!(
        next.contains("glueup stack delete catalog 'Lake House'"),
        "{next}"
    );

    setup(&session, Setup::DeleteCatalog(name())).await;
    let aws = session.aws().await.unwrap();
    aws.stacks(&"us-west-2".parse().unwrap())
        .delete(&left, None)
        .await
        .unwrap();
    assert_eq!(rested(&session, &left).await, None);
    let ran = yes(&session, delete()).await;
    assert!(ran.end.is_ok(), "{:?}", ran.end);
}

#[tokio::test]
async fn a_role_with_a_policy_of_anothers_says_what_keeps_it() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    let stored = world.home.connection(&"sales".parse().unwrap()).unwrap();
    let role = stored.role_arn.as_ref().unwrap().role_name().to_owned();
    let body = serde_json::json!({"Resources": {"Grant": {"Type": "AWS::IAM::Policy", "Properties": {
        "PolicyName": "grant", "Roles": [role], "PolicyDocument": {"Version": "2012-10-17", "Statement": [
            {"Effect": "Allow", "Action": "glue:GetTable", "Resource": "*"}]}}}}});
    let aws = session.aws().await.unwrap();
    let stacks = aws.stacks(&"us-west-2".parse().unwrap());
    let hand_made = NewStack {
        name: "by-hand".to_owned(),
        template: Template::Body(body.to_string()),
        parameters: Vec::new(),
        tags: Vec::new(),
        capability: Some("CAPABILITY_IAM".to_owned()),
        role_arn: None,
        token: None,
    };
    stacks.create(hand_made).await.unwrap();
    assert_eq!(
        rested(&session, "by-hand").await.as_deref(),
        Some("CREATE_COMPLETE")
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
    let problem = ran.problem();
    assert!(problem.what.contains("DELETE_FAILED"), "{problem:?}");
    assert!(problem.why.contains("ConnectionRole"), "{problem:?}");
    assert!(
        problem
            .next
            .contains("the role has policies that this stack did not make"),
        "{problem:?}"
    );
    assert!(!problem.next.contains("deploy"), "{problem:?}");
}

#[tokio::test]
async fn what_a_deleted_record_leaves_is_named_with_a_command_that_finds_it() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    setup(&session, Setup::DeleteCatalog("Lake House".parse().unwrap())).await;
    let deleted = setup(&session, Setup::DeleteConnection("sales".parse().unwrap())).await;
    let Outcome::Deleted(stays) = deleted else {
        panic!("{deleted:?}")
    };
    let command = "aws cloudformation delete-stack --stack-name glueup-connection-sales --region us-west-2";
    assert!(stays[0].ends_with(command), "{stays:?}");
}

#[tokio::test]
async fn a_role_that_was_taken_later_does_not_hide_the_stack_of_the_one_before() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    setup(&session, Setup::DeleteCatalog("Lake House".parse().unwrap())).await;
    let theirs = NewConnection {
        account_id: None,
        role_arn: Some("arn:aws:iam::012345678901:role/theirs".parse().unwrap()),
        ..new_connection("sales")
    };
    setup(&session, Setup::SetConnection(Box::new(theirs))).await;
    let deleted = setup(&session, Setup::DeleteConnection("sales".parse().unwrap())).await;
    let Outcome::Deleted(stays) = deleted else {
        panic!("{deleted:?}")
    };
    assert_eq!(stays.len(), 2, "{stays:?}");
    assert!(
        stays[0].contains("--stack-name glueup-connection-sales"),
        "{stays:?}"
    );
    assert!(stays[1].contains("role/theirs stays"), "{stays:?}");
}

#[tokio::test]
async fn what_is_deleted_is_noted_though_another_cannot_be_deleted() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    let switched = NewCatalog {
        region: None,
        s3_path: None,
        access: Some(Access::ReadWrite),
        connection: None,
        ..new_catalog("Lake House", "sales")
    };
    set_catalog(&session, switched).await;
    let ran = run(&session, deploy(catalog()), |ask| {
        if ask.yes == "Delete old stack" {
            Answer::No
        } else {
            Answer::Yes
        }
    })
    .await;
    ran.deployed();
    let record = || {
        let stored = world.home.catalog(&"Lake House".parse().unwrap());
        stored.unwrap().record
    };
    assert!(record().deployed);
    let left = record().left_over_stacks[0].stack_name.to_string();
    let kept = left.clone();
    let server = before(&world.demo.endpoint_url, move |asked| {
        let refused = asked.action() == "DeleteStack" && asked.body.contains(&kept);
        refused.then(|| Reply::query_error(403, "AccessDenied", "not this one"))
    });
    let session = world.through(&server);
    let delete = Job::Stack(Request::Delete {
        target: catalog(),
        take_over: false,
        retain: false,
    });
    let ran = yes(&session, delete).await;
    assert!(ran.end.is_err(), "{:?}", ran.end);
    let after = record();
    assert_eq!((after.deployed, after.stack_id), (false, None));
    assert_eq!(after.left_over_stacks.len(), 1);
    assert_eq!(rested(&session, after.stack_name.as_str()).await, None);
}

#[tokio::test]
async fn nothing_is_said_to_stay_of_a_stack_whose_deletion_has_not_failed() {
    let world = World::start();
    let session = recorded(&world).await;
    yes(&session, deploy(connection())).await.deployed();
    yes(&session, deploy(catalog())).await.deployed();
    // A resource could not be deleted once; and now CloudFormation does not begin.
    let server = before(&world.demo.endpoint_url, |asked| match asked.action() {
        "DeleteStack" => Some(Reply::xml(
            "<DeleteStackResponse xmlns=\"http://cloudformation.amazonaws.com/doc/2010-05-15/\">\
             <ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></DeleteStackResponse>",
        )),
        "DescribeStackEvents" => Some(Reply::xml(
            "<DescribeStackEventsResponse xmlns=\"http://cloudformation.amazonaws.com/doc/2010-05-15/\">\
             <DescribeStackEventsResult><StackEvents><member><StackId>s</StackId><EventId>e</EventId>\
             <StackName>s</StackName><LogicalResourceId>CatalogPolicy</LogicalResourceId>\
             <ResourceType>AWS::IAM::Policy</ResourceType><Timestamp>2026-01-01T00:00:00.000Z</Timestamp>\
             <ResourceStatus>DELETE_FAILED</ResourceStatus></member></StackEvents></DescribeStackEventsResult>\
             <ResponseMetadata><RequestId>r</RequestId></ResponseMetadata></DescribeStackEventsResponse>",
        )),
        _ => None,
    });
    let session = world.through(&server);
    let delete = Job::Stack(Request::Delete {
        target: catalog(),
        take_over: false,
        retain: true,
    });
    let ran = yes(&session, delete).await;
    let asked: Vec<&str> = ran.asks.iter().map(|ask| ask.yes.as_str()).collect();
    assert_eq!(asked, ["Delete stack"]);
    let problem = ran.problem();
    assert!(problem.what.contains("CREATE_COMPLETE"), "{problem:?}");
    assert!(!problem.next.contains("--retain"), "{problem:?}");
}
