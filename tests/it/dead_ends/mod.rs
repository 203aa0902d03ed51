//! Each state in which a stack can be stuck, reached and left again: by verbs and by keys, on an embedded AWS that really
//! gets stuck. Nothing is done unasked.

mod keys;
mod kills;
mod verbs;

use crate::cli_journey::recorded;
use crate::cli_refusals::json_of;
use crate::support::demo::Demo;
use crate::support::home::{Home, Ran};
use aws_sdk_cloudformation::Client;
use aws_sdk_cloudformation::types::{Capability, ChangeSetType, OnFailure, Parameter};
use aws_smithy_http_client::Builder;
use aws_types::SdkConfig;
use aws_types::region::Region;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

pub const CONNECTION: [&str; 2] = ["connection", "sales-prod"];
pub const CATALOG: [&str; 2] = ["catalog", "Lake House"];
const NOBODY: &str = "arn:aws:iam::012345678901:role/nobody";
const ADMIN: &str = "arn:aws:iam::012345678901:user/admin";

/// A demo, and records of a connection and a catalog on it.
pub struct Scene {
    pub demo: Demo,
    pub home: Home,
    runtime: tokio::runtime::Runtime,
}

/// A state, how a stack comes to it, and what it takes before it can be left.
pub struct Case {
    pub status: &'static str,
    pub target: [&'static str; 2],
    pub reach: fn(&mut Scene),
    pub mend: fn(&Scene),
    /// What the questions ask that lead out of it by a deploy.
    pub asks: &'static [&'static str],
    /// Where it ends.
    pub ends: &'static str,
}

pub const CASES: [Case; 8] = [
    Case {
        status: "ROLLBACK_COMPLETE",
        target: CONNECTION,
        reach: |scene| {
            scene.trusts(NOBODY);
            scene.launched(OnFailure::Rollback);
        },
        mend: |scene| scene.trusts(ADMIN),
        asks: &["Delete it and create it again?"],
        ends: "CREATE_COMPLETE",
    },
    Case {
        status: "REVIEW_IN_PROGRESS",
        target: CONNECTION,
        reach: |scene| scene.left_in_review(),
        mend: |_| {},
        asks: &["Create the stack"],
        ends: "CREATE_COMPLETE",
    },
    Case {
        status: "CREATE_FAILED",
        target: CONNECTION,
        reach: |scene| {
            scene.trusts(NOBODY);
            scene.launched(OnFailure::DoNothing);
        },
        mend: |scene| scene.trusts(ADMIN),
        asks: &["is CREATE_FAILED"],
        ends: "CREATE_COMPLETE",
    },
    Case {
        status: "DELETE_FAILED",
        target: CONNECTION,
        reach: |scene| {
            scene.deploy(CONNECTION).ok();
            scene.held();
            scene.delete(CONNECTION, &[]).exits(1);
        },
        mend: |scene| scene.drop("by-hand"),
        asks: &["is DELETE_FAILED"],
        ends: "CREATE_COMPLETE",
    },
    Case {
        status: "DELETE_FAILED",
        target: CATALOG,
        reach: |scene| {
            scene.as_deployer();
            scene.deploy(CONNECTION).ok();
            scene.deploy(CATALOG).ok();
            scene.guarded("iam:DeleteRolePolicy");
            scene.delete(CATALOG, &[]).exits(1);
        },
        mend: |scene| scene.drop("guard"),
        asks: &["is DELETE_FAILED"],
        ends: "CREATE_COMPLETE",
    },
    Case {
        status: "UPDATE_ROLLBACK_COMPLETE",
        target: CATALOG,
        reach: |scene| {
            scene.deploy(CONNECTION).ok();
            scene.deploy(CATALOG).ok();
            scene.full();
            scene.databases(40);
            scene.deploy(CATALOG).exits(1);
        },
        mend: |scene| scene.drop("filler"),
        asks: &["Update the stack"],
        ends: "UPDATE_COMPLETE",
    },
    Case {
        status: "UPDATE_FAILED",
        target: CATALOG,
        reach: |scene| {
            scene.deploy(CONNECTION).ok();
            scene.deploy(CATALOG).ok();
            scene.full();
            scene.databases(40);
            scene.updated_and_kept();
        },
        mend: |scene| scene.drop("filler"),
        asks: &["is UPDATE_FAILED", "Update the stack"],
        ends: "UPDATE_COMPLETE",
    },
    Case {
        status: "UPDATE_ROLLBACK_FAILED",
        target: CATALOG,
        reach: |scene| {
            scene.as_deployer();
            scene.deploy(CONNECTION).ok();
            scene.deploy(CATALOG).ok();
            scene.guarded("iam:PutRolePolicy");
            scene.databases(1);
            scene.deploy(CATALOG).exits(1);
        },
        mend: |scene| scene.drop("guard"),
        asks: &["Try to undo it again?", "Update the stack"],
        ends: "UPDATE_COMPLETE",
    },
];

