use proptest::prelude::*;

use super::*;

fn quoted(name: &str, dialect: Dialect) -> String {
    quote(name, dialect).unwrap().quoted
}

#[test]
fn spark_takes_digits_first_but_no_numbers() {
    for bare in [
        "abc", "_a", "1a", "123abc", "1_000", "0x1F", "1e", "1dx", "1e5abc", "1db", "select", "values", "_",
    ] {
        assert_eq!(quoted(bare, Dialect::Spark), bare);
    }
    for number in [
        "123", "0", "1e5", "1E5", "12L", "12s", "5y", "1d", "1f", "3bd", "3BD", "1e5d", "1E5f", "1e5BD",
    ] {
        let answer = quote(number, Dialect::Spark).unwrap();
        assert_eq!(answer.quoted, format!("`{number}`"));
        assert!(
            answer.needed && answer.why.contains("Wherobots rule"),
            "{number}: {}",
            answer.why
        );
    }
    // An exponent takes no integer suffix.
    assert_eq!(quoted("1e5L", Dialect::Spark), "1e5L");
}

#[test]
fn spark_takes_ascii_only() {
    for letters in ["é", "naïve", "日本"] {
        let answer = quote(letters, Dialect::Spark).unwrap();
        assert!(answer.needed && answer.why.contains("Wherobots rule"));
    }
    for (name, quoted_name) in [
        ("My-Catalog", "`My-Catalog`"),
        ("Lake House", "`Lake House`"),
        ("raw.v2", "`raw.v2`"),
        ("a`b", "`a``b`"),
        ("a$b", "`a$b`"),
        ("\"abc\"", "`\"abc\"`"),
    ] {
        let answer = quote(name, Dialect::Spark).unwrap();
        assert_eq!(answer.quoted, quoted_name);
        assert!(!answer.why.contains("Wherobots"), "{}", answer.why);
    }
}

#[test]
fn other_dialects_follow_their_own_rules() {
    for (name, dialect, expected) in [
        ("orders", Dialect::Trino, "orders"),
        ("1a", Dialect::Trino, "\"1a\""),
        ("order", Dialect::Trino, "\"order\""),
        ("a-b", Dialect::Athena, "\"a-b\""),
        ("a\"b", Dialect::Athena, "\"a\"\"b\""),
        ("_tmp", Dialect::Athena, "_tmp"),
        ("_tmp", Dialect::AthenaDdl, "`_tmp`"),
        ("date", Dialect::AthenaDdl, "`date`"),
        ("a`b", Dialect::Hive, "`a``b`"),
        ("日本", Dialect::DuckDb, "日本"),
        ("a$b", Dialect::DuckDb, "a$b"),
        ("1a", Dialect::DuckDb, "\"1a\""),
        ("user", Dialect::DuckDb, "user"),
        ("values", Dialect::DuckDb, "values"),
        ("date", Dialect::DuckDb, "date"),
        ("desc", Dialect::DuckDb, "\"desc\""),
        ("left", Dialect::DuckDb, "\"left\""),
        ("orders", Dialect::Snowflake, "\"orders\""),
        ("ORDERS", Dialect::Snowflake, "ORDERS"),
        ("ORDER", Dialect::Snowflake, "\"ORDER\""),
        ("sales.orders", Dialect::ClickHouse, "`sales.orders`"),
        ("a`\\b", Dialect::ClickHouse, "`a\\`\\\\b`"),
        ("my-table", Dialect::Pinot, "\"my-table\""),
        ("orders", Dialect::Pinot, "orders"),
        ("year", Dialect::Pinot, "\"year\""),
    ] {
        assert_eq!(quoted(name, dialect), expected, "{dialect}");
    }
}

#[test]
fn duckdb_has_its_75_reserved_words_and_the_names_of_functions_and_joins() {
    for word in [
        "all", "array", "default", "describe", "end", "group", "lambda", "pivot", "qualify", "show", "to",
    ] {
        assert!(quote(word, Dialect::DuckDb).unwrap().needed, "{word}");
    }
}

#[test]
fn names_that_cannot_be_are_refused() {
    for dialect in Dialect::ALL {
        assert!(quote("", dialect).is_err());
        assert!(quote("a\nb", dialect).is_err());
    }
    for name in ["a.b", "a__b", "a b", "日本", "a\"b"] {
        assert!(
            quote(name, Dialect::Pinot)
                .unwrap_err()
                .expected
                .contains("rename"),
            "{name}"
        );
    }
}

