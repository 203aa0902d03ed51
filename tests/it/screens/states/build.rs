//! Stories that more than one state begins with.

pub use super::counted::*;
pub use super::ladder::*;
use crate::screens::fixtures::*;
use crossterm::event::KeyCode;
use glueup::browse::{Outcome as Browsed, Update as BrowseUpdate};
use glueup::domain::finding::{Check, Finding};
use glueup::domain::glue::ResourceLink;
use glueup::domain::kind::{Format, Note, TableKind};
use glueup::domain::platform::Platform;
use glueup::domain::schema::{Column, PartitionField, Schema, Snapshot, Source};
use glueup::job::{Event, Outcome, Update};
use glueup::registry::{LeftOver, Stage};
use glueup::report::Ask;
use glueup::setup::Overview;
use glueup::stack::{self, Advice, StackEvent};
use glueup::tui::effect::Slot;

pub const KEY: &str = "arn:aws:kms:us-west-2:012345678901:key/11112222-3333-4444-5555-666677778888";

pub fn details_filled() -> Story {
    details_of_a_catalog(empty(), None)
}

/// Details of a catalog, encrypted where a key is given.
pub fn details_of_a_catalog(records: Overview, key: Option<&str>) -> Story {
    let mut story = Story::with(records);
    story.press("n").press("Lake House").tab().tab();
    story.press("s3://acme-lake/warehouse").tab();
    let encrypted = "the catalog is encrypted by a KMS key: the right to use it is asked for too";
    let advice = Advice {
        bucket: (true, "bucket acme-lake is there, in us-west-2".into()),
        catalog: Some((true, "11 databases in us-west-2".into())),
        encryption: None,
        kms_key: None,
        catalog_encryption: key.map(|_| (true, encrypted.into())),
        catalog_kms_key: key.map(|key| key.parse().unwrap()),
    };
    story.done(Slot::Advice, Ok(Outcome::Stack(stack::Outcome::Advice(advice))));
    story
}

/// As filled in, but in another region, with the key on the path.
pub fn details_in(region: &str) -> Story {
    let mut story = Story::with(empty());
    story.press("n").press("Lake").tab();
    for _ in 0.."us-west-2".len() {
        story.key(KeyCode::Backspace);
    }
    story.press(region).tab().press("s3://acme-lake/warehouse").tab();
    story
}

pub fn connection_form() -> Story {
    let mut story = details_filled();
    story.enter();
    story
}

/// The same where the broker role is a vendor's: a verifier can be named.
pub fn connection_form_at_a_vendor() -> Story {
    let mut overview = empty();
    overview.platform = Platform::named("wherobots").unwrap().clone();
    let mut story = Story::with(overview);
    story
        .press("n")
        .press("Lake House")
        .tab()
        .tab()
        .press("s3://acme-lake/warehouse")
        .enter();
    story
}

/// A catalog whose path was changed after its stack was made, and one whose access level was.
pub fn outdated() -> Overview {
    let mut overview = in_use();
    for (row, stage) in overview.catalogs.iter_mut().zip([Stage::Deploy, Stage::Deploy]) {
        row.stage = stage;
        row.verdict = None;
        row.catalog.deployed = false;
    }
    overview.catalogs[0].catalog.stack_id =
        Some("arn:aws:cloudformation:us-west-2:012345678901:stack/a/1".into());
    overview.catalogs[1].catalog.left_over_stacks = vec![LeftOver {
        stack_name: "glueup-glue-readonly-weather".parse().unwrap(),
        region: "us-west-2".parse().unwrap(),
    }];
    overview
}

/// The wizard of the catalog that is in Deploy.
pub fn deploy_started() -> Story {
    let mut overview = in_use();
    overview.connections.truncate(1);
    overview.connections[0].connection = connection("sales-prod", false);
    overview.catalogs.drain(..2);
    let mut story = Story::with(overview);
    story.enter();
    story
}

pub fn deploy_waiting() -> Story {
    let mut story = deploy_started();
    let link = stack::link::Link {
        url: "http://127.0.0.1:4566/_console/cloudformation/home?region=us-west-2#/stacks/create/review?templateURL=\
              http%3A%2F%2F127.0.0.1%3A4566%2Fglueup-templates%2Fconnection.yaml&stackName=glueup-connection-sales-prod\
              &param_AccountId=012345678901&param_ExternalId=glueup-k3f9a7c2e1d84b60"
            .into(),
        stack_name: "glueup-connection-sales-prod".into(),
        region: "us-west-2".into(),
        template_url: Some("http://127.0.0.1:4566/glueup-templates/connection.yaml".into()),
        sign_out_url: None,
        parameters: Default::default(),
        existing: None,
        stack_url: None,
        template: None,
    };
    story.done(Slot::Link, Ok(Outcome::Stack(stack::Outcome::Link(link))));
    let looking = stack::Update::LookingIn {
        account: "012345678901".parse().unwrap(),
        region: "us-west-2".parse().unwrap(),
        stack: "glueup-connection-sales-prod".into(),
    };
    for update in [looking, stack::Update::NotThere] {
        story.event(Slot::Watch, Event::Update(Update::Stack(update)));
    }
    story
}

