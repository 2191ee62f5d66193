//! What holds for every filter and for every run, counted from the compiler's own tables.

use kontext_compiler::check::filters::{FILTERS, Input};
use kontext_compiler::world::MapWorld;
use kontext_compiler::{Compilation, Options, compile};

/// A parameter of every kind.
const PARAMETERS: [(&str, &str); 6] = [
    ("s", "string"),
    ("i", "integer"),
    ("n", "number"),
    ("b", "boolean"),
    ("l", "string[]"),
    ("o", "object"),
];

fn fits(takes: Input, kind: &str) -> bool {
    match takes {
        Input::Any => true,
        Input::Scalar => matches!(kind, "string" | "integer" | "number" | "boolean"),
        Input::Text => kind == "string",
        Input::TextOrNumber => matches!(kind, "string" | "integer" | "number"),
        Input::List => kind == "string[]",
    }
}

fn compiled(text: &str) -> Compilation {
    compile(&MapWorld::default().with("clone:config.toml", text), &Options::default())
}

#[test]
fn every_filter_refuses_each_type_it_does_not_take_once_and_there() {
    let mut refused = 0;
    // What `default` takes depends on its argument, where `raw` may stand on the slot: cases show both.
    for filter in FILTERS.iter().filter(|filter| !matches!(filter.name, "default" | "raw")) {
        let argument = match (filter.name, filter.argument) {
            ("truncate", _) => ":3",
            (_, Some(_)) => ":x",
            (_, None) => "",
        };
        for (parameter, kind) in PARAMETERS {
            let text = format!(
                "[adapters.a]\ndriver = \"http\"\nbase_url = \"https://a.example\"\n[[adapters.a.tools]]\nname = \"t\"\n\
                 description = \"d\"\nparams = {{ {parameter} = \"{kind}!\" }}\n\
                 op = {{ path = \"/x\", body = {{ v = \"{{{{{parameter}|{}{argument}}}}}\" }} }}\n",
                filter.name
            );
            let compilation = compiled(&text);
            let found: Vec<(&str, &str)> = compilation
                .diagnostics
                .iter()
                .map(|found| (found.lint.id, compilation.sources.text(found.primary)))
                .collect();
            if fits(filter.takes, kind) {
                assert_eq!(found, [], "{} of {kind}", filter.name);
            } else {
                refused += 1;
                assert_eq!(found, [("type-mismatch", filter.name)], "{} of {kind}", filter.name);
            }
        }
    }
    assert!(refused > 30, "{refused}");
}

/// All that a compilation says and makes, as one text.
fn said(text: &str) -> String {
    let compilation = compiled(text);
    let mut said = String::new();
    for found in &compilation.diagnostics {
        said.push_str(&format!("{found:?}\n"));
    }
    said + &compilation.plan.map(|plan| format!("{plan:?}")).unwrap_or_default()
}

#[test]
fn a_thousand_runs_say_the_same() {
    let good = "[vars]\na = \"{{vars.b}}\"\nb = \"{{repo.name}}\"\nc = \"{{vars.a}}{{vars.b}}\"\n\
                [adapters.x]\ndriver = \"http\"\nbase_url = \"https://a.example\"\n\
                headers = { X-A = \"{{vars.c}}\", X-B = \"{{env.B_DIR|default:b}}\", X-C = \"c\" }\n\
                ops.search = { path = \"/s\", query = { q = \"{{query}}\", n = \"{{limit}}\" }, map = { title = \"t\" } }\n\
                [adapters.y]\ndriver = \"command\"\nops.brief = { command = [\"a\", \"b\"] }\n";
    let bad = "[adapters.x]\ndiver = \"http\"\nbase_url = 5\nheaders = { \"X Y\" = \"{{qurey}}\", a = \"${B}\" }\n\
               ops.serach = { path = \"/{{query|upcase}}\", itmes = \"a..b\" }\n[mcpServers.y]\ncommand = \"npx\"\n\
               [adapters.z]\ndriver = \"command\"\nops.search = { command = [\"sh\", \"-c\", \"{{query}}\", \"|\"] }\n";
    for text in [good, bad] {
        let first = said(text);
        for run in 1..1_000 {
            assert_eq!(said(text), first, "run {run}");
        }
    }
}
