//! A type string as columns to be shown, and what is odd about it.

use super::{DEPTH, Field, HiveType, words};
use crate::domain::kind::Note;
use crate::domain::schema::Column;
use crate::domain::text::{cut, scrub};

/// As much of a type as a sentence repeats; the raw text is beside it.
const SHOWN: usize = 60;

/// What a type string says.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tree {
    /// The parts: the fields of a struct, the element of an array, key and value of a map, the branches of a union.
    pub children: Vec<Column>,
    /// What is odd about the type itself; its parts have notes of their own.
    pub notes: Vec<Note>,
}

impl Tree {
    /// What is said of a column that Glue has no type for.
    pub fn untyped(name: &str) -> Self {
        Self {
            children: Vec::new(),
            notes: vec![Note::new(
                "no-type",
                match name {
                    "" => "Glue has no type for a column that has no name".to_owned(),
                    name => format!("Glue has no type for column {name}"),
                },
            )],
        }
    }
}

/// Whether a type is one of Hive's words, letter by letter: there is nothing more to be told about it.
pub fn is_plain(text: &str) -> bool {
    words::is_hive(text)
}

/// Reads a column's type string. `name` is the column's, for the sentences.
pub fn tree(name: &str, text: &str) -> Tree {
    if is_plain(text) {
        return Tree::default();
    }
    match text.parse::<HiveType>() {
        Ok(read) => {
            let mut column = column(name, name, &read);
            Tree {
                children: std::mem::take(&mut column.children),
                notes: column.notes,
            }
        }
        Err(why) => Tree {
            children: Vec::new(),
            notes: vec![Note::new("unparsed-type", why.to_string())],
        },
    }
}

/// `path` names the column in sentences: `address.street`.
fn column(name: &str, path: &str, read: &HiveType) -> Column {
    let part = |name: &str, read: &HiveType| column(name, &format!("{path}.{name}"), read);
    let mut column = Column {
        name: scrub(name),
        type_text: scrub(read.word()),
        ..Column::default()
    };
    match read {
        HiveType::Primitive {
            text,
            hive: Some(hive),
        } => {
            let says = format!("{text} on column {path} is not Hive's word: {hive}. Some engines refuse it");
            column.notes.push(Note::new("nonstandard-type", says));
        }
        HiveType::Primitive { .. } => {}
        HiveType::Unknown(text) => {
            let says = format!("unknown type {} on column {path}", cut(&scrub(text), SHOWN));
            column.notes.push(Note::new("unknown-type", says));
        }
        HiveType::Deep(_) => {
            let says = format!("nested deeper than {DEPTH} levels on column {path}: shown as it is written");
            column.notes.push(Note::new("deep-type", says));
        }
        HiveType::Array(element) => column.children.push(part("element", element)),
        HiveType::Map(key, value) => {
            // A map's key is never null.
            let key = part("key", key);
            column.children.push(Column {
                required: true,
                ..key
            });
            column.children.push(part("value", value));
        }
        HiveType::Struct(fields) => column
            .children
            .extend(fields.iter().map(|field| of_field(path, field))),
        HiveType::Union(branches) => {
            let says = format!("union on column {path}: each row has one of its branches");
            column.notes.push(Note::new("union-type", says));
            let branch = |(index, read)| part(&format!("branch {index}"), read);
            column.children.extend(branches.iter().enumerate().map(branch));
        }
    }
    column
}

fn of_field(path: &str, field: &Field) -> Column {
    let path = format!("{path}.{}", field.name);
    let mut column = Column {
        required: field.required,
        doc: field.comment.as_deref().map(scrub),
        ..column(&field.name, &path, &field.kind)
    };
    if field.ambiguous {
        let says = format!(
            "ambiguous name {}: it holds a sign that also separates, and other readers may cut it elsewhere",
            cut(&scrub(&field.name), SHOWN)
        );
        column.notes.insert(0, Note::new("ambiguous-name", says));
    }
    column
}
