//! Just enough of Rust's grammar to list the paths a file names: comments and literals are skipped, groups of `use`
//! are unfolded, `self` and `super` are resolved.

use std::iter::Peekable;
use std::str::Chars;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token {
    Word(String),
    Sep,
    Mark(char),
}

/// A path named in a file, made absolute: it starts with `crate`, or with the name of an outside crate (or of
/// something local, which no rule asks for).
#[derive(Debug, PartialEq, Eq)]
pub struct Named {
    pub path: Vec<String>,
    pub line: usize,
    /// Named in an item under `#[cfg(test)]`.
    pub test: bool,
}

/// Every path of `text`, a file that is the module `module` (empty for a crate root).
pub fn paths(module: &[String], text: &str) -> Vec<Named> {
    let tokens = tokens(text);
    let mut reader = Reader {
        tokens: &tokens,
        found: Vec::new(),
    };
    reader.read(module);
    reader.found
}

fn tokens(text: &str) -> Vec<(Token, usize)> {
    let mut out = Vec::new();
    let mut line = 1;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\n' => line += 1,
            '/' if chars.peek() == Some(&'/') => skip_line(&mut chars),
            '/' if chars.peek() == Some(&'*') => line += skip_block(&mut chars),
            '"' => line += skip_string(&mut chars),
            '\'' => skip_char_or_lifetime(&mut chars),
            ':' if chars.peek() == Some(&':') => {
                chars.next();
                out.push((Token::Sep, line));
            }
            c if c.is_alphabetic() || c == '_' => {
                let mut word = String::from(c);
                while let Some(n) = chars.next_if(|n| n.is_alphanumeric() || *n == '_') {
                    word.push(n);
                }
                let raw = matches!(word.as_str(), "r" | "br" | "cr");
                match chars.peek() {
                    Some('"') if matches!(word.as_str(), "b" | "c") => {}
                    Some('"' | '#') if raw => match skip_raw(&mut chars) {
                        Raw::Text(lines) => line += lines,
                        Raw::Word(word) => out.push((Token::Word(word), line)),
                    },
                    _ => out.push((Token::Word(word), line)),
                }
            }
            c if c.is_whitespace() => {}
            c => out.push((Token::Mark(c), line)),
        }
    }
    out
}

fn skip_line(chars: &mut Peekable<Chars>) {
    while chars.next_if(|c| *c != '\n').is_some() {}
}

fn skip_block(chars: &mut Peekable<Chars>) -> usize {
    let (mut depth, mut lines, mut last) = (1, 0, ' ');
    chars.next();
    while depth > 0 {
        let Some(c) = chars.next() else { break };
        match (last, c) {
            ('*', '/') => (depth, last) = (depth - 1, ' '),
            ('/', '*') => (depth, last) = (depth + 1, ' '),
            _ => last = c,
        }
        lines += usize::from(c == '\n');
    }
    lines
}

fn skip_string(chars: &mut Peekable<Chars>) -> usize {
    let mut lines = 0;
    while let Some(c) = chars.next() {
        match c {
            '"' => break,
            '\\' => lines += usize::from(chars.next() == Some('\n')),
            c => lines += usize::from(c == '\n'),
        }
    }
    lines
}

enum Raw {
    Text(usize),
    Word(String),
}

fn skip_raw(chars: &mut Peekable<Chars>) -> Raw {
    let mut hashes = 0;
    while chars.next_if_eq(&'#').is_some() {
        hashes += 1;
    }
    if chars.next_if_eq(&'"').is_none() {
        let mut word = String::new();
        while let Some(n) = chars.next_if(|n| n.is_alphanumeric() || *n == '_') {
            word.push(n);
        }
        return Raw::Word(word);
    }
    let mut lines = 0;
    while let Some(c) = chars.next() {
        lines += usize::from(c == '\n');
        if c == '"' {
            let mut closing = 0;
            while closing < hashes && chars.next_if_eq(&'#').is_some() {
                closing += 1;
            }
            if closing == hashes {
                break;
            }
        }
    }
    Raw::Text(lines)
}

fn skip_char_or_lifetime(chars: &mut Peekable<Chars>) {
    match chars.next() {
        Some('\\') => {
            chars.next();
            while chars.next().is_some_and(|c| c != '\'') {}
        }
        Some(_) => {
            // `'a'` is a character, `'a` a lifetime: only the first has a quote right behind
            chars.next_if_eq(&'\'');
        }
        None => {}
    }
}

struct Reader<'a> {
    tokens: &'a [(Token, usize)],
    found: Vec<Named>,
}

