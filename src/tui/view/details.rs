//! Step 1: the form, and beneath it what will be granted, before it is asked.

use crate::domain::access::Access;
use crate::domain::invalid::Invalid;
use crate::domain::names::{CatalogName, StorageName};
use crate::domain::quote::{self, Dialect};
use crate::domain::region::Region;
use crate::domain::s3_path::S3Path;
use crate::domain::text::width;
use crate::registry::GrantKind;
use crate::tui::field::Field;
use crate::tui::keymap::{Action, Context};
use crate::tui::model::{Details, DetailsFocus, Model, Remote, Wizard};
use crate::tui::theme::Theme;
use crate::tui::view::paint::{self, Pen, marked, wrap};
use crate::tui::view::{TEXT_WIDTH, problem, words};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// The columns before a field's text.
const LABEL: usize = 14;
/// Suggestions shown under the region.
const SUGGESTIONS: usize = 4;

/// Draws the form: with air and hints where there is room; else the field that has the keys stays in sight, and the last
/// row says how to see what will be granted.
pub fn draw(model: &Model, wizard: &Wizard, theme: &Theme, area: Rect, buf: &mut Buffer) {
    let details = &wizard.details;
    let area = Rect {
        width: area.width.min(TEXT_WIDTH),
        ..area
    };
    let form = Form {
        model,
        details,
        theme,
        width: usize::from(area.width),
    };
    let room = usize::from(area.height);
    let grant = form.grant();
    let mut pen = Pen::new(area, buf);
    for (air, hints) in [(true, true), (false, true), (false, false)] {
        let rows = form.fields(air, hints).concat();
        let between = usize::from(!grant.is_empty() && hints);
        if rows.len() + between + grant.len() <= room {
            pen.lines(rows);
            if between > 0 {
                pen.skip();
            }
            pen.lines(grant);
            return;
        }
    }
    let fields = form.fields(false, false);
    let mut focuses = details.fields().iter();
    let at = focuses
        .position(|focus| *focus == details.focus)
        .unwrap_or_default();
    let above: usize = fields.iter().take(at).map(Vec::len).sum();
    let own = fields.get(at).map_or(1, Vec::len);
    let mut rows = fields.concat();
    let for_fields = room.saturating_sub(usize::from(!grant.is_empty()));
    let most = rows.len().saturating_sub(for_fields);
    let from = (above + own).saturating_sub(for_fields).min(above).min(most);
    pen.lines(rows.drain(from..(from + for_fields).min(rows.len())).collect());
    if grant.is_empty() {
        return;
    }
    // A heading alone says nothing.
    let left = pen.rows().saturating_sub(1);
    pen.lines(grant.into_iter().take(if left < 2 { 0 } else { left }).collect());
    let key = model
        .keymap
        .key(Context::Field, Action::Zoom)
        .map(|key| key.to_string())
        .unwrap_or_default();
    pen.line(Line::from(vec![
        Span::raw("   "),
        Span::styled(key, theme.accent),
        Span::styled(" what will be granted, whole", theme.dim),
    ]));
}

struct Form<'a> {
    model: &'a Model,
    details: &'a Details,
    theme: &'a Theme,
    width: usize,
}

