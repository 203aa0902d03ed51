//! One step of the work on a stack. A step is decided and its outcome is written under the state's lock; the call to
//! IAM between the two is not, since IAM takes that lock itself.

use super::model::{Goal, Item, Phase, Stack, What, Work};
use super::outcome;
use super::provision::{self, Failure, Made};
use super::{drive, operations};
use crate::demo::world::World;
use crate::stack::cfn::{Bound, Physical, Resources, Template, TemplateError};
use serde_json::Value;
use std::collections::BTreeMap;

/// When to look at a stack again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// After so many milliseconds.
    In(u64),
    /// There is nothing left to do.
    Never,
}

/// A call that goes out.
struct Call {
    what: What,
    old: Option<Item>,
    new: Option<Item>,
    work: Work,
    tags: Vec<(String, String)>,
    again: bool,
}

enum Decision {
    Wait(Next),
    Call(Box<Call>),
}

/// Does the next step of a stack, if it is due.
pub(super) fn step(world: &World, id: &str) -> Next {
    let moment = world.moment();
    let decision = world.change(|state| {
        Ok(match state.stacks.get_mut(id) {
            None => Decision::Wait(Next::Never),
            Some(stack) => {
                let Some(mut work) = stack.work.take() else {
                    return Ok(Decision::Wait(Next::Never));
                };
                let decision = decide(stack, &mut work, moment.shown, moment.real);
                if !matches!(decision, Decision::Wait(Next::Never)) {
                    stack.work = Some(work);
                }
                decision
            }
        })
    });
    let call = match decision {
        Ok(Decision::Wait(next)) => return next,
        Ok(Decision::Call(call)) => call,
        // The state cannot be written; the next look may find the disk mended.
        Err(_) => return Next::In(1_000),
    };
    let outcome = carry_out(world, &call);
    let moment = world.moment();
    let written = world.change(|state| {
        let Some(stack) = state.stacks.get_mut(id) else {
            return Ok(Next::Never);
        };
        let Some(mut work) = stack.work.take() else {
            return Ok(Next::Never);
        };
        work.busy = false;
        work.due = moment.real.saturating_add(drive::PACE_MS);
        let more = settle(stack, &mut work, &call, outcome, moment.shown) || work.delete.is_some();
        if more {
            stack.work = Some(work);
        }
        Ok(if more {
            Next::In(drive::PACE_MS.unsigned_abs())
        } else {
            Next::Never
        })
    });
    written.unwrap_or(Next::In(1_000))
}

fn decide(stack: &mut Stack, work: &mut Work, now: i64, real: i64) -> Decision {
    if work.busy {
        return Decision::Wait(Next::In(50));
    }
    if work.due > real {
        let wait = work.due.saturating_sub(real).min(drive::PACE_MS);
        return Decision::Wait(Next::In(wait.unsigned_abs()));
    }
    let pace = Next::In(drive::PACE_MS.unsigned_abs());
    work.due = real.saturating_add(drive::PACE_MS);
    if let Some(caller) = work.delete.take() {
        // A call that went out before a restart may have made its resource.
        if let (Some(Phase::Called), Some(next)) =
            (work.tasks.front().map(|task| task.phase), work.next.take())
        {
            adopt(stack, next);
        }
        work.caller = caller;
        outcome::plan_delete(stack, work, &[], now);
        return Decision::Wait(pace);
    }
    let Some(task) = work.tasks.front().cloned() else {
        let more = outcome::finish(stack, work, now);
        return Decision::Wait(if more { Next::In(0) } else { Next::Never });
    };
    match (task.phase, &task.what) {
        (Phase::Waiting, What::Put(logical)) => match announce_put(stack, work, logical, now) {
            Ok(true) => advance(work, Phase::Announced, pace),
            Ok(false) => {
                work.tasks.pop_front();
                work.due = real;
                Decision::Wait(Next::In(0))
            }
            Err(why) => {
                fail(stack, work, logical, &why, now);
                let more = outcome::failed_put(stack, work, logical, now);
                Decision::Wait(if more { pace } else { Next::Never })
            }
        },
        (Phase::Waiting, What::Remove(logical)) => {
            if let Some(item) = stack.item(logical).cloned() {
                stack.tell(now, &item, "DELETE_IN_PROGRESS", None);
            }
            advance(work, Phase::Announced, pace)
        }
        (Phase::Waiting, What::Clear(item)) => {
            stack.tell_only(now, item, "DELETE_IN_PROGRESS", None);
            advance(work, Phase::Announced, pace)
        }
        (Phase::Announced | Phase::Called, what) => {
            let again = task.phase == Phase::Called;
            if let Some(front) = work.tasks.front_mut() {
                front.phase = Phase::Called;
            }
            let old = match what {
                What::Put(logical) | What::Remove(logical) => stack.item(logical).cloned(),
                What::Clear(item) => Some((**item).clone()),
            };
            work.busy = true;
            Decision::Call(Box::new(Call {
                what: what.clone(),
                old,
                new: work.next.clone(),
                work: work.clone(),
                tags: stack.recipe.tags.clone(),
                again,
            }))
        }
        (Phase::Done, what) => {
            if let What::Put(logical) = what
                && let Some(item) = stack.item(logical).cloned()
            {
                let status = item.status.replace("_IN_PROGRESS", "_COMPLETE");
                stack.tell(now, &item, &status, None);
            }
            work.tasks.pop_front();
            work.next = None;
            Decision::Wait(pace)
        }
    }
}

