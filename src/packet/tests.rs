//! The packet of one catalog in its states.

use super::document::{Block, Document, Span};
use super::*;
use crate::domain::status::Status;
use crate::registry::{Catalog, Grant, LeftOver, Storage};

/// A name that would break out of everything it could break out of.
const HOSTILE: &str = "x`|</code></title><script>1</script> *b* [l](http://e) `` 'q'";

fn facts(name: &str) -> Facts {
    let connection = Connection {
        version: 1,
        name: "sales-prod".parse().unwrap(),
        id: "0a1b2c3d".into(),
        account_id: "012345678901".parse().unwrap(),
        role_arn: None,
        adopted: false,
        external_id: "glueup-k3f9a7c2e1d84b60".parse().unwrap(),
        broker_role_arn: Some("arn:aws:iam::999988887777:role/glueup-broker".parse().unwrap()),
        trust: Vec::new(),
        verifier: None,
        stack_name: "glueup-connection-sales-prod".parse().unwrap(),
        region: None,
        permissions_boundary: None,
        role_path: None,
        deploy_profile: None,
        stack_id: None,
    };
    let catalog = Catalog {
        version: 1,
        name: name.parse().unwrap(),
        id: "4e5f6a7b".into(),
        region: "us-west-2".parse().unwrap(),
        s3_path: "s3://acme-lake/warehouse".parse().unwrap(),
        access_point: None,
        access: crate::domain::access::Access::ReadOnly,
        connection: connection.name.clone(),
        databases: Vec::new(),
        kms_key: None,
        catalog_kms_key: None,
        stack_name: "glueup-glue-readonly-lake-house".parse().unwrap(),
        stack_id: None,
        deployed: false,
        left_over_stacks: Vec::new(),
    };
    Facts {
        organization: Organization::implicit("self".parse().unwrap()),
        platform: Platform::named("self").unwrap(),
        connection,
        grant: Grant::from(&catalog),
        others: Vec::new(),
        verdict: None,
    }
}

fn markdown(facts: &Facts) -> String {
    write(&compose(facts).unwrap(), Form::Markdown)
}

fn page(facts: &Facts) -> String {
    write(&compose(facts).unwrap(), Form::Html)
}

/// Letters and digits only: what is left when all marks of either form are taken away.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

fn without_tags(page: &str) -> String {
    let (_, body) = page.split_once("<body>").unwrap();
    let mut out = String::new();
    let mut inside = false;
    for c in body.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            c if !inside => out.push(c),
            _ => {}
        }
    }
    for (entity, sign) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#39;", "'"),
        ("&amp;", "&"),
    ] {
        out = out.replace(entity, sign);
    }
    out
}

#[test]
fn both_forms_say_the_same() {
    for name in ["Lake House", HOSTILE] {
        let facts = facts(name);
        let text: String = markdown(&facts)
            .lines()
            .map(|line| match line.trim_start_matches('`') {
                // The language of a fence is no word of the document.
                "json" | "yaml" | "sh" => "\n".to_owned(),
                _ => format!("{line}\n"),
            })
            .collect();
        assert_eq!(bare(&text), bare(&without_tags(&page(&facts))));
    }
}

#[test]
fn a_name_breaks_out_of_neither_form() {
    let facts = facts(HOSTILE);
    let page = page(&facts);
    let tags: std::collections::BTreeSet<&str> = page
        .split('<')
        .skip(1)
        .filter_map(|tag| tag.split(['>', ' ']).next())
        .map(|tag| tag.trim_start_matches('/'))
        .collect();
    let ours = [
        "!doctype", "body", "code", "h1", "h2", "h3", "head", "html", "li", "main", "meta", "p", "pre",
        "style", "table", "tbody", "td", "th", "thead", "title", "tr", "ul",
    ];
    assert_eq!(tags.into_iter().collect::<Vec<_>>(), ours);
    for loads in ["src=", "href=", "url(", "@import"] {
        assert!(!page.contains(loads), "{loads}");
    }

    let text = markdown(&facts);
    let mut fence: Option<String> = None;
    let mut columns = None;
    for line in text.lines() {
        let ticks = line.len() - line.trim_start_matches('`').len();
        match &fence {
            Some(open) if line == open.as_str() => fence = None,
            Some(_) => {}
            None if ticks >= 3 => fence = Some("`".repeat(ticks)),
            None => {
                let bars = line.replace("\\|", "").matches('|').count();
                if line.starts_with('|') {
                    assert_eq!(*columns.get_or_insert(bars), bars, "{line}");
                } else {
                    columns = None;
                }
                // The name holds two backticks in a row, so three shut it in.
                let mut outside = line.split("```").step_by(2);
                assert!(outside.all(|words| !words.contains("<script")), "{line}");
            }
        }
    }
    assert_eq!(fence, None, "a fence stays open");
}

