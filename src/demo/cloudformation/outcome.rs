//! What follows when the tasks of a stack are done, or when one of them failed.

use super::engine::{bound, existing};
use super::model::{Before, Goal, Item, OnFailure, Outputs, Stack, What, Work};
use crate::stack::cfn::{Template, TemplateError};

/// All tasks are done: the next goal, or the end. `true` while there is more to do.
pub(super) fn finish(stack: &mut Stack, work: &mut Work, now: i64) -> bool {
    match work.goal {
        Goal::Create => match outputs(stack) {
            Ok(outputs) => {
                stack.outputs = outputs;
                stack.turn(now, "CREATE_COMPLETE", None);
                false
            }
            Err(why) => fail_create(stack, work, why.to_string(), now),
        },
        Goal::UndoCreate if work.failed.is_empty() => {
            stack.turn(now, "ROLLBACK_COMPLETE", None);
            false
        }
        Goal::UndoCreate => {
            stack.turn(now, "ROLLBACK_FAILED", Some(failed_to("delete", &work.failed)));
            false
        }
        Goal::Update => match outputs(stack) {
            Ok(outputs) => {
                stack.outputs = outputs;
                stack.turn(now, "UPDATE_COMPLETE_CLEANUP_IN_PROGRESS", None);
                clean(work, Goal::Clean)
            }
            Err(why) => undo_update(stack, work, why.to_string(), now),
        },
        Goal::UndoUpdate => {
            stack.turn(now, "UPDATE_ROLLBACK_COMPLETE_CLEANUP_IN_PROGRESS", None);
            clean(work, Goal::CleanUndone)
        }
        // What could not be removed is not the stack's any more; the events say so.
        Goal::Clean => {
            stack.turn(now, "UPDATE_COMPLETE", None);
            false
        }
        Goal::CleanUndone => {
            stack.turn(now, "UPDATE_ROLLBACK_COMPLETE", None);
            false
        }
        Goal::Delete | Goal::UndoCreateWhole if work.failed.is_empty() => {
            stack.turn(now, "DELETE_COMPLETE", None);
            stack.deleted = Some(now);
            stack.outputs.clear();
            false
        }
        Goal::Delete | Goal::UndoCreateWhole => {
            stack.turn(now, "DELETE_FAILED", Some(failed_to("delete", &work.failed)));
            false
        }
    }
}

/// A resource could not be put. `true` while there is more to do.
pub(super) fn failed_put(stack: &mut Stack, work: &mut Work, logical: &str, now: i64) -> bool {
    work.failed = vec![logical.to_owned()];
    match work.goal {
        Goal::Update => {
            let why = failed_to("update", &work.failed);
            undo_update(stack, work, why, now)
        }
        Goal::UndoUpdate => {
            stack.not_undone = std::mem::take(&mut work.leftovers);
            stack.turn(
                now,
                "UPDATE_ROLLBACK_FAILED",
                Some(failed_to("update", &work.failed)),
            );
            false
        }
        _ => {
            let why = failed_to("create", &work.failed);
            fail_create(stack, work, why, now)
        }
    }
}

/// Turns to deleting the stack, whatever was going on; the resources named in `keep` stay, and are the stack's no more.
pub(super) fn plan_delete(stack: &mut Stack, work: &mut Work, keep: &[String], now: i64) {
    stack.turn(now, "DELETE_IN_PROGRESS", Some("User Initiated".to_owned()));
    stack.change_sets.clear();
    work.goal = Goal::Delete;
    work.failed.clear();
    work.next = None;
    work.before = None;
    work.tasks.clear();
    for item in stack
        .items
        .clone()
        .iter()
        .filter(|item| keep.contains(&item.logical))
    {
        stack.tell(now, item, "DELETE_SKIPPED", None);
    }
    remove_all(stack, work, now);
    stack.halted = None;
    work.leftovers.append(&mut stack.not_undone);
    for item in std::mem::take(&mut work.leftovers) {
        work.push(What::Clear(Box::new(item)));
    }
}

