//! What every word that is a piece of text has in common, written once.

/// Gives a one-field text word `as_str`, `Display`, `AsRef<str>`, and serde as a string through `FromStr`.
macro_rules! text_word {
    ($word:ident) => {
        impl $word {
            /// The text of the word, as it is written in AWS and in records.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $word {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(&self.0)
            }
        }

        impl AsRef<str> for $word {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        $crate::domain::word::serde_as_text!($word);
    };
}

/// Serde through `Display` and `FromStr`, so that a record shows the same message as a form field.
macro_rules! serde_as_text {
    ($word:ident) => {
        impl serde::Serialize for $word {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        impl<'de> serde::Deserialize<'de> for $word {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <String as serde::Deserialize>::deserialize(deserializer)?;
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use {serde_as_text, text_word};
