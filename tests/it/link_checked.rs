//! What is looked at before a link is given away: whether its template can be read, and whether its stack is there.

use crate::change_sets::stacks;
use crate::deploy::{catalog, connection, recorded, yes};
use crate::support::demo::Demo;
use crate::support::fake::{Asked, Reply};
use crate::support::home::Home;
use crate::support::jobs::World;
use crate::verify::deployed;
use crate::verify_breaks::through;
use glueup::domain::problem::Kind;
use glueup::domain::status::Status;
use glueup::job::{Job, Outcome};
use glueup::session::Session;
use glueup::stack::link::Link;
use glueup::stack::{self, Request, Target};

async fn link(session: &Session, target: Target) -> Link {
    let ran = yes(session, Job::Stack(Request::Link(target))).await;
    match ran.end {
        Ok(Outcome::Stack(stack::Outcome::Link(link))) => link,
        other => panic!("{other:?}"),
    }
}

/// The admin, by way of a server that keeps the templates too, and answers so to who asks for the head of one.
fn by_way_of(world: &World, head: impl Fn(&Asked) -> Option<Reply> + Send + Sync + 'static) -> Session {
    through(world, move |asked| {
        let host = asked.header("host");
        match (asked.method.as_str(), asked.target.as_str()) {
            ("GET", "/_glueup") => Some(Reply::json(&serde_json::json!({
                "console_url": format!("http://{host}/_console"),
                "template_base_url": format!("http://{host}/glueup-templates/"),
            }))),
            ("HEAD", target) if target.contains("/glueup-templates/") => head(asked),
            _ => None,
        }
    })
}

/// The template that a link names is deleted.
async fn lose_template(world: &World, url: &str) {
    let place = url
        .strip_prefix(&format!("{}/", world.demo.endpoint_url))
        .unwrap();
    let (bucket, key) = place.split_once('/').unwrap();
    let s3 = world.s3();
    s3.delete_object().bucket(bucket).key(key).send().await.unwrap();
}

#[tokio::test]
async fn a_template_that_can_be_read_is_said_to_be_so() {
    let world = World::start();
    let session = recorded(&world).await;
    let link = link(&session, connection()).await;
    let template = link.template.unwrap();
    assert_eq!(template.status, Status::Passed, "{template:?}");
    assert!(template.answer.contains("user/admin can read it"), "{template:?}");
    assert_eq!(link.existing, None);
}

#[tokio::test]
async fn a_template_that_is_gone_is_noticed_before_the_console_opens() {
    let world = World::start();
    let session = recorded(&world).await;
    let found = link(&session, connection()).await;
    let url = found.template_url.unwrap();
    lose_template(&world, &url).await;
    let ran = yes(&session, Job::Stack(Request::Link(connection()))).await;
    let problem = ran.problem();
    assert_eq!(problem.kind, Kind::CheckFailed);
    assert!(problem.what.ends_with("its template is gone"), "{problem:?}");
    assert!(problem.why.contains(&url), "{problem:?}");
    assert!(
        problem
            .next
            .contains("glueup template publish connection sales --bucket BUCKET"),
        "{problem:?}"
    );
    // Published again, it lies somewhere, and the link leads there.
    let publish = Request::Publish {
        target: connection(),
        bucket: "acme-lake".into(),
    };
    let ran = yes(&session, Job::Stack(publish)).await;
    assert!(ran.end.is_ok(), "{:?}", ran.end);
    let link = link(&session, connection()).await;
    assert!(link.template_url.unwrap().contains("/acme-lake/"));
    assert_eq!(link.template.unwrap().status, Status::Passed);
}

#[tokio::test]
async fn where_the_admin_has_published_it_goes_before_where_the_console_keeps_it() {
    let world = World::start();
    let session = recorded(&world).await;
    let publish = Request::Publish {
        target: connection(),
        bucket: "acme-lake".into(),
    };
    yes(&session, Job::Stack(publish)).await.end.unwrap();
    let own = link(&session, connection()).await.template_url.unwrap();
    assert!(own.contains("/acme-lake/"), "{own}");
    // Where that copy is gone, the other one is still there.
    lose_template(&world, &own).await;
    let kept = link(&session, connection()).await.template_url.unwrap();
    assert_ne!(kept, own);
}

