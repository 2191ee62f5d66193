//! `docs/editors.md`, tried: the TOML tools behind editors take the published schema, accept what kontext accepts
//! and refuse unknown keys and wrong types.
//!
//! `KONTEXT_TOOLS` names the folder of the programs (`bin` of a virtual environment with tests/tools/requirements.txt).

use std::path::{Path, PathBuf};
use std::process::Command;

use kontext_compiler::diagnostic::Severity;
use kontext_compiler::world::MapWorld;
use kontext_compiler::{Options, compile};

use crate::markdown::CaseFile;
use crate::root;
use crate::sandbox::{Run, Sandbox};

const SCHEMA: &str = "#:schema ./.kontext.schema.json\n";

/// A mistake, and a word of what tombi and taplo say of it.
const WRONG: &[(&str, &str, [&str; 2])] = &[
    ("unknown top-level key", "adaptors = {}\n", ["adaptors", "adaptors"]),
    ("unknown adapter key", "[adapters.a]\ncomand = ['x']\n", ["comand", "comand"]),
    ("unknown op key", "[adapters.a.ops.search]\nlimits = 3\n", ["limits", "limits"]),
    (
        "key of another driver",
        "[adapters.a]\ndriver = 'command'\nbase_url = 'http://h'\n",
        ["matches no values", "base_url"],
    ),
    ("unknown driver", "[adapters.a]\ndriver = 'stdio'\n", ["stdio", "stdio"]),
    ("text for an array", "[adapters.a]\ncommand = 'rg -n'\n", ["Array", "array"]),
    ("text for an integer", "[adapters.a]\ntimeout_ms = '5s'\n", ["Integer", "integer"]),
    ("integer out of bounds", "[adapters.a]\ntimeout_ms = 0\n", ["0", "minimum"]),
    ("text for a boolean", "[adapters.a]\nenabled = 'no'\n", ["Boolean", "boolean"]),
    ("table for a text", "[adapters.a]\ncwd = {}\n", ["String", "string"]),
    ("a tool without a name", "[[adapters.a.tools]]\ndescription = 'd'\nop = 'o'\n", ["name", "name"]),
    ("unknown field of a hit", "[adapters.a.ops.search]\nmap = { titel = 'x' }\n", ["titel", "titel"]),
];

/// The folder of the programs.
pub fn tools() -> PathBuf {
    let named = std::env::var_os("KONTEXT_TOOLS").expect("`KONTEXT_TOOLS` names the folder of the programs");
    std::fs::canonicalize(named).expect("`KONTEXT_TOOLS` is a folder")
}

/// A repository with the starter, its schema and this page's settings.
fn prepared() -> Sandbox {
    let sandbox = Sandbox::new();
    let run = sandbox.run(&["init", "--schema"]);
    assert_eq!(run.status, 0, "{run:?}");
    let starter = std::fs::read_to_string(sandbox.repo().join(".kontext.toml")).unwrap();
    assert!(starter.starts_with(SCHEMA), "{starter}");
    let printed = sandbox.run(&["schema", "config"]).out;
    assert_eq!(std::fs::read_to_string(sandbox.repo().join(".kontext.schema.json")).unwrap(), printed);
    sandbox
}

fn tombi(sandbox: &Sandbox, file: &str) -> Run {
    run(sandbox, &["tombi", "lint", "--offline", file])
}

fn taplo(sandbox: &Sandbox, file: &str) -> Run {
    let schema = format!("file://{}", sandbox.repo().join(".kontext.schema.json").display());
    run(sandbox, &["taplo", "check", "--no-auto-config", "--schema", &schema, file])
}

fn run(sandbox: &Sandbox, words: &[&str]) -> Run {
    let mut command = Command::new(tools().join(words[0]));
    command.args(&words[1..]).current_dir(sandbox.repo()).env_clear();
    command.env("HOME", sandbox.repo().parent().unwrap()).env("NO_COLOR", "1");
    Run::from(command.output().unwrap_or_else(|error| panic!("{}: {error}", words[0])))
}

