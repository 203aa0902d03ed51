use super::*;

fn list(module: &str, text: &str) -> Vec<String> {
    let module: Vec<String> = module
        .split("::")
        .filter(|s| !s.is_empty())
        .map(str::to_string)
        .collect();
    paths(&module, text)
        .into_iter()
        .map(|n| n.path.join("::"))
        .collect()
}

#[test]
fn groups_are_unfolded() {
    assert_eq!(
        list(
            "verify",
            "use crate::{domain::{arn, region::Region as R, self}, policy::*}; use std::fs;"
        ),
        [
            "crate::domain::arn",
            "crate::domain::region::Region",
            "crate::domain",
            "crate::policy::*",
            "std::fs"
        ]
    );
}

#[test]
fn super_and_self_are_resolved_in_nested_modules_too() {
    assert_eq!(
        list("cli::ls", "fn f() { super::super::tui::run() }"),
        ["crate::tui::run"]
    );
    assert_eq!(
        list(
            "cli::ls",
            "mod a { fn f() { super::g::h() } } fn k() { super::g::h() }"
        ),
        ["crate::cli::ls::g::h", "crate::cli::g::h"]
    );
    assert_eq!(list("cli", "use self::ls::run;"), ["crate::cli::ls::run"]);
}

#[test]
fn comments_and_literals_are_not_code() {
    let text = r##"
        // use crate::tui;
        /* crate::tui::x /* nested */ crate::tui::y */
        /// crate::tui::z
        const A: &str = "crate::tui::a \" crate::tui::b";
        const B: &str = r#"crate::tui::c " crate::tui::d"#;
        const C: (char, char, &'static [u8]) = ('"', '\'', b"crate::tui::e");
        fn f<'a>(x: &'a str) { crate::domain::g(x) }
    "##;
    assert_eq!(list("cli", text), ["crate::domain::g"]);
}

#[test]
fn paths_outside_use_are_seen() {
    assert_eq!(
        list(
            "lake",
            "#[derive(clap::Parser)] struct A(Vec<aws_sdk_s3::Client>);"
        ),
        ["clap::Parser", "aws_sdk_s3::Client"]
    );
    assert_eq!(
        list("lake", "fn f() -> ::ratatui::Frame { x }"),
        ["ratatui::Frame"]
    );
    assert_eq!(list("lake", "use ratatui as r;"), ["ratatui"]);
}

#[test]
fn lines_and_test_items_are_told() {
    let text =
        "use crate::a::b;\n#[cfg(test)]\nmod tests {\n    use crate::demo::start;\n}\nuse crate::c::d;\n";
    let seen: Vec<(usize, bool)> = paths(&["cloud".into()], text)
        .into_iter()
        .map(|n| (n.line, n.test))
        .collect();
    assert_eq!(seen, [(1, false), (4, true), (6, false)]);
}
