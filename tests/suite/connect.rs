//! `kontext connect` with the clients' files as people have them.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use serde_json::{Value, json};

use crate::root;
use crate::sandbox::{Run, Sandbox, program};

const CLIENTS: [(&str, &str); 5] = [
    ("claude", ".mcp.json"),
    ("codex", ".codex/config.toml"),
    ("cursor", ".cursor/mcp.json"),
    ("vscode", ".vscode/mcp.json"),
    ("opencode", "opencode.json"),
];

fn read(sandbox: &Sandbox, file: &str) -> String {
    std::fs::read_to_string(sandbox.repo().join(file)).unwrap()
}

fn write(sandbox: &Sandbox, client: &str) -> Run {
    sandbox.run(&["connect", client, "--write"])
}

/// The entry as JSON, whatever the client's language.
fn entry(sandbox: &Sandbox, client: &str) -> Value {
    valid(&sandbox.run(&["connect", client, "--format", "json"]))["entry"].clone()
}

/// The report of a run, which the published schema holds for.
fn valid(run: &Run) -> Value {
    let report: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    let schema = std::fs::read_to_string(root().join("schemas/connect.schema.json")).unwrap();
    let validator = jsonschema::validator_for(&serde_json::from_str(&schema).unwrap()).unwrap();
    let errors: Vec<String> = validator.iter_errors(&report).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{errors:#?}\n{report:#}");
    report
}

#[test]
fn every_client_gets_the_words_that_start_kontext_here() {
    let sandbox = Sandbox::new();
    let (own, here) = (program().to_str().unwrap(), sandbox.repo());
    let here = std::fs::canonicalize(here).unwrap();
    let words = ["-C", here.to_str().unwrap(), "run"];
    for client in ["claude", "cursor", "vscode"] {
        assert_eq!(entry(&sandbox, client), json!({ "type": "stdio", "command": own, "args": words }));
    }
    assert_eq!(entry(&sandbox, "codex"), json!({ "command": own, "args": words }));
    let all: Vec<&str> = [own].into_iter().chain(words).collect();
    assert_eq!(entry(&sandbox, "opencode"), json!({ "type": "local", "command": all, "enabled": true }));
}

#[test]
fn a_configuration_that_is_named_is_there() {
    let sandbox = Sandbox::new();
    for (config, words) in
        [("missing.toml", "`missing.toml` does not exist"), (".", "cannot be read: it is a directory")]
    {
        for words_of in [&["connect", "claude"][..], &["connect", "claude", "--write"]] {
            let run = sandbox.run(&[&["--config", config], words_of].concat());
            assert_eq!((run.status, run.out.as_str()), (1, ""), "{run:?}");
            assert!(run.err.starts_with("error[unreadable-layer]: ") && run.err.contains(words), "{run:?}");
            let check = sandbox.run(&["--config", config, "check"]);
            assert!(check.status == 1 && check.out.contains(words), "`check` says the same: {check:?}");
        }
    }
    assert!(!sandbox.repo().join(".mcp.json").exists(), "nothing was written");
    assert_eq!(sandbox.run(&["-q", "build"]).status, 0);
    let run = sandbox.run(&["--config", "missing.toml", "run", "search", "x"]);
    assert!(run.status == 2 && run.err.contains("`missing.toml` does not exist"), "{run:?}");
    sandbox.write("repo/more.toml", "");
    let run = sandbox.run(&["--config", "more.toml", "connect", "claude"]);
    assert!(run.status == 0 && run.out.contains("repo/more.toml"), "{run:?}");
}

#[test]
fn what_is_printed_is_what_is_written_and_the_second_time_nothing_is() {
    for (client, file) in CLIENTS {
        let sandbox = Sandbox::new();
        let shown = sandbox.run(&["connect", client]);
        assert_eq!(shown.status, 0, "{shown:?}");
        assert!(shown.err.contains(file) && shown.err.contains("--write"), "{shown:?}");
        assert!(!sandbox.repo().join(file).exists());
        let run = write(&sandbox, client);
        assert_eq!((run.status, run.out.as_str()), (0, ""), "{run:?}");
        assert!(run.err.starts_with("added `") && run.err.contains("next: "), "{run:?}");
        assert_eq!(read(&sandbox, file), shown.out);
        let run = write(&sandbox, client);
        assert!(run.status == 0 && run.err.contains("already: nothing was written"), "{run:?}");
        assert_eq!(read(&sandbox, file), shown.out);
    }
}

#[test]
fn the_server_of_the_entry_is_told_where_plan_and_configuration_are() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/inner/.keep", "");
    sandbox.write("repo/mine.toml", "");
    let words = [
        "-C",
        "inner",
        "--config",
        "../mine.toml",
        "connect",
        "codex",
        "--plan",
        "p.json",
        "--format",
        "json",
    ];
    let run = sandbox.run(&words);
    let report = valid(&run);
    let here = std::fs::canonicalize(sandbox.repo()).unwrap();
    let here = here.to_str().unwrap();
    let (config, plan) = (format!("{here}/mine.toml"), format!("{here}/inner/p.json"));
    assert_eq!(
        report["entry"]["args"],
        json!(["-C", here, "--config", config, "run", "--plan", plan]),
        "{run:?}"
    );
    assert_eq!(
        (&report["file"], &report["status"], &report["plan"]),
        (&json!(".codex/config.toml"), &json!("shown"), &json!(false))
    );
}

