//! The other AWSs: in China, GovCloud, the European Sovereign Cloud and the ISO partitions every ARN, host and link is
//! theirs, and nothing of one partition is mixed with another's.

use crate::support::fake::{self, ACCOUNT, Fake, Reply};
use crate::support::home::Home;
use glueup::cloud::Settings;
use glueup::job::{self, Job, Outcome};
use glueup::registry::Home as Records;
use glueup::session::Session;
use serde_json::Value;

/// Partition, region, the ending of its hosts, and where its console is.
const PLACES: [(&str, &str, &str, Option<&str>); 8] = [
    (
        "aws",
        "ap-southeast-1",
        "amazonaws.com",
        Some("https://ap-southeast-1.console.aws.amazon.com/"),
    ),
    (
        "aws-cn",
        "cn-north-1",
        "amazonaws.com.cn",
        Some("https://console.amazonaws.cn/"),
    ),
    (
        "aws-cn",
        "cn-northwest-1",
        "amazonaws.com.cn",
        Some("https://console.amazonaws.cn/"),
    ),
    (
        "aws-us-gov",
        "us-gov-west-1",
        "amazonaws.com",
        Some("https://console.amazonaws-us-gov.com/"),
    ),
    (
        "aws-us-gov",
        "us-gov-east-1",
        "amazonaws.com",
        Some("https://console.amazonaws-us-gov.com/"),
    ),
    (
        "aws-eusc",
        "eusc-de-east-1",
        "amazonaws.eu",
        Some("https://eusc-de-east-1.console.amazonaws-eusc.eu/"),
    ),
    ("aws-iso", "us-iso-east-1", "c2s.ic.gov", None),
    ("aws-iso-b", "us-isob-east-1", "sc2s.sgov.gov", None),
];

/// Every ARN in the text is of the partition; says how many there are.
#[track_caller]
fn arns_of(partition: &str, text: &str) -> usize {
    let all = text.matches("arn:").count();
    let own = text.matches(&format!("arn:{partition}:")).count();
    assert_eq!(all, own, "{partition}: {text}");
    all
}

#[test]
fn links_and_parameters_are_of_the_regions_partition() {
    for (partition, region, _, console) in PLACES {
        let home = fake::recorded(partition, region, true);
        for sort in ["connection", "catalog"] {
            let name = if sort == "catalog" { "lake" } else { "c" };
            let template = home
                .glueup(&["template", "show", sort, name, "--output", "json"])
                .ok()
                .json();
            let arns = arns_of(partition, &template["parameters"].to_string());
            assert!(sort == "catalog" || arns >= 2, "{template}");
            let link = home.glueup(&["link", sort, name, "--output", "json"]);
            let Some(console) = console else {
                let error = link.exits(3).error();
                assert!(error["why"].as_str().unwrap().contains(partition), "{error}");
                continue;
            };
            let link = link.ok().json();
            let url = link["url"].as_str().unwrap();
            assert!(url.starts_with(console), "{url}");
            assert!(
                url.contains(&format!("?region={region}#/stacks/create/")),
                "{url}"
            );
            arns_of(partition, &link.to_string());
            let signed_out = link["sign_out_url"].as_str();
            let host = match partition {
                "aws" => Some("https://signin.aws.amazon.com/"),
                "aws-cn" => Some("https://signin.amazonaws.cn/"),
                "aws-us-gov" => Some("https://signin.amazonaws-us-gov.com/"),
                _ => None,
            };
            assert_eq!(signed_out.is_some(), host.is_some(), "{link}");
            if let (Some(signed_out), Some(host)) = (signed_out, host) {
                assert!(signed_out.starts_with(host), "{signed_out}");
                let text = home.glueup(&["link", sort, name]).ok().stdout;
                assert!(text.starts_with(&format!("{url}\n")), "{text}");
                assert!(text.contains(signed_out), "{text}");
            }
        }
    }
}

/// A proxy that lets nobody through and remembers who wanted where.
fn proxy() -> Fake {
    Fake::start(|_| Reply {
        status: 502,
        ..Reply::xml("")
    })
}

fn hosts(proxy: &Fake) -> Vec<String> {
    let mut hosts: Vec<String> = proxy
        .asked()
        .iter()
        .inspect(|asked| assert_eq!(asked.method, "CONNECT"))
        .map(|asked| asked.target.trim_end_matches(":443").to_owned())
        .collect();
    hosts.sort();
    hosts.dedup();
    hosts
}

