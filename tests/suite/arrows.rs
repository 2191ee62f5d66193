//! Which crate may reach which: the promise that the runtime executes only prebuilt plans.

use std::collections::BTreeSet;
use std::process::Command;

use crate::root;

/// Packages, each with what it must not reach.
const FORBIDDEN: &[(&str, &[&str])] = &[
    (
        "kontext-runtime",
        &["kontext-compiler", "kontext-grammar", "pest", "toml", "toml_edit", "toml_parser", "miette"],
    ),
    ("kontext-compiler", &["tokio", "reqwest", "hyper", "kontext-runtime", "kontext-host"]),
    ("kontext-grammar", &["toml", "serde", "tokio", "kontext-plan", "kontext-compiler", "kontext-host"]),
    (
        "kontext-notes",
        &["pest", "toml", "tokio", "kontext-plan", "kontext-grammar", "kontext-compiler", "kontext-host"],
    ),
    ("kontext-plan", &["pest", "toml", "tokio", "kontext-grammar", "kontext-compiler", "kontext-host"]),
    ("kontext-host", &["pest", "toml", "tokio", "kontext-plan", "kontext-compiler", "kontext-grammar"]),
];

/// Names of everything a package reaches through normal dependencies.
fn reach(package: &str) -> BTreeSet<String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let words =
        ["tree", "--offline", "--locked", "-e", "normal", "--prefix", "none", "-f", "{p}", "-p", package];
    let output = Command::new(cargo).args(words).current_dir(root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().skip(1).filter_map(|line| line.split(' ').next()).map(str::to_owned).collect()
}

#[test]
fn arrows_point_one_way() {
    let mut broken = Vec::new();
    for (package, names) in FORBIDDEN {
        let reach = reach(package);
        assert!(!reach.is_empty(), "cargo names nothing that {package} reaches");
        broken.extend(
            names.iter().filter(|name| reach.contains(**name)).map(|name| format!("{package} -> {name}")),
        );
    }
    assert!(broken.is_empty(), "these arrows must not exist: {broken:?} (see ARCHITECTURE.md)");
}
