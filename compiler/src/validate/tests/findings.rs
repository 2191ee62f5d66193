//! Each kind of mistake, with the text that is underlined and what is said to write.

use super::{fixed, said, said_in, words};

/// Findings of an MCP adapter with more lines.
fn mcp(lines: &str) -> String {
    format!("[adapters.a]\ndriver = \"mcp\"\ncommand = [\"x\"]\n{lines}\n")
}

/// Findings of an HTTP adapter with more lines.
fn http(lines: &str) -> String {
    format!("[adapters.a]\ndriver = \"http\"\nbase_url = \"https://a.test\"\n{lines}\n")
}

#[track_caller]
fn one(text: &str, expected: &str) {
    assert_eq!(said(text), format!("{expected}\n"), "in\n{text}");
}

#[track_caller]
fn says(text: &str, wanted: &[&str]) {
    let words = words(text);
    for want in wanted {
        assert!(words.contains(want), "wanted `{want}` in\n{words}");
    }
}

#[test]
fn misspelt_keys_name_the_nearest() {
    let text = "[adapters.notes]\ndriver = \"mcp\"\ncomand = [\"notes-mcp\"]\n";
    one(text, "error unknown-key|comand");
    says(text, &["unknown key `comand` in `adapters.notes`", "write `command`"]);
    assert!(fixed(text).contains("\ncommand = [\"notes-mcp\"]"));
    one(&mcp("ops.search = { tol = \"x\" }"), "error unknown-key|tol");
    one(
        &mcp("[[adapters.a.tools]]\nnmae = \"x\"\ndescription = \"y\"\nop = { tool = \"t\" }"),
        "error unknown-key|nmae",
    );
    one("zzz = 1\n", "error unknown-key|zzz");
    says("zzz = 1\n", &["at the top level", "the keys here are `version`"]);
}

#[test]
fn other_tools_words_are_answered() {
    for (text, key, help) in [
        (
            "[mcpServers.notes]\ncommand = [\"x\"]\n",
            "mcpServers",
            "`[adapters.notes]`, `driver = \"mcp\"`, `command = [\"x\"]`",
        ),
        (
            "[mcp_servers.notes]\ncommand = [\"x\"]\n",
            "mcp_servers",
            "`[adapters.notes]`, `driver = \"mcp\"`, `command = [\"x\"]`",
        ),
        ("[adapter.notes]\ndriver = \"http\"\n", "adapter", "`[adapters.notes]`"),
        (&mcp("args = [\"-y\", \"srv\"]"), "args", "`command = [\"x\", \"-y\", \"srv\"]`"),
        (&mcp("timeout = 5000"), "timeout", "`timeout_ms = 5000`, in milliseconds"),
        (&mcp("type = \"stdio\""), "type", "leave it out: a server with `command`"),
        (&mcp("transport = \"stdio\""), "transport", "leave it out"),
        (&mcp("disabled = true"), "disabled", "`enabled = false`"),
        (&mcp("envFile = \".env\""), "envFile", "`env = { NAME = \"{{env.NAME}}\" }`"),
        (&mcp("bearer_token = \"x\""), "bearer_token", "Authorization"),
        ("[adapters.a]\ndriver = \"mcp\"\nhttpUrl = \"https://x\"\n", "httpUrl", "write `url`"),
        ("[adapters.a]\ntype = \"stdio\"\ncommand = [\"x\"]\n", "type", "write `driver = \"mcp\"`"),
        (&http("ops.search = { path = \"/s\", params = { q = \"x\" } }"), "params", "write `query`"),
        (&mcp("ops.search = { tool = \"s\", params = { q = \"x\" } }"), "params", "write `args`"),
        ("driver = \"mcp\"\n", "driver", "belongs to `[adapters.<name>]`"),
        (&http("path = \"/s\""), "path", "belongs to an op"),
        (&http("ops.search = { path = \"/s\", weight = 1 }"), "weight", "belongs to the adapter"),
    ] {
        one(text, &format!("error unknown-key|{key}"));
        says(text, &[help]);
    }
    assert!(fixed(&mcp("disabled = true")).contains("\nenabled = false"));
    assert!(fixed("[adapters.a]\ntype = \"stdio\"\ncommand = [\"x\"]\n").contains("\ndriver = \"mcp\""));
}

#[test]
fn keys_of_another_driver_say_whose_they_are() {
    let text = http("ops.search = { path = \"/s\", args = { q = \"x\" } }");
    one(&text, "error wrong-driver-key|args");
    says(
        &text,
        &["belongs to `mcp` adapters, and this one is `http`", "`query = { … }`", "the driver is set here"],
    );
    let unknown = "[adapters.a]\ndriver = \"htp\"\ncommand = [\"x\"]\nbase_url = \"https://a.test\"\n";
    one(unknown, "error invalid-value|\"htp\"");
    one("[adapters.a]\ncommand = [\"x\"]\nbase_url = \"https://a.test\"\n", "error missing-key|a");
}

