//! The condition keys of a request.

use std::collections::BTreeMap;

/// Condition keys and their values. Keys are compared without regard to case, as AWS does.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Context(BTreeMap<String, Vec<String>>);

impl Context {
    /// No keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets a key to one value.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<String>) -> Self {
        self.0.insert(key.to_lowercase(), vec![value.into()]);
        self
    }

    /// Sets a key to one value, where there is one.
    #[must_use]
    pub fn maybe(self, key: &str, value: Option<impl Into<String>>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Sets a key to many values (`aws:TagKeys`).
    #[must_use]
    pub fn with_all(mut self, key: &str, values: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.0
            .insert(key.to_lowercase(), values.into_iter().map(Into::into).collect());
        self
    }

    /// Adds the keys of another context, which win.
    #[must_use]
    pub fn and(mut self, other: &Context) -> Self {
        self.0
            .extend(other.0.iter().map(|(key, values)| (key.clone(), values.clone())));
        self
    }

    /// The values of a key; none where it is absent or empty.
    pub fn get(&self, key: &str) -> Option<&[String]> {
        self.0
            .get(&key.to_lowercase())
            .map(Vec::as_slice)
            .filter(|values| !values.is_empty())
    }
}
