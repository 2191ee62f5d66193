//! The whole walk of one configuration, from text to plan.

use kontext_compiler::world::MapWorld;
use kontext_compiler::{Options, compile};

#[test]
fn a_configuration_becomes_a_plan() {
    let text = r#"
[vars]
base = "{{env.NOTES_URL|default:http://localhost:1933}}"
[adapters.notes]
driver = "http"
base_url = "{{vars.base}}/api"
headers = { Authorization = "Bearer {{env.NOTES_TOKEN}}" }
[adapters.notes.ops.search]
path = "/s/{{query}}?x={{repo.name}}"
query = { q = "{{query}}", n = "{{limit}}" }
items = "hits[*]"
map = { title = "name|=x", uri = "tpl:notes://{{id}}" }
[adapters.notes.ops.read]
path = "/notes/{{uri|after:notes://}}"
owns = ["notes://"]
text = "body"
"#;
    let world = MapWorld::default().with("clone:config.toml", text);
    let compilation = compile(&world, &Options::default());
    let ids: Vec<_> = compilation.diagnostics.iter().map(|found| found.lint.id).collect();
    assert_eq!(ids, ["missing-default"]);
    let plan = compilation.plan.expect("information is no error");
    let facts: Vec<_> = plan.facts.iter().map(|fact| (fact.name.as_str(), fact.secret)).collect();
    assert_eq!(facts, [("env.NOTES_TOKEN", true), ("env.NOTES_URL", false), ("repo.name", false)]);
    let adapter = &plan.adapters["notes"];
    assert_eq!(adapter.secrets, ["NOTES_TOKEN"]);
    assert_eq!(adapter.needs.len(), 1);
    assert_eq!(adapter.vars.len(), 1);
    let hosts: Vec<_> = plan
        .capabilities
        .iter()
        .filter(|capability| capability.kind == kontext_plan::CapabilityKind::Host)
        .map(|capability| capability.value.as_str())
        .collect();
    assert_eq!(hosts, ["{env.NOTES_URL or http://localhost:1933}"]);
}
