//! A document as one page of HTML: nothing is loaded and nothing runs, and it prints as it is read.

use super::document::{Block, Document, Line, Span};

const STYLE: &str = include_str!("page.css");

/// Writes it.
pub fn write(document: &Document) -> String {
    let title = document.0.iter().find_map(|block| match block {
        Block::Heading(1, line) => Some(plain(line)),
        _ => None,
    });
    let title = escaped(&title.unwrap_or_default());
    let body: String = document.0.iter().map(block).collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<meta name=\"color-scheme\" content=\"light\">\n\
         <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}</main>\n</body>\n</html>\n"
    )
}

fn block(block: &Block) -> String {
    match block {
        Block::Heading(level, text) => format!("<h{level}>{}</h{level}>\n", line(text)),
        Block::Paragraph(text) => format!("<p>{}</p>\n", line(text)),
        Block::List(lines) => {
            let items = lines.iter().map(|text| format!("<li>{}</li>\n", line(text)));
            format!("<ul>\n{}</ul>\n", items.collect::<String>())
        }
        Block::Table { head, rows } => {
            let head: String = head
                .iter()
                .map(|text| format!("<th scope=\"col\">{}</th>", escaped(text)))
                .collect();
            let rows: String = rows
                .iter()
                .map(|cells| {
                    let cells = cells.iter().map(|cell| format!("<td>{}</td>", line(cell)));
                    format!("<tr>{}</tr>\n", cells.collect::<String>())
                })
                .collect();
            format!("<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n")
        }
        Block::Code { text, .. } => {
            format!(
                "<pre><code>{}</code></pre>\n",
                escaped(text.trim_end_matches('\n'))
            )
        }
    }
}

fn line(spans: &Line) -> String {
    spans
        .iter()
        .map(|span| match span {
            Span::Text(text) => escaped(text),
            Span::Code(text) => format!("<code>{}</code>", escaped(text)),
        })
        .collect()
}

fn plain(spans: &Line) -> String {
    spans
        .iter()
        .map(|span| match span {
            Span::Text(text) | Span::Code(text) => text.as_str(),
        })
        .collect()
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::document::value;
    use super::*;

    #[test]
    fn no_name_becomes_markup() {
        let name = "</code></title><script>alert('1')</script>&amp;\"";
        let page = write(&Document(vec![
            Block::Heading(1, vec![value(name)]),
            Block::Code {
                language: "json",
                text: name.to_owned(),
            },
        ]));
        assert!(!page.contains("<script"), "{page}");
        assert_eq!(page.matches("</title>").count(), 1);
        let shown =
            "&lt;/code&gt;&lt;/title&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;amp;&quot;";
        assert_eq!(page.matches(shown).count(), 3, "{page}");
    }
}
