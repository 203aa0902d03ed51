//! Whether a role has room for one more policy.

use crate::domain::problem::{Kind, Problem};
use crate::session::Session;
use crate::setup::connection;
use crate::stack::policy::ROLE_TO_COME;
use crate::stack::refusal::refused;
use crate::stack::site::Site;
use crate::stack::template::{self, INLINE_POLICY_LIMIT};

impl Site {
    /// Refuses a grant that the role has no room for: all its inline policies together may have 10,240 characters
    /// without white space.
    ///
    /// # Errors
    /// `CheckFailed`, with the count and the grants that share the role.
    pub fn check_size(&self, session: &Session) -> Result<(), Problem> {
        let Some(grant) = &self.grant else {
            return Ok(());
        };
        let own = self.policy_size()?;
        let mut total = own;
        let mut others = Vec::new();
        for other in connection::grants_of(session, &grant.connection)? {
            if other.holder != grant.holder && other.is_made() {
                others.push(other.holder.to_string());
                let role = self.role_name().unwrap_or(ROLE_TO_COME);
                total += Self::of_grant(other, self.connection.clone(), role, "self")?.policy_size()?;
            }
        }
        if total <= INLINE_POLICY_LIMIT {
            return Ok(());
        }
        let company = if others.is_empty() {
            format!("{} alone needs {own}", grant.holder)
        } else {
            format!(
                "{} needs {own}, with {} on the same role it is {total}",
                grant.holder,
                others.join(", ")
            )
        };
        Err(Problem::new(
            Kind::CheckFailed,
            "the role has no room for this policy",
            format!("a role takes {INLINE_POLICY_LIMIT} characters of inline policies; {company}"),
            "name fewer databases, or bind it to a second connection",
        ))
    }

    fn policy_size(&self) -> Result<usize, Problem> {
        let documents = template::inline_policies(self.kind, &self.marks.parameters, self.pseudo())
            .map_err(|error| refused(&self.stack, &error))?;
        Ok(documents.iter().map(template::policy_size).sum())
    }
}
