//! Who connects: an organization on a platform, and who in it may create, deploy and delete.

use serde::{Deserialize, Serialize};

use super::{arn::RoleArn, names::OrganizationId, platform::Platform};

/// What a caller may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Creates, deploys and deletes.
    Admin,
    /// Uses, verifies, browses and hands off what exists.
    User,
}

/// The organization of one glueup home.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Organization {
    /// The version of the record's schema: 1.
    pub version: u32,
    /// The id, as the platform shows it; part of the stacks' tags.
    pub id: OrganizationId,
    /// The name for people.
    pub name: String,
    /// The id of the platform: `self`, `wherobots`, …
    pub platform: String,
    /// The edition, where the platform has editions.
    #[serde(default)]
    pub edition: Option<String>,
    /// The role that assumes customers' roles (hop 1); without it the caller assumes them itself.
    #[serde(default)]
    pub broker_role_arn: Option<RoleArn>,
    /// Patterns of caller ARNs with `*` and `?`; empty: everyone is an admin.
    #[serde(default)]
    pub admins: Vec<String>,
}

impl Organization {
    /// The organization of a home without one: yours, on your own engines.
    pub fn implicit(id: OrganizationId) -> Self {
        Self {
            version: 1,
            name: id.to_string(),
            id,
            platform: "self".to_owned(),
            edition: None,
            broker_role_arn: None,
            admins: Vec::new(),
        }
    }

    /// What the caller with this ARN may do.
    pub fn role_of(&self, caller_arn: &str) -> Role {
        if self.admins.is_empty() || self.admins.iter().any(|pattern| matches(pattern, caller_arn)) {
            Role::Admin
        } else {
            Role::User
        }
    }

    /// Whether the organization's edition may create catalogs and connections; if not, one sentence why.
    pub fn may_create(&self, platform: &Platform) -> Result<(), String> {
        let editions = &platform.editions;
        if editions.may_create.is_empty() {
            return Ok(());
        }
        let may = editions.may_create.join(", ");
        match &self.edition {
            Some(edition)
                if editions
                    .may_create
                    .iter()
                    .any(|e| e.eq_ignore_ascii_case(edition.trim())) =>
            {
                Ok(())
            }
            Some(edition) => Err(format!(
                "{} {edition} Edition cannot create catalogs or Cloud Connections; {may} can",
                platform.name
            )),
            None => Err(format!(
                "the organization's {} edition is not known; only {may} can create (glueup init --edition)",
                platform.name
            )),
        }
    }
}

/// Whether a text matches a pattern in which `*` stands for any characters and `?` for one.
fn matches(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.trim().chars().collect();
    let text: Vec<char> = text.chars().collect();
    let (mut p, mut t) = (0, 0);
    // Where the last star stood, and up to where it has eaten: tried again, one further, on a mismatch.
    let mut star: Option<(usize, usize)> = None;
    while t < text.len() {
        match pattern.get(p) {
            Some('*') => {
                star = Some((p, t));
                p += 1;
            }
            Some(c) if *c == '?' || Some(c) == text.get(t) => {
                p += 1;
                t += 1;
            }
            _ => match star {
                Some((at, eaten)) => {
                    p = at + 1;
                    t = eaten + 1;
                    star = Some((at, eaten + 1));
                }
                None => return false,
            },
        }
    }
    pattern.iter().skip(p).all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn organization(admins: &[&str]) -> Organization {
        let mut organization = Organization::implicit("acme".parse().unwrap());
        organization.admins = admins.iter().map(|s| (*s).to_owned()).collect();
        organization
    }

    #[test]
    fn without_patterns_everyone_is_an_admin() {
        assert_eq!(
            organization(&[]).role_of("arn:aws:iam::012345678901:user/ana"),
            Role::Admin
        );
    }

    #[test]
    fn patterns_of_caller_arns_decide() {
        let acme = organization(&[
            "arn:aws:sts::*:assumed-role/AWSReservedSSO_Admin_*/*",
            "arn:aws:iam::?23:user/a",
        ]);
        for (caller, role) in [
            (
                "arn:aws:sts::012345678901:assumed-role/AWSReservedSSO_Admin_1a2b/ana",
                Role::Admin,
            ),
            (
                "arn:aws:sts::012345678901:assumed-role/AWSReservedSSO_Reader_1a2b/ana",
                Role::User,
            ),
            ("arn:aws:iam::123:user/a", Role::Admin),
            ("arn:aws:iam::123:user/ab", Role::User),
            ("", Role::User),
        ] {
            assert_eq!(acme.role_of(caller), role, "{caller}");
        }
    }

    #[test]
    fn stars_backtrack() {
        assert!(matches("a*b*c", "aXbXbXc"));
        assert!(!matches("a*b*c", "aXbXbX"));
        assert!(matches("*", ""));
        assert!(!matches("?", ""));
        assert!(matches("**a**", "a"));
    }

    #[test]
    fn an_edition_may_or_may_not_create() {
        let wherobots = Platform::named("wherobots").unwrap();
        let mut acme = organization(&[]);
        assert!(acme.may_create(Platform::named("self").unwrap()).is_ok());
        assert!(acme.may_create(wherobots).unwrap_err().contains("not known"));
        acme.edition = Some("Community".into());
        assert!(
            acme.may_create(wherobots)
                .unwrap_err()
                .contains("Community Edition cannot create")
        );
        for edition in ["Professional", "innovation", "Enterprise"] {
            acme.edition = Some(edition.into());
            assert!(acme.may_create(wherobots).is_ok());
        }
    }
}