#[test]
fn commands_take_a_name_for_what_it_is() {
    let text = markdown(&facts("it's"));
    assert!(text.contains("glueup stack delete catalog 'it'\\''s' "), "{text}");
    let text = markdown(&facts("-rf"));
    assert!(text.contains("glueup catalog delete -- -rf "), "{text}");
}

#[test]
fn before_anything_is_deployed_it_says_so_and_is_whole() {
    let text = markdown(&facts("Lake House"));
    for needed in [
        "# Security packet: `Lake House`",
        "| `glueup-connection-sales-prod` |",
        "not made yet",
        "`arn:aws:iam::999988887777:role/glueup-broker`",
        "\"sts:ExternalId\": \"glueup-k3f9a7c2e1d84b60\"",
        "the output `RoleName` of the connection's stack",
        "| `ReadCatalog` | `glue:GetCatalog`, ",
        "There is none yet",
        "aws cloudformation delete-stack --stack-name glueup-glue-readonly-lake-house --region us-west-2",
        "confused deputy",
    ] {
        assert!(text.contains(needed), "no {needed} in {text}");
    }
    for kind in [
        crate::stack::template::TemplateKind::Connection,
        crate::stack::template::TemplateKind::GlueReadOnly,
    ] {
        assert!(text.contains(kind.text()) && text.contains(&kind.sha256()));
    }
    assert!(
        !text.contains(ROLE_TO_COME) && !text.contains("not explained"),
        "{text}"
    );
    for id in crate::verify::RungId::ALL {
        assert!(text.contains(&format!("| {} | ", id.title())), "{id:?}");
    }
}

#[test]
fn a_role_that_was_there_before_gets_its_policies_and_no_stack() {
    let mut facts = facts("Lake House");
    facts.connection.role_arn = Some("arn:aws:iam::012345678901:role/team/lake-reader".parse().unwrap());
    facts.connection.adopted = true;
    facts.connection.broker_role_arn = None;
    let text = markdown(&facts);
    for needed in [
        "`arn:aws:iam::012345678901:role/team/lake-reader`",
        "Nobody is on record",
        "arn:aws:iam::012345678901:role/WHO-MAY-ASSUME-THIS-ROLE",
        "glueup template show catalog 'Lake House' --policy",
        "--role-name lake-reader",
    ] {
        assert!(text.contains(needed), "no {needed} in {text}");
    }
    for lie in [
        "glueup stack delete",
        "aws cloudformation",
        "not made yet",
        "The parameters",
    ] {
        assert!(!text.contains(lie), "{lie} in {text}");
    }
    facts.connection.trust = vec!["arn:aws:iam::012345678901:user/engine".parse().unwrap()];
    assert!(!markdown(&facts).contains("WHO-MAY"));
}

#[test]
fn a_role_that_was_taken_after_a_deployment_does_not_hide_what_was_made() {
    let mut facts = facts("Lake House");
    facts.connection.role_arn = Some("arn:aws:iam::012345678901:role/team/lake-reader".parse().unwrap());
    facts.connection.adopted = true;
    facts.connection.region = Some("us-east-1".parse().unwrap());
    facts.connection.stack_id = Some("arn:aws:cloudformation:us-east-1:012345678901:stack/c/1".into());
    facts.grant.stack_id = Some("arn:aws:cloudformation:us-west-2:012345678901:stack/a/1".into());
    let text = markdown(&facts);
    for needed in [
        "Nothing more. The role",
        "| `glueup-connection-sales-prod` | the role that the connection had before |",
        "| `glueup-glue-readonly-lake-house` | one inline policy",
        "glueup stack delete catalog 'Lake House'   # what the role of before may do",
        "glueup stack delete connection sales-prod  # the role of before",
        "--stack-name glueup-glue-readonly-lake-house --region us-west-2",
        "--stack-name glueup-connection-sales-prod --region us-east-1",
    ] {
        assert!(text.contains(needed), "no {needed} in {text}");
    }
    assert!(!text.contains("Nothing was made"), "{text}");
    // The catalog's alone, once the connection's is deleted.
    facts.connection.stack_id = None;
    let text = markdown(&facts);
    assert!(
        text.contains("stack delete catalog") && !text.contains("stack delete connection"),
        "{text}"
    );
}