#[test]
fn paths_are_read_part_by_part() {
    let read = |text, dialect| parse(text, dialect).unwrap();
    assert_eq!(read("`cat.1`.db.`a``b`", Dialect::Spark), ["cat.1", "db", "a`b"]);
    assert_eq!(read("cat.1db.t", Dialect::Spark), ["cat", "1db", "t"]);
    assert_eq!(read("db.\"T\"", Dialect::Snowflake), ["DB", "T"]);
    for (text, dialect) in [
        ("cat.123.t", Dialect::Spark),
        ("cat.1e5.t", Dialect::Spark),
        ("a b", Dialect::Spark),
        ("`a", Dialect::Spark),
        ("`a`b", Dialect::Spark),
        ("a..b", Dialect::Trino),
        ("", Dialect::Trino),
        ("\"\"", Dialect::Trino),
        ("1a", Dialect::Trino),
        ("`a`", Dialect::Trino),
        ("`a\\`", Dialect::ClickHouse),
    ] {
        assert!(parse(text, dialect).is_err(), "{text} {dialect}");
    }
}

#[test]
fn wild_names_of_glue_survive() {
    let wild = "tempdb-test$21.asdj123||#^@#^$@$$!@#@!#";
    for dialect in Dialect::ALL.into_iter().filter(|d| *d != Dialect::Pinot) {
        assert_eq!(parse(&quoted(wild, dialect), dialect).unwrap(), [wild]);
    }
    // Composed and decomposed letters are two names.
    assert_ne!(
        quoted("caf\u{e9}", Dialect::Spark),
        quoted("cafe\u{301}", Dialect::Spark)
    );
}

#[test]
fn shell_words_are_single_quoted_when_special() {
    for (word, expected) in [
        ("s3://acme-lake/warehouse", "s3://acme-lake/warehouse"),
        ("Lake House", "'Lake House'"),
        ("it's", r"'it'\''s'"),
        ("`raw.v2`.db", "'`raw.v2`.db'"),
        ("$(rm -rf ~)", "'$(rm -rf ~)'"),
        ("~", "'~'"),
        ("", "''"),
        ("=cmd", "'=cmd'"),
        ("a\u{1b}[201~\n'\\", r"$'a\033[201~\012\'\\'"),
        ("\u{9b}", r"$'\302\233'"),
    ] {
        assert_eq!(shell(word), expected);
    }
}

proptest! {
    /// The rule as it was measured against Spark's own parser.
    #[test]
    fn spark_follows_the_measured_rule(name in "[0-9]{0,3}([eE]?[0-9]{0,2})([dDfFlLsSyY]|[bB][dD]|_|[a-z]|-| )?") {
        prop_assume!(!name.is_empty());
        let word = regex::Regex::new("^[A-Za-z0-9_]+$").unwrap();
        let number = regex::Regex::new(
            "^([0-9]+|[0-9]+[eE][0-9]+|[0-9]+([eE][0-9]+)?([dDfF]|[bB][dD])|[0-9]+[lLsSyY])$"
        ).unwrap();
        let bare = word.is_match(&name) && !number.is_match(&name);
        prop_assert_eq!(quote(&name, Dialect::Spark).unwrap().needed, !bare);
    }

    #[test]
    fn what_is_quoted_reads_back(name in "(\\PC|[a-zA-Z0-9_`\"\\\\.$\t]|\u{e9}|e\u{301}){1,24}", at in 0..9usize) {
        let dialect = Dialect::ALL[at];
        if let Ok(quoted) = quote(&name, dialect) {
            prop_assert_eq!(parse(&quoted.quoted, dialect).unwrap(), vec![name]);
        } else {
            prop_assert_eq!(dialect, Dialect::Pinot);
        }
    }

    #[test]
    fn paths_of_quoted_names_read_back(a in "\\PC{1,8}", b in "[0-9a-zA-Z_]{1,8}", at in 0..8usize) {
        let dialect = Dialect::ALL[at];
        let text = format!("{}.{}", quoted(&a, dialect), quoted(&b, dialect));
        prop_assert_eq!(parse(&text, dialect).unwrap(), vec![a, b]);
    }

    #[test]
    fn no_text_panics(text in any::<String>(), at in 0..9usize) {
        let _ = parse(&text, Dialect::ALL[at]);
        let _ = shell(&text);
    }
}
