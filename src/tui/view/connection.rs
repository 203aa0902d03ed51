//! Step 2: the connections of the organization, and what the one under the pointer is; or the form for a new one.

use crate::domain::account::AccountId;
use crate::domain::invalid::Invalid;
use crate::domain::names::ConnectionName;
use crate::domain::text::{cut, scrub};
use crate::tui::field::Field;
use crate::tui::model::{ConnectionForm, FormFocus, Model, Wizard};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{self, Pen, window};
use crate::tui::view::{TEXT_WIDTH, TWO_PANES, problem, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
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

fn selected<'m>(model: &'m Model, wizard: &Wizard) -> Option<(usize, &'m crate::setup::ConnectionRow)> {
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
        pen.wrapped("Press n to make one.", 3, theme.text);
        return;
    }
    let (at, _) = selected(model, wizard).unzip();
    let at = at.unwrap_or_default();
    let from = window(at, records.connections.len(), pen.rows());
    let room = usize::from(area.width.saturating_sub(4));
    for (index, row) in records.connections.iter().enumerate().skip(from) {
        let here = index == at;
        let pointer = if here { theme.glyphs.pointer } else { " " };
        let style = if here { theme.selected } else { theme.text };
        let name = cut(&scrub(row.connection.name.as_str()), room);
        if !pen.line(Line::from(Span::styled(format!(" {pointer} {name}"), style))) {
            break;
        }
    }
    if alone && let Some((_, row)) = selected(model, wizard) {
        pen.skip();
        details(row, theme, &mut pen);
    }
    if let Some(problem) = &wizard.connection.problem {
        pen.skip();
        problem::draw(problem, theme, &mut pen);
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
    details(row, theme, &mut pen);
}

fn details(row: &crate::setup::ConnectionRow, theme: &Theme, pen: &mut Pen<'_>) {
    let width = usize::from(pen.rest().width);
    for (label, value) in words::connection(row) {
        pen.lines(paint::labelled(
            label,
            &value,
            words::CONNECTION_LABELS,
            width,
            theme,
        ));
    }
}

fn draw_form(model: &Model, form: &ConnectionForm, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let mut pen = Pen::new(area, buf);
    let roomy = area.height >= 14;
    if roomy {
        pen.skip();
    }
    pen.line(Line::from(Span::styled("   NEW CONNECTION", theme.heading)));
    if roomy {
        pen.wrapped(
            "One for each AWS account; every catalog of that account can use it.",
            3,
            theme.dim,
        );
        pen.skip();
    }
    row(&mut pen, theme, form.focus == FormFocus::Name, "Name", &form.name);
    error::<ConnectionName>(&form.name, theme, &mut pen);
    row(
        &mut pen,
        theme,
        form.focus == FormFocus::Account,
        "Account ID",
        &form.account,
    );
    error::<AccountId>(&form.account, theme, &mut pen);
    if let Some(problem) = &form.problem {
        pen.skip();
        problem::draw(problem, theme, &mut pen);
    }
    if roomy {
        pen.skip();
    }
    let who = match model
        .records()
        .and_then(|r| r.organization.broker_role_arn.as_ref())
    {
        Some(broker) => format!("The role will trust {broker}, and only with the external ID."),
        None => match model.identity.value() {
            Some(who) => format!("The role will trust {}, and only with the external ID.", who.arn),
            None => "The role will trust you, and only with the external ID.".to_owned(),
        },
    };
    pen.wrapped(&who, 3, theme.text);
    pen.wrapped(
        "The external ID is made by glueup, at random; nobody types it.",
        3,
        theme.dim,
    );
}

fn error<T: std::str::FromStr<Err = Invalid>>(field: &Field, theme: &Theme, pen: &mut Pen<'_>) {
    if let Some(invalid) = field.error::<T>() {
        let glyph = Span::styled(theme.glyphs.failed, theme.bad);
        let width = usize::from(pen.rest().width);
        pen.lines(paint::marked(
            glyph,
            &invalid.to_string(),
            LABEL,
            width,
            theme.text,
        ));
    }
}

fn row(pen: &mut Pen<'_>, theme: &Theme, focused: bool, name: &str, field: &Field) {
    let pointer = if focused { theme.glyphs.pointer } else { " " };
    let style = if focused { theme.selected } else { theme.text };
    let width = usize::from(pen.rest().width).saturating_sub(LABEL + 1);
    let mut spans = vec![Span::styled(format!(" {pointer} {name:<13}"), style)];
    spans.extend(paint::field(field, focused, width, theme).spans);
    pen.line(Line::from(spans));
}