#[test]
fn what_is_on_record_shows() {
    let mut facts = facts("Lake House");
    facts.connection.trust = vec![
        "arn:aws:sts::012345678901:assumed-role/engine/i-1"
            .parse()
            .unwrap(),
    ];
    facts.grant.deployed = true;
    facts.grant.left_over_stacks = vec![LeftOver {
        stack_name: "glueup-glue-readwrite-lake-house".parse().unwrap(),
        region: "eu-west-1".parse().unwrap(),
    }];
    let mut other = facts.grant.clone();
    other.holder = Holder::Catalog("weather".parse().unwrap());
    facts.others = vec![other];
    facts.verdict = Some(Verdict {
        verdict: Status::Failed,
        at: crate::domain::moment::Moment::from_unix_millis(1_790_000_000_000).unwrap(),
        sentence: "Not connected: hop 2 failed. <no>".into(),
        rungs: vec![("role".into(), Status::Failed), ("later".into(), Status::Skipped)],
        tables: None,
        more_tables: false,
    });
    let text = markdown(&facts);
    for needed in [
        "arn:aws:iam::012345678901:role/*/engine",
        "glueup-glue-readwrite-lake-house --region eu-west-1",
        "also serves `weather`",
        "failed. Not connected: hop 2 failed. \\<no\\>",
        "| hop 2, with external ID | failed |",
        "| `later` | skipped |",
    ] {
        assert!(text.contains(needed), "no {needed} in {text}");
    }
    assert!(page(&facts).contains("hop 2 failed. &lt;no&gt;"));
}

#[test]
fn a_storage_integration_has_one_that_speaks_of_files_alone() {
    let mut facts = facts("Lake House");
    let storage = Storage {
        version: 1,
        name: "raw files".parse().unwrap(),
        id: "4e5f6a7b".into(),
        region: "us-west-2".parse().unwrap(),
        s3_path: "s3://acme-raw".parse().unwrap(),
        access_point: None,
        access: crate::domain::access::Access::ReadOnly,
        connection: facts.connection.name.clone(),
        kms_key: None,
        stack_name: "glueup-storage-readonly-raw-files".parse().unwrap(),
        stack_id: None,
        deployed: false,
        left_over_stacks: Vec::new(),
    };
    facts.grant = Grant::from(&storage);
    let text = markdown(&facts);
    for needed in [
        "# Security packet: `raw files`",
        "the files in `s3://acme-raw`, and nothing of the AWS Glue Data Catalog",
        "| `glueup-storage-readonly-raw-files` |",
        "glueup storage verify 'raw files'",
        "glueup stack delete storage 'raw files' ",
        "glueup storage delete 'raw files' ",
        "The storage integration first, the connection after it",
        "Not climbed, since a storage integration asks for nothing of Glue: databases, tables",
        "engines find the files there, in all of the bucket",
        crate::stack::template::TemplateKind::StorageReadOnly.text(),
    ] {
        assert!(text.contains(needed), "no {needed} in {text}");
    }
    for lie in [
        "keeps neighbours out",
        "glue:Get",
        "catalog first",
        "catalog delete",
    ] {
        assert!(!text.contains(lie), "{lie} in {text}");
    }
    facts.grant.s3_path = "s3://acme-raw/events".parse().unwrap();
    assert!(markdown(&facts).contains("keeps neighbours out"));
}

#[test]
fn every_table_has_as_many_cells_as_columns() {
    let document: Document = compose(&facts("Lake House")).unwrap();
    for block in &document.0 {
        match block {
            Block::Table { head, rows } => {
                assert!(rows.iter().all(|row| row.len() == head.len()), "{head:?}")
            }
            Block::Paragraph(line) => assert!(!line.contains(&Span::Text(String::new()))),
            _ => {}
        }
    }
}

#[test]
fn a_stack_that_grants_what_was_asked_for_before_is_not_called_one_to_be_made() {
    let mut facts = facts("Lake House");
    facts.grant.stack_id = Some("arn:aws:cloudformation:us-west-2:012345678901:stack/a/1".into());
    let text = markdown(&facts);
    assert!(text.contains("made for what was asked for before"), "{text}");
}
