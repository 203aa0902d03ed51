//! Deploying where the answers about change sets are not those of the embedded AWS.

use crate::change_sets::{STACK, actions, moved, stacks};
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::support::fake::{Asked, Fake, Reply};
use crate::support::jobs::{World, run};
use glueup::cloud::Settings;
use glueup::domain::problem::Kind;
use glueup::report::Answer;
use glueup::session::Session;
use glueup::stack::Update;
use std::io::{Read, Write};
use std::net::TcpStream;

/// Hands a request on to the embedded AWS as it is, signature and all.
fn forward(asked: &Asked, address: &str) -> Reply {
    let mut to = TcpStream::connect(address).unwrap();
    let mut head = format!("{} {} HTTP/1.1\r\n", asked.method, asked.target);
    let passed = |name: &str| !["connection", "content-length"].contains(&name.to_lowercase().as_str());
    for (name, value) in asked.headers.iter().filter(|(name, _)| passed(name)) {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    write!(
        to,
        "{head}Connection: close\r\nContent-Length: {}\r\n\r\n{}",
        asked.body.len(),
        asked.body
    )
    .unwrap();
    let mut answer = String::new();
    to.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap();
    Reply {
        status: head.split(' ').nth(1).unwrap().parse().unwrap(),
        ..Reply::xml(body)
    }
}

/// The same caller, whose requests `between` answers: itself, or by what the embedded AWS says.
fn through(
    world: &World,
    between: impl Fn(&Asked, &dyn Fn() -> Reply) -> Reply + Send + Sync + 'static,
) -> Session {
    let address = world
        .demo
        .endpoint_url
        .strip_prefix("http://")
        .unwrap()
        .to_owned();
    let fake = Fake::start(move |asked| between(asked, &|| forward(asked, &address)));
    let region = world.demo.region.parse().unwrap();
    let (id, secret) = (&world.demo.admin.id, &world.demo.admin.secret);
    Session::new(world.home.clone(), Settings::demo(fake.url(), region, id, secret))
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_not_agreed_to_is_asked_again_and_a_no_leaves_no_stack() {
    let world = World::start();
    recorded(&world).await;
    let session = through(&world, |asked, answer| {
        let reply = answer();
        if asked.action() == "DescribeChangeSet" {
            return Reply::xml(reply.body.replace(">ConnectionRole<", ">AnotherRole<"));
        }
        reply
    });
    let ran = run(&session, deploy(connection()), |ask| {
        if ask.yes == "Execute" {
            Answer::No
        } else {
            Answer::Yes
        }
    })
    .await;
    assert_eq!(ran.problem().kind, Kind::Interrupted);
    assert_eq!(ran.asks.len(), 2, "{:?}", ran.asks);
    assert_eq!(ran.asks[1].will, ["+ add AnotherRole (AWS::IAM::Role)"]);
    assert_eq!(
        actions(&world),
        ["CreateChangeSet", "DeleteChangeSet", "DeleteStack"]
    );
    assert_eq!(stacks(&session).await.describe(STACK).await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread")]
async fn where_change_sets_are_not_known_the_stack_is_made_without_and_that_is_said() {
    let world = World::start();
    recorded(&world).await;
    let session = through(&world, |asked, answer| {
        if !asked.action().contains("ChangeSet") {
            return answer();
        }
        Reply {
            status: 400,
            ..Reply::xml(
                "<ErrorResponse><Error><Type>Sender</Type><Code>InvalidAction</Code><Message>Could not find \
                 operation</Message></Error><RequestId>r</RequestId></ErrorResponse>",
            )
        }
    });
    let said = |ran: &crate::support::jobs::Ran| {
        ran.told()
            .iter()
            .any(|u| matches!(u, Update::Note(note) if note.contains("knows no change sets")))
    };
    let ran = yes(&session, deploy(connection())).await;
    assert_eq!(ran.deployed().status, "CREATE_COMPLETE");
    assert!(said(&ran), "{:?}", ran.told());
    yes(&session, deploy(catalog())).await.deployed();
    moved(&session, "s3://acme-lake/other").await;
    let ran = yes(&session, deploy(catalog())).await;
    assert_eq!(ran.deployed().status, "UPDATE_COMPLETE");
    assert!(said(&ran), "{:?}", ran.told());
    let entries = world.home.ledger().entries().unwrap();
    let done: Vec<&str> = entries
        .iter()
        .filter(|entry| entry.outcome.as_deref() == Some("done"))
        .map(|entry| entry.intent.action.as_str())
        .collect();
    assert_eq!(done, ["CreateStack", "CreateStack", "UpdateStack"]);
}