fn advance(work: &mut Work, phase: Phase, next: Next) -> Decision {
    if let Some(front) = work.tasks.front_mut() {
        front.phase = phase;
    }
    Decision::Wait(next)
}

/// Decides what a resource is to be, and announces it. `false` when it is that already, or is not to be.
fn announce_put(stack: &mut Stack, work: &mut Work, logical: &str, now: i64) -> Result<bool, String> {
    let template = Template::parse(&stack.recipe.template).map_err(|why| why.to_string())?;
    let bound = bound(&template, stack).map_err(|why| why.to_string())?;
    let Some(resource) = template
        .resource(logical)
        .filter(|resource| bound.holds(resource.condition.as_deref()))
    else {
        return Ok(false);
    };
    let properties = bound
        .evaluate(&resource.properties, &existing(stack))
        .map_err(|why| why.to_string())?
        .unwrap_or_default();
    let old = stack.item(logical).cloned();
    if old.as_ref().is_some_and(|old| {
        old.properties == properties && !old.unsure && old.physical.is_some() && old.kind == resource.kind
    }) {
        return Ok(false);
    }
    let physical = match &old {
        Some(old) if !provision::replaces(&resource.kind, &old.kind, &old.properties, &properties) => {
            old.physical.clone()
        }
        _ => Some(provision::name(&resource.kind, &properties, &stack.name, logical)),
    };
    let changes = old.as_ref().is_some_and(|old| old.physical.is_some());
    let item = Item {
        logical: logical.to_owned(),
        kind: resource.kind.clone(),
        physical,
        attributes: old.as_ref().map(|old| old.attributes.clone()).unwrap_or_default(),
        properties,
        retained: resource.retained,
        unsure: true,
        status: if changes {
            "UPDATE_IN_PROGRESS"
        } else {
            "CREATE_IN_PROGRESS"
        }
        .to_owned(),
        reason: None,
        at: now,
    };
    let shown = Item {
        physical: old.as_ref().and_then(|old| old.physical.clone()),
        ..item.clone()
    };
    if old.is_none() {
        stack.items.push(shown.clone());
    }
    stack.tell(now, &shown, &item.status, None);
    work.next = Some(item);
    provision::check(
        &resource.kind,
        logical,
        &work
            .next
            .as_ref()
            .map(|item| item.properties.clone())
            .unwrap_or_default(),
    )?;
    Ok(true)
}

fn carry_out(world: &World, call: &Call) -> Result<Made, Failure> {
    let context = provision::Scene {
        world,
        caller: &call.work.caller,
        tags: &call.tags,
        again: call.again,
    };
    match (&call.what, &call.old, &call.new) {
        (What::Put(_), old, Some(new)) => match old.as_ref().filter(|old| old.physical.is_some()) {
            Some(old) if old.physical == new.physical => provision::change(&context, old, new),
            _ => provision::make(&context, new),
        },
        (What::Remove(_), Some(old), _) | (What::Clear(_), Some(old), _) if old.physical.is_some() => {
            provision::remove(&context, old)
        }
        _ => Ok(Made::default()),
    }
}

