//! Step 2: the connections of the organization, and what the one under the pointer is; or the form for a new one.

use crate::domain::account::AccountId;
use crate::domain::arn::Verifier;
use crate::domain::invalid::Invalid;
use crate::domain::names::ConnectionName;
use crate::domain::text::{cut, scrub};
use crate::setup::ConnectionRow;
use crate::tui::field::Field;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{ConnectionForm, FormFocus, Model, Wizard};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{self, Pen, window, wrap};
use crate::tui::view::{TEXT_WIDTH, TWO_PANES, problem, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// The columns before a field's text.
const LABEL: usize = 16;

/// Draws the step.
pub fn draw(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, buf: &mut Buffer) {
    if let Some(form) = &wizard.connection.form {
        draw_form(
            model,
            form,
            theme,
            Rect {
                width: area.width.min(TEXT_WIDTH),
                ..area
            },
            buf,
        );
        return;
    }
    let list_width = if area.width >= TWO_PANES { 30 } else { area.width };
    let list = Rect {
        width: list_width,
        ..area
    };
    draw_list(model, wizard, theme, list, area.width < TWO_PANES, buf);
    if area.width >= TWO_PANES {
        paint::bar(theme, area.x + list_width, area, buf);
        let detail = Rect {
            x: area.x + list_width + 1,
            width: area.width.saturating_sub(list_width + 1).min(TEXT_WIDTH),
            ..area
        };
        draw_detail(model, wizard, theme, detail, buf);
    }
}

fn selected<'m>(model: &'m Model, wizard: &Wizard) -> Option<(usize, &'m ConnectionRow)> {
    let rows = &model.records()?.connections;
    let at = wizard
        .connection
        .selected
        .as_ref()
        .and_then(|name| rows.iter().position(|row| row.connection.name == *name))
        .unwrap_or_default();
    rows.get(at).map(|row| (at, row))
}

fn draw_list(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, alone: bool, buf: &mut Buffer) {
    let mut pen = Pen::new(area, buf);
    pen.line(Line::from(Span::styled(" CONNECTIONS", theme.heading)));
    let Some(records) = model.records() else {
        let since = model.overview.loading_since().unwrap_or(model.now.since_start);
        pen.line(problem::loading(
            "reading the records",
            "",
            since,
            model.now.since_start,
            theme,
        ));
        return;
    };
    if records.connections.is_empty() {
        pen.wrapped(
            "None yet. A connection is the trust between this organization and one AWS account.",
            3,
            theme.dim,
        );
        let new = model.keymap.word(Context::Connection, Action::NewConnection);
        pen.wrapped(&format!("Press {new} to make one."), 3, theme.text);
        return;
    }
    let (at, _) = selected(model, wizard).unzip();
    let at = at.unwrap_or_default();
    let from = window(at, records.connections.len(), pen.rows());
    let room = usize::from(area.width.saturating_sub(6));
    for (index, row) in records.connections.iter().enumerate().skip(from) {
        let here = index == at;
        let pointer = if here { theme.glyphs.pointer } else { " " };
        let style = if here { theme.selected } else { theme.text };
        let name = cut(&scrub(row.connection.name.as_str()), room);
        let line = Line::from(vec![
            Span::styled(format!(" {pointer} "), style),
            sign(row, theme),
            Span::styled(format!(" {name}"), style),
        ]);
        if !pen.line(line) {
            break;
        }
    }
    if alone && let Some((_, row)) = selected(model, wizard) {
        pen.skip();
        details(model, row, theme, &mut pen);
    }
    if let Some(problem) = &wizard.connection.problem {
        pen.skip();
        problem::draw(model, problem, theme, &mut pen);
    }
}

/// How it stands with a connection, as on the home screen.
fn sign(row: &ConnectionRow, theme: &Theme) -> Span<'static> {
    match &row.verdict {
        Some(last) if row.connection.role_arn.is_some() => Span::styled(
            words::glyph(last.verdict, theme),
            words::style(last.verdict, theme),
        ),
        _ => Span::styled(theme.glyphs.waiting, theme.dim),
    }
}

fn draw_detail(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let Some((_, row)) = selected(model, wizard) else {
        return;
    };
    let mut pen = Pen::new(area, buf);
    pen.line(Line::from(Span::styled(
        format!(" {}", scrub(row.connection.name.as_str())),
        theme.heading,
    )));
    details(model, row, theme, &mut pen);
}

/// What is known of a connection; where there is no room for all of it, the last row says how to see it whole.
fn details(model: &Model, row: &ConnectionRow, theme: &Theme, pen: &mut Pen<'_>) {
    let width = usize::from(pen.rest().width);
    let mut rows: Vec<Line<'static>> = words::connection(row)
        .into_iter()
        .flat_map(|(label, value)| paint::labelled(label, &value, words::CONNECTION_LABELS, width, theme))
        .collect();
    let room = pen.rows();
    if rows.len() > room {
        let below = rows.len() + 1 - room;
        rows.truncate(room.saturating_sub(1));
        let key = model.keymap.key(Context::Connection, Action::Zoom);
        let key = key.map(|key| format!(": {}", key.in_words())).unwrap_or_default();
        rows.push(Line::from(Span::styled(
            format!(" … {below} more{key}"),
            theme.dim,
        )));
    }
    pen.lines(rows);
}

