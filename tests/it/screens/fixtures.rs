//! Models in states that users meet, built from records and messages as the program would.

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use glueup::browse::{DatabaseRow, TableRow};
use glueup::cloud::{Identity, Reading};
use glueup::domain::finding::{Check, Finding};
use glueup::domain::glue::{Column, StorageDescriptor, Table};
use glueup::domain::kind::classify;
use glueup::domain::moment::Moment;
use glueup::domain::organization::{Organization, Role};
use glueup::domain::platform::Platform;
use glueup::domain::problem::{Detail, Kind, Problem};
use glueup::domain::status::Status;
use glueup::job::{Event, Outcome};
use glueup::registry::{Catalog, Connection, Stage, Storage, Verdict};
use glueup::setup::{self, CatalogRow, ConnectionRow, Overview, StorageRow};
use glueup::tui::effect::{Effect, Slot, Ticket};
use glueup::tui::keymap::Keymap;
use glueup::tui::model::{Model, Now, Surroundings};
use glueup::tui::msg::Msg;
use glueup::tui::update::update;
use std::time::Duration;

pub const ADMIN: &str = "arn:aws:iam::012345678901:user/admin";

/// A moment of the story: `seconds` after its start.
pub fn at(seconds: u64) -> Now {
    let wall: Moment = "2026-03-01T14:02:00Z".parse().unwrap();
    let wall = Moment::from_unix_millis(wall.unix_millis() + i64::try_from(seconds).unwrap() * 1000).unwrap();
    Now {
        since_start: Duration::from_secs(seconds),
        wall,
    }
}

/// What the checks of a machine may find.
pub fn checks() -> Vec<Check> {
    let check = |id, title, finding| Check { id, title, finding };
    vec![
        check(
            "clock",
            "endpoint and clock",
            Finding::passed("https://sts.us-west-2.amazonaws.com answers in 41 ms; clocks agree to 1 s"),
        ),
        check(
            "ca-bundle",
            "certificates",
            Finding::failed(
                "the CA bundle /etc/corp.pem cannot be used: it holds no certificate",
                "export AWS_CA_BUNDLE=/path/to/bundle.pem\nor, if no proxy here inspects TLS: unset AWS_CA_BUNDLE",
            ),
        ),
        check(
            "clipboard",
            "clipboard",
            Finding::warning(
                "tmux takes nothing from programs and lets nothing through to the terminal: its set-clipboard is not on, \
                 and its allow-passthrough is off, so that nothing is copied",
                "tmux set -g set-clipboard on",
            ),
        ),
        check(
            "width",
            "width of characters",
            Finding::skipped(
                "while this screen reads the keys the terminal cannot be asked: glueup doctor does",
            ),
        ),
    ]
}

/// A driver: it takes the program's place, so that a test reads like a story.
pub struct Story {
    pub model: Model,
    pub effects: Vec<Effect>,
    pub seconds: u64,
}

impl Story {
    /// The first frame, before any answer has come.
    pub fn new() -> Self {
        let surroundings = Surroundings {
            demo: true,
            log_file: "/home/ada/.local/share/glueup/log/glueup.log".into(),
            ..Surroundings::default()
        };
        let model = Model::new((80, 24), at(0), surroundings, Keymap::load(None).unwrap());
        let mut story = Self {
            model,
            effects: Vec::new(),
            seconds: 1,
        };
        story.msg(Msg::Started);
        story
    }

    /// Signed in, with these records read.
    pub fn with(overview: Overview) -> Self {
        let mut story = Self::new();
        story.msg(Msg::Meter(Reading {
            calls: 3,
            bytes: 3_174,
            ..Reading::default()
        }));
        story.done(Slot::Identity, Ok(Outcome::Identity(identity())));
        story.records(overview);
        story
    }

    pub fn msg(&mut self, msg: Msg) -> &mut Self {
        let effects = update(&mut self.model, at(self.seconds), msg);
        self.effects.extend(effects);
        self
    }

    pub fn wait(&mut self, seconds: u64) -> &mut Self {
        self.seconds += seconds;
        self.msg(Msg::Tick)
    }