#[test]
#[ignore = "needs tombi and taplo: KONTEXT_TOOLS"]
fn editors_tools_accept_what_kontext_accepts() {
    let sandbox = prepared();
    let good = good();
    assert!(good.len() > 100, "{} good examples", good.len());
    for (at, text) in good.iter().enumerate() {
        sandbox.write(&format!("repo/good/{at:03}.toml"), text);
    }
    std::fs::copy(sandbox.repo().join(".kontext.toml"), sandbox.repo().join("good/starter.toml")).unwrap();
    std::fs::copy(
        sandbox.repo().join(".kontext.schema.json"),
        sandbox.repo().join("good/.kontext.schema.json"),
    )
    .unwrap();
    for run in [tombi(&sandbox, "good"), taplo(&sandbox, "good/*.toml")] {
        // A warning about the schema is one for the user; tombi's own taste in keys is no matter of ours.
        let said = format!("{}{}", run.out, run.err).replace("Warning: an empty key is discouraged", "");
        assert!(run.status == 0 && !said.contains("Warning"), "{said}");
    }
}

/// Every example of the cases, the pages and the demo that kontext compiles without an error.
fn good() -> Vec<String> {
    let mut texts = Vec::new();
    let mut folders = ["fixtures", "compiler/diagnostics"].map(|name| root().join(name)).to_vec();
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match path.extension().and_then(|extension| extension.to_str()) {
                _ if path.is_dir() => folders.push(path),
                Some("toml") => texts.push(std::fs::read_to_string(path).unwrap()),
                Some("md") => texts.extend(blocks(&path)),
                _ => {}
            }
        }
    }
    texts.sort();
    let compiles = |text: &String| {
        let world = MapWorld::default().with("clone:config.toml", text.as_str());
        let found = compile(&world, &Options::default()).diagnostics;
        !found.iter().any(|finding| finding.severity == Severity::Error)
    };
    texts.into_iter().filter(compiles).map(|text| format!("{SCHEMA}{text}")).collect()
}

fn blocks(path: &Path) -> Vec<String> {
    let file = CaseFile::parse("", &std::fs::read_to_string(path).unwrap()).unwrap();
    let blocks = file.cases.into_iter().flat_map(|case| case.blocks);
    blocks.filter(|block| block.language == "toml").map(|block| block.text).collect()
}

#[test]
#[ignore = "needs tombi and taplo: KONTEXT_TOOLS"]
fn editors_tools_refuse_unknown_keys_and_wrong_types() {
    let sandbox = prepared();
    let mut problems = Vec::new();
    for (what, text, [tombi_says, taplo_says]) in WRONG {
        sandbox.write("repo/.kontext.toml", &format!("{SCHEMA}{text}"));
        for (name, run, word) in [
            ("tombi", tombi(&sandbox, ".kontext.toml"), tombi_says),
            ("taplo", taplo(&sandbox, ".kontext.toml"), taplo_says),
        ] {
            let said = format!("{}{}", run.out, run.err);
            if run.status != 1 || !said.contains(word) {
                problems.push(format!("{name}, {what}: status {}, no {word:?} in\n{said}", run.status));
            }
        }
        assert_eq!(sandbox.run(&["check"]).status, 1, "kontext accepts {what}");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
#[ignore = "needs tombi and taplo: KONTEXT_TOOLS"]
fn editors_page_settings_work() {
    let sandbox = prepared();
    let page = std::fs::read_to_string(root().join("docs/editors.md")).unwrap();
    for block in page.split("\n```").filter_map(|block| block.split_once(" file=")) {
        let (name, text) = block.1.split_once('\n').unwrap();
        sandbox.write(&format!("repo/{name}"), text);
    }
    for (name, words) in
        [("tombi.toml", &["tombi", "lint", "--offline"][..]), (".taplo.toml", &["taplo", "check"])]
    {
        assert!(sandbox.repo().join(name).exists(), "the page has no {name}");
        for file in [".kontext.toml", ".ai/kontext.toml"] {
            let words: Vec<&str> = words.iter().copied().chain([file]).collect();
            sandbox.write(&format!("repo/{file}"), "version = 1\n");
            let good = run(&sandbox, &words);
            sandbox.write(&format!("repo/{file}"), "versoin = 1\n");
            let bad = run(&sandbox, &words);
            assert!(good.status == 0 && bad.status == 1, "{name} for {file}: {good:?} {bad:?}");
            assert!(format!("{}{}", bad.out, bad.err).contains("versoin"), "{name}: {bad:?}");
        }
    }
    let task = std::fs::read_to_string(sandbox.repo().join(".vscode/tasks.json")).unwrap();
    let task: serde_json::Value = serde_json::from_str(&task).unwrap();
    assert_eq!(task["tasks"][0]["problemMatcher"]["pattern"].as_array().unwrap().len(), 2);
}
