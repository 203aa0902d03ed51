//! The looks at stacks behind the screens: what is seen late, slowly, or while somebody else is at work.

use crate::deploy::{catalog, connection, yes};
use crate::setup::{add_catalog, new_catalog};
use crate::stack_gone::{deleted, grant, looked};
use crate::support::between::before;
use crate::support::fake::{Asked, Reply};
use crate::support::jobs::World;
use crate::verify::{deployed, report, rung, verify};
use crate::verify_breaks::through;
use glueup::cloud::Settings;
use glueup::domain::status::Status;
use glueup::job::{Event, Job, Update};
use glueup::registry::{Catalog, Connection, Home};
use glueup::session::Session;
use glueup::stack::look::Sight;
use glueup::stack::{self, Request};
use glueup::verify::RungId;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

const ROLE_STACK: &str = "glueup-connection-sales";
/// In another region, so that no look at this one takes it for gone.
const ANEW: &str = "arn:aws:cloudformation:eu-west-1:012345678901:stack/anew/11112222";

/// Whether a stack is asked for by its name, not by its id.
fn describes(asked: &Asked, name: &str) -> bool {
    let mut fields = asked.body.split('&');
    asked.action() == "DescribeStacks" && fields.any(|field| field == format!("StackName={name}"))
}

/// Waits until `done`, ten seconds at most; whether it came to that.
fn came(done: &AtomicBool) -> bool {
    let until = Instant::now() + Duration::from_secs(10);
    while !done.load(SeqCst) && Instant::now() < until {
        std::thread::sleep(Duration::from_millis(10));
    }
    done.load(SeqCst)
}

/// As a deployment from another terminal leaves the records.
fn deployed_elsewhere(home: &Home) {
    let stored = home.catalog(&"Lake House".parse().unwrap()).unwrap();
    let changed = Catalog {
        stack_id: Some(ANEW.to_owned()),
        deployed: true,
        ..stored.record.clone()
    };
    home.update(&stored, changed).unwrap();
    let stored = home.connection(&"sales".parse().unwrap()).unwrap();
    let changed = Connection {
        stack_id: Some(ANEW.to_owned()),
        ..stored.record.clone()
    };
    home.update(&stored, changed).unwrap();
}

/// A session in which somebody deploys just when it has been seen that a stack is gone: who deleted it is asked after that.
fn while_somebody_deploys(world: &World) -> Session {
    let home = world.home.clone();
    through(world, move |asked| {
        if asked.action() == "LookupEvents" {
            deployed_elsewhere(&home);
        }
        None
    })
}

