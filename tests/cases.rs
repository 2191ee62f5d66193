//! Runs the Markdown cases of `fixtures/cases/` and the examples of `compiler/diagnostics/`.
//!
//! The format of a case is described in `fixtures/cases/README.md`. `cargo test --test cases -- FILTER` runs those
//! whose name contains FILTER; `UPDATE=1` rewrites the blocks that hold what kontext prints; `TABLE=1` prints how many
//! cases show each id.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::string_slice,
    reason = "a test that panics has failed, which is what it is for"
)]

#[path = "cases/check.rs"]
mod check;
#[path = "cases/expect.rs"]
mod expect;
#[path = "cases/laws.rs"]
mod laws;
#[path = "cases/lock.rs"]
mod lock;
#[path = "cases/markdown.rs"]
mod markdown;
#[path = "../cli/render/mod.rs"]
#[allow(dead_code, unused_imports, reason = "the cases use the part that prints for people")]
mod render;
#[path = "cases/scope.rs"]
mod scope;
#[path = "cases/update.rs"]
mod update;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use markdown::{Case, CaseFile};

fn main() -> ExitCode {
    let arguments = Arguments::read();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    let mut failures = Vec::new();
    for path in case_files(root) {
        let name = path.strip_prefix(root).unwrap_or(&path).display().to_string();
        match std::fs::read_to_string(&path)
            .map_err(|error| error.to_string())
            .and_then(|text| CaseFile::parse(&name, &text))
        {
            Ok(file) => files.push((path, file)),
            Err(error) => failures.push((name, error)),
        }
    }
    if arguments.list {
        for case in files.iter().flat_map(|(_, file)| &file.cases) {
            println!("{}: test", case.name);
        }
        return ExitCode::SUCCESS;
    }
    run(&arguments, &files, failures)
}

/// Runs every chosen case and prints the verdict as libtest does.
fn run(
    arguments: &Arguments,
    files: &[(PathBuf, CaseFile)],
    mut failures: Vec<(String, String)>,
) -> ExitCode {
    let update = std::env::var_os("UPDATE").is_some_and(|value| value == "1");
    let (mut passed, mut filtered) = (0_usize, 0_usize);
    let mut seen = BTreeMap::new();
    for (path, file) in files {
        let mut rewrites = Vec::new();
        for case in &file.cases {
            if !arguments.chosen(&case.name) {
                filtered += 1;
                continue;
            }
            match run_one(case, update, &mut rewrites, &mut seen) {
                Ok(()) => passed += 1,
                Err(error) => failures.push((case.name.clone(), error)),
            }
        }
        if let Err(error) = update::write(path, &file.text, rewrites) {
            failures.push((path.display().to_string(), error));
        }
    }
    if arguments.filters.is_empty() {
        failures.extend(laws::seldom_seen(&seen, passed));
    }
    if std::env::var_os("TABLE").is_some() {
        print!("{}", laws::table(&seen));
    }
    report(passed, filtered, &failures)
}

fn run_one(
    case: &Case,
    update: bool,
    rewrites: &mut Vec<update::Rewrite>,
    seen: &mut BTreeMap<&'static str, usize>,
) -> Result<(), String> {
    let outcome = std::panic::catch_unwind(|| check::run(case, update));
    let outcome = outcome.map_err(|_| "panicked (the message stands above)".to_owned())?;
    rewrites.extend(outcome.rewrites);
    for id in outcome.ids {
        *seen.entry(id).or_default() += 1;
    }
    if outcome.problems.is_empty() { Ok(()) } else { Err(outcome.problems.join("\n")) }
}

fn report(passed: usize, filtered: usize, failures: &[(String, String)]) -> ExitCode {
    for (name, error) in failures {
        println!("---- {name} ----\n{error}\n");
    }
    if !failures.is_empty() {
        println!("failures:");
        for (name, _) in failures {
            println!("    {name}");
        }
    }
    let verdict = if failures.is_empty() { "ok" } else { "FAILED" };
    println!(
        "\ntest result: {verdict}. {passed} passed; {} failed; 0 ignored; 0 measured; {filtered} filtered out",
        failures.len()
    );
    if failures.is_empty() { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

/// The Markdown files that hold cases, sorted.
fn case_files(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.join("fixtures/cases"), root.join("compiler/diagnostics")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md")
                && path.file_name().is_some_and(|n| n != "README.md")
            {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The arguments that test runners pass.
struct Arguments {
    filters: Vec<String>,
    exact: bool,
    list: bool,
}

impl Arguments {
    fn read() -> Arguments {
        let mut arguments = Arguments { filters: Vec::new(), exact: false, list: false };
        let mut rest = std::env::args().skip(1);
        while let Some(argument) = rest.next() {
            match argument.as_str() {
                "--exact" => arguments.exact = true,
                "--list" => arguments.list = true,
                "--format" | "--test-threads" | "--color" | "--skip" => drop(rest.next()),
                flag if flag.starts_with('-') => {}
                _ => arguments.filters.push(argument),
            }
        }
        arguments
    }

    fn chosen(&self, name: &str) -> bool {
        self.filters.is_empty()
            || self
                .filters
                .iter()
                .any(|filter| if self.exact { name == filter } else { name.contains(filter.as_str()) })
    }
}
