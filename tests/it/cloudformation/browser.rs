//! The console's page in a real browser.

use super::*;
use crate::support::peers::{self, Peer};
use crate::support::wait_for;
use crate::support::webdriver::Browser;
use glueup::stack::link::Console;

fn value(browser: &Browser, css: &str) -> String {
    browser
        .property(&browser.find(css), "value")
        .as_str()
        .unwrap()
        .to_owned()
}

fn sign_in(browser: &Browser, who: &str) {
    let chosen = browser.find(&format!("#signed-in-as option[value='{who}']"));
    browser.click(&chosen);
}

fn wait_text(browser: &Browser, css: &str, part: &str) {
    wait_for(
        part,
        || browser.text(),
        || {
            let found = browser.text_of(&browser.find(css));
            found.contains(part).then_some(())
        },
    );
}

#[test]
fn a_browser_follows_the_link_and_creates_the_stack() {
    if !peers::present(
        "a_browser_follows_the_link_and_creates_the_stack",
        &[Peer::Browser],
    ) {
        return;
    }
    let aws = Aws::start(Options::default());
    let parameters = aws.connection_parameters();
    let url = aws.template_url(TemplateKind::Connection);
    let link = Console::at(&aws.handle.console_url)
        .quick_create("us-west-2", "glueup-connection-prod", &url, &parameters)
        .unwrap();
    let browser = Browser::start();
    browser.open(&link.url);
    browser.wait_for("I acknowledge that AWS CloudFormation might create IAM resources.");
    assert_eq!(value(&browser, "#stack-name"), "glueup-connection-prod");
    for (name, expected) in &parameters {
        assert_eq!(&value(&browser, &format!("#param-{name}")), expected, "{name}");
    }
    // Nothing is created before the acknowledgement, by no way of pressing.
    let create = browser.find("#create-stack");
    assert!(!browser.is_enabled(&create));
    browser.script("document.getElementById('create-form').requestSubmit()", &[]);
    let acknowledge = browser.find("#acknowledge");
    browser.click(&acknowledge);
    assert!(browser.is_enabled(&create));
    browser.click(&acknowledge);
    assert!(!browser.is_enabled(&create));
    browser.click(&acknowledge);

    sign_in(&browser, "stranger");
    browser.click(&create);
    wait_text(&browser, "#message", "This stack belongs in another AWS account");
    assert_eq!(
        value(&browser, "#param-ExternalId"),
        parameters["ExternalId"],
        "what was typed stays"
    );

    sign_in(&browser, "admin");
    browser.click(&create);
    wait_text(&browser, "#stack-status", "CREATE_COMPLETE");
    wait_text(&browser, "#outputs", "arn:aws:iam::012345678901:role/");
    wait_text(&browser, "#events", "ConnectionRole");
    assert!(browser.title().contains("CREATE_COMPLETE"));
    // The one refusal that was provoked is all that the browser has to complain of.
    let complaints = browser.complaints();
    assert!(
        matches!(&complaints[..], [one] if one.contains("/_console/api/create") && one.contains("400")),
        "{complaints:?}"
    );

    // The same link again: the name is taken, and the page says so.
    browser.open("about:blank");
    browser.open(&link.url);
    browser.wait_for("I acknowledge");
    browser.click(&browser.find("#acknowledge"));
    browser.click(&browser.find("#create-stack"));
    wait_text(
        &browser,
        "#message",
        "Stack [glueup-connection-prod] already exists",
    );
}

#[test]
fn a_hostile_link_is_shown_as_text() {
    if !peers::present("a_hostile_link_is_shown_as_text", &[Peer::Browser]) {
        return;
    }
    let aws = Aws::start(Options::default());
    let mut parameters = aws.connection_parameters();
    let hostile = "<img src=x onerror=\"document.title='owned'\">";
    parameters.insert("Record".to_owned(), hostile.to_owned());
    parameters.insert("NotInTheTemplate".to_owned(), "x".to_owned());
    let url = aws.template_url(TemplateKind::Connection);
    let link = Console::at(&aws.handle.console_url)
        .quick_create("us-west-2", hostile, &url, &parameters)
        .unwrap();
    let browser = Browser::start();
    browser.open(&link.url);
    browser.wait_for("I acknowledge");
    assert_eq!(value(&browser, "#param-Record"), hostile);
    assert!(browser.find_all("#param-NotInTheTemplate").is_empty());
    browser.click(&browser.find("#acknowledge"));
    browser.click(&browser.find("#create-stack"));
    wait_text(&browser, "#message", "Value '<img src=x");
    assert!(browser.find_all("main img").is_empty());
    assert!(!browser.title().contains("owned"));
}
