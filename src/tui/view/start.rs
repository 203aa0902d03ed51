//! What the home screen says while there is nothing on record yet.

use crate::domain::text::width;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::Model;
use crate::tui::theme::Theme;
use crate::tui::view::NARROW;
use crate::tui::view::paint::{Pen, marked};
use ratatui::text::Span;

/// What glueup does, and what to press.
pub fn first_start(model: &Model, theme: &Theme, pen: &mut Pen<'_>) {
    let narrow = pen.rest().width < NARROW;
    if !narrow {
        pen.skip();
    }
    // In a small window what to press counts more than what it is for.
    let most = if narrow { 1 } else { usize::MAX };
    for line in [
        "glueup connects an AWS Glue Data Catalog to the engines that read it.",
        "It makes one role and its policy with CloudFormation, only after your yes.",
        "Then it proves that the access works, and that it is no wider than asked.",
    ]
    .into_iter()
    .take(most)
    {
        pen.wrapped(line, 3, theme.text);
    }
    pen.skip();
    let key = |context, action| model.keymap.word(context, action);
    let new = || key(Context::Home, Action::NewCatalog);
    let storage = |what: &str| (key(Context::Home, Action::NewStorage), what.to_owned());
    let own = || {
        let what = match narrow {
            true => "look around first",
            false => "look around first, with your own rights",
        };
        (key(Context::Home, Action::BrowseOwn), what.to_owned())
    };
    let keys = match model.refusal() {
        Some(refusal) => vec![(String::new(), format!("No catalog yet, and {refusal}."))],
        None if model.surroundings.demo => vec![
            (
                new(),
                match narrow {
                    true => "connect a Glue catalog".to_owned(),
                    false => "connect a Glue catalog of this embedded AWS".to_owned(),
                },
            ),
            storage(match narrow {
                true => "an S3 path without one",
                false => "connect an S3 path of it without a catalog",
            }),
            own(),
            (
                String::new(),
                "a lake to try: s3://acme-lake/warehouse in us-west-2".to_owned(),
            ),
        ],
        None if narrow => vec![
            (new(), "connect a Glue catalog".to_owned()),
            storage("an S3 path without one"),
            own(),
        ],
        None => vec![
            (new(), "connect a Glue catalog".to_owned()),
            storage("connect an S3 path without a catalog"),
            own(),
            (
                String::new(),
                format!(
                    "no AWS account? leave ({}) and run: glueup demo",
                    key(Context::Global, Action::Quit)
                ),
            ),
        ],
    };
    let columns = usize::from(pen.rest().width);
    let widest = keys.iter().map(|(key, _)| width(key)).max().unwrap_or(0).max(1) + 1;
    for (key, what) in keys {
        let key = Span::styled(format!("{key:<widest$}"), theme.accent);
        pen.lines(marked(key, &what, 3, columns, theme.text));
    }
}