pub fn deploy_events() -> Story {
    let mut story = deploy_waiting();
    let events = [
        (
            7,
            "glueup-connection-sales-prod",
            "AWS::CloudFormation::Stack",
            "CREATE_IN_PROGRESS",
        ),
        (9, "ConnectionRole", "AWS::IAM::Role", "CREATE_IN_PROGRESS"),
        (19, "ConnectionRole", "AWS::IAM::Role", "CREATE_COMPLETE"),
    ];
    let status = stack::Update::Status("CREATE_IN_PROGRESS".into());
    story.event(Slot::Watch, Event::Update(Update::Stack(status)));
    for (second, logical_id, resource_type, status) in events {
        let event = StackEvent {
            id: format!("{logical_id}-{second}"),
            at: at(second).wall,
            logical_id: logical_id.into(),
            resource_type: resource_type.into(),
            status: status.into(),
            reason: None,
        };
        story.event(
            Slot::Watch,
            Event::Update(Update::Stack(stack::Update::Event(event))),
        );
    }
    story.wait(6);
    story
}

pub fn stack_event(second: u64, id: &str, status: &str, reason: Option<&str>) -> stack::Update {
    stack::Update::Event(StackEvent {
        id: format!("{id}-{second}"),
        at: at(second).wall,
        logical_id: id.into(),
        resource_type: if id == "ConnectionRole" {
            "AWS::IAM::Role".into()
        } else {
            "AWS::CloudFormation::Stack".into()
        },
        status: status.into(),
        reason: reason.map(str::to_owned),
    })
}

pub fn ask() -> Ask {
    Ask {
        title: "Create the stack glueup-connection-sales-prod in account 0123-4567-8901, us-west-2?".into(),
        will: vec![
            "make one IAM role for connection sales-prod, with no rights of its own".into(),
            "let arn:aws:iam::999988887777:role/glueup-broker assume it, with the connection's external ID only"
                .into(),
            "if IAM refuses a principal that it does not know yet: delete the stack again, empty as it is, and make it anew, \
             for up to 60 s"
                .into(),
        ],
        will_not: vec!["create, change or delete a database, a table or an object".into()],
        yes: "Create stack".into(),
        acknowledge: Some(
            "I acknowledge that AWS CloudFormation might create IAM resources (CAPABILITY_IAM)".into(),
        ),
        type_to_confirm: None,
    }
}

pub fn browse_started() -> Story {
    let mut story = Story::with(in_use());
    story.enter();
    story
}

pub fn browse_databases() -> Story {
    let mut story = browse_started();
    let mut link = database("hr_link");
    link.link = Some(ResourceLink {
        catalog_id: Some("111122223333".into()),
        database: Some("hr".into()),
        ..ResourceLink::default()
    });
    let names = ["sales", "weather", "a-b", "日本"];
    let mut rows: Vec<_> = names.iter().map(|name| database(name)).collect();
    rows.push(link);
    story.event(
        Slot::Databases,
        Event::Update(Update::Browse(BrowseUpdate::Databases(rows))),
    );
    story.done(
        Slot::Databases,
        Ok(Outcome::Browse(Browsed::Databases { total: 5 })),
    );
    story
}

pub fn browse_tables() -> Story {
    let mut story = browse_databases();
    let rows = vec![
        table("orders", |t| {
            iceberg(t);
            t.description = Some(
                "What was ordered, one row an order.␊Corrected until the month is closed: read it with a snapshot, not \
                 with the newest state."
                    .into(),
            );
        }),
        table("orders_raw", |t| t.table_type = Some("EXTERNAL_TABLE".into())),
        table("broken", |_| {}),
        table("clicks\u{1b}]52;c;ZXZpbA==\u{7}", iceberg),
        table("a\u{202e}gnp.exe", iceberg),
        table("日本語👩‍🔬é①", iceberg),
        table("staff", |t| {
            t.target = Some(ResourceLink {
                catalog_id: Some("111122223333".into()),
                database: Some("hr".into()),
                table: Some("staff".into()),
                region: Some("us-east-1".into()),
            });
        }),
    ];
    story.event(
        Slot::Tables,
        Event::Update(Update::Browse(BrowseUpdate::Tables(rows))),
    );
    story.done(Slot::Tables, Ok(Outcome::Browse(Browsed::Tables { total: 7 })));
    story
}

