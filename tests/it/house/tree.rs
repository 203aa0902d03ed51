//! Reads the files of the project.

use std::path::Path;

/// The text files below `roots` (relative to `top`; `.` is the top folder itself and not what lies below it) whose
/// extension, or whole name where there is none, is one of `kinds`; as (path relative to `top`, text), sorted.
pub fn files(top: &Path, roots: &[&str], kinds: &[&str]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for root in roots {
        walk(top, &top.join(root), *root != ".", kinds, &mut found);
    }
    found.sort();
    found.dedup();
    found
}

fn walk(top: &Path, dir: &Path, deep: bool, kinds: &[&str], found: &mut Vec<(String, String)>) {
    let Ok(entries) = std::fs::read_dir(dir) else {
        return;
    };
    for entry in entries {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if deep {
                walk(top, &path, deep, kinds, found);
            }
            continue;
        }
        let kind = path
            .extension()
            .or(path.file_name())
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if !kinds.contains(&kind.as_str()) {
            continue;
        }
        // what is not UTF-8 is a fixture, not a text
        if let Ok(text) = std::fs::read_to_string(&path) {
            let name = path
                .strip_prefix(top)
                .unwrap()
                .to_string_lossy()
                .trim_start_matches("./")
                .to_string();
            found.push((name, text));
        }
    }
}
