//! A document as Markdown (CommonMark with GitHub's tables).

use super::document::{Block, Document, Line, Span};

/// Writes it.
pub fn write(document: &Document) -> String {
    let blocks: Vec<String> = document.0.iter().map(block).collect();
    blocks.join("\n")
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => format!("{} {}\n", "#".repeat(usize::from(*level)), line(text)),
        Block::Paragraph(text) => line(text) + "\n",
        Block::List(lines) => lines.iter().map(|text| format!("- {}\n", line(text))).collect(),
        Block::Table { head, rows } => {
            let mut out = row(head.iter().map(|&text| escaped(text)));
            out.push_str(&row(head.iter().map(|_| "---".to_owned())));
            out.extend(rows.iter().map(|cells| row(cells.iter().map(in_table))));
            out
        }
        Block::Code { language, text } => {
            let fence = "`".repeat(longest_run(text).max(2) + 1);
            let text = text.trim_end_matches('\n');
            format!("{fence}{language}\n{text}\n{fence}\n")
        }
    }
}

fn row(cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.collect();
    format!("| {} |\n", cells.join(" | "))
}

fn line(spans: &Line) -> String {
    spans
        .iter()
        .map(|span| match span {
            Span::Text(text) => escaped(text),
            Span::Code(text) => code(text),
        })
        .collect()
}

/// Inside of a table the bar that ends a cell is escaped before all else, in code too.
fn in_table(spans: &Line) -> String {
    spans
        .iter()
        .map(|span| match span {
            Span::Text(text) => escaped(text),
            Span::Code(text) => code(text).replace('|', "\\|"),
        })
        .collect()
}

/// Text in which no character means anything but itself.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        // An address would become a link by itself.
        let link = (c == ':' && chars.peek() == Some(&'/')) || (c == '.' && ends_in_www(&out));
        if link
            || matches!(
                c,
                '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '~' | '#' | '$'
            )
        {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

fn ends_in_www(text: &str) -> bool {
    let from = text.len().saturating_sub(3);
    text.get(from..)
        .is_some_and(|end| end.eq_ignore_ascii_case("www"))
}

/// Code is shut in by more backticks than it holds, with a blank where one stands at its edge: the reader takes one
/// blank off each side again.
fn code(text: &str) -> String {
    let fence = "`".repeat(longest_run(text) + 1);
    let edge = |c: char| c == '`' || c == ' ';
    let pad = if text.starts_with(edge) || text.ends_with(edge) {
        " "
    } else {
        ""
    };
    format!("{fence}{pad}{text}{pad}{fence}")
}

fn longest_run(text: &str) -> usize {
    let runs = text.split(|c| c != '`').map(str::len);
    runs.max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::super::document::value;
    use super::*;

    #[test]
    fn no_name_breaks_out_of_its_code() {
        for (name, written) in [
            ("plain", "`plain`"),
            ("a`b", "``a`b``"),
            ("`", "`` ` ``"),
            ("```", "```` ``` ````"),
            ("x ", "` x  `"),
            ("</code><script>", "`</code><script>`"),
        ] {
            assert_eq!(line(&vec![value(name)]), written);
        }
        assert_eq!(in_table(&vec![value("a|b")]), "`a\\|b`");
    }

    #[test]
    fn text_means_itself() {
        assert_eq!(
            escaped("**a** [x](http://e) <b> _c_ | `d` & #. Www.x.y"),
            "\\*\\*a\\*\\* \\[x\\](http\\://e) \\<b\\> \\_c\\_ \\| \\`d\\` \\& \\#. Www\\.x.y"
        );
    }

    #[test]
    fn a_fence_is_longer_than_what_it_holds() {
        let text = "a\n````\nb\n".to_owned();
        let written = block(&Block::Code {
            language: "yaml",
            text,
        });
        assert_eq!(written, "`````yaml\na\n````\nb\n`````\n");
    }
}
