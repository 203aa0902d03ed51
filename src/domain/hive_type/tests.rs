use super::*;
use crate::domain::schema::Column;
use proptest::prelude::*;

fn read(text: &str) -> HiveType {
    text.parse().unwrap_or_else(|why| panic!("{text}: {why}"))
}

fn refused(text: &str) -> String {
    text.parse::<HiveType>().expect_err(text).to_string()
}

/// A type in one line, with each name in bars: what was read, not how it was written.
fn said(kind: &HiveType) -> String {
    match kind {
        HiveType::Primitive { text, .. } => text.clone(),
        HiveType::Unknown(text) => format!("?{text}"),
        HiveType::Deep(_) => "…".to_owned(),
        HiveType::Array(element) => format!("array[{}]", said(element)),
        HiveType::Map(key, value) => format!("map[{}→{}]", said(key), said(value)),
        HiveType::Union(branches) => format!(
            "union[{}]",
            branches.iter().map(said).collect::<Vec<_>>().join(" or ")
        ),
        HiveType::Struct(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|f| format!("|{}| {}", f.name, said(&f.kind)))
                .collect();
            format!("struct[{}]", fields.join("; "))
        }
    }
}

#[test]
fn types_are_read() {
    for (text, wanted) in [
        ("bigint", "bigint"),
        (" BIGINT ", "bigint"),
        ("decimal", "decimal"),
        ("decimal( 10 , 2 )", "decimal(10,2)"),
        ("char(3)", "char(3)"),
        ("varchar(65535)", "varchar(65535)"),
        (
            "timestamp with  local time zone",
            "timestamp with local time zone",
        ),
        ("double precision", "double precision"),
        ("array<map<string,array<int>>>", "array[map[string→array[int]]]"),
        (
            "map<struct<a:int>,uniontype<int,double>>",
            "map[struct[|a| int]→union[int or double]]",
        ),
        ("uniontype<int,double>", "union[int or double]"),
        (
            "struct<a:uniontype<int,string>>",
            "struct[|a| union[int or string]]",
        ),
        (
            "STRUCT< a : INT , b : array < string > >",
            "struct[|a| int; |b| array[string]]",
        ),
        // a field may be called like a type
        (
            "struct<date:date,map:int,struct:struct<array:array<int>>>",
            "struct[|date| date; |map| int; |struct| struct[|array| array[int]]]",
        ),
        ("struct<>", "struct[]"),
        ("struct< >", "struct[]"),
        ("array<struct<>>", "array[struct[]]"),
        // names with all that people put in them
        ("struct<b:c:int>", "struct[|b:c| int]"),
        ("struct<:b::c:::int>", "struct[|:b::c::| int]"),
        ("struct<a:array:int>", "struct[|a:array| int]"),
        ("struct<!@#$%^&*()_age:int>", "struct[|!@#$%^&*()_age| int]"),
        ("struct<a(1,2):int,b:int>", "struct[|a(1,2)| int; |b| int]"),
        ("struct<a(:int,b):int>", "struct[|a(| int; |b)| int]"),
        (
            "struct<first name:string,a.b:int,a-b:int,\"q\":int,'s':int,$x:int,1a:int>",
            "struct[|first name| string; |a.b| int; |a-b| int; |\"q\"| int; |'s'| int; |$x| int; |1a| int]",
        ),
        ("struct<日本:int,é:string>", "struct[|日本| int; |é| string]"),
        // Spark's backticks
        ("array<struct<`abc,xyz`:int>>", "array[struct[|abc,xyz| int]]"),
        (
            "struct<`a``b`:int,`c:d` : string,`<`:int>",
            "struct[|a`b| int; |c:d| string; |<| int]",
        ),
        ("struct<a`b:int,c`:int>", "struct[|a`b| int; |c`| int]"),
        // Spark's DDL words
        (
            "struct<a:int COMMENT 'x, y>',b:string NOT NULL,c:int not null comment 'it''s \\'so\\''>",
            "struct[|a| int; |b| string; |c| int]",
        ),
        (
            "struct<comment:string,not null:int>",
            "struct[|comment| string; |not null| int]",
        ),
        // what nobody knows stays as it is
        ("bigint(20)", "?bigint(20)"),
        ("decimal(50,2)", "?decimal(50,2)"),
        ("decimal(2,3)", "?decimal(2,3)"),
        ("decimal(99999999999,1)", "?decimal(99999999999,1)"),
        ("char", "?char"),
        ("varchar(0)", "?varchar(0)"),
        ("varchar(max)", "?varchar(max)"),
        ("my_uniontype", "?my_uniontype"),
        ("geography", "?geography"),
        ("array<jsonb>", "array[?jsonb]"),
        ("struct<a:foo<x:int>>", "struct[|a| ?foo<x:int>]"),
        ("struct<a:b:jsonb>", "struct[|a:b| ?jsonb]"),
        ("(", "?("),
    ] {
        assert_eq!(said(&read(text)), wanted, "{text}");
    }
}

