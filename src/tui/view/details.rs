//! Step 1: the form, and beneath it what will be granted, before it is asked.

use crate::domain::access::Access;
use crate::domain::account::AccountId;
use crate::domain::invalid::Invalid;
use crate::domain::names::CatalogName;
use crate::domain::quote::{self, Dialect};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Path;
use crate::domain::stack_name::{StackKind, StackName};
use crate::stack::grant;
use crate::tui::field::Field;
use crate::tui::model::{Details, DetailsFocus, Model, Remote, Wizard};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{self, Pen};
use crate::tui::view::{TEXT_WIDTH, problem};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// The columns before a field's text.
const LABEL: u16 = 14;
/// Suggestions shown under the region.
const SUGGESTIONS: usize = 4;

/// Draws the form.
pub fn draw(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let details = &wizard.details;
    let area = Rect {
        width: area.width.min(TEXT_WIDTH),
        ..area
    };
    let roomy = area.height >= 17;
    let mut pen = Pen::new(area, buf);
    let gap = |pen: &mut Pen<'_>| {
        if roomy {
            pen.skip();
        }
    };
    gap(&mut pen);
    row(
        &mut pen,
        theme,
        details,
        DetailsFocus::Name,
        "Name",
        &details.name,
    );
    hint::<CatalogName>(&mut pen, theme, &details.name, roomy, |name| spark_hint(&name));
    gap(&mut pen);
    row(
        &mut pen,
        theme,
        details,
        DetailsFocus::Region,
        "Region",
        &details.region,
    );
    region_hint(&mut pen, theme, details, roomy);
    gap(&mut pen);
    row(
        &mut pen,
        theme,
        details,
        DetailsFocus::S3Path,
        "S3 path",
        &details.s3_path,
    );
    hint::<S3Path>(&mut pen, theme, &details.s3_path, roomy, |path| {
        Some(path_hint(&path))
    });
    gap(&mut pen);
    access(&mut pen, theme, details);
    gap(&mut pen);
    advice(model, details, theme, &mut pen);
    preview(model, wizard, theme, &mut pen);
}

fn label(theme: &Theme, focused: bool, text: &str) -> Span<'static> {
    let pointer = if focused { theme.glyphs.pointer } else { " " };
    let style = if focused { theme.selected } else { theme.text };
    Span::styled(format!(" {pointer} {text:<11}"), style)
}

fn row(pen: &mut Pen<'_>, theme: &Theme, details: &Details, focus: DetailsFocus, name: &str, field: &Field) {
    let focused = details.focus == focus;
    let width = usize::from(pen.rest().width.saturating_sub(LABEL + 1));
    let mut spans = vec![label(theme, focused, name)];
    spans.extend(paint::field(field, focused, width, theme).spans);
    pen.line(Line::from(spans));
}

/// Under a field: its error once it has been left; else a word about what was typed.
fn hint<T: std::str::FromStr<Err = Invalid>>(
    pen: &mut Pen<'_>,
    theme: &Theme,
    field: &Field,
    roomy: bool,
    say: impl Fn(T) -> Option<String>,
) {
    if let Some(invalid) = field.error::<T>() {
        pen.wrapped(&format!("{} {invalid}", theme.glyphs.failed), LABEL, theme.bad);
    } else if roomy && let Some(line) = field.parse::<T>().ok().and_then(say) {
        pen.wrapped(&line, LABEL, theme.dim);
    }
}

fn spark_hint(name: &CatalogName) -> Option<String> {
    let quoted = quote::quote(name.as_str(), Dialect::Spark).ok()?;
    let why = if quoted.needed {
        format!(" ({})", quoted.why)
    } else {
        String::new()
    };
    Some(format!("in Spark: {}.db.table{why}", quoted.quoted))
}