    pub fn key(&mut self, code: KeyCode) -> &mut Self {
        self.msg(Msg::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    pub fn ctrl(&mut self, letter: char) -> &mut Self {
        self.msg(Msg::Key(KeyEvent::new(
            KeyCode::Char(letter),
            KeyModifiers::CONTROL,
        )))
    }

    pub fn press(&mut self, keys: &str) -> &mut Self {
        for c in keys.chars() {
            self.key(KeyCode::Char(c));
        }
        self
    }

    pub fn tab(&mut self) -> &mut Self {
        self.key(KeyCode::Tab)
    }

    pub fn enter(&mut self) -> &mut Self {
        self.key(KeyCode::Enter)
    }

    /// The newest ticket of a slot, as a running job holds it.
    pub fn ticket(&self, slot: Slot) -> Ticket {
        let runs = self.effects.iter().rev();
        runs.filter_map(|e| match e {
            Effect::Run(ticket, _) if ticket.slot == slot => Some(*ticket),
            _ => None,
        })
        .next()
        .unwrap_or_else(|| panic!("nothing runs in {slot:?}"))
    }

    pub fn event(&mut self, slot: Slot, event: Event) -> &mut Self {
        let ticket = self.ticket(slot);
        self.msg(Msg::Job(ticket, event))
    }

    pub fn done(&mut self, slot: Slot, result: Result<Outcome, Problem>) -> &mut Self {
        self.event(slot, Event::Done(result))
    }

    pub fn records(&mut self, overview: Overview) -> &mut Self {
        let outcome = setup::Outcome::Overview(Box::new(overview));
        self.done(Slot::Overview, Ok(Outcome::Setup(outcome)))
    }
}

pub fn identity() -> Identity {
    Identity {
        arn: ADMIN.into(),
        account: "012345678901".parse().unwrap(),
        partition: "us-west-2"
            .parse::<glueup::domain::region::Region>()
            .unwrap()
            .partition(),
        region: Some("us-west-2".parse().unwrap()),
    }
}

/// Nothing on record yet.
pub fn empty() -> Overview {
    let mut organization = Organization::implicit("demo".parse().unwrap());
    organization.name = "Demo".into();
    organization.broker_role_arn = Some("arn:aws:iam::999988887777:role/glueup-broker".parse().unwrap());
    Overview {
        organization,
        platform: Platform::named("self").unwrap().clone(),
        role: Some((Role::Admin, ADMIN.into())),
        connections: Vec::new(),
        catalogs: Vec::new(),
        storages: Vec::new(),
        broken: Vec::new(),
        drafts: Vec::new(),
        bookmarks: Vec::new(),
    }
}

pub fn connection(name: &str, role: bool) -> Connection {
    let role_arn = if role {
        "'arn:aws:iam::012345678901:role/glueup-sales-prod-ConnectionRole-4F7A'"
    } else {
        "null"
    };
    yaml(&format!(
        "version: 1\nname: {name}\nid: 1a2b3c4d\naccount_id: '012345678901'\nrole_arn: {role_arn}\n\
         external_id: glueup-k3f9a7c2e1d84b60\nbroker_role_arn: 'arn:aws:iam::999988887777:role/glueup-broker'\n\
         stack_name: glueup-connection-{name}\nregion: us-west-2\n"
    ))
}

pub fn catalog(name: &str, access: &str, deployed: bool) -> Catalog {
    let slug = name
        .to_lowercase()
        .replace(' ', "-")
        .replace(|c: char| !c.is_ascii(), "");
    let short = access.replace('-', "");
    yaml(&format!(
        "version: 1\nname: {name}\nid: 5e6f7a8b\nregion: us-west-2\ns3_path: s3://acme-lake/warehouse\n\
         access: {access}\nconnection: sales-prod\nstack_name: glueup-glue-{short}-x{slug}\ndeployed: {deployed}\n"
    ))
}

fn yaml<T: serde::de::DeserializeOwned>(text: &str) -> T {
    serde_saphyr::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn verdict(status: Status, minutes_ago: u64, sentence: &str) -> Verdict {
    let at =
        Moment::from_unix_millis(at(0).wall.unix_millis() - i64::try_from(minutes_ago).unwrap() * 60_000);
    Verdict {
        verdict: status,
        at: at.unwrap(),
        sentence: sentence.into(),
        rungs: Vec::new(),
        tables: None,
        more_tables: false,
    }
}

/// A house in use: three catalogs in different states, two connections.
pub fn in_use() -> Overview {
    let row = |catalog: Catalog, stage: Stage, verdict: Option<Verdict>| CatalogRow {
        catalog,
        stage,
        verdict,
    };
    let green = verdict(
        Status::Passed,
        2,
        "Connected. Read-only, proven: 10 things work, 3 are refused, as they should be.",
    );
    let red = verdict(
        Status::Failed,
        90,
        "Not connected: hop 2 failed. AWS STS does not let arn:aws:iam::999988887777:role/glueup-broker assume it.",
    );
    let mut yellow = verdict(
        Status::Warning,
        2,
        "Connected. Read-only, proven: 10 things work, 3 are refused, as they should be, with a word of caution on \
         table locations.",
    );
    yellow.rungs = vec![
        ("neighbour".into(), Status::Passed),
        ("locations".into(), Status::Warning),
    ];
    Overview {
        connections: vec![
            ConnectionRow {
                connection: connection("sales-prod", true),
                catalogs: vec!["Lake House".parse().unwrap(), "weather".parse().unwrap()],
                storages: Vec::new(),
                verdict: Some(green.clone()),
            },
            ConnectionRow {
                connection: connection("old-trial", false),
                catalogs: Vec::new(),
                storages: Vec::new(),
                verdict: None,
            },
        ],
        catalogs: vec![
            row(
                catalog("Lake House", "read-only", true),
                Stage::Ready,
                Some(yellow),
            ),
            row(catalog("weather", "read-write", true), Stage::Verify, Some(red)),
            row(catalog("日本 raw", "read-only", false), Stage::Deploy, None),
        ],
        ..empty()
    }
}

/// The same with two storage integrations, one of them deployed.
pub fn with_storages() -> Overview {
    let storage = |name: &str, slug: &str, deployed: bool| -> Storage {
        yaml(&format!(
            "version: 1\nname: {name}\nid: 7a8b9c0d\nregion: us-west-2\ns3_path: s3://acme-raw/events\n\
             access: read-write\nconnection: sales-prod\nstack_name: glueup-storage-readwrite-{slug}\ndeployed: {deployed}\n"
        ))
    };
    let mut overview = in_use();
    overview.storages = vec![
        StorageRow {
            storage: storage("raw events", "raw-events-1f2e3d4c", true),
            stage: Stage::Ready,
            verdict: Some(verdict(
                Status::Passed,
                2,
                "Connected. Read-write, proven: 7 things work, 2 are refused, as they should be.",
            )),
        },
        StorageRow {
            storage: storage("exports", "exports", false),
            stage: Stage::Deploy,
            verdict: None,
        },
    ];
    overview.connections[0].storages = vec!["exports".parse().unwrap(), "raw events".parse().unwrap()];
    overview
}

/// What an admin who is none sees.
pub fn as_user(overview: Overview) -> Overview {
    let arn = "arn:aws:iam::012345678901:user/grace";
    Overview {
        role: Some((Role::User, arn.into())),
        ..overview
    }
}

pub fn denied() -> Problem {
    Problem::new(
        Kind::Denied,
        "denied: glue:GetDatabases on arn:aws:glue:us-west-2:012345678901:catalog",
        "No identity-based policy allows the action.",
        "Deploy the catalog's stack again, or ask who owns the role.",
    )
    .with_detail(Detail {
        service: Some("glue".into()),
        action: Some("glue:GetDatabases".into()),
        resource: Some("arn:aws:glue:us-west-2:012345678901:catalog".into()),
        caller: Some("arn:aws:sts::012345678901:assumed-role/glueup-sales-prod/glueup".into()),
        request_id: Some("7d1f0c2a".into()),
        ..Detail::default()
    })
}

pub fn database(name: &str) -> DatabaseRow {
    DatabaseRow {
        name: name.into(),
        description: None,
        link: None,
        notes: vec![],
    }
}

pub fn table(name: &str, build: impl FnOnce(&mut Table)) -> TableRow {
    let mut table = Table {
        name: name.into(),
        ..Table::default()
    };
    build(&mut table);
    let classified = classify(&table);
    TableRow {
        name: table.name.clone(),
        kind: classified.kind,
        format: classified.format,
        notes: classified.notes,
        link: table.target.clone().map(Box::new),
        location: table.location().map(str::to_owned),
        description: table.description.clone(),
    }
}

pub fn iceberg(table: &mut Table) {
    table.table_type = Some("EXTERNAL_TABLE".into());
    table.parameters.insert("table_type".into(), "ICEBERG".into());
    table.parameters.insert(
        "metadata_location".into(),
        "s3://acme-lake/warehouse/t/metadata/1.metadata.json".into(),
    );
    table.storage = Some(StorageDescriptor {
        columns: vec![Column {
            name: "id".into(),
            type_text: Some("bigint".into()),
            ..Column::default()
        }],
        location: Some("s3://acme-lake/warehouse/t".into()),
        ..StorageDescriptor::default()
    });
}