impl Scene {
    pub fn start() -> Scene {
        let demo = Demo::start(&[]);
        let home = recorded(&demo);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        Scene {
            demo,
            home,
            runtime: runtime.unwrap(),
        }
    }

    /// One in which the case is reached.
    #[track_caller]
    pub fn at(case: &Case) -> Scene {
        let mut scene = Scene::start();
        (case.reach)(&mut scene);
        assert_eq!(scene.status(case.target).as_deref(), Some(case.status));
        scene
    }

    fn config(&self) -> SdkConfig {
        let (id, secret) = (
            self.demo.field("access_key_id"),
            self.demo.field("secret_access_key"),
        );
        let credentials = aws_credential_types::Credentials::new(id, secret, None, None, "test");
        let provider = aws_credential_types::provider::SharedCredentialsProvider::new(credentials);
        SdkConfig::builder()
            .behavior_version(aws_config::BehaviorVersion::latest())
            .region(Region::new("us-west-2"))
            .endpoint_url(self.demo.endpoint())
            .credentials_provider(provider)
            .http_client(Builder::new().build_http())
            .build()
    }

    fn client(&self) -> Client {
        Client::new(&self.config())
    }

    /// The stack of a record, by its name.
    pub fn stack(&self, [owner, name]: [&str; 2]) -> String {
        let shown = json_of(&self.home, &[owner, "show", name]).ok().json();
        shown["stack_name"].as_str().unwrap().to_owned()
    }

    /// Its status, once it rests; `None`: there is none.
    pub fn status(&self, target: [&str; 2]) -> Option<String> {
        self.rested(&self.stack(target))
    }

