//! A place for outside code that may panic on what comes from outside: there a panic is an answer, not the end of the program.

use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread is in [`guarded`]: then nobody is to be told of a panic, and nothing is to be put down for it.
pub fn is_guarded() -> bool {
    GUARDED.get()
}

/// Calls a reader of outside data that must not be trusted to refuse what it cannot read. It must not hold anything that
/// would be left half done.
///
/// # Errors
/// Why it panicked.
pub fn guarded<T>(read: impl FnOnce() -> T) -> Result<T, String> {
    let before = GUARDED.replace(true);
    let read = panic::catch_unwind(AssertUnwindSafe(read));
    GUARDED.set(before);
    read.map_err(|why| {
        let text = why
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| why.downcast_ref::<&str>().copied());
        format!("its reader gave up: {}", text.unwrap_or("it does not say why"))
    })
}

/// From now on what happens in [`guarded`] is reported to nobody else. To be called once, before others look at panics.
pub fn install() {
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !is_guarded() {
            report(info);
        }
    }));
}

/// The same, where many tests want it.
#[cfg(test)]
pub(crate) fn install_for_tests() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(install);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_within_is_an_answer() {
        let read = guarded(|| {
            assert!(is_guarded());
            let nothing: Vec<u8> = Vec::new();
            nothing.first().copied().ok_or(()).unwrap()
        });
        assert!(
            read.unwrap_err()
                .starts_with("its reader gave up: called `Result::unwrap()`")
        );
        assert!(!is_guarded());
        assert_eq!(guarded(|| 1), Ok(1));
    }
}