impl Form<'_> {
    /// The rows of each field, with what is said about it.
    fn fields(&self, air: bool, hints: bool) -> Vec<Vec<Line<'static>>> {
        let (details, theme) = (self.details, self.theme);
        let mut name = vec![self.row(DetailsFocus::Name, "Name", &details.name, "such as sales_lake")];
        name.extend(match details.kind {
            GrantKind::Catalog => self.hint::<CatalogName>(&details.name, hints, |name| spark_hint(&name)),
            GrantKind::Storage => self.hint::<StorageName>(&details.name, hints, |_| None),
        });
        let mut region = vec![self.row(
            DetailsFocus::Region,
            "Region",
            &details.region,
            "such as us-west-2",
        )];
        region.extend(self.region_hint(hints));
        let example = "s3://BUCKET/PREFIX";
        let mut path = vec![self.row(DetailsFocus::S3Path, "S3 path", &details.s3_path, example)];
        path.extend(self.hint::<S3Path>(&details.s3_path, hints, |path| Some(path_hint(&path))));
        if let Some(blank) = details
            .s3_path
            .parse::<S3Path>()
            .ok()
            .and_then(|path| path.blank())
        {
            path.extend(self.advice(&(false, blank)));
        }
        match &details.advice {
            _ if !details.advice_fits() => {}
            Remote::Ready { value, .. } => {
                let catalog = value.catalog.iter().chain(&value.catalog_encryption);
                region.extend(catalog.flat_map(|said| self.advice(said)));
                path.extend(value.bucket.iter().flat_map(|said| self.advice(said)));
                path.extend(value.encryption.iter().flat_map(|said| self.advice(said)));
            }
            Remote::Loading { since, .. } => {
                let mut spans = vec![Span::raw(" ".repeat(LABEL - 1))];
                let now = self.model.now.since_start;
                let what = match details.kind {
                    GrantKind::Catalog => "looking for bucket and catalog",
                    GrantKind::Storage => "looking for the bucket",
                };
                spans.extend(problem::loading(what, "", *since, now, theme).spans);
                path.push(Line::from(spans));
            }
            // Advice only: that it could not be had stands in the log and holds nobody up.
            Remote::Idle | Remote::Failed { .. } => {}
        }
        let mut fields = match details.kind {
            GrantKind::Catalog => vec![name, region, path, vec![self.access()]],
            GrantKind::Storage => vec![name, path, vec![self.access()]],
        };
        if air {
            fields.iter_mut().for_each(|rows| rows.insert(0, Line::default()));
        }
        fields
    }

    fn label(&self, focused: bool, text: &str) -> Span<'static> {
        let theme = self.theme;
        let pointer = if focused { theme.glyphs.pointer } else { " " };
        let style = if focused { theme.selected } else { theme.text };
        Span::styled(format!(" {pointer} {text:<11}"), style)
    }

    fn row(&self, focus: DetailsFocus, name: &str, field: &Field, example: &str) -> Line<'static> {
        let focused = self.details.focus == focus;
        let width = self.width.saturating_sub(LABEL + 1);
        let mut spans = vec![self.label(focused, name)];
        spans.extend(paint::field(field, focused, width, self.theme).spans);
        if let Some(example) = paint::example(field, example, self.theme) {
            spans.push(Span::raw(if focused { " " } else { "  " }));
            spans.push(example);
        }
        Line::from(spans)
    }

    fn access(&self) -> Line<'static> {
        let (details, theme) = (self.details, self.theme);
        let focused = details.focus == DetailsFocus::Access;
        let [on, off] = theme.glyphs.radio;
        let mut spans = vec![self.label(focused, "Access")];
        for (value, word) in [(Access::ReadOnly, "read-only"), (Access::ReadWrite, "read-write")] {
            let chosen = details.access == value;
            let style = match (chosen, focused) {
                (true, true) => theme.selected,
                // Not dim: that would look as if it could not be chosen.
                _ => theme.text,
            };
            spans.push(Span::styled(
                format!("{} {word}  ", if chosen { on } else { off }),
                style,
            ));
        }
        Line::from(spans)
    }

    /// Under a field: its error once it has been left; else a word about what was typed.
    fn hint<T: std::str::FromStr<Err = Invalid>>(
        &self,
        field: &Field,
        hints: bool,
        say: impl Fn(T) -> Option<String>,
    ) -> Vec<Line<'static>> {
        if let Some(invalid) = field.error::<T>() {
            let glyph = Span::styled(self.theme.glyphs.failed, self.theme.bad);
            return marked(glyph, &invalid.to_string(), LABEL, self.width, self.theme.text);
        }
        match field.parse::<T>().ok().and_then(say) {
            Some(line) if hints => self.dim(&line),
            _ => Vec::new(),
        }
    }

    fn dim(&self, text: &str) -> Vec<Line<'static>> {
        wrap(text, self.width.saturating_sub(LABEL + 1))
            .into_iter()
            .map(|row| Line::from(Span::styled(" ".repeat(LABEL) + &row, self.theme.dim)))
            .collect()
    }

    fn region_hint(&self, hints: bool) -> Vec<Line<'static>> {
        let (details, theme) = (self.details, self.theme);
        if details.focus == DetailsFocus::Region
            && details.region.error::<Region>().is_none()
            && let [first, others @ ..] = details.region_suggestions(SUGGESTIONS).as_slice()
        {
            let key = self.model.keymap.key(Context::Field, Action::Complete);
            let key = key.map(|key| key.to_string()).unwrap_or_default();
            let mut spans = vec![
                Span::raw(" ".repeat(LABEL)),
                Span::styled(key, theme.accent),
                Span::styled(format!(" fills in {first}"), theme.text),
            ];
            let mut used: usize = spans.iter().map(Span::width).sum();
            for (index, other) in others.iter().enumerate() {
                let other = if index == 0 {
                    format!("   or {other}")
                } else {
                    format!(" · {other}")
                };
                used += width(&other);
                if used >= self.width {
                    break;
                }
                spans.push(Span::styled(other, theme.dim));
            }
            return vec![Line::from(spans)];
        }
        if let Ok(region) = details.region.parse::<Region>()
            && let Some(warning) = region.warning()
        {
            let glyph = Span::styled(theme.glyphs.warning, theme.warn);
            return marked(glyph, &warning, LABEL, self.width, theme.text);
        }
        self.hint::<Region>(&details.region, hints, |region| region.label().map(str::to_owned))
    }

    fn advice(&self, (good, line): &(bool, String)) -> Vec<Line<'static>> {
        let theme = self.theme;
        let glyph = if *good {
            Span::styled(theme.glyphs.passed, theme.good)
        } else {
            Span::styled(theme.glyphs.warning, theme.warn)
        };
        marked(glyph, line, LABEL, self.width, theme.text)
    }

    fn grant(&self) -> Vec<Line<'static>> {
        let theme = self.theme;
        let lines = words::grant(self.model, self.details);
        if lines.is_empty() {
            return Vec::new();
        }
        let mut rows = vec![Line::from(Span::styled("   WHAT WILL BE GRANTED", theme.heading))];
        for (heading, sentence) in lines {
            for (index, row) in wrap(&sentence, self.width.saturating_sub(10))
                .into_iter()
                .enumerate()
            {
                let lead = if index == 0 { heading } else { "" };
                rows.push(Line::from(vec![
                    Span::styled(format!("   {lead:<6}"), theme.dim),
                    Span::styled(row, theme.text),
                ]));
            }
        }
        rows
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

fn path_hint(path: &S3Path) -> String {
    if path.is_alias() {
        return "the alias of an access point: the policy needs its ARN, looked for here, else given as the path".to_owned();
    }
    if path.point().is_some() {
        let below = match path.whole_bucket() {
            true => "all of it: the policy will cover every object".to_owned(),
            false => format!("only below {}", path.prefix()),
        };
        return format!("{} · {below}", path.stands_on());
    }
    if path.whole_bucket() {
        format!(
            "bucket {} · the whole bucket: the policy will cover every object",
            path.bucket()
        )
    } else {
        format!("bucket {} · only below {}", path.bucket(), path.prefix())
    }
}
