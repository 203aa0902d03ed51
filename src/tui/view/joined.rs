//! Emoji that a joiner makes into one picture: a terminal that cannot do that draws each part, over what stands beside.

use crate::domain::text::width;
use ratatui::buffer::{Buffer, CellDiffOption};

/// The zero-width joiner.
const JOINER: char = '\u{200d}';

/// Has the cells at the right of such a picture written after it in each frame, so that where the parts are drawn one
/// by one the columns stay straight, and nothing of them is left when the row has moved on.
pub fn write_beside(buf: &mut Buffer) {
    let area = buf.area;
    for y in area.top()..area.bottom() {
        for x in area.left()..area.right() {
            let Some(symbol) = buf.cell((x, y)).map(|cell| cell.symbol()) else {
                continue;
            };
            if !symbol.contains(JOINER) {
                continue;
            }
            let joined = width(symbol);
            let apart: usize = symbol.split(JOINER).map(width).sum();
            let beside = (joined..apart).filter_map(|n| x.checked_add(u16::try_from(n).ok()?));
            for x in beside.collect::<Vec<u16>>() {
                if let Some(cell) = buf.cell_mut((x, y)) {
                    cell.set_diff_option(CellDiffOption::AlwaysUpdate);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn what_stands_beside_a_joined_emoji_is_written_in_each_frame_and_once_more_when_it_has_gone() {
        let area = Rect::new(0, 0, 10, 1);
        let mut with = Buffer::empty(area);
        with.set_string(1, 0, "👩\u{200d}🔬", Style::new());
        write_beside(&mut with);
        let places = |before: &Buffer, after: &Buffer| -> Vec<u16> {
            before.diff(after).into_iter().map(|(x, _, _)| x).collect()
        };
        assert_eq!(places(&with, &with), [3, 4]);
        let without = Buffer::empty(area);
        assert_eq!(places(&without, &with), [1, 3, 4]);
        assert_eq!(places(&with, &without), [1, 3, 4]);
    }
}