fn draw_form(model: &Model, form: &ConnectionForm, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let width = usize::from(area.width);
    let said = |text: &str, style: Style| -> Vec<Line<'static>> {
        wrap(text, width.saturating_sub(4))
            .into_iter()
            .map(|row| Line::from(Span::styled(format!("   {row}"), style)))
            .collect()
    };
    let heading = said("NEW CONNECTION", theme.heading);
    let what = said(
        "One for each AWS account; every catalog of that account can use it.",
        theme.dim,
    );
    let mut name = vec![row(
        theme,
        form.focus == FormFocus::Name,
        ("Name", "such as prod-account"),
        &form.name,
        width,
    )];
    name.extend(error::<ConnectionName>(&form.name, theme, width));
    let mut account = vec![row(
        theme,
        form.focus == FormFocus::Account,
        ("Account ID", "12 digits"),
        &form.account,
        width,
    )];
    account.extend(error::<AccountId>(&form.account, theme, width));
    let verifier = form.verifier.as_ref().map(|field| {
        let mut rows = vec![row(
            theme,
            form.focus == FormFocus::Verifier,
            ("Verifier", "me, or an ARN; may be empty"),
            field,
            width,
        )];
        if !field.text().trim().is_empty() {
            rows.extend(error::<Verifier>(field, theme, width));
        }
        rows
    });
    let mut trust = said(&who(model), theme.text);
    if form.verifier.is_some() {
        trust.extend(said(
            "It is a vendor's, and lets nobody else in: Verify judges by policy, unless a verifier may assume the role too.",
            theme.dim,
        ));
    }
    trust.extend(said(
        "The external ID is made by glueup, at random; nobody types it.",
        theme.dim,
    ));
    let mut pen = Pen::new(area, buf);
    if area.height >= 14 {
        pen.skip();
        pen.lines([heading, what].concat());
        pen.skip();
        pen.lines(
            [name, account]
                .into_iter()
                .chain(verifier)
                .collect::<Vec<_>>()
                .concat(),
        );
        if let Some(problem) = &form.problem {
            pen.skip();
            problem::draw(model, problem, theme, &mut pen);
        }
        pen.skip();
        pen.lines(trust);
        return;
    }
    // In a small window the field that has the keys stays in sight, and what is wrong with it.
    let mut fields: Vec<Vec<Line<'static>>> = [name, account].into_iter().chain(verifier).collect();
    let rows: usize = fields.iter().map(Vec::len).sum();
    if rows > pen.rows() {
        let at = match form.focus {
            FormFocus::Name => 0,
            FormFocus::Account => 1,
            FormFocus::Verifier => 2,
        };
        let last = fields.len().saturating_sub(1);
        fields.rotate_left(at.min(last));
    }
    let fields = fields.concat();
    if heading.len() + fields.len() <= pen.rows() {
        pen.lines(heading);
    }
    pen.lines(fields);
    match &form.problem {
        Some(problem) => problem::draw(model, problem, theme, &mut pen),
        None => {
            pen.lines(trust);
        }
    }
}

/// Whom the new role will trust.
fn who(model: &Model) -> String {
    let broker = model
        .records()
        .and_then(|r| r.organization.broker_role_arn.as_ref());
    let who = match (broker, model.identity.value()) {
        (Some(broker), _) => broker.to_string(),
        (None, Some(who)) => who.arn.clone(),
        (None, None) => "you".to_owned(),
    };
    format!("The role will trust {who}, and only with the external ID.")
}

fn error<T: std::str::FromStr<Err = Invalid>>(
    field: &Field,
    theme: &Theme,
    width: usize,
) -> Vec<Line<'static>> {
    let Some(invalid) = field.error::<T>() else {
        return Vec::new();
    };
    let glyph = Span::styled(theme.glyphs.failed, theme.bad);
    paint::marked(glyph, &invalid.to_string(), LABEL, width, theme.text)
}

fn row(
    theme: &Theme,
    focused: bool,
    (name, example): (&str, &str),
    field: &Field,
    width: usize,
) -> Line<'static> {
    let pointer = if focused { theme.glyphs.pointer } else { " " };
    let style = if focused { theme.selected } else { theme.text };
    let mut spans = vec![Span::styled(format!(" {pointer} {name:<13}"), style)];
    spans.extend(paint::field(field, focused, width.saturating_sub(LABEL + 1), theme).spans);
    if let Some(example) = paint::example(field, example, theme) {
        spans.push(Span::raw(if focused { " " } else { "  " }));
        spans.push(example);
    }
    Line::from(spans)
}