#[test]
fn wrong_kinds_show_the_right_one() {
    let text = "[adapters.a]\ndriver = \"command\"\ncommand = \"rg --json\"\nops.search = {}\n";
    one(text, "error wrong-type|\"rg --json\"");
    says(
        text,
        &["`command` expects an array of strings, found a string", "write `command = [\"rg\", \"--json\"]`"],
    );
    assert!(fixed(text).contains("command = [\"rg\", \"--json\"]\n"));
    assert!(fixed(&mcp("timeout_ms = \"5s\"")).contains("timeout_ms = 5000\n"));
    assert!(fixed(&mcp("env = { PORT = 8080 }")).contains("{ PORT = \"8080\" }"));
    assert!(fixed(&mcp("enabled = \"false\"")).contains("enabled = false\n"));
    one(&mcp("command = [\"x\", 5]").replace("command = [\"x\"]\n", ""), "error wrong-type|5");
    one(
        "adapters = { a = 1, b = { driver = \"mcp\", url = \"https://x\", comand = 1 } }\n",
        "error wrong-type|1\nerror unknown-key|comand",
    );
    one("version = 2\n", "error unsupported-version|2");
}

#[test]
fn what_must_be_there_is_missed_once() {
    one("[adapters.a]\nurl = \"https://x\"\n", "error missing-key|a");
    one("[adapters.a]\ndriver = \"mcp\"\n", "error missing-key|a");
    one("[adapters.a]\ndriver = \"http\"\n[adapters.a.ops.search]\npath = \"/x\"\n", "error missing-key|a");
    one(
        "[adapters.a]\ndriver = \"command\"\nops.search = {}\nops.code = { command = [\"x\"] }\n",
        "error missing-key|search",
    );
    one(&mcp("ops.search = {}"), "error missing-key|search");
    one(
        &mcp("[[adapters.a.tools]]\nname = \"x\"\nop = { tool = \"t\" }"),
        "error missing-key|[[adapters.a.tools]]",
    );
    assert_eq!(said("[adapters.a]\ndriver = \"http\"\nops.search = { url = \"https://x/s\" }\n"), "");
    assert_eq!(said("[adapters.a]\ndriver = \"command\"\nops.search = { command = [\"x\"] }\n"), "");
}

#[test]
fn values_outside_their_bounds() {
    for (text, underlined) in [
        (mcp("timeout_ms = 0"), "0"),
        (mcp("weight = 0"), "0"),
        (mcp("weight = nan"), "nan"),
        (mcp("weight = 10.5"), "10.5"),
        (mcp("pin = \"of\""), "\"of\""),
        (mcp("expose = \"search\""), "\"search\""),
        (mcp("").replace("adapters.a", "adapters.Notes"), "Notes"),
        (mcp("ops.\"a b\" = { tool = \"t\" }"), "\"a b\""),
        (mcp("when = { file = \"/etc/x\" }"), "\"/etc/x\""),
        (mcp("when = { file = \"../x\" }"), "\"../x\""),
        (mcp("when = { exists = \"/a*/b\" }"), "\"/a*/b\""),
        (mcp("when = { env = \"$TOKEN\" }"), "\"$TOKEN\""),
        (mcp("ops.search = { tool = \"t\", args = { a = [nan] } }"), "nan"),
        (http("headers = { \"X Name\" = \"1\" }"), "\"X Name\""),
        (http("headers = { host = \"x\" }"), "host"),
        (http("ops.read = { owns = [\"notes\"] }"), "\"notes\""),
        (http("ops.search = { body = inf }"), "inf"),
        (http("ops.search = { method = \"FETCH\" }"), "\"FETCH\""),
        ("[adapters.a]\ndriver = \"http\"\nurl = \"https://a.test/x?k=1\"\n".to_owned(), "?"),
        ("[adapters.a]\ndriver = \"http\"\nurl = \"a.test\"\n".to_owned(), "\"a.test\""),
        ("[adapters.a]\ndriver = \"command\"\ncommand = []\n".to_owned(), "[]"),
        (
            "[adapters.a]\ndriver = \"command\"\ncommand = [\"x\"]\nops.code = { ok_exit = [0, 256] }\n"
                .to_owned(),
            "256",
        ),
        ("public_env = [\"X\"]\n".to_owned(), "[\"X\"]"),
    ] {
        one(&text, &format!("error invalid-value|{underlined}"));
    }
    one(
        &http("headers = { Authorization = \"Authorization: Bearer x\" }"),
        "warning invalid-value|Authorization: ",
    );
    assert!(
        fixed(&http("headers = { Authorization = \"Authorization: Bearer x\" }")).contains("= \"Bearer x\"")
    );
    assert_eq!(said(&http("headers = { X-Vault = \"Bearer V:abc\" }")), "");
    one(
        &mcp("[[adapters.a.tools]]\nname = \"a.b/c\"\ndescription = \"y\"\nop = { tool = \"t\" }"),
        "error invalid-tool-name|\"a.b/c\"",
    );
    assert!(fixed(&http("ops.search = { method = \"get\" }")).contains("\"GET\""));
}

