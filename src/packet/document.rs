//! A document as data: what it says is decided once, and written in either form.

use crate::domain::text::scrub;

/// A piece of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Span {
    /// Words.
    Text(String),
    /// A name, a value or a command, to be taken letter by letter.
    Code(String),
}

/// One line of text, of any length.
pub type Line = Vec<Span>;

/// A part of a document, from top to bottom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// A heading; 1 is the title.
    Heading(u8, Line),
    /// A paragraph.
    Paragraph(Line),
    /// Points.
    List(Vec<Line>),
    /// Rows under a heading each column.
    Table {
        /// The columns' headings.
        head: Vec<&'static str>,
        /// Rows of as many cells.
        rows: Vec<Vec<Line>>,
    },
    /// Text that is shown as it is, in a language.
    Code {
        /// Such as `json`.
        language: &'static str,
        /// The text.
        text: String,
    },
}

/// A whole document.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Document(pub Vec<Block>);

impl Document {
    /// A heading under the title.
    pub fn heading(&mut self, level: u8, text: &str) {
        self.0.push(Block::Heading(level, words(text)));
    }

    /// A paragraph.
    pub fn say(&mut self, line: Line) {
        self.0.push(Block::Paragraph(line));
    }

    /// Points; none: nothing.
    pub fn points(&mut self, lines: Vec<Line>) {
        if !lines.is_empty() {
            self.0.push(Block::List(lines));
        }
    }

    /// A table; without rows: nothing.
    pub fn table(&mut self, head: &[&'static str], rows: Vec<Vec<Line>>) {
        if !rows.is_empty() {
            let head = head.to_vec();
            self.0.push(Block::Table { head, rows });
        }
    }

    /// Text as it is.
    pub fn code(&mut self, language: &'static str, text: impl Into<String>) {
        let text = text.into();
        self.0.push(Block::Code { language, text });
    }
}

/// Words of ours, with code in backticks.
pub fn words(text: &str) -> Line {
    let parts = text.split('`').enumerate();
    parts
        .filter(|(_, part)| !part.is_empty())
        .map(|(at, part)| match at % 2 {
            0 => Span::Text(part.to_owned()),
            _ => Span::Code(part.to_owned()),
        })
        .collect()
}

/// A value from a record.
pub fn value(text: impl AsRef<str>) -> Span {
    let text = scrub(text.as_ref());
    if text.is_empty() {
        Span::Text("(empty)".to_owned())
    } else {
        Span::Code(text)
    }
}

/// Words that hold what is not ours, such as a sentence with AWS's answer in it.
pub fn told(text: impl AsRef<str>) -> Span {
    Span::Text(scrub(text.as_ref()))
}

/// Values one after the other.
pub fn values<T: AsRef<str>>(list: impl IntoIterator<Item = T>) -> Line {
    let mut line = Line::new();
    for text in list {
        if !line.is_empty() {
            line.push(Span::Text(", ".to_owned()));
        }
        line.push(value(text));
    }
    line
}

/// A sentence with values in it: `{}` stands for the next one. Without backticks in a value it could not be told where
/// that begins and ends; so it is put in as a piece of its own, never as text to be read again.
pub fn with(sentence: &str, put: &[Line]) -> Line {
    let mut line = Line::new();
    let mut put = put.iter();
    for (at, part) in sentence.split("{}").enumerate() {
        if at > 0 {
            line.extend(put.next().into_iter().flatten().cloned());
        }
        line.extend(words(part));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_never_read_for_marks() {
        let line = with("It is {}, by `us`.", &[vec![value("a`b{}c")]]);
        let code = |text: &str| Span::Code(text.to_owned());
        let text = |text: &str| Span::Text(text.to_owned());
        assert_eq!(
            line,
            [
                text("It is "),
                code("a`b{}c"),
                text(", by "),
                code("us"),
                text(".")
            ]
        );
        assert_eq!(value("x\u{202e}\n"), code("x<U+202E>␊"));
        assert_eq!(value(""), text("(empty)"));
    }
}
