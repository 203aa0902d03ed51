//! The organization: who connects, at which platform, and who are its admins.

use crate::domain::names::OrganizationId;
use crate::domain::organization::{Organization, Role};
use crate::domain::platform::Broker;
use crate::domain::problem::{Detail, Kind, Problem};
use crate::domain::slug;
use crate::session::Session;
use crate::setup::{NewOrganization, Outcome, rules};

/// Writes `organization.yaml`; what is not given keeps its value.
///
/// # Errors
/// `Denied` when the organization on record has admins and the caller is none of them; `Usage` for a platform or an
/// edition that does not exist, for a platform without the edition or the broker role that it needs, and for admins
/// that the caller is none of: nobody shuts himself out by a typo.
pub async fn init(session: &Session, new: NewOrganization) -> Result<Outcome, Problem> {
    rules::is_admin(session).await?;
    let stored = session.home.organization()?;
    let mut organization = rules::organization(session)?.0;
    let narrows = !new.admins.is_empty();
    let is_new = stored.is_none() && session.home.connections()?.records.is_empty();
    if is_new && new.id.is_none() {
        // Stacks are told from others' by the id: where some may have been made it stays what it was.
        organization.id = new.name.as_deref().and_then(id_of).unwrap_or(organization.id);
    }
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

/// An id made from a name: `Acme GmbH & Co` → `acme-gmbh-co`; `None` where nothing is left of it.
fn id_of(name: &str) -> Option<OrganizationId> {
    slug::readable(name).parse().ok()
}

fn apply(organization: &mut Organization, new: NewOrganization) -> Result<(), Problem> {
    // One that was recorded with gaps is not kept from another change; nobody is led into a gap.
    let decides = new.platform.is_some() || new.without_broker;
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
    if new.without_broker {
        organization.broker_role_arn = None;
    }
    if !new.admins.is_empty() {
        organization.admins = new.admins;
    }
    if decides {
        check_whole(organization)?;
    }
    Ok(())
}

/// Refuses a platform without what it needs: nothing could be created with it.
fn check_whole(organization: &Organization) -> Result<(), Problem> {
    let platform = rules::platform(&organization.platform)?;
    let editions = &platform.editions;
    let (mut lacks, mut why, mut give) = (Vec::new(), Vec::new(), Vec::new());
    if !editions.all.is_empty() && organization.edition.is_none() {
        lacks.push("an edition");
        why.push(format!(
            "its editions are {}, and only {} may create connections and catalogs",
            editions.all.join(", "),
            editions.may_create.join(", ")
        ));
        // Nothing could be created with any other.
        give.push(format!("--edition {}", editions.may_create.join("|")));
    }
    if platform.broker == Broker::Required && organization.broker_role_arn.is_none() {
        lacks.push("a broker role");
        why.push("its engines assume a connection's role through a role of the platform's own".to_owned());
        give.push("--broker-role ARN".to_owned());
    }
    if lacks.is_empty() {
        return Ok(());
    }
    Err(Problem::new(
        Kind::Usage,
        format!("{} needs {}", platform.name, lacks.join(" and ")),
        why.join("; "),
        format!("glueup init --platform {} {}", platform.id, give.join(" ")),
    ))
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
            broker_role_arn: Some(broker()),
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
    fn an_id_is_made_from_a_name() {
        for (name, id) in [
            ("Acme", Some("acme")),
            ("Acme GmbH & Co. KG", Some("acme-gmbh-co-kg")),
            ("日本", None),
        ] {
            let made = id_of(name).map(|id| id.to_string());
            assert_eq!(made.as_deref(), id, "{name}");
        }
    }

    fn broker() -> crate::domain::arn::RoleArn {
        "arn:aws:iam::999988887777:role/broker".parse().unwrap()
    }

    #[test]
    fn a_platform_without_what_it_needs_is_refused_and_says_what_to_give() {
        let platform = |edition: Option<&str>, broker| NewOrganization {
            platform: Some("wherobots".to_owned()),
            edition: edition.map(str::to_owned),
            broker_role_arn: broker,
            ..NewOrganization::default()
        };
        let refused = |acme: &mut Organization, new| apply(acme, new).unwrap_err();
        let problem = refused(&mut organization(), platform(None, Some(broker())));
        assert_eq!(problem.kind, Kind::Usage);
        assert_eq!(problem.what, "Wherobots needs an edition");
        assert!(
            problem
                .why
                .contains("Community, Professional, Innovation, Enterprise"),
            "{problem:?}"
        );
        assert!(problem.next.contains("--edition Professional|"), "{problem:?}");
        let problem = refused(&mut organization(), platform(Some("Enterprise"), None));
        assert_eq!(problem.what, "Wherobots needs a broker role");
        let problem = refused(&mut organization(), platform(None, None));
        assert!(problem.next.ends_with("--broker-role ARN"), "{problem:?}");
        let mut acme = organization();
        apply(&mut acme, platform(Some("Enterprise"), Some(broker()))).unwrap();
        let without = || NewOrganization {
            without_broker: true,
            ..NewOrganization::default()
        };
        assert_eq!(
            refused(&mut acme.clone(), without()).what,
            "Wherobots needs a broker role"
        );
        // What is there already needs not be said again.
        let new = NewOrganization {
            name: Some("Acme".to_owned()),
            ..platform(None, None)
        };
        apply(&mut acme, new).unwrap();
        let own = NewOrganization {
            platform: Some("self".to_owned()),
            ..without()
        };
        apply(&mut acme, own).unwrap();
        assert_eq!((acme.broker_role_arn, acme.edition), (None, None));
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