#[test]
fn types_of_parameters() {
    let tool = |params: &str| {
        mcp(&format!(
            "[[adapters.a.tools]]\nname = \"x\"\ndescription = \"y\"\nop = {{ tool = \"t\" }}\nparams = {params}"
        ))
    };
    for wrong in ["strng", "string[][]", "array[]", "!", ""] {
        one(&tool(&format!("{{ q = \"{wrong}\" }}")), &format!("error invalid-schema|\"{wrong}\""));
    }
    assert!(fixed(&tool("{ q = \"int!\" }")).contains("\"integer!\""));
    one(&mcp("on = [{ event = \"syn\", op = \"x\" }]"), "error unknown-event|\"syn\"");
}

#[test]
fn keys_that_exclude_each_other() {
    one(&mcp("url = \"https://x\""), "error conflicting-keys|url");
    one(&http("url = \"https://x\""), "error conflicting-keys|url");
    one(&mcp("headers = { A = \"b\" }"), "error conflicting-keys|headers");
    one("[adapters.a]\ndriver = \"mcp\"\nurl = \"https://x\"\ncwd = \"/x\"\n", "error conflicting-keys|cwd");
    one(&http("ops.search = { path = \"/a\", url = \"https://x\" }"), "error conflicting-keys|url");
    one(&http("ops.search = { items = \"a\", split = \"# \" }"), "error conflicting-keys|split");
    one(&http("headers = { A = \"1\", a = \"2\" }"), "error conflicting-keys|a");
}

#[test]
fn control_characters_show_the_literal_string() {
    let text = mcp(r#"cwd = "C:\new\tools""#);
    one(&text, r"error control-character|\n");
    says(&text, &["`cwd` holds a line feed and a tab", r"write it in single quotes: `'C:\new\tools'`"]);
    assert!(fixed(&text).contains(r"cwd = 'C:\new\tools'"));
    assert_eq!(said(&http("ops.search = { path = \"\"\"/a/{{\n  query\n}}\"\"\" }")), "");
    one(&http("headers = { A = \"b\\r\\nc\" }"), "error control-character|\\r");
}

#[test]
fn paths_without_a_base_and_without_a_shell() {
    let user =
        |lines: &str| said_in(&[("user:config.toml", &mcp(lines).replace("[\"x\"]", "[\"./tools/graph\"]"))]);
    assert_eq!(
        user("cwd = \"server\""),
        "error relative-path|\"./tools/graph\"\nerror relative-path|\"server\"\n"
    );
    assert_eq!(said(&mcp("cwd = \"server\"")), "");
    for fine in ["/x", "~/x", "{{repo.root}}/x", "~"] {
        let text = mcp(&format!("cwd = \"{fine}\""));
        assert_eq!(said_in(&[("user:config.toml", &text)]), "", "{fine}");
    }
    let argument = mcp("").replace("[\"x\"]", "[\"x\", \"~/notes\"]");
    one(&argument, "warning tilde-not-expanded|~");
    assert!(fixed(&argument).contains("\"{{env.HOME}}/notes\""));
    assert_eq!(said(&mcp("").replace("[\"x\"]", "[\"~/x\"]")), "");
    assert_eq!(said(&mcp("").replace("[\"x\"]", "[\"sh\", \"-c\", \"~/x $HOME\"]")), "");
}

#[test]
fn placeholders_of_other_tools() {
    let text = mcp("env = { A = \"${TOKEN}\", B = \"$TOKEN\", C = \"%TOKEN%\", D = \"${env:TOKEN}\" }");
    let expected = "warning foreign-placeholder|${TOKEN}\nwarning foreign-placeholder|$TOKEN\n\
                    warning foreign-placeholder|%TOKEN%\nwarning foreign-placeholder|${env:TOKEN}\n";
    assert_eq!(said(&text), expected);
    assert_eq!(fixed(&text).matches("\"{{env.TOKEN}}\"").count(), 4);
    assert!(fixed(&mcp("cwd = \"${workspaceFolder}/x\"")).contains("\"{{repo.root}}/x\""));
    for fine in ["$5", "${1}", "%20", "a{{'$TOKEN'}}"] {
        assert_eq!(said(&mcp(&format!("env = {{ A = \"{fine}\" }}"))), "", "{fine}");
    }
    assert_eq!(said(&http("ops.search = { body = { a = \"$TOKEN\" } }")), "");
}

#[test]
fn braces_where_no_template_is_read() {
    one(&mcp("description = \"for {{repo.id}}\""), "warning not-a-template|{{repo.id}}");
    one(&http("ops.search = { items = \"a.{{query}}\" }"), "warning not-a-template|{{query}}");
    one(&http("ops.search = { where = { a = \"{{query}}\" } }"), "warning not-a-template|{{query}}");
    let map = http("ops.search = { map = { uri = \"notes://{{id}}\" } }");
    one(&map, "warning not-a-template|{{id}}");
    assert!(fixed(&map).contains("\"tpl:notes://{{id}}\""));
}
