//! What a stack grants, in words: for whoever has to decide, before anything is made.

use crate::domain::access::Access;
use crate::domain::account::AccountId;
use crate::domain::s3_path::S3Path;
use crate::registry::{Connection, Grant};
use crate::stack::policy_view;

/// What is asked for, as far as the words need it.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// What may be done.
    pub access: Access,
    /// Where the tables' files are.
    pub s3_path: &'a S3Path,
    /// The databases, empty: all; `None`: nothing of Glue.
    pub databases: Option<&'a [String]>,
    /// The catalog's account, once a connection has been chosen.
    pub account: Option<&'a AccountId>,
    /// The key that encrypts the bucket.
    pub kms_key: Option<&'a str>,
    /// The key that encrypts the Data Catalog.
    pub catalog_kms_key: Option<&'a str>,
    /// The stack's name, once it is known.
    pub stack_name: Option<&'a str>,
}

/// The grant in words: a short heading (`Glue`, `S3`, `KMS`, `Not`, `Stack`) and its sentence, in the order to be shown.
pub fn in_words(wanted: &Wanted<'_>) -> Vec<(&'static str, String)> {
    let mut lines = Vec::new();
    lines.extend(
        wanted
            .databases
            .map(|databases| ("Glue", glue(wanted, databases))),
    );
    lines.push(("S3", s3(wanted)));
    for (key, service) in [(wanted.kms_key, "S3"), (wanted.catalog_kms_key, "Glue")] {
        let Some(key) = key.filter(|key| !key.is_empty()) else {
            continue;
        };
        let verbs = match wanted.access {
            Access::ReadOnly => "decrypt",
            Access::ReadWrite => "encrypt and decrypt",
        };
        lines.push(("KMS", format!("{verbs} with {key}, through {service} only")));
    }
    lines.push(("Not", not(wanted)));
    if let Some(name) = wanted.stack_name {
        lines.push(("Stack", name.to_owned()));
    }
    lines
}

fn glue(wanted: &Wanted<'_>, databases: &[String]) -> String {
    let whose = match wanted.account {
        Some(account) => format!("account {}", account.grouped()),
        None => "the connection's account".to_owned(),
    };
    match (wanted.access, databases) {
        (Access::ReadOnly, []) => format!("read databases, tables, partitions of {whose}"),
        (Access::ReadWrite, []) => {
            format!("read, create, change and delete databases, tables, partitions of {whose}")
        }
        (Access::ReadOnly, named) => format!("read tables, partitions of {} in {whose}", list(named)),
        (Access::ReadWrite, named) => {
            format!(
                "read, create, change and delete {}, its tables and partitions, in {whose}",
                list(named)
            )
        }
    }
}

fn s3(wanted: &Wanted<'_>) -> String {
    let verbs = match wanted.access {
        Access::ReadOnly => "list and read",
        Access::ReadWrite => "list, read, write and delete",
    };
    let path = wanted.s3_path;
    if path.whole_bucket() {
        format!("{verbs} every object of {}", path.stands_on())
    } else if path.point().is_some() {
        format!(
            "{verbs} below {} of {}, by no other name of its bucket",
            path.prefix(),
            path.stands_on()
        )
    } else {
        format!("{verbs} below s3://{}/{}", path.bucket(), path.prefix())
    }
}

fn not(wanted: &Wanted<'_>) -> String {
    let mut parts = Vec::new();
    if wanted.access == Access::ReadOnly {
        if wanted.databases.is_some() {
            parts.push("create or change tables");
        }
        parts.push("write or delete objects");
    }
    match wanted.databases {
        None => parts.push("anything of the Glue Data Catalog"),
        Some([]) => {}
        Some(_) => parts.push("other databases"),
    }
    parts.push(if wanted.s3_path.whole_bucket() {
        "any other bucket"
    } else {
        "anything elsewhere"
    });
    parts.join(" · ")
}

/// Names for a sentence: `database sales`, `databases sales, weather and 3 more`.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 4;
    let shown: Vec<&str> = names.iter().take(SHOWN).map(String::as_str).collect();
    let rest = names.len().saturating_sub(SHOWN);
    let word = if names.len() == 1 { "database" } else { "databases" };
    let more = if rest > 0 {
        format!(" and {rest} more")
    } else {
        String::new()
    };
    format!("{word} {}{more}", shown.join(", "))
}

