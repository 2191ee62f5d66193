//! `project.name` and `project.description`: constants of the build.

use serde_json::Value as Json;
use toml::de::{DeTable, DeValue};

use crate::check::Constants;
use crate::config::Project;
use crate::world::World;

/// The constants: what `[project]` says, else (the name) the root manifest, else the repository's name.
pub fn constants(project: &Project, world: &dyn World) -> Constants {
    Constants {
        project_name: project
            .name
            .clone()
            .or_else(|| manifest_name(world))
            .unwrap_or_else(|| world.repo_name()),
        project_description: project.description.clone(),
    }
}

fn manifest_name(world: &dyn World) -> Option<String> {
    let read = |input: &str| String::from_utf8(world.read(input).ok()??).ok();
    read("repo:Cargo.toml")
        .and_then(|text| toml_name(&text, &["package", "name"]))
        .or_else(|| read("repo:package.json").and_then(|text| json_name(&text)))
        .or_else(|| read("repo:pyproject.toml").and_then(|text| toml_name(&text, &["project", "name"])))
}

fn json_name(text: &str) -> Option<String> {
    let manifest: Json = serde_json::from_str(text).ok()?;
    manifest.get("name")?.as_str().map(str::to_owned)
}

fn toml_name(text: &str, path: &[&str; 2]) -> Option<String> {
    let [table, key] = path;
    let manifest = DeTable::parse(text).ok()?;
    let DeValue::Table(table) = manifest.get_ref().get(*table)?.get_ref() else { return None };
    let DeValue::String(name) = table.get(*key)?.get_ref() else { return None };
    Some(name.to_string())
}