fn region_hint(pen: &mut Pen<'_>, theme: &Theme, details: &Details, roomy: bool) {
    if details.focus == DetailsFocus::Region {
        let fitting = details.region_suggestions(SUGGESTIONS);
        if !fitting.is_empty() && details.region.error::<Region>().is_none() {
            pen.wrapped(&format!("^n takes {}", fitting.join(" · ")), LABEL, theme.dim);
            return;
        }
    }
    hint::<Region>(pen, theme, &details.region, roomy, |region| {
        region.warning().or_else(|| region.label().map(str::to_owned))
    });
}

fn path_hint(path: &S3Path) -> String {
    if path.whole_bucket() {
        format!(
            "bucket {} · the whole bucket: the policy will cover every object",
            path.bucket()
        )
    } else {
        format!("bucket {} · only below {}", path.bucket(), path.prefix())
    }
}

fn access(pen: &mut Pen<'_>, theme: &Theme, details: &Details) {
    let focused = details.focus == DetailsFocus::Access;
    let [on, off] = theme.glyphs.radio;
    let mut spans = vec![label(theme, focused, "Access")];
    for (value, word) in [(Access::ReadOnly, "read-only"), (Access::ReadWrite, "read-write")] {
        let chosen = details.access == value;
        let style = match (chosen, focused) {
            (true, true) => theme.selected,
            (true, false) => theme.text,
            (false, _) => theme.dim,
        };
        spans.push(Span::styled(
            format!("{} {word}   ", if chosen { on } else { off }),
            style,
        ));
    }
    pen.line(Line::from(spans));
}

fn advice(model: &Model, details: &Details, theme: &Theme, pen: &mut Pen<'_>) {
    match &details.advice {
        Remote::Ready { value, .. } => {
            for (good, line) in [&value.bucket, &value.catalog] {
                let (glyph, style) = if *good {
                    (theme.glyphs.passed, theme.good)
                } else {
                    (theme.glyphs.warning, theme.warn)
                };
                let rows = paint::wrap(line, usize::from(pen.rest().width.saturating_sub(6)));
                for (index, row) in rows.into_iter().enumerate() {
                    let lead = if index == 0 { glyph } else { " " };
                    pen.line(Line::from(vec![
                        Span::styled(format!("   {lead} "), style),
                        Span::styled(row, theme.dim),
                    ]));
                }
            }
        }
        Remote::Loading { since, .. } => {
            pen.line(problem::loading(
                "looking for bucket and catalog",
                *since,
                model.now.since_start,
                theme,
            ));
        }
        // Advice only: that it could not be had stands in the log and holds nobody up.
        Remote::Idle | Remote::Failed { .. } => {}
    }
}

fn preview(model: &Model, wizard: &Wizard, theme: &Theme, pen: &mut Pen<'_>) {
    let details = &wizard.details;
    let (Ok(name), Ok(path)) = (
        details.name.parse::<CatalogName>(),
        details.s3_path.parse::<S3Path>(),
    ) else {
        return;
    };
    let account: Option<AccountId> = model.identity.value().map(|who| who.account.clone());
    pen.skip();
    pen.line(Line::from(Span::styled("   WHAT WILL BE GRANTED", theme.heading)));
    let kind = match details.access {
        Access::ReadOnly => StackKind::GlueReadOnly,
        Access::ReadWrite => StackKind::GlueReadWrite,
    };
    let stack = model
        .records()
        .map(|r| StackName::compose(&r.platform.stack_prefix, kind, name.as_str()).to_string());
    let lines = grant::in_words(&grant::Wanted {
        access: details.access,
        s3_path: &path,
        databases: &[],
        account: account.as_ref(),
        kms_key: None,
        stack_name: stack.as_deref(),
    });
    for (heading, sentence) in lines {
        let width = usize::from(pen.rest().width.saturating_sub(10));
        for (index, row) in paint::wrap(&sentence, width).into_iter().enumerate() {
            let lead = if index == 0 { heading } else { "" };
            let drawn = pen.line(Line::from(vec![
                Span::styled(format!("   {lead:<6}"), theme.dim),
                Span::styled(row, theme.text),
            ]));
            if !drawn {
                return;
            }
        }
    }
}
