//! Parses the arguments, chooses a front, and turns its answer into an exit code.

fn main() {}
