//! XML as the query services write it.

/// A piece of XML: elements one after the other, text escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Xml(String);

impl Xml {
    /// No elements.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds `<name>text</name>`.
    #[must_use]
    pub fn text(mut self, name: &str, text: impl AsRef<str>) -> Self {
        self.open(name);
        escape(text.as_ref(), &mut self.0);
        self.close(name);
        self
    }

    /// Adds `<name>text</name>` where there is a text.
    #[must_use]
    pub fn maybe(self, name: &str, text: Option<impl AsRef<str>>) -> Self {
        match text {
            Some(text) => self.text(name, text),
            None => self,
        }
    }

    /// Adds `<name>…</name>` around other elements.
    #[must_use]
    pub fn node(mut self, name: &str, inner: Xml) -> Self {
        self.open(name);
        self.0.push_str(&inner.0);
        self.close(name);
        self
    }

    /// Adds `<name><member>…</member>…</name>`, the query protocol's list of structures.
    #[must_use]
    pub fn list(mut self, name: &str, members: impl IntoIterator<Item = Xml>) -> Self {
        self.open(name);
        for member in members {
            self = self.node("member", member);
        }
        self.close(name);
        self
    }

    /// Adds `<name><member>text</member>…</name>`, the query protocol's list of strings.
    #[must_use]
    pub fn strings(mut self, name: &str, members: impl IntoIterator<Item = impl AsRef<str>>) -> Self {
        self.open(name);
        for member in members {
            self = self.text("member", member);
        }
        self.close(name);
        self
    }

    /// Adds all of `other` behind.
    #[must_use]
    pub fn and(mut self, other: Xml) -> Self {
        self.0.push_str(&other.0);
        self
    }

    /// The elements as text, without a declaration.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    fn open(&mut self, name: &str) {
        self.0.push('<');
        self.0.push_str(name);
        self.0.push('>');
    }

    fn close(&mut self, name: &str) {
        self.0.push_str("</");
        self.0.push_str(name);
        self.0.push('>');
    }
}

/// Escapes markup and what XML 1.0 cannot hold: a control character becomes U+FFFD, so that a hostile name cannot
/// break the answer it stands in.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\r' => out.push_str("&#13;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() || matches!(c, '\u{FFFE}' | '\u{FFFF}') => out.push('\u{FFFD}'),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_and_control_characters_cannot_leave_their_element() {
        let xml = Xml::new().text("Name", "a<b>&\u{1b}[31m\"");
        assert_eq!(xml.as_str(), "<Name>a&lt;b&gt;&amp;\u{FFFD}[31m&quot;</Name>");
    }

    #[test]
    fn lists_are_wrapped_in_members() {
        let xml = Xml::new()
            .list("Roles", [Xml::new().text("Arn", "x")])
            .strings("Names", ["a", "b"]);
        assert_eq!(
            xml.as_str(),
            "<Roles><member><Arn>x</Arn></member></Roles><Names><member>a</member><member>b</member></Names>"
        );
    }
}
