//! What each rung proves and what it cannot, read from the pages that explain them: said once, for readers of the
//! documentation and for whoever has to judge a connection.

use super::report::RungId;

/// What a rung's page says, each a paragraph with code in backticks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page {
    /// What holds when the rung has passed.
    pub proves: String,
    /// What does not follow from it.
    pub cannot_prove: String,
    /// What is asked of AWS.
    pub calls: String,
    /// What it leaves in the account's log of API calls.
    pub in_cloudtrail: String,
}

/// The page of a rung.
pub fn of(id: RungId) -> Page {
    let text = text(id);
    Page {
        proves: paragraph(text, "Proves"),
        cannot_prove: paragraph(text, "Cannot prove"),
        calls: paragraph(text, "Calls"),
        in_cloudtrail: paragraph(text, "In CloudTrail"),
    }
}

fn text(id: RungId) -> &'static str {
    match id {
        RungId::Reach => include_str!("../../docs/rungs/reach.md"),
        RungId::Identity => include_str!("../../docs/rungs/identity.md"),
        RungId::Broker => include_str!("../../docs/rungs/broker.md"),
        RungId::Role => include_str!("../../docs/rungs/role.md"),
        RungId::ExternalId => include_str!("../../docs/rungs/external-id.md"),
        RungId::Databases => include_str!("../../docs/rungs/databases.md"),
        RungId::Tables => include_str!("../../docs/rungs/tables.md"),
        RungId::Rest => include_str!("../../docs/rungs/rest.md"),
        RungId::List => include_str!("../../docs/rungs/list.md"),
        RungId::Read => include_str!("../../docs/rungs/read.md"),
        RungId::Write => include_str!("../../docs/rungs/write.md"),
        RungId::Neighbour => include_str!("../../docs/rungs/neighbour.md"),
        RungId::Locations => include_str!("../../docs/rungs/locations.md"),
    }
}

/// The paragraph that begins with `**LABEL.**`, on one line; empty where there is none.
fn paragraph(text: &str, label: &str) -> String {
    let Some((_, from)) = text.split_once(&format!("**{label}.**")) else {
        return String::new();
    };
    let lines = from.lines().take_while(|line| !line.trim().is_empty());
    lines
        .flat_map(str::split_whitespace)
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_page_says_all_of_it_in_plain_paragraphs() {
        for id in RungId::ALL {
            let page = of(id);
            for (label, text) in [
                ("Proves", &page.proves),
                ("Cannot prove", &page.cannot_prove),
                ("Calls", &page.calls),
                ("In CloudTrail", &page.in_cloudtrail),
            ] {
                assert!(text.len() > 7 && text.ends_with('.'), "{id:?}: {label}: {text:?}");
                assert_eq!(text.matches('`').count() % 2, 0, "{id:?}: {label}: {text}");
                // What else Markdown knows would be shown as it is written.
                for mark in ["](", "**", "|", "<"] {
                    assert!(!text.contains(mark), "{id:?}: {label}: {mark} in {text}");
                }
            }
        }
    }
}