#[test]
fn what_can_be_read_in_no_way_is_refused_with_its_place() {
    for (text, wanted) in [
        (
            "array<struct<abc,xyz:int>>",
            "cannot parse at offset 16: expected ':' after 'abc'",
        ),
        ("", "cannot parse at offset 0: expected a type"),
        ("  ", "cannot parse at offset 2: expected a type"),
        (
            "array<>",
            "cannot parse at offset 6: expected the one type of its elements, found 0",
        ),
        (
            "array<int,int>",
            "cannot parse at offset 6: expected the one type of its elements, found 2",
        ),
        (
            "map<string>",
            "cannot parse at offset 4: expected the types of key and value, found 1",
        ),
        ("map<string,>", "cannot parse at offset 11: expected a type"),
        (
            "uniontype<>",
            "cannot parse at offset 10: expected its branches, found 0",
        ),
        ("array<int", "cannot parse at offset 5: this '<' is never closed"),
        ("array<int>>", "cannot parse at offset 10: unexpected '>'"),
        (
            "array<int>x",
            "cannot parse at offset 10: unexpected 'x' after the type",
        ),
        ("int,string", "cannot parse at offset 3: unexpected ','"),
        ("a:int", "cannot parse at offset 1: unexpected ':'"),
        ("array<a:int>", "cannot parse at offset 7: unexpected ':'"),
        ("struct<a:int,>", "cannot parse at offset 13: expected a field"),
        ("struct<a:>", "cannot parse at offset 9: expected a type"),
        (
            "struct<:int>",
            "cannot parse at offset 7: expected a field name before ':'",
        ),
        (
            "struct<`a:int>",
            "cannot parse at offset 7: the name that begins with ` is never closed",
        ),
        (
            "struct<`a` int>",
            "cannot parse at offset 10: expected ':' after '`a`'",
        ),
        (
            "struct<a:int comment 'x>",
            "cannot parse at offset 21: the comment is never closed",
        ),
        ("struct<a->b:int>", "cannot parse at offset 15: unexpected '>'"),
        // offsets are characters, not bytes
        (
            "struct<日本>",
            "cannot parse at offset 9: expected ':' after '日本'",
        ),
    ] {
        assert_eq!(refused(text), wanted, "{text}");
    }
}

#[test]
fn comments_and_not_null_are_taken_from_a_field() {
    let HiveType::Struct(fields) =
        read("struct<a:int NOT NULL COMMENT 'it''s, \\'so\\'>',b:array<int> not  null,c:string>")
    else {
        panic!()
    };
    let told: Vec<_> = fields
        .iter()
        .map(|f| (f.required, f.comment.as_deref()))
        .collect();
    assert_eq!(told, [(true, Some("it's, 'so'>")), (true, None), (false, None)]);
}

#[test]
fn other_words_for_the_same_name_hives() {
    for (text, hive) in [
        ("long", Some("bigint")),
        ("integer", Some("int")),
        ("bigint", None),
        ("numeric(10,2)", Some("decimal")),
    ] {
        let HiveType::Primitive { hive: found, .. } = read(text) else {
            panic!("{text}")
        };
        assert_eq!(found, hive, "{text}");
    }
}

#[test]
fn the_deepest_levels_stay_text() {
    let deep = |levels: usize| format!("{}int{}", "array<".repeat(levels), ">".repeat(levels));
    assert!(said(&read(&deep(DEPTH))).contains("int"));
    assert!(said(&read(&deep(DEPTH + 1))).contains('…'));
    // as deep as Glue can hold
    let deepest = deep(131_072 / 8);
    assert!(said(&read(&deepest)).contains('…'));
    assert_eq!(tree("c", &deepest).children.len(), 1);
    refused(&"array<".repeat(131_072 / 6));
    refused(&"struct<a:".repeat(131_072 / 9));
}

fn notes(column: &Column, found: &mut Vec<String>) {
    found.extend(
        column
            .notes
            .iter()
            .map(|note| format!("{}: {}", note.code, note.text)),
    );
    column.children.iter().for_each(|child| notes(child, found));
}

fn noted(text: &str) -> Vec<String> {
    let Tree { children, notes: own } = tree("id", text);
    let mut found = Vec::new();
    let column = Column {
        children,
        notes: own,
        ..Column::default()
    };
    notes(&column, &mut found);
    found
}

