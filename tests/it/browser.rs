//! The wizard waits in a terminal while its own link is followed in a real browser.

use crate::support::home::Home;
use crate::support::peers::{self, Peer};
use crate::support::term::key;
use crate::support::wait_for;
use crate::support::walk::{CONNECTION, Walk, copied};
use crate::support::webdriver::Browser;

fn value(browser: &Browser, css: &str) -> String {
    let value = browser.property(&browser.find(css), "value");
    value.as_str().unwrap().to_owned()
}

#[track_caller]
fn wait_text(browser: &Browser, css: &str, part: &str) {
    let found = || browser.text_of(&browser.find(css));
    wait_for(part, || browser.text(), || found().contains(part).then_some(()));
}

/// Opens the link as a click on it would, on a page of its own.
#[track_caller]
fn follow(browser: &Browser, link: &str) {
    browser.open("about:blank");
    browser.open(link);
    browser.wait_for("I acknowledge that AWS CloudFormation might create IAM resources.");
}

fn sign_in(browser: &Browser, who: &str) {
    let chosen = browser.find(&format!("#signed-in-as option[value='{who}']"));
    browser.click(&chosen);
}

/// Ticks the acknowledgement and presses Create stack, which was disabled until then.
#[track_caller]
fn create(browser: &Browser) {
    let button = browser.find("#create-stack");
    assert!(
        !browser.is_enabled(&button),
        "Create stack waits for the acknowledgement"
    );
    browser.click(&browser.find("#acknowledge"));
    assert!(browser.is_enabled(&button));
    browser.click(&button);
}

/// The external id of the connection's record.
fn external_id(home: &Home) -> String {
    let record = home.records().join(format!("demo/connections/{CONNECTION}.yaml"));
    let text = std::fs::read_to_string(record).unwrap();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("external_id: "))
        .unwrap();
    line.trim_matches('"').to_owned()
}

#[test]
fn a_browser_makes_both_stacks_and_the_wizard_goes_on_by_itself() {
    let name = "a_browser_makes_both_stacks_and_the_wizard_goes_on_by_itself";
    if !peers::present(name, &[Peer::Browser]) {
        return;
    }
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.go_to_deploy();
    let link = walk.link();
    walk.press("y");
    walk.wait_for("Sent to the terminal's clipboard");
    assert_eq!(copied(&walk.term.raw()).as_deref(), Some(&*link));
    let presses = walk.presses;

    let browser = Browser::start();
    follow(&browser, &link);
    assert_eq!(value(&browser, "#stack-name"), "glueup-connection-sales-prod");
    assert_eq!(value(&browser, "#param-ExternalId"), external_id(&home));
    let account = browser.find_all("#parameters input").iter().any(|input| {
        let value = browser.property(input, "value");
        value == "012345678901"
    });
    assert!(account, "the account is filled in:\n{}", browser.text());

    // Signed in to another account the template's own rule says no, and what was filled in stays.
    sign_in(&browser, "stranger");
    create(&browser);
    wait_text(&browser, "#message", "This stack belongs in another AWS account");
    assert_eq!(value(&browser, "#param-ExternalId"), external_id(&home));
    assert!(walk.term.text().contains("◌ waiting"));

    sign_in(&browser, "admin");
    browser.click(&browser.find("#create-stack"));
    wait_text(&browser, "#stack-status", "CREATE_COMPLETE");
    walk.wait_made();

    let second = walk.link();
    assert_ne!(second, link);
    follow(&browser, &second);
    assert_eq!(
        value(&browser, "#stack-name"),
        "glueup-glue-readonly-lake-house-9a71c5de"
    );
    create(&browser);
    wait_text(&browser, "#stack-status", "CREATE_COMPLETE");
    walk.wait_green();
    assert_eq!(
        walk.presses,
        presses + 2,
        "only to see the second link were keys pressed"
    );
}

#[test]
fn killed_while_it_waits_for_the_browser_it_goes_on_by_itself() {
    let name = "killed_while_it_waits_for_the_browser_it_goes_on_by_itself";
    if !peers::present(name, &[Peer::Browser]) {
        return;
    }
    let home = Home::new();
    let mut walk = Walk::start(&home);
    walk.go_to_deploy();
    let before = walk.link();
    walk.kill();

    // The embedded AWS went with it, and may be back on another port: the wizard's new link says where.
    let browser = Browser::start();
    let mut walk = Walk::start(&home);
    walk.wait_for("Resumed where it was left");
    walk.wait_for("you review and press Create stack there");
    let link = walk.link();
    let parameters = |link: &str| {
        let from = link.find("param_ExternalId").unwrap();
        link[from..].split('&').next().unwrap().to_owned()
    };
    assert_eq!(
        parameters(&link),
        parameters(&before),
        "the same external id as before"
    );
    follow(&browser, &link);
    create(&browser);
    walk.wait_made();
    walk.kill();

    let mut walk = Walk::start(&home);
    walk.wait_made();
    let link = walk.link();
    follow(&browser, &link);
    create(&browser);
    walk.wait_green();
    walk.press("b");
    walk.wait_for("weather");
    walk.press(key::ESC);
    walk.wait_for("CATALOGS");
}
