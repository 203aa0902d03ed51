//! STS of the embedded AWS.

mod assume;
mod sessions;

pub use sessions::Sessions;

use super::caller::{Caller, Kind};
use super::error::AwsError;
use super::params::Params;
use super::world::World;
use super::xml::Xml;

/// Answers one operation; the XML is what stands inside `<ActionResult>`.
pub fn handle(world: &World, caller: &Caller, params: &Params) -> Result<Xml, AwsError> {
    match params.action() {
        // Nobody can be denied this.
        "GetCallerIdentity" => Ok(Xml::new()
            .text("Arn", &caller.arn)
            .text("UserId", &caller.user_id)
            .text("Account", &caller.account)),
        "AssumeRole" => assume::assume_role(world, caller, params),
        "GetSessionToken" => session_token(world, caller, params),
        other => Err(AwsError::unknown_action(other)),
    }
}

/// A session of the caller's own: nobody can be denied this, but a session cannot beget another.
fn session_token(world: &World, caller: &Caller, params: &Params) -> Result<Xml, AwsError> {
    if matches!(caller.kind, Kind::Session { .. }) || caller.key_id.starts_with("ASIA") {
        return Err(AwsError::denied(
            "Cannot call GetSessionToken with session credentials",
        ));
    }
    let seconds = params.number("DurationSeconds")?.unwrap_or(43_200);
    if !(900..=129_600).contains(&seconds) {
        return Err(assume::duration_out_of_bounds(seconds, 129_600));
    }
    let end = world.now().saturating_add(seconds.saturating_mul(1000));
    let now = world.now();
    let credentials = world.change(|state| {
        let mfa = state.iam.check_code(world.moment(), caller, params)?;
        let session = Caller {
            mfa,
            ..caller.clone()
        };
        Ok(state.sessions.begin(session, now, end))
    })?;
    Ok(Xml::new().node("Credentials", credentials.to_xml()))
}