    fn rested(&self, stack: &str) -> Option<String> {
        let client = self.client();
        let begun = Instant::now();
        loop {
            let answer = self
                .runtime
                .block_on(client.describe_stacks().stack_name(stack).send());
            let status = answer.ok()?.stacks()[0]
                .stack_status()
                .unwrap()
                .as_str()
                .to_owned();
            if status == "REVIEW_IN_PROGRESS" || !status.ends_with("_IN_PROGRESS") {
                return Some(status);
            }
            assert!(
                begun.elapsed() < Duration::from_secs(60),
                "{stack} stays {status}"
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    pub fn deploy(&self, [owner, name]: [&str; 2]) -> Ran {
        json_of(&self.home, &["deploy", owner, name, "--yes"])
    }

    pub fn delete(&self, [owner, name]: [&str; 2], more: &[&str]) -> Ran {
        json_of(
            &self.home,
            &[&["stack", "delete", owner, name, "--yes"], more].concat(),
        )
    }

    pub fn ledger(&self) -> Vec<String> {
        let lines = json_of(&self.home, &["ledger"]).ok().json_lines();
        let action = |line: &Value| line["intent"]["action"].as_str().unwrap().to_owned();
        lines.iter().map(action).collect()
    }

    /// The connection's role is to trust somebody beside the broker.
    fn trusts(&self, who: &str) {
        self.home
            .glueup(&["connection", "set", "sales-prod", "--trust", who])
            .ok();
    }

    /// So many databases are granted, by name.
    fn databases(&self, number: usize) {
        let names: Vec<String> = (0..number)
            .map(|n| format!("database_of_a_long_name_{n}"))
            .collect();
        let flags = names.iter().flat_map(|name| ["--database", name]);
        let set = ["catalog", "set", "Lake House"];
        self.home
            .glueup(&set.into_iter().chain(flags).collect::<Vec<_>>())
            .ok();
    }

    /// The parameters of a stack, as the record asks for it, and the template.
    fn asked(&self, [owner, name]: [&str; 2]) -> (Vec<Parameter>, String) {
        let shown = json_of(&self.home, &["template", "show", owner, name])
            .ok()
            .json();
        let given = shown["parameters"].as_object().unwrap().iter();
        let parameter = |(key, value): (&String, &Value)| {
            Parameter::builder()
                .parameter_key(key)
                .parameter_value(value.as_str().unwrap())
                .build()
        };
        let body = shown["template"].as_str().unwrap().to_owned();
        (given.map(parameter).collect(), body)
    }

    /// Launched in a browser.
    fn launched(&self, on_failure: OnFailure) {
        let (parameters, body) = self.asked(CONNECTION);
        let stack = self.stack(CONNECTION);
        let create = self
            .client()
            .create_stack()
            .stack_name(&stack)
            .template_body(body)
            .set_parameters(Some(parameters))
            .capabilities(Capability::CapabilityIam)
            .on_failure(on_failure);
        self.runtime.block_on(create.send()).unwrap();
        self.rested(&stack);
    }

    /// The catalog's stack is updated by somebody who wants to keep what of it can be done.
    fn updated_and_kept(&self) {
        let (parameters, body) = self.asked(CATALOG);
        let stack = self.stack(CATALOG);
        let update = self
            .client()
            .update_stack()
            .stack_name(&stack)
            .template_body(body)
            .set_parameters(Some(parameters))
            .capabilities(Capability::CapabilityIam)
            .disable_rollback(true);
        self.runtime.block_on(update.send()).unwrap();
        self.rested(&stack);
    }

    /// Begun in a browser, and not gone on with.
    fn left_in_review(&self) {
        let (parameters, body) = self.asked(CONNECTION);
        let create = self
            .client()
            .create_change_set()
            .stack_name(self.stack(CONNECTION))
            .change_set_name("begun-in-the-console")
            .change_set_type(ChangeSetType::Create)
            .template_body(body)
            .set_parameters(Some(parameters))
            .capabilities(Capability::CapabilityIam);
        self.runtime.block_on(create.send()).unwrap();
    }

    /// A stack of somebody else's.
    fn by_hand(&self, name: &str, resource: &Value) {
        let create = self
            .client()
            .create_stack()
            .stack_name(name)
            .template_body(json!({"Resources": {"Own": resource}}).to_string())
            .capabilities(Capability::CapabilityNamedIam);
        self.runtime.block_on(create.send()).unwrap();
        assert_eq!(self.rested(name).as_deref(), Some("CREATE_COMPLETE"), "{name}");
    }

    fn drop(&self, name: &str) {
        let delete = self.client().delete_stack().stack_name(name);
        self.runtime.block_on(delete.send()).unwrap();
        assert_eq!(self.rested(name), None, "{name}");
    }

    fn policy(&self, role: &str, statement: &Value) -> Value {
        json!({"Type": "AWS::IAM::Policy", "Properties": {"PolicyName": "by-hand", "Roles": [role],
            "PolicyDocument": {"Version": "2012-10-17", "Statement": [statement]}}})
    }

    fn role(&self) -> String {
        let shown = json_of(&self.home, &["connection", "show", "sales-prod"])
            .ok()
            .json();
        let arn = shown["role_arn"].as_str().unwrap();
        arn.rsplit('/').next().unwrap().to_owned()
    }

    /// A policy is put on the role that glueup does not know of: AWS deletes no such role.
    fn held(&self) {
        let allow = json!({"Effect": "Allow", "Action": "glue:GetTable", "Resource": "*"});
        self.by_hand("by-hand", &self.policy(&self.role(), &allow));
    }

    /// The role's inline policies are as long as they may be, nearly.
    fn full(&self) {
        let own = self
            .home
            .glueup(&["template", "show", "catalog", "Lake House", "--policy"])
            .ok();
        let used = own.stdout.chars().filter(|c| !c.is_whitespace()).count();
        let filler = "x".repeat(10_240 - used - 600);
        let resource = format!("arn:aws:s3:::{filler}");
        let allow = json!({"Effect": "Allow", "Action": "s3:GetObject", "Resource": resource});
        self.by_hand("filler", &self.policy(&self.role(), &allow));
    }

    /// Whoever works from now on is a role that may do all, until that is taken from it.
    fn as_deployer(&mut self) {
        let all = json!({"Effect": "Allow", "Action": "*", "Resource": "*"});
        let anybody = json!({"Effect": "Allow", "Action": "sts:AssumeRole",
            "Principal": {"AWS": "arn:aws:iam::012345678901:root"}});
        let document = |statement: Value| json!({"Version": "2012-10-17", "Statement": [statement]});
        let role = json!({"Type": "AWS::IAM::Role", "Properties": {"RoleName": "deployer",
            "AssumeRolePolicyDocument": document(anybody),
            "Policies": [{"PolicyName": "all", "PolicyDocument": document(all)}]}});
        self.by_hand("deployer", &role);
        let assume = aws_sdk_sts::Client::new(&self.config())
            .assume_role()
            .role_arn("arn:aws:iam::012345678901:role/deployer")
            .role_session_name("test");
        let answer = self.runtime.block_on(assume.send()).unwrap();
        let keys = answer.credentials().unwrap();
        self.home.set("AWS_ACCESS_KEY_ID", keys.access_key_id());
        self.home.set("AWS_SECRET_ACCESS_KEY", keys.secret_access_key());
        self.home.set("AWS_SESSION_TOKEN", keys.session_token());
    }

    /// A right is taken from the deployer.
    fn guarded(&self, action: &str) {
        let deny = json!({"Effect": "Deny", "Action": action, "Resource": "*"});
        self.by_hand("guard", &self.policy("deployer", &deny));
    }
}
