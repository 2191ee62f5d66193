//! `.pre-commit-hooks.yaml` in the hands of the real pre-commit: a good commit goes through, a bad one does not.
//!
//! `KONTEXT_TOOLS` names the folder of the program, as for the editors' tools.

use std::path::Path;
use std::process::Command;

use crate::editors::tools;
use crate::root;
use crate::sandbox::{Run, Sandbox, program};

const GOOD: &str = "[adapters.log]\ndriver = \"command\"\nops.brief = { command = [\"tail\", \"log.txt\"], format = \"text\" }\n";
const BAD: &str = "[adapters.log]\ndriver = \"command\"\ncomand = [\"tail\"]\n";
const WARNING: &str =
    "[adapters.log]\ndriver = \"command\"\ncommand = [\"rg\", \"{{query}}\"]\nops.search = {}\n";

/// A home without anything of the user's, with git, pre-commit and the kontext under test on `PATH`.
struct Home {
    sandbox: Sandbox,
}

impl Home {
    fn new() -> Home {
        Home { sandbox: Sandbox::new() }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.sandbox.repo().parent().unwrap().join(name)
    }

    fn run(&self, folder: &str, words: &[&str]) -> Run {
        let folders = [program().parent().unwrap().to_owned(), tools()];
        let path = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(folders.into_iter().chain(std::env::split_paths(&path))).unwrap();
        let mut command = Command::new(words[0]);
        command.args(&words[1..]).current_dir(self.path(folder)).env_clear();
        command.env("PATH", path).env("HOME", self.path("")).env("LC_ALL", "C.UTF-8").env("NO_COLOR", "1");
        command.env("GIT_CONFIG_NOSYSTEM", "1");
        for who in ["AUTHOR", "COMMITTER"] {
            command.env(format!("GIT_{who}_NAME"), "Ann").env(format!("GIT_{who}_EMAIL"), "ann@example.test");
        }
        Run::from(command.output().unwrap_or_else(|error| panic!("{words:?}: {error}")))
    }

    fn must(&self, folder: &str, words: &[&str]) -> String {
        let run = self.run(folder, words);
        assert_eq!(run.status, 0, "{words:?}: {}{}", run.out, run.err);
        run.out
    }

    /// A repository with nothing in it.
    fn repository(&self, folder: &str) {
        std::fs::create_dir_all(self.path(folder)).unwrap();
        self.must(folder, &["git", "init", "--quiet", "--initial-branch=main"]);
    }

    /// What a commit of everything says.
    fn commit(&self, folder: &str) -> Run {
        self.must(folder, &["git", "add", "--all"]);
        self.run(folder, &["git", "commit", "--quiet", "--message=change"])
    }

    fn commits(&self, folder: &str) -> usize {
        self.must(folder, &["git", "log", "--oneline"]).lines().count()
    }
}

/// A sample repository whose hook comes from a repository with our `.pre-commit-hooks.yaml`.
fn sample(hook: &str) -> Home {
    let home = Home::new();
    home.repository("hooks");
    std::fs::copy(root().join(".pre-commit-hooks.yaml"), home.path("hooks/.pre-commit-hooks.yaml")).unwrap();
    assert_eq!(home.commit("hooks").status, 0);
    let revision = home.must("hooks", &["git", "rev-parse", "HEAD"]);
    home.repository("sample");
    let config = format!(
        "repos:\n  - repo: {}\n    rev: {}\n    hooks:\n      - {hook}\n",
        home.path("hooks").display(),
        revision.trim()
    );
    home.sandbox.write("sample/.pre-commit-config.yaml", &config);
    home.must("sample", &["pre-commit", "install"]);
    home
}

#[test]
#[ignore = "needs pre-commit: KONTEXT_TOOLS"]
fn precommit_lets_good_commits_through_and_stops_bad_ones() {
    let home = sample("id: kontext-check-system");
    home.sandbox.write("sample/.kontext.toml", GOOD);
    let run = home.commit("sample");
    let said = format!("{}{}", run.out, run.err);
    assert!(run.status == 0 && said.contains("kontext check") && said.contains("Passed"), "{run:?}");

    home.sandbox.write("sample/.kontext.toml", BAD);
    let run = home.commit("sample");
    let said = format!("{}{}", run.out, run.err);
    assert_eq!((run.status, home.commits("sample")), (1, 1), "{said}");
    assert!(said.contains("error[unknown-key]") && said.contains(".kontext.toml:3:1"), "{said}");

    home.sandbox.write("sample/.kontext.toml", GOOD);
    home.sandbox.write("sample/notes.txt", "no configuration\n");
    let run = home.commit("sample");
    assert!(run.status == 0 && format!("{}{}", run.out, run.err).contains("Skipped"), "{run:?}");

    home.sandbox.write("sample/.ai/kontext.toml", BAD);
    std::fs::remove_file(home.path("sample/.kontext.toml")).unwrap();
    let run = home.commit("sample");
    assert!(run.status == 1 && format!("{}{}", run.out, run.err).contains(".ai/kontext.toml:3:1"), "{run:?}");
}

#[test]
#[ignore = "needs pre-commit: KONTEXT_TOOLS"]
fn precommit_passes_arguments_on() {
    for (hook, status) in
        [("id: kontext-check-system", 0), ("{ id: kontext-check-system, args: [--deny-warnings] }", 1)]
    {
        let home = sample(hook);
        home.sandbox.write("sample/.kontext.toml", WARNING);
        let run = home.commit("sample");
        assert_eq!(run.status, status, "{hook}: {run:?}");
    }
}

#[test]
fn both_hooks_run_the_same_command() {
    let text = std::fs::read_to_string(root().join(Path::new(".pre-commit-hooks.yaml"))).unwrap();
    let lines =
        |key: &str| text.lines().filter(|line| line.trim_start().starts_with(key)).collect::<Vec<_>>();
    for key in ["entry:", "files:", "pass_filenames:"] {
        let found = lines(key);
        assert!(found.len() == 2 && found[0] == found[1], "{found:?}");
    }
    let page = std::fs::read_to_string(root().join("docs/pre-commit.md")).unwrap();
    assert!(page.contains(lines("entry:")[0].trim()), "docs/pre-commit.md shows another command");
}
