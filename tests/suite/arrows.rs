//! Which crate may reach which: the promise that the runtime executes only prebuilt plans.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::root;

/// Names of everything each package reaches through normal dependencies.
struct Graph {
    names: BTreeMap<String, String>,
    edges: BTreeMap<String, Vec<String>>,
}

impl Graph {
    fn read() -> Graph {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let output = Command::new(cargo)
            .args(["metadata", "--format-version", "1", "--offline", "--locked"])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let list = |value: &Value| value.as_array().unwrap().clone();
        let names = list(&metadata["packages"]).iter().map(|p| (text(&p["id"]), text(&p["name"]))).collect();
        let normal =
            |dependency: &Value| list(&dependency["dep_kinds"]).iter().any(|kind| kind["kind"].is_null());
        let edges = list(&metadata["resolve"]["nodes"]).iter().map(|node| {
            let reached =
                list(&node["deps"]).into_iter().filter(|d| normal(d)).map(|d| text(&d["pkg"])).collect();
            (text(&node["id"]), reached)
        });
        Graph { names, edges: edges.collect() }
    }

    fn reach(&self, package: &str) -> BTreeSet<&str> {
        let start = self.names.iter().find(|(_, name)| *name == package).map(|(id, _)| id.as_str()).unwrap();
        let (mut seen, mut open) = (BTreeSet::new(), vec![start]);
        while let Some(id) = open.pop() {
            if seen.insert(id) {
                open.extend(self.edges.get(id).into_iter().flatten().map(String::as_str));
            }
        }
        seen.into_iter().map(|id| self.names[id].as_str()).filter(|name| *name != package).collect()
    }
}

#[test]
fn arrows_point_one_way() {
    let graph = Graph::read();
    let forbidden: &[(&str, &[&str])] = &[
        ("kontext-runtime", &["kontext-compiler", "kontext-grammar", "pest", "toml", "toml_edit", "miette"]),
        ("kontext-compiler", &["tokio", "reqwest", "hyper", "kontext-runtime", "kontext-host"]),
        ("kontext-grammar", &["toml", "serde", "kontext-plan", "kontext-compiler"]),
        ("kontext-plan", &["pest", "toml", "tokio", "kontext-grammar", "kontext-compiler", "kontext-host"]),
        ("kontext-host", &["pest", "toml", "tokio", "kontext-plan", "kontext-compiler", "kontext-grammar"]),
    ];
    let mut broken = Vec::new();
    for (package, names) in forbidden {
        let reach = graph.reach(package);
        broken.extend(
            names.iter().filter(|name| reach.contains(*name)).map(|name| format!("{package} -> {name}")),
        );
    }
    assert!(broken.is_empty(), "these arrows must not exist: {broken:?} (see ARCHITECTURE.md)");
}
