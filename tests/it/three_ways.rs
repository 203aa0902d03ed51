//! Deployed from here, in the browser, or by somebody's own pipeline with the saved template: all three end in the same
//! state, in AWS, on record and under Verify.

use crate::cli_journey::recorded;
use crate::cli_refusals::json_of;
use crate::support::demo::Demo;
use crate::support::home::Home;
use crate::support::jobs;
use crate::support::peers::{self, Peer};
use crate::support::wait_for;
use crate::support::webdriver::Browser;
use glueup::cloud::Settings;
use glueup::job::{Job, Outcome};
use glueup::registry;
use glueup::registry::Holder;
use glueup::session::Session;
use glueup::stack::{self, Request, Target};
use serde_json::{Map, Value, json};

/// The records, in the order in which their stacks can be made.
const ALL: [[&str; 2]; 3] = [
    ["connection", "sales-prod"],
    ["catalog", "Lake House"],
    ["storage", "raw files"],
];

/// An embedded AWS with nothing of ours in it, and a home in which nothing is deployed.
struct Place {
    demo: Demo,
    home: Home,
}

impl Place {
    fn start() -> Place {
        let demo = Demo::start(&["--iam-delay", "0"]);
        let home = recorded(&demo);
        let add = "storage add --name NAME --s3-path s3://acme-lake/warehouse --access read-only --connection sales-prod";
        let words: Vec<&str> = add
            .split(' ')
            .map(|w| if w == "NAME" { "raw files" } else { w })
            .collect();
        home.glueup(&words).ok();
        Place { demo, home }
    }

    fn shown(&self, [owner, name]: [&str; 2]) -> Value {
        json_of(&self.home, &[owner, "show", name]).ok().json()
    }

    fn stack(&self, target: [&str; 2]) -> String {
        self.shown(target)["stack_name"].as_str().unwrap().to_owned()
    }

    /// Waits for the stack as the wizard does, while `make` makes it elsewhere; the program is asked nothing.
    fn noticed(&self, [owner, name]: [&str; 2], make: impl FnOnce()) {
        let target = match owner {
            "connection" => Target::Connection(name.parse().unwrap()),
            "catalog" => Target::Grant(Holder::Catalog(name.parse().unwrap())),
            _ => Target::Grant(Holder::Storage(name.parse().unwrap())),
        };
        let settings = Settings::demo(
            self.demo.endpoint(),
            self.demo.field("region").parse().unwrap(),
            self.demo.field("access_key_id"),
            self.demo.field("secret_access_key"),
        );
        let session = Session::new(registry::Home::at(self.home.records()), settings);
        std::thread::scope(|scope| {
            let watching = scope.spawn(|| {
                let runtime = tokio::runtime::Runtime::new().unwrap();
                let watch = Job::Stack(Request::Watch(target));
                runtime.block_on(jobs::run(&session, watch, |ask| {
                    panic!("watching asks nothing: {ask:?}")
                }))
            });
            make();
            let end = watching.join().unwrap().end;
            assert!(
                matches!(end, Ok(Outcome::Stack(stack::Outcome::Deployed(_)))),
                "{end:?}"
            );
        });
    }
}

/// A way of deploying, and what it does.
type Way = (&'static str, fn(&Place));

fn from_here(place: &Place) {
    for [owner, name] in ALL {
        place.home.glueup(&["deploy", owner, name, "--yes"]).ok();
    }
}

/// Each link is followed in a browser, and nothing is done there but to tick and to press Create stack.
fn in_the_browser(place: &Place) {
    let browser = Browser::start();
    for target in ALL {
        let [owner, name] = target;
        let link = json_of(&place.home, &["link", owner, name]).ok().json();
        place.noticed(target, || {
            browser.open("about:blank");
            browser.open(link["url"].as_str().unwrap());
            browser.wait_for("I acknowledge that AWS CloudFormation might create IAM resources.");
            browser.click(&browser.find("#acknowledge"));
            browser.click(&browser.find("#create-stack"));
            let status = || browser.text_of(&browser.find("#stack-status"));
            let made = || (status() == "CREATE_COMPLETE").then_some(());
            wait_for("CREATE_COMPLETE", || browser.text(), made);
        });
    }
}

/// The saved template and the note of its parameters are handed to boto3 as they are.
fn by_boto3(place: &Place) {
    for target in ALL {
        let [owner, name] = target;
        let stack = place.stack(target);
        let file = place.home.path().join(format!("{stack}.yaml"));
        let file = file.display().to_string();
        place
            .home
            .glueup(&["template", "save", owner, name, "--to", &file])
            .ok();
        let parameters = file.replace(".yaml", ".parameters.json");
        place.noticed(target, || {
            peers::script(
                &place.home,
                "three_ways.py",
                &["create", &stack, &file, &parameters],
            )
            .ok();
        });
    }
}

/// Takes away what says when and how long, whatever its name is in whichever document.
fn timeless(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !matches!(name.as_str(), "at" | "ms" | "request_id"));
            fields.values_mut().for_each(timeless);
        }
        Value::Array(list) => list.iter_mut().for_each(timeless),
        _ => {}
    }
}

