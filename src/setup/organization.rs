//! The organization: who connects, at which platform, and who are its admins.

use crate::domain::organization::{Organization, Role};
use crate::domain::problem::{Detail, Kind, Problem};
use crate::session::Session;
use crate::setup::{NewOrganization, Outcome, rules};

/// Writes `organization.yaml`; what is not given keeps its value.
///
/// # Errors
/// `Denied` when the organization on record has admins and the caller is none of them; `Usage` for a platform or an
/// edition that does not exist, and for admins that the caller is none of: nobody shuts himself out by a typo.
pub async fn init(session: &Session, new: NewOrganization) -> Result<Outcome, Problem> {
    rules::is_admin(session).await?;
    let stored = session.home.organization()?;
    let mut organization = rules::organization(session)?.0;
    let narrows = !new.admins.is_empty();
    apply(&mut organization, new)?;
    let advice = if narrows {
        caller_stays(session, &organization).await?
    } else {
        Vec::new()
    };
    let written = match stored {
        Some(stored) => session.home.update(&stored, organization)?,
        None => session.home.create(organization)?,
    };
    Ok(Outcome::Organization(written.record, advice))
}

/// Refuses admins that the caller is none of. Where nobody can tell who the caller is, that is said, and how to undo.
async fn caller_stays(session: &Session, organization: &Organization) -> Result<Vec<String>, Problem> {
    match session.identity(None).await {
        Ok(identity) if organization.role_of(&identity.arn) == Role::Admin => Ok(Vec::new()),
        Ok(identity) => Err(Problem::new(
            Kind::Usage,
            "with these admins you would be none yourself",
            format!(
                "you are {}, which matches none of: {}",
                identity.arn,
                organization.admins.join(", ")
            ),
            format!(
                "correct the pattern, or add one for yourself (--admin '{}'); or let one of those admins set it",
                pattern_of(&identity.arn)
            ),
        )
        .with_detail(Detail {
            caller: Some(identity.arn),
            ..Detail::default()
        })),
        Err(problem) => Ok(vec![format!(
            "who you are could not be looked up ({}), so nobody has checked that these patterns match you: if they do \
             not, put others under admins: in {}",
            problem.what,
            session.home.root().join("organization.yaml").display()
        )]),
    }
}

/// The caller as a pattern: of a session only the role, since its own name is another one each time.
fn pattern_of(arn: &str) -> String {
    match arn.rsplit_once('/') {
        Some((role, _)) if arn.contains(":assumed-role/") => format!("{role}/*"),
        _ => arn.to_owned(),
    }
}

fn apply(organization: &mut Organization, new: NewOrganization) -> Result<(), Problem> {
    if let Some(name) = new.platform {
        let platform = rules::platform(&name)?;
        if platform.id != organization.platform {
            // Editions are the platform's: that of another one means nothing here.
            organization.edition = None;
        }
        organization.platform = platform.id.clone();
    }
    if let Some(edition) = new.edition {
        organization.edition = Some(known_edition(&organization.platform, &edition)?);
    }
    if let Some(name) = new.name {
        organization.name = name;
    }
    if let Some(id) = new.id {
        organization.id = id;
    }
    if new.broker_role_arn.is_some() {
        organization.broker_role_arn = new.broker_role_arn;
    }
    if !new.admins.is_empty() {
        organization.admins = new.admins;
    }
    Ok(())
}

/// The platform's own spelling of an edition.
fn known_edition(platform: &str, edition: &str) -> Result<String, Problem> {
    let platform = rules::platform(platform)?;
    let all = &platform.editions.all;
    if let Some(known) = all.iter().find(|e| e.eq_ignore_ascii_case(edition.trim())) {
        return Ok(known.clone());
    }
    Err(Problem::new(
        Kind::Usage,
        format!("{} has no edition {edition}", platform.name),
        if all.is_empty() {
            format!("{} has no editions", platform.name)
        } else {
            format!("its editions are {}", all.join(", "))
        },
        if all.is_empty() {
            "leave --edition out".to_owned()
        } else {
            format!("give one of: {}", all.join(", "))
        },
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn organization() -> Organization {
        Organization::implicit("acme".parse().unwrap())
    }

    #[test]
    fn what_is_not_given_keeps_its_value() {
        let mut acme = organization();
        acme.name = "Acme".to_owned();
        let new = NewOrganization {
            platform: Some("wherobots".to_owned()),
            edition: Some("professional".to_owned()),
            ..NewOrganization::default()
        };
        apply(&mut acme, new).unwrap();
        assert_eq!(
            (acme.name.as_str(), acme.edition.as_deref()),
            ("Acme", Some("Professional"))
        );
        apply(
            &mut acme,
            NewOrganization {
                platform: Some("self".to_owned()),
                ..NewOrganization::default()
            },
        )
        .unwrap();
        assert_eq!(acme.edition, None);
    }

    #[test]
    fn a_session_is_known_by_its_role() {
        let session = "arn:aws:sts::012345678901:assumed-role/Admin/ana@acme.io";
        assert_eq!(
            pattern_of(session),
            "arn:aws:sts::012345678901:assumed-role/Admin/*"
        );
        let user = "arn:aws:iam::012345678901:user/team/ana";
        assert_eq!(pattern_of(user), user);
    }

    #[test]
    fn an_unknown_platform_or_edition_names_those_there_are() {
        let platform = NewOrganization {
            platform: Some("acme".to_owned()),
            ..NewOrganization::default()
        };
        let problem = apply(&mut organization(), platform).unwrap_err();
        assert!(problem.next.contains("wherobots"), "{}", problem.next);
        let edition = NewOrganization {
            platform: Some("wherobots".to_owned()),
            edition: Some("Gold".to_owned()),
            ..NewOrganization::default()
        };
        assert!(
            apply(&mut organization(), edition)
                .unwrap_err()
                .next
                .contains("Enterprise")
        );
    }
}