#[tokio::test]
async fn a_stack_that_was_deployed_meanwhile_is_not_forgotten_by_verify() {
    let world = World::start();
    let session = deployed(&world).await;
    deleted(&session, grant(&world).stack_name.as_str()).await;
    let ran = yes(&while_somebody_deploys(&world), verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    assert!(databases.answer.contains("is gone"), "{databases:#?}");
    let after = grant(&world);
    assert_eq!((after.stack_id.as_deref(), after.deployed), (Some(ANEW), true));
}

#[tokio::test]
async fn a_stack_that_was_deployed_meanwhile_is_not_forgotten_by_a_look_at_all() {
    let world = World::start();
    let session = deployed(&world).await;
    deleted(&session, grant(&world).stack_name.as_str()).await;
    deleted(&session, ROLE_STACK).await;
    let sights = looked(&while_somebody_deploys(&world)).await;
    assert!(
        !sights.iter().any(|sight| *sight.target() == connection()),
        "{sights:?}"
    );
    let serving = world.home.connection(&"sales".parse().unwrap()).unwrap();
    assert_eq!(serving.stack_id.as_deref(), Some(ANEW));
    assert!(serving.role_arn.is_some());
    // Its policies are as they were, too.
    assert!(grant(&world).deployed);
}

#[tokio::test]
async fn what_is_gone_is_told_while_a_neighbour_is_slow_to_answer() {
    let world = World::start();
    let session = deployed(&world).await;
    let (slow, _) = add_catalog(&session, new_catalog("A slow one", "sales")).await;
    deleted(&session, grant(&world).stack_name.as_str()).await;
    let told = Arc::new(AtomicBool::new(false));
    let (name, done) = (slow.stack_name.to_string(), told.clone());
    let session = through(&world, move |asked| {
        if describes(asked, &name) {
            came(&done);
        }
        None
    });
    session.aws().await.unwrap().identity().await.unwrap();
    let mut running = glueup::job::start(&session, Job::Stack(Request::Look));
    let first = tokio::time::timeout(Duration::from_secs(8), running.next()).await;
    told.store(true, SeqCst);
    let Ok(Some(Event::Update(Update::Stack(stack::Update::Sight(Sight::Gone(gone)))))) = first else {
        panic!("{first:?}")
    };
    assert_eq!(gone.target, catalog());
    assert_eq!(grant(&world).stack_id, None);
}

#[tokio::test]
async fn a_look_reads_no_other_record_for_each() {
    let world = World::start();
    let session = deployed(&world).await;
    deleted(&session, grant(&world).stack_name.as_str()).await;
    // While the catalog is looked at, nobody can list the storage integrations.
    let folder = world.folder().join("home/storages");
    std::fs::create_dir_all(&folder).unwrap();
    let session = through(&world, move |asked| {
        if describes(asked, ROLE_STACK) {
            std::fs::remove_dir(&folder).unwrap();
            std::fs::write(&folder, "").unwrap();
        } else if asked.action() == "LookupEvents" {
            std::fs::remove_file(&folder).unwrap();
        }
        None
    });
    let sights = looked(&session).await;
    let [Sight::Gone(gone)] = sights.as_slice() else {
        panic!("{sights:?}")
    };
    assert_eq!(gone.target, catalog());
}

#[tokio::test]
async fn verify_asks_for_each_stack_once() {
    let world = World::start();
    deployed(&world).await;
    let name = grant(&world).stack_name.to_string();
    let refused = AtomicBool::new(false);
    let fake = before(&world.demo.endpoint_url, move |asked| {
        let first = asked.action() == "GetDatabases" && !refused.swap(true, SeqCst);
        first.then(|| {
            let words = "User: arn:aws:sts::012345678901:assumed-role/lake/glueup-verify is not authorized to perform: \
                         glue:GetDatabases on resource: arn:aws:glue:us-west-2:012345678901:catalog because no \
                         identity-based policy allows the glue:GetDatabases action";
            Reply::error(400, "AccessDeniedException", words)
        })
    });
    let (region, admin) = ("us-west-2".parse().unwrap(), &world.demo.admin);
    let settings = Settings::demo(fake.url(), region, &admin.id, &admin.secret);
    let ran = yes(&Session::new(world.home.clone(), settings), verify()).await;
    let databases = rung(report(&ran), RungId::Databases);
    assert_ne!(databases.status, Status::Skipped, "{databases:#?}");
    for stack in [name.as_str(), ROLE_STACK] {
        let asked = fake.asked();
        let times = asked.iter().filter(|asked| describes(asked, stack)).count();
        assert_eq!(times, 1, "{stack}");
    }
}

#[tokio::test]
async fn the_keys_are_looked_for_beside_the_rights() {
    let world = World::start();
    deployed(&world).await;
    let looked = Arc::new(AtomicBool::new(false));
    let beside = Arc::new(AtomicBool::new(true));
    let seen = beside.clone();
    let session = through(&world, move |asked| {
        if asked.action() == "GetDataCatalogEncryptionSettings" {
            looked.store(true, SeqCst);
        } else if asked.action() == "SimulatePrincipalPolicy" && !came(&looked) {
            seen.store(false, SeqCst);
        }
        None
    });
    let ask = Job::Stack(Request::Preflight {
        target: catalog(),
        role_arn: None,
    });
    assert!(yes(&session, ask).await.end.is_ok());
    assert!(beside.load(SeqCst), "the keys came after the rights");
}