pub fn column(name: &str, kind: &str, required: bool, children: Vec<Column>) -> Column {
    Column {
        name: name.into(),
        type_text: kind.into(),
        required,
        children,
        ..Column::default()
    }
}

pub fn schema(source: Source) -> Schema {
    let geo = vec![
        column("lat", "double", false, vec![]),
        column("lon", "double", false, vec![]),
    ];
    let address = vec![
        column("street", "string", false, vec![]),
        column("geo", "struct", false, geo),
    ];
    let iceberg = source == Source::Iceberg;
    Schema {
        fqn: "`Lake House`.sales.orders".into(),
        kind: TableKind::Iceberg,
        format: Some(Format::Parquet),
        views: vec![],
        source,
        location: Some("s3://acme-lake/warehouse/sales.db/orders".into()),
        format_version: iceberg.then_some(2),
        snapshot: iceberg.then(|| Snapshot {
            id: "3051729675574597004".into(),
            at: Some(at(0).wall),
        }),
        columns: vec![
            column("id", "long", true, vec![]),
            column("ts", "timestamptz", false, vec![]),
            column(
                "address",
                "struct<street: string, geo: struct<lat: double, lon: double>>",
                false,
                address,
            ),
            column(
                "tags",
                "list<string>",
                false,
                vec![column("element", "string", false, vec![])],
            ),
        ],
        partition: vec![PartitionField {
            source: "ts".into(),
            transform: "day".into(),
            name: "ts_day".into(),
        }],
        history: vec![column("old_price", "float", false, vec![])],
        notes: vec![Note::new(
            "outside-grant",
            "its files lie outside the granted prefix",
        )],
    }
}

pub fn browse_schema() -> Story {
    browse_a_schema_of(schema(Source::Iceberg))
}

/// Long names, long types, a deep tree, names that are nothing but trouble, and a column that is never null.
pub fn odd_schema() -> Schema {
    let mut odd = schema(Source::Iceberg);
    let deep = (0..5).fold(column("leaf", "decimal(38,18)", true, vec![]), |child, n| {
        column(&format!("level_{n}"), "struct", false, vec![child])
    });
    odd.columns = vec![
        column("id", "long", true, vec![]),
        column(
            "amount_in_the_currency_of_the_order",
            "decimal(38,18)",
            true,
            vec![],
        ),
        column("日本語の列", "timestamptz_ns", false, vec![]),
        column("", "string", false, vec![]),
        column("a<U+202E>b", "fixed(16)", false, vec![]),
        deep,
    ];
    odd.columns[1].notes = vec![Note::new("unknown-type", "a type that no engine knows")];
    let mut renamed = column("amount", "decimal(12,2)", false, vec![]);
    renamed.notes = vec![Note::new(
        "renamed-column",
        "Now called amount_in_the_currency_of_the_order",
    )];
    odd.history.push(renamed);
    odd
}

pub fn browse_a_schema_of(schema: Schema) -> Story {
    let mut story = browse_tables();
    story.enter().wait(1);
    let outcome = Browsed::Schema {
        schema: Box::new(schema),
        metadata_problem: None,
    };
    story.done(Slot::Schema, Ok(Outcome::Browse(outcome)));
    story.tab();
    story
}

/// What keeps somebody from deploying: the answer, and the next step.
pub const LACKING: (&str, &str) = (
    "arn:aws:iam::012345678901:user/grace may not: iam:CreateRole, iam:TagRole (no policy allows it)",
    "Whoever keeps this caller's policies can allow it with this statement:\n\
     {\"Effect\":\"Allow\",\"Action\":[\"iam:CreateRole\",\"iam:TagRole\"],\"Resource\":[\"arn:aws:iam::012345678901:role/glueup-connection-sales-*\"]}",
);

/// The checks before a deployment, the last of them failed where something is lacking.
pub fn preflight(lacking: Option<(&str, &str)>) -> Outcome {
    let check = |id, title, finding| Check { id, title, finding };
    let iam = match lacking {
        Some((answer, next)) => Finding::failed(answer, next),
        None => Finding::passed("11 actions are allowed"),
    };
    Outcome::Stack(stack::Outcome::Preflight(vec![
        check(
            "account",
            "account",
            Finding::passed("arn:aws:iam::012345678901:user/grace, in account 0123-4567-8901"),
        ),
        check("region", "region", Finding::passed("us-west-2 answers")),
        check(
            "stack-name",
            "names of the stacks",
            Finding::passed(
                "glueup-connection-sales-prod is free; CloudFormation makes up the names of what is in it",
            ),
        ),
        check(
            "cloudformation",
            "rights on CloudFormation",
            Finding::passed("10 actions are allowed"),
        ),
        check("iam", "rights on IAM", iam),
    ]))
}