/// All that there is, in AWS, on record and under Verify; what is made up anew each time stands as a word for itself.
fn state(place: &Place) -> Value {
    let mut whole = Map::new();
    let stacks: Vec<String> = ALL.iter().map(|target| place.stack(*target)).collect();
    let words: Vec<&str> = ["state"]
        .into_iter()
        .chain(stacks.iter().map(String::as_str))
        .collect();
    let in_aws = peers::script(&place.home, "three_ways.py", &words).ok().json();
    let mut made_up = vec![(place.demo.endpoint().to_owned(), "<endpoint>".to_owned())];
    for (stack, target) in stacks.iter().zip(ALL) {
        let id = in_aws[stack]["id"].as_str().unwrap().rsplit('/').next().unwrap();
        made_up.push((id.to_owned(), format!("<stack id of {}>", target[1])));
        let record = in_aws[stack]["parameters"]["Record"].as_str().unwrap();
        made_up.push((record.to_owned(), format!("<record {}>", target[1])));
        for resource in in_aws[stack]["resources"].as_array().unwrap() {
            let name = resource[2].as_str().unwrap();
            made_up.push((name.to_owned(), format!("<name of {}>", resource[0])));
        }
    }
    let external_id = in_aws[&stacks[0]]["outputs"]["ExternalId"].as_str().unwrap();
    made_up.push((external_id.to_owned(), "<external id>".to_owned()));
    whole.insert("in AWS".to_owned(), in_aws);
    for verb in [
        "connection verify sales-prod",
        "verify NAME",
        "storage verify FILES",
    ] {
        let words: Vec<&str> = verb
            .split(' ')
            .map(|word| match word {
                "NAME" => "Lake House",
                "FILES" => "raw files",
                word => word,
            })
            .collect();
        let report = json_of(&place.home, &words).ok().json();
        // Some of the demo's tables lie elsewhere on purpose: that is a warning.
        assert_ne!(report["verdict"], "failed", "{report:#}");
        whole.insert(verb.to_owned(), report);
    }
    for target in ALL {
        whole.insert(format!("record {}", target[1]), place.shown(target));
    }
    let mut whole = Value::Object(whole);
    timeless(&mut whole);
    let mut text = serde_json::to_string(&whole).unwrap();
    for (value, word) in made_up {
        assert!(text.contains(&value), "{word} {value} is nowhere in {text}");
        // It stands in JSON text, and so must have no quotes.
        text = text.replace(&value, &word.replace('"', ""));
    }
    // What Verify asks for in order to be refused is invented each time.
    for front in ["glueup_probe_", "glueup-probe-"] {
        let mut parts = text.split(front);
        let mut masked = parts.next().unwrap().to_owned();
        for part in parts {
            assert!(part[..32].chars().all(|c| c.is_ascii_hexdigit()), "{part}");
            masked = masked + "<probe>" + &part[32..];
        }
        text = masked;
    }
    serde_json::from_str(&text).unwrap()
}

/// The tags of the stacks themselves, taken out of the state.
fn stack_tags(state: &mut Value) -> Vec<Value> {
    let stacks = state["in AWS"].as_object_mut().unwrap();
    stacks
        .values_mut()
        .map(|stack| stack.as_object_mut().unwrap().remove("tags").unwrap())
        .collect()
}

/// Where two documents differ, in a line each.
fn differences(at: &str, one: &Value, other: &Value, found: &mut Vec<String>) {
    match (one, other) {
        (Value::Object(a), Value::Object(b)) => {
            for name in a.keys().chain(b.keys().filter(|name| !a.contains_key(*name))) {
                let (a, b) = (
                    a.get(name).unwrap_or(&Value::Null),
                    b.get(name).unwrap_or(&Value::Null),
                );
                differences(&format!("{at}/{name}"), a, b, found);
            }
        }
        (Value::Array(a), Value::Array(b)) if a.len() == b.len() => {
            for (n, (a, b)) in a.iter().zip(b).enumerate() {
                differences(&format!("{at}/{n}"), a, b, found);
            }
        }
        _ if one != other => found.push(format!("{at}: {one} / {other}")),
        _ => {}
    }
}

#[test]
fn three_ways_to_deploy_end_in_the_same_verified_state() {
    let test = "three_ways_to_deploy_end_in_the_same_verified_state";
    if !peers::present(test, &[Peer::Browser, Peer::Boto3]) {
        return;
    }
    let ways: [Way; 3] = [
        ("from here", from_here),
        ("in the browser", in_the_browser),
        ("by boto3", by_boto3),
    ];
    let ended: Vec<(&str, Value)> = std::thread::scope(|scope| {
        let each = ways.map(|(way, deploy)| {
            let deployed = scope.spawn(move || {
                let place = Place::start();
                deploy(&place);
                let state = state(&place);
                for [owner, name] in ALL {
                    let again = place.home.glueup(&["deploy", owner, name, "--yes"]).ok();
                    assert!(again.stderr.contains("nothing to do"), "{way}: {}", again.stderr);
                }
                state
            });
            (way, deployed)
        });
        each.map(|(way, deployed)| (way, deployed.join().unwrap())).into()
    });
    let mut ended = ended.into_iter();
    let (_, mut first) = ended.next().unwrap();
    for tags in stack_tags(&mut first) {
        let names: Vec<&String> = tags.as_object().unwrap().keys().collect();
        assert_eq!(names, ["glueup:organization", "glueup:record"]);
    }
    assert_eq!(first["record Lake House"]["stage"], "ready", "{first:#}");
    for (way, mut state) in ended {
        // Neither a link nor that note of parameters can carry tags of a stack: there the parameters say whose it is, and
        // the template puts the tags on the role itself.
        assert!(
            stack_tags(&mut state).iter().all(|tags| *tags == json!({})),
            "{way}"
        );
        let mut found = Vec::new();
        differences("", &first, &state, &mut found);
        assert!(found.is_empty(), "{way}:\n{}", found.join("\n"));
    }
}
