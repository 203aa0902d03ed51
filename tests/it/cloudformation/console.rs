//! The console page and the paths that its script asks.

use super::*;
use crate::support::http;
use serde_json::{Value, json};

fn console(aws: &Aws, path: &str, headers: &[(&str, &str)], body: Option<&Value>) -> (u16, String) {
    let address = aws.handle.endpoint_url.strip_prefix("http://").unwrap();
    let (method, body) = match body {
        Some(body) => ("POST", body.to_string()),
        None => ("GET", String::new()),
    };
    let answer = http::request(address, method, path, headers, body.as_bytes()).unwrap();
    (answer.status, answer.text())
}

#[test]
fn the_console_creates_what_its_page_asks_for() {
    let aws = Aws::start(Options::default());
    let header = [("x-glueup-console", "1")];
    let ask = |path: &str, body: Value| {
        let (status, text) = console(&aws, &format!("/_console/api/{path}"), &header, Some(&body));
        (status, serde_json::from_str::<Value>(&text).unwrap())
    };
    for path in ["/_console", "/_console/cloudformation/home?region=us-west-2"] {
        let (status, page) = console(&aws, path, &[], None);
        assert_eq!(status, 200);
        assert!(page.contains("I acknowledge that AWS CloudFormation might create IAM resources."));
    }
    let url = aws.template_url(TemplateKind::Connection);
    let (_, template) = ask("template", json!({"as": "admin", "template_url": url}));
    assert_eq!(template["capability"], "CAPABILITY_IAM");
    assert_eq!(template["parameters"][0]["name"], "AccountId");

    let request = |who: &str, capabilities: Value| {
        json!({"as": who, "region": "us-west-2", "stack_name": "c", "template_url": url,
               "parameters": aws.connection_parameters(), "capabilities": capabilities})
    };
    let (status, answer) = ask("create", request("admin", json!([])));
    assert_eq!(
        (status, answer["error"]["code"].as_str()),
        (400, Some("InsufficientCapabilitiesException"))
    );
    let (_, answer) = ask("create", request("stranger", json!(["CAPABILITY_IAM"])));
    let message = answer["error"]["message"].as_str().unwrap();
    assert!(
        message.contains("This stack belongs in another AWS account"),
        "{message}"
    );
    let (status, _) = ask("create", request("outsider", json!(["CAPABILITY_IAM"])));
    assert_eq!(status, 403);
    let (_, answer) = ask("create", request("admin", json!(["CAPABILITY_IAM"])));
    let id = answer["stack_id"].as_str().unwrap();
    let begun = Instant::now();
    let stack = loop {
        let (_, stack) = ask(
            "stack",
            json!({"as": "admin", "region": "us-west-2", "stack": id}),
        );
        if stack["busy"] == false {
            break stack;
        }
        assert!(begun.elapsed() < Duration::from_secs(30), "{stack}");
        std::thread::sleep(Duration::from_millis(50));
    };
    assert_eq!(stack["status"], "CREATE_COMPLETE");
    assert_eq!(stack["outputs"][0]["key"], "RoleArn");
    let (_, list) = ask("stacks", json!({"as": "stranger", "region": "us-west-2"}));
    assert_eq!(list["stacks"], json!([]), "another account sees its own stacks");
}

#[test]
fn other_pages_cannot_use_the_console() {
    let aws = Aws::start(Options::default());
    let body = json!({"as": "admin"});
    let path = "/_console/api/stacks";
    assert_eq!(
        console(&aws, path, &[("x-glueup-console", "1")], Some(&body)).0,
        200
    );
    assert_eq!(console(&aws, path, &[], Some(&body)).0, 403, "without the header");
    let foreign = [("x-glueup-console", "1"), ("Origin", "https://evil.example")];
    assert_eq!(console(&aws, path, &foreign, Some(&body)).0, 403);
    let address = aws.handle.endpoint_url.strip_prefix("http://").unwrap();
    let page = http::get(address, "/_console").unwrap();
    let policy = page.header("content-security-policy").unwrap();
    assert!(
        policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
        "{policy}"
    );
    assert!(!page.text().contains("<script>") && !page.text().contains("style="));
    let preflight = http::request(
        address,
        "OPTIONS",
        path,
        &[("Origin", "http://localhost:1"), ("x-glueup-console", "1")],
        b"",
    );
    assert!(preflight.unwrap().header("access-control-allow-origin").is_none());
}