/// Why a statement of our templates is there, by its `Sid`; `narrowed`: whether a condition bounds it. `None` for one that is
/// not ours.
pub fn why(sid: &str, narrowed: bool) -> Option<&'static str> {
    Some(match sid {
        "NamedPrincipalsWithExternalId" => {
            "the named principals may become this role, and only with the external id, so that nobody can make them \
             act on this account for somebody else"
        }
        "VerifierWithExternalId" => {
            "one principal of this side may become the role too, with the same external id, so that Verify can prove the \
             connection by using it; it can be taken away again without touching the rest"
        }
        "ReadCatalog" => {
            "engines list databases and tables and read their columns; nothing here changes anything"
        }
        "WriteCatalog" => "engines create, change and drop databases, tables and their partitions",
        "DropFunctions" => {
            "dropping a database drops its functions too; without the right on the database it drops nothing"
        }
        "BucketRegion" => "an engine must know the bucket's region before it can read",
        "ListPrefix" if !narrowed => "engines find the files there, in all of the bucket",
        "ListPrefix" => "engines find the files there; the slash at the end keeps neighbours out",
        "ReadFiles" => "the files themselves, and earlier versions of them",
        "WriteFiles" => "new files, and the removal of those that are no longer needed",
        "ReadObjects" => "data and metadata files of the tables",
        "WriteObjects" => {
            "new data and metadata files, and the removal of those that a table no longer needs"
        }
        "ListUploads" => "large files go up in parts; what a failed upload left is found and removed",
        "DecryptObjects" => "the bucket's objects are encrypted with this key",
        "UseBucketKey" => "the bucket's objects are encrypted with this key, new ones too",
        "DecryptCatalog" => "the Data Catalog is encrypted with this key",
        "UseCatalogKey" => "the Data Catalog is encrypted with this key, new entries too",
        _ => return None,
    })
}

/// Each permission of a grant's stack with its why, a line each; see [`policy_view`].
pub fn policy_in_words(grant: &Grant, connection: &Connection) -> Vec<String> {
    policy_view::in_lines(grant, connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(access: Access, path: &str, databases: &[&str]) -> Vec<(&'static str, String)> {
        let path: S3Path = path.parse().unwrap();
        let account: AccountId = "012345678901".parse().unwrap();
        let databases: Vec<String> = databases.iter().map(|d| (*d).to_owned()).collect();
        in_words(&Wanted {
            access,
            s3_path: &path,
            databases: Some(&databases),
            account: Some(&account),
            kms_key: None,
            catalog_kms_key: None,
            stack_name: Some("glueup-glue-readonly-lake-house"),
        })
    }

    #[test]
    fn read_only_says_what_it_cannot_do() {
        assert_eq!(
            words(Access::ReadOnly, "s3://acme-lake/warehouse", &[]),
            [
                (
                    "Glue",
                    "read databases, tables, partitions of account 0123-4567-8901".to_owned()
                ),
                ("S3", "list and read below s3://acme-lake/warehouse/".to_owned()),
                (
                    "Not",
                    "create or change tables · write or delete objects · anything elsewhere".to_owned()
                ),
                ("Stack", "glueup-glue-readonly-lake-house".to_owned()),
            ]
        );
    }

    #[test]
    fn a_whole_bucket_is_called_that() {
        let words = words(Access::ReadWrite, "s3://acme-lake", &["sales"]);
        assert_eq!(
            words[1].1,
            "list, read, write and delete every object of the bucket acme-lake"
        );
        assert_eq!(words[2].1, "other databases · any other bucket");
    }

    #[test]
    fn every_statement_of_the_templates_has_its_why() {
        let templates = [
            include_str!("../../templates/connection.yaml"),
            include_str!("../../templates/glue-readonly.yaml"),
            include_str!("../../templates/glue-readwrite.yaml"),
        ];
        let mut seen = 0;
        for sid in templates
            .iter()
            .flat_map(|t| t.lines())
            .filter_map(|l| l.trim().strip_prefix("- Sid: "))
        {
            assert!(why(sid, true).is_some(), "{sid} has no why");
            seen += 1;
        }
        assert!(
            seen > 10,
            "only {seen} statements found: does the search still fit the templates?"
        );
    }
}
