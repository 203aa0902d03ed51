//! Every file is part of a program: one that no module names is neither compiled nor, if it is a test, ever run.

use super::Breach;
use std::collections::BTreeMap;

/// The roots of the programs, which nobody names.
const ROOTS: [&str; 4] = [
    "src/lib.rs",
    "src/main.rs",
    "tests/it/main.rs",
    "benches/terminal/main.rs",
];

/// Files that no module names, by `mod` or by `#[path]`.
pub fn unnamed(files: &[(String, String)]) -> Vec<Breach> {
    let texts: BTreeMap<&str, &str> = files
        .iter()
        .map(|(name, text)| (name.as_str(), text.as_str()))
        .collect();
    let by_path = |file: &str| {
        let end = format!("{}\"]", file.rsplit('/').next().unwrap_or(file));
        files.iter().any(|(_, text)| {
            text.lines()
                .any(|line| line.starts_with("#[path = ") && line.ends_with(&end))
        })
    };
    let is_named = |file: &str| {
        let path = file
            .strip_suffix("/mod.rs")
            .or(file.strip_suffix(".rs"))
            .unwrap_or(file);
        let Some((folder, name)) = path.rsplit_once('/') else {
            return false;
        };
        let wanted = format!("mod {name};");
        let above = ["/mod.rs", ".rs", "/lib.rs", "/main.rs"].map(|end| format!("{folder}{end}"));
        let names = |text: &&str| text.lines().any(|line| line.trim().ends_with(&wanted));
        above
            .iter()
            .filter_map(|above| texts.get(above.as_str()))
            .any(names)
    };
    files
        .iter()
        .map(|(file, _)| file)
        .filter(|file| !ROOTS.contains(&file.as_str()) && !is_named(file) && !by_path(file))
        .map(|file| Breach {
            file: file.clone(),
            line: 1,
            why: "no module names it: it is not compiled, and no test of it runs".to_owned(),
        })
        .collect()
}

#[test]
fn a_file_that_nobody_names_is_found() {
    let files = [
        ("src/lib.rs", "pub mod a;\n"),
        (
            "src/a/mod.rs",
            "mod b;\n#[cfg(test)]\n#[path = \"c_tests.rs\"]\nmod tests;\n",
        ),
        ("src/a/b.rs", "mod deep;\n"),
        ("src/a/b/deep.rs", ""),
        ("src/a/c_tests.rs", ""),
        ("src/a/lost.rs", ""),
        ("tests/it/main.rs", "mod kept;\n"),
        ("tests/it/kept.rs", ""),
        ("tests/it/lost.rs", ""),
    ];
    let files: Vec<_> = files
        .map(|(name, text)| (name.to_owned(), text.to_owned()))
        .into();
    let found: Vec<String> = unnamed(&files).into_iter().map(|breach| breach.file).collect();
    assert_eq!(found, ["src/a/lost.rs", "tests/it/lost.rs"]);
}
