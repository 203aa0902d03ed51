//! The console page of the embedded AWS in a real browser: a quick-create link is followed and clicked through.

use crate::support::demo::Demo;
use crate::support::http;
use crate::support::peers::{self, Peer};
use crate::support::webdriver::Browser;
use glueup::stack::link::Console;
use glueup::stack::parameters::{ConnectionInput, connection};
use glueup::stack::template::{Parameters, TemplateKind};
use serde_json::Value;

/// What the embedded AWS says of itself.
fn about(demo: &Demo) -> Value {
    let address = demo.endpoint().trim_start_matches("http://");
    serde_json::from_slice(&http::get(address, "/_glueup").unwrap().body).unwrap()
}

/// The quick-create link of the shipped connection template with `parameters`.
fn link(demo: &Demo, stack: &str, parameters: &Parameters) -> String {
    let about = about(demo);
    let template = format!(
        "{}{}",
        about["template_base_url"].as_str().unwrap(),
        TemplateKind::Connection.object_key()
    );
    let console = Console::at(about["console_url"].as_str().unwrap());
    console
        .quick_create(demo.field("region"), stack, &template, parameters)
        .unwrap()
        .url
}

/// What glueup fills in for a connection to the demo's account.
fn filled_in(demo: &Demo, external_id: &str) -> Parameters {
    connection(&ConnectionInput {
        account: demo.field("account_id").into(),
        external_id: external_id.into(),
        trusted: vec![demo.field("broker_role_arn").into()],
        organization: "acme & sons".into(),
        record: "sales + prod".into(),
        ..ConnectionInput::default()
    })
    .unwrap()
}

fn value(browser: &Browser, css: &str) -> String {
    browser
        .property(&browser.find(css), "value")
        .as_str()
        .unwrap()
        .to_string()
}

#[test]
fn a_link_fills_in_the_page_and_a_stack_comes_of_it() {
    if !peers::present(
        "a_link_fills_in_the_page_and_a_stack_comes_of_it",
        &[Peer::Browser],
    ) {
        return;
    }
    let demo = Demo::start(&[]);
    let browser = Browser::start();
    // every character that a link could lose
    let external_id = "a+b=c,d.e@f:g/h-i_j";
    browser.open(&link(
        &demo,
        "glueup-connection-sales",
        &filled_in(&demo, external_id),
    ));
    assert_eq!(
        browser.text_of(&browser.find("#create-title")),
        "Quick create stack"
    );
    assert_eq!(value(&browser, "#param-ExternalId"), external_id);
    assert_eq!(value(&browser, "#stack-name"), "glueup-connection-sales");
    assert_eq!(value(&browser, "#param-AccountId"), demo.field("account_id"));
    assert_eq!(
        value(&browser, "#param-TrustedPrincipals"),
        demo.field("broker_role_arn")
    );
    assert_eq!(value(&browser, "#param-Record"), "sales + prod");

    // the template that will run is shown, to be read before anything is made
    let shown = browser.property(&browser.find("#template-text"), "textContent");
    assert_eq!(shown, TemplateKind::Connection.text());

    let create = browser.find("#create-stack");
    assert!(
        !browser.is_enabled(&create),
        "nothing may be created before the acknowledgement"
    );
    browser.click(&browser.find("#acknowledge"));
    assert!(browser.is_enabled(&create));
    browser.click(&create);
    browser.wait_for("CREATE_COMPLETE");
    browser.wait_for("arn:aws:iam::012345678901:role/");
    let text = browser.text();
    for event in ["CREATE_IN_PROGRESS", "ConnectionRole"] {
        assert!(text.contains(event), "{event} is missing:\n{text}");
    }
    assert_eq!(browser.complaints(), Vec::<String>::new());
}

#[test]
fn a_stack_in_the_wrong_account_is_refused_by_its_own_rule() {
    if !peers::present(
        "a_stack_in_the_wrong_account_is_refused_by_its_own_rule",
        &[Peer::Browser],
    ) {
        return;
    }
    let demo = Demo::start(&[]);
    let browser = Browser::start();
    browser.open(&link(
        &demo,
        "glueup-connection-sales",
        &filled_in(&demo, "id-12345"),
    ));
    browser.find("#param-AccountId");
    browser.script("const s = document.querySelector('#signed-in-as'); s.value = 'stranger'; s.dispatchEvent(new Event('change'));", &[]);
    browser.wait_for("Signed in as");
    browser.click(&browser.find("#acknowledge"));
    browser.click(&browser.find("#create-stack"));
    browser.wait_for("belongs in another AWS account");
    assert!(
        browser.find_all("#stack:not([hidden])").is_empty(),
        "no stack came of it"
    );
}

#[test]
fn a_link_cannot_inject_markup() {
    if !peers::present("a_link_cannot_inject_markup", &[Peer::Browser]) {
        return;
    }
    let demo = Demo::start(&[]);
    let browser = Browser::start();
    let markup = "<img src=x onerror=document.title='hit'>";
    let mut parameters = filled_in(&demo, "id-12345");
    parameters.insert("ExternalId".into(), markup.into());
    let url = link(&demo, markup, &parameters);
    browser.open(&url);
    assert_eq!(value(&browser, "#param-ExternalId"), markup);
    assert_eq!(value(&browser, "#stack-name"), markup);
    browser.click(&browser.find("#acknowledge"));
    browser.click(&browser.find("#create-stack"));
    browser.find("#message:not([hidden])");
    assert!(browser.find_all("main img").is_empty());
    assert_ne!(browser.title(), "hit");
}
