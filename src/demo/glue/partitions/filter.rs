//! The `Expression` of GetPartitions: SQL's comparisons on partition keys, with AND, OR, NOT, IN, BETWEEN, LIKE and IS
//! NULL. A key of a number's type is compared as a number, any other as text.

use std::cmp::Ordering;

/// The longest expression that Glue takes, in characters.
const LONGEST: usize = 2048;
/// Brackets within brackets: beyond it the expression is refused rather than the stack tried.
const DEPTH: usize = 64;
/// What Hive names a value that is null.
const NULL: &str = "__HIVE_DEFAULT_PARTITION__";

/// An expression over a table's keys.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    root: Node,
    numbers: Vec<bool>,
}

#[derive(Debug, Clone, PartialEq)]
enum Node {
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Compare(usize, Operator, String),
    Like(usize, String),
    In(usize, Vec<String>),
    IsNull(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Operator {
    Equal,
    Unequal,
    Less,
    AtMost,
    More,
    AtLeast,
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Word(String),
    Text(String),
    Sign(&'static str),
}

impl Filter {
    /// Reads an expression.
    pub fn read(text: &str, keys: &[(String, String)]) -> Result<Self, String> {
        if text.chars().count() > LONGEST {
            return Err(format!("Expression is longer than {LONGEST} characters"));
        }
        let mut reader = Reader {
            tokens: tokens(text)?,
            at: 0,
            keys,
        };
        let root = reader.any(0)?;
        if reader.at < reader.tokens.len() {
            return Err(format!("Unsupported expression '{text}'"));
        }
        Ok(Self {
            root,
            numbers: keys.iter().map(|(_, kind)| is_number(kind)).collect(),
        })
    }

    /// Whether a partition of these values is meant.
    pub fn fits(&self, values: &[String]) -> bool {
        self.holds(&self.root, values)
    }

    fn holds(&self, node: &Node, values: &[String]) -> bool {
        let of = |key: &usize| values.get(*key).map(String::as_str).unwrap_or_default();
        match node {
            Node::All(nodes) => nodes.iter().all(|node| self.holds(node, values)),
            Node::Any(nodes) => nodes.iter().any(|node| self.holds(node, values)),
            Node::Not(node) => !self.holds(node, values),
            Node::IsNull(key) => of(key) == NULL,
            // Null compares with nothing.
            Node::Compare(key, _, _) | Node::Like(key, _) | Node::In(key, _) if of(key) == NULL => false,
            Node::Compare(key, operator, wanted) => self
                .order(*key, of(key), wanted)
                .is_some_and(|order| operator.takes(order)),
            Node::Like(key, pattern) => like(pattern, of(key)),
            Node::In(key, wanted) => wanted
                .iter()
                .any(|one| self.order(*key, of(key), one) == Some(Ordering::Equal)),
        }
    }

    fn order(&self, key: usize, value: &str, wanted: &str) -> Option<Ordering> {
        if self.numbers.get(key).copied().unwrap_or_default() {
            let number = |text: &str| text.trim().parse::<f64>().ok();
            return number(value)?.partial_cmp(&number(wanted)?);
        }
        Some(value.cmp(wanted))
    }
}

impl Operator {
    fn takes(self, order: Ordering) -> bool {
        match self {
            Self::Equal => order.is_eq(),
            Self::Unequal => order.is_ne(),
            Self::Less => order.is_lt(),
            Self::AtMost => order.is_le(),
            Self::More => order.is_gt(),
            Self::AtLeast => order.is_ge(),
        }
    }
}

fn is_number(kind: &str) -> bool {
    let word = kind.split('(').next().unwrap_or_default().trim();
    ["int", "bigint", "long", "tinyint", "smallint", "decimal"].contains(&word)
}

/// SQL's LIKE: `%` is any text, `_` any character.
fn like(pattern: &str, value: &str) -> bool {
    let mut places = vec![true];
    let value: Vec<char> = value.chars().collect();
    places.resize(value.len() + 1, false);
    for c in pattern.chars() {
        let mut next = vec![false; places.len()];
        let mut seen = false;
        for (at, here) in places.iter().enumerate() {
            seen |= *here;
            let matches = match c {
                '%' => seen,
                '_' => at > 0 && places.get(at - 1).copied().unwrap_or_default(),
                c => {
                    at > 0 && value.get(at - 1) == Some(&c) && places.get(at - 1).copied().unwrap_or_default()
                }
            };
            if let Some(slot) = next.get_mut(at) {
                *slot = matches;
            }
        }
        places = next;
    }
    places.last().copied().unwrap_or_default()
}

fn tokens(text: &str) -> Result<Vec<Token>, String> {
    let mut tokens = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            c if c.is_whitespace() => {}
            '\'' | '"' | '`' => {
                let mut inside = String::new();
                loop {
                    match chars.next() {
                        Some(found) if found == c && chars.peek() == Some(&c) => {
                            chars.next();
                            inside.push(c);
                        }
                        Some(found) if found == c => break,
                        Some(found) => inside.push(found),
                        None => return Err(format!("Unsupported expression '{text}'")),
                    }
                }
                tokens.push(if c == '`' {
                    Token::Word(inside)
                } else {
                    Token::Text(inside)
                });
            }
            '(' => tokens.push(Token::Sign("(")),
            ')' => tokens.push(Token::Sign(")")),
            ',' => tokens.push(Token::Sign(",")),
            '=' => tokens.push(Token::Sign("=")),
            '!' | '<' | '>' => {
                let next = chars.peek().copied();
                let sign = match (c, next) {
                    ('!', Some('=')) | ('<', Some('>')) => "!=",
                    ('<', Some('=')) => "<=",
                    ('>', Some('=')) => ">=",
                    ('<', _) => "<",
                    ('>', _) => ">",
                    _ => return Err(format!("Unsupported expression '{text}'")),
                };
                if matches!(next, Some('=' | '>')) && sign.len() == 2 {
                    chars.next();
                }
                tokens.push(Token::Sign(sign));
            }
            c => {
                let mut word = c.to_string();
                while let Some(next) =
                    chars.next_if(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-' | '$'))
                {
                    word.push(next);
                }
                tokens.push(Token::Word(word));
            }
        }
    }
    Ok(tokens)
}

struct Reader<'a> {
    tokens: Vec<Token>,
    at: usize,
    keys: &'a [(String, String)],
}

impl Reader<'_> {
    fn next(&mut self) -> Option<Token> {
        let token = self.tokens.get(self.at).cloned();
        self.at += 1;
        token
    }

