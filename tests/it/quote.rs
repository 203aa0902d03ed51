//! What is quoted for a shell is read back by a real one.

use glueup::domain::quote::shell;

#[test]
fn a_posix_shell_reads_the_word_back() {
    let run = |word: &str| {
        let script = format!("printf %s {}", shell(word));
        let output = std::process::Command::new("bash")
            .args(["-c", &script])
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    for word in [
        "it's `x` $HOME \"q\" \\ !",
        "a\u{1b}[2J\u{7}'\\\nb",
        "日本 é",
        "~",
        "-n",
        "\u{9b}2J",
        "rtl\u{202e}abc",
        "zero\u{200b}width\u{feff}",
        "👩\u{200d}🔬",
    ] {
        assert_eq!(run(word), word);
    }
}
