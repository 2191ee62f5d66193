//! What other tools call a value that kontext has under another name.

use kontext_grammar::template::ast::{PathRef, Step, StepKind};

/// The reference that was meant, when the first name is another tool's word for something of ours. `inputs` are those
/// in scope.
pub fn reference(path: &PathRef, inputs: &[String]) -> Option<String> {
    let members: Vec<&str> = path.steps.iter().filter_map(key).collect();
    let first = path.name.text.as_str();
    match (first, members.as_slice()) {
        ("process" | "os", [table, name]) if matches!(*table, "env" | "environ") => {
            Some(format!("env.{name}"))
        }
        ("secrets" | "environ" | "environment" | "ENV" | "Env", [name]) => Some(format!("env.{name}")),
        ("input" | "inputs" | "params" | "args" | "arguments" | "this" | "request" | "tool", [name]) => {
            inputs
                .iter()
                .any(|input| input == name)
                .then(|| (*name).to_owned())
                .or_else(|| input(name, inputs))
        }
        ("git" | "repository" | "branch" | "workspace" | "project" | "cwd" | "pwd", members) => {
            repository(first, members)
        }
        ("workspaceFolder" | "workspaceRoot" | "projectRoot" | "project_root" | "root", []) => {
            Some("repo.root".to_owned())
        }
        ("date" | "today", []) => Some("now.date".to_owned()),
        ("timestamp" | "datetime", []) => Some("now.iso".to_owned()),
        ("home", []) => Some("env.HOME".to_owned()),
        ("user" | "username", []) => Some("env.USER".to_owned()),
        (name, []) => input(name, inputs),
        _ => None,
    }
}

fn key(step: &Step) -> Option<&str> {
    match &step.kind {
        StepKind::Key(key) => Some(key),
        StepKind::Index(_) => None,
    }
}

/// Facts about the repository under other names.
fn repository(first: &str, members: &[&str]) -> Option<String> {
    let fact = match (first, members) {
        ("git" | "branch", ["branch"] | []) => "branch",
        ("git" | "repository", ["root" | "path"])
        | ("workspace" | "cwd" | "pwd", [])
        | ("workspace", [_]) => "root",
        ("git" | "repository", ["remote" | "url"]) => "remote",
        ("repository", ["name"]) => "name",
        ("repository", ["id" | "full_name" | "slug"] | []) => "id",
        ("project", ["root" | "path" | "dir"]) => "root",
        _ => return None,
    };
    Some(format!("repo.{fact}"))
}

/// An input under another name.
fn input(name: &str, inputs: &[String]) -> Option<String> {
    let folded = name.to_ascii_lowercase().replace('-', "_");
    let meant: &[&str] = match folded.as_str() {
        "q" | "search" | "search_query" | "searchquery" | "term" | "keyword" | "keywords" | "question"
        | "text" | "pattern" | "symbol" => &["query", "prompt"],
        "n" | "k" | "top_k" | "max" | "count" | "max_results" | "maxresults" | "size" | "per_page"
        | "num" => &["limit"],
        "file" | "filename" | "filepath" | "file_path" | "path" | "commit" | "sha" => &["target", "uri"],
        "url" | "link" | "id" => &["uri"],
        "message" | "input" | "content" => &["prompt", "markdown", "query"],
        "topic" => &["focus", "query"],
        _ => &[],
    };
    let found = meant.iter().find(|meant| inputs.iter().any(|input| input == **meant))?;
    Some((*found).to_owned())
}