    fn takes_word(&mut self, word: &str) -> bool {
        let is =
            matches!(self.tokens.get(self.at), Some(Token::Word(found)) if found.eq_ignore_ascii_case(word));
        self.at += usize::from(is);
        is
    }

    fn takes_sign(&mut self, sign: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(Token::Sign(found)) if *found == sign);
        self.at += usize::from(is);
        is
    }

    fn any(&mut self, depth: usize) -> Result<Node, String> {
        let mut nodes = vec![self.all(depth)?];
        while self.takes_word("or") {
            nodes.push(self.all(depth)?);
        }
        Ok(Node::Any(nodes))
    }

    fn all(&mut self, depth: usize) -> Result<Node, String> {
        let mut nodes = vec![self.one(depth)?];
        while self.takes_word("and") {
            nodes.push(self.one(depth)?);
        }
        Ok(Node::All(nodes))
    }

    fn one(&mut self, depth: usize) -> Result<Node, String> {
        if depth > DEPTH {
            return Err("Expression is nested too deep".to_owned());
        }
        if self.takes_word("not") {
            return Ok(Node::Not(Box::new(self.one(depth + 1)?)));
        }
        if self.takes_sign("(") {
            let inside = self.any(depth + 1)?;
            return if self.takes_sign(")") {
                Ok(inside)
            } else {
                Err("Expression has an open bracket".to_owned())
            };
        }
        let key = match self.next() {
            Some(Token::Word(word)) => self.key(&word)?,
            other => {
                return Err(format!(
                    "Expression has {other:?} where a partition key is expected"
                ));
            }
        };
        let not = self.takes_word("not");
        let node = if self.takes_word("in") {
            Node::In(key, self.list()?)
        } else if self.takes_word("like") {
            Node::Like(key, self.literal()?)
        } else if self.takes_word("between") {
            let low = self.literal()?;
            if !self.takes_word("and") {
                return Err("BETWEEN needs two values".to_owned());
            }
            let high = self.literal()?;
            Node::All(vec![
                Node::Compare(key, Operator::AtLeast, low),
                Node::Compare(key, Operator::AtMost, high),
            ])
        } else if !not && self.takes_word("is") {
            let not = self.takes_word("not");
            if !self.takes_word("null") {
                return Err("IS needs NULL".to_owned());
            }
            return Ok(negated(Node::IsNull(key), not));
        } else if !not {
            let operator = self.operator()?;
            Node::Compare(key, operator, self.literal()?)
        } else {
            return Err("NOT stands before IN, LIKE or BETWEEN".to_owned());
        };
        Ok(negated(node, not))
    }

    fn key(&self, word: &str) -> Result<usize, String> {
        let place = self
            .keys
            .iter()
            .position(|(name, _)| name.eq_ignore_ascii_case(word));
        place.ok_or_else(|| format!("Unknown partition key {word} in the expression"))
    }

    fn operator(&mut self) -> Result<Operator, String> {
        Ok(match self.next() {
            Some(Token::Sign("=")) => Operator::Equal,
            Some(Token::Sign("!=")) => Operator::Unequal,
            Some(Token::Sign("<")) => Operator::Less,
            Some(Token::Sign("<=")) => Operator::AtMost,
            Some(Token::Sign(">")) => Operator::More,
            Some(Token::Sign(">=")) => Operator::AtLeast,
            other => return Err(format!("Expression has {other:?} where a comparison is expected")),
        })
    }

    /// A value: text in quotes, a number, or `DATE '…'`.
    fn literal(&mut self) -> Result<String, String> {
        match self.next() {
            Some(Token::Text(text)) => Ok(text),
            Some(Token::Word(word)) if ["date", "timestamp"].contains(&word.to_lowercase().as_str()) => {
                self.literal()
            }
            Some(Token::Word(word)) if word.starts_with(|c: char| c.is_ascii_digit() || c == '-') => Ok(word),
            other => Err(format!("Expression has {other:?} where a value is expected")),
        }
    }

    fn list(&mut self) -> Result<Vec<String>, String> {
        if !self.takes_sign("(") {
            return Err("IN needs a list".to_owned());
        }
        let mut values = vec![self.literal()?];
        while self.takes_sign(",") {
            values.push(self.literal()?);
        }
        if self.takes_sign(")") {
            Ok(values)
        } else {
            Err("The list of IN is not closed".to_owned())
        }
    }
}

fn negated(node: Node, not: bool) -> Node {
    if not { Node::Not(Box::new(node)) } else { node }
}