#[tokio::test]
async fn who_could_not_read_the_template_is_said_and_the_link_is_there() {
    let world = World::start();
    recorded(&world).await;
    let session = by_way_of(&world, |_| {
        Some(Reply::s3_error(403, "AccessDenied", "Access Denied"))
    });
    let link = link(&session, connection()).await;
    let template = link.template.unwrap();
    assert_eq!(template.status, Status::Warning);
    assert!(
        template
            .answer
            .starts_with("arn:aws:iam::012345678901:user/admin could not read it"),
        "{template:?}"
    );
    assert!(link.url.contains("#/stacks/create/review?"), "{}", link.url);
}

#[tokio::test]
async fn a_template_that_is_open_to_all_needs_no_right_of_the_callers() {
    let world = World::start();
    recorded(&world).await;
    let session = by_way_of(&world, |asked| {
        Some(match asked.header("authorization").is_empty() {
            true => Reply::xml(""),
            false => Reply::s3_error(403, "AccessDenied", "Access Denied"),
        })
    });
    let link = link(&session, connection()).await;
    assert_eq!(link.template.unwrap().status, Status::Passed);
}

#[tokio::test]
async fn what_could_not_be_looked_at_is_said_and_the_link_is_there() {
    let world = World::start();
    recorded(&world).await;
    let session = by_way_of(&world, |_| {
        Some(Reply::s3_error(503, "ServiceUnavailable", "busy"))
    });
    let link = link(&session, connection()).await;
    let template = link.template.unwrap();
    assert_eq!(template.status, Status::Skipped, "{template:?}");
    assert!(
        template
            .answer
            .starts_with("not checked whether it can be read: "),
        "{template:?}"
    );
    assert!(link.url.contains("#/stacks/create/review?"), "{}", link.url);
}

#[tokio::test]
async fn a_link_to_a_stack_that_is_there_leads_to_its_page_and_says_so() {
    let world = World::start();
    let session = deployed(&world).await;
    for target in [connection(), catalog()] {
        let link = link(&session, target).await;
        let existing = link.existing.as_ref().unwrap();
        assert_eq!(existing.status, "CREATE_COMPLETE");
        assert!(existing.answer.starts_with("already deployed "), "{existing:?}");
        assert!(
            existing.answer.ends_with("made for this record: nothing to do"),
            "{existing:?}"
        );
        assert_eq!(existing.next, None);
        assert!(existing.changed.is_some());
        assert!(
            link.leads_to().contains("#/stacks/stackinfo?stackId="),
            "{}",
            link.leads_to()
        );
        assert!(
            link.url.contains("#/stacks/create/review?"),
            "what would make it is said too: {}",
            link.url
        );
        assert!(link.template_url.is_some() && !link.parameters.is_empty());
    }
}

#[tokio::test]
async fn a_stack_that_is_there_and_not_as_asked_says_what_to_do() {
    let world = World::start();
    let session = recorded(&world).await;
    let (name, ..) = crate::stacks::template(&session, connection()).await;
    // Made by somebody else, without any mark.
    let unmarked = |name: &str, value: String| match name {
        "Organization" | "Record" => String::new(),
        _ => value,
    };
    for (change, status, answer, next) in [
        (
            &(|name: &str, value: String| match name {
                "RolePath" => "/elsewhere/".to_owned(),
                _ => value,
            }) as &dyn Fn(&str, String) -> String,
            "CREATE_COMPLETE",
            "made for this record, but its RolePath is /elsewhere/",
            "glueup deploy connection sales",
        ),
        (
            &|name: &str, value: String| match name {
                "TrustedPrincipals" => "arn:aws:iam::012345678901:role/nobody".to_owned(),
                _ => value,
            },
            "ROLLBACK_COMPLETE",
            "it is ROLLBACK_COMPLETE: its creation failed and was undone",
            "glueup deploy connection sales",
        ),
        (
            &unmarked,
            "CREATE_COMPLETE",
            "a stack of that name is there",
            "give the record another name",
        ),
    ] {
        crate::stacks::in_the_browser(&session, connection(), change).await;
        let stacks = stacks(&session).await;
        let rests = loop {
            let stack = stacks.describe(&name).await.unwrap().unwrap();
            if !stack.status.ends_with("_IN_PROGRESS") {
                break stack;
            }
            let link = link(&session, connection()).await;
            if let Some(existing) = link.existing {
                assert!(!existing.answer.contains("nothing to do"), "{existing:?}");
            }
        };
        assert_eq!(rests.status, status);
        let link = link(&session, connection()).await;
        let existing = link.existing.unwrap();
        assert!(existing.answer.contains(answer), "{existing:?}");
        assert!(existing.next.as_deref().unwrap().contains(next), "{existing:?}");
        stacks.delete(&name, None).await.unwrap();
        while stacks.describe(&name).await.unwrap().is_some() {
            tokio::time::sleep(std::time::Duration::from_millis(30)).await;
        }
    }
}

