//! A server that was killed while a call to IAM was out.

use super::engine::{Next, step};
use super::model::{Goal, Item, Phase, Task, What, Work};
use super::{create, find};
use crate::demo::caller::Caller;
use crate::demo::iam::principals;
use crate::demo::params::Params;
use crate::demo::world::{State, World};
use crate::demo::{CUSTOMER_ACCOUNT, Options, REGION, s3};
use std::sync::Arc;
use std::time::Duration;

const TEMPLATE: &str = r#"{"Resources": {"Role": {"Type": "AWS::IAM::Role", "Properties": {"AssumeRolePolicyDocument":
  {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "sts:AssumeRole",
   "Principal": {"AWS": "arn:aws:iam::012345678901:root"}}]}}}}}"#;

fn world() -> (Arc<World>, Caller) {
    let endpoint = "http://127.0.0.1:1".to_owned();
    let world = World::new(
        State::default(),
        None,
        endpoint,
        &Options::default(),
        s3::Store::default(),
    );
    world
        .change(|state| principals::seed(&mut state.iam, world.moment()))
        .unwrap();
    let caller = world.key(&principals::admin().id).unwrap().caller;
    (Arc::new(world), caller)
}

fn status(world: &World, id: &str) -> String {
    find(world, CUSTOMER_ACCOUNT, REGION, id, |stack| stack.status.clone()).unwrap()
}

fn work_off(world: &World, id: &str) {
    while let Next::In(millis) = step(world, id) {
        std::thread::sleep(Duration::from_millis(millis));
    }
}

/// A finished stack, set back to where its one resource is in `phase`: its role exists, and the stack does not know.
fn set_back(phase: Phase) -> (Arc<World>, String) {
    let (world, caller) = world();
    let form = form_urlencoded::Serializer::new(String::new())
        .append_pair("StackName", "s")
        .append_pair("TemplateBody", TEMPLATE)
        .append_pair("Capabilities.member.1", "CAPABILITY_IAM")
        .finish();
    let id = create(&world, &caller, REGION, &Params::parse(form.as_bytes())).unwrap();
    while status(&world, &id) != "CREATE_COMPLETE" {
        std::thread::sleep(Duration::from_millis(20));
    }
    world
        .change(|state| {
            let stack = state.stacks.get_mut(&id).unwrap();
            let next: Item = stack.items[0].clone();
            stack.items[0].physical = None;
            "CREATE_IN_PROGRESS".clone_into(&mut stack.status);
            let mut work = Work::new(caller, Goal::Create, 0);
            work.tasks.push_back(Task {
                what: What::Put("Role".to_owned()),
                phase,
            });
            work.next = Some(next);
            stack.work = Some(work);
            Ok(())
        })
        .unwrap();
    (world, id)
}

#[test]
fn a_call_that_was_carried_out_before_the_kill_is_taken_as_done() {
    let (world, id) = set_back(Phase::Called);
    work_off(&world, &id);
    assert_eq!(status(&world, &id), "CREATE_COMPLETE");
}

#[test]
fn a_role_that_was_there_before_the_call_is_not_taken_over() {
    let (world, id) = set_back(Phase::Announced);
    work_off(&world, &id);
    assert_eq!(status(&world, &id), "ROLLBACK_COMPLETE");
    let reasons = find(&world, CUSTOMER_ACCOUNT, REGION, &id, |stack| {
        stack
            .events
            .iter()
            .filter_map(|event| event.reason.clone())
            .collect::<Vec<_>>()
    });
    assert!(
        reasons
            .unwrap()
            .iter()
            .any(|reason| reason.contains("already exists"))
    );
}