#[test]
fn what_is_odd_is_noted_where_it_is() {
    assert_eq!(noted("bigint"), [""; 0]);
    assert_eq!(
        noted("bigint(20)"),
        ["unknown-type: unknown type bigint(20) on column id"]
    );
    assert_eq!(
        noted("array<struct<a:jsonb>>"),
        ["unknown-type: unknown type jsonb on column id.element.a"]
    );
    assert_eq!(
        noted("array<struct<abc,xyz:int>>"),
        ["unparsed-type: cannot parse at offset 16: expected ':' after 'abc'"]
    );
    assert_eq!(
        noted("struct<b:c:int>"),
        [
            "ambiguous-name: ambiguous name b:c: it holds a sign that also separates, and other readers may cut it elsewhere"
        ]
    );
    assert_eq!(
        noted("struct<a:uniontype<int,string>>"),
        ["union-type: union on column id.a: each row has one of its branches"]
    );
    assert_eq!(
        noted("long"),
        ["nonstandard-type: long on column id is not Hive's word: bigint. Some engines refuse it"]
    );
}

#[test]
fn a_tree_has_the_parts_as_columns() {
    let read = tree("c", "map<string,uniontype<int,struct<\u{1b}a:int>>>");
    let names = |columns: &[Column]| {
        columns
            .iter()
            .map(|c| format!("{} {}", c.name, c.type_text))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&read.children), ["key string", "value uniontype"]);
    let branches = &read.children[1].children;
    assert_eq!(names(branches), ["branch 0 int", "branch 1 struct"]);
    assert_eq!(names(&branches[1].children), ["␛a int"]);
}

/// A type that Hive and we read alike, as text.
fn regular() -> impl Strategy<Value = String> {
    let name = "[a-z_][a-z0-9_]{0,8}";
    let leaf = prop_oneof![
        Just("int".to_owned()),
        Just("string".to_owned()),
        Just("decimal(10,2)".to_owned()),
        Just("timestamp".to_owned()),
    ];
    leaf.prop_recursive(6, 64, 6, move |inner| {
        prop_oneof![
            inner.clone().prop_map(|t| format!("array<{t}>")),
            (inner.clone(), inner.clone()).prop_map(|(k, v)| format!("map<{k},{v}>")),
            prop::collection::vec((name, inner.clone()), 0..5).prop_map(|fields| {
                let fields: Vec<_> = fields.iter().map(|(n, t)| format!("{n}:{t}")).collect();
                format!("struct<{}>", fields.join(","))
            }),
            prop::collection::vec(inner, 1..4)
                .prop_map(|branches| format!("uniontype<{}>", branches.join(","))),
        ]
    })
}

/// How a type is written without anything that could be left out.
fn written(kind: &HiveType) -> String {
    match kind {
        HiveType::Array(element) => format!("array<{}>", written(element)),
        HiveType::Map(key, value) => format!("map<{},{}>", written(key), written(value)),
        HiveType::Union(branches) => format!(
            "uniontype<{}>",
            branches.iter().map(written).collect::<Vec<_>>().join(",")
        ),
        HiveType::Struct(fields) => {
            let fields: Vec<_> = fields
                .iter()
                .map(|f| format!("{}:{}", f.name, written(&f.kind)))
                .collect();
            format!("struct<{}>", fields.join(","))
        }
        leaf => leaf.word().to_owned(),
    }
}

proptest! {
    #[test]
    fn a_regular_type_is_read_whole(text in regular()) {
        prop_assert_eq!(written(&read(&text)), text);
    }

    /// Any text at all, and texts of the signs that matter: an answer, never a panic, and offsets within the text.
    #[test]
    fn nothing_panics(text in prop_oneof![".{0,80}", "[a:,<>(){}`' 1]{0,60}", "(struct<|array<|map<|>|:|,|`|'|comment |a|int|\\(1\\)){0,40}"]) {
        if let Err(why) = text.parse::<HiveType>() {
            prop_assert!(why.offset <= text.chars().count());
        }
        tree("c", &text);
    }

    /// A cut or a doubled character is refused or read as something else, never taken for the same.
    #[test]
    fn an_unbalanced_type_is_refused(text in regular(), at in 0usize..200) {
        let brackets: Vec<usize> = text.char_indices().filter(|(_, c)| matches!(c, '<' | '>')).map(|(i, _)| i).collect();
        prop_assume!(!brackets.is_empty());
        let mut broken = text.clone();
        broken.remove(brackets[at % brackets.len()]);
        prop_assert!(broken.parse::<HiveType>().is_err(), "{}", broken);
    }
}
