//! Draws a model into text: the cells, and beneath them a letter for each cell's style.

use glueup::tui::model::Model;
use glueup::tui::theme::Theme;
use glueup::tui::view::view;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier};

/// The sizes at which every state is drawn: columns, rows.
pub const SIZES: [(u16, u16); 3] = [(80, 24), (120, 40), (40, 12)];

pub fn buffer(model: &Model, theme: &Theme, size: (u16, u16)) -> Buffer {
    let mut model = model.clone();
    model.size = size;
    let area = Rect::new(0, 0, size.0, size.1);
    let mut buffer = Buffer::empty(area);
    view(&model, theme, area, &mut buffer);
    buffer
}

/// The cells' text, a line a row, without the blanks at the right.
pub fn text(buffer: &Buffer) -> String {
    grid(buffer, |symbol, _| symbol.to_owned())
}

/// A letter for each cell's style: `.` plain, `B` bold, `d` dim, `R` reversed, `u` underlined; `c` cyan, `C` cyan and
/// bold, `g` green, `y` yellow, `r` red and bold, `?` anything else.
pub fn styles(buffer: &Buffer) -> String {
    grid(buffer, |symbol, style| {
        if symbol == " " && style.1.is_empty() {
            return " ".to_owned();
        }
        match style {
            (Color::Reset, m) if m.is_empty() => ".",
            (Color::Reset, Modifier::BOLD) => "B",
            (Color::Reset, Modifier::DIM) => "d",
            (Color::Reset, Modifier::REVERSED) => "R",
            (Color::Reset, Modifier::UNDERLINED) => "u",
            (Color::Cyan, m) if m.is_empty() => "c",
            (Color::Cyan, Modifier::BOLD) => "C",
            (Color::Green, m) if m.is_empty() => "g",
            (Color::Yellow, m) if m.is_empty() => "y",
            (Color::Red, Modifier::BOLD) => "r",
            _ => "?",
        }
        .to_owned()
    })
}

fn grid(buffer: &Buffer, cell: impl Fn(&str, (Color, Modifier)) -> String) -> String {
    let area = buffer.area;
    let mut rows = Vec::new();
    for y in area.y..area.bottom() {
        let mut row = String::new();
        let mut skip = 0;
        for x in area.x..area.right() {
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let here = &buffer[(x, y)];
            skip = glueup::domain::text::width(here.symbol()).saturating_sub(1);
            row.push_str(&cell(here.symbol(), (here.fg, here.modifier)));
        }
        rows.push(row.trim_end().to_owned());
    }
    rows.join("\n")
}

/// The snapshot of one state.
pub fn snapshot(name: &str, model: &Model) {
    let mut out = String::new();
    for size in SIZES {
        let colour = buffer(model, &Theme::colour(), size);
        let mono = buffer(model, &Theme::mono(), size);
        assert_eq!(
            text(&colour),
            text(&mono),
            "{name}: the words depend on the colours"
        );
        out.push_str(&format!("── {}×{} ──\n{}\n", size.0, size.1, text(&colour)));
        out.push_str(&format!("── styles, colour ──\n{}\n", styles(&colour)));
        out.push_str(&format!("── styles, mono ──\n{}\n", styles(&mono)));
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!(name, out);
    });
}
