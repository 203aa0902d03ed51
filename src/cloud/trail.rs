//! CloudTrail: who deleted a stack. One call, of the last 90 days' events; it may take a quarter of an hour until one shows.
//!
//! See <https://docs.aws.amazon.com/awscloudtrail/latest/APIReference/API_LookupEvents.html>.

use super::aws::Aws;
use super::failure::{Call, Cause};
use super::signed::{Answer, Outgoing, Sender};
use crate::domain::moment::Moment;
use crate::domain::problem::Problem;
use crate::domain::region::Region;
use crate::domain::text::scrub;
use serde_json::{Value, json};

/// How long before its end a deletion may have been asked for, in milliseconds.
const BEFORE: i64 = 3_600_000;
/// How much later than the end its event may be dated.
const AFTER: i64 = 60_000;

impl Aws {
    /// Who asked for the deletion of a stack that was gone at `at`, by name or id; `None`: no event of the last page tells.
    ///
    /// # Errors
    /// Whatever CloudTrail answers: a missing `cloudtrail:LookupEvents` is a denial.
    pub async fn who_deleted(
        &self,
        region: &Region,
        name: &str,
        id: &str,
        at: Moment,
    ) -> Result<Option<String>, Problem> {
        let host = || {
            format!(
                "https://{}",
                region.partition().service_host("cloudtrail", region)
            )
        };
        let url = self.endpoint("CLOUDTRAIL").unwrap_or_else(host);
        let seconds = |millis: i64| millis / 1_000;
        let body = json!({
            "LookupAttributes": [{"AttributeKey": "EventName", "AttributeValue": "DeleteStack"}],
            "StartTime": seconds(at.unix_millis() - BEFORE),
            "EndTime": seconds(at.unix_millis() + AFTER),
            "MaxResults": 50,
        })
        .to_string();
        let call = Call {
            service: "cloudtrail",
            action: "cloudtrail:LookupEvents",
            resource: None,
            caller: self.caller(),
            region: region.to_string(),
        };
        let outgoing = Outgoing {
            method: "POST",
            url: &format!("{}/", url.trim_end_matches('/')),
            headers: &[
                ("content-type", "application/x-amz-json-1.1"),
                (
                    "x-amz-target",
                    "com.amazonaws.cloudtrail.v20131101.CloudTrail_20131101.LookupEvents",
                ),
            ],
            body: &body,
            service: "cloudtrail",
            region: region.as_str(),
        };
        let events = Sender::new(self.clone()).ask(&call, &outgoing, read).await?;
        Ok(who(&events, name, id))
    }
}

/// What an answer says.
fn read(answer: &Answer) -> Result<Value, Cause> {
    let json = serde_json::from_slice::<Value>(&answer.body);
    if answer.is_success() {
        return json.map_err(|why| Cause::Strange(format!("HTTP {}, no JSON: {why}", answer.status)));
    }
    let text = |keys: [&str; 2]| {
        let body = json.as_ref().ok()?;
        keys.iter().find_map(|key| body.get(key)?.as_str()).map(scrub)
    };
    Err(Cause::Service {
        code: text(["__type", "code"]).map(|code| code.rsplit('#').next().unwrap_or_default().to_owned()),
        message: text(["message", "Message"]),
        status: Some(answer.status),
        request_id: answer.header("x-amzn-requestid"),
    })
}

/// The newest event that asked for this stack's deletion and was not refused: the caller's ARN in it, else their name.
fn who(answer: &Value, name: &str, id: &str) -> Option<String> {
    let events = answer.get("Events")?.as_array()?;
    events.iter().find_map(|event| {
        let told: Value = serde_json::from_str(event.get("CloudTrailEvent")?.as_str()?).ok()?;
        let asked = told.pointer("/requestParameters/stackName")?.as_str()?;
        if (asked != name && asked != id) || told.get("errorCode").is_some() {
            return None;
        }
        let arn = told.pointer("/userIdentity/arn").and_then(Value::as_str);
        let user = event.get("Username").and_then(Value::as_str);
        arn.or(user).map(scrub)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_event_of_this_stack_that_was_not_refused_tells_who() {
        let event = |stack: &str, who: &str, error: Option<&str>| {
            let mut told = json!({
                "requestParameters": {"stackName": stack},
                "userIdentity": {"arn": format!("arn:aws:iam::012345678901:user/{who}")},
            });
            if let Some(error) = error {
                told["errorCode"] = error.into();
            }
            json!({"EventName": "DeleteStack", "Username": who, "CloudTrailEvent": told.to_string()})
        };
        let of = |events: &[Value]| who(&json!({ "Events": events }), "s", "arn:s");
        let ann = Some("arn:aws:iam::012345678901:user/ann".to_owned());
        assert_eq!(of(&[event("s", "ann", None)]), ann);
        assert_eq!(of(&[event("arn:s", "ann", None), event("s", "bob", None)]), ann);
        assert_eq!(
            of(&[event("s", "bob", Some("AccessDenied")), event("s", "ann", None)]),
            ann
        );
        assert_eq!(of(&[event("other", "bob", None)]), None);
        assert_eq!(of(&[json!({"CloudTrailEvent": "{"}), json!({})]), None);
        assert_eq!(who(&json!({}), "s", "arn:s"), None);
        let nameless = json!({"Username": "cy\u{1b}", "CloudTrailEvent": json!({"requestParameters": {"stackName": "s"}}).to_string()});
        assert_eq!(of(&[nameless]).as_deref(), Some("cy\u{241b}"));
    }
}