#[test]
fn each_partition_is_asked_at_its_own_hosts() {
    for (partition, region, suffix, _) in PLACES {
        let out = proxy();
        let home = fake::recorded(partition, region, false).with("HTTPS_PROXY", out.url());
        home.glueup(&["connection", "verify", "c"]).exits(1);
        home.glueup(&["deploy", "connection", "c", "--yes"]).exits(5);
        assert_eq!(hosts(&out), [format!("sts.{region}.{suffix}")]);

        let (out, sts) = (
            proxy(),
            Fake::start(move |asked| fake::sts(asked, partition).unwrap()),
        );
        let home = home
            .with("HTTPS_PROXY", out.url())
            .with("AWS_ENDPOINT_URL_STS", sts.url());
        home.glueup(&["ls", "lake"]).exits(5);
        assert_eq!(hosts(&out), [format!("glue.{region}.{suffix}")]);
        home.glueup(&["deploy", "connection", "c", "--yes"]).exits(5);
        assert_eq!(
            hosts(&out),
            [
                format!("cloudformation.{region}.{suffix}"),
                format!("glue.{region}.{suffix}")
            ]
        );
    }
}

#[test]
fn every_hop_asks_the_regions_own_sts_where_no_region_is_set() {
    for (partition, region, ..) in PLACES {
        for (profile_region, broker) in [(None, true), (None, false), (Some("eu-west-1"), true)] {
            let world = Fake::start(move |asked| {
                fake::sts(asked, partition)
                    .unwrap_or_else(|| Reply::json(&serde_json::json!({ "DatabaseList": [{ "Name": "d" }] })))
            });
            let mut home = fake::at(fake::recorded(partition, region, broker), &world);
            if let Some(region) = profile_region {
                home.set("AWS_REGION", region);
            }
            let names = home.glueup(&["ls", "lake", "--names"]).ok().stdout;
            assert_eq!(names, "d\n");
            let asked = world.asked();
            let hops: Vec<_> = asked.iter().filter(|a| a.action() == "AssumeRole").collect();
            assert_eq!(hops.len(), if broker { 2 } else { 1 });
            for hop in hops {
                assert_eq!(hop.region(), region);
                assert!(
                    hop.body.contains(&format!("arn%3A{partition}%3Aiam")),
                    "{}",
                    hop.body
                );
                let seconds = hop.body.split("DurationSeconds=").nth(1).unwrap();
                let seconds: u32 = seconds.split('&').next().unwrap().parse().unwrap();
                assert!(seconds <= 3600, "{seconds}");
            }
            for asked in asked.iter().filter(|a| a.action() == "GetCallerIdentity") {
                assert_eq!(asked.region(), profile_region.unwrap_or(region));
            }
            let listed = asked.iter().find(|a| a.action() == "GetDatabases").unwrap();
            assert_eq!(listed.region(), region);
        }
    }
}

/// IAM is one for a whole partition, and signs for the region that it lives in, at whatever endpoint.
#[test]
fn iam_is_asked_in_the_partitions_own_place() {
    for (partition, region, lives) in [
        ("aws", "ap-southeast-1", "us-east-1"),
        ("aws-cn", "cn-northwest-1", "cn-north-1"),
        ("aws-us-gov", "us-gov-east-1", "us-gov-west-1"),
        ("aws-eusc", "eusc-de-east-1", "eusc-de-east-1"),
    ] {
        let world = Fake::start(move |asked| {
            fake::sts(asked, partition).unwrap_or_else(|| Reply::query_error(403, "AccessDenied", "no"))
        });
        let iam = Fake::start(|_| Reply::query_error(403, "AccessDenied", "no"));
        let home = fake::at(fake::recorded(partition, region, false), &world)
            .with("AWS_ENDPOINT_URL_IAM", iam.url());
        home.glueup(&["verify", "lake"]).exits(1);
        let asked = iam.asked();
        let mut actions: Vec<&str> = asked.iter().map(|asked| asked.action()).collect();
        actions.sort_unstable();
        actions.dedup();
        assert_eq!(actions, ["GetRole", "SimulatePrincipalPolicy"]);
        for asked in &asked {
            assert_eq!(
                (asked.region(), asked.method.as_str()),
                (lives, "POST"),
                "{partition}"
            );
        }

        let out = proxy();
        let home = home
            .with("HTTPS_PROXY", out.url())
            .without("AWS_ENDPOINT_URL_IAM")
            .without("AWS_ENDPOINT_URL");
        let home = home.with("AWS_ENDPOINT_URL_STS", world.url());
        home.glueup(&["connection", "verify", "c"]);
        let host = match partition {
            "aws" => "iam.amazonaws.com".to_owned(),
            "aws-us-gov" => "iam.us-gov.amazonaws.com".to_owned(),
            "aws-cn" => format!("iam.{lives}.amazonaws.com.cn"),
            _ => format!("iam.{lives}.amazonaws.eu"),
        };
        assert!(hosts(&out).contains(&host), "{:?}", hosts(&out));
    }
}

fn add_connection(home: &Home, name: &str, arns: &[(&str, &str)]) -> crate::support::home::Ran {
    let mut add = vec![
        "connection",
        "add",
        "--name",
        name,
        "--account-id",
        ACCOUNT,
        "--output",
        "json",
    ];
    for (flag, arn) in arns {
        add.extend([*flag, *arn]);
    }
    home.glueup(&add)
}

