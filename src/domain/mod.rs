//! The words, as parsed types: no I/O, no async, no terminal.