#[test]
fn the_verb_says_it_and_ends_well() {
    let demo = Demo::start(&["--iam-delay", "0"]);
    let home = crate::cli_journey::deployed(&demo);
    let ran = home.glueup(&["link", "catalog", "Lake House"]).ok();
    let first = ran.stdout.lines().next().unwrap();
    assert!(first.contains("#/stacks/stackinfo?"), "{first}");
    assert!(
        ran.stderr.contains("already deployed") && ran.stderr.contains("nothing to do"),
        "{}",
        ran.stderr
    );
    // A second, independent stack: the command of both is the same, and does what it says.
    let command = "glueup catalog add --name 'Lake House-2' --region us-west-2 --s3-path s3://acme-lake/warehouse \
                   --access read-only --connection sales-prod";
    let verbs: [(&str, &[&str]); 2] = [("link", &[]), ("deploy", &["--yes"])];
    for (verb, flags) in verbs {
        let said = home
            .glueup(&[&[verb, "catalog", "Lake House"], flags].concat())
            .ok()
            .stderr;
        assert!(
            said.contains(&format!("a suffix of its own: {command}")),
            "{verb}: {said}"
        );
    }
    let words: Vec<&str> = command.split(' ').collect();
    let words: Vec<&str> = [&words[1..4], &["Lake House-2"], &words[6..]].concat();
    home.glueup(&words).ok();
    let apart = home
        .glueup(&["link", "catalog", "Lake House-2", "--output", "json"])
        .ok()
        .json();
    assert!(apart["existing"].is_null(), "{apart}");
    assert_ne!(apart["stack_name"], "", "{apart}");
    let json = home
        .glueup(&["link", "catalog", "Lake House", "--output", "json"])
        .ok()
        .json();
    assert_eq!(json["existing"]["status"], "CREATE_COMPLETE", "{json}");
    assert_eq!(json["stack_url"], first, "{json}");
    assert!(
        json["url"].as_str().unwrap().contains("#/stacks/create/review?"),
        "{json}"
    );
    assert!(
        json["template_url"].is_string() && json["parameters"].is_object(),
        "{json}"
    );
}

#[test]
fn who_is_not_signed_in_still_gets_the_link_and_is_told_that_it_was_not_checked() {
    let home = crate::support::fake::recorded("aws", "us-west-2", true)
        .without("AWS_ACCESS_KEY_ID")
        .without("AWS_SECRET_ACCESS_KEY");
    publish_note(&home);
    let ran = home.glueup(&["link", "connection", "c", "--output", "json"]).ok();
    let json = ran.json();
    assert!(
        json["url"]
            .as_str()
            .unwrap()
            .starts_with("https://us-west-2.console.aws.amazon.com/"),
        "{json}"
    );
    assert!(json["template_url"].is_string(), "{json}");
    assert_eq!(json["template"]["status"], "skipped", "{json}");
    let answer = json["template"]["answer"].as_str().unwrap();
    assert!(answer.contains("no credentials found"), "{answer}");
    let text = home.glueup(&["link", "connection", "c"]).ok();
    assert!(text.stderr.contains("not checked"), "{}", text.stderr);
}

/// As it stands after a template was published to AWS.
fn publish_note(home: &Home) {
    let shown = home.glueup(&["template", "show", "connection", "c"]).ok().stdout;
    let sha256 = {
        use sha2::{Digest, Sha256};
        hex::encode(Sha256::digest(shown.as_bytes()))
    };
    let key = format!("glueup/{sha256}/connection.yaml");
    let note = serde_json::json!({"connection.yaml": {
        "url": format!("https://acme.s3.us-west-2.amazonaws.com/{key}"),
        "bucket": "acme", "key": key, "sha256": sha256, "at": "2026-11-30T08:00:00Z",
    }});
    let folder = home.records().join("state");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("templates.json"), note.to_string()).unwrap();
}
