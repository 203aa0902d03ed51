//! Problems: what failed, why, what to do next, and the detail for those who have to look it up.

use std::{error::Error, fmt};

use serde::Serialize;

use super::{invalid::Invalid, text};

/// What sort of problem it is; decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A check failed, the answer is no, or only part could be read.
    CheckFailed,
    /// Wrong usage or bad input.
    Usage,
    /// What was named does not exist.
    NotFound,
    /// Denied, or credentials are missing.
    Denied,
    /// Not reached, or slowed until patience ended.
    Unreachable,
    /// The user stopped it.
    Interrupted,
    /// Something that should not happen.
    Internal,
}

impl Kind {
    /// The exit code of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            Self::CheckFailed | Self::Internal => 1,
            Self::Usage => 2,
            Self::NotFound => 3,
            Self::Denied => 4,
            Self::Unreachable => 5,
            Self::Interrupted => 130,
        }
    }
}

/// Where in AWS it happened; what is not known is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize)]
pub struct Detail {
    /// `glue`, `sts`, `s3`, `cloudformation`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub service: Option<String>,
    /// `glue:GetDatabases`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// The ARN acted upon.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// The ARN of who asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caller: Option<String>,
    /// AWS's request id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// AWS's code for the error: `AccessDeniedException`. Kinds of failure are told apart by it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl Detail {
    /// Whether nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// One problem, the same in the terminal, on the command line and in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Problem {
    /// The sort; not part of the JSON, whose exit code says it.
    #[serde(skip)]
    pub kind: Kind,
    /// What failed, in one short sentence.
    pub what: String,
    /// Why.
    pub why: String,
    /// The single next step.
    pub next: String,
    /// Service, action, resource, caller and request id, as far as known.
    #[serde(skip_serializing_if = "Detail::is_empty")]
    pub detail: Box<Detail>,
    /// The profile that `aws sso login` signs in again, where that is the next step.
    #[serde(skip)]
    pub login: Option<Box<str>>,
}

impl Problem {
    /// A problem without detail. Its texts are scrubbed, since messages from outside end up in them.
    pub fn new(kind: Kind, what: impl AsRef<str>, why: impl AsRef<str>, next: impl AsRef<str>) -> Self {
        Self {
            kind,
            what: text::scrub(what.as_ref()),
            why: text::scrub(why.as_ref()),
            next: text::scrub(next.as_ref()),
            detail: Box::default(),
            login: None,
        }
    }

    /// The same problem with a next step of several lines, of which some are commands. What comes from outside is scrubbed
    /// before it is put into one, so that no name begins a line of its own.
    #[must_use]
    pub fn with_steps(mut self, next: &str) -> Self {
        let lines: Vec<String> = next.lines().map(text::scrub).collect();
        self.next = lines.join("\n");
        self
    }

    /// The user, or a successor, stopped the work.
    pub fn interrupted() -> Self {
        Self::new(Kind::Interrupted, "Stopped.", "", "")
    }

    /// The same problem with its detail, scrubbed too.
    #[must_use]
    pub fn with_detail(mut self, detail: Detail) -> Self {
        let clean = |field: Option<String>| field.map(|value| text::scrub(&value));
        self.detail = Box::new(Detail {
            service: clean(detail.service),
            action: clean(detail.action),
            resource: clean(detail.resource),
            caller: clean(detail.caller),
            request_id: clean(detail.request_id),
            code: clean(detail.code),
        });
        self
    }

    /// The same problem, which `aws sso login` of a profile mends, where one does.
    #[must_use]
    pub fn with_login(mut self, profile: Option<&str>) -> Self {
        self.login = profile.map(Into::into);
        self
    }

    /// All of it in running text, for what is scrolled and copied: what failed, why, what next.
    pub fn told(&self) -> String {
        let said = [&self.what, &self.why]
            .into_iter()
            .filter(|said| !said.is_empty());
        let mut said: Vec<String> = said.map(|said| text::sentence(said)).collect();
        // The next step gets no full stop: it may end with a command.
        said.extend(Some(self.next.clone()).filter(|next| !next.is_empty()));
        said.join(" ")
    }

    /// The exit code of a process that ends with it.
    pub fn exit_code(&self) -> u8 {
        self.kind.exit_code()
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)?;
        if !self.why.is_empty() {
            write!(f, ": {}", self.why)?;
        }
        Ok(())
    }
}

impl Error for Problem {}

impl From<Invalid> for Problem {
    /// Bad input: what is wrong with which part, and the shape that is expected as the next step.
    fn from(invalid: Invalid) -> Self {
        let given = if invalid.given.is_empty() {
            String::new()
        } else {
            format!("\"{}\" ", invalid.given)
        };
        Self::new(
            Kind::Usage,
            format!("The {} cannot be used", invalid.part),
            format!("{given}{}", invalid.why),
            format!("Give {}", invalid.expected),
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_are_the_contract() {
        let codes = [
            (Kind::CheckFailed, 1),
            (Kind::Usage, 2),
            (Kind::NotFound, 3),
            (Kind::Denied, 4),
            (Kind::Unreachable, 5),
            (Kind::Interrupted, 130),
            (Kind::Internal, 1),
        ];
        for (kind, code) in codes {
            assert_eq!(kind.exit_code(), code);
        }
    }

    #[test]
    fn json_leaves_out_what_is_not_known() {
        let problem = Problem::new(Kind::Denied, "a", "b", "c");
        assert_eq!(
            serde_json::to_string(&problem).unwrap(),
            r#"{"what":"a","why":"b","next":"c"}"#
        );
        let problem = problem.with_detail(Detail {
            action: Some("glue:GetTable".into()),
            ..Detail::default()
        });
        assert_eq!(
            serde_json::to_string(&problem).unwrap(),
            r#"{"what":"a","why":"b","next":"c","detail":{"action":"glue:GetTable"}}"#
        );
    }

    #[test]
    fn text_from_outside_is_scrubbed() {
        let problem = Problem::new(Kind::Denied, "a\u{1b}[2J", "b\u{7}", "c").with_detail(Detail {
            resource: Some("x\u{9b}".into()),
            ..Detail::default()
        });
        let json = serde_json::to_string(&problem).unwrap();
        assert!(!json.contains("u001b") && !json.contains('\u{9b}') && json.contains("␛[2J"));
    }

    #[test]
    fn steps_keep_their_lines_and_nothing_else() {
        let steps = "do this:\naws iam get-role\u{7} --role-name x\r\nthen that\u{1b}";
        let problem = Problem::new(Kind::Denied, "a", "b", "").with_steps(steps);
        assert_eq!(
            problem.next,
            "do this:\naws iam get-role␇ --role-name x\nthen that␛"
        );
    }

    #[test]
    fn running_text_ends_each_sentence_and_leaves_a_command_alone() {
        let problem = Problem::new(
            Kind::Denied,
            "It is gone",
            "nobody knows why.",
            "run: glueup verify",
        );
        assert_eq!(problem.told(), "It is gone. nobody knows why. run: glueup verify");
        assert_eq!(Problem::interrupted().told(), "Stopped.");
    }

    #[test]
    fn bad_input_keeps_its_three_parts() {
        let problem = Problem::from(Invalid::new("account ID", "12", "has 2 digits", "12 digits"));
        assert_eq!(problem.kind, Kind::Usage);
        assert_eq!(problem.why, "\"12\" has 2 digits");
        assert_eq!(problem.next, "Give 12 digits");
    }
}