fn fail_create(stack: &mut Stack, work: &mut Work, why: String, now: i64) -> bool {
    work.tasks.clear();
    work.next = None;
    match stack.on_failure {
        OnFailure::Nothing => {
            stack.turn(now, "CREATE_FAILED", Some(why));
            return false;
        }
        OnFailure::Rollback => {
            stack.turn(
                now,
                "ROLLBACK_IN_PROGRESS",
                Some(format!("{why} Rollback requested by user.")),
            );
            work.goal = Goal::UndoCreate;
        }
        OnFailure::Delete => {
            stack.turn(
                now,
                "DELETE_IN_PROGRESS",
                Some(format!("{why} Delete requested by user.")),
            );
            work.goal = Goal::UndoCreateWhole;
        }
    }
    work.failed.clear();
    remove_all(stack, work, now);
    true
}

/// What the update made or replaced goes, what it changed is changed back, what it dropped comes back; unless it is to be
/// kept as it is.
pub(super) fn undo_update(stack: &mut Stack, work: &mut Work, why: String, now: i64) -> bool {
    work.tasks.clear();
    work.next = None;
    if work.keeps {
        stack.halted = work.before.take();
        stack.not_undone = std::mem::take(&mut work.leftovers);
        stack.turn(now, "UPDATE_FAILED", Some(why));
        return false;
    }
    stack.turn(now, "UPDATE_ROLLBACK_IN_PROGRESS", Some(why));
    work.goal = Goal::UndoUpdate;
    let Some(before) = work.before.take() else {
        return true;
    };
    let Before {
        recipe,
        items: old_items,
        outputs,
    } = *before;
    // What the update was to replace or drop stays; what it made by halves goes.
    work.leftovers
        .retain(|item| !old_items.iter().any(|old| old.physical == item.physical));
    let current = std::mem::take(&mut stack.items);
    for item in &current {
        let kept = old_items
            .iter()
            .any(|old| old.logical == item.logical && old.physical == item.physical);
        if !kept && item.physical.is_some() {
            work.leftovers.push(item.clone());
        }
    }
    for old in old_items {
        let now_there = current
            .iter()
            .find(|item| item.logical == old.logical && item.physical == old.physical)
            .cloned();
        work.push(What::Put(old.logical.clone()));
        stack.items.push(now_there.unwrap_or(old));
    }
    stack.recipe = recipe;
    stack.outputs = outputs;
    true
}

fn clean(work: &mut Work, goal: Goal) -> bool {
    work.goal = goal;
    work.failed.clear();
    for item in std::mem::take(&mut work.leftovers) {
        if !item.retained {
            work.push(What::Clear(Box::new(item)));
        }
    }
    true
}

fn remove_all(stack: &mut Stack, work: &mut Work, now: i64) {
    let items: Vec<Item> = stack.items.iter().rev().cloned().collect();
    for item in items {
        if item.retained && item.physical.is_some() {
            stack.tell(now, &item, "DELETE_SKIPPED", None);
        } else if !matches!(item.status.as_str(), "DELETE_COMPLETE" | "DELETE_SKIPPED") {
            work.push(What::Remove(item.logical));
        }
    }
}

fn failed_to(verb: &str, logical: &[String]) -> String {
    format!(
        "The following resource(s) failed to {verb}: [{}].",
        logical.join(", ")
    )
}

fn outputs(stack: &Stack) -> Result<Outputs, TemplateError> {
    let template = Template::parse(&stack.recipe.template)?;
    let bound = bound(&template, stack)?;
    let existing = existing(stack);
    let mut outputs = Vec::new();
    for output in template
        .outputs
        .iter()
        .filter(|output| bound.holds(output.condition.as_deref()))
    {
        let value = bound.evaluate(&output.value, &existing)?.unwrap_or_default();
        let Some(text) = value
            .as_str()
            .map(str::to_owned)
            .or_else(|| value.as_i64().map(|n| n.to_string()))
        else {
            return Err(TemplateError::unsound(&format!(
                "The Value field of every Outputs member must evaluate to a String: {}.",
                output.key
            )));
        };
        outputs.push((output.key.clone(), text, output.description.clone()));
    }
    Ok(outputs)
}