fn settle(stack: &mut Stack, work: &mut Work, call: &Call, outcome: Result<Made, Failure>, now: i64) -> bool {
    match (&call.what, outcome) {
        (What::Put(logical), Ok(made)) => {
            let Some(mut item) = call.new.clone() else {
                return true;
            };
            item.attributes = made.attributes;
            item.physical = made.physical.or(item.physical);
            item.unsure = false;
            let changed = call.old.as_ref().filter(|old| old.physical.is_some()).cloned();
            if let Some(old) = changed.as_ref().filter(|old| old.physical != item.physical) {
                work.leftovers.push(old.clone());
            }
            adopt(stack, item.clone());
            if changed.is_none() {
                stack.tell(
                    now,
                    &item,
                    "CREATE_IN_PROGRESS",
                    Some("Resource creation Initiated".to_owned()),
                );
            } else if let Some(own) = stack.item_mut(logical) {
                "UPDATE_IN_PROGRESS".clone_into(&mut own.status);
            }
            advance(work, Phase::Done, Next::In(0));
            true
        }
        (What::Put(logical), Err(failure)) => {
            if let Some(item) = stack.item_mut(logical) {
                item.unsure = true;
                match &call.new {
                    Some(new) if failure.made && item.physical.is_none() => {
                        item.physical.clone_from(&new.physical);
                        item.properties = new.properties.clone();
                    }
                    Some(new) if failure.made && item.physical != new.physical => {
                        work.leftovers.push(new.clone());
                    }
                    _ => {}
                }
            }
            fail(stack, work, logical, &failure.reason, now);
            outcome::failed_put(stack, work, logical, now)
        }
        (What::Remove(logical), Ok(_)) => {
            if let Some(item) = stack.item(logical).cloned() {
                stack.tell(now, &item, "DELETE_COMPLETE", None);
            }
            work.tasks.pop_front();
            true
        }
        (What::Remove(logical), Err(failure)) => {
            if let Some(item) = stack.item(logical).cloned() {
                stack.tell(now, &item, "DELETE_FAILED", Some(failure.reason));
            }
            work.failed.push(logical.clone());
            work.tasks.pop_front();
            true
        }
        (What::Clear(item), outcome) => {
            match outcome {
                Ok(_) => stack.tell_only(now, item, "DELETE_COMPLETE", None),
                Err(failure) => stack.tell_only(now, item, "DELETE_FAILED", Some(failure.reason)),
            }
            work.tasks.pop_front();
            true
        }
    }
}

fn fail(stack: &mut Stack, work: &Work, logical: &str, why: &str, now: i64) {
    let Some(item) = stack.item(logical).cloned() else {
        return;
    };
    let made_before = work.before.as_ref().is_some_and(|before| {
        before
            .items
            .iter()
            .any(|old| old.logical == logical && old.physical == item.physical)
    });
    let status = if made_before || work.goal == Goal::UndoUpdate {
        "UPDATE_FAILED"
    } else {
        "CREATE_FAILED"
    };
    stack.tell(now, &item, status, Some(why.to_owned()));
}

/// Puts an item in the place of the one with its logical id.
fn adopt(stack: &mut Stack, item: Item) {
    match stack.item_mut(&item.logical) {
        Some(own) => *own = item,
        None => stack.items.push(item),
    }
}

/// The stack's template with its values.
pub(super) fn bound<'t>(template: &'t Template, stack: &Stack) -> Result<Bound<'t>, TemplateError> {
    template.bind(&stack.recipe.parameters, operations::pseudo(stack))
}

/// The resources that exist, for `Ref` and `Fn::GetAtt`.
pub(super) fn existing(stack: &Stack) -> Resources {
    stack
        .items
        .iter()
        .filter(|item| !item.status.starts_with("DELETE"))
        .filter_map(|item| {
            let physical = Physical {
                reference: item.physical.clone()?,
                attributes: item.attributes.clone(),
            };
            Some((item.logical.clone(), physical))
        })
        .collect::<BTreeMap<_, _>>()
}

/// A property as a list of texts; a single text is a list of one.
pub(super) fn texts(properties: &Value, name: &str) -> Vec<String> {
    match properties.get(name) {
        Some(Value::String(text)) => vec![text.clone()],
        Some(Value::Array(list)) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}