fn add_catalog(home: &Home, connection: &str, region: &str, more: &[&str]) -> crate::support::home::Ran {
    let add = [
        "catalog",
        "add",
        "--name",
        "lake",
        "--region",
        region,
        "--s3-path",
        "s3://acme-lake/wh",
        "--access",
        "read-only",
        "--connection",
        connection,
        "--output",
        "json",
    ];
    home.glueup(&[&add[..], more].concat())
}

#[track_caller]
fn names_both(error: &Value, one: &str, other: &str) {
    let text = error.to_string();
    assert!(text.contains(one) && text.contains(other), "{error}");
}

#[test]
fn partitions_are_not_mixed_in_a_record() {
    let home = Home::new();
    let role = |partition: &str| format!("arn:{partition}:iam::{ACCOUNT}:role/engine");
    let boundary = |partition: &str| format!("arn:{partition}:iam::{ACCOUNT}:policy/b");
    let (aws, cn, gov, eusc) = (role("aws"), role("aws-cn"), role("aws-us-gov"), role("aws-eusc"));
    for (arns, one, other) in [
        ([("--trust", &aws), ("--broker-role", &cn)], "aws", "aws-cn"),
        ([("--trust", &gov), ("--role-arn", &aws)], "aws-us-gov", "aws"),
        ([("--trust", &eusc), ("--trust", &cn)], "aws-eusc", "aws-cn"),
        (
            [("--trust", &gov), ("--permissions-boundary", &boundary("aws"))],
            "aws-us-gov",
            "aws",
        ),
        (
            [("--trust", &aws), ("--permissions-boundary", &boundary("aws-cn"))],
            "aws",
            "aws-cn",
        ),
    ] {
        let arns: Vec<(&str, &str)> = arns.iter().map(|(flag, arn)| (*flag, arn.as_str())).collect();
        let error = add_connection(&home, "mixed", &arns).exits(2).error();
        names_both(&error, &format!("arn:{one}:"), &format!("arn:{other}:"));
    }
    for (name, trust) in [("aws", &aws), ("cn", &cn), ("gov", &gov), ("eusc", &eusc)] {
        add_connection(&home, name, &[("--trust", trust)]).ok();
    }
    for (connection, region, other) in [
        ("aws", "cn-north-1", "aws-cn"),
        ("aws", "us-gov-west-1", "aws-us-gov"),
        ("aws", "eusc-de-east-1", "aws-eusc"),
        ("aws", "us-iso-east-1", "aws-iso"),
        ("cn", "us-west-2", "aws-cn"),
        ("gov", "us-east-1", "aws-us-gov"),
        ("gov", "cn-northwest-1", "aws-cn"),
        ("eusc", "eu-central-1", "aws-eusc"),
    ] {
        let error = add_catalog(&home, connection, region, &[]).exits(2).error();
        names_both(&error, region, other);
    }
    let key = format!("arn:aws:kms:cn-north-1:{ACCOUNT}:key/1");
    let error = add_catalog(&home, "cn", "cn-north-1", &["--kms-key", &key])
        .exits(2)
        .error();
    names_both(&error, "KMS key", "aws-cn");
    let list = home.glueup(&["catalog", "list", "--output", "json"]).ok().json();
    assert_eq!(list["catalogs"], serde_json::json!([]));
}

#[tokio::test]
async fn who_we_are_is_asked_in_the_partition_of_the_records() {
    for (partition, region) in [
        ("aws-cn", "cn-northwest-1"),
        ("aws-us-gov", "us-gov-east-1"),
        ("aws", "eu-west-1"),
    ] {
        let sts = Fake::start(move |asked| fake::sts(asked, partition).unwrap());
        let home = fake::at(fake::recorded(partition, region, false), &sts);
        let asked_in = |sts: &Fake| -> Vec<String> {
            let identity = |asked: &&fake::Asked| asked.action() == "GetCallerIdentity";
            let asked = sts.asked();
            asked
                .iter()
                .filter(identity)
                .map(|asked| asked.region().to_owned())
                .collect()
        };
        // As the screen does, and as the verbs that ask whether the caller is an admin.
        let settings = Settings {
            region: None,
            ..Settings::demo(sts.url(), region.parse().unwrap(), "AKIA1", "secret")
        };
        let session = Session::new(Records::at(home.records()), settings);
        let mut running = job::start(&session, Job::Identity);
        let Some(job::Event::Done(Ok(Outcome::Identity(who)))) = running.next().await else {
            panic!("no identity")
        };
        assert_eq!(who.arn, format!("arn:{partition}:iam::{ACCOUNT}:user/ann"));
        home.glueup(&["init", "--admin", "*:user/ann"]).ok();
        assert_eq!(asked_in(&sts), [region, region]);
    }
}
