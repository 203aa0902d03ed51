//! Jobs run as both fronts run them, on an embedded AWS of the test's own.

use crate::support::fake::Fake;
use aws_sdk_s3::config::{BehaviorVersion, Credentials, Region};
use aws_smithy_http_client::Builder;
use glueup::cloud::Settings;
use glueup::demo::handle::KeyPair;
use glueup::demo::{self, Handle, Options};
use glueup::domain::organization::Organization;
use glueup::domain::problem::Problem;
use glueup::job::{self, Event, Job, Outcome, Update};
use glueup::registry::Home;
use glueup::report::{Answer, Ask};
use glueup::session::Session;
use glueup::{setup, stack};
use std::time::Duration;

/// An embedded AWS and an empty home.
pub struct World {
    pub demo: Handle,
    pub home: Home,
    dir: tempfile::TempDir,
}

/// What a job said, and how it ended.
pub struct Ran {
    pub updates: Vec<Update>,
    pub asks: Vec<Ask>,
    pub end: Result<Outcome, Problem>,
}

impl World {
    /// S3 as its owner sees it.
    pub fn s3(&self) -> aws_sdk_s3::Client {
        let keys = &self.demo.admin;
        let config = aws_sdk_s3::Config::builder()
            .behavior_version(BehaviorVersion::latest())
            .endpoint_url(&self.demo.endpoint_url)
            .credentials_provider(Credentials::new(&keys.id, &keys.secret, None, None, "test"))
            .region(Region::new("us-west-2"))
            .force_path_style(true)
            .http_client(Builder::new().build_http())
            .build();
        aws_sdk_s3::Client::from_conf(config)
    }

    pub fn start() -> Self {
        Self::with(Options::default())
    }

    pub fn with(options: Options) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = Home::at(dir.path().join("home"));
        World {
            demo: demo::start(options).unwrap(),
            home,
            dir,
        }
    }

    /// A folder that goes with the test.
    pub fn folder(&self) -> &std::path::Path {
        self.dir.path()
    }

    /// Names the organization's admins, as somebody else among them would have.
    pub fn admins(&self, patterns: &[&str]) {
        let stored = self.home.organization().unwrap();
        let mut organization = stored.as_ref().map_or_else(
            || Organization::implicit("self".parse().unwrap()),
            |stored| stored.record.clone(),
        );
        organization.admins = patterns.iter().map(|&pattern| pattern.into()).collect();
        match stored {
            Some(stored) => self.home.update(&stored, organization).map(drop).unwrap(),
            None => self.home.create(organization).map(drop).unwrap(),
        }
    }

    /// The user `admin` of the customer's account.
    pub fn admin(&self) -> Session {
        self.caller(&self.demo.admin)
    }

    pub fn caller(&self, keys: &KeyPair) -> Session {
        self.at(&self.demo.endpoint_url, keys)
    }

    /// The user `admin`, by way of a server that stands before the embedded AWS.
    pub fn through(&self, server: &Fake) -> Session {
        self.at(&server.url(), &self.demo.admin)
    }

    fn at(&self, url: &str, keys: &KeyPair) -> Session {
        let region = self.demo.region.parse().unwrap();
        let settings = Settings::demo(url, region, &keys.id, &keys.secret);
        Session::new(self.home.clone(), settings)
    }
}

/// Runs a job to its end; every question is answered by `answer`.
pub async fn run(session: &Session, job: Job, mut answer: impl FnMut(&Ask) -> Answer) -> Ran {
    let mut running = job::start(session, job);
    let (mut updates, mut asks) = (Vec::new(), Vec::new());
    loop {
        let event = tokio::time::timeout(Duration::from_secs(60), running.next()).await;
        match event
            .expect("a job says something within a minute")
            .expect("a job ends with Done")
        {
            Event::Update(update) => updates.push(update),
            Event::Ask(ask) => {
                running.answer(answer(&ask)).await;
                asks.push(ask);
            }
            Event::Done(end) => return Ran { updates, asks, end },
        }
    }
}

/// A request to the setup room that must succeed.
pub async fn setup(session: &Session, request: setup::Request) -> setup::Outcome {
    match try_setup(session, request).await {
        Ok(outcome) => outcome,
        Err(problem) => panic!("{problem:?}"),
    }
}

/// A request to the setup room.
pub async fn try_setup(session: &Session, request: setup::Request) -> Result<setup::Outcome, Problem> {
    let ran = run(session, Job::Setup(request), |ask| {
        panic!("setup asks nothing: {ask:?}")
    })
    .await;
    ran.end.map(|outcome| match outcome {
        Outcome::Setup(outcome) => outcome,
        other => panic!("{other:?}"),
    })
}

impl Ran {
    /// The stack room's updates.
    pub fn told(&self) -> Vec<&stack::Update> {
        self.updates
            .iter()
            .map(|update| match update {
                Update::Stack(update) => update,
                other => panic!("{other:?}"),
            })
            .collect()
    }

    /// The stack that was deployed.
    #[track_caller]
    pub fn deployed(&self) -> &stack::StackState {
        match &self.end {
            Ok(Outcome::Stack(stack::Outcome::Deployed(state))) => state,
            other => panic!("{other:?}"),
        }
    }

    /// The problem that it ended with.
    #[track_caller]
    pub fn problem(&self) -> &Problem {
        self.end.as_ref().expect_err("it should have failed")
    }
}
