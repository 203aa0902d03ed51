//! Listing stays below the prefix: what the policies allow of it, and what the program asks for.

use crate::browse::{browse, schema_of};
use crate::deploy::{catalog, connection, deploy, recorded, yes};
use crate::support::between::before;
use crate::support::deployed::{Deployed, EXTERNAL_ID};
use crate::support::fake::Asked;
use crate::support::jobs::World;
use crate::verify::verify;
use glueup::browse::Request as Browse;
use glueup::cloud::iam::{Decision, Question};
use glueup::cloud::{Aws, chain, is_access_denied};
use glueup::demo::Options;
use glueup::domain::region::Partition;
use glueup::job::Job;
use glueup::stack::Request as Stack;
use glueup::stack::parameters::{AccessInput, access};
use glueup::stack::template::TemplateKind;

const GRANTING: [TemplateKind; 4] = [
    TemplateKind::GlueReadOnly,
    TemplateKind::GlueReadWrite,
    TemplateKind::StorageReadOnly,
    TemplateKind::StorageReadWrite,
];
/// What a listing may ask for where `warehouse/` is granted, and whether it is below.
const PREFIXES: [(&str, bool); 6] = [
    ("warehouse/", true),
    ("warehouse/sales/", true),
    ("warehouse", false),
    ("warehouse_archive/", false),
    ("ware", false),
    ("", false),
];
const BUCKET: &str = "arn:aws:s3:::acme-lake";

/// An embedded AWS, and a role in it that has the rights of this template below `warehouse/`.
async fn granted(kind: TemplateKind) -> (Deployed, String) {
    let world = Deployed::start(Options::default()).await;
    let role = world.connection("glueup-connection-sales").await;
    let input = AccessInput {
        account: world.handle.account_id.clone(),
        partition: "aws".into(),
        region: world.handle.region.clone(),
        role_name: role.rsplit('/').next().unwrap().into(),
        bucket: "acme-lake".into(),
        prefix: "warehouse/".into(),
        organization: "self".into(),
        record: "lake".into(),
        ..AccessInput::default()
    };
    world
        .stack("glueup-granted", kind.text(), access(kind, &input).unwrap())
        .await;
    (world, role)
}

async fn decided(aws: &Aws, role: &str, action: &'static str, prefix: Option<&str>) -> Decision {
    let question = Question {
        actions: vec![action],
        resources: vec![BUCKET.to_owned()],
        context: prefix
            .map(|prefix| ("s3:prefix", prefix.to_owned()))
            .into_iter()
            .collect(),
    };
    let mut answers = aws.iam(Partition::Aws).simulate(&role, &question).await.unwrap();
    answers.remove(0).decision
}

#[tokio::test]
async fn the_policies_allow_listing_below_the_prefix_alone_and_the_region_always() {
    for kind in GRANTING {
        let (world, role) = granted(kind).await;
        for (prefix, below) in PREFIXES {
            let decision = decided(&world.admin, &role, "s3:ListBucket", Some(prefix)).await;
            assert_eq!(
                decision == Decision::Allowed,
                below,
                "{kind:?}, simulated: {prefix:?}"
            );
        }
        // Whoever asks for the region of a bucket names no prefix: a condition on it would always refuse.
        let region = decided(&world.admin, &role, "s3:GetBucketLocation", None).await;
        assert_eq!(region, Decision::Allowed, "{kind:?}");
        let bare = decided(&world.admin, &role, "s3:ListBucket", None).await;
        assert_eq!(bare, Decision::ImplicitDeny, "{kind:?}");
        // And by use.
        let broker = world.handle.broker_role_arn.parse().unwrap();
        let (arn, id, region) = (
            role.parse().unwrap(),
            EXTERNAL_ID.parse().unwrap(),
            world.region(),
        );
        let session = chain::connect(&world.admin, Some(&broker), &arn, &id, &region, "t").await;
        let s3 = session.unwrap().s3(&region);
        for (prefix, below) in PREFIXES {
            match s3.list("acme-lake", prefix, 1).await {
                Ok(_) => assert!(below, "{kind:?}, listed: {prefix:?}"),
                Err(problem) => assert!(
                    !below && is_access_denied(&problem),
                    "{kind:?} {prefix:?}: {problem:?}"
                ),
            }
        }
    }
}

/// The prefix of a listing; `None` for every other request.
fn listed(asked: &Asked) -> Option<String> {
    let (path, query) = asked.target.split_once('?')?;
    let of_bucket = path.trim_matches('/').split('/').count() == 1;
    let fields: Vec<_> = form_urlencoded::parse(query.as_bytes()).collect();
    let field = |name: &str| fields.iter().find(|(key, _)| key == name).map(|(_, value)| value);
    (asked.method == "GET" && of_bucket && field("list-type").is_some())
        .then(|| field("prefix").map(ToString::to_string).unwrap_or_default())
}

/// `table` would show what lies in `table_archive/` too, and is refused where `table/` is granted.
#[tokio::test]
async fn whatever_is_listed_its_prefix_ends_in_a_slash() {
    let world = World::start();
    recorded(&world).await;
    let fake = before(&world.demo.endpoint_url, |_| None);
    let session = world.through(&fake);
    for target in [connection(), catalog()] {
        let preflight = Stack::Preflight {
            target: target.clone(),
            role_arn: None,
        };
        yes(&session, Job::Stack(preflight)).await.end.unwrap();
        yes(&session, deploy(target)).await.deployed();
    }
    yes(&session, verify()).await.end.unwrap();
    let lake = "Lake House".parse().unwrap();
    let databases = Browse::Databases {
        catalog: lake,
        as_caller: false,
    };
    browse(&session, databases).await;
    for table in ["orders", "orders_lost"] {
        browse(&session, schema_of("sales", table)).await;
    }
    let listed: Vec<String> = fake.asked().iter().filter_map(listed).collect();
    let below = |prefix: &str| listed.iter().filter(|listed| listed.starts_with(prefix)).count();
    assert!(listed.len() >= 5 && below("warehouse/") >= 2, "{listed:?}");
    // A missing file is looked for too.
    assert!(below("warehouse/sales/orders_lost/") >= 1, "{listed:?}");
    let bare: Vec<_> = listed
        .iter()
        .filter(|prefix| !prefix.is_empty() && !prefix.ends_with('/'))
        .collect();
    // The one that must be refused, which the rung on what lies beside the prefix tries.
    assert_eq!(bare, ["warehouse"]);
}
