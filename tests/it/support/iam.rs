//! IAM's commands as a user would paste them, carried out against an embedded AWS.

use super::signed;
use glueup::demo::Handle;

/// The lines of a next step that are `aws iam …` commands which change something.
pub fn commands(next: &str) -> Vec<Vec<String>> {
    let changes = [
        "put-role-policy",
        "delete-role-policy",
        "detach-role-policy",
        "update-assume-role-policy",
    ];
    next.lines()
        .filter(|line| line.starts_with("aws iam "))
        .map(words)
        .filter(|words| changes.contains(&words[2].as_str()))
        .collect()
}

/// Splits a line as a POSIX shell does, as far as our quoting goes: blanks, single quotes, backslashes.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quoted) = (Vec::new(), None::<String>, false);
    let mut chars = line.chars();
    while let Some(c) = chars.next() {
        match (c, quoted) {
            ('\'', _) => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            (' ', false) => words.extend(word.take()),
            ('\\', false) => word.get_or_insert_default().extend(chars.next()),
            (c, _) => word.get_or_insert_default().push(c),
        }
    }
    assert!(!quoted, "{line}");
    words.extend(word);
    words
}

/// Carries one out as the embedded AWS's admin; answers what IAM says.
pub fn run(handle: &Handle, command: &[String]) -> String {
    let action: String = command[2]
        .split('-')
        .map(|word| word[..1].to_uppercase() + &word[1..])
        .collect();
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("Action", &action)
        .append_pair("Version", "2010-05-08");
    for pair in command[3..].chunks(2) {
        let name: String = pair[0]
            .trim_start_matches("--")
            .split('-')
            .map(|word| word[..1].to_uppercase() + &word[1..])
            .collect();
        form.append_pair(&name, &pair[1]);
    }
    let body = form.finish();
    let keys = (handle.admin.id.as_str(), handle.admin.secret.as_str());
    let kind = ("content-type", "application/x-www-form-urlencoded");
    let answer = signed::post(&handle.endpoint_url, keys, ("iam", "us-east-1"), &[kind], &body);
    assert_eq!(answer.status, 200, "{command:?}: {}", answer.text());
    answer.text().to_string()
}
