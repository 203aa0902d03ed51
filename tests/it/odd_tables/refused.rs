//! Listings that are refused, at once or in the middle.

use super::home;
use crate::support::fake::{self, Fake, Reply};
use crate::support::term::{Term, key};
use serde_json::json;

#[test]
fn a_refused_listing_is_never_an_empty_one() {
    let arn = "arn:aws:glue:us-west-2:012345678901:catalog";
    let no_policy = "User: arn:aws:sts::012345678901:assumed-role/r/glueup is not authorized to perform: \
                     glue:GetDatabases on resource: arn:aws:glue:us-west-2:012345678901:catalog because no \
                     identity-based policy allows the glue:GetDatabases action";
    let denials = [
        (400, "AccessDeniedException", no_policy, 4),
        (403, "AccessDeniedException", no_policy, 4),
        (
            400,
            "AccessDeniedException",
            "Insufficient Lake Formation permission(s): Required Describe on Catalog",
            4,
        ),
        (400, "AccessDeniedException", "", 4),
        (
            403,
            "UnrecognizedClientException",
            "The security token included in the request is invalid.",
            4,
        ),
        (
            400,
            "ExpiredTokenException",
            "The security token included in the request is expired",
            4,
        ),
        (
            400,
            "GlueEncryptionException",
            "User: arn:aws:sts::012345678901:assumed-role/r/glueup is not authorized to perform: kms:Decrypt on resource: \
             arn:aws:kms:us-west-2:012345678901:key/1",
            4,
        ),
        (400, "FederationSourceException", "the other side said no", 1),
        (403, "", "<html>blocked by the proxy</html>", 4),
        (500, "InternalServiceException", "we are sorry", 5),
    ];
    for (status, code, message, exit) in denials {
        // Denied at once, and denied on the second page.
        for second in [false, true] {
            let world = Fake::start(move |asked| {
                if let Some(reply) = fake::sts(asked, "aws") {
                    return reply;
                }
                if second && asked.json("NextToken").is_empty() {
                    let first = json!({ "DatabaseList": [{ "Name": "first" }], "NextToken": "more" });
                    return Reply::json(&first);
                }
                if code.is_empty() {
                    return Reply {
                        status,
                        ..Reply::xml(message)
                    };
                }
                Reply::error(status, code, message)
            });
            let home = home(&world).with("AWS_MAX_ATTEMPTS", "1");
            let ran = home.glueup(&["ls", "lake", "--output", "json"]);
            assert!(
                ran.code == Some(exit) || ran.code == Some(1),
                "{code} {message}: {ran:?}"
            );
            assert_ne!(ran.code, Some(0));
            let error = ran.error();
            let action = if code == "GlueEncryptionException" {
                "kms:Decrypt"
            } else {
                "glue:GetDatabases"
            };
            assert!(error.to_string().contains(action), "{code}: {error}");
            assert!(!error.to_string().contains("no databases"), "{error}");
            assert_eq!(ran.stdout.lines().count(), usize::from(second), "{}", ran.stdout);
            if message == no_policy && !second {
                let said = format!("{} {}", error["what"], error["why"]).to_lowercase();
                assert!(said.contains("denied") && said.contains(arn), "{error}");
                assert!(said.contains("no identity-based policy"), "{error}");
            }
        }
    }
    // Only a real empty answer is an empty list.
    let empty = Fake::start(|asked| {
        fake::sts(asked, "aws").unwrap_or_else(|| Reply::json(&json!({ "DatabaseList": [] })))
    });
    let ran = home(&empty).glueup(&["ls", "lake", "--output", "json"]).ok();
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
}

/// The words of a pane, wherever its rows end.
fn words(term: &Term, pane: usize) -> String {
    let text = term.text();
    let rows = text.lines().filter_map(|line| line.split('│').nth(pane));
    let words = rows.flat_map(str::split_whitespace);
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn on_the_screen_too_a_refusal_is_told_and_only_a_real_empty_answer_is_an_empty_list() {
    let refused = |action: &str, what: &str| {
        let message = format!(
            "User: arn:aws:sts::012345678901:assumed-role/r/glueup is not authorized to perform: glue:{action} on resource: \
             arn:aws:glue:us-west-2:012345678901:{what} because no identity-based policy allows the glue:{action} action"
        );
        Reply::error(400, "AccessDeniedException", &message)
    };
    // Which listing is refused, in which pane that is, from which page on, and what is there all the same.
    for (action, what, pane, second, listed) in [
        ("GetDatabases", "catalog", 0, false, ""),
        ("GetDatabases", "catalog", 0, true, "first"),
        ("GetTables", "table/first/*", 1, false, ""),
        ("GetTables", "table/first/*", 1, true, "some_table"),
        (
            "",
            "",
            0,
            false,
            "This catalog has no databases that the role may see",
        ),
    ] {
        let world = Fake::start(move |asked| {
            if let Some(reply) = fake::sts(asked, "aws") {
                return reply;
            }
            let asks = asked.action();
            if asks == action && (!second || !asked.json("NextToken").is_empty()) {
                return refused(action, what);
            }
            let more = (asks == action && second).then_some("more");
            Reply::json(&match asks {
                "GetDatabases" if action.is_empty() => json!({ "DatabaseList": [] }),
                "GetDatabases" => json!({ "DatabaseList": [{ "Name": "first" }], "NextToken": more }),
                "GetTables" => json!({ "TableList": [{ "Name": "some_table" }], "NextToken": more }),
                _ => json!({ "Table": { "Name": "some_table" } }),
            })
        });
        let home = home(&world);
        let mut term = Term::start(&home, 160, 40, &[], &[]);
        term.wait_for("CONNECTIONS");
        term.keys("b");
        // An ARN is broken where a pane ends.
        let squeezed = |text: &str| text.to_lowercase().split_whitespace().collect::<String>();
        let sees = |part: &str| {
            term.wait(part, |term| {
                squeezed(&words(term, pane)).contains(&squeezed(part))
            })
        };
        sees(listed);
        if !action.is_empty() {
            let policy = "(no identity-based policy allows it)";
            sees(&format!(
                "denied: glue:{action} on arn:aws:glue:us-west-2:012345678901:{what} {policy}"
            ));
        }
        let all = term.text();
        assert_eq!(
            words(&term, 0).contains("has no databases"),
            action.is_empty(),
            "{all}"
        );
        assert!(!words(&term, 1).contains("has no tables"), "{all}");
        term.keys(key::CTRL_C);
        assert_eq!(term.exit_code(), 0);
    }
}