impl Reader<'_> {
    fn word(&self, at: usize) -> Option<&str> {
        match self.tokens.get(at) {
            Some((Token::Word(word), _)) => Some(word),
            _ => None,
        }
    }

    fn is(&self, at: usize, mark: char) -> bool {
        matches!(self.tokens.get(at), Some((Token::Mark(m), _)) if *m == mark)
    }

    fn sep(&self, at: usize) -> bool {
        matches!(self.tokens.get(at), Some((Token::Sep, _)))
    }

    fn read(&mut self, file_module: &[String]) {
        let mut module = file_module.to_vec();
        let mut inner: Vec<usize> = Vec::new(); // depths at which an inline module was opened
        let (mut depth, mut in_use, mut test_until, mut at) = (0usize, false, 0usize, 0usize);
        while at < self.tokens.len() {
            if self.cfg_test(at) {
                test_until = test_until.max(self.item_end(at));
            }
            if self.is(at, '{') {
                depth += 1;
            } else if self.is(at, '}') {
                depth = depth.saturating_sub(1);
                if inner.last() == Some(&depth) {
                    inner.pop();
                    module.pop();
                }
            } else if self.is(at, ';') {
                in_use = false;
            }
            let Some(word) = self.word(at).map(str::to_string) else {
                at += 1;
                continue;
            };
            if word == "mod" && self.word(at + 1).is_some() && self.is(at + 2, '{') {
                module.extend(self.word(at + 1).map(str::to_string));
                inner.push(depth);
                at += 2;
                continue;
            }
            if word == "use" {
                in_use = true;
                at += 1;
                continue;
            }
            let starts = at == 0
                || !self.sep(at - 1)
                || !matches!(self.tokens.get(at.wrapping_sub(2)), Some((Token::Word(_), _)));
            let renamed = at > 0 && self.word(at - 1) == Some("as");
            if starts && !renamed && (self.sep(at + 1) || (in_use && word != "as")) {
                let line = self.tokens[at].1;
                let test = at < test_until;
                let mut leaves = Vec::new();
                at = self.leaves(at, Vec::new(), &mut leaves);
                for path in leaves {
                    self.found.push(Named {
                        path: absolute(&module, path),
                        line,
                        test,
                    });
                }
                continue;
            }
            at += 1;
        }
    }

    /// Reads the tree that starts at `at`, adds its leaves, and says where it ends.
    fn leaves(&self, mut at: usize, mut path: Vec<String>, out: &mut Vec<Vec<String>>) -> usize {
        loop {
            if let Some(word) = self.word(at) {
                path.push(word.to_string());
                at += 1;
            } else if self.is(at, '*') {
                path.push("*".into());
                at += 1;
            } else if self.is(at, '{') && !path.is_empty() {
                at += 1;
                while at < self.tokens.len() && !self.is(at, '}') {
                    if self.is(at, ',') {
                        at += 1;
                    } else if self.word(at) == Some("as") {
                        at += 2;
                    } else {
                        at = self.leaves(at, path.clone(), out).max(at + 1);
                    }
                }
                return at + 1;
            } else {
                break;
            }
            if !self.sep(at) {
                break;
            }
            at += 1;
        }
        if path.len() > 1 && path.last().is_some_and(|l| l == "self") {
            path.pop();
        }
        out.push(path);
        at
    }

    fn cfg_test(&self, at: usize) -> bool {
        self.is(at, '#')
            && self.is(at + 1, '[')
            && self.word(at + 2) == Some("cfg")
            && self.word(at + 4) == Some("test")
    }

    /// Where the item that begins at `at` (with its attributes) ends: at its closing brace, or its semicolon.
    fn item_end(&self, at: usize) -> usize {
        let (mut depth, mut brackets) = (0usize, 0usize);
        for i in at..self.tokens.len() {
            match &self.tokens[i].0 {
                Token::Mark('[') => brackets += 1,
                Token::Mark(']') => brackets = brackets.saturating_sub(1),
                Token::Mark('{') => depth += 1,
                Token::Mark('}') => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 {
                        return i;
                    }
                }
                Token::Mark(';') if depth == 0 && brackets == 0 => return i,
                _ => {}
            }
        }
        self.tokens.len()
    }
}

fn absolute(module: &[String], path: Vec<String>) -> Vec<String> {
    let mut here: Vec<String> = module.to_vec();
    let mut rest = path.into_iter().peekable();
    match rest.peek().map(String::as_str) {
        Some("self") => {
            rest.next();
        }
        Some("super") => {
            while rest.next_if(|s| s == "super").is_some() {
                here.pop();
            }
        }
        _ => return rest.collect(),
    }
    std::iter::once("crate".to_string())
        .chain(here)
        .chain(rest)
        .collect()
}

#[cfg(test)]
mod tests;
