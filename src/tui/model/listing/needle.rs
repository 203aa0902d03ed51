//! What a filter looks for in a name, and how well the name has it.

use nucleo_matcher::pattern::{AtomKind, CaseMatching, Normalization, Pattern};
use nucleo_matcher::{Config, Matcher, Utf32Str};

/// How a name passes a filter, the best first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hit {
    /// It is the very text.
    Exact,
    /// It begins with the text.
    Prefix,
    /// It has the letters.
    Letters,
}

/// The text of a filter, ready to be looked for.
pub struct Needle {
    pattern: Pattern,
    /// The words whose letters are looked for in their order, where the text asks for nothing else and is ASCII.
    words: Option<Vec<Vec<u8>>>,
    typed: String,
    matcher: Matcher,
    buffer: Vec<char>,
}

impl Needle {
    /// What is looked for with `text`: the letters of each word in their order, in whatever case; `^`, `$`, `'` and `!`
    /// mean what they do in fzf.
    pub fn new(text: &str) -> Self {
        let pattern = Pattern::parse(text, CaseMatching::Ignore, Normalization::Smart);
        let words = pattern.atoms.iter().map(|atom| match atom.needle_text() {
            Utf32Str::Ascii(word) if atom.kind == AtomKind::Fuzzy && !atom.negative => Some(word.to_vec()),
            _ => None,
        });
        Self {
            words: words.collect(),
            pattern,
            typed: text.trim().to_lowercase(),
            matcher: Matcher::new(Config::DEFAULT),
            buffer: Vec::new(),
        }
    }

    /// Looks at a name: whether it passes, and what that cost, where 1 is the least.
    pub(super) fn look(&mut self, name: &str) -> (Option<Hit>, usize) {
        // Nearly all names, and many times cheaper than a score, which nothing here asks for.
        if let Some(words) = self.words.as_ref().filter(|_| name.is_ascii()) {
            let passes = words.iter().all(|word| has_letters(name.as_bytes(), word));
            return (passes.then(|| self.rank_ascii(name)), 1);
        }
        let letters = Utf32Str::new(name, &mut self.buffer);
        let passes = self.pattern.score(letters, &mut self.matcher).is_some();
        (passes.then(|| self.rank(name)), 10)
    }

    fn rank_ascii(&self, name: &str) -> Hit {
        let typed = self.typed.as_bytes();
        match name.as_bytes().split_at_checked(typed.len()) {
            Some((start, rest)) if start.eq_ignore_ascii_case(typed) => {
                if rest.is_empty() {
                    Hit::Exact
                } else {
                    Hit::Prefix
                }
            }
            _ => Hit::Letters,
        }
    }

    fn rank(&self, name: &str) -> Hit {
        match name.to_lowercase().strip_prefix(self.typed.as_str()) {
            Some("") => Hit::Exact,
            Some(_) => Hit::Prefix,
            None => Hit::Letters,
        }
    }

    /// The letters of a name that the filter matched, by their place in the name, ascending.
    pub fn matched(&mut self, name: &str) -> Vec<u32> {
        let mut places = Vec::new();
        let name = Utf32Str::new(name, &mut self.buffer);
        self.pattern.indices(name, &mut self.matcher, &mut places);
        places.sort_unstable();
        places.dedup();
        places
    }
}

/// Whether all of `word`, which is in lower case, stands in `name` in this order.
fn has_letters(name: &[u8], word: &[u8]) -> bool {
    let mut letters = name.iter();
    word.iter()
        .all(|wanted| letters.any(|letter| letter.to_ascii_lowercase() == *wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_matched_letters_are_known() {
        assert_eq!(Needle::new("ols").matched("order_lines"), vec![0, 6, 10]);
    }

    #[test]
    fn a_name_passes_as_the_very_text_its_start_or_its_letters() {
        let hit = |text: &str, name: &str| Needle::new(text).look(name).0;
        assert_eq!(hit("Orders ", "orders"), Some(Hit::Exact));
        assert_eq!(hit("orders", "ORDERS_raw"), Some(Hit::Prefix));
        assert_eq!(hit("ords", "orders"), Some(Hit::Letters));
        assert_eq!(hit("lin ord", "order_lines"), Some(Hit::Letters));
        assert_eq!(hit("orderss", "orders"), None);
        assert_eq!(hit("uber", "Über"), Some(Hit::Letters));
        assert_eq!(hit("über", "ÜBER"), Some(Hit::Exact));
        assert_eq!(hit("^lin", "order_lines"), None);
        assert_eq!(hit("lines$", "order_lines"), Some(Hit::Letters));
        assert_eq!(hit("!lin", "order_lines"), None);
        assert_eq!(hit("", "orders"), Some(Hit::Prefix));
        assert_eq!(hit("日", "日本"), Some(Hit::Prefix));
    }

    proptest! {
        /// The short way says of every name what the long one says.
        #[test]
        fn the_cheap_look_agrees_with_the_matcher(text in "[a-cA-C_ !^$'\\\\]{0,5}", name in "[a-cA-C_ $é]{0,9}") {
            let mut needle = Needle::new(&text);
            let cheap = needle.look(&name).0;
            needle.words = None;
            prop_assert_eq!(cheap, needle.look(&name).0);
        }
    }
}