/// The words that a client starts, from the file that `connect` wrote.
fn started_by(sandbox: &Sandbox, client: &str, file: &str) -> Vec<String> {
    let text = read(sandbox, file);
    if client == "codex" {
        let file: toml_edit::DocumentMut = text.parse().unwrap();
        let entry = &file["mcp_servers"]["kontext"];
        let words = entry["command"].as_value().into_iter().chain(entry["args"].as_array().unwrap());
        return words.map(|word| word.as_str().unwrap().to_owned()).collect();
    }
    let file: Value = serde_json::from_str(&text).unwrap();
    let entry = &["mcpServers", "servers", "mcp"].iter().find_map(|key| file.get(key)).unwrap()["kontext"];
    let list = |value: &Value| value.as_array().cloned().unwrap_or_else(|| vec![value.clone()]);
    let words = [list(&entry["command"]), entry.get("args").map(list).unwrap_or_default()].concat();
    words.iter().map(|word| word.as_str().unwrap().to_owned()).collect()
}

#[test]
fn what_is_written_starts_a_server_of_the_plan_from_anywhere() {
    const TALK: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
{"jsonrpc":"2.0","id":2,"method":"tools/list"}
"#;
    const MINE: &str = "[[adapters.a.tools]]\nname = \"mine\"\ndescription = \"Says x\"\nparams = {}\nop = { command = [\"echo\", \"x\"] }\n[adapters.a]\ndriver = \"command\"\n";
    for (client, file) in CLIENTS {
        let sandbox = Sandbox::new();
        sandbox.write("repo/mine.toml", MINE);
        let talk = sandbox.write("talk", TALK);
        let (config, plan) = (["--config", "mine.toml"], ["--plan", "p.json"]);
        for (config, plan) in [(&config[..], &plan[..]), (&config, &[]), (&[], &plan), (&[], &[])] {
            let place = if plan.is_empty() { &[][..] } else { &["-o", "p.json"] };
            let build = sandbox.run(&[config, &["-q", "build"], place].concat());
            assert_eq!((build.status, build.err.as_str()), (0, ""));
            let run = sandbox.run(&[config, &["connect", client, "--write"], plan].concat());
            assert_eq!(run.status, 0, "{run:?}");
            let words = started_by(&sandbox, client, file);
            let mut command = sandbox.command();
            assert_eq!(Path::new(&words[0]), program());
            // What a plan outside its place says of layers is not believed.
            command.env("KONTEXT_TRUST_REPO_ADAPTERS", "1");
            command.args(&words[1..]).current_dir("/").stdin(std::fs::File::open(&talk).unwrap());
            let run = Run::from(command.output().unwrap());
            assert_eq!((run.status, run.err.as_str()), (0, ""), "{words:?}");
            let has_mine = run.out.contains(r#""name":"mine""#);
            assert_eq!(has_mine, !config.is_empty(), "{words:?}: {run:?}");
            assert!(run.out.contains(r#""name":"read_hot_context""#), "{words:?}: {run:?}");
        }
    }
}

#[test]
fn a_plan_that_is_missing_is_told_of() {
    let sandbox = Sandbox::new();
    assert!(sandbox.run(&["connect", "claude"]).err.contains("there is no plan yet: run `kontext build`"));
    assert_eq!(sandbox.run(&["build", "-q"]).status, 0);
    assert!(!sandbox.run(&["connect", "claude"]).err.contains("no plan"));
    assert!(sandbox.run(&["connect", "claude", "--plan", "other.json"]).err.contains("no plan"));
}

#[test]
fn codex_is_told_of_the_variables_the_plan_reads() {
    let sandbox = Sandbox::new();
    let config = "[adapters.a]\ndriver = \"http\"\nbase_url = \"https://a.example\"\nheaders = { Authorization = \"Bearer {{env.A_TOKEN}}\" }\nops.search = { query = { q = \"{{query}}\" } }\n";
    sandbox.write("repo/.git/kontext/config.toml", config);
    assert_eq!(sandbox.run(&["build", "-q"]).status, 0);
    assert!(sandbox.run(&["connect", "codex"]).err.contains("add `env_vars = [\"A_TOKEN\"]` to the entry"));
    let report = valid(&sandbox.run(&["connect", "codex", "--format", "json"]));
    assert_eq!((&report["variables"], &report["plan"]), (&json!(["A_TOKEN"]), &json!(true)));
    assert!(!sandbox.run(&["connect", "claude"]).err.contains("A_TOKEN"));
}

#[test]
fn the_rest_of_a_file_stays_byte_for_byte() {
    let sandbox = Sandbox::new();
    let old = "\u{feff}// ours\r\n{\r\n\t\"inputs\": [], // none\r\n\t\"servers\": {\r\n\t\t\"a\": { \"url\": \"http://localhost/\" }, // one\r\n\t},\r\n}\r\n";
    sandbox.write("repo/.vscode/mcp.json", old);
    assert_eq!(write(&sandbox, "vscode").status, 0);
    let new = read(&sandbox, ".vscode/mcp.json");
    let (before, after) = old.split_at(old.find(" // one\r\n").unwrap() + " // one".len());
    assert!(new.starts_with(before) && new.ends_with(after) && new.len() > old.len(), "{new}");
    assert_eq!(new.matches('\n').count(), new.matches("\r\n").count());

    let old = "model = \"x\" # mine\n\n[mcp_servers.a]\ncommand = 'a'\n";
    sandbox.write("repo/.codex/config.toml", old);
    assert_eq!(write(&sandbox, "codex").status, 0);
    assert!(read(&sandbox, ".codex/config.toml").starts_with(&format!("{old}\n[mcp_servers.kontext]\n")));
}

#[test]
fn an_entry_that_differs_is_changed_where_it_differs() {
    let sandbox = Sandbox::new();
    let own = program().to_str().unwrap();
    sandbox.write("repo/.mcp.json", &format!("{{\"mcpServers\": {{\"kontext\": {{\"type\": \"stdio\", \"command\": \"{own}\", \"args\": [\"run\"], \"env\": {{\"A\": \"b\"}}}}}}}}"));
    let run = sandbox.run(&["connect", "claude", "--write", "--format", "json"]);
    let report = valid(&run);
    assert_eq!((&report["status"], &report["changed"]), (&json!("changed"), &json!(["args"])));
    assert_eq!(run.err, "");
    let text = read(&sandbox, ".mcp.json");
    sandbox.write("repo/.mcp.json", &text.replace("\"stdio\"", "\"old\""));
    let run = write(&sandbox, "claude");
    assert!(run.err.contains("changed `type` of `mcpServers.kontext` in `.mcp.json`"), "{run:?}");
    assert_eq!(read(&sandbox, ".mcp.json"), text);
    assert!(text.contains("\"env\": {\"A\": \"b\"}") && text.contains("\"-C\""), "{text}");
    sandbox.write("repo/.mcp.json", "{\"mcpServers\": {\"kontext\": {}}}");
    let run = write(&sandbox, "claude");
    assert!(run.err.contains("changed `type`, `command` and `args` of `mcpServers.kontext`"), "{run:?}");
    sandbox.write("repo/.mcp.json", "{\"mcpServers\": {\"kontext\": {\"url\": \"http://localhost/mcp\"}}}");
    let run = write(&sandbox, "claude");
    assert!(run.err.contains("replaced `mcpServers.kontext`"), "{run:?}");
    assert!(!read(&sandbox, ".mcp.json").contains("url"));
}

#[test]
fn opencode_keeps_its_file_and_its_form() {
    let sandbox = Sandbox::new();
    sandbox.write("repo/opencode.jsonc", "{\n  // two\n  \"mcp\": { \"servers\": { \"a\": { \"type\": \"local\", \"command\": [\"a\"] } } }\n}\n");
    let run = sandbox.run(&["connect", "opencode", "--write", "--format", "json"]);
    let report = valid(&run);
    assert_eq!(
        (&report["file"], &report["path"]),
        (&json!("opencode.jsonc"), &json!(["mcp", "servers", "kontext"]))
    );
    let text = read(&sandbox, "opencode.jsonc");
    assert!(
        text.contains("// two")
            && text.contains("\"kontext\": { \"type\": \"local\"")
            && !text.contains("enabled"),
        "{text}"
    );
    sandbox.write("repo/opencode.json", "{}");
    assert!(write(&sandbox, "opencode").err.contains("is in `opencode.jsonc` already"));
}

#[test]
fn a_file_that_cannot_be_merged_is_refused_at_its_line_and_left_alone() {
    let cases = [
        ("claude", ".mcp.json", "{\n  \"mcpServers\": {\n    oops\n  }\n}\n", ".mcp.json:3:5"),
        ("cursor", ".cursor/mcp.json", "\u{feff}{\n \"mcpServers\": [] }", ".cursor/mcp.json:2:16"),
        ("vscode", ".vscode/mcp.json", "{\"servers\": {},\n\"servers\": {}}", ".vscode/mcp.json:2:1"),
        ("codex", ".codex/config.toml", "a = 1\nb = \n", ".codex/config.toml:2:5"),
        (
            "codex",
            ".codex/config.toml",
            "[mcp_servers.kontext]\nurl = \"http://x\"\n",
            ".codex/config.toml:2:1",
        ),
    ];
    for (client, file, text, at) in cases {
        let sandbox = Sandbox::new();
        sandbox.write(&format!("repo/{file}"), text);
        let run = write(&sandbox, client);
        assert_eq!((run.status, run.out.as_str()), (2, ""), "{run:?}");
        assert!(run.err.contains("was not touched") && run.err.contains(&format!("--> {at}\n")), "{run:?}");
        assert_eq!(read(&sandbox, file), text);
        assert_eq!(sandbox.run(&["connect", client]).status, 0, "printing needs no file");
    }
}

#[test]
fn a_file_that_is_not_utf8_is_refused_with_what_it_looks_like() {
    let wide = |text: &str, mark: &[u8]| {
        [mark, &text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()].concat()
    };
    let text = "{\n  \"mcpServers\": {}\n}\n";
    for (bytes, name, at) in [
        (wide(text, b"\xff\xfe"), "UTF-16LE", "1:1"),
        (wide(text, b""), "UTF-16LE", "1:2"),
        (b"{\n  \xe9 }".to_vec(), "Latin-1", "2:3"),
        (b"\xef\xbb\xbf{ \xe2\x82".to_vec(), "UTF-8 with damaged bytes", "1:3"),
    ] {
        let sandbox = Sandbox::new();
        for (client, file) in CLIENTS {
            sandbox.write(&format!("repo/{file}"), "");
            std::fs::write(sandbox.repo().join(file), &bytes).unwrap();
            let run = write(&sandbox, client);
            let err = format!(
                "error: `{file}` was not touched: it is not UTF-8; it looks like {name}\n  \
                --> {file}:{at}\n  help: save the file as UTF-8\n"
            );
            assert_eq!((run.status, run.out.as_str(), run.err), (2, "", err));
            assert_eq!(std::fs::read(sandbox.repo().join(file)).unwrap(), bytes);
        }
    }
}

#[test]
fn links_and_permissions_stay_and_what_is_no_file_is_refused() {
    let sandbox = Sandbox::new();
    let file = sandbox.write("dotfiles/mcp.json", "{}");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o640)).unwrap();
    let link = sandbox.repo().join(".mcp.json");
    symlink(&file, &link).unwrap();
    assert_eq!(write(&sandbox, "claude").status, 0);
    assert!(link.is_symlink() && read(&sandbox, ".mcp.json").contains("kontext"));
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    let left: Vec<_> = std::fs::read_dir(file.parent().unwrap()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");

    std::fs::write(&file, "{}").unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o440)).unwrap();
    let run = write(&sandbox, "claude");
    assert!(run.status == 2 && run.err.contains("it is read-only"), "{run:?}");

    std::fs::remove_file(&link).unwrap();
    symlink("nowhere", &link).unwrap();
    let run = write(&sandbox, "claude");
    assert!(run.status == 2 && run.err.contains("`nowhere`, which does not exist"), "{run:?}");

    std::fs::create_dir_all(sandbox.repo().join(".vscode/mcp.json")).unwrap();
    let run = write(&sandbox, "vscode");
    assert!(run.status == 2 && run.err.contains("is a directory"), "{run:?}");

    sandbox.write("repo/.cursor", "a file");
    let run = write(&sandbox, "cursor");
    assert!(run.status == 2 && run.err.contains("cannot write"), "{run:?}");

    nix::unistd::mkfifo(&sandbox.repo().join("opencode.json"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    let run = write(&sandbox, "opencode");
    assert!(run.status == 2 && run.err.contains("no regular file"), "{run:?}");
}

#[test]
fn paths_that_a_client_would_change_are_refused() {
    let sandbox = Sandbox::new();
    for (client, plan) in [("claude", "a${HOME}"), ("opencode", "{env:HOME}")] {
        let run = sandbox.run(&["connect", client, "--plan", plan]);
        assert!(run.status == 2 && run.err.contains("would replace"), "{run:?}");
    }
    assert_eq!(sandbox.run(&["connect", "codex", "--plan", "a${HOME}"]).status, 0);
    let run = sandbox.run(&["connect", "emacs"]);
    assert!(run.status == 2 && run.err.contains("claude, codex, cursor, vscode, opencode"), "{run:?}");
}

#[test]
fn the_page_names_every_client_and_file() {
    let page = std::fs::read_to_string(root().join("docs/connect.md")).unwrap();
    for (client, file) in CLIENTS {
        assert!(
            page.contains(&format!("| `{client}` | ")) && page.contains(&format!("`{file}`")),
            "{client}"
        );
    }
}
